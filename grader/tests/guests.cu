// guests.cu: a stage for task 2 that tries to gain counts or answers without a kernel's work, in the way that TRICK names.
// unit_guests.c builds it once for each mode of simt, and knows what each trick must get.
#include "task2.h"

#include <cerrno>
#include <cublas_v2.h>
#include <sys/mman.h>
#include <unistd.h>
#include <dlfcn.h>
#include <link.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { T = 16 };
static __global__ void multiply(float *C, const float *A, const float *B, int n, int k) {
    __shared__ float As[T][T], Bs[T][T];
    const int x = threadIdx.x, y = threadIdx.y;
    const size_t row = blockIdx.y * T + y, col = blockIdx.x * T + x;
    float sum = 0;
    for (int l = 0; l < k; l += T) {
        As[y][x] = A[row * k + l + x], Bs[y][x] = B[(l + y) * n + col];
        __syncthreads();
        for (int i = 0; i < T; i++) sum += As[y][i] * Bs[i][x];
        __syncthreads();
    }
    C[row * n + col] = sum;
}

// ---- ways of the inputs to the host

static __device__ float kept[1 << 14];
static __constant__ float constants[4] = {1, 2, 3, 4};
struct holder {
    float *host;
};
static __global__ void keep(holder to, const float *A, int n) {
    for (int i = threadIdx.x; i < n; i += blockDim.x) to.host[i] = A[i];
}
static __global__ void keep_in_variable(const float *A, int n) {
    for (int i = threadIdx.x; i < n; i += blockDim.x) kept[i] = A[i];
}
static __global__ void prints() {
    for (long i = 0; i < 1000000000; i++)
        printf("thread %d has much to say, and says it again and again\n", threadIdx.x);
}

// ---- ways into simt's memory

static __global__ void writes_by_printf() { printf("%d%n\n", 1, (int *)(uintptr_t)0x500000001000); }

static char *found;
static int find_data(dl_phdr_info *m, size_t, void *name) {
    if (!m->dlpi_name || !strstr(m->dlpi_name, (const char *)name)) return 0;
    for (int i = 0; i < m->dlpi_phnum; i++)
        if (m->dlpi_phdr[i].p_type == PT_LOAD && (m->dlpi_phdr[i].p_flags & PF_W))
            found = (char *)m->dlpi_addr + m->dlpi_phdr[i].p_vaddr + m->dlpi_phdr[i].p_memsz - 64;
    return 1;
}
static char *data_of(const char *module) {
    dl_iterate_phdr(find_data, (void *)module);
    return found;
}
static __global__ void pokes(holder to) { *(char *)to.host = 0; }

static const char *trick;
static int is(const char *name) { return strcmp(trick, name) == 0; }

// 3000 bytes above a constructor's frame are frames of the loader, or of who loads.
static struct early {
    early() {
        volatile char here = 0, *above = (volatile char *)((uintptr_t)&here + 3000);
        trick = getenv("TRICK");
        if (trick && is("writes_while_it_is_loaded")) above[0] = above[0];
    }
} loaded;

static float sum_of(const float *x, size_t n) {
    float sum = 0;
    for (size_t i = 0; i < n; i++) sum += x[i];
    return sum;
}

static int reads(const float *A, size_t n) {
    static float here[1 << 14];
    if (is("host_reads")) return sum_of(A, n) == 1;
    if (is("host_copies")) memcpy(here, A, n * sizeof *A);
    if (is("copies_back")) cudaMemcpy(here, A, n * sizeof *A, cudaMemcpyDeviceToHost);
    if (is("copies_back_by_default")) cudaMemcpy(here, A, n * sizeof *A, cudaMemcpyDefault);
    if (is("copies_back_in_pieces"))
        for (size_t i = 0; i < n; i += 64) cudaMemcpy(here + i, A + i, 256, cudaMemcpyDeviceToHost);
    if (is("copies_back_columns")) cudaMemcpy2D(here, 256, A, 256, 128, n / 64, cudaMemcpyDeviceToHost);
    if (is("copies_a_little")) cudaMemcpy(here, A, 4096, cudaMemcpyDeviceToHost);
    if (is("reads_a_variable")) keep_in_variable<<<1, 32>>>(A, (int)n), here[0] = sum_of(kept, n);
    if (is("copies_a_variable"))
        keep_in_variable<<<1, 32>>>(A, (int)n), cudaMemcpyFromSymbol(here, kept, n * sizeof *A);
    if (is("writes_a_constant")) ((volatile float *)constants)[0] = 2;
    if (is("many_allocations")) {
        void *p;
        for (int i = 0; i < 300; i++) cudaMalloc(&p, 16);
        return sum_of(A, n) == 1;
    }
    if (is("managed")) {
        float *p = nullptr;
        cudaMallocManaged((void **)&p, n * sizeof *A);
        keep<<<1, 32>>>(holder{p}, A, (int)n);
    }
    if (is("cublas")) {
        cublasHandle_t handle;
        cublasCreate(&handle);
    }
    if (is("pinned")) {
        float *p = nullptr;
        cudaMallocHost((void **)&p, n * sizeof *A);
        keep<<<1, 32>>>(holder{p}, A, (int)n);
    }
    if (is("kernel_to_malloc")) keep<<<1, 32>>>(holder{(float *)malloc(n * sizeof *A)}, A, (int)n);
    if (is("kernel_to_variable")) keep<<<1, 32>>>(holder{here}, A, (int)n);
    return 0;
}

