// hang.c: which claims are not run, and where the first one hung.
//
// Claims of one TODO, or of one criterion, share a fate. Another criterion may be without fault and is tried, with a quarter
// of the time, until one more hangs. Where the probe of a TODO has hung, the whole file hangs for the same reason. A
// probe's data is small: it never gets more than the quarter, and behind one that hung a quarter of that. The line is
// looked up once.
#include "hang.h"

#include <stdio.h>
#include <string.h>

#include "plain_run.h"

enum { MOST = 2, SHORT = 4 };

static struct {
    int todos, criteria;
    const char *group[2 * MOST], *claim[2 * MOST];  // names of tables, which stay
    char apart[400];                                // threads that wait for each other at two places
} seen;

static const char *group_of(const lab_case *c) { return c->todo ? c->todo : c->criterion; }

int lab_hang_expected(const lab_case *c, char *why, size_t size) {
    const int n = seen.todos + seen.criteria;
    const int all = c->todo ? seen.todos >= MOST : seen.criteria >= (seen.todos ? 1 : MOST);
    for (int i = 0; i < n; i++) {
        if (!all && strcmp(seen.group[i], group_of(c))) continue;
        snprintf(why, size, "not run: %s did not end", seen.claim[all ? n - 1 : i]);
        return 1;
    }
    return 0;
}

double lab_hang_limit(const lab_case *c, double seconds) {
    if (c->todo && seen.todos) return seconds / (SHORT * SHORT);
    return c->todo || seen.todos + seen.criteria ? seconds / SHORT : seconds;
}

// Compiled plainly, and called once more.
static void find_line(const lab_task *task, const char *source, const lab_stage_options *options, const lab_case *c,
                      uint64_t seed, lab_result *r) {
    static lab_stage stage;
    const lab_verdict v =
        lab_plain_run(task, source, options, options->runner[0], c, seed, options->load_seconds / (2 * SHORT), &stage);
    if (v == LAB_TIMEOUT && *stage.where)
        lab_say_late(r->diagnosis, sizeof r->diagnosis, options->call_seconds, stage.where, 0);
}

// What a deadlock ends with, where it tells who waits for whom (run/deadlock.h).
static void keep_apart(const lab_case *c, const lab_result *r) {
    static const char *const ends[] = {"; lanes of one warp are apart", "; some threads wait at the barrier of "};
    for (int i = 0; i < 2 && r->verdict == LAB_GPU_HANG && !*seen.apart; i++) {
        const char *at = strstr(r->diagnosis, ends[i]);
        if (at) snprintf(seen.apart, sizeof seen.apart, "in %s, a kernel does not end: %s", c->claim, at + 2);
    }
}

const char *lab_hang_apart(void) { return seen.apart; }

void lab_hang_seen(const lab_task *task, const char *source, const lab_stage_options *options, const lab_case *c,
                   uint64_t seed, lab_result *r) {
    int *const of = c->todo ? &seen.todos : &seen.criteria;
    keep_apart(c, r);
    if ((r->verdict != LAB_TIMEOUT && r->verdict != LAB_GPU_HANG) || *of == MOST) return;
    if (task->language != LAB_CUDA && source && !(seen.todos + seen.criteria) &&
        strncmp(r->diagnosis, "no answer", 9) == 0)
        find_line(task, source, options, c, seed, r);
    seen.group[seen.todos + seen.criteria] = group_of(c);
    seen.claim[seen.todos + seen.criteria] = c->claim;
    ++*of;
}
