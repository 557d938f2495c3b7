// claims_show.c: one line per TODO, one per claim of the whole file, and how many hold.
#include "claims.h"

#include <stdio.h>
#include <string.h>

#include "claims_next.h"
#include "claims_same.h"
#include "claims_text.h"
#include "claims_todos.h"
#include "common_cause.h"
#include "todo_of.h"

static lab_seen seen;

static struct {
    const char *criterion;                // of the previous line
    int unexplained, reported, sanitize;  // wrong outputs without a reason; not compared; a note names make sanitize
    char reason[200];                     // of the first claim that was not run
    int each;                             // a line for each claim that holds
} shown;

// Claims of a criterion that wait for TODOs: how many, for which, and the name of the first.
static struct {
    int n;
    char todos[80];
    lab_case first;
} waiting;

// For what is said at the end: is it known why?
static void remember(const lab_result *r) {
    if (r->verdict == LAB_PASSED || r->verdict == LAB_MISSING || *r->todo) return;
    shown.unexplained +=
        r->compared ? lab_where_wrong(r->diagnosis) == r->diagnosis : r->verdict == LAB_NONDETERMINISTIC;
    shown.reported += !r->compared && r->verdict != LAB_TIMEOUT && r->verdict != LAB_SKIPPED;
}

static void note_not_run(const lab_case *c, const lab_result *r) {
    if (!*shown.reason) snprintf(shown.reason, sizeof shown.reason, "%.190s", r->diagnosis);
    seen.not_run += !c->todo;
}

void lab_show_each(void) { shown.each = 1; }

void lab_show_kept(void) {
    lab_todo_print(&seen);
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
    const char *bonus = lab_task_find(c->task)->bonus;
    seen.bonus_waits += bonus && strcmp(bonus, c->criterion) == 0;
}

// A sentence counts that says more than where the output is wrong.
static const char *todo_of(const char *task, const char *sentence) {
    return strncmp(sentence, "wrong: ", 7) ? lab_todo_of(lab_task_find(task), sentence) : NULL;
}

void lab_show_claim(const lab_case *c, const lab_result *r) {
    remember(r);
    if (c->todo && r->verdict == LAB_SKIPPED) note_not_run(c, r);
    if (c->todo) {
        lab_todo_add(&seen, c, r, shown.each);
        return;
    }
    if (r->verdict == LAB_SKIPPED) {
        note_not_run(c, r);
        return;
    }
    if (shown.criterion != c->criterion) {
        lab_show_kept();
        printf("  %s\n", shown.criterion = c->criterion);
    }
    seen.all++, seen.held += r->verdict == LAB_PASSED;
    if (*r->todo) {
        wait_for(c, r->todo);
        return;
    }
    if (r->verdict != LAB_PASSED && !*seen.fails) snprintf(seen.fails, sizeof seen.fails, "%s", c->claim);
    if (r->verdict == LAB_PASSED && !shown.each) {
        lab_same_holds(c, r);
        return;
    }
    if (lab_first_todo_follows()) *seen.wrong = 0;
    if (lab_same_takes(c, r, seen.wrong, seen.wrongs)) return;
    printf("    ");
    lab_print_line(lab_verdict_name(r->verdict), c, r);
    if (*r->diagnosis || (r->compared && r->verdict != LAB_PASSED))
        lab_print_diagnosis(r);
    else
        putchar('\n');
    if (r->verdict == LAB_PASSED) return;
    if (!seen.about[1] && r->compared) seen.about[1] = todo_of(c->task, r->diagnosis);
}

void lab_show_log(const lab_case *c, const char *log) {
    if (c->todo)
        lab_todo_log(log);
    else if (!lab_same_took())
        lab_print_log(log);
}

// Each second line is one of the file, as it stands there.
static void print_quoting(char *text, int at) {
    int quoted = 0;
    for (char *line = strtok(text, "\n"); line; line = strtok(NULL, "\n"), quoted = !quoted, at = 0)
        if (quoted && strlen(line) <= 80 - 12)
            printf("%12s%s\n", "", line);
        else if (quoted)
            lab_print_wrapped(line, 8, 4, 0);
        else
            lab_print_wrapped(line, 8, 2, at);
}

void lab_show_note(const lab_task *task, const char *label, const char *note) {
    char facts[1400];
    snprintf(facts, sizeof facts, "%s", note);
    lab_show_kept();
    shown.criterion = NULL;  // its heading stands above the note
    const int at = printf("  %s:", label);
    if (strchr(note, '\n'))  // it quotes the file, where a ; ends no fact
        print_quoting(facts, at);
    else
        lab_print_facts(facts, 8, 0, at);
    if (!seen.about[0] && !strstr(note, " hint TODO=")) seen.about[0] = todo_of(task->id, note);
    lab_same_note(label, note);
    shown.sanitize |= strstr(note, "sanitize") != NULL;
    seen.costs |= strstr(note, "which costs points") != NULL;
}

int lab_show_end(const lab_end *e, char *text, size_t size) {
    char next[700] = "", todos[64] = "", claims[96] = "", rest[32] = "";
    const int cuda = e->task->language == LAB_CUDA;
    lab_show_kept();
    const int one_todo = seen.todos == 1, one_claim = seen.all == 1;
    if (!e->all || *seen.wrong) seen.bonus_waits = 0;  // asked for by name, or begun: then it is to hold
    const int done =
        seen.held == seen.all - seen.bonus_waits && !*shown.reason && (seen.all || seen.todos_held == seen.todos);
    if (seen.todos)
        snprintf(todos, sizeof todos, "%d of %d TODO%s hold%s%s", seen.todos_held, seen.todos, one_todo ? "" : "s",
                 one_todo ? "s" : "", seen.all ? ", " : ".");
    if (seen.not_run && seen.all)
        snprintf(rest, sizeof rest, ", %d not run", seen.not_run);
    else if (seen.not_run)
        snprintf(rest, sizeof rest, "%d claim%s not run", seen.not_run, seen.not_run == 1 ? "" : "s");
    if (done && seen.bonus_waits) snprintf(rest, sizeof rest, ": all but the bonus");
    if (seen.all)
        snprintf(claims, sizeof claims, "%d of %d claim%s hold%s%s.", seen.held, seen.all, one_claim ? "" : "s",
                 one_claim ? "s" : "", rest);
    else if (seen.not_run)
        snprintf(claims, sizeof claims, "%s%s.", seen.todos ? " " : "", rest);
    snprintf(text, size, "%s%s", todos, claims);
    if (*shown.reason) printf("  %s\n", shown.reason);
    printf("  %s\n", text);
    if (cuda && shown.unexplained && !shown.reported && e->checked)
        printf("  Checked mode saw no race and no stray access: the numbers are computed wrong.\n");
    else if (cuda && (shown.unexplained || shown.reported) && !e->looked && !shown.sanitize)
        printf("  A race or a stray access? make %s sanitize names its line.\n", e->task->id);
    else if (cuda && done && e->all && !e->looked)
        printf("  Right numbers do not show a race: make %s sanitize looks for one.\n", e->task->id);
    lab_say_next(e, &seen, done, next, sizeof next);
    if (strlen(next) > 78)
        lab_print_facts(next, 2, 6, 0);
    else if (*next)
        printf("  %s\n", next);
    return !(done && (seen.all || seen.todos));
}
