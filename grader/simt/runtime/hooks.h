// hooks.h: what the runtime tells the checker. The checker fills the table and installs it before main (a constructor in
// libsimt_checked); in fast mode `simt_hooks` stays NULL and costs one test. All calls come from the thread that runs
// the kernel: checked mode runs one block at a time, on one OS thread.
//
// Order: launch_begin { block_begin { resume, access, arrive, barrier, ... thread_exit } block_end } launch_end.
#ifndef SIMT_HOOKS_H
#define SIMT_HOOKS_H

#include <stddef.h>
#include <stdint.h>

#include "../check/simt_check.h"
#include "abi.h"
#include "intrinsics.h"

#ifdef __cplusplus
#pragma GCC visibility push(hidden)
extern "C" {
#endif

typedef enum { SIMT_LOAD, SIMT_STORE, SIMT_ATOMIC, SIMT_CAS } simt_access_kind;  // CAS: the atomic that compares

// BLOCK_BARRIER: __syncthreads. WARP_BARRIER: __syncwarp, sync() of a tile. WARP_EXCHANGE: shuffles, votes, match,
// reductions: the lanes converge but CUDA promises no memory order.
// PARTIAL_BARRIER: named barriers, mbarriers (only `arrive` tells of it; order comes by release and acquire).
typedef enum { SIMT_BLOCK_BARRIER, SIMT_WARP_BARRIER, SIMT_WARP_EXCHANGE, SIMT_PARTIAL_BARRIER } simt_barrier_kind;

typedef struct {
    const simt_site *site;
    simt_uint3 grid, block;
    size_t shared_bytes;  // dynamic
    const void *args;     // the packed arguments: every thread may read them
    size_t args_size;
    const void *caller;  // guest_that_called(kernel): reports show this line, and none of the kernel's
} simt_launch_info;

// A `pc` is a return address into the student's code (__builtin_return_address(0) of the call it made).
// `thread` is the linear index in the block, threadIdx.x fastest.
typedef struct {
    // Allocations: cudaMalloc and friends, __device__ and __constant__ variables (name set), freed ones too.
    // Freed memory stays mapped, and its addresses are not given out again, in checked mode.
    void (*alloc)(void *p, size_t size, const char *name, const void *pc);
    void (*free)(void *p, const void *pc);
    // The host API touched device memory [p, p + n): write nonzero initialises it.
    void (*host_access)(const void *p, size_t n, int write, const void *pc);
    void (*launch_begin)(const simt_launch_info *launch);  // `launch` stays valid until launch_end
    void (*launch_end)(void);
    // dynamic_shared: where this block's `shared_bytes` lie.
    void (*block_begin)(simt_uint3 block, void *dynamic_shared);
    void (*block_end)(void);
    // A fiber starts or goes on: everything until the next resume is done by this thread, whose stack this is.
    void (*resume)(int thread, const void *stack_lo, const void *stack_hi);
    void (*shared_var)(void *p, size_t size, const char *name);  // once per variable and block
    // Accesses of the running thread that instrumentation cannot see (atomics, wmma).
    void (*access)(const void *p, size_t n, simt_access_kind kind, const void *pc);
    // memcpy and its like in device code, right before they move the n bytes: of any alignment.
    void (*move)(const void *p, size_t n, simt_access_kind kind, const void *pc);
    // The running thread waits here (called before it is suspended). mask: lanes, ~0 for a block barrier.
    void (*arrive)(simt_barrier_kind kind, uint32_t mask, const void *pc);
    // The given threads (all live ones of the block; or the lanes of `mask` in `warp`) have met: what each did before
    // happens before what any of them does next (WARP_EXCHANGE: they only met). Called once, before any goes on.
    void (*barrier)(simt_barrier_kind kind, int warp, uint32_t mask, const void *pc);
    // No thread can go on: each has exited or waits where `arrive` said. The runtime then fails the launch.
    void (*deadlock)(void);
    void (*fence)(int thread, int scope);  // scope 0 block, 1 device, 2 system
    // cp.async: the bytes land at any time between issue and the wait that covers them.
    void (*async_copy)(void *dst, const void *src, size_t n, size_t zero_fill, int group, const void *pc);
    void (*async_wait)(int thread, int groups_done);  // groups 0..groups_done-1 of this thread have landed
    void (*thread_exit)(int thread);
    void (*returns)(int thread);  // before thread_exit, where the kernel ends by a `return;`
    // Lane `lane` of `warp` shuffles a value out of lane `source`, which has returned from the kernel (or was never there), or
    // which the mask does not name. The operation and its second operand as in intrinsics.h.
    void (*no_source)(int warp, int lane, int source, int named, simt_warp_op op, int argument, const void *pc);
    void (*synchronised)(void);  // the host has waited for the device
    // SIGSEGV, SIGBUS, SIGFPE or a stack overflow in a kernel at `pc` (here the faulting instruction): reports it.
    // `what` is the runtime's word for it. The runtime then fails the launch.
    void (*fault)(const void *address, const void *pc, const char *what);
    // Right after alloc of a __device__, __constant__ or __managed__ variable: which of these it is.
    void (*variable)(void *p, simt_variable_kind kind);
    const simt_check_table *check;  // for guests.h
    // Barriers that only some threads meet at, by the address of the object: what the running thread did before `release` happens
    // before what another does after `acquire`.
    void (*release)(const void *object);
    void (*acquire)(const void *object);
    // A launch begins (1), or has ended (0), that the checker does not follow: what it wrote counts as written.
    void (*unwatched)(int begins);
    int (*skip_block)(uint64_t number);  // 1: the block is not run: others stand for it
    // Copy `id` of the copy engine begins, by the running thread: it writes n bytes of shared memory until the mbarrier's phase
    // ends, or (mbarrier null) reads them. It ends when its bytes have moved.
    void (*engine_begins)(uint64_t id, const void *shared, size_t n, const void *mbarrier, const void *pc);
    void (*engine_ends)(uint64_t id);
    // wgmma. Product `id` of the running warp begins: it reads n pieces of 16 bytes of shared memory until it ends.
    // Each 8 pieces are a core matrix; the first `counted` are read for this warp, others for the whole warpgroup, once.
    void (*product_begins)(uint64_t id, const void *const *pieces, size_t n, size_t counted, const void *pc);
    void (*product_ends)(uint64_t id);
    void (*products_waited)(int warp);  // its lanes have met, and what has ended happens before what they do next
    // n registers of this thread belong to products under way; belong to the thread again.
    void (*sums_taken)(int thread, uint32_t *const *at, int n, const void *pc);
    void (*sums_given_back)(int thread, uint32_t *const *at, int n);
    void (*product_unfenced)(int sums_changed, const void *pc);  // no wgmma.fence: ever, or since the sums were changed
    void (*proxy_fence)(int thread);                             // fence.proxy.async
    // A library's function (cuBLAS), called at `pc`, has read or written n bytes of device memory, in elements of this size: as a
    // kernel does that nobody watches inside.
    void (*library)(const void *p, size_t n, size_t element, int write, const char *function, const void *pc);
    void (*tensor_flops)(uint64_t flops);  // of one warp: mma.sync, wgmma, wmma
    // The copy engine moves n bytes of global memory, of the copy at pc; `first`: its first ones.
    void (*engine_moves)(const void *p, size_t n, simt_access_kind kind, int first, const void *pc);
    void (*broadcasts)(uint64_t words);  // the lanes of a warp have exchanged so many words each
    // Can the checker follow so many blocks, of so many threads each, that run at the same time? Before launch_begin.
    int (*follows)(uint32_t blocks, uint32_t threads);
    // Blocks that run at the same time. gang_begins { gang_enters, block_begin of each, in order; gang_enters whenever another block
    // goes on; gang_enters, block_end of each } gang_ends.
    void (*gang_begins)(uint32_t blocks, uint32_t cluster_blocks);
    void (*gang_ends)(void);
    void (*gang_enters)(uint32_t rank);
    // The running thread arrives at, has waited for, a barrier of several blocks (0: the cluster's, 1: the grid's), in this phase.
    void (*wide_arrives)(int wide, uint32_t phase);
    void (*wide_waited)(int wide, uint32_t phase);
    void (*wide_exits)(int thread, uint32_t cluster_phase, uint32_t grid_phase);  // it returns while these are open
    void (*element)(const void *p, size_t bytes);  // a kernel takes p for structs of this size, 0: for numbers
} simt_hook_table;

extern const simt_hook_table *simt_hooks;

// What lane `taker` gets by a shuffle from a lane that is not there, in both modes: undefined on a GPU, here a number
// that shows. It is NaN as double, float, half and bfloat16, and a NaN keeps its bits through most arithmetic: the
// checker knows it again in memory.
#define SIMT_ABSENT 0x7ffd7fc0u
#define SIMT_ABSENT_OF(taker) ((uint64_t)(SIMT_ABSENT | (taker)) * 0x100000001u)

// What the checker asks the runtime.
typedef struct {
    const char *lo, *hi;
} simt_range;
simt_range simt_device_memory(void);  // every address that cudaMalloc can ever give
simt_uint3 simt_running_block(void);
simt_range simt_shared_memory(void);  // the running block's shared memory, static and dynamic, red zones included
// Who may touch p: 0 no allocation, 1 the device (cudaMalloc, __device__), 2 both (cudaMallocManaged: hook `alloc` has told of
// it), 3 both (host memory of cudaMallocHost or cudaHostRegister: no hook tells of it).
int simt_memory_kind(const void *p);
int simt_context_broke(void);  // has a kernel stopped, ever?
int simt_has_guests(void);
int simt_is_guest(const void *pc);                  // is this a guest's code (guests.h)?
int simt_guest_may_write(const void *p, size_t n);  // its host code
void simt_end_guest(const void *pc, const char *what) __attribute__((noreturn));
// Of a thread that waits at a PARTIAL_BARRIER: "the mbarrier, in phase 0, which lacks ..."; valid until the next call.
const char *simt_waits_for(int thread);
int simt_stack_owner(const void *p);  // the thread of the running block whose stack holds p, or -1
// Ends the running kernel with this CUDA error (700 illegal address, 716 misaligned, 719 launch failure): does not
// return. The program goes on after the launch.
void simt_stop_kernel(int cuda_error) __attribute__((noreturn));

#ifdef __cplusplus
}
#pragma GCC visibility pop
#endif
#endif
