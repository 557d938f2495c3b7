// unit_guests.c: CUDA on the CPU cannot be lied to: what a stage tries (guests.cu) in place of its kernels' work is seen, in
// both modes, and named. grader/simt/runtime/guests.h, grader/run/counts.c and device.c.
#include "unit.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "build.h"
#include "count_case.h"

static const char *const stages[] = {"build/tests/guests.so", "build/tests/guests.checked.so"};
static char *const runners[] = {"build/bin/runner_simt", "build/bin/runner_simt_checked"};
static const lab_experiment gemm = {.name = "GEMM_NN 48 x 80 x 64", .op = &lab_gemm_nn, .shape = {1, 1, 48, 80, 64, 0}};

static void choose(int checked) {
    setenv("LAB_BACKEND", "simt", 1);
    if (checked)
        setenv("LAB_CHECKED", "1", 1);
    else
        unsetenv("LAB_CHECKED");
}

static int build(void **state) {
    (void)state;
    char message[1024];
    mkdir("build/tests", 0777);
    for (int checked = 0; checked < 2; checked++) {
        const lab_build_options options = {
            .lab = ".", .source = "grader/tests/guests.cu", .output = stages[checked], .seconds = 60, .any_symbol = 1};
        choose(checked);
        if (lab_build(lab_task_find("task2"), &options, message, sizeof message, NULL, 0) != LAB_PASSED) {
            fprintf(stderr, "%s\n", message);
            return 1;
        }
    }
    return 0;
}

static lab_counted run(const char *trick, int checked) {
    static lab_stage stage;
    lab_counted r = {0};
    char *command[] = {runners[checked], (char *)stages[checked], NULL};
    const lab_stage_options options = {
        .runner = command, .stage = command[1], .arena_bytes = lab_count_arena(&gemm), .load_seconds = 10};
    choose(checked);
    setenv("TRICK", trick, 1);
    r.verdict = lab_stage_open(&stage, &options, r.why, sizeof r.why);
    if (r.verdict == LAB_PASSED) lab_count_case(&stage, &gemm, 1, 10, &r);
    // Fast mode does not count: there this is what a right answer gets.
    if (!checked && strstr(r.why, "this runner does not count")) r.verdict = LAB_PASSED, r.why[0] = 0;
    lab_stage_close(&stage);
    return r;
}

enum { FAST = 1, CHECKED = 2, BOTH = 3 };
typedef struct {
    const char *trick;
    int modes;
    lab_verdict verdict;
    const char *why;
} row;

static void each_is(const row *rows, size_t n) {
    int wrong = 0;
    for (size_t i = 0; i < n; i++)
        for (int checked = 0; checked < 2; checked++) {
            if (!(rows[i].modes & (checked ? CHECKED : FAST))) continue;
            const lab_counted r = run(rows[i].trick, checked);
            if (r.verdict == rows[i].verdict && strstr(r.why, rows[i].why)) continue;
            print_message("%s%s: %s, %s\n", rows[i].trick, checked ? ", checked" : "", lab_verdict_name(r.verdict),
                          r.why);
            wrong++;
        }
    assert_int_equal(wrong, 0);
}
#define EACH(rows) each_is(rows, sizeof rows / sizeof *rows)

static void honest_stages_pass(void **state) {
    (void)state;
    static const row rows[] = {
        {"", BOTH, LAB_PASSED, ""},
        {"copies_a_little", BOTH, LAB_PASSED, ""},
        {"calls_by_pointer", BOTH, LAB_PASSED, ""},
        {"asks_for_the_table", BOTH, LAB_PASSED, ""},
        {"forks", BOTH, LAB_PASSED, ""},
        {"writes_code", BOTH, LAB_PASSED, ""},
        {"keeps_lists", BOTH, LAB_PASSED, ""},
        {"invents_a_pool", BOTH, LAB_PASSED, ""},
    };
    EACH(rows);
}

