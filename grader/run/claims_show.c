// claims_show.c: one line per TODO, one per claim of the whole file, and what to do next.
#include "claims.h"

#include <stdio.h>
#include <string.h>

#include "claims_same.h"
#include "claims_text.h"
#include "todo_of.h"

enum { MOST_CLAIMS = 16 };  // of a TODO

static struct {
    int todos_held, todos, held, all;     // a TODO holds when all of its claims do
    const char *criterion;                // of the previous line
    char open[24];                        // the first TODO that is not written
    char wrong[24];                       // the first TODO that is written, and wrong
    char fails[64];                       // the first claim of the whole that fails, and waits for no TODO
    char right[200];                      // "4.1,4.2,": the TODOs that hold
    const char *about[2];                 // the TODO of the first note that knows one; of the first claim's sentence
    char waits[24];                       // the first TODO that the whole file says it waits for
    char misfit[640];                     // what the probe misses in the file
    int costs;                            // a note says that right numbers cost points
    int unexplained, reported, sanitize;  // wrong outputs without a reason; not compared; a note names make sanitize
    int not_run;                          // claims
    char reason[200];                     // of the first that was not run
    lab_case cases[MOST_CLAIMS];          // the claims of the current TODO
    lab_result results[MOST_CLAIMS];
    int n;
} seen;

// Claims of a criterion that wait for TODOs: how many, for which, and the name of the first.
static struct {
    int n;
    char todos[80];
    lab_case first;
} waiting;

// For what is said at the end: is it known why?
static void remember(const lab_result *r) {
    if (r->verdict == LAB_PASSED || r->verdict == LAB_MISSING || *r->todo) return;
    const char *wrong = strstr(r->diagnosis, "wrong: ");
    seen.unexplained += r->compared ? wrong == r->diagnosis : r->verdict == LAB_NONDETERMINISTIC;
    seen.reported += !r->compared && r->verdict != LAB_TIMEOUT && r->verdict != LAB_SKIPPED;
}

static void print_failed_todo(const lab_case *c, const lab_result *r, int further) {
    const int open = r->verdict == LAB_MISSING;
    printf("  %s%-6s", further ? "     " : "TODO ", further ? "" : c->todo);
    lab_print_line(open ? "open" : lab_verdict_name(r->verdict), c, r);
    if (!open && strcmp(seen.misfit, r->diagnosis))
        lab_print_diagnosis(r);
    else
        putchar('\n');
    if (r->verdict == LAB_COMPILE_ERROR) memcpy(seen.misfit, r->diagnosis, sizeof seen.misfit);
    char *const first = open ? seen.open : seen.wrong;
    if (!*first) snprintf(first, sizeof seen.open, "%s", c->todo);
}

static void note_not_run(const lab_result *r) {
    if (!seen.not_run++) snprintf(seen.reason, sizeof seen.reason, "%.190s", r->diagnosis);
}

// The TODO whose claims have all come in: that it holds, or those of them that fail.
static void print_todo(void) {
    int failed = 0, skipped = 0;
    int same = 0;
    for (int i = 0; i < seen.n; i++) {
        const lab_result *r = &seen.results[i];
        if (r->verdict == LAB_PASSED) continue;
        if (r->verdict == LAB_SKIPPED) {
            skipped++, note_not_run(r);
            continue;
        }
        if (failed && (r->verdict == LAB_MISSING || r->verdict == LAB_COMPILE_ERROR)) continue;  // said once
        const int follows = strcmp(seen.wrong, seen.cases[i].todo) || lab_same_is_explained();
        if (failed && *seen.wrong && follows && lab_says_nothing_new(r)) {
            same++;
            continue;
        }
        print_failed_todo(&seen.cases[i], r, failed++);
    }
    if (same) printf("%*sand %d more\n", 13, "", same);
    if (seen.n && !failed && !skipped) {
        printf("  TODO %-6s", seen.cases[0].todo);
        lab_print_line("holds", &seen.cases[0], &seen.results[0]);
        const int fits = strlen(seen.cases[0].claim) <= 80 - 28 - 12;
        if (seen.n > 1) printf("%s  and %d more", fits ? "" : "\n                          ", seen.n - 1);
        putchar('\n');
    }
    const size_t used = strlen(seen.right);
    if (seen.n && !failed && !skipped) snprintf(seen.right + used, sizeof seen.right - used, "%s,", seen.cases[0].todo);
    seen.todos += seen.n > skipped, seen.todos_held += seen.n && !failed && !skipped;
    seen.n = 0;
}

