// One type, two declarations: nvcc would compile both.
__global__ void f(int *out) { *out = 1; }
#ifdef __CUDA_ARCH__
constexpr int width = 32;  // WRONG
#else
constexpr int width = 1;
#endif
int main() { return width; }
