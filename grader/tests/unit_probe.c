// unit_probe.c: a probe is an operation like any other: its row says what is right, the runner calls it by its name.
#include "unit.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "judge.h"
#include "trial.h"

// load_tile by a student; the rest is a probe as grader/probes has it.
static const char before[] = "#include \"shape.h\"\n"
                             "static int load(float *tile, const float *src, int rows, int size, int D) {\n";
static const char after[] =
    "}\n"
    "ATTN_API attn_status lab_probe_load_tile(float *const t[], attn_shape s, const int extra[2], void *stream) {\n"
    "    return load(t[0], t[1], s.seq_kv, 25, s.head_dim);\n"  // 24 rows, and the one behind them
    "}\n";

static lab_result probed(const char *body) {
    static const char source[] = "build/tests/probe.c", object[] = "build/tests/probe.so";
    static char *runner[] = {"build/bin/runner", (char *)object, NULL};
    static lab_stage stage;
    lab_case c;
    lab_result r = {0};
    assert_int_equal(system("mkdir -p build/tests"), 0);
    FILE *f = fopen(source, "w");
    assert_non_null(f);
    fprintf(f, "%s%s%s", before, body, after);
    fclose(f);
    assert_int_equal(system("gcc -shared -fPIC -Igrader/core build/tests/probe.c -o build/tests/probe.so"), 0);
    assert_true(lab_case_find("task4", "rows_that_do_not_exist_become_zeros", 1, &c));
    const lab_stage_options options = {.runner = runner,
                                       .stage = object,
                                       .arena_bytes = lab_layout_of(c.op, c.shape, 1).bytes,
                                       .load_seconds = TRIAL_SECONDS};
    assert_int_equal(lab_stage_open(&stage, &options, r.diagnosis, sizeof r.diagnosis), LAB_PASSED);
    lab_judge(&stage, &c, 1, TRIAL_SECONDS, &r);
    lab_stage_close(&stage);
    return r;
}

static void a_right_part_passes(void **state) {
    (void)state;
    const lab_result r = probed("for (int i = 0; i < size * D; i++) tile[i] = i < rows * D ? src[i] : 0; return 0;");
    if (r.verdict != LAB_PASSED) fail_msg("%s: %s", lab_verdict_name(r.verdict), r.diagnosis);
}

static void a_wrong_part_is_told_by_its_place(void **state) {
    (void)state;
    const lab_result r = probed("for (int i = 0; i < size * D; i++) tile[i] = i < rows * D ? src[i] : 1; return 0;");
    assert_int_equal(r.verdict, LAB_WRONG_ANSWER);
    assert_string_equal(r.diagnosis, "wrong: rows 13..");
}

static void an_open_todo_is_missing(void **state) {
    (void)state;
    const lab_result r = probed("return ATTN_TODO(4, 1);");
    assert_int_equal(r.verdict, LAB_MISSING);
    assert_string_equal(r.todo, "4.1");
}

// Every probe of the table can be asked for: what a request carries of it is not cut off.
static void a_request_holds_every_name(void **state) {
    (void)state;
    for (int i = 0; lab_case_at(i); i++) {
        const lab_op *op = lab_case_at(i)->op;
        const lab_request r = lab_request_of(op, lab_case_at(i)->shape, 1, LAB_TEST);
        assert_string_equal(r.op, op->name);
        assert_string_equal(r.symbol[0], op->symbol);
        for (int t = 0; t < op->n_tensors; t++) assert_string_equal(r.tensor[t], op->tensors[t]);
        assert_int_equal(op->probe, lab_case_at(i)->todo && strncmp(op->symbol, "lab_probe_", 10) == 0);
    }
}

int main(void) {
    const struct CMUnitTest claims[] = {
        CLAIM(a_right_part_passes),
        CLAIM(a_wrong_part_is_told_by_its_place),
        CLAIM(an_open_todo_is_missing),
        CLAIM(a_request_holds_every_name),
    };
    return cmocka_run_group_tests_name("probe", claims, NULL, NULL);
}
