// random.c: a GPT-2 that nobody trained: weights from a seed, each computed from its place alone.
//
// Element i of tensor t is  std * z,  with
//     z   = (sum of the four 16-bit words of bits - 131070) / 37837.23       mean 0, standard deviation 1, |z| < 3.47
//     bits = mix(mix(mix(seed) + t) + (i + 1) * 0x9e3779b97f4a7c15)           mix: SplitMix64 (Steele, Lea, Flood 2014)
// Tensor numbers: 0 wte, 1 wpe, 2 + 12 l + k the k-th of gpt2_layer_tensors in layer l. Layer norms are g = 1, b = 0.
//
// std of a bias is 0.1; of a matrix 1 / sqrt(inputs), so activations keep their size at every E, except that
//   - Q and K are twice as large: scores with a standard deviation of 4 make attention choose among the keys. With
//     GPT-2's initial weights it is nearly an average, and a wrong attention kernel would hardly change a token;
//   - additions to the residual stream are 4 / sqrt(2 L) as large: the sum of all layers outweighs the
//     embedding. Otherwise the likeliest token is always the last one, for its embedding is also its row of the
//     logits' matrix;
//   - wte has 2 / sqrt(E): logits with a standard deviation of 2.
#include "checkpoint.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "parallel.h"

static const double BIAS_STD = 0.1, QK_GAIN = 2, RESIDUAL_GAIN = 4, WTE_GAIN = 2, WPE_GAIN = 1;

static uint64_t mix(uint64_t z) {
    z = (z ^ z >> 30) * 0xbf58476d1ce4e5b9;
    z = (z ^ z >> 27) * 0x94d049bb133111eb;
    return z ^ z >> 31;
}

// x[rows, cols]; the first `loud` columns are multiplied by QK_GAIN.
static void fill(float *x, int64_t rows, int64_t cols, int64_t loud, double std, uint64_t key) {
    const float quiet_scale = (float)(std / 37837.23), loud_scale = (float)(std * QK_GAIN / 37837.23);
    PARALLEL_FOR(rows * cols)
    for (int64_t r = 0; r < rows; r++)
        for (int64_t c = 0; c < cols; c++) {
            const uint64_t bits = mix(key + (r * cols + c + 1) * 0x9e3779b97f4a7c15);
            const int sum = (bits & 0xffff) + (bits >> 16 & 0xffff) + (bits >> 32 & 0xffff) + (bits >> 48);
            x[r * cols + c] = (float)(sum - 131070) * (c < loud ? loud_scale : quiet_scale);
        }
}

static void constant(float *x, int64_t n, float value) {
    for (int64_t i = 0; i < n; i++) x[i] = value;
}

// Fills layer l's tensors one after the other; returns the memory after them.
static float *fill_layer(gpt2_layer *layer, int l, float *x, const gpt2_config *config, uint64_t seed) {
    const int64_t E = config->n_embd;
    for (int k = 0; k < GPT2_LAYER_TENSORS; k++) {
        const gpt2_tensor *t = &gpt2_layer_tensors[k];
        const int64_t rows = t->rows ? t->rows * E : 1, cols = t->cols * E;
        const int qkv = t->field == offsetof(gpt2_layer, W_qkv);
        const int to_residual = t->field == offsetof(gpt2_layer, W_out) || t->field == offsetof(gpt2_layer, W_proj);
        const double gain = to_residual ? RESIDUAL_GAIN / sqrt(2.0 * config->n_layer) : 1;
        const double std = gain * (t->rows ? 1 / sqrt(rows) : BIAS_STD);
        if (t->field == offsetof(gpt2_layer, ln_1_g) || t->field == offsetof(gpt2_layer, ln_2_g))
            constant(x, cols, 1);
        else if (t->field == offsetof(gpt2_layer, ln_1_b) || t->field == offsetof(gpt2_layer, ln_2_b))
            constant(x, cols, 0);
        else
            fill(x, rows, cols, qkv ? 2 * E : 0, std, mix(seed + 2 + 12 * (uint64_t)l + k));
        *gpt2_field(layer, t) = x;
        x += rows * cols;
    }
    return x;
}

gpt2_checkpoint *gpt2_random(gpt2_config config, uint64_t seed) {
    const int64_t E = config.n_embd, V = config.vocab_size, P = config.n_positions;
    const int64_t per_layer = 12 * E * E + 13 * E, all = (V + P + 2) * E + config.n_layer * per_layer;
    gpt2_checkpoint *c = calloc(1, sizeof *c);
    float *x = malloc(all * sizeof *x);
    gpt2_layer *layers = calloc(config.n_layer, sizeof *layers);
    if (!c || !x || !layers) {
        free(c), free(x), free(layers);
        return NULL;
    }
    config.tied = 1;
    seed = mix(seed);
    *c = (gpt2_checkpoint){.config = config, .memory = x, .weights.layers = layers};

    fill(x, V, E, 0, WTE_GAIN / sqrt(E), mix(seed + 0));
    c->weights.wte = c->weights.lm_head = x, x += V * E;
    fill(x, P, E, 0, WPE_GAIN / sqrt(E), mix(seed + 1));
    c->weights.wpe = x, x += P * E;
    constant(x, E, 1);
    c->weights.ln_f_g = x, x += E;
    constant(x, E, 0);
    c->weights.ln_f_b = x, x += E;
    for (int l = 0; l < config.n_layer; l++) x = fill_layer(&layers[l], l, x, &config, seed);
    return c;
}

int gpt2_random_read(const char *text, gpt2_config *config, unsigned long long *seed, char *why, size_t size) {
    enum { MOST = 1 << 20 };
    const struct {
        const char *name;
        int *value;
    } sizes[] = {{"layers", &config->n_layer},
                 {"hidden", &config->n_embd},
                 {"heads", &config->n_head},
                 {"vocab", &config->vocab_size},
                 {"positions", &config->n_positions}};
    *config = gpt2_config_default();
    *seed = 1;
    for (const char *p = text; *p;) {
        char name[16] = "";
        unsigned long long value = 0;
        int length = 0;
        const int read = sscanf(p, "%15[a-z]=%llu%n", name, &value, &length);
        int known = read == 2 && (!p[length] || p[length] == ',') && strcmp(name, "seed") == 0;
        if (known) *seed = value;
        for (size_t i = 0; i < sizeof sizes / sizeof *sizes && read == 2 && value >= 1 && value <= MOST; i++)
            if (strcmp(name, sizes[i].name) == 0) *sizes[i].value = (int)value, known = 1;
        if (!known || (p[length] && p[length] != ',')) {
            snprintf(why, size,
                     "random model: \"%s\": write NAME=NUMBER,NAME=NUMBER with layers, hidden, heads, vocab, positions "
                     "(1 to %d), seed",
                     p, MOST);
            return 0;
        }
        p += length + (p[length] == ',');
    }
    return 1;
}
