// checked.c: a change that was found, once in simt's checked mode, on the smallest claim that failed.
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "aside.h"
#include "own_race.h"
#include "rank.h"
#include "search.h"
#include "twice.h"

enum { MOST_CHECKED = 2, MOST_REFUSED = 3 };
static const double SECONDS = 2;

static int mentions(const char *path, const char *word) {
    char *row = NULL;
    size_t room = 0;
    int found = 0;
    FILE *f = fopen(path, "r");
    while (f && !found && getline(&row, &room, f) >= 0) found = strstr(row, word) != NULL;
    if (f) fclose(f);
    free(row);
    return found;
}

// A report, and not what is due to checked mode being slow, or to another mistake.
int lab_is_report(const lab_result *r) {
    return r->verdict == LAB_RACE || r->verdict == LAB_ILLEGAL_ACCESS || r->verdict == LAB_GPU_HANG ||
           (r->verdict == LAB_WRONG_ANSWER && !r->compared);
}

static int all_write;  // of the last check: several threads have written the same value to one place
static int twice;      // two blocks have

const lab_result *lab_check(const lab_stage_options *plain, const char *runner, const char *object, const lab_case *c,
                            uint64_t seed, int edit, double seconds) {
    static lab_result r;
    lab_op silent = *c->op;
    lab_case of_silent = *c;
    char *const command[] = {(char *)runner, (char *)object, NULL};
    lab_stage_options options = *plain;
    lab_stage stage;
    silent.diagnose = NULL, of_silent.op = &silent;
    options.runner = command, options.stage = object, options.trying = 0;
    memset(&r, 0, sizeof r);
    const int open = lab_stage_open(&stage, &options, r.diagnosis, sizeof r.diagnosis) == LAB_PASSED;
    stage.edit = (uint32_t)edit;
    if (open) lab_judge(&stage, &of_silent, seed, seconds, &r);
    all_write = open && strstr(stage.process.text, "Both write the same value") != NULL;
    twice = open && lab_is_stored_twice(stage.process.text);
    lab_stage_close(&stage);
    return open ? &r : NULL;
}

// In C: what the file gets from malloc ends at memory that nobody may touch, and holds NaN.
static void keep_guarded(const lab_repair_ask *ask, const lab_subject *s, lab_found *found) {
    char runner[4200];
    const char *slash = strrchr(ask->runner[0], '/');
    int kept = 0;
    if (!slash || !mentions(ask->source, "alloc(")) return;
    snprintf(runner, sizeof runner, "%.*s/guarded_runner", (int)(slash - ask->runner[0]), ask->runner[0]);
    if (!lab_attempts_need(runner, "looking at a change once more")) return;
    char *const command[] = {runner, (char *)s->attempts.options.stage, NULL};
    lab_attempts guarded = {.options = s->attempts.options};
    guarded.options.runner = command;
    for (int i = 0; i < found->n; i++) {
        int holds = 1;
        for (int k = 0; k < s->failed && k < MOST_CHECKED && holds; k++) {
            lab_prepared *claim = lab_prepare(&s->claim[k]->c, ask->seed);
            holds = claim && lab_attempt(&guarded, claim, found->mend[i].edit->id, SECONDS);
            lab_prepared_free(claim);
        }
        if (holds) found->mend[kept++] = found->mend[i];
    }
    lab_attempts_close(&guarded);
    found->n = kept;
}

// The file with one change alone, for checked mode; or, without an id, with some behind their switches.
typedef struct {
    const lab_repair_ask *ask;
    lab_candidates *c;
    int id, probe, begun;           // begun: aside
    char object[4300], room[4300];  // room: of compilers, which leave something in it where they are ended
    int some[LAB_MOST_FOUND], n;
} one_alone;

static int keep(const one_alone *one) {
    if (one->id) return lab_candidates_keep_one(one->c, one->id);
    for (int i = 0; i < one->c->n; i++) one->c->edit[i].dropped = 0;
    return lab_candidates_keep(one->c, one->some, one->n);
}

static int build(void *of) {
    one_alone *one = of;
    setenv("LAB_CHECKED", "1", 1);
    one->c->once = 1, lab_candidates_name(one->ask, one->c);  // another file than what is compiled beside
    const int built = keep(one) && lab_candidates_compile(one->ask, one->c, one->probe, one->object);
    unlink(one->c->file);
    one->c->once = one->c->fixed = 0, lab_candidates_name(one->ask, one->c);
    unsetenv("LAB_CHECKED");
    return built;
}

static one_alone ahead;

static int build_aside(void *of) {
    setenv("TMPDIR", ahead.room, 1);
    return build(of);
}

// How far a busy machine came with what nobody has waited for costs nothing of the budget.
void lab_search_check_drop(void) {
    char path[4500];
    const double before = lab_attempts_left();
    if (!ahead.begun) return;
    lab_aside_drop(ahead.begun);
    lab_attempts_forgive(fmax(0, before - lab_attempts_left()));
    ahead.begun = 0;
    lab_aside_clear(ahead.room);
    snprintf(path, sizeof path, "%s.room", ahead.object);
    lab_aside_clear(path);
    snprintf(path, sizeof path, "%.*s.alone.cu", (int)strlen(ahead.ask->stage) - 3, ahead.ask->stage);
    unlink(path), unlink(ahead.object);
}

static int can_check(const lab_repair_ask *ask, const lab_subject *s) {
    return s->cuda && ask->checked_runner && s->failed && !s->claim[0]->c.op->pipeline;
}

