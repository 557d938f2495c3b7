// picture_text.c: the block in words: what it did between one barrier and the next.
#include <stdlib.h>
#include <string.h>

#include "claims_text.h"
#include "picture.h"
#include "picture_rows.h"

enum { MOST_ROWS_TOLD = 7, MOST_PHASES_TOLD = 6, MOST_GROUPS = 64 };

static const char *const operations[] = {"load", "store", "atomic", "copy"};

// All requests of a phase that one line makes of one array.
typedef struct {
    int line, op, requests, taken, least, reported, low_row, high_row, low_column, high_column;
    const lab_drawn *drawn;
    int source;  // what is stored was loaded from there
} group;

static void add_lane(group *g, const lab_drawn *d, int word) {
    const int row = (word - d->first) / d->pitch, column = (word - d->first) % d->pitch;
    if (row < g->low_row) g->low_row = row;
    if (row > g->high_row) g->high_row = row;
    if (column < g->low_column) g->low_column = column;
    if (column > g->high_column) g->high_column = column;
}

static int collect(const lab_launch *l, int phase, group *groups) {
    int n = 0;
    for (int i = 0; i < l->n_seen; i++) {
        const lab_seen *s = &l->seen[i];
        const lab_site *at = &l->site[s->site];
        const lab_drawn *d = s->n ? lab_drawn_at(l, s->region, (int)s->offset[0] / 4) : NULL;
        int k = 0;
        if (s->phase != phase || !d) continue;
        while (k < n && !(groups[k].line == at->line && groups[k].op == at->op && groups[k].drawn == d)) k++;
        if (k == MOST_GROUPS) continue;
        group *g = &groups[k];
        if (k == n)
            groups[n++] = (group){.line = at->line,
                                  .op = at->op,
                                  .drawn = d,
                                  .low_row = d->words,
                                  .low_column = d->words,
                                  .source = LAB_NO_REGION};
        g->requests++, g->taken += s->taken, g->least += s->least, g->reported |= s->reported != 0;
        for (int lane = 0; lane < s->n; lane++) {
            if (lab_drawn_at(l, s->region, (int)s->offset[lane] / 4) != d) continue;
            add_lane(g, d, (int)s->offset[lane] / 4), add_lane(g, d, (int)(s->offset[lane] + at->bytes - 1) / 4);
            if (s->source[lane] != LAB_NO_REGION) g->source = s->source[lane];
        }
    }
    return n;
}

static void tell_group(const lab_launch *l, const group *g) {
    char place[128], note[64] = "";
    const int shared = l->region[g->drawn->region].shared;
    snprintf(place, sizeof place, "%.28s[%d..%d][%d..%d]", g->drawn->name, g->low_row, g->high_row, g->low_column,
             g->high_column);
    if (g->source != LAB_NO_REGION) snprintf(note, sizeof note, "  from %.20s", l->region[g->source].name);
    if (shared && g->taken > g->least) snprintf(note + strlen(note), sizeof note - strlen(note), "  <- bank conflicts");
    if (!shared && g->taken > g->least + g->least / 4)
        snprintf(note + strlen(note), sizeof note - strlen(note), "  <- not coalesced");
    printf("   %4d  %-6s %-38s %5d%s%s\n", g->line, operations[g->op], place, g->requests, note,
           g->reported ? "  <- REPORTED" : "");
}

static void tell_phase(const lab_launch *l, int phase, int line) {
    static group groups[MOST_GROUPS];
    const int n = collect(l, phase, groups);
    for (int i = 0; i < n && i < MOST_ROWS_TOLD; i++) tell_group(l, &groups[i]);
    if (n > MOST_ROWS_TOLD) printf("         and %d more, which the page shows\n", n - MOST_ROWS_TOLD);
    if (line) printf("   %4d  ===== barrier %d =====\n", line, phase + 1);
}

// Rows a .. b whose m or l is not what Q and K give; -1: none.
static int first_wrong(const lab_rows *rows, int tile) {
    for (int r = 0; r < rows->rows; r++)
        if (rows->tile[tile].row[r].wrong) return r + rows->first;
    return -1;
}

void lab_picture_verdict(const lab_launch *l, const lab_picture *p, char *text, size_t size) {
    static lab_rows rows;
    double error;
    int wrong = -1, tile = 0, n = 0;
    lab_rows_find(&rows, l, p);
    for (; tile < rows.n && wrong < 0; tile++) wrong = first_wrong(&rows, tile);
    const int output = lab_rows_wrong_output(l, p, &error);
    *text = 0;
    if (wrong >= 0)
        n = snprintf(text, size,
                     "Row %d: after tile %d (keys 0 .. %d) m, or the probabilities that stand in shared "
                     "memory, are wrong. ",
                     wrong, tile, rows.tile[tile - 1].keys - 1);
    else if (rows.n)
        n = snprintf(text, size, "m and the probabilities are right after each of the %d tiles. ", rows.n);
    if (output >= 0)
        snprintf(text + n, size - n, "Row %d of what the block stored is wrong%s.", output,
                 rows.n && wrong < 0 ? ": look at what lies in registers, l and o" : "");
    else if (rows.n && wrong < 0)
        snprintf(text + n, size - n, "So is all that the block stored.");
}

