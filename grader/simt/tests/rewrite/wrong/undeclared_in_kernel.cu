__constant__ float table[4];
extern __shared__ float dynamic[];
__global__ void __launch_bounds__(256)
kernel(float *p) {
    __shared__ float tile[2][2];
    tile[0][0] = dynamic[0];
    p[0] = tile[0][0] + tabel[1];  // WRONG
}
void host(float *p) { kernel<<<1, 1>>>(p); }
