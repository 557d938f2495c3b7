// gpt2_oracle.c: GPT-2's forward pass (Radford et al. 2019) in float64.
//
//     x = wte[token] + wpe[position]
//     every layer:  x += attention(layer_norm(x)) W_out + b_out
//                   x += gelu(layer_norm(x) W_fc + b_fc) W_proj + b_proj
//     logits = layer_norm(x) lm_head^T
//
// Rows are tokens: x [n, E], where the n new tokens have positions o->length .. o->length + n - 1.
#include "gpt2_oracle.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "parallel.h"

struct gpt2_oracle {
    const gpt2_config *config;
    const gpt2_weights *weights;
    int capacity, length;
    double *keys, *values;  // [L, capacity, E]
    double *scores;         // [H, capacity]
};

// Of one call: every row buffer lies in `memory`.
typedef struct {
    int n;
    double *memory, *x, *normed, *qkv, *heads, *hidden;  // [n, E], [n, E], [n, 3E], [n, E], [n, 4E]
} buffers;

static void layer_norm(double *y, const double *x, const float *g, const float *b, int n, const gpt2_config *c) {
    const int E = c->n_embd;
    for (int r = 0; r < n; r++, x += E, y += E) {
        double mean = 0, var = 0;
        for (int i = 0; i < E; i++) mean += x[i] / E;
        for (int i = 0; i < E; i++) var += (x[i] - mean) * (x[i] - mean) / E;
        const double scale = 1 / sqrt(var + c->layer_norm_epsilon);
        for (int i = 0; i < E; i++) y[i] = (x[i] - mean) * scale * g[i] + b[i];
    }
}

// y[n, out] = x[n, in] W[in, out] + b, or y += ... A tile of W at a time, copied so that it stays in the nearest cache
// while every row uses it; each sum still runs over the inputs in order.
enum { COLS = 64, ROWS = 32 };
static void linear(double *y, const double *x, const float *W, const float *b, int n, int in, int out, bool add) {
    PARALLEL_FOR((double)n * in * out)
    for (int c0 = 0; c0 < out; c0 += COLS) {
        const int cols = out - c0 < COLS ? out - c0 : COLS;
        double w[ROWS][COLS] = {{0}}, sum[COLS] = {0};
        for (int i0 = 0; i0 < in; i0 += ROWS) {
            const int rows = in - i0 < ROWS ? in - i0 : ROWS;
            for (int i = 0; i < rows; i++)
                for (int c = 0; c < cols; c++) w[i][c] = W[(size_t)(i0 + i) * out + c0 + c];
            for (int r = 0; r < n; r++) {
                double *to = y + (size_t)r * out + c0;
                for (int c = 0; c < cols; c++) sum[c] = i0 ? to[c] : b[c0 + c] + (add ? to[c] : 0);
                for (int i = 0; i < rows; i++)
                    for (int c = 0; c < COLS; c++) sum[c] += x[(size_t)r * in + i0 + i] * w[i][c];
                memcpy(to, sum, cols * sizeof *sum);
            }
        }
    }
}

// The query q of head h against keys 0 .. n_keys - 1 of a layer's cache.
static void attend(const gpt2_oracle *o, double *out, const double *q, size_t cache, int h, int n_keys) {
    const int E = o->config->n_embd, D = E / o->config->n_head;
    const double *k = o->keys + cache + (size_t)h * D, *v = o->values + cache + (size_t)h * D;
    double *p = o->scores + (size_t)h * o->capacity, max = -INFINITY, sum = 0;
    for (int j = 0; j < n_keys; j++) {
        double s = 0;
        for (int d = 0; d < D; d++) s += q[d] * k[(size_t)j * E + d];
        p[j] = s / sqrt(D);
        max = fmax(max, p[j]);
    }
    for (int j = 0; j < n_keys; j++) sum += p[j] = exp(p[j] - max);
    for (int d = 0; d < D; d++) out[d] = 0;
    for (int j = 0; j < n_keys; j++)
        for (int d = 0; d < D; d++) out[d] += p[j] / sum * v[(size_t)j * E + d];
}

// heads[n, E] from qkv[n, 3E]; the new keys and values join the cache first, and token r sees those up to its own.
static void attention(gpt2_oracle *o, const buffers *t, int layer) {
    const int E = o->config->n_embd, H = o->config->n_head;
    const size_t cache = (size_t)layer * o->capacity * E;
    for (int r = 0; r < t->n; r++) {
        const size_t slot = cache + (size_t)(o->length + r) * E;
        memcpy(o->keys + slot, t->qkv + (size_t)r * 3 * E + E, E * sizeof(double));
        memcpy(o->values + slot, t->qkv + (size_t)r * 3 * E + 2 * E, E * sizeof(double));
    }
    PARALLEL_FOR(2.0 * t->n * (o->length + t->n) * E)
    for (int h = 0; h < H; h++)
        for (int r = 0; r < t->n; r++)
            attend(o, t->heads + (size_t)r * E + h * (E / H), t->qkv + (size_t)r * 3 * E + h * (E / H), cache, h,
                   o->length + r + 1);
}

