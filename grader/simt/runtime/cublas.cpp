// cublas.cpp: handles of cuBLAS, what a call begins with, and copies between host and device.
#include "capture.h"
#include "cublas.h"

#include <cstdarg>
#include <set>

namespace simt {

static std::set<cublasHandle_t> &cublas_handles() {
    static auto *set = new std::set<cublasHandle_t>;
    return *set;
}

static void guest_leaves_work(const char *function, const void *pc) {
    if (is_guest(pc))
        end_guest(pc, "the host leaves its work to a library (%s): a CUDA stage does its work in kernels of its own",
                  function);
}

Call cublas_call(const char *function, const void *pc, cublasHandle_t handle) {
    Call call{function, pc, handle};
    const size_t end = call.function.rfind("_v2");
    if (end != std::string::npos) call.function.resize(end);
    return call;
}

cublasStatus_t cublas_begin(const Call &call) {
    guest_leaves_work(call.function.c_str(), call.pc);
    if (sticky_error()) return CUBLAS_STATUS_EXECUTION_FAILED;
    if (cublas_handles().count(call.handle)) {
        const bool works = call.function.compare(0, 9, "cublasSet") && call.function.compare(0, 9, "cublasGet");
        return works && refused_while_capturing(call.handle->stream) ? CUBLAS_STATUS_NOT_SUPPORTED
                                                                     : CUBLAS_STATUS_SUCCESS;
    }
    complain("%s: the handle is none: cublasCreate(&handle) makes one", call.function.c_str());
    return CUBLAS_STATUS_NOT_INITIALIZED;
}

cublasStatus_t invalid(const Call &call, const char *format, ...) {
    char text[512];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(text, sizeof text, format, arguments);
    va_end(arguments);
    complain("%s: %s", call.function.c_str(), text);
    return CUBLAS_STATUS_INVALID_VALUE;
}

}  // namespace simt

using namespace simt;

cublasStatus_t cublasCreate(cublasHandle_t *handle) {
    const void *pc = __builtin_return_address(0);
    std::lock_guard<std::recursive_mutex> api_guard(api_lock);
    guest_leaves_work("cublasCreate", pc);
    if (!handle) return CUBLAS_STATUS_INVALID_VALUE;
    *handle = new cublasContext{};
    cublas_handles().insert(*handle);
    return CUBLAS_STATUS_SUCCESS;
}

cublasStatus_t cublasDestroy(cublasHandle_t handle) {
    CUBLAS_ENTRY(handle);
    tell_synchronised();
    cublas_handles().erase(handle);
    delete handle;
    return CUBLAS_STATUS_SUCCESS;
}

cublasStatus_t cublasGetVersion(cublasHandle_t handle, int *version) {
    CUBLAS_ENTRY(handle);
    *version = 130000;
    return CUBLAS_STATUS_SUCCESS;
}

cublasStatus_t cublasSetStream(cublasHandle_t handle, cudaStream_t stream) {
    CUBLAS_ENTRY(handle);
    if (check_stream(stream)) return invalid(call, "%p is no stream", (void *)stream);
    handle->stream = stream;
    return CUBLAS_STATUS_SUCCESS;
}

cublasStatus_t cublasSetWorkspace_v2(cublasHandle_t handle, void *, size_t) {
    CUBLAS_ENTRY(handle);
    return CUBLAS_STATUS_SUCCESS;
}

#define ATTRIBUTE(name, type, field)                                                                                   \
    cublasStatus_t cublasGet##name(cublasHandle_t handle, type *out) {                                                 \
        CUBLAS_ENTRY(handle);                                                                                          \
        *out = handle->field;                                                                                          \
        return CUBLAS_STATUS_SUCCESS;                                                                                  \
    }
