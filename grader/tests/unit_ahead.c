// unit_ahead.c: what checked mode needs of a change is compiled while that is proved, in a process of its own.
// grader/repair/checked.c, whose calls of compilers and runners are answered here.
#include "unit.h"

#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "checked_run.h"
#include "search.h"

enum { FIRST = 1, SECOND };

static struct {
    int compiled, kept;  // in this process; the change that was to be compiled last
    int fails_aside;
    char judged[4300];  // the object that checked mode has run
    pid_t here;
} world;

static int always_built(const char *program, const char *what) { return program && what; }

static int fake_keep(lab_candidates *c, int id) {
    world.kept = id;
    return c != NULL;
}

static int fake_compile(const lab_repair_ask *ask, lab_candidates *c, int probe, const char *output) {
    world.compiled++;
    return ask && c && !probe && output && !(world.fails_aside && getpid() != world.here);
}

static void fake_name(const lab_repair_ask *ask, lab_candidates *c) { snprintf(c->file, 64, "%s.none", ask->stage); }

static lab_verdict fake_open(lab_stage *s, const lab_stage_options *o, char *why, size_t size) {
    memset(s, 0, sizeof *s), *why = 0;
    snprintf(world.judged, sizeof world.judged, "%s", o->stage);
    return size ? LAB_PASSED : LAB_GRADER_ERROR;
}

static void fake_judge(lab_stage *s, const lab_case *c, uint64_t seed, double seconds, lab_result *r) {
    r->verdict = s && c && seed && seconds > 0 ? LAB_PASSED : LAB_GRADER_ERROR;
}

static void fake_close(lab_stage *s) { (void)s; }

// Of files in C, which these are not.
static lab_prepared *no_claim(const lab_case *c, uint64_t seed) { return c && seed ? NULL : NULL; }
static void no_more(lab_prepared *p) { (void)p; }
static int no_attempt(lab_attempts *a, lab_prepared *p, int edit, double seconds) {
    return a && p && edit && seconds > 0;
}
static void nothing_open(lab_attempts *a) { (void)a; }
static double any_time(void) { return 1; }
static void no_time(double seconds) { (void)seconds; }

#define lab_prepare no_claim
#define lab_prepared_free no_more
#define lab_attempt no_attempt
#define lab_attempts_close nothing_open
#define lab_attempts_left any_time
#define lab_attempts_forgive no_time
#define lab_attempts_need always_built
#define lab_candidates_keep_one fake_keep
#define lab_candidates_name fake_name
#define lab_candidates_compile fake_compile
#define lab_stage_open fake_open
#define lab_judge fake_judge
#define lab_stage_close fake_close
#define lab_check check_one
#define lab_is_report is_report
#define lab_search_checked search_checked
#define lab_search_check_ahead check_ahead
#define lab_search_check_drop check_drop
#include "checked.c"

static lab_found found;

// Ahead for one change; the proof has left another, or the same.
static void search_dropping(int ahead_of, int left, int drops) {
    static lab_edit edit;
    static lab_op op;
    static lab_kept kept = {.c = {.op = &op}, .failed = 1};
    static lab_candidates candidates;
    const lab_repair_ask ask = {.stage = "unit.so", .checked_runner = "runner", .seed = 1};
    lab_subject s = {.cuda = 1, .n = 1, .failed = 1, .claim = {&kept}};
    world.compiled = world.kept = 0, world.here = getpid();
    edit = (lab_edit){.id = ahead_of, .line = 7}, found = (lab_found){.mend = {{&edit}}, .n = 1};
    check_ahead(&ask, &candidates, &s, &found);
    if (drops) check_drop();
    edit.id = left;
    search_checked(&ask, &candidates, &s, &found);
    assert_int_equal(found.n, 1);
}

static void search(int ahead_of, int left) { search_dropping(ahead_of, left, 0); }

static void what_was_compiled_ahead_is_not_compiled_again(void **state) {
    (void)state;
    search(FIRST, FIRST);
    assert_int_equal(world.compiled, 0);
    assert_string_equal(world.judged, "unit.so.edits.ahead.so");
}

static void another_change_is_compiled_then(void **state) {
    (void)state;
    search(FIRST, SECOND);
    assert_int_equal(world.compiled, 1), assert_int_equal(world.kept, SECOND);
    assert_string_equal(world.judged, "unit.so.edits.checked.so");
}

static void what_failed_ahead_is_compiled_again(void **state) {
    (void)state;
    world.fails_aside = 1;
    search(FIRST, FIRST);
    world.fails_aside = 0;
    assert_int_equal(world.compiled, 1), assert_int_equal(world.kept, FIRST);
}

// A guess that nothing came of leaves nothing.
static void what_was_dropped_is_compiled_again(void **state) {
    (void)state;
    search_dropping(FIRST, FIRST, 1);
    assert_int_equal(world.compiled, 1), assert_int_equal(world.kept, FIRST);
    assert_string_equal(world.judged, "unit.so.edits.checked.so");
    assert_int_equal(access("unit.so.edits.ahead", F_OK), -1);
}

static int heard(void *of) {
    char word;
    return read(*(int *)of, &word, 1) == 1;
}

// If it did not go on beside, this would wait for ever: the alarm ends it.
static void what_is_begun_goes_on_beside(void **state) {
    (void)state;
    int ends[2];
    assert_int_equal(pipe(ends), 0);
    alarm(60);
    const int begun = lab_aside_begin(heard, &ends[0]);
    assert_true(begun > 0);
    assert_int_equal(write(ends[1], "x", 1), 1);
    assert_true(lab_aside_end(begun));
    alarm(0);
    assert_false(lab_aside_end(0));
    close(ends[0]), close(ends[1]);
}

int main(void) {
    const struct CMUnitTest claims[] = {
        CLAIM(what_was_compiled_ahead_is_not_compiled_again),
        CLAIM(another_change_is_compiled_then),
        CLAIM(what_failed_ahead_is_compiled_again),
        CLAIM(what_was_dropped_is_compiled_again),
        CLAIM(what_is_begun_goes_on_beside),
    };
    return cmocka_run_group_tests(claims, NULL, NULL);
}
