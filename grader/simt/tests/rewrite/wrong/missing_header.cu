#include <stdio.h>

#include "no_such_header.h"  // WRONG
__global__ void kernel(float *p) { p[0] = 1; }
