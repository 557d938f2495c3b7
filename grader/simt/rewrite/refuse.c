// refuse.c: what has no counterpart on the CPU is refused here, by its name and at its line, instead of a hundred errors
// from a compiler that has never heard of it. The way out is always the same: #ifdef __CUDACC__, which simtcc leaves undefined.
#include "rewrite.h"

#include <stdlib.h>
#include <string.h>

static const struct {
    const char *word, *next;  // next: the token that must follow, NULL: any
    const char *feature;
} features[] = {
    {"this_multi_grid", "(", "multi-device synchronisation (this_multi_grid)"},
    {"texture", "<", "a texture reference"},
    {"surface", "<", "a surface reference"},
    {"cudaSurfaceObject_t", NULL, "a surface object"},
    {"tex3D", NULL, "a texture fetch (tex3D)"},
    {"tex1DLod", NULL, "a texture fetch (tex1DLod)"},
    {"tex2DLod", NULL, "a texture fetch (tex2DLod)"},
    {"tex3DLod", NULL, "a texture fetch (tex3DLod)"},
    {"tex1DLayered", NULL, "a texture fetch (tex1DLayered)"},
    {"tex2DLayered", NULL, "a texture fetch (tex2DLayered)"},
    {"texCubemap", NULL, "a texture fetch (texCubemap)"},
    {"cudaMalloc3DArray", NULL, "an array for textures (cudaMalloc3DArray)"},
    {"cudaMipmappedArray_t", NULL, "an array for textures (cudaMipmappedArray_t)"},
    {"cudaBindTexture", NULL, "a texture reference (cudaBindTexture)"},
    {"cudaBindTextureToArray", NULL, "a texture reference (cudaBindTextureToArray)"},
    {"surf1Dread", NULL, "a surface access (surf1Dread)"},
    {"surf1Dwrite", NULL, "a surface access (surf1Dwrite)"},
    {"surf3Dread", NULL, "a surface access (surf3Dread)"},
    {"surf3Dwrite", NULL, "a surface access (surf3Dwrite)"},
    {"cublasCgemm", NULL, "a product of complex numbers by cuBLAS (cublasCgemm)"},
    {"cublasZgemm", NULL, "a product of complex numbers by cuBLAS (cublasZgemm)"},
    {"surf2Dread", NULL, "a surface access (surf2Dread)"},
    {"surf2Dwrite", NULL, "a surface access (surf2Dwrite)"},
    {"cuTensorMapEncodeIm2col", NULL, "TMA by im2col (cuTensorMapEncodeIm2col)"},
    {"cudaGraphAddNode", NULL, "a graph's node of any kind (cudaGraphAddNode), unlike cudaGraphAddKernelNode's,"},
    {"cudaGraphConditionalHandleCreate", NULL, "a CUDA graph with conditions (cudaGraphConditionalHandleCreate)"},
    {"cublasLtMatmul", NULL, "a product by cuBLASLt (cublasLtMatmul), unlike cuBLAS's,"},
    {"cublasLtMatmulDesc_t", NULL, "a product by cuBLASLt (cublasLtMatmulDesc_t), unlike cuBLAS's,"},
    {"thrust", "::", "Thrust"},
    {"cub", "::", "CUB"},
};

// cuda.h is there for cuTensorMapEncodeTiled; a program that loads its kernels by the driver needs a compiler for them here.
static const char *const driver[] = {"CUcontext",
                                     "CUmodule",
                                     "CUfunction",
                                     "CUlibrary",
                                     "CUdeviceptr",
                                     "cuDeviceGet",
                                     "cuCtxCreate",
                                     "cuDevicePrimaryCtxRetain",
                                     "cuModuleLoad",
                                     "cuModuleLoadData",
                                     "cuModuleGetFunction",
                                     "cuLaunchKernel",
                                     "cuMemAlloc",
                                     "cuMemFree",
                                     "cuMemcpyHtoD",
                                     "cuMemcpyDtoH",
                                     "cuCtxSynchronize",
                                     "cuLinkCreate",
                                     NULL};

