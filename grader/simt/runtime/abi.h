// abi.h: the calls that rewritten CUDA code makes into the runtime. Plain C, so that every room agrees on it.
//
//     include/simt/*.h  --(these calls)-->  runtime/  --(hooks.h)-->  check/
#ifndef SIMT_ABI_H
#define SIMT_ABI_H

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef struct {
    unsigned x, y, z;
} simt_uint3;

// Where a launch stands in the student's source. `kernel` is the text before <<<, macros expanded.
typedef struct {
    const char *kernel, *file;
    int line;
} simt_site;

// Runs thunk(ctx) once per thread of the grid. fn: the kernel's address, the key of cudaFuncSetAttribute
// (NULL: unknown). ctx, ctx_size: the packed arguments, which the checker treats as readable by every thread.
// Errors go where CUDA's go: cudaGetLastError, or the next synchronising call.
void simt_launch(const simt_site *site, const void *fn, simt_uint3 grid, simt_uint3 block, size_t shared_bytes,
                 void *stream, void (*thunk)(void *ctx), void *ctx, size_t ctx_size);

// Optional, before simt_launch: the blocks of a cluster run at the same time, those of a cooperative launch all.
void simt_launch_together(simt_uint3 cluster, int cooperative);

// __launch_bounds__: a block of the kernel has at most so many threads; 0: the kernel is gone (dlclose, exit).
void simt_launch_bounds(const void *fn, unsigned threads);

// threadIdx, blockIdx, blockDim, gridDim of the running fiber, as x | y << 32 | z << 48: y and z have 16 bits at most. A
// number, for the compiler calls a const function once instead of at each use only if no struct comes back.
uint64_t simt_thread_idx(void) __attribute__((const));
uint64_t simt_block_idx(void) __attribute__((const));
uint64_t simt_block_dim(void) __attribute__((const));
uint64_t simt_grid_dim(void) __attribute__((const));

// This block's instance of a __shared__ variable: same key, same address within one block. Fresh and poisoned per block.
void *simt_shared(const void *key, size_t size, size_t align, const char *name);
// This block's dynamic shared memory (extern __shared__), `shared_bytes` of the launch, aligned to 1024.
void *simt_dynamic_shared(void) __attribute__((const));

// A __device__, __constant__ or __managed__ variable of the program: it lives in the host's data segment, and counts as
// device memory from here on (cudaMemcpyToSymbol, the checker). Called by a static constructor before main or within
// dlopen; simt_variable_gone by its destructor, within dlclose or at exit.
typedef enum { SIMT_DEVICE, SIMT_CONSTANT, SIMT_MANAGED } simt_variable_kind;
void simt_variable(void *p, size_t size, const char *name, simt_variable_kind kind);
void simt_variable_gone(void *p);
// The pages [lo, hi) hold such variables and nothing else: the host may not touch them while no kernel runs.
void simt_variable_pages(void *lo, void *hi);

// Optional, before simt_launch: the kernel's argument `position` (from 1) is this data pointer. Where it points into host
// memory the launch fails as on a GPU (cudaErrorIllegalAddress), instead of working by luck.
void simt_pointer_argument(int position, const void *p);
// What it points to is a struct of so many bytes (0: none, or unknown): reports count in these.
void simt_pointer_element(const void *p, size_t bytes);

#ifdef __cplusplus
}
#endif
#endif
