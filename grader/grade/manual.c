// manual.c: two CSV files, read strictly, and merged into the results.
#define _GNU_SOURCE
#include "manual.h"

#include <errno.h>
#include <fcntl.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "csv.h"
#include "journal_lines.h"
#include "names.h"
#include "table.h"
#include "text.h"

static int wrong;  // lines

// ---- the rubric's side

static const json_t *item_of(const lab_arguments *all, const char *name) {
    size_t i;
    json_t *item;
    json_array_foreach(json_object_get(all->grading.rubric, "manual"), i, item) {
        if (strcmp(lab_text_of(item, "name"), name) == 0) return item;
    }
    return NULL;
}

// Points taken off what was earned.
static double penalty_of(const lab_arguments *all, double days, double earned) {
    const json_t *late = json_object_get(all->grading.rubric, "late");
    const double over = days - json_number_value(json_object_get(late, "free_days"));
    const json_t *most = json_object_get(late, "most");
    double x = over > 0 ? over * json_number_value(json_object_get(late, "per_day")) : 0;
    if (most) x = fmin(x, json_number_value(most));
    if (strcmp(lab_text_of(late, "unit"), "percent") == 0) x *= earned / 100;
    return round(100 * fmax(0, fmin(x, earned))) / 100;
}

// ---- the files

typedef struct {
    const char *name;
    int line, n;
    char *cells[LAB_CSV_CELLS];
    char separator;
} row;

static void complain(const row *r, const char *what, const char *word) {
    wrong++;
    fprintf(stderr, "grade_all: %s:%d: %s%s%s\n", r->name, r->line, what, word ? " " : "", word ? lab_shown(word) : "");
}

// The student's number, or -1 after saying what is wrong.
static int student_of(const lab_arguments *all, const row *r) {
    const char *cell = r->cells[0];
    int found = -1, names = 0;
    if (*cell == '\'') cell++;  // put there for spreadsheets (csv.h)
    for (int i = 0; i < all->n; i++) {
        if (strcmp(all->entries[i].folder, cell) == 0 || strcmp(all->entries[i].folder, r->cells[0]) == 0) return i;
        if (strcmp(all->entries[i].name, cell) == 0) found = i, names++;
    }
    if (names == 1) return found;
    complain(r,
             names ? "several submissions have that name; name the folder of one in DIR:" : "no submission is called",
             r->cells[0]);
    for (int i = 0; i < all->n && !names; i++)
        if (lab_same_folder(all->entries[i].folder, cell))
            complain(r, "only case, accents or how they are stored are other in:", all->entries[i].folder), wrong--;
    return -1;
}

// A decimal comma is one where semicolons separate. NaN after saying what is wrong.
static double number_of(const row *r, const char *cell, double least, double most) {
    char text[64], *end = text;
    snprintf(text, sizeof text, "%s", cell);
    if (r->separator == ';' && strchr(text, ',')) *strchr(text, ',') = '.';
    const double x = strspn(text, "0123456789.+- ") == strlen(cell) ? strtod(text, &end) : NAN;
    while (*end == ' ') end++;
    if (end != text && !*end && x >= least && x <= most) return x;
    char what[128];
    snprintf(what, sizeof what, "needs a number from %g to %g, not", least, most);
    complain(r, what, cell);
    return NAN;
}

static char *read_text(const char *path, size_t *size) {
    char *text = NULL, piece[4096];
    FILE *f = fopen(path, "r"), *out = f ? open_memstream(&text, size) : NULL;
    for (size_t n; out && (n = fread(piece, 1, sizeof piece, f)) > 0;) fwrite(piece, 1, n, out);
    if (out) fclose(out);
    if (f) fclose(f);
    return text;
}

static int is_head(const row *r, const char *const *columns, int n_columns) {
    int same = r->n == n_columns;
    for (int i = 0; same && i < n_columns; i++) same = strcmp(r->cells[i], columns[i]) == 0;
    return same;
}

// Gives each row of DIR/NAME to `take`. No file: no rows.
static void read_file(const lab_arguments *all, const char *name, const char *const *columns, int n_columns,
                      void (*take)(const lab_arguments *, const row *, json_t **), json_t **students) {
    char path[4400];
    snprintf(path, sizeof path, "%s/%s", all->out, name);
    size_t size = 0;
    char *text = read_text(path, &size), *at = text;
    row r = {.name = name, .separator = ','};
    if (!text) return;
    if (strlen(text) < size) {
        r.line = 1, *text = 0;
        complain(&r, "holds a zero byte, so nothing is read: save it as CSV in UTF-8", NULL);
    }
    if (strncmp(at, "\xef\xbb\xbf", 3) == 0) at += 3;  // what some spreadsheets begin with
    if (strcspn(at, ";\n") < strcspn(at, ",\n")) r.separator = ';';
    for (int head = 1; (r.n = lab_csv_row(&at, r.separator, r.cells, &r.line)) != 0;) {
        if (r.n < 0) {
            complain(&r, "a quote is not closed, or there are too many cells; nothing behind it is read", NULL);
            break;
        }
        if (head && !is_head(&r, columns, n_columns)) {
            complain(&r,
                     n_columns == 2 ? "the first line must be student,days"
                                    : "the first line must be student,item,points,comment",
                     NULL);
            break;
        }
        if (!head && r.n == 1 && !*r.cells[0]) continue;
        if (!head && r.n != n_columns)
            complain(&r, "has not as many cells as the first line", NULL);
        else if (!head)
            take(all, &r, students);
        head = 0;
    }
    free(text);
}

