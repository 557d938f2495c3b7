// unit_profile.c: what nvcc, ncu and compute-sanitizer print is understood. grader/profile: ptxas, ncu, findings.
#include "unit.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "findings.h"
#include "ncu.h"
#include "ptxas.h"
#include "tool.h"

static lab_kernel kernels[LAB_MAX_KERNELS];

static char *sample(const char *name) {
    char path[256];
    snprintf(path, sizeof path, "grader/profile/samples/%s", name);
    char *text = lab_read_text(path);
    if (!text) fail_msg("cannot read %s", path);
    return text;
}

static const double *values_of(int n, const char *name) {
    const lab_kernel *k = lab_kernel_find(kernels, n, name);
    if (!k) fail_msg("there is no kernel %s", name);
    return k->value;
}

static void near(double x, double expected) {
    if (!(fabs(x - expected) <= 1e-9 * fabs(expected))) fail_msg("%g is not %g", x, expected);
}

static void names_are_short_and_the_same_from_every_tool(void **state) {
    (void)state;
    static const char *const names[][2] = {
        {"_Z7softmaxPfPKfi", "softmax"},
        {"_Z4gemmILb0ELi4EEvPfPKfS2_iii", "gemm<false, 4>"},
        {"void flash_kernel<sizes<(int)64, (int)32>>(float *, int)", "flash_kernel<sizes<64, 32>>"},
        {"_Z5flashI5sizesILi64ELi32EEEvPf", "flash<sizes<64, 32>>"},
        {"_ZN40_GLOBAL__N__d633c7a1_8_spill_cu_09d379b97crowdedILb1ELi64EEEvPfi", "crowded<true, 64>"},
        {"void flash<(Mask)1>(float *)", "flash<(Mask)1>"},
        {"plain", "plain"},
        {"_Zgarbage", "_Zgarbage"},
        {"bad\033[31m", "bad?[31m"},
        {"", ""},
    };
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        char text[LAB_KERNEL_NAME];
        lab_kernel_name(names[i][0], text, sizeof text);
        assert_string_equal(text, names[i][1]);
    }
}

static void registers_and_spills_of_each_kernel_are_its_own(void **state) {
    (void)state;
    char *log = sample("ptxas.txt"), arch[16];
    const int n = lab_ptxas_parse(log, kernels, arch, sizeof arch);
    assert_int_equal(n, 2);
    assert_string_equal(arch, "sm_90");
    const double *crowded = values_of(n, "crowded<true, 64>"), *caller = values_of(n, "caller");
    near(crowded[LAB_REGISTERS], 32);
    near(crowded[LAB_SPILL_BYTES], 552 + 588);
    near(crowded[LAB_STACK_BYTES], 288);
    near(crowded[LAB_SHARED_BYTES], 0);
    near(caller[LAB_SPILL_BYTES], 0);
    near(caller[LAB_STACK_BYTES], 160);  // what follows is about its helper
    near(caller[LAB_SHARED_BYTES], 256);
    assert_true(isnan(caller[LAB_SECONDS]));
    free(log);
}

static void other_output_of_the_compiler_is_no_kernel(void **state) {
    (void)state;
    static const char *const logs[] = {"", "a.cu(3): warning #177-D: variable was declared\n", "Used 5 registers",
                                       "ptxas info    : Used 30 registers\n0 bytes stack frame",
                                       "ptxas info : Function properties for x\n  8 bytes stack frame\n"};
    char arch[16];
    for (size_t i = 0; i < sizeof logs / sizeof *logs; i++)
        assert_int_equal(lab_ptxas_parse(logs[i], kernels, arch, sizeof arch), 0);
    assert_int_equal(lab_ptxas_parse("Compiling entry function 'half", kernels, arch, sizeof arch), 1);
}

static void launches_of_a_kernel_are_added_up(void **state) {
    (void)state;
    char *csv = sample("ncu.csv");
    const int n = lab_ncu_parse(csv, kernels);
    assert_int_equal(n, 2);
    const double *v = values_of(n, "gemm<false, 4>");
    near(v[LAB_SECONDS], 40e-6);
    near(v[LAB_DRAM_BYTES], 2 * 4194304. + 33554432);
    near(v[LAB_MEMORY_PCT], (3 * 41.5 + 11.5) / 4);
    near(v[LAB_SM_PCT], (3 * 71.25 + 31.25) / 4);
    near(v[LAB_OCCUPANCY_PCT], 23.4);
    near(v[LAB_REGISTERS], 121);
    near(v[LAB_SHARED_BYTES], 34000);
    near(v[LAB_BANK_CONFLICTS], 2100);
    near(v[LAB_LOCAL_BYTES], 64 * 32);
    near(v[LAB_FLOPS], 4 * 536870912. + 1024);
    free(csv);
}

static void a_metric_that_is_missing_costs_no_other(void **state) {
    (void)state;
    char *csv = sample("ncu.csv");
    const double *v = values_of(lab_ncu_parse(csv, kernels), "softmax");
    near(v[LAB_SECONDS], 20e-6);
    near(v[LAB_SM_PCT], 12.5);
    near(v[LAB_SHARED_BYTES], 32);
    near(v[LAB_BANK_CONFLICTS], 17);  // the second metric of the field stands in
    assert_true(isnan(v[LAB_MEMORY_PCT]) && isnan(v[LAB_OCCUPANCY_PCT]) && isnan(v[LAB_FLOPS]));
    free(csv);
    const char *few =
        "\"ID\",\"Kernel Name\",\"gpu__time_duration.sum\"\r\n\"\",\"\",\"us\"\r\n\"0\",\"k\",\"1.5\"\r\n";
    assert_int_equal(lab_ncu_parse(few, kernels), 1);
    near(kernels[0].value[LAB_SECONDS], 1.5e-6);
    assert_true(isnan(kernels[0].value[LAB_DRAM_BYTES]));
}

