__global__ void sums(const float *x, float *sum, int n) {
    const int threads = blockDim.x;
    __shared__ float partial[threads];  // WRONG
    partial[threadIdx.x] = x[threadIdx.x];
    sum[0] = partial[n];
}
