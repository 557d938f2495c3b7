// grades.c: a gradebook with the columns that another system asks for.
#include "export.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "csv.h"
#include "markdown.h"
#include "results.h"
#include "tasks.h"

enum { COLUMNS = 64 };

// Canvas matches a row by SIS Login ID, Moodle by ID number: what submissions are called must be that.
static const struct {
    const char *name, *columns;
} known[] = {
    {"canvas", "Student=submission,ID=,SIS Login ID=submission,Section=,Attention Lab=total"},
    {"moodle", "ID number=submission,Attention Lab=total,Feedback=comment"},
    {"plain", "submission=submission,score=score,max_score=max_score,bonus=bonus,total=total,comment=comment"},
};

typedef struct {
    char *header[COLUMNS], *field[COLUMNS];
    int n;
} columns;

static const lab_task *task_of(const char *field, int *verdict) {
    for (int i = 0; i < lab_n_tasks; i++) {
        const size_t n = strlen(lab_tasks[i].id);
        if (strncmp(field, lab_tasks[i].id, n)) continue;
        *verdict = strcmp(field + n, "_verdict") == 0;
        if (!field[n] || *verdict) return &lab_tasks[i];
    }
    return NULL;
}

static int is_field(const char *field) {
    static const char *const fields[] = {"",      "submission", "score",   "bonus",
                                         "total", "max_score",  "percent", "comment"};
    int verdict;
    for (size_t i = 0; i < sizeof fields / sizeof *fields; i++)
        if (strcmp(field, fields[i]) == 0) return 1;
    return task_of(field, &verdict) != NULL;
}

// Cuts text, which stays the caller's.
static int read_columns(char *text, columns *c) {
    *c = (columns){.n = 0};
    for (char *next, *one = text; one && c->n < COLUMNS; one = next) {
        if ((next = strchr(one, ','))) *next++ = 0;
        char *equals = strrchr(one, '=');
        if (!equals || equals == one) return fprintf(stderr, "export: HEADER=FIELD, not %s\n", one), 0;
        *equals = 0;
        if (!is_field(equals + 1)) return fprintf(stderr, "export: no field is called %s\n", equals + 1), 0;
        c->header[c->n] = one, c->field[c->n++] = equals + 1;
    }
    return 1;
}

static void put_comment(FILE *out, const json_t *root) {
    char text[400] = "";
    json_t *task;
    size_t i, n = 0;
    json_array_foreach(json_object_get(root, "tasks"), i, task) {
        if (n < sizeof text - 80)
            n += (size_t)snprintf(text + n, sizeof text - n, "%s%.20s %.40s", n ? "; " : "", lab_str(task, "id"),
                                  lab_str(task, "verdict"));
    }
    lab_csv_put(out, text);
}

static void put_field(FILE *out, const json_t *root, const char *field) {
    int verdict = 0;
    const lab_task *t = task_of(field, &verdict);
    const json_t *task = t ? lab_task_in(root, t->id) : NULL;
    const double score = lab_num(root, "score"), by_hand = lab_num(json_object_get(root, "manual"), "total"),
                 total = isnan(by_hand) ? score + lab_num(root, "bonus") : by_hand;
    if (!*field || (t && !task)) return;
    if (t && verdict)
        fputs(lab_str(task, "verdict"), out);
    else if (t)
        fprintf(out, "%.10g", lab_num(task, "score"));
    else if (strcmp(field, "submission") == 0)
        lab_csv_put(out, lab_str(root, "submission"));
    else if (strcmp(field, "comment") == 0)
        put_comment(out, root);
    else if (strcmp(field, "total") == 0)
        fprintf(out, "%.10g", total);
    else if (strcmp(field, "percent") == 0)
        fprintf(out, "%.4g", lab_num(root, "max_score") > 0 ? 100 * score / lab_num(root, "max_score") : 0);
    else
        fprintf(out, "%.10g", lab_num(root, field));
}

int lab_grades_csv(FILE *out, const char *wanted, char *const paths[], int n) {
    char error[512];
    int good = 1;
    columns c;
    for (size_t i = 0; i < sizeof known / sizeof *known; i++)
        if (strcmp(wanted, known[i].name) == 0) wanted = known[i].columns;
    char *text = strdup(wanted);
    if (!text) abort();
    if (!read_columns(text, &c)) return free(text), 0;
    for (int i = 0; i < c.n; i++) fputs(i ? "," : "", out), lab_csv_put(out, c.header[i]);
    fputs("\r\n", out);
    for (int k = 0; k < n; k++) {
        json_t *root = lab_results_load(paths[k], error, sizeof error);
        if (!root) good = 0, fprintf(stderr, "export: %s: no row for it\n", error);
        for (int i = 0; root && i < c.n; i++) fputs(i ? "," : "", out), put_field(out, root, c.field[i]);
        if (root) fputs("\r\n", out);
        json_decref(root);
    }
    free(text);
    return good;
}
