// lines_show.c: the hottest lines, for a terminal of 80 columns.
#include <stdlib.h>
#include <string.h>

#include "lines.h"
#include "text.h"

enum { MOST_SHOWN = 8 };

static const struct {
    const char *title, *unit;
} spaces[LAB_SPACES] = {{"global memory", "sectors"}, {"shared memory", "wavefronts"}};
static const char *const operations[] = {"load", "store", "atomic"};

static int by_cost(const void *a, const void *b) {
    const lab_line *x = *(lab_line *const *)a, *y = *(lab_line *const *)b;
    return (x->cost < y->cost) - (x->cost > y->cost);
}

static void show_row(const lab_lines *l, const lab_line *r) {
    char code[512];
    const double n = (double)r->requests;
    lab_line_text(l, r->line, code, sizeof code);
    lab_clean_text(code);
    const char *start = code + strspn(code, " \t"), *remark = lab_line_remark(r);
    printf("  %5d  %-6s %9llu %6.1f %9.2f %6.2f %5.0f %%%s%s\n", r->line, operations[r->stores],
           (unsigned long long)r->requests, r->lanes / n, r->cost / n, r->least / n,
           100.0 * r->cost / l->cost[r->space], *remark ? "  <- " : "", remark);
    printf("         %.70s\n", start);
}

void lab_lines_show(const lab_lines *l) {
    for (int space = 0; space < LAB_SPACES; space++) {
        const lab_line *hot[LAB_MOST_LINES];
        int n = 0;
        for (int i = 0; i < l->n; i++)
            if (l->row[i].space == space) hot[n++] = &l->row[i];
        if (!n) continue;
        qsort(hot, n, sizeof *hot, by_cost);
        printf("  %s: %llu %s\n", spaces[space].title, (unsigned long long)l->cost[space], spaces[space].unit);
        printf("  %5s  %-6s %9s %6s %9s %6s %7s\n", "line", "", "requests", "lanes",
               space == LAB_SHARED ? "wavefr." : "sectors", "least", "share");
        for (int i = 0; i < n && i < MOST_SHOWN; i++) show_row(l, hot[i]);
        if (n > MOST_SHOWN) printf("  %d more %s on the page\n", n - MOST_SHOWN, n - MOST_SHOWN == 1 ? "is" : "are");
    }
    printf("  FLOPs: %.0f by the task's formula", l->flops);
    if (l->tensor_flops) printf("; on tensor cores, counted: %llu", (unsigned long long)l->tensor_flops);
    putchar('\n');
    printf("  A request is a load or store of a warp. Of one: the lanes that take part;\n"
           "  sectors of 32 bytes, or wavefronts (turns of shared memory); the least that\n"
           "  the same bytes need.\n");
}
