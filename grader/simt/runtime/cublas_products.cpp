// cublas_products.cpp: the products and sums of cuBLAS. OpenBLAS multiplies where it is installed, otherwise a loop.
#include "cublas.h"

#include <algorithm>
#include <cmath>
#include <dlfcn.h>

namespace simt {

// cblas.h is not asked for: the library is looked for when a product is.
template <class T>
using Gemm = void (*)(int order, int ta, int tb, int m, int n, int k, T alpha, const T *a, int lda, const T *b, int ldb,
                      T beta, T *c, int ldc);
template <class T> static Gemm<T> find_gemm() {
    void *library = dlopen("libopenblas.so.0", RTLD_NOW | RTLD_LOCAL);
    return library ? (Gemm<T>)dlsym(library, sizeof(T) == 8 ? "cblas_dgemm" : "cblas_sgemm") : nullptr;
}

// c (m x n) = alpha a b + beta c, each by columns without gaps.
template <class T>
static void product(int m, int n, int k, T alpha, const T *a, const T *b, T beta, std::vector<T> &c) {
    static const Gemm<T> gemm = find_gemm<T>();
    enum { by_columns = 102, as_it_is = 111 };
    if (gemm) return gemm(by_columns, as_it_is, as_it_is, m, n, k, alpha, a, m, b, std::max(k, 1), beta, c.data(), m);
    for (T &x : c) x = beta == 0 ? 0 : beta * x;
    for (long j = 0; j < n; j++)
        for (long p = 0; p < k; p++) {
            const T factor = alpha * b[j * k + p];
            for (long i = 0; i < m; i++) c[(size_t)(j * m + i)] += a[p * m + i] * factor;
        }
}

template <class T>
cublasStatus_t multiply(const Call &call, const View &a, const View &b, const View &c, T alpha, T beta) {
    const int m = (int)c.rows, n = (int)c.cols, k = alpha == 0 ? 0 : (int)a.cols;  // BLAS: a factor of 0 reads nothing
    if (m == 0 || n == 0) return CUBLAS_STATUS_SUCCESS;
    if ((k && (!reachable(call, a) || !reachable(call, b))) || !reachable(call, c))
        return CUBLAS_STATUS_EXECUTION_FAILED;
    memory_open();
    std::vector<T> left, right, sum((size_t)m * (size_t)n);
    if (k) left = load<T>(call, a), right = load<T>(call, b);
    if (beta != 0) sum = load<T>(call, c);
    product(m, n, k, alpha, left.data(), right.data(), beta, sum);
    store(call, c, sum);
    memory_close();
    return CUBLAS_STATUS_SUCCESS;
}

// Rows and columns are those of op(A). The trap: who thinks in rows gives the length of a row, and the wrong matrix first.
cublasStatus_t matrix_view(const Call &call, const char *name, const void *p, cudaDataType type, cublasOperation_t op,
                           long rows, long cols, int ld, View &out) {
    if ((unsigned)op > CUBLAS_OP_C) return invalid(call, "the operation on %s is %d", name, (int)op);
    const bool transposed = op != CUBLAS_OP_N;
    const long stored = transposed ? cols : rows;
    if (ld < std::max(stored, 1l))
        return invalid(
            call,
            "the leading dimension of %s is %d, less than its %ld rows (%s as stored is %ld x %ld%s): cuBLAS stores "
            "matrices by columns. For row-major C = A B call gemm with B first: gemm(handle, CUBLAS_OP_N, CUBLAS_OP_N, "
            "n, m, k, &alpha, B, n, A, k, &beta, C, n)",
            name, ld, stored, name, stored, transposed ? rows : cols, transposed ? ", op T" : "");
    out = {name, (const char *)p, type, rows, cols, transposed ? ld : 1, transposed ? 1 : ld};
    return CUBLAS_STATUS_SUCCESS;
}

namespace {
struct Operand {
    const void *p;
    cudaDataType type;
    int ld;
    long long stride;
};
struct Shape {
    cublasOperation_t a, b;
    int m, n, k;
    int count;
    bool lists;  // the operands are device arrays of pointers
};
}  // namespace

// The i-th matrix of a batch.
static cublasStatus_t element_of_batch(const Call &call, const Shape &s, const char *name, const Operand &o, int i,
                                       View &v) {
    v.p = (const char *)o.p + i * o.stride * (long long)bytes_of(o.type);
    if (!s.lists) return CUBLAS_STATUS_SUCCESS;
    const std::string list = std::string(name) + ", the array of pointers,";
    const View pointer{list.c_str(), (const char *)o.p + i * sizeof(void *), CUDA_R_64F, 1, 1, 1, 1};
    if (!reachable(call, pointer)) return CUBLAS_STATUS_EXECUTION_FAILED;
    memory_open();
    tell_library(call, pointer, false);
    v.p = *(const char *const *)pointer.p;
    memory_close();
    return CUBLAS_STATUS_SUCCESS;
}

template <class T>
static cublasStatus_t gemm(const Call &call, const Shape &s, const void *alpha, Operand a, Operand b, const void *beta,
                           Operand c) {
    T factor, keep;
    View av, bv, cv;
    if (s.m < 0 || s.n < 0 || s.k < 0 || s.count < 0)
        return invalid(call, "m = %d, n = %d, k = %d, batch count = %d: none may be negative", s.m, s.n, s.k, s.count);
    cublasStatus_t e = CUBLAS_STATUS_SUCCESS;
    if ((e = matrix_view(call, "A", a.p, a.type, s.a, s.m, s.k, a.ld, av)) ||
        (e = matrix_view(call, "B", b.p, b.type, s.b, s.k, s.n, b.ld, bv)) ||
        (e = matrix_view(call, "C", c.p, c.type, CUBLAS_OP_N, s.m, s.n, c.ld, cv)) ||
        (e = read_scalar(call, "alpha", alpha, factor)) || (e = read_scalar(call, "beta", beta, keep)))
        return e;
    for (int i = 0; i < s.count && !e; i++)
        (e = element_of_batch(call, s, "A", a, i, av)) || (e = element_of_batch(call, s, "B", b, i, bv)) ||
            (e = element_of_batch(call, s, "C", c, i, cv)) || (e = multiply<T>(call, av, bv, cv, factor, keep));
    return e;
}

// Which of the types may meet: A and B alike, sums in fp32 or fp64.
static cublasStatus_t gemm_ex(const Call &call, const Shape &s, const void *alpha, Operand a, Operand b,
                              const void *beta, Operand c, cublasComputeType_t compute) {
    const bool doubles = compute == CUBLAS_COMPUTE_64F || compute == CUBLAS_COMPUTE_64F_PEDANTIC;
    const bool floats = compute == CUBLAS_COMPUTE_32F || compute == CUBLAS_COMPUTE_32F_PEDANTIC ||
                        compute >= CUBLAS_COMPUTE_32F_FAST_16F;
    auto fits = [&](cudaDataType t) { return bytes_of(t) != 0 && (t == CUDA_R_64F) == doubles; };
    if ((doubles || floats) && a.type == b.type && fits(a.type) && fits(c.type) &&
        (c.type == a.type || c.type == CUDA_R_32F))
        return doubles ? gemm<double>(call, s, alpha, a, b, beta, c) : gemm<float>(call, s, alpha, a, b, beta, c);
    complain("%s: types %d x %d -> %d with compute type %d are not here: A and B of one type (fp32, fp16, bf16 with "
             "CUBLAS_COMPUTE_32F, fp64 with CUBLAS_COMPUTE_64F), C of that type or fp32",
             call.function.c_str(), a.type, b.type, c.type, compute);
    return CUBLAS_STATUS_NOT_SUPPORTED;
}

template <class T>
static cublasStatus_t geam(const Call &call, cublasOperation_t opa, cublasOperation_t opb, int m, int n,
                           const void *alpha, const void *a, int lda, const void *beta, const void *b, int ldb, void *c,
                           int ldc) {
    View av, bv, cv;
    T x, y;
    cublasStatus_t e = CUBLAS_STATUS_SUCCESS;
    if (m < 0 || n < 0) return invalid(call, "m = %d, n = %d: neither may be negative", m, n);
    if ((e = read_scalar(call, "alpha", alpha, x)) || (e = read_scalar(call, "beta", beta, y)) ||
        (e = matrix_view(call, "A", a, type_of<T>, opa, m, n, lda, av)) ||
        (e = matrix_view(call, "B", b, type_of<T>, opb, m, n, ldb, bv)) ||
        (e = matrix_view(call, "C", c, type_of<T>, CUBLAS_OP_N, m, n, ldc, cv)))
        return e;
    if (m == 0 || n == 0) return e;
    if ((x != 0 && !reachable(call, av)) || (y != 0 && !reachable(call, bv)) || !reachable(call, cv))
        return CUBLAS_STATUS_EXECUTION_FAILED;
    memory_open();
    std::vector<T> left((size_t)m * (size_t)n), right = left;
    if (x != 0) left = load<T>(call, av);
    if (y != 0) right = load<T>(call, bv);
    for (size_t i = 0; i < left.size(); i++) left[i] = x * left[i] + y * right[i];
    store(call, cv, left);
    memory_close();
    return e;
}

template <class T>
static cublasStatus_t gemv(const Call &call, cublasOperation_t op, int m, int n, const void *alpha, const void *a,
                           int lda, const void *x, int incx, const void *beta, void *y, int incy) {
    View av;
    T factor, keep;
    const bool transposed = op != CUBLAS_OP_N;
    const int rows = transposed ? n : m, cols = transposed ? m : n;
    cublasStatus_t e = CUBLAS_STATUS_SUCCESS;
    if (m < 0 || n < 0 || incx == 0 || incy == 0)
        return invalid(call, "m = %d, n = %d, incx = %d, incy = %d: no size may be negative, no step 0", m, n, incx,
                       incy);
    if ((e = read_scalar(call, "alpha", alpha, factor)) || (e = read_scalar(call, "beta", beta, keep)) ||
        (e = matrix_view(call, "A", a, type_of<T>, op, rows, cols, lda, av)))
        return e;
    if (m == 0 || n == 0) return e;
    return multiply<T>(call, av, vector_view("x", x, type_of<T>, cols, incx),
                       vector_view("y", y, type_of<T>, rows, incy), factor, keep);
}

template <class T>
static cublasStatus_t ger(const Call &call, int m, int n, const void *alpha, const void *x, int incx, const void *y,
                          int incy, void *a, int lda) {
    View av;
    T factor;
    cublasStatus_t e = CUBLAS_STATUS_SUCCESS;
    if (m < 0 || n < 0 || incx == 0 || incy == 0)
        return invalid(call, "m = %d, n = %d, incx = %d, incy = %d: no size may be negative, no step 0", m, n, incx,
                       incy);
    if ((e = read_scalar(call, "alpha", alpha, factor)) ||
        (e = matrix_view(call, "A", a, type_of<T>, CUBLAS_OP_N, m, n, lda, av)))
        return e;
    if (m == 0 || n == 0 || factor == 0) return e;
    View row = vector_view("y", y, type_of<T>, n, incy);
    std::swap(row.rows, row.cols), std::swap(row.down, row.right);
    return multiply<T>(call, vector_view("x", x, type_of<T>, m, incx), row, av, factor, (T)1);
}

}  // namespace simt

