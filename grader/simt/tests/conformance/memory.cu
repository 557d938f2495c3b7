// memory.cu: the host's memory API: copies in every direction, 2D, pitch, symbols, managed and pinned memory.
#include "common.h"

__constant__ float coefficients[4] = {1, 2, 3, 4};
__device__ int table[5] = {10, 20, 30, 40, 50};
__device__ double scalar = 2.5;

__global__ void use_symbols(float *out) {
    out[0] = coefficients[0] + coefficients[3];
    out[1] = (float)(table[1] + table[4]);
    out[2] = (float)scalar;
    if (threadIdx.x == 0) table[0] = 99, scalar = 7.25;
}
__global__ void twice(int *p, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) p[i] *= 2;
}
__global__ void by_pitch(float *p, size_t pitch, int width, int height) {
    int x = threadIdx.x, y = blockIdx.x;
    if (x < width && y < height) ((float *)((char *)p + y * pitch))[x] = (float)(y * 100 + x);
}

int main() {
    int h[100], g[100];
    for (int i = 0; i < 100; i++) h[i] = i;
    int *a = device_array<int>(100), *b = device_array<int>(100, 1);
    CHECK(cudaMemcpy(a, h, sizeof h, cudaMemcpyHostToDevice));
    CHECK(cudaMemcpy(b + 50, a, 50 * 4, cudaMemcpyDeviceToDevice));
    CHECK(cudaMemcpy(g, b, sizeof g, cudaMemcpyDeviceToHost));
    printf("copy: %x %d %d\n", g[0], g[50], g[99]);
    CHECK(cudaMemcpy(g, a, sizeof g, cudaMemcpyDefault));
    CHECK(cudaMemcpyAsync(h, g, sizeof g, cudaMemcpyHostToHost, 0));
    CHECK(cudaDeviceSynchronize());
    printf("default: %d %d\n", g[7], h[99]);
    CHECK(cudaMemset((char *)a + 3, 0x7f, 2));
    CHECK(cudaMemcpy(g, a, 8, cudaMemcpyDeviceToHost));
    printf("memset: %x %x\n", g[0], g[1]);

    float *f, hf[3];
    CHECK(cudaMalloc(&f, 12));
    use_symbols<<<1, 1>>>(f);
    download(hf, f, 3);
    printf("symbols: %g %g %g\n", hf[0], hf[1], hf[2]);
    float c[2] = {100, 200};
    double s;
    CHECK(cudaMemcpyToSymbol(coefficients, c, 8, 8));
    CHECK(cudaMemcpyFromSymbol(g, table, 20));
    CHECK(cudaMemcpyFromSymbol(&s, scalar, sizeof s));
    printf("from symbols: %d %d %g\n", g[0], g[4], s);
    s = -1;
    CHECK(cudaMemcpyToSymbolAsync(scalar, &s, sizeof s, 0, cudaMemcpyHostToDevice, 0));
    use_symbols<<<1, 1>>>(f);
    download(hf, f, 3);
    printf("symbols: %g %g %g\n", hf[0], hf[1], hf[2]);
    void *address;
    size_t size;
    CHECK(cudaGetSymbolAddress(&address, table));
    CHECK(cudaGetSymbolSize(&size, table));
    CHECK(cudaMemcpy(g, (int *)address + 2, 4, cudaMemcpyDeviceToHost));
    printf("symbol address: %d, size %d\n", g[0], (int)size);

    size_t pitch;
    float *p, rows[5][7], *q = device_array<float>(35);
    CHECK(cudaMallocPitch(&p, &pitch, 7 * sizeof(float), 5));
    by_pitch<<<5, 32>>>(p, pitch, 7, 5);
    CHECK(cudaMemcpy2D(rows, sizeof rows[0], p, pitch, sizeof rows[0], 5, cudaMemcpyDeviceToHost));
    printf("2D: %g %g %g, pitch %% 512 = %d\n", rows[0][6], rows[4][0], rows[4][6], (int)(pitch % 512));
    CHECK(cudaMemcpy2DAsync(q, 28, p, pitch, 12, 5, cudaMemcpyDeviceToDevice, 0));
    CHECK(cudaMemset2D(p, pitch, 0, 8, 2));
    CHECK(cudaMemcpy2D(rows, sizeof rows[0], p, pitch, sizeof rows[0], 5, cudaMemcpyDeviceToHost));
    float *packed = &rows[3][0];
    CHECK(cudaMemcpy(packed, q, 3 * 4, cudaMemcpyDeviceToHost));
    printf("2D memset: %g %g %g, packed %g\n", rows[1][1], rows[1][2], rows[2][1], packed[2]);

    int *managed, *pinned, *mapped, *device_view;
    CHECK(cudaMallocManaged(&managed, 64 * 4));
    CHECK(cudaMallocHost(&pinned, 64 * 4));
    CHECK(cudaHostAlloc(&mapped, 64 * 4, cudaHostAllocMapped));
    for (int i = 0; i < 64; i++) managed[i] = pinned[i] = mapped[i] = i;
    CHECK(cudaHostGetDevicePointer(&device_view, mapped, 0));
    twice<<<1, 64>>>(managed, 64);
    twice<<<1, 64>>>(pinned, 64);
    twice<<<1, 64>>>(device_view, 64);
    CHECK(cudaDeviceSynchronize());
    printf("managed %d pinned %d mapped %d\n", managed[63], pinned[62], mapped[61]);
    cudaPointerAttributes attributes;
    int types[4];
    void *pointers[4] = {a, managed, pinned, h};
    for (int i = 0; i < 4; i++) {
        CHECK(cudaPointerGetAttributes(&attributes, pointers[i]));
        types[i] = attributes.type;
    }
    printf("pointer types: %d %d %d %d\n", types[0], types[1], types[2], types[3]);
    CHECK(cudaFree(managed));
    CHECK(cudaFreeHost(pinned));
    CHECK(cudaFreeHost(mapped));
    CHECK(cudaFree(p));
    CHECK(cudaFree(0));
    int *async;
    CHECK(cudaMallocAsync(&async, 400, 0));
    CHECK(cudaMemsetAsync(async, 0, 400, 0));
    CHECK(cudaFreeAsync(async, 0));
    size_t before, after, total;
    CHECK(cudaMemGetInfo(&before, &total));
    void *block;
    CHECK(cudaMalloc(&block, 64 << 20));
    CHECK(cudaMemGetInfo(&after, &total));
    printf("64 MB less: %d\n", before - after >= 64 << 20);
    printf("aligned to 256: %d\n", (size_t)block % 256 == 0 && (size_t)a % 256 == 0);
    return 0;
}
