__global__ void kernel(float *p) {
    __shared__ float tile[128][128];  // WRONG
    p[0] = tile[0][0];
}
void host(float *p) { kernel<<<1, 1>>>(p); }
