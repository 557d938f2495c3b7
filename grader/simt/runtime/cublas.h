// cublas.h: what the files of cuBLAS share: a call, and a matrix in device memory, however it lies.
#ifndef SIMT_RUNTIME_CUBLAS_H
#define SIMT_RUNTIME_CUBLAS_H

#include <vector>

#include "../include/cublas_v2.h"
#include "api.h"

struct cublasContext {
    cudaStream_t stream;
    cublasPointerMode_t pointers;
    cublasMath_t math;
};

#pragma GCC visibility push(hidden)
namespace simt {

struct Call {
    std::string function;
    const void *pc;
    cublasHandle_t handle;
};

// Element (i, j) is the (i * down + j * right)-th. A vector has one column.
struct View {
    const char *name;
    const char *p;
    cudaDataType type;
    long rows, cols, down, right;
};

// Opens a function of cuBLAS: `call` describes it.
#define CUBLAS_ENTRY(handle)                                                                                           \
    if (in_kernel()) stop_kernel(719, __builtin_return_address(0), "%s called in a kernel: host code only", __func__); \
    std::lock_guard<std::recursive_mutex> api_guard(api_lock);                                                         \
    const Call call = cublas_call(__func__, __builtin_return_address(0), handle);                                      \
    if (cublasStatus_t refused = cublas_begin(call)) return refused

Call cublas_call(const char *function, const void *pc, cublasHandle_t handle);
cublasStatus_t cublas_begin(const Call &call);
cublasStatus_t invalid(const Call &call, const char *format, ...) __attribute__((format(printf, 2, 3)));

size_t bytes_of(cudaDataType type);               // 0: none that can be multiplied
bool reachable(const Call &call, const View &v);  // or a sentence, and the error that a GPU would give
void tell_library(const Call &call, const View &v, bool write);
View vector_view(const char *name, const void *x, cudaDataType type, int n, int inc);

// By columns, without gaps.
template <class T> std::vector<T> load(const Call &call, const View &v);
template <class T> void store(const Call &call, const View &v, const std::vector<T> &values);
template <class T> constexpr cudaDataType type_of = sizeof(T) == 8 ? CUDA_R_64F : CUDA_R_32F;

// A number that the caller gives, in host or device memory as the handle says.
template <class T> cublasStatus_t read_scalar(const Call &call, const char *name, const void *p, T &out);
cublasStatus_t write_result(const Call &call, const void *value, size_t size, void *result);

// c (m x n) = alpha a (m x k) b (k x n) + beta c
template <class T>
cublasStatus_t multiply(const Call &call, const View &a, const View &b, const View &c, T alpha, T beta);
// A matrix of rows x cols by columns; op(A) where it is transposed.
cublasStatus_t matrix_view(const Call &call, const char *name, const void *p, cudaDataType type, cublasOperation_t op,
                           long rows, long cols, int ld, View &out);

}  // namespace simt
#pragma GCC visibility pop
#endif
