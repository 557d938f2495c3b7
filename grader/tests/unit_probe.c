// unit_probe.c: a probe is an operation like any other: its row says what is right, the runner calls it by its name.
#include "unit.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "build.h"
#include "judge.h"
#include "todo.h"
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
    assert_string_equal(r.diagnosis, "wrong: rows 13..; first row 13, column 0: 1, and it must be 0");
}

static void an_open_todo_is_missing(void **state) {
    (void)state;
    const lab_result r = probed("return ATTN_TODO(4, 1);");
    assert_int_equal(r.verdict, LAB_MISSING);
    assert_string_equal(r.todo, "4.1");
}

// ---- the probe of task 4 around a student's file

static const char answer[] = "grader/solutions/task4_flash/flash.cu";

// Builds it around the answer with `from` replaced by `to`. Returns "" or what OUTPUT.txt says.
static const char *built(const char *from, const char *to) {
    static char why[1024], text[64 << 10];
    FILE *in = fopen(answer, "r");
    assert_non_null(in);
    text[fread(text, 1, sizeof text - 1, in)] = 0;
    fclose(in);
    char *at = strstr(text, from);
    assert_non_null(at);
    assert_int_equal(system("mkdir -p build/tests/probe"), 0);
    FILE *out = fopen("build/tests/probe/flash.cu", "w");
    assert_non_null(out);
    fprintf(out, "%.*s%s%s", (int)(at - text), text, to, at + strlen(from));
    fclose(out);
    const lab_build_options options = {
        .lab = ".", .source = "build/tests/probe/flash.cu", .output = "build/tests/probe/p.so", .seconds = 60};
    assert_int_equal(lab_build_probe(lab_task_find("task4"), options), 1);
    FILE *f = fopen("build/tests/probe/p.so.txt", "r");
    assert_int_equal(f == NULL, access("build/tests/probe/p.so", R_OK) == 0);
    if (!f || !fgets(why, sizeof why, f)) *why = 0;
    if (f) fclose(f);
    return why;
}

static void a_function_that_was_changed_is_told_by_its_signature(void **state) {
    (void)state;
    static const char expected[] =
        "the lab expected the function `void load_tile(float *tile, const float *src, int rows, "
        "int size, int D)` in flash.cu";
    assert_string_equal(built("Invariant", "Invariant"), "");
    assert_says(built("void load_tile(float *tile,", "void load_tile(double x, float *tile,"), expected);
    assert_says(built("void load_tile(", "void load_the_tile("), expected);
    assert_says(built("const float *src, int rows", "const double *src, int rows"), expected);
}

static void an_error_of_the_students_own_is_told_by_its_line(void **state) {
    (void)state;
    assert_says(built("void load_tile(", "void load_tile[];("), "flash.cu:");
}

static void open_todos_are_those_outside_of_comments(void **state) {
    (void)state;
    assert_int_equal(
        system("printf '%s\\n' '// return ATTN_TODO(4, 1);' '/* ATTN_TODO(4, 2)' '*/ char *s = \"ATTN_TODO(4, "
               "3)\", c = 39;' 'return ATTN_TODO( 4,4 ) ; // \"' 'return ATTN_TODO(4, 11);' >build/tests/t.c"),
        0);
    char *text = lab_todo_read("build/tests/t.c"), first[24];
    assert_non_null(text);
    static const char *const all[] = {"4.1", "4.2", "4.3", "4.4", "4.11", "4.5"};
    for (int i = 0; i < 6; i++) assert_int_equal(lab_todo_is_open(text, all[i]), i == 3 || i == 4);
    lab_todo_first(text, first);
    assert_string_equal(first, "4.4");
    free(text);
    assert_null(lab_todo_read("build/tests/no_such_file.c"));
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

// A stage shares its process with the runner's code, and could call what it finds there.
static void a_runner_holds_no_oracle(void **state) {
    (void)state;
    assert_int_equal(system("grep -q lab_oracle_row build/bin/claims"), 0);  // it would be seen
    assert_int_not_equal(system("grep -q -e lab_oracle_row -e lab_flash build/bin/runner build/bin/runner_simt*"), 0);
}

int main(void) {
    const struct CMUnitTest claims[] = {
        CLAIM(a_right_part_passes),
        CLAIM(a_wrong_part_is_told_by_its_place),
        CLAIM(an_open_todo_is_missing),
        CLAIM(a_request_holds_every_name),
        CLAIM(a_runner_holds_no_oracle),
        CLAIM(a_function_that_was_changed_is_told_by_its_signature),
        CLAIM(an_error_of_the_students_own_is_told_by_its_line),
        CLAIM(open_todos_are_those_outside_of_comments),
    };
    return cmocka_run_group_tests_name("probe", claims, NULL, NULL);
}
