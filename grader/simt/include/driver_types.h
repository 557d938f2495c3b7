// driver_types.h: part of CUDA's header set; see simt/api.h.
#ifndef __DRIVER_TYPES_H__
#define __DRIVER_TYPES_H__  // NVIDIA's helper_cuda.h asks for this name
#include <limits.h>
#include <stddef.h>

#include "simt/api.h"
#endif
