// Textures: fetches by element, point and linear filters, the four address modes, channels read as parts of one.
#include "common.h"

__global__ void elements(cudaTextureObject_t t, int n, float *out) {
    int i = (int)threadIdx.x - 2;
    if (i < n + 2) out[threadIdx.x] = tex1Dfetch<float>(t, i);
}

__global__ void along_x(cudaTextureObject_t t, float first, float step, float *out) {
    out[threadIdx.x] = tex1D<float>(t, first + step * (float)threadIdx.x);
}

__global__ void plane(cudaTextureObject_t t, float scale, float *out) {
    int i = (int)(threadIdx.y * blockDim.x + threadIdx.x);
    out[i] = tex2D<float>(t, scale * ((float)threadIdx.x - 1), scale * ((float)threadIdx.y - 1));
}

__global__ void colours(cudaTextureObject_t t, float4 *out) {
    out[threadIdx.x] = tex2D<float4>(t, (float)threadIdx.x + 0.5f, 0.5f);
}

__global__ void whole_numbers(cudaTextureObject_t t, int *out) {
    int2 v = tex1Dfetch<int2>(t, (int)threadIdx.x);
    out[threadIdx.x] = 10 * v.x + v.y;
}

static cudaTextureObject_t texture(const cudaResourceDesc &r, cudaTextureAddressMode mode, cudaTextureFilterMode filter,
                                   bool normalized, cudaTextureReadMode read = cudaReadModeElementType) {
    cudaTextureDesc d = {};
    d.addressMode[0] = d.addressMode[1] = mode;
    d.filterMode = filter;
    d.readMode = read;
    d.normalizedCoords = normalized;
    d.borderColor[0] = mode == cudaAddressModeBorder ? 100 : 0;
    cudaTextureObject_t t = 0;
    cudaError_t error = cudaCreateTextureObject(&t, &r, &d, nullptr);
    if (error) printf("%s\n", cudaGetErrorName(error));
    return t;
}

static cudaResourceDesc linear(void *p, cudaChannelFormatDesc format, size_t bytes) {
    cudaResourceDesc r = {};
    r.resType = cudaResourceTypeLinear;
    r.res.linear.devPtr = p;
    r.res.linear.desc = format;
    r.res.linear.sizeInBytes = bytes;
    return r;
}

static cudaResourceDesc array(const cudaChannelFormatDesc &format, int width, int height, const void *from,
                              size_t row_bytes) {
    cudaResourceDesc r = {};
    r.resType = cudaResourceTypeArray;
    CHECK(cudaMallocArray(&r.res.array.array, &format, width, height));
    CHECK(cudaMemcpy2DToArray(r.res.array.array, 0, 0, from, row_bytes, row_bytes, height ? height : 1,
                              cudaMemcpyHostToDevice));
    return r;
}

static float *out;
static void show(const char *name, int n) {
    float h[64];
    CHECK(cudaMemcpy(h, out, n * sizeof *h, cudaMemcpyDeviceToHost));
    printf("%-28s", name);
    for (int i = 0; i < n; i++) printf(" %g", h[i]);
    printf("\n");
}

