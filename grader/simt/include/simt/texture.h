// texture.h: arrays and texture objects: what the host describes, and what tex1Dfetch, tex1D and tex2D read.
//
// The runtime finds the texels of a fetch and their weights (api_texture.cpp); the loads stand here, where the checker sees
// them.
#ifndef SIMT_TEXTURE_H
#define SIMT_TEXTURE_H

#include <stddef.h>
#include <stdint.h>

typedef unsigned long long cudaTextureObject_t;
typedef struct cudaArray *cudaArray_t;
typedef const struct cudaArray *cudaArray_const_t;
typedef enum cudaChannelFormatKind {
    cudaChannelFormatKindSigned = 0,
    cudaChannelFormatKindUnsigned = 1,
    cudaChannelFormatKindFloat = 2,
    cudaChannelFormatKindNone = 3
} cudaChannelFormatKind;
typedef struct cudaChannelFormatDesc {
    int x, y, z, w;  // bits
    cudaChannelFormatKind f;
} cudaChannelFormatDesc;
typedef enum cudaResourceType {
    cudaResourceTypeArray = 0,
    cudaResourceTypeMipmappedArray = 1,
    cudaResourceTypeLinear = 2,
    cudaResourceTypePitch2D = 3
} cudaResourceType;
typedef struct cudaResourceDesc {
    cudaResourceType resType;
    union {
        struct {
            cudaArray_t array;
        } array;
        struct {
            void *devPtr;
            cudaChannelFormatDesc desc;
            size_t sizeInBytes;
        } linear;
        struct {
            void *devPtr;
            cudaChannelFormatDesc desc;
            size_t width, height, pitchInBytes;
        } pitch2D;
        int reserved[32];
    } res;
    unsigned flags;
} cudaResourceDesc;
typedef enum cudaTextureAddressMode {
    cudaAddressModeWrap = 0,
    cudaAddressModeClamp = 1,
    cudaAddressModeMirror = 2,
    cudaAddressModeBorder = 3
} cudaTextureAddressMode;
typedef enum cudaTextureFilterMode { cudaFilterModePoint = 0, cudaFilterModeLinear = 1 } cudaTextureFilterMode;
typedef enum cudaTextureReadMode { cudaReadModeElementType = 0, cudaReadModeNormalizedFloat = 1 } cudaTextureReadMode;
typedef struct cudaTextureDesc {
    cudaTextureAddressMode addressMode[3];
    cudaTextureFilterMode filterMode;
    cudaTextureReadMode readMode;
    int sRGB;
    float borderColor[4];
    int normalizedCoords;
    unsigned maxAnisotropy;
    cudaTextureFilterMode mipmapFilterMode;
    float mipmapLevelBias, minMipmapLevelClamp, maxMipmapLevelClamp;
    int disableTrilinearOptimization, seamlessCubemap;
} cudaTextureDesc;
struct cudaResourceViewDesc;
#define cudaArrayDefault 0x00

#ifdef __cplusplus
extern "C" {
#endif
cudaChannelFormatDesc cudaCreateChannelDesc(int x, int y, int z, int w, cudaChannelFormatKind f);
cudaError_t cudaGetChannelDesc(cudaChannelFormatDesc *format, cudaArray_const_t array);
cudaError_t cudaMallocArray(cudaArray_t *array, const cudaChannelFormatDesc *format, size_t width,
                            size_t height SIMT_DEFAULT(0), unsigned flags SIMT_DEFAULT(0));
cudaError_t cudaFreeArray(cudaArray_t array);
cudaError_t cudaMemcpy2DToArray(cudaArray_t dst, size_t byte, size_t row, const void *src, size_t pitch, size_t width,
                                size_t height, cudaMemcpyKind kind);
cudaError_t cudaMemcpy2DToArrayAsync(cudaArray_t dst, size_t byte, size_t row, const void *src, size_t pitch,
                                     size_t width, size_t height, cudaMemcpyKind kind,
                                     cudaStream_t stream SIMT_DEFAULT(0));
cudaError_t cudaMemcpy2DFromArray(void *dst, size_t pitch, cudaArray_const_t src, size_t byte, size_t row, size_t width,
                                  size_t height, cudaMemcpyKind kind);
cudaError_t cudaMemcpyToArray(cudaArray_t dst, size_t byte, size_t row, const void *src, size_t n, cudaMemcpyKind kind);
cudaError_t cudaCreateTextureObject(cudaTextureObject_t *texture, const cudaResourceDesc *resource,
                                    const cudaTextureDesc *description, const struct cudaResourceViewDesc *view);
cudaError_t cudaDestroyTextureObject(cudaTextureObject_t texture);

// The texels of one fetch: NULL where the border is. `format`: how a texel becomes a number.
enum { SIMT_TEXEL_PLAIN, SIMT_TEXEL_UNSIGNED, SIMT_TEXEL_SIGNED };
typedef struct {
    const void *at[4];
    float weight[4], border[4];
    int count, format, bytes;  // bytes of a channel
} simt_texels;
#ifdef SIMT_LINT_H
#pragma clang force_cuda_host_device begin
#endif
// dimensions 0: x counts elements (tex1Dfetch). `wanted`: bytes of a channel, channels, and whether they are float.
void simt_texture_fetch(simt_texels *found, cudaTextureObject_t texture, int dimensions, float x, float y, long element,
                        int bytes, int channels, int is_float);
#ifdef __cplusplus
}

