// unit_checkpoint.c: good checkpoints are read in every form they come in; each bad one gives one line that says what.
// grader/gpt2: checkpoint.c, config.c, safetensors.c, problem.c.
#include "unit.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "checkpoint.h"
#include "forge.h"
#include "safetensors.h"

#define H0 "transformer.h.0."
static char why[600];

static int golden_folder(void **state) {
    (void)state;
    forge_parts p = forge_take();
    forge_write(&p, 0);
    forge_config("{}");
    forge_free(&p);
    return 0;
}

// The forged checkpoint is refused with one line that names the file and says this.
static void refused(const char *file, const char *says) {
    gpt2_checkpoint *c = gpt2_open(FORGE, why, sizeof why);
    if (c) fail_msg("not refused: %s", says);
    assert_says(why, file);
    assert_says(why, says);
    for (const char *k = why; *k; k++) assert_true(*k >= ' ' && *k <= '~');
}

static void same(const float *a, const float *b, size_t n) { assert_memory_equal(a, b, n * sizeof *a); }

// The forged checkpoint has the golden one's weights.
static void accepted(void) {
    gpt2_checkpoint *a = gpt2_open("grader/golden/gpt2", why, sizeof why), *b = gpt2_open(FORGE, why, sizeof why);
    if (!a || !b) fail_msg("%s", why);
    const size_t E = a->config.n_embd;
    same(a->weights.wte, b->weights.wte, a->config.vocab_size * E);
    same(a->weights.wpe, b->weights.wpe, a->config.n_positions * E);
    same(a->weights.ln_f_g, b->weights.ln_f_g, E), same(a->weights.ln_f_b, b->weights.ln_f_b, E);
    same(a->weights.lm_head, b->weights.lm_head, a->config.vocab_size * E);
    for (int l = 0; l < a->config.n_layer; l++)
        for (int k = 0; k < GPT2_LAYER_TENSORS; k++) {
            const gpt2_tensor *t = &gpt2_layer_tensors[k];
            const float *x = *gpt2_field(&b->weights.layers[l], t);
            assert_true((uintptr_t)x % sizeof(float) == 0);
            same(*gpt2_field(&a->weights.layers[l], t), x, (t->rows ? t->rows * E : 1) * t->cols * E);
        }
    gpt2_close(a), gpt2_close(b);
}

// ---- good ones

static void names_without_prefix_and_buffers_are_read(void **state) {
    (void)state;
    const char *name;
    json_t *t;
    forge_parts p = forge_take();
    json_t *renamed = json_object();
    json_object_foreach(p.header, name, t)
        json_object_set(renamed, strncmp(name, "transformer.", 12) ? name : name + 12, t);
    json_object_set_new(
        renamed, "h.0.attn.bias",
        json_pack("{s:s, s:[iiii], s:[ii]}", "dtype", "BOOL", "shape", 1, 1, 128, 128, "data_offsets", 0, 0));
    json_object_set_new(renamed, "h.0.attn.masked_bias",
                        json_pack("{s:s, s:[], s:[ii]}", "dtype", "F32", "shape", "data_offsets", 0, 0));
    json_decref(p.header);
    p.header = renamed;
    forge_lay_out(&p);
    forge_write(&p, 0);
    accepted();
    forge_free(&p);
}

static void data_at_any_address_are_read(void **state) {
    (void)state;
    forge_parts p = forge_take();
    for (int spaces = 0; spaces < 4; spaces++) forge_write(&p, spaces), accepted();
    forge_free(&p);
}

static void an_untied_model_has_its_own_lm_head(void **state) {
    (void)state;
    forge_parts p = forge_take();
    forge_config("{\"tie_word_embeddings\": false}");
    refused("model.safetensors", "lm_head.weight is missing");
    json_object_set_new(p.header, "lm_head.weight", json_deep_copy(forge_tensor(&p, "transformer.wte.weight")));
    forge_lay_out(&p);
    forge_write(&p, 0);
    accepted();
    gpt2_checkpoint *c = gpt2_open(FORGE, why, sizeof why);
    assert_true(c->weights.lm_head != c->weights.wte);
    gpt2_close(c);
    forge_config("{}");
    c = gpt2_open(FORGE, why, sizeof why);
    assert_true(c->weights.lm_head == c->weights.wte);
    gpt2_close(c);
    forge_free(&p);
}