// The likeliest one is compiled while it is tried on the whole file, or proved.
void lab_search_check_ahead(const lab_repair_ask *ask, lab_candidates *c, const lab_subject *s,
                            const lab_found *found) {
    if (!found->n || !can_check(ask, s) ||
        !lab_attempts_need(ask->checked_runner, "looking at a change in checked mode"))
        return;
    if (ahead.begun && ahead.id == found->mend[0].edit->id && ahead.probe == (s->todo != NULL)) return;
    lab_search_check_drop();
    ahead = (one_alone){.ask = ask, .c = c, .id = found->mend[0].edit->id, .probe = s->todo != NULL};
    snprintf(ahead.object, sizeof ahead.object, "%.4200s.edits.ahead.so", ask->stage);
    snprintf(ahead.room, sizeof ahead.room, "%.4200s.edits.ahead", ask->stage);
    mkdir(ahead.room, 0700);
    ahead.begun = lab_aside_begin(build_aside, &ahead);
}

static const lab_result *check_built(const lab_repair_ask *ask, const lab_subject *s, const char *object, int edit) {
    setenv("LAB_CHECKED", "1", 1);
    const lab_result *r =
        lab_check(&s->attempts.options, ask->checked_runner, object, &s->claim[0]->c, ask->seed, edit, SECONDS);
    unsetenv("LAB_CHECKED");
    return r;
}

static const lab_result *check_with(const lab_repair_ask *ask, lab_candidates *c, const lab_subject *s, int id,
                                    const char *object) {
    one_alone one = {.ask = ask, .c = c, .id = id, .probe = s->todo != NULL};
    snprintf(one.object, sizeof one.object, "%s", object);
    const int is_ahead = ahead.begun && ahead.id == id && ahead.probe == one.probe;
    if (is_ahead) snprintf(one.object, sizeof one.object, "%s", ahead.object);
    return is_ahead || build(&one) ? check_built(ask, s, one.object, 0) : NULL;
}

// What the limit is wrong for, checked mode says of the text as it is: threads of a block that do not meet, a race.
// Other changes of that line make the limit as large: they go with it, those of a later batch, too.
static void drop_limits(const lab_repair_ask *ask, lab_candidates *c, const lab_subject *s, lab_found *found,
                        const char *object) {
    static int racing;  // the line
    int kept = 0, line = 0, without = 0;
    for (int i = 0; i < found->n && !without; i++) {
        const lab_edit *e = found->mend[i].edit;
        without = lab_leaves_limit_out(e);
        if (without || (lab_is_limit(e) && !line)) line = e->line;
    }
    const lab_result *r = line && line != racing ? check_with(ask, c, s, -1, object) : NULL;
    if (r && (strstr(r->diagnosis, "divergent") || (without && r->verdict == LAB_RACE))) racing = line;
    for (int i = 0; i < found->n; i++)
        if (found->mend[i].edit->line != racing) found->mend[kept++] = found->mend[i];
    found->n = kept;
}

// One thread was to write it, and with the change all do, which passes as long as they write the same. What does so as it
// is, too, is the student's way.
static int only_all_write(const lab_repair_ask *ask, lab_candidates *c, const lab_subject *s, const char *object) {
    return all_write && check_with(ask, c, s, -1, object) && !all_write;
}

// The first change, from this one on, that checked mode does not report. A limit that is too small is mended by many that
// read what is not there (seen * n, seen + n, from + seen), and the limit itself stands behind them: all that are left are
// compiled at once.
static int first_of_rest(const lab_repair_ask *ask, lab_candidates *c, const lab_subject *s, const lab_found *found,
                         int from, const char *object) {
    one_alone rest = {.ask = ask, .c = c, .probe = s->todo != NULL};
    snprintf(rest.object, sizeof rest.object, "%s", object);
    for (int i = from; i < found->n; i++) rest.some[rest.n++] = found->mend[i].edit->id;
    if (!rest.n || !build(&rest)) return found->n;
    for (; from < found->n; from++) {
        const lab_result *r = check_built(ask, s, object, found->mend[from].edit->id);
        if (r && (!lab_is_report(r) || lab_is_own_race(ask, s, found->mend[from].edit, r)) && !all_write) return from;
    }
    return from;
}

static void check_all(const lab_repair_ask *ask, lab_candidates *c, const lab_subject *s, lab_found *found) {
    char object[4300];
    int i, holds = 0, refused = 0;
    snprintf(object, sizeof object, "%.4200s.edits.checked.so", ask->stage);
    drop_limits(ask, c, s, found, object);
    for (i = 0; i < found->n && i < MOST_CHECKED + refused && !holds; i += !holds) {
        const lab_result *r = check_with(ask, c, s, found->mend[i].edit->id, object);
        if (!r || (lab_is_report(r) && !lab_is_own_race(ask, s, found->mend[i].edit, r))) continue;
        found->twice = twice;
        holds = !only_all_write(ask, c, s, object);
        refused += !holds && refused < MOST_REFUSED;
    }
    if (!holds) found->twice = 0;
    if (!holds) i = first_of_rest(ask, c, s, found, i, object);
    unlink(object);
    found->n -= i;
    memmove(found->mend, found->mend + i, (size_t)found->n * sizeof *found->mend);
}

void lab_search_checked(const lab_repair_ask *ask, lab_candidates *c, const lab_subject *s, lab_found *found) {
    if (!s->cuda && found->n && s->failed) keep_guarded(ask, s, found);
    const int begun = ahead.begun;
    ahead.begun = lab_aside_end(begun);
    if (can_check(ask, s) && lab_attempts_need(ask->checked_runner, "looking at a change in checked mode"))
        check_all(ask, c, s, found);
    if (begun) unlink(ahead.object), lab_aside_clear(ahead.room);
    ahead.begun = 0;
}
