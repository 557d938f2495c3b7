// claims_todos.c: one line per TODO that fails or is open, and one for all that hold between them.
#include "claims_todos.h"

#include <stdio.h>
#include <string.h>

#include "claims_same.h"
#include "claims_text.h"

enum { MOST_CLAIMS = 16, ROOM = 80 - 28 };  // of a TODO; columns behind a verdict

static struct {
    lab_case cases[MOST_CLAIMS];  // the claims of the current TODO
    lab_result results[MOST_CLAIMS];
    char logs[MOST_CLAIMS][LAB_LOG];
    int n;
} current;

// TODOs in a row that hold: the first with its claims, and the last.
static struct {
    lab_case first;
    int n, claims;  // claims: of the first
    char last[24];
} holding;

static void print_holding(void) {
    if (holding.n == 1) {
        printf("  TODO %-6s", holding.first.todo);
        const lab_result holds = {.verdict = LAB_PASSED};
        lab_print_line("holds", &holding.first, &holds);
        const int fits = strlen(holding.first.claim) <= ROOM - 12;
        if (holding.claims > 1)
            printf("%s  and %d more", fits ? "" : "\n                          ", holding.claims - 1);
        putchar('\n');
    } else if (holding.n)
        printf("  TODO %s %s %s hold\n", holding.first.todo, holding.n > 2 ? "to" : "and", holding.last);
    holding.n = 0;
}

static void keep_holding(lab_seen *seen) {
    const size_t used = strlen(seen->right);
    if (!holding.n++) holding.first = current.cases[0], holding.claims = current.n;
    snprintf(holding.last, sizeof holding.last, "%s", current.cases[0].todo);
    snprintf(seen->right + used, sizeof seen->right - used, "%s,", current.cases[0].todo);
}

static int is_after(const lab_result *r) { return strncmp(r->diagnosis, "after ", 6) == 0; }

static int begins(const char *text, const char *start) { return strncmp(text, start, strlen(start)) == 0; }

// Where it is known why the first TODO fails, another one that says only where it is wrong follows from it.
static int follows(const lab_seen *seen, const lab_case *c, const lab_result *r) {
    if (!*seen->wrong || strcmp(seen->wrong, c->todo) == 0) return 0;
    const int says_where = begins(r->diagnosis, "wrong: ") || begins(r->diagnosis, "NaN") ||
                           begins(r->diagnosis, "a guess") || begins(r->diagnosis, "matches memory outside") ||
                           !*r->diagnosis;
    return is_after(r) || (lab_same_is_certain() && r->compared && says_where);
}

static void print_failed(lab_seen *seen, const lab_case *c, const lab_result *r, int further) {
    const int open = r->verdict == LAB_MISSING, waits = open && begins(r->diagnosis, "waits for ");
    const int after = is_after(r) ? (int)strcspn(r->diagnosis, ";") : 0;
    printf("  %s%-6s", further ? "     " : "TODO ", further ? "" : c->todo);
    lab_print_line(waits ? "waits" : open ? "open" : lab_verdict_name(r->verdict), c, r);
    if (follows(seen, c, r) && after)
        printf("%s  %.*s\n", (int)strlen(c->claim) + 2 + after <= ROOM ? "" : "\n                          ", after,
               r->diagnosis);
    else if (waits)
        printf("%s  for TODO %s\n",
               strlen(c->claim) + strlen(r->todo) + 11 <= ROOM ? "" : "\n                          ", r->todo);
    else if (!open && strcmp(seen->misfit, r->diagnosis) && !follows(seen, c, r))
        lab_print_diagnosis(r);
    else
        putchar('\n');
    if (r->verdict == LAB_COMPILE_ERROR) memcpy(seen->misfit, r->diagnosis, sizeof seen->misfit);
    char *const first = open ? seen->open : seen->wrong;
    if (!*first) snprintf(first, sizeof seen->open, "%s", open && *r->todo ? r->todo : c->todo);
}

// Of a TODO that fails, a further claim: it fails for the same reason, or says nothing new.
static int is_more(const lab_seen *seen, const lab_case *c, const lab_result *r) {
    if (!*seen->wrong) return 0;
    const int explained = strcmp(seen->wrong, c->todo) || lab_same_is_explained();
    if (!r->compared && lab_is_told(r)) return 1;
    return lab_same_is_certain() || (explained && (is_after(r) || lab_says_nothing_new(r)));
}

// The TODO whose claims have all come in: that it holds, or those of them that fail.
static void end_current(lab_seen *seen) {
    int failed = 0, skipped = 0, more = 0;
    for (int i = 0; i < current.n; i++) {
        const lab_result *r = &current.results[i];
        if (r->verdict == LAB_PASSED) continue;
        if (r->verdict == LAB_SKIPPED) {
            skipped++;
            continue;
        }
        if (failed && (r->verdict == LAB_MISSING || r->verdict == LAB_COMPILE_ERROR)) continue;  // said once
        if (!failed) print_holding();
        if (!failed && r->verdict == LAB_COMPILE_ERROR && *seen->misfit && !strcmp(seen->misfit, r->diagnosis)) {
            failed++, seen->untried++;
            continue;
        }
        if (failed && is_more(seen, &current.cases[i], r)) {
            more++;
            continue;
        }
        const int words = !follows(seen, &current.cases[i], r);
        seen->wrongs += !failed && words && r->verdict != LAB_MISSING;
        print_failed(seen, &current.cases[i], r, failed++);
        if (words) lab_print_log(current.logs[i]);
    }
    if (more) printf("%*sand %d more\n", 13, "", more);
    if (current.n && !failed && !skipped) keep_holding(seen);
    seen->todos += current.n > skipped, seen->todos_held += current.n && !failed && !skipped;
    current.n = 0;
}

void lab_todo_add(lab_seen *seen, const lab_case *c, const lab_result *r, int each) {
    if (current.n && strcmp(current.cases[0].todo, c->todo)) {
        end_current(seen);
        if (each) print_holding();
    }
    if (current.n == MOST_CLAIMS) return;
    current.logs[current.n][0] = 0;
    current.cases[current.n] = *c, current.results[current.n++] = *r;
}

void lab_todo_log(const char *log) {
    if (current.n) snprintf(current.logs[current.n - 1], LAB_LOG, "%s", log);
}

void lab_todo_print(lab_seen *seen) {
    if (current.n) end_current(seen);
    print_holding();
    if (seen->untried) printf("  The other %d TODOs are not tried, for the same reason.\n", seen->untried);
    seen->untried = 0;
}