// What sums in half precision; the same product with sums in float is there.
static const char *const half_sums[] = {"cublasHgemm", "cublasHgemmBatched", "cublasHgemmStridedBatched", NULL};
// Of cuRAND's names, those that programs use and simt lacks: other distributions, and states of other generators.
static const char *const random_names[] = {"curand_poisson",
                                           "curandGeneratePoisson",
                                           "curand_discrete",
                                           "curandStateSobol32_t",
                                           "curandStateSobol64_t",
                                           "curandStateMtgp32_t",
                                           "curandStateMtgp32",
                                           "CURAND_RNG_QUASI_DEFAULT",
                                           "CURAND_RNG_QUASI_SOBOL32",
                                           "curandGenerateLongLong",
                                           NULL};
static const char *const tiles[] = {"tiled_partition", "thread_block_tile", NULL};

// Warp functions from before Volta's independent threads. CUDA has them no longer; each with _sync takes a mask first.
static const char *const maskless[] = {"__shfl",   "__shfl_up", "__shfl_down", "__shfl_xor",
                                       "__ballot", "__any",     "__all",       NULL};

// cuda::NAME, from libcu++.
static const char *const libcuxx[] = {"ptx", "std", "atomic", "atomic_ref", NULL};

static const struct {
    const char *path, *feature;
} headers[] = {
    {"cub/", "CUB"},
    {"thrust/", "Thrust"},
    {"cublas.h", "cuBLAS's old interface, unlike that of cublas_v2.h,"},
    {"cublasXt", "cuBLASXt, unlike cublas_v2.h,"},
    {"cudnn", "cuDNN"},
    {"curand", "cuRAND"},
    {"cufft", "cuFFT"},
    {"cusparse", "cuSPARSE"},
    {"cusolver", "cuSOLVER"},
    {"cutensor", "cuTENSOR"},
    {"cutlass/", "CUTLASS"},
    {"cute/", "CuTe"},
    {"nccl.h", "NCCL"},
    {"nvrtc.h", "NVRTC"},
    {"nvtx3/", "NVTX in C++"},
    {"cuda/ptx", "cuda::ptx (inline PTX)"},
    {"cuda/", "libcu++"},
    {"cuda_fp6.h", "6-bit floating point"},
    {"cuda_fp4.h", "4-bit floating point"},
    {"cuda_gl_interop.h", "OpenGL interoperation"},
    {"cudaGL.h", "OpenGL interoperation"},
    {"cuda_egl_interop.h", "EGL interoperation"},
    {"cudaEGL.h", "EGL interoperation"},
    {"cuda.h", "the CUDA driver API"},
    {"cudaTypedefs.h", "the CUDA driver API"},
    {"torch/", "PyTorch's C++ API"},
    {"ATen/", "PyTorch's C++ API"},
};

#define COUNT(list) ((int)(sizeof list / sizeof *list))

const char *refused_header(const char *path) {
    if (*path == '"') path++;
    if (strstr(path, "/simt/include/")) return NULL;  // one of our own
    for (const char *p; (p = strstr(path, "/include/"));) path = p + strlen("/include/");
    for (int i = 0; i < COUNT(headers); i++)
        if (!strncmp(path, headers[i].path, strlen(headers[i].path))) return headers[i].feature;
    return NULL;
}

// tiled_partition<64>: the number as it stands there. One that has a name the header's static_assert finds.
static int tile_size(unit *u, int i) {
    return is_any(u, i, tiles) && is(u, i + 1, "<") ? atoi(text_between(u, i + 2, i + 2)) : 0;
}

// The program has a function of this name itself: somewhere the name stands behind a type.
static bool declared_here(unit *u, const char *name) {
    for (int i = 1; i < u->token_count; i++)
        if (is(u, i, name) && !is(u, i - 1, "return") && !is(u, i - 1, "else") &&
            (is_name(u, i - 1) || is(u, i - 1, "*") || is(u, i - 1, "&")))
            return true;
    return false;
}

