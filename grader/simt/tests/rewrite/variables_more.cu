// The other file of variables.cu.
__device__ int elsewhere;
__global__ void set_elsewhere(int value) { elsewhere = value; }
