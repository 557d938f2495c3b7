// api_copy.cpp: cudaMemcpy, cudaMemset and their kin: directions and sizes are checked, then it is a memmove.
#include "capture.h"

#include <cstring>

using namespace simt;

static bool on_device(const void *p) {
    const Allocation *a = find_allocation(p);
    return a && (a->kind == MemoryKind::device || a->kind == MemoryKind::variable);
}

// One end of a copy: n bytes at p, which `kind` says are on the device or not.
static bool end_is_good(const char *function, const char *end, const void *p, size_t n, bool on_device, bool any) {
    const Allocation *a = find_allocation(p);
    bool both = a && (a->kind == MemoryKind::pinned || a->kind == MemoryKind::managed);
    bool device = in_device_space(p) || (a && a->kind == MemoryKind::variable);
    if (!p) {
        complain("%s: the %s is a null pointer", function, end);
    } else if (!any && !both && device != on_device) {
        complain("%s: the %s %p is a %s pointer, the direction says %s", function, end, p, device ? "device" : "host",
                 on_device ? "device" : "host");
    } else if (device && !a) {
        complain("%s: the %s %p is %s", function, end, p,
                 was_freed(p) ? "freed device memory" : "in no device allocation");
    } else if (a && (const char *)p + n > a->base + a->size) {
        complain("%s: %zu bytes at the %s run over its allocation of %zu bytes by %zu", function, n, end, a->size,
                 (size_t)((const char *)p + n - a->base) - a->size);
    } else {
        return true;
    }
    return false;
}

static void tell_checker(const void *p, size_t n, bool write, const void *pc) {
    const Allocation *a = simt_hooks ? find_allocation(p) : nullptr;
    if (a && a->kind != MemoryKind::pinned) simt_hooks->host_access(p, n, write, pc);
}

static cudaError_t copy(const char *function, void *dst, size_t dst_pitch, const void *src, size_t src_pitch,
                        size_t width, size_t height, cudaMemcpyKind kind, const void *pc) {
    if ((unsigned)kind > cudaMemcpyDefault) return fail(cudaErrorInvalidMemcpyDirection);
    if (width == 0 || height == 0) return cudaSuccess;
    if (height > 1 && (dst_pitch < width || src_pitch < width)) return fail(cudaErrorInvalidPitchValue);
    bool to_device = kind == cudaMemcpyHostToDevice || kind == cudaMemcpyDeviceToDevice;
    bool from_device = kind == cudaMemcpyDeviceToHost || kind == cudaMemcpyDeviceToDevice;
    bool any = kind == cudaMemcpyDefault;
    if (!end_is_good(function, "destination", dst, dst_pitch * (height - 1) + width, to_device, any) ||
        !end_is_good(function, "source", src, src_pitch * (height - 1) + width, from_device, any))
        return fail(cudaErrorInvalidValue);
    if (!on_device(dst)) {
        guest_writes(dst, dst_pitch * (height - 1) + width, pc, function);
        if (on_device(src)) guest_copies(width * height, function, pc);
    }
    const MemoryEnds open(dst, dst_pitch * (height - 1) + width, src, src_pitch * (height - 1) + width);
    for (size_t row = 0; row < height; row++) {
        void *to = (char *)dst + row * dst_pitch;
        const void *from = (const char *)src + row * src_pitch;
        tell_checker(from, width, false, pc);
        memmove(to, from, width);
        tell_checker(to, width, true, pc);
    }
    return cudaSuccess;
}

cudaError_t simt::copy_rows(const char *function, void *dst, size_t dst_pitch, const void *src, size_t src_pitch,
                            size_t width, size_t height, cudaMemcpyKind kind, const void *pc) {
    return copy(function, dst, dst_pitch, src, src_pitch, width, height, kind, pc);
}

