// unit_guarded.c: which line of a stage misuses memory, and whose memory that is. grader/run/guarded_runner.c.
#include "unit.h"

#include <string.h>

#include "trial.h"

// In a guarded runner: grader/run/guarded_runner.c.
static void memory_from_malloc_has_its_lines(void **state) {
    (void)state;
    static const struct {
        trial_source source;
        const char *says;
    } rows[] = {
        {{"past_the_end", "#include <stdlib.h>",
          "volatile float *x = malloc(40 * 4);\nfor (int i = 0; i <= 40; i++)\n"
          "x[i] = 1;\nfree((void *)x);"},
         "line 7 writes past the end of the 160 bytes (40 floats) that line 5 got from malloc"},
        {{"reads_past", "#include <stdlib.h>", "volatile float *x = calloc(10, 4);\nO[0] = x[12];"},
         "line 6 reads past the end of the 40 bytes (10 floats) that line 5 got from malloc, 8 bytes away"},
        {{"after_free", "#include <stdlib.h>", "volatile float *x = malloc(16);\nfree((void *)x);\nx[0] = 1;"},
         "line 7 writes, after free(), to the 16 bytes (4 floats) that line 5"},
        {{"twice", "#include <stdlib.h>",
          "volatile float *x = malloc(16);\nx[0] = 1;\nfree((void *)x);\nfree((void *)x);"},
         "frees a second time the 16 bytes (4 floats) that line 5"},
        {{"before", "#include <stdlib.h>", "volatile float *x = malloc(16);\nx[-1] = 1;\nfree((void *)x);"},
         "frees what was written before the start of the 16 bytes (4 floats) that line 5"},
        {{"task3", "#include <stdlib.h>", "volatile float *x = malloc(16);\nx[4] = 1;\nfree((void *)x);"},  // a probe's
         "that the lab got from malloc"},
        {{"unwritten", "#include <stdlib.h>",
          "float *x = malloc(40 * 4), *y = malloc(16);\nx[0] = 2;\nfor (int i = 1; i < 40; i++)\n"
          "x[i] += x[i - 1];\nO[0] = x[39] * 3;\nfree(x); free(y);"},
         "what line 5 got from malloc is read where nothing was written"},
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        const lab_stage stage = trial_run_guarded(&rows[i].source);
        if (!strstr(stage.memory, rows[i].says))
            fail_msg("%s: \"%s\"; expected \"%s\"", rows[i].source.name, stage.memory, rows[i].says);
    }
    const lab_stage stage = trial_run_guarded(
        &(trial_source){"tidy", "#include <stdlib.h>",
                        "float *x = realloc(malloc(8), 44); x[10] = 1; O[0] = x[10]; free(x); right();"});
    assert_string_equal(stage.memory, "");
    assert_int_equal(stage.process.signal_number, 0);
}

// In a guarded runner, too: what is written outside of the tensors, and what is read there.
static void tensors_have_the_line_that_leaves_them(void **state) {
    (void)state;
    static const struct {
        trial_source source;
        const char *says;
    } rows[] = {
        {{"behind_o", "", "right();\n((volatile float *)O)[elements + 3] = 1;"},
         "line 6 writes O[163], and O has 160 elements"},
        {{"before_o", "", "right();\n((volatile float *)O)[-2] = 1;"}, "line 6 writes O[-2]"},
        {{"behind_v", "", "right();\nO[0] = ((volatile const float *)V)[2 * 2 * 7 * 8];"},
         "line 6 reads V[224], and V has 224"},
        {{"to_q", "", "right();\n((volatile float *)Q)[1] = 0;"}, "line 6 writes to Q, which is an input"},
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        const lab_stage stage = trial_run_guarded(&rows[i].source);
        if (!strstr(stage.memory, rows[i].says))
            fail_msg("%s: \"%s\"; expected \"%s\"", rows[i].source.name, stage.memory, rows[i].says);
    }
}

int main(void) {
    const struct CMUnitTest claims[] = {
        CLAIM(memory_from_malloc_has_its_lines),
        CLAIM(tensors_have_the_line_that_leaves_them),
    };
    return cmocka_run_group_tests_name("guarded", claims, NULL, NULL);
}
