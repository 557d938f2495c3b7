// reported.c: the numbers are right, and checked mode reports a stray access, a race, or a read of what nobody wrote.
// Claims say nothing of such a change: checked mode does. Few are tried, those near the lines of the report first.
#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "judged.h"
#include "rank.h"

enum {
    MOST_LINES = 8,
    MOST = 30,
    MOST_CURES = 2,
    FAR = 25,
    LINE = 3,
    FAVOURED = 110,
    ASKED = 40,
    NAMED = 6,
    SENTENCE = 500
};
static const double SECONDS = 4, LEAST = 0.1, SLOWER = 4;  // of a processor; for a call, times that of the file

typedef struct {
    int line[MOST_LINES], n;
    char name[64];  // of the memory
    int room, race, unwritten, behind;
} place;

// "shared buf[272]", "t.cu:62 in gemm_kernel": which memory, and in which lines.
static place read_report(const char *report) {
    place p = {.room = strstr(report, "out of bounds: shared ") != NULL,
               .race = strstr(report, "data race") != NULL,
               .unwritten = strstr(report, "never written") != NULL,
               .behind = strstr(report, "out of bounds: global ") != NULL};
    const char *name = strstr(report, "shared ");
    if (name) snprintf(p.name, sizeof p.name, "%.*s", (int)strcspn(name + 7, "[ ;\n"), name + 7);
    for (const char *at = report; (at = strstr(at, ".cu:")) && p.n < MOST_LINES; at++) {
        const int line = atoi(at + strlen(".cu:"));
        if (line > 0) p.line[p.n++] = line;
    }
    return p;
}

static int has_name(const char *row, size_t n, const char *name) {
    const size_t length = strlen(name);
    for (const char *at = row; length && (at = strstr(at, name)) && at < row + n; at++)
        if ((at == row || (at[-1] != '_' && !isalnum((unsigned char)at[-1]))) && at[length] != '_' &&
            !isalnum((unsigned char)at[length]))
            return 1;
    return 0;
}

void lab_lines_of_report(const char *report, const char *source_text, char *lines, size_t size) {
    place p = read_report(report);
    int number = 1;
    for (const char *row = source_text; row && *row; number++) {
        const size_t n = strcspn(row, "\n"), used = strlen(lines);
        int near = has_name(row, n, p.name);
        for (int i = 0; i < p.n; i++) near |= p.line[i] == number;
        if (near && used + 8 < size) snprintf(lines + used, size - used, "%s%d", used ? "," : "", number);
        row += n + (row[n] == '\n');
    }
}

static int distance(const place *p, int line) {
    int least = FAR;
    for (int i = 0; i < p->n; i++)
        if (abs(p->line[i] - line) < least) least = abs(p->line[i] - line);
    return least;
}

// What does less reports less: that is no cure. So is a loop that reads less of what nobody wrote.
static int does_less(const place *p, const lab_edit *e) {
    if (p->unwritten && distance(p, e->line) == 0 && strncmp(e->whole, "for", 3) == 0) return 1;
    if (strcmp(e->kind, "room") == 0 || strcmp(e->kind, "bytes") == 0) return 0;
    return !*e->now || e->shared || strcmp(e->now, "0") == 0 || strcmp(e->kind, "left out") == 0 ||
           (strcmp(e->kind, "condition") == 0 && strcmp(e->now, "1") == 0);
}

static int unlikely(const place *p, const lab_edit *e) {
    const int room = p->room && (strcmp(e->kind, "room") == 0 || strcmp(e->kind, "bytes") == 0);
    const int barrier = p->race && strcmp(e->kind, "barrier") == 0;
    const int asked = p->behind && (strcmp(e->kind, "ragged") == 0 || strcmp(e->kind, "cut off") == 0);
    const int named = *p->name && strstr(e->whole, p->name) != NULL;
    return lab_edit_rank(e, NULL) + LINE * distance(p, e->line) - (room || barrier) * FAVOURED - asked * ASKED -
           named * NAMED;
}

