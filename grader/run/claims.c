// claims.c: runs a task's claims under CMocka and says what came out: a table for people, JSON lines for the grader.
#include "claims.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <jansson.h>

#include "examine.h"
#include "generate.h"
#include "kernels.h"
#include "seed.h"
#include "tasks.h"

enum {
    SHOWN_LOG = 400,    // bytes of a stage's own output that are shown
    MOST_TIMEOUTS = 3,  // a stage that hangs in every claim would hold up a class for minutes
};

static struct {
    const lab_task *task;
    lab_stage stage;
    lab_stage_options options;
    char *runner[8];
    lab_kernels kernels;  // of task 6
    uint64_t seed;
    double seconds;
    FILE *results;
    const char *criterion;  // of the previous line
    char todo[16];          // the first open TODO
    int passed, failed, timeouts;
    int broken;  // results could not be written: the lab's fault
} run;

static double number_from(const char *variable, double otherwise) {
    const char *text = getenv(variable);
    return text && *text ? atof(text) : otherwise;
}

static json_t *real_or_null(int known, double x) { return known && isfinite(x) ? json_real(x) : json_null(); }

static void write_result(const lab_case *c, const lab_result *r) {
    if (!run.results) return;
    const int bad = r->compared && r->verdict != LAB_PASSED && r->cmp.bad_elements;
    const attn_shape s = c->shape;
    json_t *o =
        json_pack("{s:s, s:s, s:{s:i, s:i, s:i, s:i, s:i, s:b}, s:s, s:o, s:f, s:o, s:o, s:I, s:o, s:f}", "name",
                  c->claim, "criterion", c->criterion, "shape", "batch", s.batch, "heads", s.heads, "seq_q", s.seq_q,
                  "seq_kv", s.seq_kv, "head_dim", s.head_dim, "causal", s.causal, "verdict",
                  lab_verdict_name(r->verdict), "max_err", real_or_null(r->compared, r->cmp.max_err), "tolerance",
                  LAB_TOLERANCE, "rms_rel_err", real_or_null(r->compared, r->cmp.rms_rel_err), "first_bad",
                  bad ? json_pack("[I,I,I,I]", (json_int_t)r->first_bad[0], (json_int_t)r->first_bad[1],
                                  (json_int_t)r->first_bad[2], (json_int_t)r->first_bad[3])
                      : json_null(),
                  "bad_elements", (json_int_t)(r->compared ? r->cmp.bad_elements : 0), "diagnosis",
                  *r->diagnosis ? json_string_nocheck(r->diagnosis) : json_null(), "seconds", r->seconds);
    if (o && *r->todo) json_object_set_new(o, "todo", json_string(r->todo));
    if (!o || json_dumpf(o, run.results, JSON_COMPACT | JSON_REAL_PRECISION(9)) || fputc('\n', run.results) == EOF ||
        fflush(run.results)) {
        run.broken = 1;
        fail_msg("cannot write LAB_RESULTS");
    }
    json_decref(o);
}

// Control characters in what a stage printed would reach the student's terminal.
static void print_log(const char *log) {
    fputs("                  it printed: ", stdout);
    for (int i = 0; log[i] && i < SHOWN_LOG; i++)
        putchar(log[i] == '\n' || (unsigned char)log[i] >= ' ' ? log[i] : '?');
    putchar('\n');
}

static void print_result(const lab_case *c, const lab_result *r) {
    const int color = isatty(STDOUT_FILENO);
    const char *on = !color ? "" : r->verdict == LAB_PASSED ? "\033[32m" : "\033[31m", *off = color ? "\033[0m" : "";
    if (run.criterion != c->criterion) printf("  %s\n", run.criterion = c->criterion);
    printf("    %s%-16s%s  %-46s", on, lab_verdict_name(r->verdict), off, c->claim);
    if (r->compared) printf("  max_err %.2g", r->cmp.max_err);
    if (*r->todo) printf("  TODO %s", r->todo);
    putchar('\n');
    if (*r->diagnosis && !*r->todo) printf("                      %s\n", r->diagnosis);
    if (*r->todo && !*run.todo) snprintf(run.todo, sizeof run.todo, "%s", r->todo);
}

// One runner serves claim after claim, until it dies.
static int ensure_stage(lab_result *r) {
    if (run.stage.alive) return 1;
    lab_stage_close(&run.stage);
    r->verdict = lab_stage_open(&run.stage, &run.options, r->diagnosis, sizeof r->diagnosis);
    return r->verdict == LAB_PASSED;
}

