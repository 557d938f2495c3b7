// api_texture.cpp: texture objects, and which texels a fetch reads, with which weights.
//
// Filtering is the programming guide's: the weight of the farther texel is the coordinate's fraction in fixed point with 8
// fractional bits (9 bits: 1.0 is among them). What the guide leaves open is an H200's: halves are rounded up; of the four weights
// of a plane the farthest is rounded, too, and the others are what is left.
#include <algorithm>
#include <cmath>

#include "array.h"

using namespace simt;

namespace {
struct Texture {
    cudaResourceType resource;
    cudaTextureDesc how;
    const char *data;
    long width, height;  // height 0: one dimension
    size_t pitch;
    int bytes, channels;
    cudaChannelFormatKind kind;
};
}  // namespace

static OwnMap<cudaTextureObject_t, Texture> &textures() {
    static auto *map = own_new<OwnMap<cudaTextureObject_t, Texture>>();
    return *map;
}

// Whether the description is one that simt follows, and what a GPU would refuse.
static cudaError_t check_description(const Texture &t) {
    const bool floats = t.how.readMode == cudaReadModeNormalizedFloat || t.kind == cudaChannelFormatKindFloat;
    if (t.how.filterMode == cudaFilterModeLinear && !floats) return cudaErrorInvalidFilterSetting;
    if (t.how.readMode == cudaReadModeNormalizedFloat && t.kind != cudaChannelFormatKindFloat && t.bytes == 4)
        return cudaErrorInvalidNormSetting;
    if (!t.how.sRGB && t.how.maxAnisotropy <= 1) return cudaSuccess;
    complain("cudaCreateTextureObject: simt has no sRGB and no anisotropy");
    return cudaErrorNotSupported;
}

cudaError_t cudaCreateTextureObject(cudaTextureObject_t *texture, const cudaResourceDesc *resource,
                                    const cudaTextureDesc *description, const cudaResourceViewDesc *view) {
    SIMT_API_ENTRY();
    SIMT_OUT(texture);
    guest_has_none("textures", __builtin_return_address(0));
    if (!texture || !resource || !description) return fail(cudaErrorInvalidValue);
    Texture t = {resource->resType, *description, nullptr, 0, 0, 0, 0, 0, cudaChannelFormatKindNone};
    cudaChannelFormatDesc d;
    const auto &from = resource->res;
    if (view || (unsigned)t.resource > cudaResourceTypePitch2D || t.resource == cudaResourceTypeMipmappedArray) {
        complain("cudaCreateTextureObject: simt has neither views nor mipmaps");
        return fail(cudaErrorNotSupported);
    }
    if (t.resource == cudaResourceTypeArray) {
        if (!is_array(from.array.array)) return fail(cudaErrorInvalidResourceHandle);
        const cudaArray &a = *from.array.array;
        d = a.format, t.data = a.data, t.width = (long)a.width, t.height = (long)a.height, t.pitch = a.pitch;
    } else if (t.resource == cudaResourceTypeLinear) {
        d = from.linear.desc, t.data = (const char *)from.linear.devPtr;
    } else {
        d = from.pitch2D.desc, t.data = (const char *)from.pitch2D.devPtr, t.pitch = from.pitch2D.pitchInBytes;
        t.width = (long)from.pitch2D.width, t.height = (long)from.pitch2D.height;
    }
    t.bytes = d.x / 8, t.channels = channels_of("cudaCreateTextureObject", d), t.kind = d.f;
    if (!t.channels) return fail(cudaErrorInvalidChannelDescriptor);
    const size_t element = (size_t)t.bytes * (size_t)t.channels;
    if (t.resource == cudaResourceTypeLinear) t.width = (long)(from.linear.sizeInBytes / element);
    if (cudaError_t error = check_description(t)) return fail(error);
    const Allocation *a = find_allocation(t.data);
    const size_t bytes =
        t.height ? t.pitch * (size_t)(t.height - 1) + (size_t)t.width * element : (size_t)t.width * element;
    if (!a || (uintptr_t)t.data % 32 || t.pitch % 32 || t.data + bytes > a->base + a->size) {
        complain("cudaCreateTextureObject: %zu bytes at %p are not device memory, or do not begin at a multiple of 32",
                 bytes, (const void *)t.data);
        return fail(cudaErrorInvalidValue);
    }
    static cudaTextureObject_t last;
    textures()[ *texture = ++last] = t;
    return cudaSuccess;
}

cudaError_t cudaDestroyTextureObject(cudaTextureObject_t texture) {
    SIMT_API_ENTRY();
    return textures().erase(texture) ? cudaSuccess : fail(cudaErrorInvalidValue);
}

// ---- A fetch ---------------------------------------------------------------------------------------------------------

// One axis: the texels i[0] and, where the filter is linear, i[1]; -1 is the border. farther: the weight of i[1].
struct Axis {
    long i[2];
    float farther;
};