static void print_waiting(void) {
    lab_same_print();
    static const lab_result missing = {.verdict = LAB_MISSING};
    if (waiting.n == 1) {
        printf("    ");
        lab_print_line(lab_verdict_name(LAB_MISSING), &waiting.first, &missing);
        printf("  TODO %s\n", waiting.todos);
    } else if (waiting.n)
        printf("    %-14s %d claims wait for TODO %s\n", lab_verdict_name(LAB_MISSING), waiting.n, waiting.todos);
    waiting.n = 0, waiting.todos[0] = 0;
}

static void wait_for(const lab_case *c, const char *todo) {
    char listed[sizeof waiting.todos + 2], name[32];
    if (!waiting.n++) waiting.first = *c;
    snprintf(listed, sizeof listed, "%s,", waiting.todos);
    snprintf(name, sizeof name, "%.24s,", todo);
    const char *at = strstr(listed, name);
    const size_t used = strlen(waiting.todos);
    if (!at || (at != listed && at[-1] != ' '))
        snprintf(waiting.todos + used, sizeof waiting.todos - used, "%s%.24s", used ? ", " : "", todo);
    if (!*seen.waits) snprintf(seen.waits, sizeof seen.waits, "%.23s", todo);
}

// A sentence counts that says more than where the output is wrong.
static const char *todo_of(const char *task, const char *sentence) {
    return strncmp(sentence, "wrong: ", 7) ? lab_todo_of(lab_task_find(task), sentence) : NULL;
}

// The TODO to look at for a claim that fails. One whose own claims hold is not to blame.
static const char *to_look_at(void) {
    char name[24];
    for (int i = 0; i < 2; i++) {
        if (!seen.about[i]) continue;
        snprintf(name, sizeof name, "%s,", seen.about[i]);
        const char *at = strstr(seen.right, name);
        if (!at || (at != seen.right && at[-1] != ',')) return seen.about[i];
    }
    return NULL;
}

void lab_show_claim(const lab_case *c, const lab_result *r) {
    if (seen.n && (!c->todo || strcmp(seen.cases[0].todo, c->todo))) print_todo();
    remember(r);
    if (c->todo && seen.n < MOST_CLAIMS) {
        seen.cases[seen.n] = *c, seen.results[seen.n++] = *r;
        return;
    }
    if (r->verdict == LAB_SKIPPED) {
        note_not_run(r);
        return;
    }
    if (seen.criterion != c->criterion) {
        print_waiting();
        printf("  %s\n", seen.criterion = c->criterion);
    }
    seen.all++, seen.held += r->verdict == LAB_PASSED;
    if (*r->todo) {
        wait_for(c, r->todo);
        return;
    }
    if (r->verdict != LAB_PASSED && !*seen.fails) snprintf(seen.fails, sizeof seen.fails, "%s", c->claim);
    if (r->verdict == LAB_PASSED && (*seen.wrong || *seen.fails)) {
        lab_same_holds(c, r);
        return;
    }
    if (lab_same_takes(c, r, seen.wrong)) return;
    printf("    ");
    lab_print_line(lab_verdict_name(r->verdict), c, r);
    if (*r->diagnosis || (r->compared && r->verdict != LAB_PASSED))
        lab_print_diagnosis(r);
    else
        putchar('\n');
    if (r->verdict == LAB_PASSED) return;
    if (!seen.about[1] && r->compared) seen.about[1] = todo_of(c->task, r->diagnosis);
}

void lab_show_log(const char *log) {
    if (!lab_same_took()) lab_print_log(log);
}

// Each second line is one of the file, as it stands there.
static void print_quoting(char *text, int at) {
    int quoted = 0;
    for (char *line = strtok(text, "\n"); line; line = strtok(NULL, "\n"), quoted = !quoted, at = 0)
        if (quoted)
            printf("%12s%s\n", "", line);
        else
            lab_print_wrapped(line, 8, 2, at);
}

void lab_show_note(const lab_task *task, const char *label, const char *note) {
    char facts[1400];
    snprintf(facts, sizeof facts, "%s", note);
    print_todo(), print_waiting();
    seen.criterion = NULL;  // its heading stands above the note
    const int at = printf("  %s:", label);
    if (strcmp(label, "Why") == 0)  // it quotes the file, where a ; ends no fact
        print_quoting(facts, at);
    else
        lab_print_facts(facts, 8, 0, at);
    if (!seen.about[0] && !strstr(note, " hint TODO=")) seen.about[0] = todo_of(task->id, note);
    lab_same_note(label, note);
    seen.sanitize |= strstr(note, "sanitize") != NULL;
    seen.costs |= strstr(note, "which costs points") != NULL;
}

// A TODO whose own claims hold, and whose line still stops the whole file, or NULL.
static const char *holds_and_stands(const char *left_open) {
    char listed[28];
    snprintf(listed, sizeof listed, "%s,", left_open);
    const char *at = *left_open ? strstr(seen.right, listed) : NULL;
    return at && (at == seen.right || at[-1] == ',') ? left_open : NULL;
}

