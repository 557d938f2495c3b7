// cublas_memory.cpp: device memory as cuBLAS sees it: checked, told to the checker, loaded and stored.
//
// A product is computed on the host: op(A) and op(B) are loaded by columns, multiplied (cublas_products.cpp), and stored. For
// the checker a call is like a kernel: what it reads must have been written, and the host waits before it reads the result.
#include "cublas.h"

#include <algorithm>
#include <cstring>

#include "../include/simt/half_bits.h"

namespace simt {

size_t bytes_of(cudaDataType type) {
    return type == CUDA_R_64F ? 8 : type == CUDA_R_32F ? 4 : type == CUDA_R_16F || type == CUDA_R_16BF ? 2 : 0;
}

// A GPU would fault in the library's kernel, and say "illegal memory access" at the next cudaDeviceSynchronize.
bool reachable(const Call &call, const View &v) {
    if (v.rows <= 0 || v.cols <= 0) return true;
    const long size = (long)bytes_of(v.type), down = (v.rows - 1) * v.down, right = (v.cols - 1) * v.right;
    const char *lo = v.p + (std::min(down, 0l) + std::min(right, 0l)) * size;
    const char *hi = v.p + (std::max(down, 0l) + std::max(right, 0l) + 1) * size;
    const Allocation *a = find_allocation(v.p);
    if (!a)
        complain("%s: %s is %s", call.function.c_str(), v.name,
                 was_freed(v.p)         ? "freed device memory"
                 : in_device_space(v.p) ? "in no device allocation"
                                        : "no device memory: cuBLAS reads and writes what cudaMalloc gave");
    else if (lo < a->base || hi > a->base + a->size)
        complain("%s: %s takes %zu bytes, of which its allocation of %zu bytes has only %zu", call.function.c_str(),
                 v.name, (size_t)(hi - lo), a->size,
                 (size_t)(std::min<const char *>(hi, a->base + a->size) - std::max<const char *>(lo, a->base)));
    else
        return true;
    set_sticky(cudaErrorIllegalAddress);
    return false;
}

// Run by run of what lies together.
void tell_library(const Call &call, const View &v, bool write) {
    if (!simt_hooks) return;
    const long size = (long)bytes_of(v.type);
    const bool columns = v.down == 1 || v.cols == 1;
    const long runs = columns ? v.cols : v.rows, next = columns ? v.right : v.down;
    const long n = columns ? v.rows : v.cols, step = columns ? v.down : v.right;
    for (long r = 0; r < runs; r++) {
        const char *p = v.p + r * next * size;
        if (step == 1)
            simt_hooks->library(p, (size_t)(n * size), (size_t)size, write, call.function.c_str(), call.pc);
        else
            for (long i = 0; i < n; i++)
                simt_hooks->library(p + i * step * size, (size_t)size, (size_t)size, write, call.function.c_str(),
                                    call.pc);
    }
}

// BLAS walks a vector with a negative increment from its end.
View vector_view(const char *name, const void *x, cudaDataType type, int n, int inc) {
    const char *p = (const char *)x;
    if (inc < 0) p += (long)(1 - n) * inc * (long)bytes_of(type);
    return {name, p, type, n, 1, inc, 0};
}

template <class T> static T get(const char *p, cudaDataType type) {
    uint16_t half;
    float f;
    double d;
    memcpy(&half, p, sizeof half);
    if (type == CUDA_R_16F) return half_to_float(half);
    if (type == CUDA_R_16BF) return bfloat16_to_float(half);
    if (type == CUDA_R_32F) return memcpy(&f, p, sizeof f), (T)f;
    return memcpy(&d, p, sizeof d), (T)d;
}

template <class T> static void put(char *p, cudaDataType type, T value) {
    const float f = (float)value;
    const double d = value;
    const uint16_t half = type == CUDA_R_16F ? float_to_half(f) : float_to_bfloat16(f);
    const void *from = type == CUDA_R_64F ? (const void *)&d : type == CUDA_R_32F ? (const void *)&f : &half;
    memcpy(p, from, bytes_of(type));
}

template <class T> std::vector<T> load(const Call &call, const View &v) {
    std::vector<T> values((size_t)(v.rows * v.cols));
    const long size = (long)bytes_of(v.type);
    tell_library(call, v, false);
    for (long j = 0; j < v.cols; j++)
        for (long i = 0; i < v.rows; i++)
            values[(size_t)(j * v.rows + i)] = get<T>(v.p + (i * v.down + j * v.right) * size, v.type);
    return values;
}

template <class T> void store(const Call &call, const View &v, const std::vector<T> &values) {
    const long size = (long)bytes_of(v.type);
    for (long j = 0; j < v.cols; j++)
        for (long i = 0; i < v.rows; i++)
            put((char *)v.p + (i * v.down + j * v.right) * size, v.type, values[(size_t)(j * v.rows + i)]);
    tell_library(call, v, true);
}

// Does p lie where the handle's pointer mode says?
static cublasStatus_t check_mode(const Call &call, const char *name, const void *p) {
    if (!p) return invalid(call, "%s is a null pointer", name);
    const Allocation *a = find_allocation(p);
    const bool shared = a && (a->kind == MemoryKind::managed || a->kind == MemoryKind::pinned);
    const bool device = call.handle->pointers == CUBLAS_POINTER_MODE_DEVICE;
    if (shared || device == (in_device_space(p) || a)) return CUBLAS_STATUS_SUCCESS;
    return invalid(call, "%s is a %s pointer, but the handle expects a %s pointer: cublasSetPointerMode changes that",
                   name, device ? "host" : "device", device ? "device" : "host");
}

template <class T> cublasStatus_t read_scalar(const Call &call, const char *name, const void *p, T &out) {
    const cublasStatus_t status = check_mode(call, name, p);
    if (status) return status;
    const View v{name, (const char *)p, type_of<T>, 1, 1, 1, 1};
    const bool device = call.handle->pointers == CUBLAS_POINTER_MODE_DEVICE;
    if (device && !reachable(call, v)) return CUBLAS_STATUS_EXECUTION_FAILED;
    memory_open();
    if (device)
        out = load<T>(call, v)[0];
    else
        memcpy(&out, p, sizeof out);
    memory_close();
    return CUBLAS_STATUS_SUCCESS;
}

cublasStatus_t write_result(const Call &call, const void *value, size_t size, void *result) {
    const cublasStatus_t status = check_mode(call, "result", result);
    if (status) return status;
    const View v{"result", (const char *)result, size == 8 ? CUDA_R_64F : CUDA_R_32F, 1, 1, 1, 1};
    const bool device = call.handle->pointers == CUBLAS_POINTER_MODE_DEVICE;
    if (device && !reachable(call, v)) return CUBLAS_STATUS_EXECUTION_FAILED;
    memory_open();
    memcpy(result, value, size);
    if (device) tell_library(call, v, true);
    memory_close();
    if (!device) tell_synchronised();  // the call waits for its answer
    return CUBLAS_STATUS_SUCCESS;
}

template std::vector<float> load(const Call &, const View &);
template std::vector<double> load(const Call &, const View &);
template void store(const Call &, const View &, const std::vector<float> &);
template void store(const Call &, const View &, const std::vector<double> &);
template cublasStatus_t read_scalar(const Call &, const char *, const void *, float &);
template cublasStatus_t read_scalar(const Call &, const char *, const void *, double &);

}  // namespace simt
