// cuda_runtime.h: all that CUDA declares without being asked. simtcc includes it first in every .cu file, as nvcc does.
//
// Each simt/*.h is one part of the language; the calls at their bottom are in ../runtime/abi.h and intrinsics.h.
#ifndef SIMT_CUDA_RUNTIME_H
#define SIMT_CUDA_RUNTIME_H
#define __CUDA_RUNTIME_H__  // NVIDIA's helper_cuda.h asks for this name

#include "simt/qualifiers.h"
#ifdef __cplusplus
#include "simt/output.h"  // before any header with inline functions that call malloc
#endif

#include "cuda_runtime_api.h"
#include "driver_types.h"

#ifdef __cplusplus
#include "simt/builtins.h"
#include "simt/sync.h"
#include "simt/warp.h"
#include "simt/atomics.h"
#include "simt/nv_atomics.h"
#include "simt/memory.h"
#include "simt/casts.h"
#include "simt/integer.h"
#include "simt/simd.h"
#include "simt/math.h"

#include "simt/launch.h"
#include "simt/shared.h"
#include "simt/shown.h"
#endif

#endif
