// bench_best.c: the sweep's last line.
#include "bench_best.h"

#include <string.h>

#include "series.h"

enum { MOST_NAMED = 5 };

void lab_best_note(lab_best *best, const lab_row *row) {
    const lab_timing *t = row->timing;
    if (!row->tiles[0] || strcmp(row->implementation, "yours") || t->rounds < 1 || best->n == LAB_MOST_TRIED) return;
    lab_tried *now = &best->tried[best->n++];
    snprintf(now->name, sizeof now->name, "Br=%d Bc=%d", row->tiles[0], row->tiles[1]);
    now->seconds = t->median_s;
    now->noise = lab_noise(t->median_s, t->iqr_s, t->rounds);
}

static int as_good(const lab_best *best, int i, int winner) {
    const lab_tried *a = &best->tried[i], *b = &best->tried[winner];
    return a->seconds - b->seconds <= a->noise + b->noise;
}

// On lines of 80 columns.
static void print_equal(const char *name, int first, int *column) {
    if (first)
        *column = printf("  as good, within the noise: %s", name);
    else if (*column + 2 + (int)strlen(name) < 68)  // " and 12 more" may follow
        *column += printf(", %s", name);
    else
        *column = printf(",\n    %s", name) - 2;
}

void lab_best_print(lab_best *best) {
    int winner = 0, equal = 0, column = 0;
    for (int i = 0; i < best->n; i++)
        if (best->tried[i].seconds < best->tried[winner].seconds) winner = i;
    if (best->n < 2) return;
    printf("  best: %s, %.4g ms\n", best->tried[winner].name, 1e3 * best->tried[winner].seconds);
    for (int i = 0; i < best->n; i++) {
        if (i == winner || !as_good(best, i, winner)) continue;
        if (equal < MOST_NAMED) print_equal(best->tried[i].name, !equal, &column);
        equal++;
    }
    if (equal > MOST_NAMED) printf(" and %d more", equal - MOST_NAMED);
    if (equal) putchar('\n');
}
