// The compiler must name the marked line, though launches above it spread over lines and macros.
#include <stdio.h>
#define LAUNCH(k, ...) k<<<1, 1>>>(__VA_ARGS__)
template <class T>
__global__ void kernel(T *p,
                       int n)
{
    __shared__ T tile[8],
        more[4];
    tile[threadIdx.x] = n;
    more[0] = 1;
    p[0] = tile[0] +
           more[0];
}

void host(float *p) {
    kernel
        <<<1,
           32>>>(p,
                 3);
    LAUNCH(kernel,
           p, 4);
    p[0] = ;  // WRONG
    return;
}
