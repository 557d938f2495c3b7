// rows_score.c: rows about points and claims.
#include "block_table.h"

#include <stdio.h>
#include <string.h>

#include "markdown.h"
#include "results.h"

enum { MOST_TODOS = 64 };

static void line(json_t *rows, const char *what, json_t *value) {
    json_array_append_new(rows, json_pack("{s:s, s:o}", "what", what, "value", value));
}

// What people added to it.
static void add_manual(json_t *rows, const json_t *manual) {
    size_t i;
    json_t *item;
    json_array_foreach(json_object_get(manual, "items"), i, item) {
        const json_t *points = json_object_get(item, "points");
        const char *comment = lab_str(item, "comment");
        char number[40] = "";
        if (json_is_number(points)) snprintf(number, sizeof number, "%.4g points", json_number_value(points));
        line(rows, lab_str(item, "item"), json_sprintf("%s%s%s", number, *number && *comment ? ": " : "", comment));
    }
    if (!manual) return;
    if (lab_num(manual, "late_days") > 0)
        line(rows, "days late",
             json_sprintf("%.0f: %.4g points less", lab_num(manual, "late_days"), lab_num(manual, "penalty")));
    line(rows, "total", json_sprintf("%.4g", lab_num(manual, "total")));
}

json_t *lab_rows_run(const lab_view *view) {
    const json_t *machine = json_object_get(view->root, "machine");
    const json_t *again = json_object_get(view->root, "rescored");
    json_t *rows = json_array();
    line(rows, "graded", json_string(lab_str(view->root, "created")));
    line(rows, "lab version", json_string(lab_str(view->root, "lab_commit")));
    line(rows, "backend", json_string(lab_str(view->root, "backend")));
    line(rows, "processor", json_sprintf("%s, %.0f cores", lab_str(machine, "cpu"), lab_num(machine, "cores")));
    line(rows, "GPU", json_string(*lab_str(machine, "gpu") ? lab_str(machine, "gpu") : "none"));
    line(rows, "compiler", json_string(lab_str(machine, "compiler")));
    line(rows, "score",
         json_sprintf("%.4g of %.4g, bonus %.4g", lab_num(view->root, "score"), lab_num(view->root, "max_score"),
                      lab_num(view->root, "bonus")));
    add_manual(rows, json_object_get(view->root, "manual"));
    if (again)
        line(rows, "points",
             json_sprintf("counted again from these measurements on %s, by the rubric of lab version %s",
                          lab_str(again, "at"), lab_str(again, "lab_commit")));
    return rows;
}

// A claim of a TODO carries no points and is shown with its TODO.
static int is_of_todo(const json_t *test) { return lab_is(test, "criterion", "todo"); }
static int is_open(const json_t *test) {
    return lab_is(test, "verdict", "MISSING") || lab_is(test, "verdict", "SKIPPED");
}

static int count_claims(const json_t *task, char text[40]) {
    const json_t *cases = json_object_get(task, "cases");
    int hold = 0, all = 0;
    for (size_t i = 0; i < json_array_size(cases); i++) {
        const json_t *test = json_array_get(cases, i);
        all += !is_of_todo(test);
        hold += !is_of_todo(test) && lab_is(test, "verdict", "PASSED");
    }
    snprintf(text, 40, "%d of %d", hold, all);
    return all;
}

// The TODOs of a task in the order of its claims. One holds when all its claims do, and is wrong when one that is not
// open does not.
typedef struct {
    const char *todo, *wrong;  // wrong: the verdict, or NULL
    int open;
} todo_state;

static int todos_of(const json_t *task, todo_state all[MOST_TODOS]) {
    size_t i;
    int n = 0;
    json_t *test;
    json_array_foreach(json_object_get(task, "cases"), i, test) {
        int k = 0;
        if (!is_of_todo(test)) continue;
        while (k < n && strcmp(all[k].todo, lab_str(test, "todo")) != 0) k++;
        if (k == MOST_TODOS) break;
        if (k == n) all[n++] = (todo_state){lab_str(test, "todo"), NULL, 0};
        if (is_open(test))
            all[k].open = 1;
        else if (!lab_is(test, "verdict", "PASSED") && !all[k].wrong)
            all[k].wrong = lab_str(test, "verdict");
    }
    return n;
}

json_t *lab_rows_summary(const lab_view *view) {
    json_t *rows = json_array(), *task;
    todo_state all[MOST_TODOS];
    for (size_t i = 0; (task = lab_next_task(view, &i));) {
        char claims[40], todos[40] = "";
        const int n = todos_of(task, all);
        int hold = 0;
        for (int k = 0; k < n; k++) hold += !all[k].wrong && !all[k].open;
        if (n) snprintf(todos, sizeof todos, "%d of %d", hold, n);
        count_claims(task, claims);
        json_t *row = json_pack("{s:s, s:s}", "claims", claims, "todos", todos);
        json_object_set_new(row, "task", json_sprintf("%s: %s", lab_str(task, "id"), lab_str(task, "title")));
        json_object_update_missing(row, task);
        json_array_append_new(rows, row);
    }
    return rows;
}

