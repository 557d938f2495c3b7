// unit_reports.c: what simt has printed becomes a verdict and a sentence. grader/run/device.c
#include "unit.h"

#include <stdio.h>
#include <string.h>

#include "device.h"
#include "memory.h"

enum { LAUNCH_TIMEOUT = 702 };  // simt ends a deadlock with cudaErrorLaunchTimeout

static char text[900];

static void deadlock(const char *threads) {
    char log[700];
    snprintf(log, sizeof log, "simt: error: deadlock: no thread of the block can go on (a GPU would hang)\n%s",
             threads);
    assert_int_equal(lab_judge_device(LAUNCH_TIMEOUT, "attn_decode", log, text, sizeof text), LAB_GPU_HANG);
    assert_says(text, "no thread of the block can go on");
}

static const char apart[] = "lanes of one warp are apart";

static void lanes_that_are_apart_in_a_hang_are_named(void **state) {
    (void)state;
    deadlock("  threads 8-127 wait in __syncthreads at decode.cu:80 in scan\n"
             "  threads 0-7 wait for lanes of their warp at decode.cu:41 in team_sum\n");
    assert_says(text, apart);
    assert_says(text, "the shuffle at decode.cu:41 in team_sum. All lanes that its mask names");
}

// A kernel that simt could not even stop ends the process, which is not what the student's file has done.
static void a_kernel_that_cannot_be_stopped_is_a_hang(void **state) {
    static const char log[] =
        "simt: error: a kernel did not end within 2 s and cannot be interrupted: kernel rows launched at /a/flash.cu:9";
    (void)state;
    assert_true(lab_simt_ended_it(LAB_CHECK_REPORT, log));
    assert_int_equal(lab_judge_device(LAB_CHECK_REPORT, "", log, text, sizeof text), LAB_GPU_HANG);
    assert_says(text, "kernel rows launched at flash.cu:9");
}

// A probe launches a kernel of its own around the student's function.
static void lines_of_a_probe_are_not_named(void **state) {
    (void)state;
    static const char stray[] = "simt: error: wild pointer: address 0x7efe at /a/naive.cu:53 in block_reduce\n"
                                "    called from /a/grader/probes/task2.cu:28 in run_block_reduce\n"
                                "    called from /a/naive.cu:60 in softmax\n"
                                "  in thread (0,0,0) of block (0,0,0) of kernel run_block_reduce <<<(3,1,1), "
                                "(256,1,1)>>> launched at /a/grader/probes/task2.cu:31\n";
    assert_int_equal(lab_judge_device(700, "lab_probe_block_reduce", stray, text, sizeof text), LAB_ILLEGAL_ACCESS);
    assert_says(text, "naive.cu:53 in block_reduce; called from naive.cu:60 in softmax; in thread (0,0,0)");
    assert_int_equal(strncmp(text, "block_reduce: a kernel touched", 30), 0);
    assert_says(text, "of kernel run_block_reduce <<<(3,1,1), (256,1,1)>>> of the test");
    static const char race[] = "simt: error: data race: shared part[3]\n"
                               "    kernel run_block_reduce, launched at /a/grader/probes/task2.cu:31, block (0,0,0)\n"
                               "    read      thread (3,0,0)  /a/naive.cu:52 in block_reduce\n";
    assert_int_equal(lab_judge_device(LAB_CHECK_REPORT, "f", race, text, sizeof text), LAB_RACE);
    assert_says(text, "kernel run_block_reduce of the test, block (0,0,0); read thread (3,0,0) naive.cu:52");
    assert_null(strstr(text, "task2.cu"));
}

// Whole warps stand at different places: that is no matter of lanes.
static void warps_that_are_apart_are_not_called_lanes(void **state) {
    (void)state;
    deadlock("  threads 32-63 wait in __syncthreads at decode.cu:80 in scan\n"
             "  threads 0-31,64-127 wait for lanes of their warp at decode.cu:41 in team_sum\n");
    assert_null(strstr(text, apart));
    deadlock("  threads 0-15 wait in __syncthreads at decode.cu:80 in scan\n"
             "  threads 16-31 wait in __syncthreads at decode.cu:91 in scan\n");
    assert_null(strstr(text, apart));
}

// Threads that wait at two barriers have come to one of them without the others; what a shuffle waits for comes of that.
static void a_barrier_that_not_all_threads_reach_is_named(void **state) {
    (void)state;
    deadlock("  threads 32-127 wait in __syncthreads at flash.cu:270 in flash_kernel\n"
             "  threads 0-23 wait in __syncthreads at flash.cu:249 in flash_kernel\n"
             "  threads 24-31 wait for lanes of their warp at flash.cu:120 in row_max\n");
    assert_says(text,
                "at the barrier of flash.cu:270, the others at that of flash.cu:249: one of the two stands where");
    assert_null(strstr(text, apart));
    deadlock("  threads 0-15 wait in __syncthreads at flash.cu:249 in flash_kernel\n"
             "  threads 16-31 wait in __syncthreads at flash.cu:249 in flash_kernel\n");
    assert_null(strstr(text, "of the two stands"));
}

int main(void) {
    const struct CMUnitTest claims[] = {
        CLAIM(lanes_that_are_apart_in_a_hang_are_named),
        CLAIM(a_kernel_that_cannot_be_stopped_is_a_hang),
        CLAIM(lines_of_a_probe_are_not_named),
        CLAIM(warps_that_are_apart_are_not_called_lanes),
        CLAIM(a_barrier_that_not_all_threads_reach_is_named),
    };
    return cmocka_run_group_tests_name("reports", claims, NULL, NULL);
}
