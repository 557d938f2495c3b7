// Host names in device code. simtcc knows the plain ones; clang and nvcc know them all.
#include <cstdlib>
#include <vector>
int blocks = 5;
float scale(float x) { return 2 * x; }
struct Table {
    float v = 1;
    float get() const { return v; }
};
__global__ void kernel(float *out) {
    out[0] = scale(1);                    // REFUSED WRONG
    out[1] = rand();                      // REFUSED
    out[2] = blocks;                      // REFUSED
    out[3] = Table().get();               // REFUSED
    std::vector<float> v(3);              // REFUSED
}
int main() { kernel<<<blocks, 1>>>(nullptr); }
