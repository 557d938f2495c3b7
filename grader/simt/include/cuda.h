// cuda.h: of the driver API only what makes tensor maps; programs include this header for its types and version, too.
#ifndef SIMT_CUDA_H
#define SIMT_CUDA_H
#include "cuda_runtime_api.h"
#include "simt/driver.h"
#endif
