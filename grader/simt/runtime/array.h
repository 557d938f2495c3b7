// array.h: a CUDA array (api_array.cpp), and the formats that textures have.
#ifndef SIMT_RUNTIME_ARRAY_H
#define SIMT_RUNTIME_ARRAY_H

#include "api.h"

struct cudaArray {
    cudaChannelFormatDesc format;
    size_t width, height, pitch;  // elements, rows (0: one dimension), bytes
    char *data;
};

#pragma GCC visibility push(hidden)
namespace simt {

// 1, 2 or 4 channels of 8, 16 or 32 bits; floats have 32. 0, with a line, for all else.
int channels_of(const char *function, const cudaChannelFormatDesc &d);
bool is_array(cudaArray_const_t array);

}  // namespace simt
#pragma GCC visibility pop
#endif
