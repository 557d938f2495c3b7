// own_race.c: two lanes of one warp with nothing between what the one stores and the other reads. Here they run one after
// the other, and the numbers are right: the file has held all claims with that race, and one slip elsewhere makes them
// wrong. Checked mode reports the race with the change that mends the slip as well as without it.
#include "own_race.h"

#include <stdlib.h>
#include <string.h>

#include "checked_run.h"
#include "in_order.h"

static const double SECONDS = 2;
static const char race[] = "data race: ", thread[] = " thread (";

// "flash.cu:81" of the next access; NULL: there is none before the end.
static const char *line_of(const char *at, const char *end) {
    const char *place = (at = strstr(at, thread)) ? strstr(at, ") ") : NULL;
    return place && (!end || place < end) ? place + 2 : NULL;
}

// Of "edit-82:1" and "flash.cu:106": does the change stand in that line?
static int is_changed_line(const char *a, const char *b, int changed) {
    const char *colon = strncmp(a, "edit-", 5) ? NULL : strchr(b, ':');
    return colon && atoi(colon + 1) == changed;
}

static int same_to(const char *a, const char *b, const char *ends) {
    const size_t n = strcspn(a, ends);
    return n && n == strcspn(b, ends) && !strncmp(a, b, n);
}

int lab_is_same_race(const char *report, const char *without, int changed) {
    const char *a = strstr(report, race), *b = strstr(without, race);
    if (!a || !b || !same_to(a += strlen(race), b += strlen(race), "[;\n")) return 0;
    const char *const a_end = strstr(a, race), *const b_end = strstr(b, race);
    for (int i = 0; i < 2; i++) {
        a = line_of(a, a_end), b = line_of(b, b_end);
        if (!a || !b || (!same_to(a, b, " ;\n") && !is_changed_line(a, b, changed))) return 0;
    }
    return 1;
}

// The first claim that fails, of which the numbers alone are asked for.
static int judge_in(const char *order, const lab_subject *s, uint64_t seed, lab_result *r) {
    lab_stage_options options = s->attempts.options;
    lab_op silent = *s->claim[0]->c.op;
    lab_case c = s->claim[0]->c;
    silent.diagnose = NULL, c.op = &silent;
    options.trying = options.mends = 0;
    return lab_judge_in_order(order, &options, &c, seed, SECONDS, r);
}

static int is_in_any_order(const lab_subject *s, uint64_t seed) {
    static lab_result here, back;
    if (!judge_in("forward", s, seed, &here) || !judge_in("reverse", s, seed, &back)) return 0;
    return here.verdict == back.verdict && here.verdict != LAB_PASSED &&
           here.cmp.bad_elements == back.cmp.bad_elements && here.cmp.rms_rel_err == back.cmp.rms_rel_err &&
           !strcmp(here.diagnosis, back.diagnosis);
}

int lab_is_own_race(const lab_repair_ask *ask, const lab_subject *s, const lab_edit *change,
                    const lab_result *with_change) {
    static struct {
        const char *claim;  // of which it is known
        int harmless;
        lab_result r;
    } own;
    if (with_change->verdict != LAB_RACE || s->todo) return 0;
    const lab_case *const c = &s->claim[0]->c;
    if (!own.claim || strcmp(own.claim, c->claim)) {
        const lab_checked_ask checked = {.task = ask->task,
                                         .source = ask->source,
                                         .stage = ask->stage,
                                         .runner = ask->checked_runner,
                                         .seed = ask->seed,
                                         .seconds = SECONDS};
        const double before = lab_attempts_left();
        own.claim = c->claim;
        own.harmless = is_in_any_order(s, ask->seed) && lab_checked_run(&checked, c, &own.r);
        lab_attempts_forgive(before - lab_attempts_left());
    }
    return own.harmless && lab_is_same_race(with_change->diagnosis, own.r.diagnosis, change->line);
}
