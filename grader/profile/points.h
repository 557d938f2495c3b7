// points.h: the calls that are profiled.
#ifndef LAB_PROFILE_POINTS_H
#define LAB_PROFILE_POINTS_H

#include "ops.h"

typedef struct {
    const char *task, *name;
    const lab_op *op;
    attn_shape shape;
} lab_point;

extern const lab_point lab_points[];
extern const int lab_n_points;

#endif
