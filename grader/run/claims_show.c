// claims_show.c: one line per TODO, one per claim of the whole file, and what to do next.
#include "claims.h"

#include <stdio.h>
#include <string.h>
#include <unistd.h>

enum { SHOWN_LOG = 400, MOST_CLAIMS = 16, DETAIL = 19 };  // bytes of a stage's own output; claims of a TODO; a column

static struct {
    int todos_held, todos, held, all;  // a TODO holds when all of its claims do
    const char *criterion;             // of the previous line
    char next[24];                     // the first TODO that does not hold
    char waits[24];                    // the first TODO that the whole file says it waits for
    char misfit[640];                  // what the probe misses in the file
    lab_case cases[MOST_CLAIMS];       // the claims of the current TODO
    lab_result results[MOST_CLAIMS];
    int n;
} seen;

static void print_line(const char *word, const lab_case *c, const lab_result *r) {
    const int color = isatty(STDOUT_FILENO), passed = r->verdict == LAB_PASSED;
    printf("%s%-14s%s %s", !color ? "" : passed ? "\033[32m" : "\033[31m", word, color ? "\033[0m" : "", c->claim);
    if (passed && r->compared && !c->todo) printf("%*s max_err %.2g", 45 - (int)strlen(c->claim), "", r->cmp.max_err);
}

// Words from that column on, in lines of 80 columns. The cursor stands at `at`.
static void print_wrapped(const char *text, int from, int at) {
    int column = from;
    printf("%*s", from - at, "");
    while (*text) {
        const int word = (int)strcspn(text, " ");
        if (column > from && column + 1 + word > 80)
            printf("\n%*s", from, ""), column = from;
        else if (column > from)
            putchar(' '), column++;
        printf("%.*s", word, text), column += word;
        text += word + strspn(text + word, " ");
    }
    putchar('\n');
}

// What explains it, unless the claim before has said so; then where it shows.
static void print_diagnosis(const lab_result *r) {
    static char last[sizeof r->diagnosis];
    char explained[sizeof r->diagnosis], where[sizeof r->diagnosis + 40];
    const char *wrong = strstr(r->diagnosis, "wrong: ");
    if (!wrong) wrong = r->diagnosis + strlen(r->diagnosis);
    snprintf(explained, sizeof explained, "%.*s", (int)(wrong - r->diagnosis), r->diagnosis);
    char *end = explained + strlen(explained);
    while (end > explained && (end[-1] == ' ' || end[-1] == ';')) *--end = 0;
    if (*explained && strcmp(explained, last)) print_wrapped(explained, DETAIL, 0);
    memcpy(last, explained, sizeof last);
    if (r->compared)
        snprintf(where, sizeof where, "max_err %.2g%s%s", r->cmp.max_err, *wrong ? ", " : "", wrong);
    else
        snprintf(where, sizeof where, "%s", wrong);
    if (*where) print_wrapped(where, DETAIL, 0);
}

// The TODO whose claims have all come in: that it holds, or those of them that fail.
static void print_todo(void) {
    int failed = 0;
    for (int i = 0; i < seen.n; i++) {
        const lab_result *r = &seen.results[i];
        if (r->verdict == LAB_PASSED) continue;
        const int open = r->verdict == LAB_MISSING;
        if (failed && (open || r->verdict == LAB_COMPILE_ERROR)) continue;  // said once
        printf("  %s%-6s", failed ? "     " : "TODO ", failed ? "" : seen.cases[i].todo);
        failed++;
        print_line(open ? "open" : lab_verdict_name(r->verdict), &seen.cases[i], r);
        putchar('\n');
        if (!open && strcmp(seen.misfit, r->diagnosis)) print_diagnosis(r);
        if (r->verdict == LAB_COMPILE_ERROR) memcpy(seen.misfit, r->diagnosis, sizeof seen.misfit);
    }
    if (seen.n && !failed) {
        printf("  TODO %-6s", seen.cases[0].todo);
        print_line("holds", &seen.cases[0], &seen.results[0]);
        if (seen.n > 1) printf("  and %d more", seen.n - 1);
        putchar('\n');
    }
    if (seen.n && failed && !*seen.next) snprintf(seen.next, sizeof seen.next, "%s", seen.cases[0].todo);
    seen.todos += seen.n > 0, seen.todos_held += seen.n && !failed;
    seen.n = 0;
}

void lab_show_claim(const lab_case *c, const lab_result *r) {
    if (seen.n && (!c->todo || strcmp(seen.cases[0].todo, c->todo))) print_todo();
    if (c->todo && seen.n < MOST_CLAIMS) {
        seen.cases[seen.n] = *c, seen.results[seen.n++] = *r;
        return;
    }
    if (seen.criterion != c->criterion) printf("  %s\n", seen.criterion = c->criterion);
    printf("    ");
    print_line(lab_verdict_name(r->verdict), c, r);
    if (*r->todo) printf("  TODO %s", r->todo);
    putchar('\n');
    if (*r->diagnosis && !*r->todo) print_diagnosis(r);
    if (*r->todo && !*seen.waits) snprintf(seen.waits, sizeof seen.waits, "%s", r->todo);
    seen.all++, seen.held += r->verdict == LAB_PASSED;
}

void lab_show_log(const char *log) {
    if (!log[strspn(log, " \n\t")]) return;
    printf("%*sit printed: ", DETAIL, "");
    for (int i = 0; log[i] && i < SHOWN_LOG; i++)  // control characters would reach the student's terminal
        putchar(log[i] == '\n' || (unsigned char)log[i] >= ' ' ? log[i] : '?');
    putchar('\n');
}

void lab_show_note(const char *note) {
    printf("  Note:");
    print_wrapped(note, 8, 7);
}

int lab_show_summary(const lab_task *t, const char *left_open, char *text, size_t size) {
    char next[700] = "";
    print_todo();
    const char *todo = *seen.next ? seen.next : seen.waits;
    const int done = seen.held == seen.all && (seen.all || seen.todos_held == seen.todos);
    char todos[64] = "", claims[64] = "";
    if (seen.todos)
        snprintf(todos, sizeof todos, "%d of %d TODOs hold%s", seen.todos_held, seen.todos, seen.all ? ", " : ".");
    if (seen.all) snprintf(claims, sizeof claims, "%d of %d claims hold.", seen.held, seen.all);
    snprintf(text, size, "%s%s", todos, claims);
    if (!done && *seen.misfit)
        snprintf(next, sizeof next, "next: %s", seen.misfit);
    else if (!done && seen.todos && !*seen.next && *left_open)
        snprintf(next, sizeof next, "next: delete the lines of ATTN_TODO that still stand in %s/%s, TODO %s first",
                 t->folder, t->file, left_open);
    else if (!done && *todo)
        snprintf(next, sizeof next, "next: TODO %s in %s/%s; stuck? make %s hint TODO=%s", todo, t->folder, t->file,
                 t->id, todo);
    else if (!done)
        snprintf(next, sizeof next, "next: the first one that fails. One alone: make %s test ONLY=name", t->id);
    printf("  %s\n", text);
    if (*next) print_wrapped(next, 2, 0);
    return !(done && (seen.all || seen.todos));
}