static void device_memory_is_out_of_the_hosts_reach(void **state) {
    (void)state;
    static const row rows[] = {
        {"host_reads", FAST, LAB_ILLEGAL_ACCESS, "the host touched device memory (tensor A) at guests.cu:"},
        {"host_reads", CHECKED, LAB_ILLEGAL_ACCESS, "guests.cu:"},
        {"host_copies", FAST, LAB_ILLEGAL_ACCESS, "the host touched device memory (tensor A)"},
        {"host_copies", CHECKED, LAB_ILLEGAL_ACCESS, "guests.cu:"},
        {"pool_reads_device", BOTH, LAB_ILLEGAL_ACCESS, "guests.cu:"},
        {"pool_memory_on_the_host", BOTH, LAB_ILLEGAL_ACCESS, "guests.cu:"},
        {"many_allocations", BOTH, LAB_ILLEGAL_ACCESS, "guests.cu:"},
        {"reads_a_variable", BOTH, LAB_ILLEGAL_ACCESS, "device memory (variable kept)"},
        {"writes_a_constant", BOTH, LAB_ILLEGAL_ACCESS, "device memory (variable constants)"},
        {"kernel_to_malloc", CHECKED, LAB_ILLEGAL_ACCESS, "guests.cu:"},
        {"kernel_to_variable", CHECKED, LAB_ILLEGAL_ACCESS, "guests.cu:"},
    };
    EACH(rows);
}

static void what_the_host_computes_has_a_verdict(void **state) {
    (void)state;
    static const row rows[] = {
        {"copies_back", BOTH, LAB_HOST_COMPUTES, "the host copies 12288 bytes of device memory to itself (cudaMemcpy)"},
        {"copies_back_by_default", BOTH, LAB_HOST_COMPUTES, "at guests.cu:"},
        {"copies_back_in_pieces", BOTH, LAB_HOST_COMPUTES, "the host copies 4352 bytes"},
        {"copies_back_columns", BOTH, LAB_HOST_COMPUTES, "(cudaMemcpy2D)"},
        {"copies_a_variable", BOTH, LAB_HOST_COMPUTES, "(cudaMemcpyFromSymbol)"},
        {"managed", BOTH, LAB_HOST_COMPUTES, "(cudaMallocManaged)"},
        {"cublas", BOTH, LAB_HOST_COMPUTES, "the host leaves its work to a library (cublasCreate)"},
        {"pinned", BOTH, LAB_HOST_COMPUTES, "(cudaMallocHost)"},
    };
    EACH(rows);
}

static void counts_are_out_of_a_stages_reach(void **state) {
    (void)state;
    static const row rows[] = {
        {"stores", CHECKED, LAB_ILLEGAL_ACCESS, "memory that is not the stage's"},
        {"stores_in_the_runner", CHECKED, LAB_ILLEGAL_ACCESS, "memory that is not the stage's"},
        {"writes_while_it_is_loaded", CHECKED, LAB_ILLEGAL_ACCESS, "memory that is not the stage's"},
        {"stores_in_counters", CHECKED, LAB_ILLEGAL_ACCESS, "memory that is not the stage's"},
        {"prints_n", BOTH, LAB_LAUNCH_FAILURE, "printf with %n"},
        {"clears", CHECKED, LAB_ILLEGAL_ACCESS, "memory that is not the stage's"},
        {"copies_there", BOTH, LAB_ILLEGAL_ACCESS, "memory that is not the stage's"},
        {"copies_host_to_host", BOTH, LAB_ILLEGAL_ACCESS, "memory that is not the stage's"},
        {"asks_into", BOTH, LAB_ILLEGAL_ACCESS, "memory that is not the stage's"},
        {"forges_a_pool", CHECKED, LAB_ILLEGAL_ACCESS, "memory that is not the stage's"},
        {"forges_an_event", CHECKED, LAB_ILLEGAL_ACCESS, "memory that is not the stage's"},
        {"pool_answers_there", BOTH, LAB_ILLEGAL_ACCESS, "memory that is not the stage's"},
        {"calls_into_simt", CHECKED, LAB_ILLEGAL_ACCESS, "no function of the stage's; at guests.cu:"},
        {"calls_into_the_c_library", CHECKED, LAB_ILLEGAL_ACCESS, "no function of the stage's; at guests.cu:"},
        {"kernel_stores", CHECKED, LAB_ILLEGAL_ACCESS, "guests.cu:"},
    };
    EACH(rows);
}