static void add_word(char text[500], const char *word, const char *more) {
    const size_t n = strlen(text);
    snprintf(text + n, 500 - n, "%s%.20s%s%.20s%s", n ? ", " : "", word, more ? " (" : "", more ? more : "",
             more ? ")" : "");
}

json_t *lab_rows_todos(const lab_view *view) {
    json_t *rows = json_array(), *task;
    todo_state all[MOST_TODOS];
    for (size_t i = 0; (task = lab_next_task(view, &i));) {
        char hold[500] = "", wrong[500] = "", open[500] = "";
        const char *next = "all hold";
        const int n = todos_of(task, all);
        for (int k = n; k-- > 0;)
            if (all[k].wrong || all[k].open) next = all[k].todo;
        for (int k = 0; k < n; k++)
            add_word(all[k].wrong ? wrong : all[k].open ? open : hold, all[k].todo, all[k].wrong);
        if (n)
            json_array_append_new(rows, json_pack("{s:s, s:s, s:s, s:s, s:s}", "task", lab_str(task, "id"), "hold",
                                                  hold, "wrong", wrong, "open", open, "next", next));
    }
    return rows;
}

json_t *lab_rows_points(const lab_view *view) {
    json_t *rows = json_array(), *task, *criterion;
    size_t k;
    for (size_t i = 0; (task = lab_next_task(view, &i));)
        json_array_foreach(json_object_get(task, "criteria"), k, criterion) {
            json_t *row = json_copy(criterion);
            json_object_set(row, "task", json_object_get(task, "id"));
            json_array_append_new(rows, row);
        }
    return rows;
}

// What went wrong: the TODO, how many elements and where the first one is, the diagnosis.
static json_t *findings(const json_t *test) {
    const json_t *first = json_object_get(test, "first_bad");
    const double bad = lab_num(test, "bad_elements");
    const char *todo = lab_str(test, "todo"), *diagnosis = lab_str(test, "diagnosis");
    char where[300] = "";
    int n = 0;
    if (bad > 0) n = snprintf(where, sizeof where, "%.0f wrong element%s", bad, bad == 1 ? "" : "s");
    for (size_t i = 0; bad > 0 && i < json_array_size(first) && i < 8; i++)
        n += snprintf(where + n, sizeof where - n, "%s%.0f%s", i ? ", " : ", first at (",
                      json_number_value(json_array_get(first, i)), i + 1 == json_array_size(first) ? ")" : "");
    return json_sprintf("%s%s%s%s%s%s", *todo ? "TODO " : "", todo, *todo && (*where || *diagnosis) ? "; " : "", where,
                        *where && *diagnosis ? "; " : "", diagnosis);
}

// 0: failed, 1: not asked, 2: holds; the order of the rows. -1: no row, as a TODO's claim that holds or is open is told
// with the TODOs.
static int rank(const json_t *test) {
    if (is_of_todo(test) && (is_open(test) || lab_is(test, "verdict", "PASSED"))) return -1;
    return lab_is(test, "verdict", "PASSED") ? 2 : lab_is(test, "verdict", "SKIPPED") ? 1 : 0;
}

json_t *lab_rows_cases(const lab_view *view) {
    json_t *rows = json_array(), *task, *test;
    size_t k;
    for (size_t i = 0; (task = lab_next_task(view, &i));) {
        char group[80], claims[40];
        const int all = count_claims(task, claims);
        snprintf(group, sizeof group, "%s: %s claim%s", lab_str(task, "id"), claims, all == 1 ? " holds" : "s hold");
        for (int wanted = 0; wanted <= 2; wanted++) json_array_foreach(json_object_get(task, "cases"), k, test) {
                if (rank(test) != wanted) continue;
                json_t *row = json_copy(test);
                json_object_set_new(row, "group", json_string(group));
                json_object_set_new(row, "findings", findings(test));
                json_array_append_new(rows, row);
            }
    }
    return rows;
}

void lab_say_unlooked(FILE *out, const lab_view *view) {
    json_t *task;
    for (size_t i = 0; (task = lab_next_task(view, &i));)
        if (*lab_str(task, "unlooked"))
            lab_md(out, "\n%s: not looked for races: %t. That costs no points.\n", lab_str(task, "id"),
                   lab_str(task, "unlooked"));
}