using namespace simt;

#define SHAPE cublasHandle_t handle, cublasOperation_t transa, cublasOperation_t transb, int m, int n, int k

cublasStatus_t cublasGemmEx(SHAPE, const void *alpha, const void *A, cudaDataType atype, int lda, const void *B,
                            cudaDataType btype, int ldb, const void *beta, void *C, cudaDataType ctype, int ldc,
                            cublasComputeType_t compute, cublasGemmAlgo_t) {
    CUBLAS_ENTRY(handle);
    return gemm_ex(call, {transa, transb, m, n, k, 1, false}, alpha, {A, atype, lda, 0}, {B, btype, ldb, 0}, beta,
                   {C, ctype, ldc, 0}, compute);
}

cublasStatus_t cublasGemmStridedBatchedEx(SHAPE, const void *alpha, const void *A, cudaDataType atype, int lda,
                                          long long stridea, const void *B, cudaDataType btype, int ldb,
                                          long long strideb, const void *beta, void *C, cudaDataType ctype, int ldc,
                                          long long stridec, int count, cublasComputeType_t compute, cublasGemmAlgo_t) {
    CUBLAS_ENTRY(handle);
    return gemm_ex(call, {transa, transb, m, n, k, count, false}, alpha, {A, atype, lda, stridea},
                   {B, btype, ldb, strideb}, beta, {C, ctype, ldc, stridec}, compute);
}

