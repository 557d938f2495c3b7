// claims_next.c: what a student does next.
#include "claims_next.h"

#include <stdio.h>
#include <string.h>

#include "restored.h"
#include "todo.h"

// The TODO to look at for a claim that fails. One whose own claims hold is not to blame.
static const char *to_look_at(const lab_seen *seen) {
    char name[24];
    for (int i = 0; i < 2; i++) {
        if (!seen->about[i]) continue;
        snprintf(name, sizeof name, "%s,", seen->about[i]);
        const char *at = strstr(seen->right, name);
        if (!at || (at != seen->right && at[-1] != ',')) return seen->about[i];
    }
    return NULL;
}

// A TODO whose own claims hold, and whose line still stops the whole file. Returns 0 if there is none. One of its claims
// alone may hold before anything is written.
static int holds_and_stands(const lab_seen *seen, const char *text, char todo[24]) {
    for (const char *at = seen->right; text && *at; at += strcspn(at, ","), at += *at == ',') {
        snprintf(todo, 24, "%.*s", (int)strcspn(at, ","), at);
        if (lab_todo_is_open(text, todo)) return 1;
    }
    return 0;
}

// What fails comes first, then what is not written, then what makes it fast.
void lab_say_next(const lab_end *e, const lab_seen *seen, int done, char *next, size_t size) {
    const lab_task *t = e->task;
    const char *todo = *seen->wrong ? seen->wrong : *seen->open ? seen->open : seen->waits;
    const int following = (int)(t - lab_tasks) + 1;
    const char *about = e->todos ? to_look_at(seen) : NULL;
    int task, step;
    char standing[24];
    const int unfinished = !done || seen->bonus_waits;
    if (*seen->misfit)
        snprintf(next, size, "next: %s", seen->misfit);
    else if (done && seen->costs)
        snprintf(next, size, "next: mend what checked mode reports above, which costs points; make %s sanitize", t->id);
    else if (!*seen->wrong && *seen->fails && about)
        snprintf(next, size, "next: mend %s, look at TODO %s: make %s hint TODO=%s; it alone: make %s test ONLY=%s",
                 seen->fails, about, t->id, about, t->id, seen->fails);
    else if (!*seen->wrong && *seen->fails)
        snprintf(next, size, "next: mend %s; it alone: make %s test ONLY=%s", seen->fails, t->id, seen->fails);
    else if (unfinished && seen->todos && !*seen->wrong && !*seen->open && *e->left_open)
        snprintf(next, size, "next: delete the lines of ATTN_TODO that still stand in %s/%s, TODO %s first", t->folder,
                 t->file, e->left_open);
    else if (e->all && unfinished && todo == seen->open && holds_and_stands(seen, e->text, standing) &&
             sscanf(standing, "%d.%d", &task, &step) == 2)
        snprintf(next, size,
                 "next: TODO %s holds, so delete its line with ATTN_TODO(%d, %d); then TODO %s in %s/%s; "
                 "stuck? make %s hint TODO=%s",
                 standing, task, step, todo, t->folder, t->file, t->id, todo);
    else if (done && seen->bonus_waits && following < lab_n_tasks)
        snprintf(next, size,
                 "next: make %s bench says how fast it is, then make %s test; "
                 "or the bonus: TODO %s in %s/%s; stuck? make %s hint TODO=%s",
                 t->id, lab_tasks[following].id, todo, t->folder, t->file, t->id, todo);
    else if (todo == seen->open && e->text && lab_todo_is_open(e->text, todo) &&
             sscanf(todo, "%d.%d", &task, &step) == 2)
        snprintf(next, size,
                 "next%s: TODO %s in %s/%s; written? delete its line with ATTN_TODO(%d, %d); "
                 "stuck? make %s hint TODO=%s",
                 done ? ", for speed" : "", todo, t->folder, t->file, task, step, t->id, todo);
    else if (*seen->wrong && lab_restored_line())
        snprintf(next, size, "next: put back what the handout gave near line %d of %s/%s", lab_restored_line(),
                 t->folder, t->file);
    else if (*todo)
        snprintf(next, size, "next%s: %sTODO %s in %s/%s; stuck? make %s hint TODO=%s",
                 done && !*seen->wrong ? ", for speed" : "", *seen->wrong ? "mend " : "", todo, t->folder, t->file,
                 t->id, todo);
    else if (done && e->all && *e->off)
        snprintf(next, size,
                 "next, for speed: %s is 0 in %s, so what is behind it is written and not used: set it to 1, then "
                 "make %s bench",
                 e->off, t->file, t->id);
    else if (done && e->all && following < lab_n_tasks && t->language == LAB_C)  // its time carries no points
        snprintf(next, size, "next: make %s test", lab_tasks[following].id);
    else if (done && e->all && following < lab_n_tasks)
        snprintf(next, size, "next: make %s bench says how fast it is; then make %s test", t->id,
                 lab_tasks[following].id);
    else if (done && e->all)
        snprintf(next, size, "next: make demo; grader/grade_all . writes your results page");
}
