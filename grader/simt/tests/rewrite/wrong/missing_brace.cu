__global__ void kernel(float *p) {
    if (threadIdx.x == 0) {
        p[0] = 1;
}
void host(float *p) {  // WRONG
    kernel<<<1, 1>>>(p);
}
