// Memory in three dimensions, complex numbers, atomics with an order, PTX operands without a comma.
#include "common.h"

#include <cuComplex.h>

__global__ void scale(cudaPitchedPtr p, cudaExtent e) {
    for (size_t z = 0; z < e.depth; z++)
        for (size_t y = 0; y < e.height; y++) {
            float *row = (float *)((char *)p.ptr + (z * e.height + y) * p.pitch);
            for (size_t x = threadIdx.x; x < e.width / sizeof(float); x += blockDim.x) row[x] = 2 * row[x] + 1;
        }
}

static void volumes() {
    const size_t w = 5, h = 3, d = 2;
    float host[d][h][w], back[d][h][w], part[1][2][2];
    for (size_t i = 0; i < w * h * d; i++) (&host[0][0][0])[i] = (float)i;
    cudaExtent extent = make_cudaExtent(w * sizeof(float), h, d);
    cudaPitchedPtr p;
    CHECK(cudaMalloc3D(&p, extent));
    printf("pitch %d, xsize %d, ysize %d\n", p.pitch >= w * sizeof(float), (int)p.xsize, (int)p.ysize);
    cudaMemcpy3DParms m = {};
    m.srcPtr = make_cudaPitchedPtr(host, w * sizeof(float), w, h);
    m.dstPtr = p, m.extent = extent, m.kind = cudaMemcpyHostToDevice;
    CHECK(cudaMemcpy3D(&m));
    scale<<<1, 32>>>(p, extent);
    m = {};
    m.srcPtr = p, m.extent = extent, m.kind = cudaMemcpyDeviceToHost;
    m.dstPtr = make_cudaPitchedPtr(back, w * sizeof(float), w, h);
    CHECK(cudaMemcpy3DAsync(&m));
    CHECK(cudaDeviceSynchronize());
    for (size_t i = 0; i < w * h * d; i++) printf("%g%c", (&back[0][0][0])[i], i % w == w - 1 ? '\n' : ' ');
    m.srcPos = make_cudaPos(2 * sizeof(float), 1, 1);
    m.extent = make_cudaExtent(2 * sizeof(float), 2, 1);
    m.dstPtr = make_cudaPitchedPtr(part, 2 * sizeof(float), 2, 2);
    CHECK(cudaMemcpy3D(&m));
    printf("part: %g %g %g %g\n", part[0][0][0], part[0][0][1], part[0][1][0], part[0][1][1]);
    CHECK(cudaMemset3D(p, 0, extent));
    CHECK(cudaMemcpy3D(&m));
    printf("zero: %g %g\n", part[0][0][0], part[0][1][1]);
    CHECK(cudaFree(p.ptr));
}

__global__ void numbers(float *out) {
    const cuComplex a = make_cuComplex(1, 2), b = make_cuFloatComplex(3, -1), c = cuCmulf(a, b), q = cuCdivf(c, b);
    const cuComplex sum = cuCaddf(a, cuConjf(b)), all = cuCfmaf(a, b, sum);
    const float found[] = {cuCrealf(c), cuCimagf(c),     q.x,   q.y,  cuCabsf(make_cuComplex(3, 4)),
                           sum.x,       cuCsubf(a, b).y, all.x, all.y};
    for (int i = 0; i < 9; i++) out[i] = found[i];
    const cuDoubleComplex d = cuCmul(make_cuDoubleComplex(0, 1), cuComplexFloatToDouble(a));
    out[9] = (float)d.x, out[10] = (float)cuCabs(make_cuDoubleComplex(5, 12));
}

__global__ void ordered(int *x) {
    __nv_atomic_fetch_add(&x[0], 2, __NV_ATOMIC_RELAXED, __NV_THREAD_SCOPE_DEVICE);
    __nv_atomic_max(&x[1], (int)threadIdx.x, __NV_ATOMIC_ACQ_REL, __NV_THREAD_SCOPE_BLOCK);
    unsigned v = threadIdx.x, old;
    asm volatile("atom.global.add.u32 %0, [%1], %2;" : "=r"(old) : "l"(x + 2) "r"(v) : "memory");
    (void)old;
}

int main() {
    volumes();
    float *out, h[11];
    CHECK(cudaMalloc(&out, sizeof h));
    numbers<<<1, 1>>>(out);
    CHECK(cudaMemcpy(h, out, sizeof h, cudaMemcpyDeviceToHost));
    for (float f : h) printf("%g ", f);
    int *x, n[3];
    CHECK(cudaMalloc(&x, sizeof n));
    CHECK(cudaMemset(x, 0, sizeof n));
    ordered<<<2, 64>>>(x);
    CHECK(cudaMemcpy(n, x, sizeof n, cudaMemcpyDeviceToHost));
    printf("\n%d %d %d\n", n[0], n[1], n[2]);
    return 0;
}