static void refuse_with_a_way_out(unit *u, int i) {
    const int threads = tile_size(u, i);
    if (threads > 32)
        error_at_token(u, i,
                       "a tile of %d threads: simt has tiles of 1 to 32. Take tiles of 32 and join their results in "
                       "shared memory, or put it under #ifdef __CUDACC__",
                       threads);
    if (is_any(u, i, maskless) && is(u, i + 1, "(") && !declared_here(u, text_between(u, i, i)))
        error_at_token(u, i,
                       "CUDA no longer has %s without a mask: write %s_sync, with the mask of the lanes that take part "
                       "as its first argument (0xffffffff: all of them)",
                       text_between(u, i, i), text_between(u, i, i));
    if (is_any(u, i, driver))
        error_at_token(u, i,
                       "%s: simt has no driver API; it compiles the kernels and launches them by <<< >>> or "
                       "cudaLaunchKernel. Put it under #ifdef __CUDACC__",
                       text_between(u, i, i));
    if (is_any(u, i, random_names))
        error_at_token(u, i,
                       "%s: of cuRAND, simt has curand_init, curand, curand_uniform, curand_normal, curand_log_normal, "
                       "and the host's generators of these. Put it under #ifdef __CUDACC__",
                       text_between(u, i, i));
    if (is_any(u, i, half_sums))
        error_at_token(u, i,
                       "%s sums in half precision, which simt's cuBLAS does not have: take cublasGemmEx (or "
                       "cublasGemmStridedBatchedEx) with CUDA_R_16F and CUBLAS_COMPUTE_32F, or put it under #ifdef "
                       "__CUDACC__",
                       text_between(u, i, i));
}

void refuse(unit *u) {
    for (int i = 0; i < u->token_count; i++) {
        if (!is_name(u, i) || is(u, i - 1, ".") || is(u, i - 1, "->")) continue;
        refuse_with_a_way_out(u, i);
        if (is(u, i, "cuda") && is(u, i + 1, "::") && is_any(u, i + 2, libcuxx))
            error_at_token(u, i, "cuda::%s cannot run on the CPU: put it under #ifdef __CUDACC__",
                           text_between(u, i + 2, i + 2));
        else
            for (int n = 0; n < COUNT(features); n++)
                if (is(u, i, features[n].word) && (!features[n].next || is(u, i + 1, features[n].next))) {
                    error_at_token(u, i, "%s cannot run on the CPU: put it under #ifdef __CUDACC__",
                                   features[n].feature);
                    break;
                }
    }
}

// Not even nvcc has these: programs name them that were written beside NVIDIA's samples.
static bool of_the_samples(const char *path) {
    static const char *const names[] = {"helper_cuda.h", "helper_functions.h", "helper_image.h",
                                        "helper_math.h", "helper_string.h",    "helper_timer.h"};
    for (int i = 0; i < COUNT(names); i++)
        if (!strncmp(path, names[i], strlen(names[i]))) return true;
    return false;
}

// The compiler's complaint about a header that exists for nvcc alone, in our words; every other line as it is.
//     a.cu:3:10: fatal error: cub/cub.cuh: No such file or directory          (gcc)
//     a.cu:3:10: fatal error: 'cub/cub.cuh' file not found                    (clang)
int explain_missing_headers(FILE *in, FILE *out) {
    static const char mark[] = " fatal error: ";
    char line[4096];
    while (fgets(line, sizeof line, in)) {
        char *error = strstr(line, mark);
        char *path = error ? error + strlen(mark) : NULL;
        if (path && *path == '\'') path++;
        const char *feature = path ? refused_header(path) : NULL;
        if (feature)
            fprintf(out,
                    "%.*s error: %s is not available on the CPU: put this #include and what uses it under "
                    "#ifdef __CUDACC__\n",
                    (int)(error - line), line, feature);
        else if (path && of_the_samples(path))
            fprintf(out,
                    "%.*s error: %.*s is a header of NVIDIA's CUDA samples, not of CUDA: get them "
                    "(github.com/NVIDIA/cuda-samples) and give their folder Common by -I\n",
                    (int)(error - line), line, (int)strcspn(path, ":' "), path);
        else if (strcmp(line, "compilation terminated.\n"))
            fputs(line, out);
    }
    return 0;
}
