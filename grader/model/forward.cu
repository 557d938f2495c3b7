// forward.cu: from token ids to the next token. The same for a prompt (S tokens per sequence) and for a decode step (one).
//
//     ids -> x = wte + wpe -> [ x += attention(norm(x));  x += W_proj gelu(W_fc norm(x)) ] per layer -> norm -> logits
//
// A residual add is never a kernel: the first rides with the next layer norm, the second with the matrix before it. With
// one row the layer norms ride, too: with the matrix after them. (Not attention's: the layer is given normalised rows. The
// first of those rides with the embedding.)
#include "network.h"

// The first half of a layer: attention.
static attn_status attend(const lab_network *network, lab_session *s, int l, attn_tokens tokens,
                          attn_layer_workspace work, const lab_stages *stages, const attn_functions *call) {
    const gpt2_config *c = &network->config;
    const gpt2_layer *w = &network->weights.layers[l];
    const int E = c->n_embd, rows = s->batch * tokens.seq;
    const size_t cache_at = (size_t)l * s->batch * s->max_seq * E;
    const attn_layer_weights weights = {w->W_qkv, w->b_qkv, w->W_out, w->b_out};
    const attn_layer_cache cache = {
        s->K + cache_at, s->V + cache_at, s->lengths + l * s->batch, {s->batch, c->n_head, s->max_seq, E / c->n_head}};
    const lab_norm norm = {w->ln_1_g, w->ln_1_b, c->layer_norm_epsilon};
    if (l > 0)  // layer 0's has come with the embedding
        TRY(lab_layer_norm(s->normed, s->x, NULL, norm, rows, E, s->stream));
    return stages->layer(s->attended, s->normed, weights, cache, tokens, work, call, s->stream);
}

// The second half.
static attn_status feed_forward(const lab_network *network, lab_session *s, int l, int rows) {
    const gpt2_config *c = &network->config;
    const gpt2_layer *w = &network->weights.layers[l];
    const int E = c->n_embd;
    const lab_norm norm = {w->ln_2_g, w->ln_2_b, c->layer_norm_epsilon};
    if (lab_norm_rides(rows, E)) {
        TRY(lab_norm_linear_gelu(s->hidden, s->x, s->attended, norm, w->W_fc, w->b_fc, E, 4 * E, s->stream));
        return lab_linear_add_both(s->x, s->attended, s->hidden, w->W_proj, w->b_proj, 4 * E, E, s->stream);
    }
    TRY(lab_layer_norm(s->normed, s->x, s->attended, norm, rows, E, s->stream));
    TRY(lab_linear_gelu(s->hidden, s->normed, w->W_fc, w->b_fc, rows, E, 4 * E, s->stream));
    return lab_linear_add(s->x, s->hidden, w->W_proj, w->b_proj, rows, 4 * E, E, s->stream);
}

// All layers of a prompt in one call, where the stage has one (fused.h); ATTN_BAD_SHAPE: it has not.
static attn_status fused_layers(const lab_network *network, lab_session *s, attn_tokens tokens,
                                const attn_layer_workspace *work, const lab_stages *stages) {
    if (!stages->prepare_prompts || !stages->prompt || s->batch != 1) return ATTN_BAD_SHAPE;
    if (tokens.seq == 1 || tokens.past[0] != 0 || tokens.count[0] != tokens.seq || tokens.seq > s->max_seq)
        return ATTN_BAD_SHAPE;
    const int asked = s->prompts_prepared == stages->prepare_prompts;
    if (asked && !s->packed_prompts) return ATTN_BAD_SHAPE;  // it has refused
    if (!s->packed_prompts)
        TRY_CUDA(cudaMalloc((void **)&s->packed_prompts, FUSED_PACKED(network->config) * sizeof(float)));
    const attn_prompt prompt = {network->config,  network->weights, tokens.seq, s->max_seq, s->x, s->normed,
                                s->attended,      s->hidden,        *work,      s->K,       s->V, s->lengths,
                                s->packed_prompts};
    if (!asked) {
        const attn_status status = stages->prepare_prompts(&prompt, s->stream);
        s->prompts_prepared = status == ATTN_OK || status == ATTN_BAD_SHAPE ? stages->prepare_prompts : NULL;
        if (status != ATTN_OK) cudaFree(s->packed_prompts), s->packed_prompts = NULL;
        TRY(status);
    }
    return stages->prompt(&prompt, s->stream);
}

attn_status lab_forward(const lab_network *network, lab_session *s, const int *ids, attn_tokens tokens,
                        attn_layer_workspace work, const lab_stages *stages, const attn_functions *call, int stop) {
    const gpt2_config *c = &network->config;
    const gpt2_weights *w = &network->weights;
    const int B = s->batch, S = tokens.seq, E = c->n_embd, V = c->vocab_size;
    // Layer 0's lengths count the tokens that each sequence has so far. Kernels read them on the device, so a replayed
    // graph sees the right ones.
    const lab_norm first = {w->layers[0].ln_1_g, w->layers[0].ln_1_b, c->layer_norm_epsilon};
    TRY(lab_embed(s->normed, s->x, ids, s->lengths, w->wte, w->wpe, first, B, S, E, V, c->n_positions, s->stream));
    const attn_status fused = fused_layers(network, s, tokens, &work, stages);
    if (fused != ATTN_OK && fused != ATTN_BAD_SHAPE) return fused;
    for (int l = 0; l < c->n_layer && fused != ATTN_OK; l++) {
        TRY(attend(network, s, l, tokens, work, stages, call));
        TRY(feed_forward(network, s, l, B * S));
    }
    const lab_norm norm = {w->ln_f_g, w->ln_f_b, c->layer_norm_epsilon};
    if (lab_norm_rides(B * S, E))
        TRY(lab_norm_logits(s->logits, s->best, s->x, norm, w->lm_head, E, V, s->stream));
    else {
        TRY(lab_layer_norm_last(s->last, s->x, tokens.count_device, norm, B, S, E, s->stream));
        TRY(lab_logits(s->logits, s->best, s->last, w->lm_head, B, E, V, s->stream));
    }
    return lab_argmax(s->tokens, s->host_tokens, s->calls, s->best, B, lab_candidates(V), stop, s->stream);
}
