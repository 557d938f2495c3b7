// pipeline.h: task 6 in the runner: a layer that calls the kernels of tasks 4 and 5, driven by grader/model.
#ifndef LAB_PIPELINE_H
#define LAB_PIPELINE_H

#include "driver.h"

// stage: task 6's. arguments: DRIVER.so TASK4.so TASK5.so MODEL [unsplit], see driver.h. Returns 0 after saying why on the
// error output.
int lab_pipeline_open(void *stage, char **arguments);

// lab_layer or lab_generate with the student's attn_layer_forward.
attn_status lab_pipeline_call(void *layer, const lab_request *r, float *const tensor[LAB_MAX_TENSORS], lab_emit *emit,
                              void *context);

#endif
