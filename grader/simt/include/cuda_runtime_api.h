// cuda_runtime_api.h: the host API alone; also for C.
#ifndef SIMT_CUDA_RUNTIME_API_H
#define SIMT_CUDA_RUNTIME_API_H
#include "simt/qualifiers.h"

#include "simt/api.h"
#endif
