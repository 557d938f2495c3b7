// device.cu: the limits of the model device, which are an H100's and H200's, and occupancy by threads and shared memory.
#include "common.h"

__global__ void kernel() {}
__global__ void print_device() {
    printf("from the device: warp %d, block %u, grid %u\n", warpSize, blockDim.x, gridDim.x);
}

int main() {
    int count, device, version, value;
    CHECK(cudaGetDeviceCount(&count));
    CHECK(cudaSetDevice(0));
    CHECK(cudaGetDevice(&device));
    printf("at least one device: %d, current %d\n", count >= 1, device);
    cudaDeviceProp p;
    CHECK(cudaGetDeviceProperties(&p, 0));
    printf("compute %d.%d, warp %d, %d SMs, threads %d per block, %d per SM, %d blocks per SM\n", p.major, p.minor,
           p.warpSize, p.multiProcessorCount, p.maxThreadsPerBlock, p.maxThreadsPerMultiProcessor,
           p.maxBlocksPerMultiProcessor);
    printf("block %d %d %d, grid %d %d %d\n", p.maxThreadsDim[0], p.maxThreadsDim[1], p.maxThreadsDim[2],
           p.maxGridSize[0], p.maxGridSize[1], p.maxGridSize[2]);
    printf("shared %d, opt-in %d, per SM %d, reserved %d, registers %d, constant %d\n", (int)p.sharedMemPerBlock,
           (int)p.sharedMemPerBlockOptin, (int)p.sharedMemPerMultiprocessor, (int)p.reservedSharedMemPerBlock,
           p.regsPerBlock, (int)p.totalConstMem);
    printf("unified addressing %d, managed %d, concurrent kernels %d\n", p.unifiedAddressing, p.managedMemory,
           p.concurrentKernels);
    for (cudaDeviceAttr a : {cudaDevAttrMaxThreadsPerBlock, cudaDevAttrWarpSize, cudaDevAttrMultiProcessorCount,
                             cudaDevAttrMaxSharedMemoryPerBlockOptin, cudaDevAttrComputeCapabilityMajor,
                             cudaDevAttrMaxGridDimX, cudaDevAttrMaxRegistersPerBlock}) {
        CHECK(cudaDeviceGetAttribute(&value, a, 0));
        printf("attribute %d: %d\n", (int)a, value);
    }
    CHECK(cudaRuntimeGetVersion(&version));
    printf("runtime of CUDART_VERSION: %d\n", version == CUDART_VERSION);
    for (int threads : {32, 128, 1000, 1024})
        for (size_t shared : {(size_t)0, (size_t)40000}) {
            CHECK(cudaOccupancyMaxActiveBlocksPerMultiprocessor(&value, kernel, threads, shared));
            printf("%d threads, %d bytes: %d blocks per SM\n", threads, (int)shared, value);
        }
    int chosen = -1, can = -1;
    CHECK(cudaChooseDevice(&chosen, &p));
    CHECK(cudaDeviceCanAccessPeer(&can, 0, 0));
    printf("chosen %d; a peer of itself: %d, %s\n", chosen >= 0, can,
           cudaGetErrorName(cudaDeviceGetP2PAttribute(&value, cudaDevP2PAttrAccessSupported, 0, 0)));
    printf("device 99: %s\n", cudaGetErrorName(cudaDeviceCanAccessPeer(&can, 0, 99)));
    cudaGetLastError();
    cudaFuncAttributes attributes;
    CHECK(cudaFuncSetAttribute(kernel, cudaFuncAttributeMaxDynamicSharedMemorySize, 100000));
    CHECK(cudaFuncGetAttributes(&attributes, kernel));
    printf("kernel: %d threads, %d dynamic bytes, %d static\n", attributes.maxThreadsPerBlock,
           attributes.maxDynamicSharedSizeBytes, (int)attributes.sharedSizeBytes);
    print_device<<<1, 1>>>();
    CHECK(cudaDeviceSynchronize());
    return 0;
}