int main() {
    CHECK(cudaMalloc(&out, 64 * sizeof *out));
    const float row[4] = {1, 2, 4, 8};
    float *p;
    CHECK(cudaMalloc(&p, sizeof row));
    CHECK(cudaMemcpy(p, row, sizeof row, cudaMemcpyHostToDevice));
    elements<<<1, 8>>>(
        texture(linear(p, cudaCreateChannelDesc<float>(), sizeof row), cudaAddressModeClamp, cudaFilterModePoint, 0), 4,
        out);
    show("elements, 0 beyond", 8);

    const int2 pairs[2] = {{1, 2}, {3, 4}};
    int sums[2], *q;
    int2 *pp;
    CHECK(cudaMalloc(&pp, sizeof pairs));
    CHECK(cudaMalloc(&q, sizeof sums));
    CHECK(cudaMemcpy(pp, pairs, sizeof pairs, cudaMemcpyHostToDevice));
    whole_numbers<<<1, 2>>>(
        texture(linear(pp, cudaCreateChannelDesc<int2>(), sizeof pairs), cudaAddressModeClamp, cudaFilterModePoint, 0),
        q);
    CHECK(cudaMemcpy(sums, q, sizeof sums, cudaMemcpyDeviceToHost));
    printf("%-28s %d %d\n", "pairs of int", sums[0], sums[1]);

    const cudaChannelFormatDesc one = cudaCreateChannelDesc<float>();
    const cudaResourceDesc line = array(one, 4, 0, row, sizeof row);
    along_x<<<1, 8>>>(texture(line, cudaAddressModeClamp, cudaFilterModePoint, 0), -1.75f, 1, out);
    show("point, clamp", 8);
    along_x<<<1, 8>>>(texture(line, cudaAddressModeClamp, cudaFilterModeLinear, 0), -0.5f, 0.625f, out);
    show("linear, clamp", 8);
    along_x<<<1, 8>>>(texture(line, cudaAddressModeBorder, cudaFilterModeLinear, 0), -0.5f, 0.75f, out);
    show("linear, border 100", 8);
    along_x<<<1, 12>>>(texture(line, cudaAddressModeWrap, cudaFilterModePoint, 1), -1.125f, 0.25f, out);
    show("point, wrap", 12);
    along_x<<<1, 12>>>(texture(line, cudaAddressModeWrap, cudaFilterModeLinear, 1), -0.5f, 0.125f, out);
    show("linear, wrap", 12);
    along_x<<<1, 12>>>(texture(line, cudaAddressModeMirror, cudaFilterModePoint, 1), -1.125f, 0.25f, out);
    show("point, mirror", 12);
    along_x<<<1, 12>>>(texture(line, cudaAddressModeMirror, cudaFilterModeLinear, 1), -0.5f, 0.125f, out);
    show("linear, mirror", 12);
    // 9 bits: a fraction of 1/1024 is 0, one of 3/1024 is 1/256, one of 1023/1024 is 1.
    along_x<<<1, 4>>>(texture(line, cudaAddressModeClamp, cudaFilterModeLinear, 0), 2.5f + 1 / 1024.f, 2 / 1024.f, out);
    show("fractions of 1/256", 4);
    along_x<<<1, 1>>>(texture(line, cudaAddressModeClamp, cudaFilterModeLinear, 0), 2.5f + 1023 / 1024.f, 0, out);
    show("nearly the next texel", 1);

    const float square[2][3] = {{0, 4, 8}, {16, 20, 24}};
    const cudaResourceDesc image = array(one, 3, 2, square, sizeof *square);
    plane<<<1, dim3(5, 4)>>>(texture(image, cudaAddressModeClamp, cudaFilterModePoint, 0), 1, out);
    show("2D point, clamp", 20);
    plane<<<1, dim3(5, 4)>>>(texture(image, cudaAddressModeClamp, cudaFilterModeLinear, 0), 0.75f, out);
    show("2D linear, clamp", 20);
    plane<<<1, dim3(5, 4)>>>(texture(image, cudaAddressModeBorder, cudaFilterModePoint, 0), 1, out);
    show("2D point, border 100", 20);

    float *pitched;
    size_t pitch;
    CHECK(cudaMallocPitch(&pitched, &pitch, sizeof *square, 2));
    CHECK(cudaMemcpy2D(pitched, pitch, square, sizeof *square, sizeof *square, 2, cudaMemcpyHostToDevice));
    cudaResourceDesc r = {};
    r.resType = cudaResourceTypePitch2D;
    r.res.pitch2D.devPtr = pitched;
    r.res.pitch2D.desc = one;
    r.res.pitch2D.width = 3;
    r.res.pitch2D.height = 2;
    r.res.pitch2D.pitchInBytes = pitch;
    plane<<<1, dim3(5, 4)>>>(texture(r, cudaAddressModeClamp, cudaFilterModeLinear, 0), 0.75f, out);
    show("2D linear of pitched memory", 20);

    const uchar4 pixels[2] = {{0, 51, 102, 255}, {255, 204, 153, 0}};
    const cudaResourceDesc picture = array(cudaCreateChannelDesc<uchar4>(), 2, 1, pixels, sizeof pixels);
    colours<<<1, 2>>>(texture(picture, cudaAddressModeClamp, cudaFilterModePoint, 0, cudaReadModeNormalizedFloat),
                      (float4 *)out);
    show("uchar4 as parts of one", 8);
    const short4 shorts[2] = {{0, 32767, -32767, -32768}, {16384, 1, -1, 0}};
    const cudaResourceDesc words = array(cudaCreateChannelDesc<short4>(), 2, 1, shorts, sizeof shorts);
    colours<<<1, 2>>>(texture(words, cudaAddressModeClamp, cudaFilterModePoint, 0, cudaReadModeNormalizedFloat),
                      (float4 *)out);
    show("short4 as parts of one", 8);

    printf("refused: ");
    texture(picture, cudaAddressModeClamp, cudaFilterModeLinear, 0);
    CHECK(cudaDestroyTextureObject(texture(line, cudaAddressModeClamp, cudaFilterModePoint, 0)));
    CHECK(cudaFreeArray(line.res.array.array));
    return 0;
}
