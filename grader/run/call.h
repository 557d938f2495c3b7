// call.h: from a request to a C call.
#ifndef LAB_CALL_H
#define LAB_CALL_H

#include "protocol.h"

// Calls `function`, which has the prototype of request->op in its task's header, on one set of tensors.
attn_status lab_call_function(void *function, const lab_request *request, float *const tensor[LAB_MAX_TENSORS]);

#endif
