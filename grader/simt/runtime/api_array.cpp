// api_array.cpp: arrays for textures: device memory, row by row.
#include <algorithm>

#include "array.h"
#include "capture.h"

using namespace simt;

static OwnSet<cudaArray_const_t> &arrays() {
    static auto *set = own_new<OwnSet<cudaArray_const_t>>();
    return *set;
}
bool simt::is_array(cudaArray_const_t array) { return arrays().count(array) != 0; }

int simt::channels_of(const char *function, const cudaChannelFormatDesc &d) {
    const int channels = 1 + (d.y != 0) + (d.z != 0) + (d.w != 0);
    const bool same = (!d.y || d.y == d.x) && (!d.z || d.z == d.x) && (!d.w || d.w == d.x);
    const bool size = d.f == cudaChannelFormatKindFloat ? d.x == 32 : d.x == 8 || d.x == 16 || d.x == 32;
    if (same && size && channels != 3 && (unsigned)d.f <= cudaChannelFormatKindFloat) return channels;
    complain("%s: simt has textures of 1, 2 or 4 channels of 8, 16 or 32 bits, and of 32-bit floats; not (%d,%d,%d,%d)",
             function, d.x, d.y, d.z, d.w);
    return 0;
}
static size_t element_bytes(const cudaChannelFormatDesc &d) { return (size_t)(d.x + d.y + d.z + d.w) / 8; }

cudaChannelFormatDesc cudaCreateChannelDesc(int x, int y, int z, int w, cudaChannelFormatKind f) {
    return {x, y, z, w, f};
}

cudaError_t cudaMallocArray(cudaArray_t *array, const cudaChannelFormatDesc *d, size_t width, size_t height,
                            unsigned flags) {
    SIMT_API_ENTRY();
    SIMT_OUT(array);
    if (!array || !d || !width || !channels_of("cudaMallocArray", *d)) return fail(cudaErrorInvalidValue);
    if (flags) complain("cudaMallocArray: simt has plain arrays only (flags 0, not %u)", flags);
    if (flags) return fail(cudaErrorNotSupported);
    const size_t pitch = (width * element_bytes(*d) + 511) / 512 * 512;
    void *data = device_allocate(pitch * std::max<size_t>(height, 1), MemoryKind::device, __builtin_return_address(0));
    if (!data) return fail(cudaErrorMemoryAllocation);
    *array = own_new(cudaArray{*d, width, height, pitch, (char *)data});
    arrays().insert(*array);
    return cudaSuccess;
}

cudaError_t cudaFreeArray(cudaArray_t array) {
    SIMT_API_ENTRY();
    if (!array) return cudaSuccess;
    if (!arrays().erase(array)) return fail(cudaErrorInvalidResourceHandle);
    device_release(array->data, MemoryKind::device, __builtin_return_address(0));
    own_delete(array);
    return cudaSuccess;
}

cudaError_t cudaGetChannelDesc(cudaChannelFormatDesc *format, cudaArray_const_t array) {
    SIMT_API_ENTRY();
    SIMT_OUT(format);
    if (!format || !arrays().count(array)) return fail(cudaErrorInvalidValue);
    *format = array->format;
    return cudaSuccess;
}

// Where a part of an array begins; NULL where it does not lie within: width in bytes, from that byte and row on.
static char *part_of(cudaArray_const_t array, size_t byte, size_t row, size_t width, size_t height) {
    if (!arrays().count(array)) return nullptr;
    const size_t row_bytes = array->width * element_bytes(array->format);
    const size_t rows = std::max<size_t>(array->height, 1);
    if (byte > row_bytes || width > row_bytes - byte || row > rows || height > rows - row) return nullptr;
    return array->data + row * array->pitch + byte;
}

#define PC __builtin_return_address(0)
cudaError_t cudaMemcpy2DToArray(cudaArray_t dst, size_t byte, size_t row, const void *src, size_t pitch, size_t width,
                                size_t height, cudaMemcpyKind kind) {
    SIMT_API_ENTRY();
    char *to = part_of(dst, byte, row, width, height);
    return to ? copy_rows("cudaMemcpy2DToArray", to, dst->pitch, src, pitch, width, height, kind, PC)
              : fail(cudaErrorInvalidValue);
}

cudaError_t cudaMemcpy2DToArrayAsync(cudaArray_t dst, size_t byte, size_t row, const void *src, size_t pitch,
                                     size_t width, size_t height, cudaMemcpyKind kind, cudaStream_t stream) {
    cudaError_t error = check_stream(stream);
    if (!error) error = refused_while_capturing(stream);
    return error ? error : cudaMemcpy2DToArray(dst, byte, row, src, pitch, width, height, kind);
}

cudaError_t cudaMemcpy2DFromArray(void *dst, size_t pitch, cudaArray_const_t src, size_t byte, size_t row, size_t width,
                                  size_t height, cudaMemcpyKind kind) {
    SIMT_API_ENTRY();
    const char *from = part_of(src, byte, row, width, height);
    return from ? copy_rows("cudaMemcpy2DFromArray", dst, pitch, from, src->pitch, width, height, kind, PC)
                : fail(cudaErrorInvalidValue);
}

// n bytes, row after row, from the beginning of a row on.
cudaError_t cudaMemcpyToArray(cudaArray_t dst, size_t byte, size_t row, const void *src, size_t n,
                              cudaMemcpyKind kind) {
    SIMT_API_ENTRY();
    if (!arrays().count(dst)) return fail(cudaErrorInvalidValue);
    const size_t row_bytes = dst->width * element_bytes(dst->format);
    const size_t width = std::min(n, row_bytes), rows = (n + row_bytes - 1) / row_bytes;
    char *to = part_of(dst, byte, row, width, rows);
    if (!to || (n > row_bytes && (byte || n % row_bytes))) return fail(cudaErrorInvalidValue);
    return copy_rows("cudaMemcpyToArray", to, dst->pitch, src, width, width, rows, kind, PC);
}
