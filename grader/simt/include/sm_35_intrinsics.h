// sm_35_intrinsics.h: part of CUDA's header set; all of it comes with cuda_runtime.h here.
#include "cuda_runtime.h"
