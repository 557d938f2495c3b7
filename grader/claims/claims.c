// claims.c: runs a task's claims, the rows of grader/core/cases_taskN.c and probes_taskN.c, under CMocka.
//
//     claims TASK --stage STAGE.so --runner RUNNER [options: claims_ask.c]
//         exit status: 0 they hold, 1 some do not, 2 the lab's fault
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <jansson.h>

#include "cache_words.h"
#include "claims.h"
#include "claims_held.h"
#include "claims_why.h"
#include "common_cause.h"
#include "explain.h"
#include "generate.h"
#include "hang.h"
#include "made_of.h"
#include "mismatch.h"
#include "plain_run.h"
#include "refuted.h"
#include "repair.h"
#include "restored.h"
#include "second_look.h"
#include "seen_rows.h"
#include "source_members.h"
#include "task6_kernels.h"
#include "thread_orders.h"
#include "todo.h"
#include "todo_calls.h"

static lab_ask ask;

// A stage and the claims that it answers.
typedef struct {
    lab_stage stage;
    lab_stage_options options;
    char *runner[8];
} subject;

static struct {
    subject whole, probe;
    char no_probe[1024];  // why it did not compile
    char *text;           // of the student's file, without comments
    lab_kernels kernels;  // of task 6
    int reached;          // what ask.until waits for has been seen
    const char *lighter;  // a claim that checked mode has made smaller
    char standing[160];   // " 2.6,": TODOs whose line stands, and whose claims hold
} run;

// One runner serves claim after claim, until it dies.
static int ensure_stage(subject *s, lab_result *r) {
    if (s->stage.alive) return 1;
    lab_stage_close(&s->stage);
    r->verdict = lab_stage_open(&s->stage, &s->options, r->diagnosis, sizeof r->diagnosis);
    return r->verdict == LAB_PASSED;
}

static int is_open(const lab_case *c) { return c->todo && run.text && lab_todo_is_open(run.text, c->todo); }

// A failed claim of an open TODO, or of one that calls an open one, says nothing but that. Returns 1 if it is so.
static int is_unwritten(const lab_case *c, lab_result *r) {
    const char *waits = is_open(c) ? NULL : lab_todo_waits(ask.source, run.text, c, run.standing);
    if (!waits && !is_open(c)) return 0;
    r->verdict = LAB_MISSING;
    r->compared = 0;
    snprintf(r->todo, sizeof r->todo, "%s", waits ? waits : c->todo);
    snprintf(r->diagnosis, sizeof r->diagnosis, waits ? "waits for TODO %s" : "TODO %s is not written yet", r->todo);
    return 1;
}

static void judge(subject *s, const lab_case *c, lab_result *r) {
    if (c->todo && *run.no_probe) {
        r->verdict = LAB_COMPILE_ERROR;
        snprintf(r->diagnosis, sizeof r->diagnosis, "%.600s", run.no_probe);
        return;
    }
    s->options.call_seconds = lab_hang_limit(c, ask.seconds);
    if (lab_hang_expected(c, r->diagnosis, sizeof r->diagnosis))
        r->verdict = LAB_SKIPPED;
    else if (ensure_stage(s, r)) {
        lab_op silent = *c->op;  // a TODO says it all: the whole built on it is not explained again
        lab_case of_silent = *c;
        silent.diagnose = NULL, of_silent.op = &silent;
        const int known = !c->todo && lab_cause_known() && !lab_first_todo_calls(c->op);
        lab_judge(&s->stage, known ? &of_silent : c, ask.seed, s->options.call_seconds, r);
    }
    lab_name_part_of_cache(c, r->diagnosis, sizeof r->diagnosis);
    lab_hang_seen(ask.task, ask.source, &s->options, c, ask.seed, r);
    if (r->verdict == LAB_PASSED && is_open(c)) {
        const size_t used = strlen(run.standing);
        snprintf(run.standing + used, sizeof run.standing - used, " %s,", c->todo);
    }
    if (r->verdict != LAB_PASSED && r->verdict != LAB_SKIPPED && !is_unwritten(c, r) && !ask.until)
        lab_memory_seen(ask.task, ask.source, &s->options, c, ask.seed, r);
}

static void print_note(const char *label, const char *note) {
    if (!*note) return;
    lab_show_note(ask.task, label, note);
    lab_write_line(json_pack("{s:s, s:s}", "label", label, "note", note));
}

static lab_why ask_why(void) {
    const int probed = ask.probe && !*run.no_probe;
    return (lab_why){.ask = &ask,
                     .text = run.text,
                     .runner = run.whole.runner,
                     .probe = probed ? &run.probe.options : NULL,
                     .note = print_note};
}