// ---- memory pools and events: are their handles what simt gave out?

// The table that knows the handle, if it stands somewhere behind it: the guest enters an address of its choice there.
static int enters(void *handle, void *forged) {
    for (void *volatile *word = (void *volatile *)handle + 4; word < (void *volatile *)handle + 512; word++)
        if (*word == handle) {
            *word = forged;
            return 1;
        }
    return 0;
}

static int forges_a_pool() {
    cudaMemPool_t first, pool;
    cudaMemPoolProps properties = {};
    unsigned long long value = 0;
    if (cudaDeviceGetDefaultMemPool(&first, 0) || cudaMemPoolCreate(&pool, &properties)) return 78;
    const cudaMemPool_t forged = (cudaMemPool_t)((char *)first - 256);  // simt's variables
    if (!enters(pool, forged)) return 0;
    return cudaMemPoolGetAttribute(forged, cudaMemPoolAttrReleaseThreshold, &value) ? 0 : 77;
}

static int forges_an_event() {
    cudaEvent_t event;
    if (cudaEventCreate(&event)) return 78;
    return enters(event, data_of("libsimt")) && !cudaEventRecord((cudaEvent_t)found, 0) ? 77 : 0;
}

// No table is touched: the handle is just wrong. Each call says so.
static int invents_a_pool() {
    static unsigned long long mine[8], value = 1;
    void *p = nullptr;
    for (cudaMemPool_t pool : {(cudaMemPool_t)mine, (cudaMemPool_t)data_of("libsimt"), (cudaMemPool_t)8})
        if (!cudaMemPoolGetAttribute(pool, cudaMemPoolAttrReleaseThreshold, &value) ||
            !cudaMemPoolSetAttribute(pool, cudaMemPoolAttrReleaseThreshold, &value) || !cudaMemPoolTrimTo(pool, 0) ||
            !cudaDeviceSetMemPool(0, pool) || !cudaMemPoolDestroy(pool) || !cudaMallocFromPoolAsync(&p, 64, pool, 0))
            return 77;
    cudaGetLastError();
    return 0;
}

// Host code has lists of its own, of course: small ones and large ones.
static int keeps_lists() {
    int sum = 0;
    for (size_t n = 16; n <= 1 << 20; n *= 16) {
        volatile int *list = (volatile int *)malloc(n * sizeof *list);
        for (size_t i = 0; i < n; i++) list[i] = (int)i & 1;
        sum += list[n - 1];
        free((void *)list);
    }
    return sum == 5 ? 0 : 78;
}

static int pools(const float *C) {
    if (is("keeps_lists")) return keeps_lists();
    cudaMemPool_t pool;
    if (is("forges_a_pool")) return forges_a_pool();
    if (is("forges_an_event")) return forges_an_event();
    if (is("invents_a_pool")) return invents_a_pool();
    if (strncmp(trick, "pool_", 5)) return 0;
    cudaDeviceGetDefaultMemPool(&pool, 0);
    if (is("pool_reads_device")) cudaMemPoolSetAttribute(pool, cudaMemPoolAttrReleaseThreshold, (void *)C);
    if (is("pool_answers_there")) cudaMemPoolGetAttribute(pool, cudaMemPoolAttrReleaseThreshold, data_of("libsimt"));
    if (is("pool_memory_on_the_host")) {
        float *p = nullptr;
        cudaMallocAsync((void **)&p, 1 << 14, (cudaStream_t)0);
        return sum_of(p, 64) == 1;
    }
    return 0;
}

// ---- behind the last allocation: in checked mode its pages are open while a kernel runs, up to a multiple of 2 MiB

