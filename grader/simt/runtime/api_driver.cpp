// api_driver.cpp: of the driver API what makes tensor maps, and how programs find it.
#include "../include/simt/driver.h"

#include <cstdarg>
#include <cstdio>
#include <cstring>

#include "api.h"
#include "ptx/tensor_map.h"

namespace simt {

// Of CUtensorMapDataType, in its order.
static const struct {
    uint8_t bytes, kind;  // kind: an index into engine.cpp's types
} tensor_types[] = {{1, 8}, {2, 8}, {4, 5}, {4, 4}, {8, 7}, {8, 6}, {2, 0},
                    {4, 2}, {8, 3}, {2, 1}, {4, 2}, {4, 2}, {4, 2}};

static CUresult refuse(const char *format, ...) __attribute__((format(printf, 1, 2)));
static CUresult refuse(const char *format, ...) {
    char text[300];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(text, sizeof text, format, arguments);
    va_end(arguments);
    complain("error: cuTensorMapEncodeTiled: %s\n  -> CUDA_ERROR_INVALID_VALUE", text);
    return CUDA_ERROR_INVALID_VALUE;
}

// What the manual of cuTensorMapEncodeTiled demands.
static CUresult check(const TensorMap &m, const cuuint32_t *box, const cuuint32_t *steps) {
    if ((uintptr_t)m.base % 16) return refuse("the tensor's address %p is no multiple of 16", (void *)m.base);
    for (int i = 0; i < m.rank; i++) {
        if (m.size[i] == 0 || m.size[i] > (uint64_t)1 << 32)
            return refuse("dimension %d has %llu elements: 1 to 2^32", i, (unsigned long long)m.size[i]);
        if (i > 0 && (m.pitch[i - 1] % 16 || m.pitch[i - 1] >= (uint64_t)1 << 40))
            return refuse("the stride of dimension %d is %llu bytes: it must be a multiple of 16", i,
                          (unsigned long long)m.pitch[i - 1]);
        if (box[i] == 0 || box[i] > 256) return refuse("the box has %u elements in dimension %d: 1 to 256", box[i], i);
        if (steps[i] == 0 || steps[i] > 8)
            return refuse("the element stride of dimension %d is %u: 1 to 8", i, steps[i]);
    }
    uint32_t row = m.extent(0) * m.element_bytes;
    if (row % 16) return refuse("a row of the box has %u bytes: it must be a multiple of 16", row);
    if (m.swizzle && row > m.swizzle)
        return refuse("a row of the box has %u bytes: with a swizzle of %u at most as many", row, m.swizzle);
    return CUDA_SUCCESS;
}

static void *find(const char *name) {
    static const struct {
        const char *name;
        void *function;
    } functions[] = {
        {"cuTensorMapEncodeTiled", (void *)cuTensorMapEncodeTiled},
        {"cuTensorMapReplaceAddress", (void *)cuTensorMapReplaceAddress},
        {"cuGetErrorString", (void *)cuGetErrorString},
        {"cuGetErrorName", (void *)cuGetErrorName},
        {"cuInit", (void *)cuInit},
        {"cuGetProcAddress", (void *)cuGetProcAddress},
    };
    for (auto &f : functions)
        if (!strcmp(f.name, name)) return f.function;
    return nullptr;
}

}  // namespace simt

using namespace simt;