// The likeliest of those near the report, in `order`; the others go.
static int choose_near(const place *p, lab_candidates *c, int order[MOST]) {
    int n = 0, ids[MOST];
    for (int i = 0; i < c->n; i++) {
        const lab_edit *e = &c->edit[i];
        if (does_less(p, e) || distance(p, e->line) >= FAR) continue;
        int at = n < MOST ? n++ : MOST;
        for (; at && unlikely(p, &c->edit[order[at - 1]]) > unlikely(p, e); at--)
            if (at < MOST) order[at] = order[at - 1];
        if (at < MOST) order[at] = i;
    }
    for (int i = 0; i < c->n; i++) c->edit[i].dropped = 0;
    for (int i = 0; i < n; i++) ids[i] = c->edit[order[i]].id;
    return n && lab_candidates_keep(c, ids, n) ? n : 0;
}

// Those after which checked mode has nothing to say of any of these claims.
static int find_cures(const lab_repair_ask *ask, const lab_subject *s, const lab_candidates *c, const int order[MOST],
                      int n, const char *object, const lab_case *held, int n_held, lab_found *found) {
    const double before = lab_attempts_left();
    const lab_result *r = lab_check(&s->attempts.options, ask->checked_runner, object, &held[0], ask->seed, 0, SECONDS);
    const double limit = LEAST + SLOWER * (before - lab_attempts_left());
    if (!r || !lab_is_report(r)) return 0;  // the file with switches is not like the file
    for (int i = 0; i < n && found->n < MOST_CURES && lab_attempts_left() > 0; i++) {
        const lab_edit *e = &c->edit[order[i]];
        int silent = !e->dropped;
        lab_say_aloud();
        for (int k = 0; k < n_held && silent; k++) {
            r = lab_check(&s->attempts.options, ask->checked_runner, object, &held[k], ask->seed, e->id, limit);
            silent = r && r->verdict == LAB_PASSED;
        }
        if (silent) found->mend[found->n++] = (lab_mend){e, 1, 0};
    }
    return found->n;
}

// Memory that is too small: nothing tells how much it lacks. A size in bytes that was counted in floats is what it should be.
static int any_larger_does(const place *p, const lab_edit *e) {
    return p->room && lab_grows(e) && (strstr(e->was, "sizeof") || !strstr(e->now, "sizeof"));
}

static void say(const lab_repair_ask *ask, const place *p, const lab_found *found, char *text, size_t size) {
    char change[SENTENCE];
    const lab_edit *e = found->mend[0].edit;
    lab_say_edit(ask, e, change, sizeof change);
    snprintf(text, size, "%s checked mode has nothing to report there, and %s.%s", change,
             found->left ? "the claims that were tried pass" : "every claim passes",
             any_larger_does(p, e) ? " Any larger size mends it, too: count what is kept there." : "");
}

int lab_repair_reported(const lab_repair_ask *ask, const lab_case *held, int n, const char *report, char *text,
                        size_t size) {
    static lab_candidates c;
    static lab_subject s;
    static lab_found found;
    char object[4300], *runner[8] = {NULL};
    int order[MOST];
    const place p = read_report(report);
    text[0] = 0;
    if (!ask->edits || !ask->checked_runner || !p.n || !n || held[0].op->pipeline) return 0;
    if (!lab_attempts_need(ask->edits, "looking for one change that mends it")) return 0;
    lab_attempts_begin(SECONDS);
    snprintf(object, sizeof object, "%.4200s.edits.so", ask->stage);
    for (int i = 0; ask->runner[i] && i < 7; i++) runner[i] = ask->runner[i];
    runner[1] = object;
    lab_judged_choose(ask, NULL, runner, 1, &s);
    setenv("LAB_CHECKED", "1", 1);
    const int near = lab_candidates_read(ask, &c) ? choose_near(&p, &c, order) : 0;
    const int cures = near && lab_candidates_compile(ask, &c, 0, object) &&
                      find_cures(ask, &s, &c, order, near, object, held, n, &found);
    unsetenv("LAB_CHECKED");
    int ids[MOST_CURES];
    for (int i = 0; i < found.n; i++) ids[i] = found.mend[i].edit->id;
    if (cures && lab_candidates_keep(&c, ids, found.n) && lab_candidates_compile(ask, &c, 0, object)) {
        found.left = s.n;
        lab_search_prove(&s, ask->seed, &found);
        if (found.n) say(ask, &p, &found, text, size);
    }
    lab_attempts_close(&s.attempts);
    unlink(object);
    lab_candidates_free(&c);
    return *text != 0;
}
