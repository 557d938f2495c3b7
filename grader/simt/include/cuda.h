// cuda.h: the driver API is not supported; programs include this header for its types and version, which are here.
#include "cuda_runtime_api.h"