CUresult cuTensorMapEncodeTiled(CUtensorMap *map, CUtensorMapDataType type, cuuint32_t rank, void *base,
                                const cuuint64_t *sizes, const cuuint64_t *strides, const cuuint32_t *box,
                                const cuuint32_t *element_strides, CUtensorMapInterleave interleave,
                                CUtensorMapSwizzle swizzle, CUtensorMapL2promotion, CUtensorMapFloatOOBfill fill) {
    static const uint8_t swizzle_bytes[] = {0, 32, 64, 128};
    SIMT_OUT(map);
    if (!map || !sizes || !box || !element_strides || (rank > 1 && !strides)) return refuse("a null pointer");
    if ((uintptr_t)map % 64) return refuse("the map's address %p is no multiple of 64", (void *)map);
    if (rank < 1 || rank > 5) return refuse("%u dimensions: 1 to 5", rank);
    if (type > CU_TENSOR_MAP_DATA_TYPE_TFLOAT32_FTZ) return refuse("simt does not know the data type %d", (int)type);
    if (interleave || swizzle > CU_TENSOR_MAP_SWIZZLE_128B)
        return refuse("simt knows no interleaved layout and no swizzle of other atoms than 16 bytes");
    TensorMap m{};
    m.magic = TensorMap::mark;
    m.rank = (uint8_t)rank;
    m.element_bytes = tensor_types[type].bytes, m.type = tensor_types[type].kind;
    m.swizzle = swizzle_bytes[swizzle], m.nan_fill = fill != CU_TENSOR_MAP_FLOAT_OOB_FILL_NONE;
    m.base = (char *)base;
    for (cuuint32_t i = 0; i < rank; i++) {
        m.size[i] = sizes[i], m.box[i] = (uint16_t)box[i], m.step[i] = (uint8_t)element_strides[i];
        if (i > 0) m.pitch[i - 1] = strides[i - 1];
    }
    if (CUresult error = check(m, box, element_strides)) return error;
    memset(map, 0, sizeof *map);
    memcpy(map, &m, sizeof m);
    return CUDA_SUCCESS;
}

CUresult cuTensorMapReplaceAddress(CUtensorMap *map, void *base) {
    SIMT_OUT(map);
    TensorMap m;
    memcpy(&m, map, sizeof m);
    if (m.magic != TensorMap::mark) return CUDA_ERROR_INVALID_VALUE;
    m.base = (char *)base;
    memcpy(map, &m, sizeof m);
    return CUDA_SUCCESS;
}

CUresult cuInit(unsigned) { return CUDA_SUCCESS; }

CUresult cuGetErrorName(CUresult error, const char **name) {
    SIMT_OUT(name);
    *name = error == CUDA_SUCCESS               ? "CUDA_SUCCESS"
            : error == CUDA_ERROR_INVALID_VALUE ? "CUDA_ERROR_INVALID_VALUE"
            : error == CUDA_ERROR_NOT_FOUND     ? "CUDA_ERROR_NOT_FOUND"
                                                : "CUDA_ERROR_UNKNOWN";
    return CUDA_SUCCESS;
}
CUresult cuGetErrorString(CUresult error, const char **text) {
    SIMT_OUT(text);
    *text = error == CUDA_SUCCESS               ? "no error"
            : error == CUDA_ERROR_INVALID_VALUE ? "invalid argument"
            : error == CUDA_ERROR_NOT_FOUND     ? "named symbol not found"
                                                : "unknown error";
    return CUDA_SUCCESS;
}

CUresult cuGetProcAddress(const char *symbol, void **function, int, cuuint64_t,
                          CUdriverProcAddressQueryResult *result) {
    SIMT_OUT(function);
    SIMT_OUT(result);
    *function = find(symbol);
    if (result) *result = *function ? CU_GET_PROC_ADDRESS_SUCCESS : CU_GET_PROC_ADDRESS_SYMBOL_NOT_FOUND;
    return *function ? CUDA_SUCCESS : CUDA_ERROR_NOT_FOUND;
}

cudaError_t cudaGetDriverEntryPointByVersion(const char *symbol, void **function, unsigned, unsigned long long,
                                             enum cudaDriverEntryPointQueryResult *result) {
    SIMT_OUT(function);
    SIMT_OUT(result);
    *function = find(symbol);
    if (result) *result = *function ? cudaDriverEntryPointSuccess : cudaDriverEntryPointSymbolNotFound;
    return cudaSuccess;
}
cudaError_t cudaGetDriverEntryPoint(const char *symbol, void **function, unsigned long long flags,
                                    enum cudaDriverEntryPointQueryResult *result) {
    return cudaGetDriverEntryPointByVersion(symbol, function, 13000, flags, result);
}