void lab_claim(void **state) {
    const char *name = *state;
    lab_case c;
    static lab_result r;
    memset(&r, 0, sizeof r);
    if (!lab_case_find(run.task->id, name, run.seed, &c)) fail_msg("%s is not in grader/core/cases.c", name);
    if (run.timeouts >= MOST_TIMEOUTS) {
        r.verdict = LAB_SKIPPED;
        snprintf(r.diagnosis, sizeof r.diagnosis, "not run: %d claims before it ran out of time", MOST_TIMEOUTS);
    } else if (ensure_stage(&r))
        lab_examine(&run.stage, &c, run.seed, run.seconds, &r);
    run.timeouts += r.verdict == LAB_TIMEOUT;
    print_result(&c, &r);
    const int quoted = strstr(run.stage.process.text, "simt: ") != NULL;  // already part of the diagnosis
    if (run.stage.process.kept && r.verdict != LAB_PASSED && !quoted) print_log(run.stage.process.text);
    run.stage.process.kept = 0;
    write_result(&c, &r);
    run.passed += r.verdict == LAB_PASSED;
    run.failed += r.verdict != LAB_PASSED;
    assert_string_equal(lab_verdict_name(r.verdict), "PASSED");
}

static int open_all(const char *task) {
    char *stage = getenv("LAB_STAGE"), *runner = getenv("LAB_RUNNER");
    const char *results = getenv("LAB_RESULTS");
    run.task = lab_task_find(task);
    if (!run.task || !stage || !runner) {
        fprintf(stderr, "run this through `make %s test`: it needs LAB_STAGE and LAB_RUNNER\n", task);
        return 0;
    }
    run.seed = lab_take_seed(1);
    run.seconds = number_from("LAB_TIMEOUT", 10);
    run.runner[0] = runner, run.runner[1] = stage;
    if (strcmp(task, "task6") == 0) {
        const char *build = getenv("LAB_BUILD");
        lab_kernels_choose(&run.kernels, build ? build : "build", run.seed);
        lab_kernels_command(&run.kernels, runner, stage, LAB_TEST_MODEL, run.runner);
    }
    run.options = (lab_stage_options){.runner = run.runner, .stage = stage, .load_seconds = run.seconds};
    for (int i = 0; lab_case_at(i); i++) {
        lab_case c;
        if (strcmp(lab_case_at(i)->task, task) || !lab_case_find(task, lab_case_at(i)->claim, run.seed, &c)) continue;
        const size_t bytes = lab_layout_of(c.op, c.shape, 1).bytes;
        if (bytes > run.options.arena_bytes) run.options.arena_bytes = bytes;
    }
    if (results && !(run.results = fopen(results, "w"))) {
        perror(results);
        return 0;
    }
    return 1;
}

// Whose kernels a pipeline is made of, where they are not the student's: for people, and beside LAB_RESULTS.
static void print_notes(void) {
    const char *results = getenv("LAB_RESULTS");
    char path[4700];
    snprintf(path, sizeof path, "%s.notes", results ? results : "");
    FILE *f = results && (*run.kernels.note[0] || *run.kernels.note[1]) ? fopen(path, "w") : NULL;
    for (int i = 0; i < 2; i++) {
        if (!*run.kernels.note[i]) continue;
        printf("  Note: %s\n", run.kernels.note[i]);
        if (f) fprintf(f, "%s\n", run.kernels.note[i]);
    }
    if (f) fclose(f);
}

static void print_summary(void) {
    const lab_task *t = run.task;
    printf("  %d of %d claims hold.", run.passed, run.passed + run.failed);
    if (*run.todo)
        printf(" Next: TODO %s in %s/%s; stuck? make %s hint TODO=%s", run.todo, t->folder, t->file, t->id, run.todo);
    else if (run.failed)
        printf(" Next: the first one that fails, from the top. One alone: make %s test ONLY=name", t->id);
    putchar('\n');
}

int lab_run_claims(const char *task, const struct CMUnitTest *claims, size_t n) {
    if (!open_all(task)) return 2;
    // CMocka's own report is for machines and goes to a file.
    const char *xml = getenv("LAB_XML"), *only = getenv("LAB_ONLY");
    char scratch[64];
    snprintf(scratch, sizeof scratch, "/tmp/lab-claims-%d.xml", (int)getpid());
    cmocka_set_message_output(CM_OUTPUT_XML);
    setenv("CMOCKA_XML_FILE", xml ? xml : scratch, 1);
    unlink(xml ? xml : scratch);  // CMocka does not overwrite
    char pattern[256];
    snprintf(pattern, sizeof pattern, "*%s*", only ? only : "");
    cmocka_set_test_filter(pattern);

    printf("%s  %s\n", task, run.task->title);
    setvbuf(stdout, NULL, _IOLBF, 0);
    print_notes();
    _cmocka_run_group_tests(task, claims, n, NULL, NULL);
    if (!xml) unlink(scratch);
    lab_stage_close(&run.stage);
    print_summary();
    if ((run.results && fclose(run.results)) || run.broken) return 2;
    return run.failed || !run.passed;
}
