// attention.cu: the functions that a layer is made of: the student's, and the given ones around them.
#include "network.h"

// attn_functions has no room for a workspace, so decode's is kept here. A process runs one model.
static const lab_stages *current;
static float *split_workspace;

static attn_status decode_in_splits(float *O, const float *Q, const float *K, const float *V, const int *lengths,
                                    attn_cache cache, cudaStream_t stream) {
    return current->decode_split(O, Q, K, V, lengths, split_workspace, 0, cache, stream);
}

static attn_status no_append(float *, float *, int *, const float *, const float *, attn_cache, cudaStream_t) {
    return ATTN_OK;
}

static attn_status no_decode(float *, const float *, const float *, const float *, const int *, attn_cache,
                             cudaStream_t) {
    return ATTN_OK;
}

attn_functions lab_functions(const lab_stages *stages, float *workspace, int without_attention) {
    attn_functions f = {stages->flash, stages->append, stages->decode, lab_linear, lab_split_qkv, lab_merge_heads};
    current = stages;
    lab_use_linear(stages->linear);
    split_workspace = workspace;
    if (stages->decode_split) f.decode = decode_in_splits;
    if (without_attention) f.append = no_append, f.decode = no_decode;
    return f;
}