static void every_beginning_of_the_output_is_harmless(void **state) {
    (void)state;
    static const char *const names[] = {"ncu.csv", "ptxas.txt", "memcheck.txt", "racecheck.txt", "synccheck.txt"};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        char *text = sample(names[i]), arch[16];
        for (size_t n = strlen(text); n-- > 0;) {
            lab_findings f;
            text[n] = 0;
            assert_in_range(lab_ncu_parse(text, kernels), 0, 2);
            assert_in_range(lab_ptxas_parse(text, kernels, arch, sizeof arch), 0, 2);
            lab_findings_parse(text, "flash.cu", &f);
            assert_in_range(f.reports, 0, 2);
        }
        free(text);
    }
}

static void a_missing_permission_is_recognized(void **state) {
    (void)state;
    char why[256], *denied = sample("ncu-denied.txt"), *fine = sample("ncu.csv");
    assert_int_equal(lab_ncu_complaint(denied, why, sizeof why), 1);
    assert_says(why, "does not have permission");
    assert_int_equal(lab_ncu_complaint(fine, why, sizeof why), 0);
    assert_string_equal(why, "");
    assert_int_equal(lab_ncu_complaint("==ERROR== The application returned an error code (1).\n", why, sizeof why), 0);
    assert_string_equal(why, "The application returned an error code (1).");
    free(denied);
    free(fine);
}

static void reports_are_told_by_line_kernel_and_thread(void **state) {
    (void)state;
    static const struct {
        const char *sample, *file;
        lab_verdict verdict;
        int reports;
        const char *text;
    } rows[] = {
        {"memcheck.txt", "flash.cu", LAB_ILLEGAL_ACCESS, 2,
         "out of bounds: a read of 16 bytes from global memory at flash.cu:104 in flash_kernel<sizes<64, 32, 64>>, "
         "thread (65,0,0) of block (1,0,3)"},
        {"memcheck.txt", "other.cu", LAB_ILLEGAL_ACCESS, 2,
         "out of bounds: a read of 16 bytes from global memory at helpers.h:12 in load_rows, thread (65,0,0) of block "
         "(1,0,3)"},
        {"misaligned.txt", "flash.cu", LAB_ILLEGAL_ACCESS, 1,
         "misaligned: a write of 16 bytes to shared memory at flash.cu:34 in flash_kernel, thread (1,0,0) of block "
         "(0,0,0)"},
        {"racecheck.txt", "flash.cu", LAB_RACE, 1,
         "a race in shared memory: a write at flash.cu:141 and a read at flash.cu:151 in flash_kernel<sizes<64, 32, "
         "64>>, "
         "no barrier between (508 hazards)"},
        {"racecheck-copy.txt", "flash.cu", LAB_RACE, 1,
         "a race in shared memory: an asynchronous copy and a read at flash.cu:42 in load4, no barrier between (16384 "
         "hazards)"},
        {"initcheck.txt", "naive.cu", LAB_WRONG_ANSWER, 1,
         "a read of 4 bytes from global memory that was never written at naive.cu:41 in softmax, thread (31,0,0) of "
         "block "
         "(1,0,0)"},
        {"synccheck.txt", "flash.cu", LAB_RACE, 1,
         "Barrier error detected. Divergent thread(s) in block. at flash.cu:60 in flash_kernel, thread (32,0,0) of "
         "block "
         "(0,0,0)"},
        {"clean.txt", "flash.cu", LAB_PASSED, 0, ""},
        {"clean-racecheck.txt", "flash.cu", LAB_PASSED, 0, ""},
        {"unsupported.txt", "flash.cu", LAB_PASSED, 0, ""},
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        char *log = sample(rows[i].sample);
        lab_findings f;
        lab_findings_parse(log, rows[i].file, &f);
        assert_string_equal(f.text, rows[i].text);
        assert_string_equal(lab_verdict_name(f.verdict), lab_verdict_name(rows[i].verdict));
        assert_int_equal(f.reports, rows[i].reports);
        assert_true(f.started && f.finished);
        assert_int_equal(*f.complaint != 0, strcmp(rows[i].sample, "unsupported.txt") == 0);
        free(log);
    }
}

static void a_log_without_summary_is_not_finished(void **state) {
    (void)state;
    lab_findings f;
    lab_findings_parse("", "flash.cu", &f);
    assert_true(!f.started && !f.finished && f.verdict == LAB_PASSED);
    lab_findings_parse("========= COMPUTE-SANITIZER\n", "flash.cu", &f);
    assert_true(f.started && !f.finished && f.verdict == LAB_PASSED);
}

int main(void) {
    const struct CMUnitTest claims[] = {
        CLAIM(names_are_short_and_the_same_from_every_tool), CLAIM(registers_and_spills_of_each_kernel_are_its_own),
        CLAIM(other_output_of_the_compiler_is_no_kernel),    CLAIM(launches_of_a_kernel_are_added_up),
        CLAIM(a_metric_that_is_missing_costs_no_other),      CLAIM(every_beginning_of_the_output_is_harmless),
        CLAIM(a_missing_permission_is_recognized),           CLAIM(reports_are_told_by_line_kernel_and_thread),
        CLAIM(a_log_without_summary_is_not_finished),
    };
    return cmocka_run_group_tests_name("profile", claims, NULL, NULL);
}
