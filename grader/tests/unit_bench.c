// unit_bench.c: what the bench prints beside its times: the noise, the best of a sweep, what ONLY= picks.
#include "unit.h"

#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "bench_best.h"
#include "contender.h"
#include "experiments.h"
#include "protocol.h"

// What printing writes, to be freed.
static char *printed(void (*print)(void *), void *context) {
    char *text = NULL;
    size_t size = 0;
    fflush(stdout);
    FILE *memory = open_memstream(&text, &size), *before = stdout;
    stdout = memory;
    print(context);
    stdout = before;
    fclose(memory);
    return text;
}

static void note(lab_best *best, int br, int bc, double seconds, double iqr, int rounds) {
    const lab_timing t = {.rounds = rounds, .median_s = seconds, .iqr_s = iqr};
    const lab_row row = {.series = "tiles", .point = "", .tiles = {br, bc}, .implementation = "yours", .timing = &t};
    lab_best_note(best, &row);
}

static void print_best(void *best) { lab_best_print(best); }

static void sizes_within_the_noise_are_as_good_as_the_best(void **state) {
    (void)state;
    lab_best best = {.n = 0};
    note(&best, 16, 32, 2.0e-3, 1e-5, 7);
    note(&best, 32, 32, 1.01e-3, 4e-5, 7);
    note(&best, 64, 32, 1.00e-3, 4e-5, 7);
    note(&best, 64, 64, 1.10e-3, 4e-5, 7);
    note(&best, 128, 64, 1.04e-3, 0, 1);  // once: its spread is not known
    note(&best, 256, 64, 0, 0, 0);        // no time
    char *text = printed(print_best, &best);
    assert_says(text, "best: Br=64 Bc=32, 1 ms");
    assert_says(text, "as good, within the noise: Br=32 Bc=32, Br=128 Bc=64\n");
    assert_null(strstr(text, "Br=16"));
    free(text);
    lab_best many = {.n = 0};
    for (int i = 0; i < 6; i++) note(&many, 128, 256 << i, 1e-3, 4e-5, 7);
    text = printed(print_best, &many);
    assert_says(text, "as good, within the noise: Br=128 Bc=512, Br=128 Bc=1024,\n    Br=128 Bc=2048, Br=128 Bc=4096");
    free(text);
}

static void print_spread(void *timing) { lab_print_spread(timing); }

static void a_single_run_has_no_spread(void **state) {
    (void)state;
    lab_timing t = {.rounds = 1, .median_s = 1};
    char *one = printed(print_spread, &t);
    t.rounds = 7, t.iqr_s = 0.04;
    char *seven = printed(print_spread, &t);
    assert_string_equal(one, "one run ");
    assert_string_equal(seven, "+- 2.0 %");
    free(one), free(seven);
}

static void print_list(void *task) { lab_only_list("zzz", task, LAB_COUNTED, NULL); }

static void only_picks_points_by_a_part_of_their_name_or_lists_them(void **state) {
    (void)state;
    assert_true(lab_only_wanted(NULL, "seq", "S=512 full") && lab_only_wanted("s=512", "seq", "S=512 full"));
    assert_true(lab_only_wanted("heads", "heads", "H=1") && !lab_only_wanted("causal", "seq", "S=512 full"));
    char *text = printed(print_list, "task4");
    assert_says(text, "nothing of task4 is called ONLY=\"zzz\"");
    assert_says(text, "S=64 causal;");
    free(text);
}

// A tree without the lab's answers has the student's own files in their place.
static void no_file_is_measured_beside_itself(void **state) {
    (void)state;
    static const struct {
        const char *stage, *says;
    } rows[] = {{"build/stage/./task5.cuda.so", "the lab's answer, which is the measure, is not in this tree"},
                {"build/stage/grader+solutions/task2.cuda.so", "the lab's answer, which is the measure, is not"},
                {"build/stage/./no_task2.so", "your task2 is not compiled yet: make task2 compile"},
                {"Makefile", ""}};
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        lab_contender c = {.stage = rows[i].stage};
        lab_contender_without_answers(&c, "task2", "build/stage/./task5.cuda.so");
        if (*rows[i].says)
            assert_says(c.why, rows[i].says);
        else
            assert_string_equal(c.why, "");
        assert_int_equal(c.verdict, LAB_SKIPPED);
    }
}

// PyTorch's runners unpack requests: each field stands where C has it.
static void requests_in_python_are_those_in_c(void **state) {
    (void)state;
#define FIELD(name)                                                                                                    \
    { #name, offsetof(lab_request, name), sizeof((lab_request){0}.name) }
    static const struct {
        const char *name;
        size_t at, size;
    } fields[] = {FIELD(magic),   FIELD(serial),   FIELD(sets),
                  FIELD(steps),   FIELD(op),       FIELD(symbol),
                  FIELD(shape),   FIELD(laid_out), FIELD(extra),
                  FIELD(probe),   FIELD(pipeline), FIELD(n_tensors),
                  FIELD(lengths), FIELD(scratch),  FIELD(busy_us),
                  FIELD(tensor),  FIELD(edit),     FIELD(elements),
                  FIELD(bytes),   FIELD(stride),   FIELD(offset),
                  FIELD(key),     FIELD(link),     FIELD(notes),
                  FIELD(counts),  FIELD(values),   FIELD(n_values),
                  FIELD(large),   FIELD(part),     {"all", sizeof(lab_request), sizeof(lab_reply)}};
    FILE *python = popen("python3 grader/baselines/request.py", "r");
    assert_non_null(python);
    for (size_t i = 0; i < sizeof fields / sizeof *fields; i++) {
        char name[32] = "";
        size_t at = 0, size = 0;
        assert_int_equal(fscanf(python, "%31s %zu %zu", name, &at, &size), 3);
        assert_string_equal(name, fields[i].name);
        if (at != fields[i].at || size != fields[i].size)
            fail_msg("%s: %zu bytes at %zu, in Python %zu at %zu", name, fields[i].size, fields[i].at, size, at);
    }
    assert_int_equal(pclose(python), 0);
}

int main(void) {
    const struct CMUnitTest claims[] = {
        CLAIM(sizes_within_the_noise_are_as_good_as_the_best),
        CLAIM(a_single_run_has_no_spread),
        CLAIM(only_picks_points_by_a_part_of_their_name_or_lists_them),
        CLAIM(no_file_is_measured_beside_itself),
        CLAIM(requests_in_python_are_those_in_c),
    };
    return cmocka_run_group_tests_name("bench", claims, NULL, NULL);
}
