// explain.c: evidence from all claims: checked mode's report, other orders of threads, one cause for all.
#include "explain.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "backend.h"
#include "claims.h"
#include "common_cause.h"
#include "report_words.h"
#include "right_lines.h"
#include "shrink.h"
#include "source_hints.h"
#include "source_members.h"
#include "thread_orders.h"
#include "todo.h"

enum { MOST_CRITERIA = 8 };

static struct {
    lab_case held[MOST_CRITERIA];  // of each criterion the cheapest claim that holds
    int n, failed;
    int changes;  // a second call gave another result
    int matched;  // of some claim it is known what it matches
    char hint[LAB_NOTE];
    int hint_first;  // the advice of the report would lead away from it
    lab_smallest_wrong wrong;
    char reported[LAB_NOTE];  // of held[0], although all claims hold
    char of_failure[LAB_NOTE];
    lab_case outside;     // the first claim of a TODO that writes outside of the tensors
    lab_case in_numbers;  // the cheapest claim of the whole file whose output is wrong, and finite
} seen;

static void keep_held(const lab_case *c) {
    int i = 0;
    while (i < seen.n && strcmp(seen.held[i].criterion, c->criterion)) i++;
    if (i == MOST_CRITERIA) return;
    if (i == seen.n || lab_ask_weight(c) < lab_ask_weight(&seen.held[i])) seen.held[i] = *c;
    seen.n += i == seen.n;
}

void lab_explain_keep(const lab_task *task, const char *source, const lab_stage_options *options, const lab_case *c,
                      const lab_result *r) {
    seen.failed += r->verdict != LAB_PASSED;
    seen.changes |= r->verdict != LAB_PASSED &&
                    (strstr(r->diagnosis, "a second call on the same inputs gave") ||
                     strstr(r->diagnosis, "frees a second time") || strstr(r->diagnosis, "heap is damaged"));
    for (int i = 0; i < r->guesses.n; i++) seen.matched |= strncmp(r->guesses.text[i], "matches", 7) == 0;
    if (!c->todo && r->verdict != LAB_MISSING && r->verdict != LAB_SKIPPED) lab_cause_add(c, r);
    const char *const last = source ? strrchr(source, '/') : NULL, *const file = last ? last + 1 : source;
    if (task->parts[0] && r->verdict == LAB_ILLEGAL_ACCESS && !*seen.hint)
        lab_hint_of_part(r->diagnosis, task, file ? file : task->file, seen.hint, sizeof seen.hint);
    if (task->language != LAB_CUDA || lab_backend()->on_gpu || lab_backend()->checked || c->op->pipeline) return;
    if (r->verdict == LAB_WRONG_ANSWER && r->compared && !c->todo &&
        (!seen.in_numbers.claim || lab_ask_weight(c) < lab_ask_weight(&seen.in_numbers)))
        seen.in_numbers = *c;
    if (r->verdict == LAB_ILLEGAL_ACCESS && c->todo && !seen.outside.claim) seen.outside = *c;
    if (r->verdict != LAB_PASSED)
        lab_keep_smallest(&seen.wrong, options, c, r);
    else if (!c->todo)
        keep_held(c);
}

// What the lines of the file say about it.
static void look_at_source(const lab_checked_ask *ask, const char *report) {
    char *text = ask->source ? lab_todo_read(ask->source) : NULL;
    if (text) lab_outdent(text);
    const int host_pointers = ask->task->parts[0] != NULL;  // a layer is told on the host what its cache holds
    if (text && *report)
        seen.hint_first =
            lab_hint_of_report(text, report, host_pointers, seen.hint, sizeof seen.hint) == LAB_HINT_FIRST;
    if (text && !*report && seen.changes) lab_hint_of_state(text, seen.hint, sizeof seen.hint);
    const int unexplained = seen.failed && !seen.matched && !lab_cause_known();
    if (text && !*report && unexplained && ask->task->language == LAB_CUDA && !*seen.hint)
        if (lab_hint_of_leaving(text, seen.hint, sizeof seen.hint) &&
            lab_line_is_right(text, atoi(seen.hint + strlen("line "))))
            *seen.hint = 0;
    free(text);
}

// Blocks race where an index leads a read out of its own tensor into what others write. Of a real race another claim of the
// function that fails knows, too.
static int is_stray(const lab_checked_ask *ask, const lab_case *c, const lab_result *r) {
    static lab_result other;
    const lab_case *also = &seen.in_numbers;
    if (r->verdict != LAB_RACE || !strstr(r->diagnosis, "another block's thread")) return 0;
    if (!also->claim || also->op != c->op || strcmp(also->claim, c->claim) == 0) return 0;
    return !lab_checked_run(ask, also, &other);
}

// Two blocks write to one place in a claim that writes outside of the tensors.
static int is_left(const lab_result *r) {
    const char *const write = strstr(r->diagnosis, "write thread (");
    return seen.outside.claim && r->verdict == LAB_RACE && write && strstr(write, "write another block's thread");
}

