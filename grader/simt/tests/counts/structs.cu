// structs.cu: an array of structures of 5 floats, of which 2 are read: 20 bytes from lane to lane.
#include "common.h"

struct Particle {
    float x, y, z, mass, charge;
};

__global__ void structs(float *y, const Particle *p, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) y[i] = p[i].x * p[i].mass;
}

int main() {
    int n = 10000;
    Particle *p;
    float *y;
    cudaMalloc(&p, n * sizeof(Particle));
    cudaMalloc(&y, n * sizeof(float));
    fill((float *)p, 5 * n);
    structs<<<(n + 127) / 128, 128>>>(y, p, n);
    return finish();
}
