// unit_time_tokens.c: task 6's bench, on a model so small that a CPU can run it: rows with the fields that results.json
// asks for, times that belong together, and no time for wrong tokens. grader/measure/{bench_models,time_tokens}.c.
#include "unit.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include <jansson.h>

#include "backend.h"
#include "bench.h"
#include "build.h"
#include "task6_kernels.h"
#include "time_tokens.h"

static const lab_model tiny = {"tiny", 1, 32, 2, 97, 32, {{"model", 6, 5}, {"model", 9, 1}, {"tbt", 3, 4}}};

static const char *build(void) { return "build"; }

static const char *solution(const char *task) {
    static char path[256];
    snprintf(path, sizeof path, "%s/stage/grader+solutions/%s%s.so", build(), task, lab_backend()->variant);
    return path;
}

// Measures the stage; the rows as an array of JSON objects. *failed is what the bench program's exit status says.
static json_t *rows_of(const char *its_stage, const char *series, int *failed) {
    char tree[256], stage[256];
    FILE *file = tmpfile();
    snprintf(stage, sizeof stage, "%s", its_stage);
    snprintf(tree, sizeof tree, "%s/stage/grader+solutions", build());
    char task4[256], task5[256];
    snprintf(task4, sizeof task4, "%s", solution("task4"));
    snprintf(task5, sizeof task5, "%s", solution("task5"));
    const lab_bench b = {.task = lab_task_find("task6"),
                         .stage = stage,
                         .series = series,
                         .build = build(),
                         .tree = tree,
                         .parts = {task4, task5},
                         .seed = 7,
                         .json = file};
    setenv("SIMT_GUARD", "0", 1);  // the guard changes the protection of all memory around every launch
    assert_non_null(file);
    *failed = lab_bench_models(&b, &tiny, 1);
    rewind(file);
    json_t *rows = json_array(), *row;
    while ((row = json_loadf(file, JSON_DISABLE_EOF_CHECK, NULL))) json_array_append_new(rows, row);
    fclose(file);
    return rows;
}

// The solution, with one line of its source left out.
static const char *broken_stage(const char *line) {
    static char stage[256];
    char message[1024], source[256], *text, *at;
    size_t size = 0;
    FILE *in = fopen("grader/solutions/task6_pipeline/pipeline.cu", "r"), *whole = open_memstream(&text, &size);
    assert_non_null(in);
    for (int c; (c = getc(in)) != EOF;) putc(c, whole);
    fclose(in), fclose(whole);
    assert_non_null(at = strstr(text, line));
    memset(at, ' ', strlen(line));
    snprintf(source, sizeof source, "%s/tests", build());
    mkdir(source, 0777);
    snprintf(source, sizeof source, "%s/tests/broken.cu", build());
    snprintf(stage, sizeof stage, "%s/tests/broken%s.so", build(), lab_backend()->variant);
    FILE *out = fopen(source, "w");
    assert_non_null(out);
    fputs(text, out), fclose(out), free(text);
    const lab_build_options options = {.lab = ".", .source = source, .output = stage, .seconds = 120};
    if (lab_build(lab_task_find("task6"), &options, message, sizeof message, NULL, 0) != LAB_PASSED)
        fail_msg("%s", message);
    return stage;
}

static const char *text_of(const json_t *row, const char *key) { return json_string_value(json_object_get(row, key)); }
static double number_of(const json_t *row, const char *key) { return json_number_value(json_object_get(row, key)); }

static const json_t *find(const json_t *rows, const char *point, const char *implementation) {
    size_t i;
    json_t *row;
    json_array_foreach(rows, i, row) if (!strcmp(text_of(row, "case"), point) &&
                                         !strcmp(text_of(row, "implementation"), implementation)) return row;
    fail_msg("there is no row of %s, %s", point, implementation);
    return NULL;
}

static int shape_of(const json_t *row, const char *key) {
    return (int)json_integer_value(json_object_get(json_object_get(row, "shape"), key));
}

static void every_number_of_a_model_is_in_its_rows(void **state) {
    static const char *const names[] = {"yours", "reference kernels", "no cache"};
    int failed;
    json_t *rows = rows_of(solution("task6"), NULL, &failed);
    (void)state;
    assert_int_equal(failed, 0);
    for (int i = 0; i < 3; i++) {
        const json_t *first = find(rows, "TTFT, tiny, prompt 6", names[i]),
                     *next = find(rows, "TBT, tiny, prompt 6", names[i]);
        const json_t *kv = find(rows, "tiny, KV=5", names[i]);
        assert_string_equal(text_of(first, "verdict"), "PASSED");
        assert_string_equal(text_of(first, "series"), "model");
        assert_true(!strcmp(text_of(next, "verdict"), "PASSED") || !strcmp(text_of(next, "verdict"), "TIMING_SUSPECT"));
        assert_string_equal(text_of(kv, "series"), "tbt");
        assert_in_range((int)number_of(first, "runs"), 1, LAB_TOKEN_ROUNDS);
        assert_true(number_of(first, "median_s") > 0 && number_of(next, "median_s") > 0);
        assert_true(number_of(next, "tbt_p99_s") >= number_of(next, "median_s"));
        assert_true(number_of(next, "tokens_per_s") > 0);
        assert_null(json_object_get(first, "tbt_p99_s"));
        assert_int_equal(shape_of(first, "seq_q"), 6);
        assert_int_equal(shape_of(next, "seq_q"), 1);
        assert_int_equal(shape_of(next, "seq_kv"), 8);
    }
    find(rows, "TTFT, tiny, prompt 9", "yours");
    json_decref(rows);
}