static void missing_keys_mean_gpt2(void **state) {
    (void)state;
    gpt2_config config, gpt2 = {12, 768, 12, 1024, 50257, 1e-5f, 1};
    forge_file("config.json", "{}", -1);
    assert_true(gpt2_config_read(FORGE "/config.json", &config, why, sizeof why));
    assert_memory_equal(&config, &gpt2, sizeof config);
    forge_config("{\"n_layer\": 48, \"n_embd\": 1600, \"n_head\": 25, \"vocab_size\": 50257}");  // GPT-2 XL
    assert_true(gpt2_config_read(FORGE "/config.json", &config, why, sizeof why));
    assert_true(config.n_layer == 48 && config.n_embd == 1600 && config.n_head == 25);
}

// ---- bad ones: config.json

static void configurations_that_are_not_gpt2_are_refused(void **state) {
    (void)state;
    const char *rows[][2] = {
        {"{\"n_layer\": 0}", "n_layer must be a whole number from 1"},
        {"{\"n_head\": -2}", "n_head must be"},
        {"{\"n_embd\": \"64\"}", "n_embd must be"},
        {"{\"n_embd\": 64.5}", "n_embd must be"},
        {"{\"n_positions\": null}", "n_positions must be"},
        {"{\"vocab_size\": 99999999999}", "vocab_size must be"},
        {"{\"n_head\": 3}", "n_embd is 64, which is not a multiple of n_head, 3"},
        {"{\"activation_function\": \"relu\"}", "activation_function is relu; the lab reads gelu_new"},
        {"{\"activation_function\": 1}", "activation_function is not a string"},
        {"{\"model_type\": \"llama\"}", "model_type is llama; the lab reads gpt2"},
        {"{\"layer_norm_epsilon\": 0}", "layer_norm_epsilon must be"},
        {"{\"layer_norm_epsilon\": \"x\"}", "layer_norm_epsilon must be"},
        {"{\"n_inner\": 100}", "n_inner must be null or 4 * n_embd, 256"},
        {"{\"scale_attn_weights\": false}", "scale_attn_weights must be true"},
        {"{\"scale_attn_by_inverse_layer_idx\": true}", "scale_attn_by_inverse_layer_idx must be false"},
        {"{\"add_cross_attention\": true}", "add_cross_attention must be false"},
        {"{\"tie_word_embeddings\": 1}", "tie_word_embeddings must be true or false"},
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
        forge_config(rows[i][0]), refused("config.json", rows[i][1]);
    const char *texts[][2] = {
        {"", "not valid JSON"},
        {"{\"n_layer\": 2", "not valid JSON, line 1"},
        {"[1]", "not a JSON object"},
        {"{\"n_layer\": 2, \"n_layer\": 3}", "duplicate object key"},
        {"{\n\x1b[2J\xff}", "not valid JSON, line 2"},
    };
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++)
        forge_file("config.json", texts[i][0], -1), refused("config.json", texts[i][1]);
    remove(FORGE "/config.json");
    refused(FORGE "/config.json", "cannot be opened: No such file");
}

