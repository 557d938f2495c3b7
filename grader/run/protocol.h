// protocol.h: what crosses between the checker (trusted) and a runner (untrusted).
//
// The two share one sealed memfd, the arena. The checker lays out tensors in it and writes a request to the go pipe; the
// runner calls the stage and writes a reply to the done pipe. A reply says only that the call came back. Whether the
// output is right, the checker sees for itself in the arena.
#ifndef LAB_PROTOCOL_H
#define LAB_PROTOCOL_H

#include <stdint.h>

#include "ops.h"

enum { LAB_FD_GO = 3, LAB_FD_DONE = 4, LAB_FD_ARENA = 5 };  // the only descriptors a runner gets, besides 0, 1, 2

#define LAB_MAGIC 0x4c41424eu

typedef struct {
    uint32_t magic;
    uint32_t serial;  // the reply repeats it
    uint32_t op;      // lab_op
    uint32_t sets;    // the stage is called once per set of tensors; set i stands i * stride bytes further on
    attn_shape shape;
    int32_t extra[2];  // task 3: Br, Bc
    uint32_t pad;
    uint64_t bytes;  // of the arena that the tensors of all sets take
    uint64_t stride;
    uint64_t offset[LAB_MAX_TENSORS];  // of the tensors of set 0 in the arena, in bytes; tensor 0 is the output
} lab_request;

typedef struct {
    uint32_t magic;
    uint32_t serial;  // 0: the greeting after loading the stage
    int32_t status;   // attn_status of the first call that did not return ATTN_OK, or one of:
    uint32_t sets;    // how many calls returned
} lab_reply;

// Statuses that are not a stage's: LAB_DEVICE + n is cudaError_t n, found when the device was waited for.
enum { LAB_NO_SYMBOL = 1000, LAB_NOT_LOADED = 1001, LAB_DEVICE = 2000 };

#endif
