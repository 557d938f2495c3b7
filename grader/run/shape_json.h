// shape_json.h: the one way from a shape to JSON.
#ifndef LAB_SHAPE_JSON_H
#define LAB_SHAPE_JSON_H

#include <jansson.h>

#include "shape.h"

json_t *lab_shape_json(attn_shape shape);

#endif