// What the failed claims have in common, or what right numbers hide. Returns 1 if it is known what is wrong.
static int explain_all(void) {
    int certain;
    if (lab_second_look_end(print_note, &certain)) return certain;
    const lab_why why = ask_why();
    return ask.until ? 0 : lab_say_why(&why);
}

// The CMocka test: *state is the claim's name.
static void claim(void **state) {
    lab_case c;
    static lab_result r;
    memset(&r, 0, sizeof r);
    if (run.reached) skip();
    if (!lab_case_find(ask.task->id, *state, ask.seed, &c)) fail_msg("%s is no claim", (char *)*state);
    subject *s = c.todo ? &run.probe : &run.whole;
    const int lighter = lab_ask_lighter(&ask, &c);
    judge(s, &c, &r);
    if (lighter && r.verdict != LAB_MISSING) run.lighter = c.claim;
    if (ask.task->language == LAB_C_OPENMP) lab_keep_to_facts(&r);
    lab_cause_revise(&c, &r, c.todo && lab_todo_calls(ask.source, run.text, ask.task->id, c.todo, lab_first_todo()));
    if (c.todo && !ask.until) lab_cause_todo(&c, &r);  // who waits for a sentence hears it from every claim
    if (r.verdict == LAB_PASSED) lab_refuted_keep(&c, ask.seed);
    const int quoted = strstr(s->stage.process.text, "simt: ") != NULL;  // already part of the diagnosis
    const int prints = s->stage.process.kept && r.verdict != LAB_PASSED && r.verdict != LAB_MISSING && !quoted;
    lab_hold_claim(&c, &r, prints ? s->stage.process.text : "");
    if (!ask.until) lab_second_look_keep(ask.second_look, ask.second_runner, &r);
    lab_explain_keep(ask.task, ask.source, &s->options, &c, &r);
    lab_mismatch_keep(&c, &r);
    lab_seen_rows_keep(&s->options, &c, &r);
    lab_made_of_keep(&s->options, &c, &r);
    lab_repair_keep(&c, &r);
    lab_restored_keep(&s->options, &c, &r);
    const lab_why why = ask_why();
    if (r.verdict != LAB_PASSED) lab_why_ahead(&why);
    s->stage.process.kept = 0;
    lab_write_line(lab_claim_json(&c, &r));
    run.reached = ask.until && strcmp(lab_verdict_name(r.verdict), ask.until) == 0 && strstr(r.diagnosis, ask.says);
    assert_string_equal(lab_verdict_name(r.verdict), "PASSED");
}

// The claims that are asked for, TODOs first, as in the table; who waits for one that fails has the long ones last.
// Returns NULL without memory.
static struct CMUnitTest *select_claims(size_t *n) {
    const lab_case *c;
    int all = 0;
    while (lab_case_at(all)) all++;
    struct CMUnitTest *claims = calloc(all, sizeof *claims);
    *n = 0;
    for (int late = 0; claims && late < 2; late++)
        for (int i = 0; (c = lab_case_at(i)); i++)
            if (lab_ask_for(&ask, c) && (ask.until && lab_takes_long(c, ask.seed)) == late)
                claims[(*n)++] = (struct CMUnitTest){c->claim, claim, NULL, NULL, (void *)c->claim};
    return claims;
}

static void prepare(subject *s, char *stage, int todo) {
    const lab_case *row;
    lab_case c;
    s->runner[0] = ask.runner, s->runner[1] = stage;
    s->options = (lab_stage_options){.runner = s->runner, .stage = stage, .load_seconds = ask.seconds};
    for (int i = 0; (row = lab_case_at(i)); i++) {
        if (!lab_ask_for(&ask, row) || (row->todo != NULL) != todo) continue;
        lab_case_find(ask.task->id, row->claim, ask.seed, &c);
        const size_t bytes = lab_layout_of(c.op, c.shape, 1).bytes;
        if (bytes > s->options.arena_bytes) s->options.arena_bytes = bytes;
    }
}

// PROBE.so.txt says why there is no PROBE.so (stagecc.c).
static void find_probe(void) {
    char path[4200];
    if (!ask.probe || access(ask.probe, R_OK) == 0) return;
    snprintf(path, sizeof path, "%s.txt", ask.probe);
    FILE *f = fopen(path, "r");
    if (!f || !fgets(run.no_probe, sizeof run.no_probe, f)) strcpy(run.no_probe, "there is no probe");
    run.no_probe[strcspn(run.no_probe, "\n")] = 0;
    if (f) fclose(f);
    if (!ask.source || lab_todo_speaks_of(ask.source, ask.task->id)) return;
    printf("  This file has no TODOs: only the claims about the whole are tried.\n");
    ask.probe = NULL;
}