#define SETTABLE(name, type, field)                                                                                    \
    ATTRIBUTE(name, type, field)                                                                                       \
    cublasStatus_t cublasSet##name(cublasHandle_t handle, type value) {                                                \
        CUBLAS_ENTRY(handle);                                                                                          \
        handle->field = value;                                                                                         \
        return CUBLAS_STATUS_SUCCESS;                                                                                  \
    }
ATTRIBUTE(Stream, cudaStream_t, stream)
SETTABLE(PointerMode, cublasPointerMode_t, pointers)
SETTABLE(MathMode, cublasMath_t, math)

static const struct {
    cublasStatus_t status;
    const char *name, *text;
} statuses[] = {
#define STATUS(name, text)                                                                                             \
    { CUBLAS_STATUS_##name, "CUBLAS_STATUS_" #name, text }
    STATUS(SUCCESS, "success"),
    STATUS(NOT_INITIALIZED, "the library was not initialized"),
    STATUS(ALLOC_FAILED, "the resource allocation failed"),
    STATUS(INVALID_VALUE, "an unsupported value or parameter was passed to the function"),
    STATUS(ARCH_MISMATCH, "the function requires an architectural feature absent from the device"),
    STATUS(MAPPING_ERROR, "an access to GPU memory space failed"),
    STATUS(EXECUTION_FAILED, "the function failed to launch on the GPU"),
    STATUS(INTERNAL_ERROR, "an internal operation failed"),
    STATUS(NOT_SUPPORTED, "the requested functionality is not supported"),
    STATUS(LICENSE_ERROR, "the license check failed"),
};

const char *cublasGetStatusName(cublasStatus_t status) {
    for (auto &s : statuses)
        if (s.status == status) return s.name;
    return "unrecognized status";
}
const char *cublasGetStatusString(cublasStatus_t status) {
    for (auto &s : statuses)
        if (s.status == status) return s.text;
    return "unrecognized status";
}

static cublasStatus_t copy_status(cudaError_t error) {
    return error ? CUBLAS_STATUS_MAPPING_ERROR : CUBLAS_STATUS_SUCCESS;
}

// n elements a step apart are n rows of one element.
static cublasStatus_t copy_2d(void *to, int to_step, const void *from, int from_step, size_t width, int size, int rows,
                              cudaMemcpyKind way, cudaStream_t stream, bool later) {
    const size_t to_pitch = (size_t)to_step * (size_t)size, from_pitch = (size_t)from_step * (size_t)size;
    width *= (size_t)size;
    return copy_status(later ? cudaMemcpy2DAsync(to, to_pitch, from, from_pitch, width, (size_t)rows, way, stream)
                             : cudaMemcpy2D(to, to_pitch, from, from_pitch, width, (size_t)rows, way));
}

#define COPIES(Name, WAY)                                                                                              \
    cublasStatus_t cublas##Name##Vector(int n, int size, const void *x, int incx, void *y, int incy) {                 \
        return copy_2d(y, incy, x, incx, 1, size, n, WAY, nullptr, false);                                             \
    }                                                                                                                  \
    cublasStatus_t cublas##Name##VectorAsync(int n, int size, const void *x, int incx, void *y, int incy,              \
                                             cudaStream_t s) {                                                         \
        return copy_2d(y, incy, x, incx, 1, size, n, WAY, s, true);                                                    \
    }                                                                                                                  \
    cublasStatus_t cublas##Name##Matrix(int rows, int cols, int size, const void *A, int lda, void *B, int ldb) {      \
        return copy_2d(B, ldb, A, lda, (size_t)rows, size, cols, WAY, nullptr, false);                                 \
    }                                                                                                                  \
    cublasStatus_t cublas##Name##MatrixAsync(int rows, int cols, int size, const void *A, int lda, void *B, int ldb,   \
                                             cudaStream_t s) {                                                         \
        return copy_2d(B, ldb, A, lda, (size_t)rows, size, cols, WAY, s, true);                                        \
    }
COPIES(Set, cudaMemcpyHostToDevice)
COPIES(Get, cudaMemcpyDeviceToHost)
