// unit_lost_gpu.c: a GPU that goes away in the middle of a call is not the student's fault. grader/run/stage.c.
//
// A runner that plays it: build/bin/unit_lost_gpu STAGE ERROR [goes]     answers the first call with the CUDA error, or never
//                                                                        (hang); after `goes` no runner finds a device
//                                              ... start                 does not even start
//                                              ... unlinked              is one whose libraries are gone
#include "unit.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "device.h"
#include "gpus.h"
#include "stage.h"

static const char gone[] = "build/.lost_gpu";

// ---- the runner

static void answer(uint32_t serial, int32_t status) {
    const lab_reply r = {.magic = LAB_MAGIC, .serial = serial, .status = status};
    if (write(LAB_FD_DONE, &r, sizeof r) != sizeof r) exit(1);
}

static int run(char **argv) {
    lab_request r;
    const int lost = access(gone, F_OK) == 0;
    if (lost) fprintf(stderr, "there is no CUDA device that works (error 100)\n");
    if (argv[2] && strcmp(argv[2], "start") == 0) pause();
    if (argv[2] && (strcmp(argv[2], "unlinked") == 0 || (strcmp(argv[2], "forged") == 0 && *argv[1]))) {
        fputs("runner_simt: error while loading shared libraries: libsimt.so: cannot open shared object file\n",
              stderr);
        return 127;
    }
    if (!lost && argv[2] && argv[3]) fclose(fopen(gone, "w"));  // before the clock of the call begins
    answer(0, lost ? LAB_NO_DEVICE : ATTN_OK);
    if (lost || read(LAB_FD_GO, &r, sizeof r) != sizeof r) return 1;
    if (strcmp(argv[2], "hang") == 0) pause();
    answer(r.serial, LAB_DEVICE + atoi(argv[2]));
    return 0;
}

// ---- the test

static void check(const char *error, const char *goes, lab_verdict expected, const char *says) {
    char *const runner[] = {"build/bin/unit_lost_gpu", "none.so", (char *)error, (char *)goes, NULL};
    const attn_shape shape = {1, 1, 1, 1, 8, 0};
    lab_request r = lab_request_of(&lab_sdpa, shape, 1, LAB_TEST);
    const lab_stage_options options = {
        .runner = runner, .stage = "none.so", .arena_bytes = r.bytes, .load_seconds = 20};
    attn_status status = ATTN_OK;
    char why[512] = "", text[512] = "";
    static lab_stage stage;
    unlink(gone);
    assert_int_equal(lab_stage_open(&stage, &options, why, sizeof why), LAB_PASSED);
    const double seconds = strcmp(error, "hang") ? 20 : 0.2;
    lab_verdict v = lab_stage_call(&stage, &r, seconds, &status, why, sizeof why);
    if (v == LAB_PASSED) v = lab_judge_status(status, "attn_flash", "", NULL, why, sizeof why);
    lab_stage_close(&stage);
    const lab_verdict next = lab_stage_open(&stage, &options, text, sizeof text);
    lab_stage_close(&stage);
    unlink(gone);
    if (v != expected || !strstr(why, says) || next != (goes ? LAB_GRADER_ERROR : LAB_PASSED))
        fail_msg("error %s %s: %s, \"%s\"; the next call: %s, \"%s\"", error, goes ? goes : "", lab_verdict_name(v),
                 why, lab_verdict_name(next), text);
}

static void a_gpu_that_goes_away_is_the_labs_trouble(void **state) {
    static const char *const errors[] = {"3", "35", "46", "100", "214", "719", "802", "999", "hang"};
    (void)state;
    for (size_t i = 0; i < sizeof errors / sizeof *errors; i++)
        check(errors[i], "goes", LAB_GRADER_ERROR,
              "the GPU was lost during this call: there is no CUDA device that works (error 100)");
}

// Forged errors, too: the device is still there.
static void errors_of_a_kernel_stay_its_own(void **state) {
    (void)state;
    check("46", NULL, LAB_LAUNCH_FAILURE, "CUDA error 46");
    check("100", NULL, LAB_LAUNCH_FAILURE, "CUDA error 100");
    check("700", NULL, LAB_ILLEGAL_ACCESS, "cudaErrorIllegalAddress");
    check("719", NULL, LAB_LAUNCH_FAILURE, "a kernel failed");
    check("2", NULL, LAB_OUT_OF_MEMORY, "no memory left");
    check("hang", NULL, LAB_TIMEOUT, "it waits for something");
}

