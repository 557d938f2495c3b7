// cublas_api.h: where NVIDIA has the declarations of cublas_v2.h.
#include "cublas_v2.h"