// "gelu_new": Hendrycks and Gimpel 2016, the approximation by tanh.
static double gelu(double x) { return 0.5 * x * (1 + tanh(sqrt(2 / M_PI) * (x + 0.044715 * x * x * x))); }

static void run_layer(gpt2_oracle *o, const buffers *t, int l) {
    const gpt2_layer *w = &o->weights->layers[l];
    const int n = t->n, E = o->config->n_embd;
    layer_norm(t->normed, t->x, w->ln_1_g, w->ln_1_b, n, o->config);
    linear(t->qkv, t->normed, w->W_qkv, w->b_qkv, n, E, 3 * E, false);
    attention(o, t, l);
    linear(t->x, t->heads, w->W_out, w->b_out, n, E, E, true);

    layer_norm(t->normed, t->x, w->ln_2_g, w->ln_2_b, n, o->config);
    linear(t->hidden, t->normed, w->W_fc, w->b_fc, n, E, 4 * E, false);
    PARALLEL_FOR(80.0 * n * E)
    for (size_t i = 0; i < (size_t)n * 4 * E; i++) t->hidden[i] = gelu(t->hidden[i]);
    linear(t->x, t->hidden, w->W_proj, w->b_proj, n, 4 * E, E, true);
}

static void embed(const gpt2_oracle *o, const buffers *t, const int *tokens) {
    const int E = o->config->n_embd;
    for (int r = 0; r < t->n; r++) {
        const float *token = o->weights->wte + (size_t)tokens[r] * E;
        const float *position = o->weights->wpe + (size_t)(o->length + r) * E;
        for (int i = 0; i < E; i++) t->x[(size_t)r * E + i] = (double)token[i] + position[i];
    }
}

// logits[rows, V] from h[rows, E]
static void project_to_vocabulary(double *logits, const double *h, const gpt2_oracle *o, int rows) {
    const int E = o->config->n_embd, V = o->config->vocab_size;
    PARALLEL_FOR((double)rows * V * E)
    for (int v = 0; v < V; v++)
        for (int r = 0; r < rows; r++) {
            const float *w = o->weights->lm_head + (size_t)v * E;
            double sum = 0;
            for (int i = 0; i < E; i++) sum += h[(size_t)r * E + i] * w[i];
            logits[(size_t)r * V + v] = sum;
        }
}

bool gpt2_oracle_run(gpt2_oracle *o, const int *tokens, int n, double *logits, int last) {
    const size_t E = o->config->n_embd;
    if (n < 1 || n > o->capacity - o->length || last < 0 || last > n) return false;
    for (int i = 0; i < n; i++)
        if (tokens[i] < 0 || tokens[i] >= o->config->vocab_size) return false;
    buffers t = {.n = n, .memory = malloc(n * 10 * E * sizeof(double))};
    if (!t.memory) return false;
    t.x = t.memory, t.normed = t.x + n * E, t.heads = t.normed + n * E;
    t.qkv = t.heads + n * E, t.hidden = t.qkv + 3 * n * E;

    embed(o, &t, tokens);
    for (int l = 0; l < o->config->n_layer; l++) run_layer(o, &t, l);
    layer_norm(t.normed, t.x, o->weights->ln_f_g, o->weights->ln_f_b, n, o->config);
    project_to_vocabulary(logits, t.normed + (n - last) * E, o, last);
    o->length += n;
    free(t.memory);
    return true;
}

gpt2_oracle *gpt2_oracle_new(const gpt2_checkpoint *model, int capacity) {
    const gpt2_config *c = &model->config;
    if (capacity < 1 || capacity > c->n_positions) return NULL;
    gpt2_oracle *o = calloc(1, sizeof *o);
    if (!o) return NULL;
    const size_t cache = (size_t)c->n_layer * capacity * c->n_embd;
    *o = (gpt2_oracle){c,
                       &model->weights,
                       capacity,
                       0,
                       calloc(cache, sizeof(double)),
                       calloc(cache, sizeof(double)),
                       calloc((size_t)c->n_head * capacity, sizeof(double))};
    if (o->keys && o->values && o->scores) return o;
    gpt2_oracle_free(o);
    return NULL;
}

void gpt2_oracle_free(gpt2_oracle *o) {
    if (!o) return;
    free(o->keys), free(o->values), free(o->scores);
    free(o);
}
