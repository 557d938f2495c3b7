// vector_types.h: part of CUDA's header set; see simt/vector_types.h.
#include "simt/vector_types.h"