// A runner that does not start: of a GPU that is not there, or of a file whose constructor does not end?
static void a_start_that_hangs_is_looked_into(void **state) {
    char *const runner[] = {"build/bin/unit_lost_gpu", "none.so", "start", NULL};
    const lab_stage_options options = {.runner = runner, .stage = "none.so", .arena_bytes = 4096, .load_seconds = 0.2};
    static lab_stage stage;
    char why[512] = "";
    (void)state;
    unlink(gone);
    assert_int_equal(lab_stage_open(&stage, &options, why, sizeof why), LAB_TIMEOUT);
    lab_stage_close(&stage);
    fclose(fopen(gone, "w"));
    assert_int_equal(lab_stage_open(&stage, &options, why, sizeof why), LAB_GRADER_ERROR);
    lab_stage_close(&stage);
    unlink(gone);
    assert_non_null(strstr(why, "the GPU was lost during this start: there is no CUDA device that works (error 100)"));
}

static void a_runner_whose_libraries_are_gone_is_the_labs_trouble(void **state) {
    char *const runner[] = {"build/bin/unit_lost_gpu", "none.so", "unlinked", NULL};
    const lab_stage_options options = {.runner = runner, .stage = "none.so", .arena_bytes = 4096, .load_seconds = 20};
    static lab_stage stage;
    char why[512] = "";
    (void)state;
    assert_int_equal(lab_stage_open(&stage, &options, why, sizeof why), LAB_GRADER_ERROR);
    lab_stage_close(&stage);
    assert_says(why, "the lab's own program does not start; make clean, and test again: libsimt.so: cannot open");
}

// A file says so while it is loaded; the runner alone does not.
static void the_words_of_the_loader_are_no_excuse(void **state) {
    char *const runner[] = {"build/bin/unit_lost_gpu", "none.so", "forged", NULL};
    const lab_stage_options options = {.runner = runner, .stage = "none.so", .arena_bytes = 4096, .load_seconds = 20};
    static lab_stage stage;
    char why[512] = "";
    (void)state;
    assert_int_equal(lab_stage_open(&stage, &options, why, sizeof why), LAB_EARLY_EXIT);
    lab_stage_close(&stage);
}

// Who fails at once has the fewest users: a class does not follow them onto a lost GPU.
static void a_lost_gpu_does_not_draw_the_class(void **state) {
    static const struct {
        int users[3], lost[3], best;
    } row[] = {{{2, 1, 2}, {0}, 1},
               {{1, 1, 1}, {0}, 0},
               {{0, 3, 2}, {1, 0, 0}, 2},
               {{3, 0, 0}, {0, 1, 1}, 0},
               {{2, 1, 2}, {1, 1, 1}, 1}};
    (void)state;
    for (size_t i = 0; i < sizeof row / sizeof *row; i++)
        assert_int_equal(lab_gpu_to_use(row[i].users, row[i].lost, 3), row[i].best);
}

// Of attn_decode_split a grid of 0 blocks is made of n_splits = 0.
static void a_grid_of_no_blocks_may_be_a_number_that_nobody_set(void **state) {
    (void)state;
    static const char log[] =
        "simt: error: launch of f refused at f.cu:9: a grid of (0,1,1) blocks; a number of blocks is "
        "0: is a quotient rounded down, or is what it is made of 0?\n";
    char split[600] = "", other[600] = "";
    lab_judge_status(ATTN_CUDA_ERROR, "attn_decode_split", log, NULL, split, sizeof split);
    lab_judge_status(ATTN_CUDA_ERROR, "attn_combine", log, NULL, other, sizeof other);
    assert_says(split, "a number of blocks is 0: n_splits = 0 asks for a number of splits of your own");
    assert_says(other, "a number of blocks is 0: is a quotient rounded down");
}

int main(int argc, char **argv) {
    if (argc > 1) return run(argv);
    const struct CMUnitTest tests[] = {
        CLAIM(a_gpu_that_goes_away_is_the_labs_trouble),
        CLAIM(errors_of_a_kernel_stay_its_own),
        CLAIM(a_start_that_hangs_is_looked_into),
        CLAIM(a_runner_whose_libraries_are_gone_is_the_labs_trouble),
        CLAIM(the_words_of_the_loader_are_no_excuse),
        CLAIM(a_lost_gpu_does_not_draw_the_class),
        CLAIM(a_grid_of_no_blocks_may_be_a_number_that_nobody_set),
    };
    return cmocka_run_group_tests_name("unit_lost_gpu", tests, NULL, NULL);
}