// Which blocks there are, if the one that was asked for is none of them.
static void tell_other_block(const lab_launch *l, const char *wanted) {
    const int blocks = l->grid[0] * l->grid[1] * l->grid[2];
    if (!wanted || (wanted[0] && !wanted[strspn(wanted, "0123456789")] && strtoul(wanted, NULL, 10) < (unsigned)blocks))
        return;
    const int shown = l->block[0] + l->grid[0] * (l->block[1] + l->grid[1] * l->block[2]);
    if (blocks == 1)
        printf("  there is no block %.20s: this launch has one, BLOCK=0\n", wanted);
    else
        printf("  there is no block %.20s: BLOCK=0 to BLOCK=%d; here is %d\n", wanted, blocks - 1, shown);
}

static void tell_launch(const lab_launch *l, const lab_picture *p) {
    const int threads = l->threads[0] * l->threads[1] * l->threads[2], barriers = (int)json_array_size(l->barriers);
    printf("  %.40s: block (%d,%d,%d) of %d x %d x %d, %d threads\n", l->kernel, l->block[0], l->block[1], l->block[2],
           l->grid[0], l->grid[1], l->grid[2], threads);
    tell_other_block(l, getenv("SIMT_RECORD_BLOCK"));
    printf("   line  %-6s %-38s requests\n", "", "rows and columns");
    for (int phase = 0; phase <= barriers && phase < MOST_PHASES_TOLD; phase++)
        tell_phase(l, phase, (int)json_integer_value(json_array_get(l->barriers, phase)));
    if (barriers >= MOST_PHASES_TOLD)
        printf("         and %d barriers more, which the page shows\n", barriers - MOST_PHASES_TOLD + 1);
    if (l->truncated) printf("         (the recording ends here: it is full)\n");
    char verdict[512];
    lab_picture_verdict(l, p, verdict, sizeof verdict);
    if (*verdict) lab_print_wrapped(verdict, 2, 2, 0);
}

static const char *text(const json_t *o, const char *key) {
    const char *s = json_string_value(json_object_get(o, key));
    return s ? s : "";
}

// simt knows dynamic shared memory as one variable; its parts have names here.
void lab_reported_place(const lab_picture *p, const json_t *report, char *place, size_t size) {
    const int index = (int)json_integer_value(json_object_get(report, "index"));
    snprintf(place, size, "%s%s", text(report, "variable"), text(report, "subscript"));
    for (int k = 0; k < p->n; k++) {
        const lab_launch *l = &p->launch[k];
        for (int r = 0; r < l->n_regions && !strcmp(l->kernel, text(report, "kernel")); r++) {
            const lab_drawn *d = lab_drawn_at(l, r, index);
            if (!d || strncmp(d->name, "shared", 6) || strcmp(text(report, "space"), "shared")) continue;
            snprintf(place, size, "%s[%d][%d]", d->name, (index - d->first) / d->pitch, (index - d->first) % d->pitch);
            return;
        }
    }
}

static void tell_report(const lab_picture *p, const json_t *report) {
    char place[128], line[1200];
    size_t i;
    const json_t *access;
    lab_reported_place(p, report, place, sizeof place);
    int n = snprintf(line, sizeof line, "%s, %s:", text(report, "kind"), place);
    json_array_foreach(json_object_get(report, "accesses"), i, access) if (n < (int)sizeof line - 200) n +=
        snprintf(line + n, sizeof line - n, "%s %s at line %d", i ? "," : "", text(access, "what"),
                 (int)json_integer_value(json_object_get(access, "line")));
    snprintf(line + n, sizeof line - n, ". %s", text(report, "message"));
    for (char *c = line; *c; c++)
        if (*c == '_' && c < strchr(line, ',')) *c = ' ';
    lab_print_wrapped(line, 2, 2, 0);
}

void lab_picture_tell(const lab_picture *p) {
    size_t i;
    const json_t *report;
    printf("%s  %s: one block as it runs, recorded by simt\n", p->task, p->point);
    for (int k = 0; k < p->n; k++) tell_launch(&p->launch[k], p);
    json_array_foreach(p->reports, i, report) tell_report(p, report);
}
