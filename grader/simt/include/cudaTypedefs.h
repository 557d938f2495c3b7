// cudaTypedefs.h: types of the driver's functions, for programs that find them at run time.
#include "cuda.h"
