// config.c: config.json: the sizes of a GPT-2, and refuses every variant that computes something else.
#include "checkpoint.h"

#include <math.h>
#include <string.h>

#include "problem.h"

// Limits keep every size within an int and every product of two within 64 bits; GPT-2 XL is 48, 1600, 25, 1024, 50257.
static const struct {
    const char *key;
    size_t field;
    int max;
} SIZES[] = {
    {"n_layer", offsetof(gpt2_config, n_layer), 1 << 10},
    {"n_embd", offsetof(gpt2_config, n_embd), 1 << 16},
    {"n_head", offsetof(gpt2_config, n_head), 1 << 10},
    {"n_positions", offsetof(gpt2_config, n_positions), 1 << 20},
    {"vocab_size", offsetof(gpt2_config, vocab_size), 1 << 24},
};

// Keys that change the formula, with the only value for which the lab has it.
static const struct {
    const char *key;
    bool value;
} FLAGS[] = {
    {"scale_attn_weights", true},
    {"scale_attn_by_inverse_layer_idx", false},
    {"add_cross_attention", false},
};

gpt2_config gpt2_config_default(void) { return (gpt2_config){12, 768, 12, 1024, 50257, 1e-5f, 1}; }

static bool read_sizes(const json_t *json, gpt2_config *config, const gpt2_reading *at) {
    for (size_t i = 0; i < sizeof SIZES / sizeof *SIZES; i++) {
        const json_t *x = json_object_get(json, SIZES[i].key);
        const json_int_t n = json_integer_value(x);
        if (!x) continue;
        if (n < 1 || n > SIZES[i].max)
            return gpt2_problem(at, "%s must be a whole number from 1 to %d", SIZES[i].key, SIZES[i].max);
        *(int *)((char *)config + SIZES[i].field) = (int)n;
    }
    if (config->n_embd % config->n_head)
        return gpt2_problem(at, "n_embd is %d, which is not a multiple of n_head, %d", config->n_embd, config->n_head);
    return true;
}

static bool read_flags(const json_t *json, const gpt2_reading *at) {
    for (size_t i = 0; i < sizeof FLAGS / sizeof *FLAGS; i++) {
        const json_t *x = json_object_get(json, FLAGS[i].key);
        if (x && (!json_is_boolean(x) || json_is_true(x) != FLAGS[i].value))
            return gpt2_problem(at, "%s must be %s", FLAGS[i].key, FLAGS[i].value ? "true" : "false");
    }
    return true;
}

// A key that names something: absent, or exactly this.
static bool read_name(const json_t *json, const char *key, const char *value, const gpt2_reading *at) {
    const json_t *x = json_object_get(json, key);
    const char *name = json_string_value(x);
    if (!x || (name && !strcmp(name, value))) return true;
    return gpt2_problem(at, "%s is %s; the lab reads %s", key, name ? name : "not a string", value);
}

static bool read_rest(const json_t *json, gpt2_config *config, const gpt2_reading *at) {
    const json_t *epsilon = json_object_get(json, "layer_norm_epsilon"), *inner = json_object_get(json, "n_inner"),
                 *tied = json_object_get(json, "tie_word_embeddings");
    const double e = epsilon ? json_number_value(epsilon) : config->layer_norm_epsilon;
    if (!(e >= 1e-12 && e < 1)) return gpt2_problem(at, "layer_norm_epsilon must be a number from 1e-12 to 1");
    config->layer_norm_epsilon = (float)e;
    if (inner && !json_is_null(inner) && json_integer_value(inner) != 4 * (json_int_t)config->n_embd)
        return gpt2_problem(at, "n_inner must be null or 4 * n_embd, %d", 4 * config->n_embd);
    if (tied && !json_is_boolean(tied)) return gpt2_problem(at, "tie_word_embeddings must be true or false");
    config->tied = !json_is_false(tied);
    return true;
}

int gpt2_config_read(const char *path, gpt2_config *config, char *why, size_t size) {
    const gpt2_reading at = {path, why, size};
    json_t *json = gpt2_json_file(&at);
    if (!json) return 0;
    *config = gpt2_config_default();
    const bool good = read_name(json, "model_type", "gpt2", &at) &&
                      read_name(json, "activation_function", "gelu_new", &at) && read_sizes(json, config, &at) &&
                      read_flags(json, &at) && read_rest(json, config, &at);
    json_decref(json);
    return good;
}