#define PRODUCTS(S, T)                                                                                                 \
    cublasStatus_t cublas##S##gemm(SHAPE, const T *alpha, const T *A, int lda, const T *B, int ldb, const T *beta,     \
                                   T *C, int ldc) {                                                                    \
        CUBLAS_ENTRY(handle);                                                                                          \
        return gemm<T>(call, {transa, transb, m, n, k, 1, false}, alpha, {A, type_of<T>, lda, 0},                      \
                       {B, type_of<T>, ldb, 0}, beta, {C, type_of<T>, ldc, 0});                                        \
    }                                                                                                                  \
    cublasStatus_t cublas##S##gemmBatched(SHAPE, const T *alpha, const T *const A[], int lda, const T *const B[],      \
                                          int ldb, const T *beta, T *const C[], int ldc, int count) {                  \
        CUBLAS_ENTRY(handle);                                                                                          \
        return gemm<T>(call, {transa, transb, m, n, k, count, true}, alpha, {A, type_of<T>, lda, 0},                   \
                       {B, type_of<T>, ldb, 0}, beta, {C, type_of<T>, ldc, 0});                                        \
    }                                                                                                                  \
    cublasStatus_t cublas##S##gemmStridedBatched(SHAPE, const T *alpha, const T *A, int lda, long long stridea,        \
                                                 const T *B, int ldb, long long strideb, const T *beta, T *C, int ldc, \
                                                 long long stridec, int count) {                                       \
        CUBLAS_ENTRY(handle);                                                                                          \
        return gemm<T>(call, {transa, transb, m, n, k, count, false}, alpha, {A, type_of<T>, lda, stridea},            \
                       {B, type_of<T>, ldb, strideb}, beta, {C, type_of<T>, ldc, stridec});                            \
    }                                                                                                                  \
    cublasStatus_t cublas##S##geam(cublasHandle_t handle, cublasOperation_t transa, cublasOperation_t transb, int m,   \
                                   int n, const T *alpha, const T *A, int lda, const T *beta, const T *B, int ldb,     \
                                   T *C, int ldc) {                                                                    \
        CUBLAS_ENTRY(handle);                                                                                          \
        return geam<T>(call, transa, transb, m, n, alpha, A, lda, beta, B, ldb, C, ldc);                               \
    }                                                                                                                  \
    cublasStatus_t cublas##S##ger(cublasHandle_t handle, int m, int n, const T *alpha, const T *x, int incx,           \
                                  const T *y, int incy, T *A, int lda) {                                               \
        CUBLAS_ENTRY(handle);                                                                                          \
        return ger<T>(call, m, n, alpha, x, incx, y, incy, A, lda);                                                    \
    }                                                                                                                  \
    cublasStatus_t cublas##S##gemv(cublasHandle_t handle, cublasOperation_t trans, int m, int n, const T *alpha,       \
                                   const T *A, int lda, const T *x, int incx, const T *beta, T *y, int incy) {         \
        CUBLAS_ENTRY(handle);                                                                                          \
        return gemv<T>(call, trans, m, n, alpha, A, lda, x, incx, beta, y, incy);                                      \
    }
PRODUCTS(S, float)
PRODUCTS(D, double)
