// guests.h: what a program asks of simt that loads kernels which it does not trust (guests), and takes simt's word about
// them: the lab's runner.
//
// Call simt_guests() before the first guest is loaded. From then on
//   - code that is loaded later is a guest's, unless the program trusts it;
//   - a guest's host code that touches device memory, copies more than a few bytes of it to the host, asks for memory that
//     host and device share, or writes to memory that is not its own ends the process: status 86, one line on stderr;
//   - no one else gets the table, and its functions refuse calls that a guest makes.
#ifndef SIMT_GUESTS_H
#define SIMT_GUESTS_H

#include <stddef.h>

#include "../check/simt_check.h"

#ifdef __cplusplus
extern "C" {
#endif

enum { SIMT_GUEST_ENDED = 86, SIMT_GUEST_COPIES = 4096 };  // bytes that a guest may copy to the host in one call

typedef struct {
    // Before a call of a guest, from the function that makes it: what stands on the stack by now is not the guest's.
    void (*begin)(void);
    void (*trust)(const void *address);  // the module that holds it is no guest
    // What messages call this part of device memory; n names replace those that were.
    void (*names)(const char *base, int n, const size_t offset[], const size_t size[], const char *const name[]);
    const simt_check_table *check;  // of checked mode; else NULL
} simt_guest_table;

const simt_guest_table *simt_guests(void);  // NULL after the first call

#ifdef __cplusplus
}
#endif
#endif
