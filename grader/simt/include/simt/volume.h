// volume.h: memory in three dimensions, rows of a pitch: the host's functions for it. No arrays of three dimensions.
#ifndef SIMT_VOLUME_H
#define SIMT_VOLUME_H

#include "texture.h"

typedef struct cudaExtent {
    size_t width, height, depth;  // width in bytes
} cudaExtent;
typedef struct cudaPos {
    size_t x, y, z;
} cudaPos;
typedef struct cudaPitchedPtr {
    void *ptr;
    size_t pitch, xsize, ysize;  // ysize: rows of a slice
} cudaPitchedPtr;
typedef struct cudaMemcpy3DParms {
    cudaArray_t srcArray;
    cudaPos srcPos;
    cudaPitchedPtr srcPtr;
    cudaArray_t dstArray;
    cudaPos dstPos;
    cudaPitchedPtr dstPtr;
    cudaExtent extent;
    cudaMemcpyKind kind;
} cudaMemcpy3DParms;

static inline cudaExtent make_cudaExtent(size_t w, size_t h, size_t d) {
    cudaExtent e = {w, h, d};
    return e;
}
static inline cudaPos make_cudaPos(size_t x, size_t y, size_t z) {
    cudaPos p = {x, y, z};
    return p;
}
static inline cudaPitchedPtr make_cudaPitchedPtr(void *p, size_t pitch, size_t xsize, size_t ysize) {
    cudaPitchedPtr whole = {p, pitch, xsize, ysize};
    return whole;
}

#ifdef __cplusplus
extern "C" {
#endif
cudaError_t cudaMalloc3D(cudaPitchedPtr *p, cudaExtent extent);
cudaError_t cudaMemset3D(cudaPitchedPtr p, int value, cudaExtent extent);
cudaError_t cudaMemset3DAsync(cudaPitchedPtr p, int value, cudaExtent extent, cudaStream_t stream SIMT_DEFAULT(0));
cudaError_t cudaMemcpy3D(const cudaMemcpy3DParms *what);
cudaError_t cudaMemcpy3DAsync(const cudaMemcpy3DParms *what, cudaStream_t stream SIMT_DEFAULT(0));
#ifdef __cplusplus
}
#endif
#endif
