// refused.h: sizes that contradict a task's header, which a stage has to refuse with ATTN_BAD_SHAPE.
#ifndef LAB_REFUSED_H
#define LAB_REFUSED_H

#include "protocol.h"

// In a runner, before the call proper of a claim with extra[1] = LAB_REFUSES (cases.h): calls the function once with each
// of them, on the claim's tensors, which are large enough for all. ATTN_OK, or LAB_NOT_REFUSED_SIZES + i for the first that
// is not refused.
typedef attn_status lab_call(void *const function[2], const lab_request *r, float *const t[LAB_MAX_TENSORS]);
attn_status lab_call_refused(lab_call *call, void *const function[2], const lab_request *r,
                             float *const t[LAB_MAX_TENSORS]);

// In the checker: "head_dim = 12"; NULL if the status is none of those.
const char *lab_refused_name(int status);

#endif
