// own_step.cu: a decode step by kernels of the layer's own: the attention of the new tokens to the cache, and the last
// product. What the cache holds is taken as it is, so numbers that fit no mistake prove nothing.
#include "contents.h"
#include "made.h"

int lab_contents_attended(const lab_watch *at, lab_layer_buffer in) {
    const size_t n = at->batch * (size_t)at->E, all = at->bytes[LAB_IN_K_CACHE] / sizeof(float);
    const float *held[2];
    for (int i = 0; i < 2; i++) {
        const lab_layer_buffer cache = i ? LAB_IN_V_CACHE : LAB_IN_K_CACHE;
        held[i] = lab_contents_due(cache);
        if (!held[i]) lab_contents_keep(cache, at->begin[cache], 0, all), held[i] = lab_contents_due(cache);
    }
    const int slots = (int)(all / n), D = at->head_dim;
    const float *q = lab_contents_due(LAB_IN_Q), *got = (const float *)lab_contents_read(at->begin[in], n);
    if (!q || !held[0] || !held[1] || !got) return LAB_MADE_UNKNOWN;
    const lab_made m = {
        LAB_MADE_ATTENTION, {q, held[0], held[1]}, at->batch, at->heads, 1, D, at->count, at->past, slots, 0, 0};
    const int is = lab_made_look(&m, got);
    if (is == LAB_MADE_RIGHT && !lab_contents_due(LAB_IN_MERGED)) lab_contents_keep(LAB_IN_MERGED, at->begin[in], 0, n);
    return is == LAB_MADE_OTHER ? LAB_MADE_UNKNOWN : is;
}

int lab_contents_projected(const lab_watch *at) {
    const size_t n = at->batch * (size_t)at->E;
    const lab_layer_buffer weights[] = {LAB_IN_W_OUT, LAB_IN_B_OUT};
    const float *x = lab_contents_due(LAB_IN_MERGED), *in[2];
    for (int i = 0; i < 2; i++) {
        const size_t numbers = at->bytes[weights[i]] / sizeof(float);
        in[i] = lab_contents_due(weights[i]);
        if (!in[i])
            lab_contents_keep(weights[i], at->begin[weights[i]], 0, numbers), in[i] = lab_contents_due(weights[i]);
    }
    const float *got = (const float *)lab_contents_read(at->begin[LAB_IN_Y], n);
    if (!x || !in[0] || !in[1] || !got) return LAB_MADE_UNKNOWN;
    const lab_made m = {LAB_MADE_PRODUCT, {x, in[0], in[1]}, at->batch, at->heads, 1,    at->head_dim,
                        at->count,        at->past,          1,         at->E,     at->E};
    return lab_made_look(&m, got);
}
