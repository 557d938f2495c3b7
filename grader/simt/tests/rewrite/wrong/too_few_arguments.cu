__global__ void kernel(float *p, int n) { p[0] = n; }
void host(float *p) {
    kernel<<<1, 1>>>(p, 1);
    kernel<<<1, 1>>>(p);  // WRONG
}
