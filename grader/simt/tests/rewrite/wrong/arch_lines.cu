// Behind text that only the device has, lines are still right.
__global__ void f(int *out) {
#if __CUDA_ARCH__ >= 700
    *out = 700;
#endif
}
#ifdef __CUDA_ARCH__
__device__ int g() { return 1; }
#endif
int main() { return undeclared; }  // WRONG
