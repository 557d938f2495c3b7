// call.h: from a request to a C call.
#ifndef LAB_CALL_H
#define LAB_CALL_H

#include "protocol.h"

// Calls function[0], which has the prototype of request->op in its task's header, on one set of tensors; function[1] is
// the second function of the operation, where it has one.
attn_status lab_call_function(void *const function[2], const lab_request *request,
                              float *const tensor[LAB_MAX_TENSORS]);

#endif
