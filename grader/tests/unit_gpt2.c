// unit_gpt2.c: GPT-2's oracle equals PyTorch; the dummy model is what its formula says. grader/gpt2: gpt2_oracle.c,
// greedy.c, random.c.
#include "unit.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include <jansson.h>

#include "golden.h"
#include "gpt2_oracle.h"
#include "tokenizer.h"

static const char GOLDEN[] = "grader/golden/gpt2", DEMO[] = "task6_pipeline/demo/model";

static gpt2_checkpoint *model_of(const char *folder) {
    char why[512] = "";
    gpt2_checkpoint *c = gpt2_open(folder, why, sizeof why);
    if (!c) fail_msg("%s", why);
    return c;
}

static json_t *json_of(const char *folder, const char *name) {
    char path[512];
    snprintf(path, sizeof path, "%s/%s", folder, name);
    json_t *json = json_load_file(path, 0, NULL);
    assert_non_null(json);
    return json;
}

// The numbers of a JSON list; freed by the caller.
static int *list_of(const json_t *o, const char *key, int *n) {
    const json_t *list = json_object_get(o, key);
    *n = (int)json_array_size(list);
    assert_true(*n > 0);
    int *x = malloc(*n * sizeof *x);
    for (int i = 0; i < *n; i++) x[i] = (int)json_integer_value(json_array_get(list, i));
    return x;
}

// The prompt's greedy tokens are those of the file.
static void check_greedy(const gpt2_checkpoint *model, const json_t *o) {
    int n_prompt, n;
    int *prompt = list_of(o, "prompt_ids", &n_prompt), *expected = list_of(o, "greedy_ids", &n);
    int *got = malloc(n * sizeof *got);
    double margin;
    assert_true(gpt2_oracle_greedy(model, prompt, n_prompt, got, n, &margin));
    assert_memory_equal(got, expected, n * sizeof *got);
    assert_true(margin > 0 && margin < 1000);
    free(prompt), free(expected), free(got);
}

// ---- golden vectors

// The file has float32: logits below 32 were rounded by up to 1e-6. (The claim of the lab is 1e-4.)
static void logits_equal_pytorch(void **state) {
    (void)state;
    size_t n_golden;
    int n;
    gpt2_checkpoint *model = model_of(GOLDEN);
    json_t *json = json_of(GOLDEN, "greedy.json");
    int *prompt = list_of(json, "prompt_ids", &n);
    const int V = model->config.vocab_size;
    float *golden = golden_read("gpt2/logits.npy", &n_golden);
    double *logits = calloc((size_t)n * V, sizeof *logits);
    assert_int_equal(n_golden, (size_t)n * V);

    gpt2_oracle *o = gpt2_oracle_new(model, n);
    assert_true(gpt2_oracle_run(o, prompt, n, logits, n));
    for (size_t i = 0; i < n_golden; i++) {
        const double err = fabs(logits[i] - golden[i]);
        if (!(err < 2e-6)) fail_msg("logit %zu of position %zu is off by %g", i % V, i / V, err);
    }
    gpt2_oracle_free(o), gpt2_close(model), json_decref(json);
    free(prompt), free(golden), free(logits);
}

static void greedy_tokens_equal_pytorch(void **state) {
    (void)state;
    gpt2_checkpoint *model = model_of(GOLDEN);
    json_t *json = json_of(GOLDEN, "greedy.json");
    check_greedy(model, json);
    json_decref(json), gpt2_close(model);
}

static void the_demo_model_answers_as_it_was_trained(void **state) {
    (void)state;
    size_t i;
    char why[512];
    json_t *json = json_of(DEMO, "greedy.json"), *one;
    gpt2_checkpoint *model = model_of(DEMO);
    gpt2_tokenizer *t = gpt2_tokenizer_open(DEMO, model->config.vocab_size, why, sizeof why);
    assert_non_null(t);
    assert_true(json_array_size(json) >= 4);
    json_array_foreach(json, i, one) {
        int n, *ids = list_of(one, "greedy_ids", &n);
        size_t length;
        char *text = gpt2_decode(t, ids, n, &length);
        const char *answer = json_string_value(json_object_get(one, "answer"));
        assert_string_equal(text, json_string_value(json_object_get(one, "greedy_text")));
        assert_true(strncmp(text, answer, strlen(answer)) == 0);
        check_greedy(model, one);
        free(text), free(ids);
    }
    gpt2_tokenizer_close(t), json_decref(json), gpt2_close(model);
}

// ---- properties

static const gpt2_config SMALL = {2, 48, 3, 20, 70, 1e-5f, 1};

static void tokens_in_parts_are_the_tokens_at_once(void **state) {
    (void)state;
    enum { N = 20, V = 70 };
    int tokens[N];
    static double whole[N * V], parts[N * V];
    gpt2_checkpoint *model = gpt2_random(SMALL, 5);
    for (int i = 0; i < N; i++) tokens[i] = i * 37 % V;
    gpt2_oracle *o = gpt2_oracle_new(model, N);
    assert_true(gpt2_oracle_run(o, tokens, N, whole, N));
    gpt2_oracle_free(o);
    for (int cut = 1; cut < N; cut++) {
        o = gpt2_oracle_new(model, N);
        assert_true(gpt2_oracle_run(o, tokens, cut, parts, cut));
        for (int i = cut; i < N; i++) assert_true(gpt2_oracle_run(o, tokens + i, 1, parts + i * V, 1));
        for (int i = 0; i < N * V; i++) assert_true(fabs(whole[i] - parts[i]) < 1e-10);
        gpt2_oracle_free(o);
    }
    gpt2_close(model);
}