static void behind_the_last_allocation_is_nobodys_memory(void **state) {
    (void)state;
    // The calls of the API are refused, and the stage goes on: then it is its own allocation that is counted.
    static const row rows[] = {
        {"behind_store", BOTH, LAB_ILLEGAL_ACCESS, "guests.cu:"},
        {"behind_atomic", BOTH, LAB_ILLEGAL_ACCESS, "guests.cu:"},
        {"behind_copy_in_kernel", BOTH, LAB_ILLEGAL_ACCESS, "guests.cu:"},
        {"behind_ptx", BOTH, LAB_ILLEGAL_ACCESS, "guests.cu:"},
        {"behind_load", BOTH, LAB_ILLEGAL_ACCESS, "guests.cu:"},
        {"behind_near", CHECKED, LAB_ILLEGAL_ACCESS, "guests.cu:"},
        {"behind_freed", BOTH, LAB_ILLEGAL_ACCESS, "guests.cu:"},
        {"behind_host", BOTH, LAB_ILLEGAL_ACCESS, "guests.cu:"},
        {"behind_host_of_the_next", BOTH, LAB_ILLEGAL_ACCESS, "guests.cu:"},
        {"behind_memset", FAST, LAB_PASSED, ""},
        {"behind_memset", CHECKED, LAB_WRONG_ANSWER, "a call allocates nothing"},
        {"behind_memcpy", FAST, LAB_PASSED, ""},
        {"behind_memcpy", CHECKED, LAB_WRONG_ANSWER, "a call allocates nothing"},
        {"behind_memcpy_over_the_end", FAST, LAB_PASSED, ""},
        {"behind_memcpy_over_the_end", CHECKED, LAB_WRONG_ANSWER, "a call allocates nothing"},
    };
    EACH(rows);
}

static void a_refused_launch_says_why(void **state) {
    (void)state;
    static const row rows[] = {{"asks_for_too_much", BOTH, LAB_LAUNCH_FAILURE,
                                "attn_gemm_nn returned ATTN_CUDA_ERROR: launch of prints refused at guests.cu:"}};
    EACH(rows);
}

static void a_kernel_that_prints_on_and_on_is_ended(void **state) {
    (void)state;
    static const row rows[] = {{"prints", BOTH, LAB_OUTPUT_LIMIT, "a kernel printed more than 1024 KiB"}};
    EACH(rows);
}

// The message of a compilation of task 4's header and `text`.
static void refused(const char *text, const char *why) {
    char message[1024];
    FILE *f = fopen("build/tests/hides.cu", "w");
    if (!f || fprintf(f, "#include \"task4.h\"\n%s\n", text) < 0 || fclose(f)) fail_msg("cannot write hides.cu");
    const lab_build_options options = {
        .lab = ".", .source = "build/tests/hides.cu", .output = "build/tests/hides.so", .seconds = 60};
    choose(0);
    const lab_verdict v = lab_build(lab_task_find("task4"), &options, message, sizeof message, NULL, 0);
    if (v != LAB_FORBIDDEN_SYMBOL || !strstr(message, why)) fail_msg("%s: %s, %s", text, lab_verdict_name(v), message);
}

static void what_hides_code_from_simt_is_refused(void **state) {
    (void)state;
    refused("__attribute__((no_sanitize(\"thread\"))) void f(int *p) { *p = 1; }",
            "hides.cu:2:16: error: the attribute");
    refused("[[gnu::__no_sanitize_thread__]] void f(int *p) { *p = 1; }", "the attribute __no_sanitize_thread__");
    refused("static int other __attribute__((weakref(\"simt_hooks\")));", "the attribute weakref");
    refused("#pragma GCC push_options", "the pragma GCC push_options");
    refused("_Pragma(\"redefine_extname f simt_launch\") void f();", "the pragma redefine_extname");
    refused("extern \"C\" void simt_variable_gone(void *);", "simt_variable_gone is not for a stage");
    refused("void f() __asm__(\"simt_variable_gone\");", "__asm__ is not for a stage");
    static const char *const declared[] = {
        "extern \"C\" { extern const float a[3]; }", "typedef const float c; extern \"C\" c (a)[3];",
        "struct s { float f[3]; }; extern const struct s (a);", "void f() { extern decltype(1.0f) a; }",
        "template <int N> extern const float a;"};
    for (size_t i = 0; i < sizeof declared / sizeof *declared; i++)
        refused(declared[i], "a variable that is declared before it is defined is not for a stage");
    refused("# 1 \"/usr/include/hidden.h\" 3\nvoid simt_f();", "hides.cu:2:1: error: #line is not for a stage");
    refused("/* */ %: 1 \"/usr/include/hidden.h\" 1 3\nvoid simt_f();",
            "hides.cu:2:1: error: #line is not for a stage");
}

int main(void) {
    const struct CMUnitTest claims[] = {
        CLAIM(honest_stages_pass),
        CLAIM(device_memory_is_out_of_the_hosts_reach),
        CLAIM(what_the_host_computes_has_a_verdict),
        CLAIM(counts_are_out_of_a_stages_reach),
        CLAIM(behind_the_last_allocation_is_nobodys_memory),
        CLAIM(a_refused_launch_says_why),
        CLAIM(a_kernel_that_prints_on_and_on_is_ended),
        CLAIM(what_hides_code_from_simt_is_refused),
    };
    return cmocka_run_group_tests_name("guests", claims, build, NULL);
}