#include <type_traits>

namespace simt {
template <class T, class = void> struct channel { typedef T type; };
template <class T> struct channel<T, std::void_t<decltype(T::x)>> { typedef decltype(T::x) type; };

// A channel of 8 or 16 bits as a part of 1; -1 has two codes.
template <class Code> SIMT_INLINE float part_of_one(Code code) {
    const float f = (float)code / (float)((1u << (8 * sizeof(Code) - std::is_signed_v<Code>)) - 1);
    return f < -1 ? -1 : f;
}

template <class Code, class T> SIMT_INLINE T normalized_texel(const void *at) {
    constexpr int n = sizeof(T) / sizeof(float), bytes = n * sizeof(Code);
    alignas(bytes) Code code[n];
    if constexpr (n == 1)
        code[0] = *(const Code *)at;
    else
        *(typename wide<bytes>::type *)code = *(const typename wide<bytes>::type *)at;  // one access
    T value;
    for (int i = 0; i < n; i++) ((float *)&value)[i] = part_of_one(code[i]);
    return value;
}

template <class T> SIMT_INLINE T texel(const simt_texels &t, int i) {
    typedef typename channel<T>::type part;
    if (!t.at[i]) {
        T value;
        for (unsigned c = 0; c < sizeof(T) / sizeof(part); c++) ((part *)&value)[c] = (part)t.border[c];
        return value;
    }
    if constexpr (std::is_same_v<part, float>) {
        if (t.format == SIMT_TEXEL_UNSIGNED)
            return t.bytes == 1 ? normalized_texel<unsigned char, T>(t.at[i])
                                : normalized_texel<unsigned short, T>(t.at[i]);
        if (t.format == SIMT_TEXEL_SIGNED)
            return t.bytes == 1 ? normalized_texel<signed char, T>(t.at[i]) : normalized_texel<short, T>(t.at[i]);
    }
    return *(const T *)t.at[i];
}

// A filter of codes sums in 16 bits, and rounds halves up; the 512th is for what the codes lost as floats.
SIMT_INLINE float sixteen_bits(double sum) { return (float)__builtin_floor(sum * 65535 + 0.5 + 1.0 / 512) / 65535; }

template <class T>
SIMT_INLINE T fetch_texture(cudaTextureObject_t texture, int dimensions, float x, float y, long element) {
    typedef typename channel<T>::type part;
    constexpr int channels = sizeof(T) / sizeof(part);
    simt_texels t;
    simt_texture_fetch(&t, texture, dimensions, x, y, element, sizeof(part), channels, std::is_floating_point_v<part>);
    const T first = texel<T>(t, 0);
    if constexpr (std::is_same_v<part, float>) {  // only what reads as float is filtered
        if (t.count == 1) return first;
        double sum[channels];
        for (int c = 0; c < channels; c++) sum[c] = (double)t.weight[0] * ((const float *)&first)[c];
        for (int i = 1; i < t.count; i++) {
            const T more = texel<T>(t, i);
            for (int c = 0; c < channels; c++) sum[c] += (double)t.weight[i] * ((const float *)&more)[c];
        }
        T value;
        for (int c = 0; c < channels; c++)
            ((float *)&value)[c] = t.format == SIMT_TEXEL_UNSIGNED ? sixteen_bits(sum[c]) : (float)sum[c];
        return value;
    }
    return first;
}
}  // namespace simt

template <class T> SIMT_INLINE T tex1Dfetch(cudaTextureObject_t t, int x) {
    return simt::fetch_texture<T>(t, 0, 0, 0, x);
}
template <class T> SIMT_INLINE T tex1D(cudaTextureObject_t t, float x) { return simt::fetch_texture<T>(t, 1, x, 0, 0); }
template <class T> SIMT_INLINE T tex2D(cudaTextureObject_t t, float x, float y) {
    return simt::fetch_texture<T>(t, 2, x, y, 0);
}
template <class T> SIMT_INLINE void tex1Dfetch(T *value, cudaTextureObject_t t, int x) { *value = tex1Dfetch<T>(t, x); }
template <class T> SIMT_INLINE void tex1D(T *value, cudaTextureObject_t t, float x) { *value = tex1D<T>(t, x); }
template <class T> SIMT_INLINE void tex2D(T *value, cudaTextureObject_t t, float x, float y) {
    *value = tex2D<T>(t, x, y);
}

#ifdef SIMT_LINT_H
#pragma clang force_cuda_host_device end
#endif

template <class T> SIMT_INLINE cudaChannelFormatDesc cudaCreateChannelDesc() {
    typedef typename simt::channel<T>::type part;
    constexpr int bits = 8 * sizeof(part), n = sizeof(T) / sizeof(part);
    return cudaCreateChannelDesc(bits, n > 1 ? bits : 0, n > 2 ? bits : 0, n > 3 ? bits : 0,
                                 std::is_floating_point_v<part> ? cudaChannelFormatKindFloat
                                 : std::is_signed_v<part>       ? cudaChannelFormatKindSigned
                                                                : cudaChannelFormatKindUnsigned);
}
#endif
#endif