static void what_does_not_fit_is_refused(void **state) {
    (void)state;
    gpt2_checkpoint *model = gpt2_random(SMALL, 5);
    int tokens[21] = {0}, bad[] = {-1, 70}, out[2];
    assert_null(gpt2_oracle_new(model, 21));
    assert_null(gpt2_oracle_new(model, 0));
    gpt2_oracle *o = gpt2_oracle_new(model, 20);
    assert_false(gpt2_oracle_run(o, bad, 1, NULL, 0));
    assert_false(gpt2_oracle_run(o, bad + 1, 1, NULL, 0));
    assert_false(gpt2_oracle_run(o, tokens, 1, NULL, 2));
    assert_false(gpt2_oracle_run(o, tokens, 1, NULL, -1));
    assert_false(gpt2_oracle_run(o, tokens, 0, NULL, 0));
    assert_true(gpt2_oracle_run(o, tokens, 19, NULL, 0));
    assert_false(gpt2_oracle_run(o, tokens, 2, NULL, 0));
    assert_true(gpt2_oracle_run(o, tokens, 1, NULL, 0));
    assert_false(gpt2_oracle_run(o, tokens, 1, NULL, 0));
    gpt2_oracle_free(o);
    assert_true(gpt2_oracle_greedy(model, tokens, 19, out, 2, NULL));
    assert_false(gpt2_oracle_greedy(model, tokens, 20, out, 2, NULL));
    assert_false(gpt2_oracle_greedy(model, tokens, 0, out, 2, NULL));
    gpt2_close(model);
}

static void of_equal_logits_the_first_is_largest(void **state) {
    (void)state;
    const double logits[] = {-3, 2, 2, 1};
    assert_int_equal(gpt2_argmax(logits, 4), 1);
    assert_int_equal(gpt2_argmax(logits, 1), 0);
}

// ---- the dummy model

static uint64_t mix(uint64_t z) {
    z = (z ^ z >> 30) * 0xbf58476d1ce4e5b9;
    z = (z ^ z >> 27) * 0x94d049bb133111eb;
    return z ^ z >> 31;
}

static float element(uint64_t seed, int tensor, uint64_t i, double std) {
    const uint64_t bits = mix(mix(mix(seed) + tensor) + (i + 1) * 0x9e3779b97f4a7c15);
    int sum = -131070;
    for (int w = 0; w < 4; w++) sum += bits >> 16 * w & 0xffff;
    return (float)(sum / 37837.23 * std);
}

static void random_weights_follow_their_formula(void **state) {
    (void)state;
    const int E = 48, L = 2;
    gpt2_checkpoint *m = gpt2_random(SMALL, 11);
    const gpt2_layer *w = &m->weights.layers[1];
    const double in = 1 / sqrt(E), residual = 4 / sqrt(2 * L);
    const struct {
        const float *x;
        int tensor, i;
        double std;
    } rows[] = {{m->weights.wte, 0, 69 * 48 + 5, 2 * in},
                {m->weights.wpe, 1, 19 * 48 + 47, in},
                {w->W_qkv, 16, 7 * 144 + 95, 2 * in},
                {w->W_qkv, 16, 7 * 144 + 96, in},
                {w->b_qkv, 17, 3, 0.1},
                {w->W_out, 18, 47 * 48 + 47, residual * in},
                {w->W_fc, 22, 5 * 192, in},
                {w->b_fc, 23, 191, 0.1},
                {w->W_proj, 24, 191 * 48, residual * in / 2},
                {w->b_proj, 25, 47, 0.1}};
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        const float expected = element(11, rows[i].tensor, rows[i].i, rows[i].std), got = rows[i].x[rows[i].i];
        if (!(fabsf(got - expected) < 1e-6f)) fail_msg("row %zu: %g, not %g", i, got, expected);
    }
    for (int i = 0; i < E; i++) assert_true(w->ln_2_g[i] == 1 && w->ln_2_b[i] == 0 && m->weights.ln_f_g[i] == 1);
    gpt2_close(m);
}

// A wrong attention must change tokens: weights that ignore attention, or that repeat the last token, would hide it.
static void random_models_say_different_things(void **state) {
    (void)state;
    enum { V = 300, N = 40 };
    const gpt2_config config = {4, 128, 2, 64, V, 1e-5f, 1};
    gpt2_checkpoint *m = gpt2_random(config, 3);
    int a[N], b[N], prompt[16], seen[V] = {0}, distinct = 0, same = 0;
    double margin;
    for (int i = 0; i < 16; i++) prompt[i] = i * 53 % V;
    assert_true(gpt2_oracle_greedy(m, prompt, 16, a, N, &margin));
    prompt[0] = 299;  // the last token is the same: only attention can tell
    assert_true(gpt2_oracle_greedy(m, prompt, 16, b, N, NULL));
    for (int i = 0; i < N; i++) distinct += !seen[a[i]]++, same += a[i] == b[i];
    assert_true(distinct > 5);
    assert_true(same < N);
    assert_true(margin > 1e-4);
    gpt2_close(m);
}

int main(void) {
    const struct CMUnitTest claims[] = {
        CLAIM(logits_equal_pytorch),
        CLAIM(greedy_tokens_equal_pytorch),
        CLAIM(the_demo_model_answers_as_it_was_trained),
        CLAIM(tokens_in_parts_are_the_tokens_at_once),
        CLAIM(what_does_not_fit_is_refused),
        CLAIM(of_equal_logits_the_first_is_largest),
        CLAIM(random_weights_follow_their_formula),
        CLAIM(random_models_say_different_things),
    };
    return cmocka_run_group_tests_name("gpt2", claims, NULL, NULL);
}