static void only_series_that_are_wanted_are_measured(void **state) {
    int failed;
    size_t i;
    json_t *row, *rows = rows_of(solution("task6"), "seq,tbt", &failed);
    (void)state;
    json_array_foreach(rows, i, row) assert_string_equal(text_of(row, "series"), "tbt");
    assert_true(json_array_size(rows) >= 3);
    json_decref(rows);
}

static void wrong_tokens_get_a_verdict_and_no_time(void **state) {
    int failed;
    json_t *rows = rows_of(broken_stage("TRY(store_prompts(cache, tokens, work.K, work.V, stream));"), NULL, &failed);
    const json_t *yours = find(rows, "TBT, tiny, prompt 6", "yours");
    (void)state;
    assert_int_equal(failed, 1);
    assert_string_equal(text_of(yours, "verdict"), "WRONG_ANSWER");
    assert_says(text_of(yours, "why"), "after a prompt of 6");
    assert_true(json_is_null(json_object_get(yours, "median_s")));
    const char *reference = text_of(find(rows, "TBT, tiny, prompt 6", "reference kernels"), "verdict");
    assert_true(!strcmp(reference, "PASSED") || !strcmp(reference, "TIMING_SUSPECT"));  // on a busy machine
    json_decref(rows);
}

// Two tokens are both right only where the reference's own logits for them are equal within rounding.
static void another_token_is_right_only_where_logits_are_equal(void **state) {
    static lab_generator g[2];
    static lab_contender r;
    const lab_model_run *run = &tiny.runs[0];
    char text[128], why[256] = "", runner[256];
    lab_kernels k;
    (void)state;
    lab_kernels_reference(&k, build());
    lab_runner_of(lab_task_find("task6"), build(), runner, sizeof runner);
    lab_model_text(&tiny, 5, text, sizeof text);
    lab_kernels_command(&k, runner, solution("task6"), text, r.runner);
    r.stage = solution("task6");
    for (int i = 0; i < 2; i++) g[i] = (lab_generator){.name = "lab", .process = &r, .tokens = run->tokens};
    lab_time_tokens(g, 2, &tiny, run, 3);
    assert_int_equal(g[0].first.verdict, LAB_PASSED);
    assert_true(lab_tokens_agree(&g[0], &g[1], &tiny, run, 3, why, sizeof why));
    g[0].said[1][2] = (g[0].said[1][2] + 1) % tiny.vocab;
    assert_false(lab_tokens_agree(&g[0], &g[1], &tiny, run, 3, why, sizeof why));
    assert_says(why, "token 2 ");
    g[0].said[1][2] = -1;  // an id that there is not: no logit to look at
    assert_false(lab_tokens_agree(&g[0], &g[1], &tiny, run, 3, why, sizeof why));
    lab_contender_stop(&r);
}

static void a_model_is_read_from_its_sizes(void **state) {
    lab_model m;
    char why[256];
    (void)state;
    assert_true(lab_model_read(&m, "layers=2,hidden=64,heads=4", why, sizeof why));
    assert_true(m.layers == 2 && m.hidden == 64 && m.heads == 4 && m.vocab == 50257 && m.positions == 1024);
    static const char *const bad[] = {"layers", "layers=0",   "layers=2;heads=2",
                                      "size=3", "layers=2,,", "layers=9999999"};
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
        assert_false(lab_model_read(&m, bad[i], why, sizeof why));
        assert_says(why, "NAME=NUMBER");
    }
}

// By hand: 1 layer, E = 2, V = 3; matrices 12 * 4 = 48 and 6; vectors 13 * 2 and 2 * 2; cache 2 * 2 per token.
static void the_least_work_is_counted_by_hand(void **state) {
    const lab_model m = {"by hand", 1, 2, 1, 3, 8, {{0}}};
    (void)state;
    assert_int_equal(lab_step_bytes(&m, 5), 4 * (48 + 26 + 6 + 4 + 5 * 4));
    assert_int_equal(lab_step_flops(&m, 5), 2 * 48 + 2 * 6 + 4 * 5 * 2);
    assert_int_equal(lab_prefill_flops(&m, 3), 3 * 2 * 48 + 2 * 6 + 4 * 6 * 2);
    assert_int_equal(lab_prefill_bytes(&m, 3), 4 * (48 + 26 + 6 + 4 + 3 * 4));
}

int main(void) {
    const struct CMUnitTest claims[] = {
        CLAIM(a_model_is_read_from_its_sizes),         CLAIM(the_least_work_is_counted_by_hand),
        CLAIM(every_number_of_a_model_is_in_its_rows), CLAIM(only_series_that_are_wanted_are_measured),
        CLAIM(wrong_tokens_get_a_verdict_and_no_time), CLAIM(another_token_is_right_only_where_logits_are_equal),
    };
    return cmocka_run_group_tests_name("time_tokens", claims, NULL, NULL);
}
