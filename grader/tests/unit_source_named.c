// unit_source_named.c: what the text of a TODO names and no line below reads, and that the answers read all of it
// (grader/source/source_named.c).
#include "unit.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "source_hints.h"
#include "source_lines.h"
#include "todo.h"

static const char head[] = "static void mask(float *s, int k0, int i, int t, attn_shape shape) {\n";
static const char todo[] =
    "    // TODO 4.3: what is not seen. Given s[c]. Fill: -INFINITY into the scores of keys that do\n"
    "    // not exist (j >= seq_kv) and, if shape.causal, of those behind i + seq_kv - seq_q.\n"
    "    // Invariant: nothing else changes, nor does head_dim.\n";

static int asked(const char *code, char *said, size_t size) {
    char commented[1000], text[1000];
    snprintf(commented, sizeof commented, "%s%s%s}\n", head, todo, code);
    snprintf(text, sizeof text, "%s\n\n\n%s}\n", head, code);  // comments become blanks, line by line
    return lab_hint_of_named(commented, text, 1, 99, said, size);
}

static void what_the_text_names_is_read(void **state) {
    (void)state;
    char said[300];
    assert_int_equal(asked("    if (shape.causal && k0 > i) s[t] = -INFINITY;\n", said, sizeof said), LAB_HINT_BESIDE);
    assert_string_equal(said,
                        "the text above line 5 names seq_kv and seq_q, and no line below reads them: a part of it "
                        "is not written");
    assert_int_equal(
        asked("    if (k0 >= shape.seq_kv || (shape.causal && k0 > i + shape.seq_kv)) s[t] = 0;\n", said, sizeof said),
        LAB_HINT_BESIDE);
    assert_says(said, "names seq_q, and no line below reads it");
    assert_false(asked("    if (k0 >= shape.seq_kv || (shape.causal && k0 > i - shape.seq_q)) s[t] = 0;\n", said, 300));
    assert_false(asked("    return ATTN_TODO(4, 3);\n", said, sizeof said));
}

// Each TODO of the answers reads all that its text names.
static void the_answers_read_all_that_is_named(void **state) {
    (void)state;
    static const char *const answers[] = {"task1_reference/reference.c", "task2_naive/naive.cu",
                                          "task3_tiled_cpu/tiled_cpu.c", "task4_flash/flash.cu",
                                          "task5_decode/decode.cu",      "task6_pipeline/pipeline.cu"};
    char path[200], said[300];
    int asked = 0;
    for (size_t i = 0; i < sizeof answers / sizeof *answers; i++) {
        snprintf(path, sizeof path, "grader/solutions/%s", answers[i]);
        char *commented = lab_todo_text(path), *text = lab_todo_read(path);
        assert_non_null(commented), assert_non_null(text);
        for (const char *at = commented; (at = strstr(at, "// TODO ")); at++, asked++) {
            const int line = lab_line_of(commented, at);
            if (lab_hint_of_named(commented, text, line, line + 1, said, sizeof said)) fail_msg("%s: %s", path, said);
        }
        free(commented), free(text);
    }
    assert_true(asked > 50);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(what_the_text_names_is_read),
        cmocka_unit_test(the_answers_read_all_that_is_named),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
