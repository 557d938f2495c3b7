// unit_checked.c: beside a GPU, whose right numbers stand in the cases here, a process on the processor looks for what they
// hide: what checked mode reports is no right answer, and what simt cannot run costs nothing. grader/grade/run_checked.c.
#define _GNU_SOURCE
#include "unit.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "claims.h"
#include "device.h"
#include "grade.h"
#include "journal_lines.h"
#include "lock.h"

static const char answer[] = "grader/solutions/task2_naive/naive.cu";
static const char barrier[] = "    part[t] = x;", raced[] = "__shared__ volatile float last; part[t] = x; last = x;";
static const char chain[] = "ATTN_API attn_status attn_naive(", in_chain[] = "    // TODO 2.11: the chain.";

static const lab_task *task;
static lab_graded s;
static char unlooked[1024];

// The answer with `now` in place of the first `was`, as the student's file.
static void write_file(const char *was, const char *now) {
    char path[4300];
    char *whole = NULL;
    size_t size = 0;
    FILE *in = fopen(answer, "r"), *out;
    assert_non_null(in);
    assert_true(getdelim(&whole, &size, 0, in) > 0);
    fclose(in);
    char *at = strstr(whole, was);
    assert_non_null(at);
    snprintf(path, sizeof path, "%s/naive.cu", s.work);
    assert_non_null(out = fopen(path, "w"));
    fprintf(out, "%.*s%s%s", (int)(at - whole), whole, now, at + strlen(was));
    assert_int_equal(fclose(out), 0);
    free(whole);
}

// All claims about the whole, as a GPU leaves them.
static json_t *cases_of(lab_verdict verdict) {
    json_t *cases = json_array();
    const lab_case *row;
    lab_case c;
    static lab_result r;
    r.verdict = verdict, r.seconds = 1e-4;
    for (int i = 0; (row = lab_case_at(i)); i++)
        if (strcmp(row->task, task->id) == 0 && !row->todo && lab_case_find(task->id, row->claim, 1, &c))
            json_array_append_new(cases, lab_claim_json(&c, &r));
    return cases;
}

static json_t *judge(const char *backend, lab_verdict verdict) {
    char path[4600];
    json_t *cases = cases_of(verdict);
    setenv("LAB_BACKEND", backend, 1);
    for (const char *const *name = (const char *const[]){"task2.checked.so", "task2.checked.cases", NULL}; *name;
         name++) {
        snprintf(path, sizeof path, "%s/%s", s.work, *name);
        unlink(path);
    }
    snprintf(path, sizeof path, "%s/naive.cu", s.work);
    const pid_t beside = strcmp(backend, "cuda") == 0 ? lab_look_beside(&s, task, path) : 0;
    lab_judge_checked(&s, task, path, beside, cases, unlooked, sizeof unlooked);
    assert_string_equal(getenv("LAB_BACKEND"), backend);
    assert_null(getenv("LAB_CHECKED"));
    return cases;
}

// How many of the cases have that verdict; each says what it is.
static int count(json_t *cases, const char *verdict, const char *says) {
    size_t i;
    json_t *c;
    int n = 0;
    json_array_foreach(cases, i, c) {
        if (strcmp(lab_text_of(c, "verdict"), verdict)) continue;
        assert_says(lab_text_of(c, "diagnosis"), says);
        n++;
    }
    return n;
}

// No point is lost. Says why nobody has looked, or nothing.
static void costs_nothing(const char *says) {
    json_t *cases = judge("cuda", LAB_PASSED);
    assert_int_equal(count(cases, "PASSED", ""), json_array_size(cases));
    assert_says(unlooked, says);
    if (!*says) assert_string_equal(unlooked, "");
    json_decref(cases);
}

static void the_answer_keeps_all(void **state) {
    (void)state;
    write_file(barrier, barrier);
    costs_nothing("");
}

static void a_race_that_a_gpu_does_not_show_is_one_here_and_there(void **state) {
    (void)state;
    write_file(barrier, raced);
    json_t *there = judge("cuda", LAB_PASSED);
    assert_true(count(there, "RACE", "in checked mode, on the processor: data race") > 0);
    assert_string_equal(unlooked, "");
    json_t *here = judge("simt", LAB_PASSED);
    assert_int_equal(count(here, "RACE", "in checked mode: data race"), count(there, "RACE", "naive.cu:"));
    json_decref(here), json_decref(there);
}

