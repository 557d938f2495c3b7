// cublas_vectors.cpp: cuBLAS's functions of vectors.
#include "cublas.h"

#include <cmath>

namespace simt {

// y = f(x, y), each as BLAS walks it.
template <class T, class F>
static cublasStatus_t combine(const Call &call, int n, const void *x, int incx, void *y, int incy, F f) {
    const View xv = vector_view("x", x, type_of<T>, n, incx), yv = vector_view("y", y, type_of<T>, n, incy);
    if (!reachable(call, xv) || !reachable(call, yv)) return CUBLAS_STATUS_EXECUTION_FAILED;
    memory_open();
    const std::vector<T> from = load<T>(call, xv);
    std::vector<T> to = load<T>(call, yv);
    for (size_t i = 0; i < to.size(); i++) to[i] = f(from[i], to[i]);
    store(call, yv, to);
    memory_close();
    return CUBLAS_STATUS_SUCCESS;
}

template <class T> static cublasStatus_t swap(const Call &call, int n, void *x, int incx, void *y, int incy) {
    if (n <= 0) return CUBLAS_STATUS_SUCCESS;
    const View xv = vector_view("x", x, type_of<T>, n, incx), yv = vector_view("y", y, type_of<T>, n, incy);
    if (!reachable(call, xv) || !reachable(call, yv)) return CUBLAS_STATUS_EXECUTION_FAILED;
    memory_open();
    const std::vector<T> from_x = load<T>(call, xv), from_y = load<T>(call, yv);
    store(call, xv, from_y);
    store(call, yv, from_x);
    memory_close();
    return CUBLAS_STATUS_SUCCESS;
}

// A number made of one vector, or of two of equal length (y may be x).
template <class T, class R, class F>
static cublasStatus_t reduce(const Call &call, int n, const void *x, int incx, const void *y, int incy, R *result,
                             F f) {
    R value = 0;
    if (n > 0) {
        const View xv = vector_view("x", x, type_of<T>, n, incx), yv = vector_view("y", y, type_of<T>, n, incy);
        if (!reachable(call, xv) || !reachable(call, yv)) return CUBLAS_STATUS_EXECUTION_FAILED;
        memory_open();
        value = f(load<T>(call, xv), load<T>(call, yv));
        memory_close();
    }
    return write_result(call, &value, sizeof value, result);
}

template <class T> static T sum_of_products(const std::vector<T> &x, const std::vector<T> &y) {
    double sum = 0;
    for (size_t i = 0; i < x.size(); i++) sum += (double)x[i] * y[i];
    return (T)sum;
}

template <class T> static T norm(const std::vector<T> &x, const std::vector<T> &) {
    double most = 0, sum = 0;  // divided by the largest: a square neither overflows nor vanishes
    for (T v : x) most = std::fmax(most, std::fabs((double)v));
    if (most == 0 || std::isinf(most)) return (T)most;
    for (T v : x) sum += (v / most) * (v / most);
    return (T)(most * std::sqrt(sum));
}

template <class T> static T sum_of_magnitudes(const std::vector<T> &x, const std::vector<T> &) {
    double sum = 0;
    for (T v : x) sum += std::fabs((double)v);
    return (T)sum;
}

template <class T> static int largest(const std::vector<T> &x, const std::vector<T> &) {
    size_t best = 0;
    for (size_t i = 1; i < x.size(); i++)
        if (std::fabs(x[i]) > std::fabs(x[best])) best = i;
    return (int)best + 1;
}

template <class T> static int smallest(const std::vector<T> &x, const std::vector<T> &) {
    size_t best = 0;
    for (size_t i = 1; i < x.size(); i++)
        if (std::fabs(x[i]) < std::fabs(x[best])) best = i;
    return (int)best + 1;
}

template <class T>
static cublasStatus_t axpy(const Call &call, int n, const T *alpha, const T *x, int incx, T *y, int incy) {
    T a;
    const cublasStatus_t status = read_scalar(call, "alpha", alpha, a);
    if (status || n <= 0 || a == 0) return status;
    return combine<T>(call, n, x, incx, y, incy, [a](T from, T to) { return a * from + to; });
}

template <class T> static cublasStatus_t scal(const Call &call, int n, const T *alpha, T *x, int incx) {
    T a;
    const cublasStatus_t status = read_scalar(call, "alpha", alpha, a);
    if (status || n <= 0 || incx <= 0) return status;
    return combine<T>(call, n, x, incx, x, incx, [a](T, T to) { return a * to; });
}

}  // namespace simt

using namespace simt;

// Of one vector: without elements, or with a step that is not positive, the answer is 0.
#define OF_ONE(name, T, R, f)                                                                                          \
    cublasStatus_t name(cublasHandle_t handle, int n, const T *x, int incx, R *result) {                               \
        CUBLAS_ENTRY(handle);                                                                                          \
        return reduce<T>(call, incx > 0 ? n : 0, x, incx, x, incx, result, f<T>);                                      \
    }
#define VECTORS(S, T)                                                                                                  \
    cublasStatus_t cublas##S##axpy(cublasHandle_t handle, int n, const T *alpha, const T *x, int incx, T *y,           \
                                   int incy) {                                                                         \
        CUBLAS_ENTRY(handle);                                                                                          \
        return axpy(call, n, alpha, x, incx, y, incy);                                                                 \
    }                                                                                                                  \
    cublasStatus_t cublas##S##copy(cublasHandle_t handle, int n, const T *x, int incx, T *y, int incy) {               \
        CUBLAS_ENTRY(handle);                                                                                          \
        if (n <= 0) return CUBLAS_STATUS_SUCCESS;                                                                      \
        return combine<T>(call, n, x, incx, y, incy, [](T from, T) { return from; });                                  \
    }                                                                                                                  \
    cublasStatus_t cublas##S##swap(cublasHandle_t handle, int n, T *x, int incx, T *y, int incy) {                     \
        CUBLAS_ENTRY(handle);                                                                                          \
        return swap<T>(call, n, x, incx, y, incy);                                                                     \
    }                                                                                                                  \
    cublasStatus_t cublas##S##scal(cublasHandle_t handle, int n, const T *alpha, T *x, int incx) {                     \
        CUBLAS_ENTRY(handle);                                                                                          \
        return scal(call, n, alpha, x, incx);                                                                          \
    }                                                                                                                  \
    cublasStatus_t cublas##S##dot(cublasHandle_t handle, int n, const T *x, int incx, const T *y, int incy,            \
                                  T *result) {                                                                         \
        CUBLAS_ENTRY(handle);                                                                                          \
        return reduce<T>(call, n, x, incx, y, incy, result, sum_of_products<T>);                                       \
    }                                                                                                                  \
    OF_ONE(cublas##S##nrm2, T, T, norm)                                                                                \
    OF_ONE(cublas##S##asum, T, T, sum_of_magnitudes)
VECTORS(S, float)
VECTORS(D, double)
OF_ONE(cublasIsamax, float, int, largest)
OF_ONE(cublasIdamax, double, int, largest)
OF_ONE(cublasIsamin, float, int, smallest)
OF_ONE(cublasIdamin, double, int, smallest)