static __global__ void parks(holder to, const float *A) {
    if (threadIdx.x == 0) to.host[0] = A[0];
}
static __global__ void adds(holder to) { atomicAdd(to.host, 1.f); }
static __global__ void copies(holder to, const float *A) { memcpy(to.host, A, 64); }
static __global__ void caches_not(holder to, const float *A) {
    asm volatile("st.global.cs.f32 [%0], %1;" ::"l"(to.host), "f"(A[0]) : "memory");
}

// Whoever stores there has memory that is in nobody's count. 0: it was refused, or the stage has ended.
static int behind(const float *A) {
    float *last = nullptr;
    if (strncmp(trick, "behind_", 7)) return 0;
    if (cudaMalloc((void **)&last, 256)) return 78;
    float *const there = last + (is("behind_near") ? 64 : 1 << 14);
    if (is("behind_near") || is("behind_store")) parks<<<1, 32>>>(holder{there}, A);
    if (is("behind_atomic")) adds<<<1, 1>>>(holder{there});
    if (is("behind_copy_in_kernel")) copies<<<1, 1>>>(holder{there}, A);
    if (is("behind_ptx")) caches_not<<<1, 1>>>(holder{there}, A);
    if (is("behind_load")) parks<<<1, 32>>>(holder{last}, there);
    if (is("behind_host")) *(volatile float *)there = 1;
    if (is("behind_host_of_the_next")) {
        parks<<<1, 32>>>(holder{last}, A);
        return sum_of(there, 64) == 1;
    }
    int refused = 1;
    if (is("behind_memset")) refused = cudaMemset(there, 0, 64) != 0;
    if (is("behind_memcpy")) refused = cudaMemcpy(there, A, 64, cudaMemcpyDeviceToDevice) != 0;
    if (is("behind_memcpy_over_the_end")) refused = cudaMemcpy(last, A, 1024, cudaMemcpyDeviceToDevice) != 0;
    cudaFree(last);
    cudaGetLastError();
    if (is("behind_freed")) parks<<<1, 32>>>(holder{last}, A);
    return refused ? 0 : 77;
}

static int attacks(float *C) {
    if (is("forks")) return fork() != -1 || errno != EPERM ? 77 : 0;
    if (is("writes_code")) return mmap(0, 4096, 7, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0) == MAP_FAILED ? 0 : 77;
    if (is("asks_for_the_table")) return ((const void *(*)())dlsym(RTLD_DEFAULT, "simt_guests"))() ? 77 : 0;
    if (is("asks_for_too_much")) prints<<<1, 1, 60000>>>();
    if (cudaGetLastError()) return ATTN_CUDA_ERROR;
    if (is("prints")) prints<<<1, 1>>>();
    if (is("stores")) *(volatile char *)data_of("libsimt") = 0;
    if (is("stores_in_the_runner")) *(volatile char *)data_of("") = 0;
    if (is("stores_in_counters")) *(volatile char *)0x500000001000 = 0;
    if (is("prints_n")) writes_by_printf<<<1, 1>>>();
    if (is("clears")) memset(data_of("libsimt"), 0, 8);
    if (is("copies_there")) cudaMemcpy(data_of("libsimt"), C, 8, cudaMemcpyDeviceToHost);
    if (is("copies_host_to_host")) {
        static char zeros[8];
        cudaMemcpy(data_of("libsimt"), zeros, 8, cudaMemcpyHostToHost);
    }
    if (is("asks_into")) cudaGetDevice((int *)data_of("libsimt"));
    if (is("calls_into_simt")) ((void (*)())((char *)&cudaGetDeviceCount + 4))();
    if (is("calls_into_the_c_library")) {
        void (*volatile clear)(void *, int, size_t) = (void (*)(void *, int, size_t))((char *)&strlen + 1);
        clear(found, 0, 8);
    }
    if (is("calls_by_pointer")) {
        float (*volatile f)(float) = expf;
        cudaError_t (*volatile g)(int *) = cudaGetDevice;
        int (*volatile h)(const char *) = is;
        int device = (int)f(0) * 0 + h("");
        if (g(&device) || device) return 78;
    }
    if (is("kernel_stores")) pokes<<<1, 1>>>(holder{(float *)data_of("libsimt")});
    return 0;
}

ATTN_API attn_status attn_gemm_nn(float *C, const float *A, const float *B, int batch, int m, int n, int k,
                                  cudaStream_t stream) {
    trick = getenv("TRICK") ? getenv("TRICK") : "";
    if (const int status = reads(A, (size_t)m * k) + attacks(C) + pools(C) + behind(A)) return (attn_status)status;
    multiply<<<dim3(n / T, m / T), dim3(T, T), 0, stream>>>(C, A, B, n, k);
    return ATTN_OK;
}
