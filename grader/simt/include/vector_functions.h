// vector_functions.h: part of CUDA's header set; see simt/vector_types.h.
#include "simt/vector_types.h"