static void what_simt_refuses_costs_nothing_there(void **state) {
    (void)state;
    write_file(chain, "char lab_text[8];\nvoid lab_print(int x) { snprintf(lab_text, sizeof lab_text, \"%d\", x); }\n"
                      "ATTN_API attn_status attn_naive(");
    costs_nothing("simt does not compile the file: naive.cu:");
    json_t *here = judge("simt", LAB_PASSED);
    assert_int_equal(count(here, "FORBIDDEN_SYMBOL", "in checked mode: naive.cu:"), json_array_size(here));
    assert_string_equal(unlooked, "");
    json_decref(here);
}

static void nor_does_what_goes_wrong_on_the_processor_alone(void **state) {
    (void)state;
    write_file(in_chain, "    if (B > 0) return ATTN_BAD_SHAPE;  //");
    costs_nothing(" ended with WRONG_ANSWER on the processor: ");
    json_decref(judge("cuda", LAB_MISSING));
    assert_string_equal(unlooked, "");  // nothing has passed
}

static void nor_a_lab_without_checked_mode(void **state) {
    (void)state;
    char root[4096];
    assert_non_null(getcwd(root, sizeof root));
    assert_int_equal(chdir("build/tests/checked"), 0);
    costs_nothing("simt's checked mode is not built on this machine");
    assert_int_equal(chdir(root), 0);
}

static void reports_are_told_from_other_failures(void **state) {
    (void)state;
    assert_true(lab_is_report_of_kernel("RACE", "data race: shared part[3]"));
    assert_true(lab_is_report_of_kernel("ILLEGAL_ACCESS", "out of bounds: global K[4096]"));
    assert_true(lab_is_report_of_kernel("WRONG_ANSWER", "read of memory that was never written: l[0]"));
    assert_true(lab_is_report_of_kernel("GPU_HANG", "threads wait for each other"));
    assert_false(lab_is_report_of_kernel("GPU_HANG", "a kernel did not end within 60 s"));
    assert_false(lab_is_report_of_kernel("WRONG_ANSWER", "wrong: rows 0..3"));
    assert_false(lab_is_report_of_kernel("LAUNCH_FAILURE", "attn_flash: CUDA error 1"));
    assert_false(lab_is_report_of_kernel("", ""));
}

// Of a descriptor: /proc tells its locks.
static int is_shared_lock(int file) {
    char path[64], text[1024] = "";
    snprintf(path, sizeof path, "/proc/self/fdinfo/%d", file);
    FILE *f = fopen(path, "r");
    if (f) text[fread(text, 1, sizeof text - 1, f)] = 0, fclose(f);
    return strstr(text, "FLOCK") && strstr(text, "READ");
}

static void the_process_beside_holds_the_machine_while_the_other_waits(void **state) {
    (void)state;
    char why[256];
    assert_int_equal(lab_lock_share(), -1);
    assert_true(lab_lock_open("", 0, 1, why, sizeof why));
    lab_lock(LAB_BESIDE_OTHERS);
    const int share = lab_lock_share();
    lab_lock(LAB_WAIT);
    assert_true(is_shared_lock(share));
    close(share), lab_lock_close();
}

int main(void) {
    static lab_grading g = {.timeout = "10", .seed = 7};
    task = lab_task_find("task2");
    s = (lab_graded){.g = &g, .folder = "checked", .work = "build/tests/checked", .log = "build/tests/checked/log.txt"};
    mkdir("build/tests", 0777), mkdir(s.work, 0777);
    unsetenv("LAB_CHECKED");
    const struct CMUnitTest claims[] = {
        CLAIM(the_answer_keeps_all),
        CLAIM(a_race_that_a_gpu_does_not_show_is_one_here_and_there),
        CLAIM(what_simt_refuses_costs_nothing_there),
        CLAIM(nor_does_what_goes_wrong_on_the_processor_alone),
        CLAIM(nor_a_lab_without_checked_mode),
        CLAIM(reports_are_told_from_other_failures),
        CLAIM(the_process_beside_holds_the_machine_while_the_other_waits),
    };
    return cmocka_run_group_tests_name("checked", claims, NULL, NULL);
}