static void sizes_that_the_tensors_do_not_have_are_refused(void **state) {
    (void)state;
    const char *rows[][2] = {
        {"{\"vocab_size\": 258}", "transformer.wte.weight has shape [257, 64]; config.json makes it [258, 64]"},
        {"{\"n_positions\": 64}", "transformer.wpe.weight has shape [128, 64]; config.json makes it [64, 64]"},
        {"{\"n_layer\": 3}", "transformer.h.2.ln_1.weight is missing"},
        {"{\"n_embd\": 128}", "transformer.wte.weight has shape [257, 64]"},
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
        forge_config(rows[i][0]), refused("model.safetensors", rows[i][1]);
}

// ---- bad ones: tensors

static json_t *pair(json_int_t a, json_int_t b) { return json_pack("[I, I]", a, b); }

static void tensors_that_are_not_right_are_refused(void **state) {
    (void)state;
    const json_int_t end = 498944;  // of the golden data
    const struct {
        const char *name, *key;
        json_t *value;
        int lay_out;
        const char *says;
    } rows[] = {
        {H0 "attn.c_attn.weight", "dtype", json_string("BF16"), 1, H0 "attn.c_attn.weight is BF16; the lab reads F32"},
        {H0 "ln_1.weight", "dtype", json_string("F16"), 1, H0 "ln_1.weight is F16; the lab reads F32"},
        {H0 "ln_1.weight", "dtype", json_string("F4\x1b"), 0, "ln_1.weight is F4?; the lab reads F32"},
        {H0 "ln_1.weight", "dtype", json_null(), 0, "ln_1.weight has no dtype"},
        {H0 "attn.c_attn.weight", "shape", pair(192, 64), 1, "has shape [192, 64]; config.json makes it [64, 192]"},
        {H0 "ln_1.bias", "shape", pair(1, 64), 1, "has shape [1, 64]; config.json makes it [64]"},
        {H0 "ln_1.bias", "shape", json_array(), 1, "has shape []; config.json makes it [64]"},
        {H0 "ln_1.bias", "shape", json_pack("[i]", 65), 0, "do not hold a tensor of its dtype and shape"},
        {H0 "ln_1.bias", "shape", json_pack("[I]", (1LL << 62) + 64), 0, "do not hold a tensor"},
        {H0 "ln_1.bias", "shape", json_pack("[i]", -64), 0, "shape must be whole numbers"},
        {H0 "ln_1.bias", "shape", json_pack("[f]", 64.0), 0, "shape must be whole numbers"},
        {H0 "ln_1.bias", "shape", json_pack("[iiiiiiiii]", 1, 1, 1, 1, 1, 1, 1, 1, 64), 0, "at most 8 sizes"},
        {H0 "ln_1.bias", "data_offsets", pair(256, 0), 0, "begin <= end"},
        {H0 "ln_1.bias", "data_offsets", pair(-256, 0), 0, "data_offsets must be"},
        {H0 "ln_1.bias", "data_offsets", json_pack("[i]", 0), 0, "data_offsets must be"},
        {H0 "ln_1.bias", "data_offsets", pair(1LL << 62, (1LL << 62) + 256), 0, "the file is truncated"},
        {"transformer.wte.weight", "data_offsets", pair(end - 65788, end + 4), 0,
         "ends at byte 498948 of the data, which has 498944"},
        {H0 "attn.c_proj.bias", "data_offsets", pair(49916, 50172), 0,
         "transformer.h.0.attn.c_proj.bias overlaps transformer.h.0.attn.c_attn.weight"},
        {H0 "attn.c_attn.bias", "data_offsets", pair(768, 1536), 0, "768 bytes before"},
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        forge_parts p = forge_take();
        forge_set(&p, rows[i].name, rows[i].key, rows[i].value);
        if (rows[i].lay_out) forge_lay_out(&p);
        forge_write(&p, 0);
        refused("model.safetensors", rows[i].says);
        forge_free(&p);
    }
}

static void each_tensor_is_missed(void **state) {
    (void)state;
    const char *name;
    json_t *t;
    forge_parts p = forge_take();
    json_object_foreach(p.header, name, t) {
        if (!strcmp(name, "__metadata__")) continue;
        forge_parts without = {json_deep_copy(p.header), memcpy(malloc(p.data_size), p.data, p.data_size), p.data_size};
        json_object_del(without.header, name);
        forge_lay_out(&without);
        forge_write(&without, 0);
        char says[128];
        // Without wte there is nothing that shows the prefix.
        snprintf(says, sizeof says, "%s is missing", strstr(name, "wte") ? "wte.weight" : name);
        refused("model.safetensors", says);
        forge_free(&without);
    }
    forge_free(&p);
}

int main(void) {
#define FORGED(claim) cmocka_unit_test_setup(claim, golden_folder)
    const struct CMUnitTest claims[] = {
        FORGED(names_without_prefix_and_buffers_are_read),    FORGED(data_at_any_address_are_read),
        FORGED(an_untied_model_has_its_own_lm_head),          FORGED(missing_keys_mean_gpt2),
        FORGED(configurations_that_are_not_gpt2_are_refused), FORGED(sizes_that_the_tensors_do_not_have_are_refused),
        FORGED(tensors_that_are_not_right_are_refused),       FORGED(each_tensor_is_missed),
    };
    return cmocka_run_group_tests_name("checkpoint", claims, NULL, NULL);
}