// What fails comes first, then what is not written, then what makes it fast.
static void say_next(const lab_end *e, int done, char *next, size_t size) {
    const lab_task *t = e->task;
    const char *todo = *seen.wrong ? seen.wrong : *seen.open ? seen.open : seen.waits;
    const int following = (int)(t - lab_tasks) + 1;
    const char *about = e->todos ? to_look_at() : NULL;
    int task, step;
    if (*seen.misfit)
        snprintf(next, size, "next: %s", seen.misfit);
    else if (done && seen.costs)
        snprintf(next, size, "next: mend what checked mode reports above, which costs points; make %s sanitize", t->id);
    else if (!*seen.wrong && *seen.fails && about)
        snprintf(next, size, "next: mend %s, look at TODO %s: make %s hint TODO=%s; it alone: make %s test ONLY=%s",
                 seen.fails, about, t->id, about, t->id, seen.fails);
    else if (!*seen.wrong && *seen.fails)
        snprintf(next, size, "next: mend %s; it alone: make %s test ONLY=%s", seen.fails, t->id, seen.fails);
    else if (!done && seen.todos && !*seen.wrong && !*seen.open && *e->left_open)
        snprintf(next, size, "next: delete the lines of ATTN_TODO that still stand in %s/%s, TODO %s first", t->folder,
                 t->file, e->left_open);
    else if (!done && todo == seen.open && holds_and_stands(e->left_open) &&
             sscanf(e->left_open, "%d.%d", &task, &step) == 2)
        snprintf(next, size,
                 "next: TODO %s holds, so delete its line with ATTN_TODO(%d, %d); then TODO %s in %s/%s; "
                 "stuck? make %s hint TODO=%s",
                 e->left_open, task, step, todo, t->folder, t->file, t->id, todo);
    else if (todo == seen.open && (done ? strcmp(todo, e->left_open) == 0 : *e->left_open) &&
             sscanf(todo, "%d.%d", &task, &step) == 2)
        snprintf(next, size,
                 "next%s: TODO %s in %s/%s; written? delete its line with ATTN_TODO(%d, %d); "
                 "stuck? make %s hint TODO=%s",
                 done ? ", for speed" : "", todo, t->folder, t->file, task, step, t->id, todo);
    else if (*todo)
        snprintf(next, size, "next%s: %sTODO %s in %s/%s; stuck? make %s hint TODO=%s",
                 done && !*seen.wrong ? ", for speed" : "", *seen.wrong ? "mend " : "", todo, t->folder, t->file, t->id,
                 todo);
    else if (done && e->all && following < lab_n_tasks && t->language == LAB_C)  // its time carries no points
        snprintf(next, size, "next: make %s test", lab_tasks[following].id);
    else if (done && e->all && following < lab_n_tasks)
        snprintf(next, size, "next: make %s bench says how fast it is; then make %s test", t->id,
                 lab_tasks[following].id);
    else if (done && e->all)
        snprintf(next, size, "next: make demo; grader/grade_all . writes your results page");
}

int lab_show_end(const lab_end *e, char *text, size_t size) {
    char next[700] = "", todos[64] = "", claims[64] = "", rest[64] = "";
    const int cuda = e->task->language == LAB_CUDA;
    print_todo(), print_waiting();
    const int done = seen.held == seen.all && !seen.not_run && (seen.all || seen.todos_held == seen.todos);
    if (seen.todos)
        snprintf(todos, sizeof todos, "%d of %d TODOs hold%s", seen.todos_held, seen.todos, seen.all ? ", " : ".");
    if (seen.all) snprintf(claims, sizeof claims, "%d of %d claims hold.", seen.held, seen.all);
    if (seen.not_run)
        snprintf(rest, sizeof rest, "%s%d claims not run.", seen.all || seen.todos ? " " : "", seen.not_run);
    snprintf(text, size, "%s%s%s", todos, claims, rest);
    if (seen.not_run) printf("  %s\n", seen.reason);
    printf("  %s\n", text);
    if (cuda && seen.unexplained && !seen.reported && e->checked)
        printf("  Checked mode saw no race and no stray access: the numbers are computed wrong.\n");
    else if (cuda && (seen.unexplained || seen.reported) && !e->looked && !seen.sanitize)
        printf("  A race or a stray access? make %s sanitize names its line.\n", e->task->id);
    say_next(e, done, next, sizeof next);
    if (strlen(next) > 78)
        lab_print_facts(next, 2, 6, 0);
    else if (*next)
        printf("  %s\n", next);
    return !(done && (seen.all || seen.todos));
}
