// api_volume.cpp: memory in three dimensions: slices of rows, each slice as the functions for two dimensions have it.
#include "api.h"
#include "capture.h"

using namespace simt;

#define PC __builtin_return_address(0)

cudaError_t cudaMalloc3D(cudaPitchedPtr *p, cudaExtent extent) {
    SIMT_API_ENTRY();
    SIMT_OUT(p);
    if (!p) return fail(cudaErrorInvalidValue);
    *p = {nullptr, 0, extent.width, extent.height};
    return cudaMallocPitch(&p->ptr, &p->pitch, extent.width, extent.height * extent.depth);
}

static char *slice(const cudaPitchedPtr &p, const cudaPos &at, size_t z) {
    return (char *)p.ptr + ((at.z + z) * p.ysize + at.y) * p.pitch + at.x;
}

static bool has_room(const cudaPitchedPtr &p, const cudaPos &at, const cudaExtent &e) {
    return p.ptr && at.x + e.width <= p.pitch && (e.depth < 2 || at.y + e.height <= p.ysize);
}

cudaError_t cudaMemset3D(cudaPitchedPtr p, int value, cudaExtent extent) {
    SIMT_API_ENTRY();
    if (!has_room(p, {0, 0, 0}, extent)) return fail(cudaErrorInvalidValue);
    for (size_t z = 0; z < extent.depth; z++)
        if (cudaError_t error = cudaMemset2D(slice(p, {0, 0, 0}, z), p.pitch, value, extent.width, extent.height))
            return error;
    return cudaSuccess;
}

cudaError_t cudaMemset3DAsync(cudaPitchedPtr p, int value, cudaExtent extent, cudaStream_t stream) {
    cudaError_t error = check_stream(stream);
    if (!error) error = refused_while_capturing(stream);
    return error ? error : cudaMemset3D(p, value, extent);
}

static cudaError_t copy_volume(const cudaMemcpy3DParms *what, const void *pc) {
    if (!what) return fail(cudaErrorInvalidValue);
    if (what->srcArray || what->dstArray) {
        complain("cudaMemcpy3D: simt has no arrays of three dimensions");
        return fail(cudaErrorNotSupported);
    }
    const cudaExtent &e = what->extent;
    if (!has_room(what->srcPtr, what->srcPos, e) || !has_room(what->dstPtr, what->dstPos, e))
        return fail(cudaErrorInvalidValue);
    for (size_t z = 0; z < e.depth; z++)
        if (cudaError_t error =
                copy_rows("cudaMemcpy3D", slice(what->dstPtr, what->dstPos, z), what->dstPtr.pitch,
                          slice(what->srcPtr, what->srcPos, z), what->srcPtr.pitch, e.width, e.height, what->kind, pc))
            return error;
    return cudaSuccess;
}

cudaError_t cudaMemcpy3D(const cudaMemcpy3DParms *what) {
    SIMT_API_ENTRY();
    return copy_volume(what, PC);
}

cudaError_t cudaMemcpy3DAsync(const cudaMemcpy3DParms *what, cudaStream_t stream) {
    SIMT_API_ENTRY();
    cudaError_t error = check_stream(stream);
    if (!error) error = refused_while_capturing(stream);
    return error ? error : copy_volume(what, PC);
}