static cudaError_t fill(const char *function, void *p, size_t pitch, int value, size_t width, size_t height,
                        const void *pc) {
    if (width == 0 || height == 0) return cudaSuccess;
    if (!end_is_good(function, "destination", p, pitch * (height - 1) + width, true, false))
        return fail(cudaErrorInvalidValue);
    const MemoryEnds open(p, pitch * (height - 1) + width, nullptr, 0);
    for (size_t row = 0; row < height; row++) {
        memset((char *)p + row * pitch, value, width);
        tell_checker((char *)p + row * pitch, width, true, pc);
    }
    return cudaSuccess;
}

#define PC __builtin_return_address(0)

// The same in a stream, which may capture it for a graph.
static cudaError_t copy_in(cudaStream_t stream, const char *function, void *dst, size_t dst_pitch, const void *src,
                           size_t src_pitch, size_t width, size_t height, cudaMemcpyKind kind, const void *pc) {
    if (cudaError_t error = check_stream(stream)) return error;
    auto work = [=] { copy(function, dst, dst_pitch, src, src_pitch, width, height, kind, pc); };
    if (captured(stream, work)) return cudaSuccess;
    if (cudaError_t error = refused_while_capturing(stream)) return error;
    return copy(function, dst, dst_pitch, src, src_pitch, width, height, kind, pc);
}

static cudaError_t fill_in(cudaStream_t stream, const char *function, void *p, size_t pitch, int value, size_t width,
                           size_t height, const void *pc) {
    if (cudaError_t error = check_stream(stream)) return error;
    if (captured(stream, [=] { fill(function, p, pitch, value, width, height, pc); })) return cudaSuccess;
    if (cudaError_t error = refused_while_capturing(stream)) return error;
    return fill(function, p, pitch, value, width, height, pc);
}

cudaError_t cudaMemcpy(void *dst, const void *src, size_t n, cudaMemcpyKind kind) {
    SIMT_API_ENTRY();
    return copy_in(nullptr, "cudaMemcpy", dst, n, src, n, n, 1, kind, PC);
}

cudaError_t cudaMemcpyAsync(void *dst, const void *src, size_t n, cudaMemcpyKind kind, cudaStream_t stream) {
    SIMT_API_ENTRY();
    return copy_in(stream, "cudaMemcpyAsync", dst, n, src, n, n, 1, kind, PC);
}

cudaError_t cudaMemcpyPeer(void *dst, int dst_device, const void *src, int src_device, size_t n) {
    SIMT_API_ENTRY();
    if (dst_device != 0 || src_device != 0) return fail(cudaErrorInvalidDevice);
    return copy_in(nullptr, "cudaMemcpyPeer", dst, n, src, n, n, 1, cudaMemcpyDeviceToDevice, PC);
}

cudaError_t cudaMemcpyPeerAsync(void *dst, int dst_device, const void *src, int src_device, size_t n,
                                cudaStream_t stream) {
    SIMT_API_ENTRY();
    if (dst_device != 0 || src_device != 0) return fail(cudaErrorInvalidDevice);
    return copy_in(stream, "cudaMemcpyPeerAsync", dst, n, src, n, n, 1, cudaMemcpyDeviceToDevice, PC);
}

cudaError_t cudaMemcpy2D(void *dst, size_t dst_pitch, const void *src, size_t src_pitch, size_t width, size_t height,
                         cudaMemcpyKind kind) {
    SIMT_API_ENTRY();
    return copy_in(nullptr, "cudaMemcpy2D", dst, dst_pitch, src, src_pitch, width, height, kind, PC);
}

cudaError_t cudaMemcpy2DAsync(void *dst, size_t dst_pitch, const void *src, size_t src_pitch, size_t width,
                              size_t height, cudaMemcpyKind kind, cudaStream_t stream) {
    SIMT_API_ENTRY();
    return copy_in(stream, "cudaMemcpy2DAsync", dst, dst_pitch, src, src_pitch, width, height, kind, PC);
}

cudaError_t cudaMemset(void *p, int value, size_t n) {
    SIMT_API_ENTRY();
    return fill_in(nullptr, "cudaMemset", p, n, value, n, 1, PC);
}

cudaError_t cudaMemsetAsync(void *p, int value, size_t n, cudaStream_t stream) {
    SIMT_API_ENTRY();
    return fill_in(stream, "cudaMemsetAsync", p, n, value, n, 1, PC);
}