// What checked mode reports about a claim of the whole file that fails, or, where none does, about those that hold.
static int ask_checked_mode(const lab_checked_ask *ask, lab_verdict *verdict, char *note, size_t size) {
    static lab_result r;
    if (lab_cause_known()) return 0;  // of a TODO that fails it is known why: what is seen later follows from it
    const int failed = seen.failed > 0, outside = seen.outside.claim != NULL;
    const int whole = seen.wrong.options && !seen.wrong.c.todo;
    for (int i = 0, n = failed ? outside + whole : seen.n; i < n; i++) {
        const lab_case *c = !failed ? &seen.held[i] : outside && !i ? &seen.outside : &seen.wrong.c;
        if (!lab_checked_run(ask, c, &r)) continue;
        *verdict = r.verdict;
        if (failed && is_left(&r)) {
            lab_say_left(c, r.diagnosis, note, size);
            return 1;
        }
        if (failed && is_stray(ask, c, &r)) {
            lab_say_stray(c, r.diagnosis, note, size);
            return 1;
        }
        if (failed) snprintf(seen.of_failure, sizeof seen.of_failure, "%s", r.diagnosis);
        char *advice = strstr(r.diagnosis, "; What to do: ");
        if (failed) lab_temper_advice(c, &r, lab_cause_is_said());
        look_at_source(ask, r.diagnosis);
        if (failed && seen.hint_first && advice) *advice = 0;  // in other words by now, and the file's own say it
        snprintf(note, size,
                 failed
                     ? "checked mode reports, in %s: %s%s"
                     : "the numbers are right, and yet there is a mistake, which costs points. Checked mode reports, "
                       "in %s: %s%s",
                 c->claim, r.diagnosis, failed ? "" : lab_read_behind(r.diagnosis));
        if (!failed) {
            const lab_case first = seen.held[0];
            seen.held[0] = seen.held[i], seen.held[i] = first;
            snprintf(seen.reported, sizeof seen.reported, "%s", r.diagnosis);
        }
        return 1;
    }
    return 0;
}

static lab_verdict report;  // of checked mode
static int certain;         // it has been said what is wrong

int lab_explain_is_certain(void) { return certain; }

int lab_explain_reported(const lab_case **held, const char **report) {
    *held = seen.held, *report = seen.reported;
    return *seen.reported ? seen.n : 0;
}

const char *lab_explain_report(void) { return seen.of_failure; }

const char *lab_explain_now(const lab_checked_ask *checked) {
    static lab_result r;
    const int can = seen.wrong.options && !seen.wrong.c.todo && !lab_backend()->on_gpu && !lab_backend()->checked;
    return can && lab_checked_run(checked, &seen.wrong.c, &r) ? r.diagnosis : "";
}

int lab_explain(int i, const lab_checked_ask *checked, char *note, size_t size) {
    static int guessed;  // what was said explains less than all
    static int hinted;
    note[0] = 0;
    if (i == 0 && ask_checked_mode(checked, &report, note, size)) {
        certain = 1;
        if (!seen.hint_first) return 1;
        char first[LAB_NOTE];  // the report comes after it, without "put a barrier there", which would lead astray
        char *advice = strstr(note, "; What to do: ");
        if (advice) *advice = 0;
        snprintf(first, sizeof first, "%s", seen.hint);
        snprintf(seen.hint, sizeof seen.hint, "%s", note);
        snprintf(note, size, "%s", first);
        return 1;
    }
    if (i == 0) look_at_source(checked, "");
    if (lab_cause_is_said() && !report) *seen.hint = 0;  // it follows from that
    if (*seen.hint) {
        snprintf(note, size, "%s", seen.hint);
        *seen.hint = 0, hinted++;
        return 1;
    }
    const int asked = i - (report != LAB_PASSED) - hinted;
    if (asked == 0) {
        if (!report && !lab_cause_known() && lab_order_matters(&seen.wrong, checked->seed, checked->seconds)) {
            snprintf(note, size,
                     "the result changes with the order of the threads: two of them write to one element, or one reads "
                     "what another writes, with no barrier between that all reach; make %s sanitize names the lines",
                     checked->task->id);
        } else
            lab_cause_say(note, size);
        certain |= strncmp(note, "one cause", 9) == 0 && strstr(note, ": matches ");
        // What checked mode has seen goes before what fits, unless that fits all of it.
        const int fits = strncmp(note, "one cause", 9) == 0 && strstr(note, ": matches ");
        if (report && !fits && (strncmp(note, "one cause", 9) == 0 || strncmp(note, "a guess", 7) == 0)) note[0] = 0;
        if (*note || !lab_cause_is_said()) guessed = strncmp(note, "one cause", 9) != 0 && report != LAB_RACE;
        if (guessed && strncmp(note, "a guess", 7) == 0 && !strstr(note, ": matches ")) {  // a sign is less than a fact
            char where[LAB_NOTE];
            lab_cause_where(where, sizeof where);
            if (*where) note[0] = 0;
        }
        if (*note) return 1;
    }
    if (asked < 2 && guessed) lab_cause_where(note, size), guessed = 0;
    if (!*note && i == 0 && !seen.matched && !*lab_first_todo())  // a TODO's claims are small
        lab_shrink(&seen.wrong, checked->seed, checked->seconds, note, size);
    return *note != 0;
}
