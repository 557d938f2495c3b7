// null.c: a stage that does nothing. Its time is what the lab's own boundary costs, and is subtracted from all others.
#include "task1.h"
#include "task3.h"

attn_status attn_sdpa(float *O, const float *Q, const float *K, const float *V, attn_shape shape) {
    (void)O, (void)Q, (void)K, (void)V, (void)shape;
    return ATTN_OK;
}

attn_status attn_tiled(float *O, const float *Q, const float *K, const float *V, attn_shape shape, attn_tiles tiles) {
    (void)O, (void)Q, (void)K, (void)V, (void)shape, (void)tiles;
    return ATTN_OK;
}
