// tries.h: a request with a change for each set (LAB_TRIES), in the runner.
#ifndef LAB_TRIES_H
#define LAB_TRIES_H

#include "protocol.h"

// Calls the function once for each set with the set's own change. What one of them does, a crash or a loop without end,
// ends this call alone.
attn_status lab_tries_call(void *const function[2], void (*set_edit)(int), char *arena, lab_request *r);

// Before any other request: what lay between the sets may be touched again.
void lab_tries_end(void);

#endif
