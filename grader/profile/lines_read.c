// lines_read.c: simt's report and the student's file become rows.
#include <stdlib.h>
#include <string.h>

#include <jansson.h>

#include "lines.h"
#include "tool.h"

static const char *base_of(const char *path) { return strrchr(path, '/') ? strrchr(path, '/') + 1 : path; }

static uint64_t number(const json_t *o, const char *key) { return json_integer_value(json_object_get(o, key)); }

static const char *text(const json_t *o, const char *key) {
    const char *s = json_string_value(json_object_get(o, key));
    return s ? s : "";
}

// Rows of one line, space and operation are one, whichever kernel they are of.
static void add(lab_lines *l, const json_t *o) {
    const int shared = strcmp(text(o, "space"), "shared") == 0;
    const char *op = text(o, "op");
    const lab_line new = {.line = (int)number(o, "line"),
                          .space = shared ? LAB_SHARED : LAB_GLOBAL,
                          .stores = strcmp(op, "store") == 0  ? 1
                                    : strcmp(op, "load") != 0 ? 2
                                                              : 0,
                          .bytes = (int)number(o, "bytes_per_lane")};
    int i = 0;
    while (i < l->n && !(l->row[i].line == new.line && l->row[i].space == new.space && l->row[i].stores == new.stores &&
                         l->row[i].bytes == new.bytes))
        i++;
    if (i == LAB_MOST_LINES) return;
    if (i == l->n) l->row[l->n++] = new;
    lab_line *r = &l->row[i];
    r->requests += number(o, "requests"), r->lanes += number(o, "lanes");
    r->cost += number(o, shared ? "wavefronts" : "sectors");
    r->least += number(o, shared ? "ideal_wavefronts" : "ideal_sectors");
}

static int by_line(const void *a, const void *b) {
    const lab_line *x = a, *y = b;
    return x->line != y->line ? x->line - y->line : x->space != y->space ? x->space - y->space : x->stores - y->stores;
}

int lab_lines_read(lab_lines *l, const char *report, const char *path, char *why, size_t size) {
    json_error_t error;
    json_t *root = json_load_file(report, 0, &error), *kernel, *line;
    size_t k, i;
    l->path = path, l->n = 0, l->tensor_flops = 0;
    l->source = lab_read_text(path);
    json_array_foreach(json_object_get(root, "kernels"), k, kernel) {
        l->tensor_flops += number(kernel, "tensor_flops");
        json_array_foreach(json_object_get(kernel, "lines"), i,
                           line) if (strcmp(base_of(text(line, "file")), base_of(path)) == 0) add(l, line);
    }
    qsort(l->row, l->n, sizeof *l->row, by_line);
    memset(l->cost, 0, sizeof l->cost);
    for (int r = 0; r < l->n; r++) l->cost[l->row[r].space] += l->row[r].cost;
    snprintf(why, size, "%s", !root ? error.text : !l->source ? "the file cannot be read" : "no kernel moved anything");
    json_decref(root);
    return l->source && l->n > 0;
}

void lab_lines_free(lab_lines *l) { free(l->source); }

const char *lab_line_remark(const lab_line *r) {
    if (r->space == LAB_SHARED && r->cost > r->least) return "bank conflicts";
    if (r->space == LAB_GLOBAL && r->cost > r->least + r->least / 4) return "not coalesced";
    return r->lanes < 24 * r->requests ? "few lanes" : "";
}

void lab_line_text(const lab_lines *l, int line, char *text, size_t size) {
    const char *p = l->source;
    for (int i = 1; i < line && p; i++) p = strchr(p, '\n') ? strchr(p, '\n') + 1 : NULL;
    snprintf(text, size, "%.*s", p ? (int)strcspn(p, "\n") : 0, p ? p : "");
}