static void take_manual(const lab_arguments *all, const row *r, json_t **students) {
    const char *item = r->cells[1], *points = r->cells[2];
    char *comment = r->cells[3];
    size_t i;
    json_t *old;
    if (!*points && !*comment) return;  // the template's
    const int k = student_of(all, r);
    const json_t *in_rubric = item_of(all, item), *most = json_object_get(in_rubric, "points");
    if (k < 0) return;
    if (!in_rubric && !lab_task_find(item))
        return complain(r, "rubric.json has no such item, and it is no task:", item);
    double x = NAN;
    if (*points) x = number_of(r, points, most ? 0 : -1000, most ? json_number_value(most) : 1000);
    if (*points && isnan(x)) return;
    if (!students[k]) students[k] = json_pack("{s:[]}", "items");
    json_array_foreach(json_object_get(students[k], "items"), i, old) {
        if (strcmp(lab_text_of(old, "item"), item) == 0) return complain(r, "stands there twice:", item);
    }
    for (char *c = comment; *c; c++) *c = strchr("\r\n\t", *c) ? ' ' : *c;
    lab_clean_text(comment);
    json_array_append_new(json_object_get(students[k], "items"),
                          json_pack("{s:s, s:o, s:s}", "item", item, "points", isnan(x) ? json_null() : json_real(x),
                                    "comment", comment));
}

static void take_late(const lab_arguments *all, const row *r, json_t **students) {
    const int k = student_of(all, r);
    if (k < 0) return;
    const double days = number_of(r, r->cells[1], 0, 365);
    if (isnan(days)) return;
    if (days != floor(days)) return complain(r, "needs whole days, not", r->cells[1]);
    if (json_object_get(students[k], "late_days")) return complain(r, "stands there twice:", r->cells[0]);
    if (!students[k]) students[k] = json_pack("{s:[]}", "items");
    json_object_set_new(students[k], "late_days", json_real(days));
}

// ---- the results

static void add_up(const lab_arguments *all, const json_t *result, json_t *manual) {
    double earned =
        json_number_value(json_object_get(result, "score")) + json_number_value(json_object_get(result, "bonus"));
    size_t i;
    json_t *one;
    json_array_foreach(json_object_get(manual, "items"), i, one) earned +=
        json_number_value(json_object_get(one, "points"));
    if (!json_object_get(manual, "late_days")) json_object_set_new(manual, "late_days", json_real(0));
    const double penalty = penalty_of(all, json_number_value(json_object_get(manual, "late_days")), fmax(0, earned));
    json_object_set_new(manual, "penalty", json_real(penalty));
    json_object_set_new(manual, "total", json_real(round(100 * fmax(0, earned - penalty)) / 100));
}

// A result that is not there, or that says this already, stays as it is.
static int merge(const lab_arguments *all, const lab_entry *e, json_t *manual) {
    char folder[4400], path[4500], log[4500], why[1024];
    snprintf(folder, sizeof folder, "%s/%s", all->out, e->folder);
    snprintf(path, sizeof path, "%s/results.json", folder);
    snprintf(log, sizeof log, "%s/log.txt", folder);
    json_t *result = json_load_file(path, 0, NULL);
    const json_t *old = json_object_get(result, "manual");
    int ok = 1;
    if (result && manual) add_up(all, result, manual);
    if (result && (manual ? !json_equal(old, manual) : old != NULL)) {
        if (manual)
            json_object_set(result, "manual", manual);
        else
            json_object_del(result, "manual");
        ok = lab_write_outputs(result, folder, 0, log, why, sizeof why);
        if (!ok) fprintf(stderr, "grade_all: %s\n", lab_shown(why));
    }
    json_decref(result);
    return ok;
}

int lab_manual_apply(const lab_arguments *all) {
    static const char *const manual[] = {"student", "item", "points", "comment"}, *const late[] = {"student", "days"};
    json_t **students = calloc(all->n, sizeof *students);
    int failed = 0, days = 0, added = 0;
    wrong = 0;
    read_file(all, "manual.csv", manual, 4, take_manual, students);
    read_file(all, "late.csv", late, 2, take_late, students);
    for (int i = 0; i < all->n; i++) {
        days |= json_number_value(json_object_get(students[i], "late_days")) > 0;
        failed += !merge(all, &all->entries[i], students[i]);
        added += students[i] != NULL;
        json_decref(students[i]);
    }
    if (days && !json_object_get(all->grading.rubric, "late"))
        printf("  late.csv: rubric.json says nothing of late days (\"late\"): they are shown, and cost nothing\n");
    if (added)
        printf("  manual.csv and late.csv add to %d of %d submissions: gradebook.csv has the totals\n", added, all->n);
    free(students);
    return failed + wrong;
}

int lab_manual_template(const lab_arguments *all) {
    char path[4400];
    size_t i;
    json_t *item;
    snprintf(path, sizeof path, "%s/manual.csv", all->out);
    const int file = open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
    if (file < 0) return errno == EEXIST;
    FILE *f = fdopen(file, "w");
    fputs("student,item,points,comment\r\n", f);
    for (int k = 0; k < all->n; k++) json_array_foreach(json_object_get(all->grading.rubric, "manual"), i, item) {
            lab_csv_put(f, all->entries[k].folder);
            fputc(',', f), lab_csv_put(f, lab_text_of(item, "name")), fputs(",,\r\n", f);
        }
    if (fclose(f) == 0) return 1;
    printf("  %s could not be written: %s\n", path, strerror(errno));
    unlink(path);
    return 0;
}
