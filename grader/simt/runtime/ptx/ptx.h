// ptx.h: what include/simt/ptx/*.h call. As in ../intrinsics.h, each is called from an always_inline wrapper.
#ifndef SIMT_RUNTIME_PTX_H
#define SIMT_RUNTIME_PTX_H

#include "../intrinsics.h"

#ifdef __cplusplus
extern "C" {
#endif

uint32_t simt_dynamic_bytes(void);

uint32_t simt_thread_in_block(void);
void simt_poll(void);  // in a loop that waits: let others run

// named.cpp: bar.sync (wait) and bar.arrive; threads 0: all of the block.
void simt_named_barrier(uint32_t name, uint32_t threads, int wait);
uint32_t simt_named_reduce(uint32_t name, uint32_t threads, int predicate);  // how many had one that holds
void simt_fence_proxy_async(void);
void simt_setmaxnreg(uint32_t registers);

// matrix.cpp: count 1, 2 or 4 matrices of 8 x 8 halves; row: the one that this lane names.
void simt_ldmatrix(uint32_t *to, int count, int transposed, const void *row);
void simt_stmatrix(const uint32_t *from, int count, int transposed, void *row);
typedef enum {
    SIMT_MATRIX_F16,
    SIMT_MATRIX_BF16,
    SIMT_MATRIX_TF32,
    SIMT_MATRIX_F32,
    SIMT_MATRIX_S8,
    SIMT_MATRIX_U8,
    SIMT_MATRIX_S32
} simt_matrix_type;
typedef struct {
    int m, k;
    simt_matrix_type a, b, c, d;
} simt_mma_kind;
// D = A B + C, m x 8 times k (m: 16, of bytes also 8); this lane's registers of each.
void simt_mma(uint32_t *d, const uint32_t *a, const uint32_t *b, const uint32_t *c, simt_mma_kind kind);

// mbarrier.cpp
void simt_mbarrier_init(void *p, uint32_t count);
void simt_mbarrier_invalidate(void *p);
uint64_t simt_mbarrier_arrive(void *p, uint32_t count, uint32_t bytes,
                              int drop);  // bytes: to expect. Returns the state before
void simt_mbarrier_expect(void *p, uint32_t bytes);
void simt_mbarrier_complete(void *p, uint32_t bytes);
int simt_mbarrier_wait(void *p, uint32_t parity, int may_sleep);  // is the phase of that parity over?
int simt_mbarrier_wait_state(void *p, uint64_t state, int may_sleep);

// engine.cpp: the copy engine. reduction: a simt::Reduction, 0 for a plain store.
void simt_bulk_load(void *to, const void *from, uint32_t bytes, void *mbarrier);
void simt_bulk_store(void *to, const void *from, uint32_t bytes, int reduction, simt_type type);
void simt_tensor_load(void *to, const void *map, int rank, const int32_t *at, void *mbarrier);
void simt_tensor_store(const void *map, int rank, const int32_t *at, const void *from, int reduction);
void simt_bulk_commit(void);
void simt_bulk_wait(uint32_t newest_groups_left);

// wgmma.cpp: D = A B, or D += A B, 64 x n times k. a: registers of this lane, or null where descriptor_a has the tile.
typedef struct {
    int n, k;
    simt_matrix_type a, b, d;
    int add, negate_a, negate_b, transposed_a, transposed_b;
} simt_wgmma_kind;
void simt_wgmma(uint32_t *const *d, const uint32_t *a, uint64_t descriptor_a, uint64_t descriptor_b,
                const simt_wgmma_kind *kind);
void simt_wgmma_fence(void);
void simt_wgmma_commit(void);
void simt_wgmma_wait(uint32_t newest_groups_left);

#ifdef __cplusplus
}
#endif
#endif
