// unit_mismatch.c: the answer of task 3 with one line changed: where does it go wrong first? grader/claims/mismatch.c.
#include "unit.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "build.h"
#include "mismatch.h"
#include "trial.h"

#define SOURCE "build/tests/steps/tiled_cpu.c"
#define OBJECT "build/tests/steps/probe.so"

static char note[640];

// The first `from` becomes `to`.
static void write_answer(const char *from, const char *to) {
    static char text[64 << 10];
    FILE *f = fopen("grader/solutions/task3_tiled_cpu/tiled_cpu.c", "r");
    assert_non_null(f);
    text[fread(text, 1, sizeof text - 1, f)] = 0;
    fclose(f);
    char *at = strstr(text, from);
    assert_non_null(at);
    assert_int_equal(system("mkdir -p build/tests/steps"), 0);
    f = fopen(SOURCE, "w");
    assert_non_null(f);
    fprintf(f, "%.*s%s%s", (int)(at - text), text, to, at + strlen(from));
    assert_int_equal(fclose(f), 0);
}

// What is said of that file when claim `name` fails. "": nothing.
static const char *said(const char *name, const char *from, const char *to) {
    static char *runner[] = {"build/bin/runner", OBJECT, NULL};
    const lab_task *task = lab_task_find("task3");
    const lab_build_options build = {.lab = ".", .source = SOURCE, .output = OBJECT, .seconds = 60, .quick = 1};
    const lab_stage_options probe = {.runner = runner, .stage = OBJECT, .load_seconds = TRIAL_SECONDS};
    static const lab_result wrong = {.verdict = LAB_WRONG_ANSWER, .compared = 1};
    lab_case c;
    write_answer(from, to);
    assert_true(lab_build_probe(task, build));
    assert_true(lab_case_find("task3", name, 1, &c));
    lab_mismatch_forget();
    lab_mismatch_keep(&c, &wrong);
    lab_mismatch(task, &probe, 1, 5, note, sizeof note);
    return note;
}

#define KEYS "key_tiles_are_summed"
#define MASK "causal_mask_hides_later_keys"

static void a_step_that_is_wrong_is_named(void **state) {
    (void)state;
    const char *o = "for (int d = 0; d < D; d++) o[d] *= alpha;", *l = "*l *= alpha;", *mask = "> t.i0 + r +";
    assert_says(said(KEYS, o, "(void)o, (void)D;"), "after key tile 2 (keys 16..31): m right, l right, O wrong");
    assert_says(note, "make task3 hint TODO=3.4");
    assert_says(said(KEYS, l, "(void)l;"), "after key tile 2 (keys 16..31): m right, l wrong, O right");
    assert_says(said(MASK, mask, "> 1 + t.i0 + r +"), "after key tile 1 (keys 0..31): m ");
}

static void what_is_around_the_tiles_is_wrong_where_they_are_right(void **state) {
    (void)state;
    assert_says(said(KEYS, "t.V = V + (size_t)t.j0 * t.D;", "t.V = V;"), "around the tiles");
}

// l and O are relative to another m, and O / l of the first tile is right: what is m here?
static void who_keeps_other_sums_hears_nothing(void **state) {
    (void)state;
    assert_string_equal(said(KEYS, "exp_of(s[c] - m)", "exp_of(s[c] - 0.5f * m)"), "");
}

static void a_given_function_that_was_changed_costs_no_claim(void **state) {
    (void)state;
    assert_string_equal(
        said(KEYS, "attend_tile(tile t, attn_shape shape)", "attend_tile(tile t, attn_shape shape, ...)"), "");
    assert_int_equal(access(OBJECT, R_OK), 0);
}

int main(void) {
    const struct CMUnitTest claims[] = {
        CLAIM(a_step_that_is_wrong_is_named),
        CLAIM(what_is_around_the_tiles_is_wrong_where_they_are_right),
        CLAIM(who_keeps_other_sums_hears_nothing),
        CLAIM(a_given_function_that_was_changed_costs_no_claim),
    };
    return cmocka_run_group_tests_name("mismatch", claims, NULL, NULL);
}