static int open_all(void) {
    prepare(&run.whole, ask.stage, 0);
    prepare(&run.probe, ask.probe, 1);
    find_probe();
    if (ask.source) run.text = lab_todo_read(ask.source);
    if (run.text) lab_outdent(run.text);
    if (ask.task->parts[0]) {
        lab_kernels_choose(&run.kernels, ask.build, (const char *const *)ask.part, ask.seed);
        lab_kernels_command(&run.kernels, ask.runner, ask.stage, LAB_TEST_MODEL, run.whole.runner);
    }
    return lab_results_open(ask.results_path);
}

// Whose kernels a pipeline is made of, where they are not the student's: for people, and among the results.
static void print_notes(void) {
    for (int i = 0; i < 2; i++) print_note("Note", run.kernels.note[i]);
}

static void run_group(const struct CMUnitTest *selected, size_t n) {
    struct CMUnitTest claims[n];  // CMocka takes the number of tests from the array's type
    char own[4200];
    memcpy(claims, selected, sizeof claims);
    // CMocka's own report is for machines and goes to a file. Where there is one already it goes to the page: each run has
    // its own, as two may be at work in one tree.
    snprintf(own, sizeof own, "%s.%d", ask.xml ? ask.xml : "/tmp/lab-claims.xml", (int)getpid());
    cmocka_set_message_output(CM_OUTPUT_XML);
    setenv("CMOCKA_XML_FILE", own, 1);
    unlink(own);
    cmocka_run_group_tests_name(ask.task->id, claims, NULL, NULL);
    if (!ask.xml || rename(own, ask.xml)) unlink(own);
}

// What `make status` shows. Some claims alone say nothing of the task.
static void keep_summary(const char *summary) {
    FILE *f = ask.summary && !*ask.only ? fopen(ask.summary, "w") : NULL;
    if (!f) return;
    fprintf(f, "%s\n", summary);
    fclose(f);
}

int main(int argc, char **argv) {
    char left_open[24] = "", off[40] = "";
    if (!lab_read_ask(argc, argv, &ask)) {
        fputs("usage: claims TASK --stage STAGE.so --runner RUNNER ... (grader/claims/claims.c); make taskN test calls "
              "it\n",
              stderr);
        return 2;
    }
    setvbuf(stdout, NULL, _IOLBF, 0);
    setenv("OMP_WAIT_POLICY", "passive", 0);  // no claim is timed: threads that wait take no processor from others
    const int checked = strstr(ask.runner, "_checked") != NULL;
    printf("%s  %s%s\n", ask.task->id, ask.task->title, checked ? ", in checked mode" : "");
    if (*ask.only || ask.smallest) lab_show_each();
    size_t n;
    struct CMUnitTest *claims = open_all() ? select_claims(&n) : NULL;
    if (!claims) return 2;
    print_notes();
    if (!n) return lab_say_nothing_asked(&ask);
    if (run.text) lab_todo_first(run.text, left_open), lab_todo_switch_off(run.text, off);
    if (!*left_open && !ask.until) lab_second_look_early(ask.second_look, ask.second_runner);
    run_group(claims, n);
    const int certain = explain_all();
    lab_write_line(json_pack("{s:b}", "explained", certain));
    lab_show_held(certain, run.text, lab_write_told);
    lab_show_kept();
    if (run.lighter) {
        const int fits = strlen(run.lighter) <= 80 - sizeof "  Large claims were tried smaller; whole: ONLY=" + 1;
        printf("  Large claims were tried smaller; whole:%sONLY=%s\n", fits ? " " : "\n    ", run.lighter);
    }
    lab_stage_close(&run.whole.stage);
    lab_stage_close(&run.probe.stage);
    char summary[128];
    const lab_end end = {.task = ask.task,
                         .text = run.text,
                         .left_open = left_open,
                         .off = off,
                         .todos = ask.source && lab_todo_speaks_of(ask.source, ask.task->id),
                         .all = !*ask.only && !ask.smallest,
                         .checked = checked,
                         .looked = checked || ask.checked_runner || lab_second_look_saw()};
    const int status = lab_show_end(&end, summary, sizeof summary);
    keep_summary(summary);
    free(claims), free(run.text);
    return lab_results_close() ? status : 2;
}
