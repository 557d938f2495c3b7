template <class T> __global__ void kernel(T *p, T value) { *p = value; }
void host(float *p) {
    kernel<<<1, 1>>>(p, 1.f);

    kernel<<<1, 1>>>(p, "no");  // WRONG
}
