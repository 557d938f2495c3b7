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
    int k;
    simt_matrix_type a, b, c, d;
} simt_mma_kind;
// D = A B + C, 16 x 8 times k; this lane's registers of each.
void simt_mma(uint32_t *d, const uint32_t *a, const uint32_t *b, const uint32_t *c, simt_mma_kind kind);

#ifdef __cplusplus
}
#endif
#endif