static long inside(long i, long n, cudaTextureAddressMode mode) {
    if (i >= 0 && i < n) return i;
    if (mode == cudaAddressModeBorder) return -1;
    if (mode == cudaAddressModeWrap) return (i % n + n) % n;
    return i < 0 ? 0 : n - 1;  // clamp; a mirrored coordinate leaves [0, n) by less than one texel
}

static float to_weight(float part) { return std::floor(part * 256 + 0.5f) / 256; }

static Axis along(float x, long n, const Texture &t, int axis) {
    cudaTextureAddressMode mode = t.how.addressMode[axis];
    if (!t.how.normalizedCoords && mode != cudaAddressModeBorder) mode = cudaAddressModeClamp;
    if (!std::isfinite(x)) x = 0;
    if (t.how.normalizedCoords) {
        const float whole = std::floor(x);
        if (mode == cudaAddressModeWrap) x -= whole;
        if (mode == cudaAddressModeMirror) x = std::fmod(whole, 2.0f) == 0 ? x - whole : 1 - (x - whole);
        x *= (float)n;
    }
    x = std::min(std::max(x, -1e9f), 1e9f);
    const bool linear = t.how.filterMode == cudaFilterModeLinear;
    if (linear) x -= 0.5f;
    const float low = std::floor(x);
    const float farther = linear ? to_weight(x - low) : 0;
    return {{inside((long)low, n, mode), inside((long)low + 1, n, mode)}, farther};
}

static const Texture &texture_of(cudaTextureObject_t object, int dimensions, int bytes, int channels, int is_float,
                                 const void *pc) {
    static const char *const function[] = {"tex1Dfetch", "tex1D", "tex2D"};
    const char *name = function[dimensions];
    auto found = textures().find(object);
    if (found == textures().end()) stop_kernel(700, pc, "%s: %llu is no texture object", name, object);
    const Texture &t = found->second;
    const int has = t.resource == cudaResourceTypeLinear ? 0 : t.height ? 2 : 1;
    if (has != dimensions) stop_kernel(719, pc, "%s of a texture that is to be read by %s", name, function[has]);
    const bool normalized = t.how.readMode == cudaReadModeNormalizedFloat && t.kind != cudaChannelFormatKindFloat;
    const bool floats = normalized || t.kind == cudaChannelFormatKindFloat;
    if (channels != t.channels || floats != (is_float != 0) || bytes != (normalized ? 4 : t.bytes))
        stop_kernel(719, pc, "%s asks for %d channel(s) of %d bytes%s, and the texture gives %d of %d%s", name,
                    channels, bytes, is_float ? " (float)" : "", t.channels, normalized ? 4 : t.bytes,
                    floats ? " (float)" : "");
    return t;
}

void simt_texture_fetch(simt_texels *out, cudaTextureObject_t object, int dimensions, float x, float y, long element,
                        int bytes, int channels, int is_float) {
    const Texture &t = texture_of(object, dimensions, bytes, channels, is_float, __builtin_return_address(0));
    const bool normalized = t.how.readMode == cudaReadModeNormalizedFloat && t.kind != cudaChannelFormatKindFloat;
    out->format = !normalized                             ? SIMT_TEXEL_PLAIN
                  : t.kind == cudaChannelFormatKindSigned ? SIMT_TEXEL_SIGNED
                                                          : SIMT_TEXEL_UNSIGNED;
    out->bytes = t.bytes;
    std::copy_n(t.how.borderColor, 4, out->border);
    const size_t size = (size_t)t.bytes * (size_t)t.channels;
    if (dimensions == 0) {  // no filter, no address mode: 0 beyond the ends
        std::fill_n(out->border, 4, 0.0f);
        out->at[0] = element >= 0 && element < t.width ? t.data + (size_t)element * size : nullptr;
        out->count = 1;
        return;
    }
    const bool linear = t.how.filterMode == cudaFilterModeLinear;
    // A line is read as a plane of one row, at y = 0: halfway between that row and what is above it.
    const bool half_border = linear && dimensions == 1 && t.how.addressMode[1] == cudaAddressModeBorder;
    const Axis across = along(x, t.width, t, 0);
    const Axis down = dimensions == 2 ? along(y, t.height, t, 1) : half_border ? Axis{{-1, 0}, 0.5f} : Axis{{0, 0}, 0};
    const int wide = linear ? 2 : 1, high = dimensions == 2 || half_border ? wide : 1;
    out->count = wide * high;
    const float both = to_weight(across.farther * down.farther);
    const float weights[] = {1 - across.farther - down.farther + both, across.farther - both, down.farther - both,
                             both};
    for (int j = 0; j < high; j++)
        for (int i = 0; i < wide; i++) {
            const long row = down.i[j], column = across.i[i];
            out->at[j * wide + i] =
                row < 0 || column < 0 ? nullptr : t.data + (size_t)row * t.pitch + (size_t)column * size;
            out->weight[j * wide + i] = weights[j * 2 + i];
        }
}