cudaError_t cudaMemset2D(void *p, size_t pitch, int value, size_t width, size_t height) {
    SIMT_API_ENTRY();
    return pitch < width ? fail(cudaErrorInvalidValue)
                         : fill_in(nullptr, "cudaMemset2D", p, pitch, value, width, height, PC);
}

cudaError_t cudaMemset2DAsync(void *p, size_t pitch, int value, size_t width, size_t height, cudaStream_t stream) {
    SIMT_API_ENTRY();
    return pitch < width ? fail(cudaErrorInvalidValue)
                         : fill_in(stream, "cudaMemset2DAsync", p, pitch, value, width, height, PC);
}

// The variable at `symbol`, or null with a message.
static const Allocation *symbol_of(const char *function, const void *symbol) {
    const Allocation *a = find_allocation(symbol);
    if (a && (a->kind == MemoryKind::variable || !a->name.empty())) return a;
    complain("%s: %p is no __device__ or __constant__ variable", function, symbol);
    return nullptr;
}

static cudaError_t copy_symbol(cudaStream_t stream, const char *function, bool to, const void *symbol, void *host,
                               size_t n, size_t offset, cudaMemcpyKind kind, const void *pc) {
    if (!symbol_of(function, symbol)) return fail(cudaErrorInvalidSymbol);
    bool wrong = to ? kind == cudaMemcpyDeviceToHost || kind == cudaMemcpyHostToHost
                    : kind == cudaMemcpyHostToDevice || kind == cudaMemcpyHostToHost;
    if (wrong) return fail(cudaErrorInvalidMemcpyDirection);
    char *p = (char *)symbol + offset;
    return to ? copy_in(stream, function, p, n, host, n, n, 1, kind, pc)
              : copy_in(stream, function, host, n, p, n, n, 1, kind, pc);
}

cudaError_t cudaMemcpyToSymbol(const void *symbol, const void *src, size_t n, size_t offset, cudaMemcpyKind kind) {
    SIMT_API_ENTRY();
    return copy_symbol(nullptr, "cudaMemcpyToSymbol", true, symbol, (void *)src, n, offset, kind, PC);
}

cudaError_t cudaMemcpyFromSymbol(void *dst, const void *symbol, size_t n, size_t offset, cudaMemcpyKind kind) {
    SIMT_API_ENTRY();
    return copy_symbol(nullptr, "cudaMemcpyFromSymbol", false, symbol, dst, n, offset, kind, PC);
}

cudaError_t cudaMemcpyToSymbolAsync(const void *symbol, const void *src, size_t n, size_t offset, cudaMemcpyKind kind,
                                    cudaStream_t stream) {
    SIMT_API_ENTRY();
    return copy_symbol(stream, "cudaMemcpyToSymbolAsync", true, symbol, (void *)src, n, offset, kind, PC);
}

cudaError_t cudaMemcpyFromSymbolAsync(void *dst, const void *symbol, size_t n, size_t offset, cudaMemcpyKind kind,
                                      cudaStream_t stream) {
    SIMT_API_ENTRY();
    return copy_symbol(stream, "cudaMemcpyFromSymbolAsync", false, symbol, dst, n, offset, kind, PC);
}

cudaError_t cudaGetSymbolAddress(void **p, const void *symbol) {
    SIMT_API_ENTRY();
    SIMT_OUT(p);
    if (!p) return fail(cudaErrorInvalidValue);
    if (!symbol_of("cudaGetSymbolAddress", symbol)) return fail(cudaErrorInvalidSymbol);
    *p = (void *)symbol;
    return cudaSuccess;
}

cudaError_t cudaGetSymbolSize(size_t *size, const void *symbol) {
    SIMT_API_ENTRY();
    SIMT_OUT(size);
    const Allocation *a = symbol_of("cudaGetSymbolSize", symbol);
    if (!size || !a) return fail(a ? cudaErrorInvalidValue : cudaErrorInvalidSymbol);
    *size = a->size;
    return cudaSuccess;
}
