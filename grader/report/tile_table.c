// tile_table.c: the tile sweep as one Markdown grid per shape and implementation.
#include "tile_table.h"

#include "markdown.h"
#include "results.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

static bool in_sweep(const json_t *timing) { return strcmp(results_text(timing, "series"), "tiles") == 0; }

static bool same_group(const json_t *a, const json_t *b) {
    return in_sweep(a) && in_sweep(b) && json_equal(json_object_get(a, "shape"), json_object_get(b, "shape")) &&
           strcmp(results_text(a, "implementation"), results_text(b, "implementation")) == 0;
}

// Br (side 0) or Bc (side 1); 0 where the implementation chose its own.
static double tile(const json_t *timing, int side) {
    return json_number_value(json_array_get(json_object_get(timing, "tiles"), side));
}

static double rate(const json_t *timing) {
    return results_is_measured(timing) ? results_number(timing, "flops") / results_number(timing, "median_s") * 1e-9
                                       : 0;
}

// The smallest tile size of the group above the given one; NaN after the last. Walks a side of the grid in order.
static double next_size(const json_t *timings, const json_t *group, int side, double above) {
    double best = NAN;
    for (size_t i = 0; i < json_array_size(timings); i++) {
        const json_t *timing = json_array_get(timings, i);
        if (same_group(timing, group) && tile(timing, side) > above) {
            best = fmin(best, tile(timing, side));
        }
    }
    return best;
}

static void size_name(double size) {
    if (size > 0) {
        printf("%.0f", size);
    } else {
        printf("its own");
    }
}

static void cell(const json_t *timing, double fastest) {
    const char *mark = rate(timing) == fastest && fastest > 0 ? "**" : "", *why = results_text(timing, "why");
    if (results_is_measured(timing)) {
        printf(" %s", mark);
        md_number(rate(timing));
        printf("%s (", mark);
        md_seconds(results_number(timing, "median_s"));
        printf(results_has_verdict(timing, "PASSED") ? ")" : ", TIMING_SUSPECT)");
    } else {
        printf(" %s%s", results_text(timing, "verdict"), why ? ": " : "");
        md_text(why);
    }
}

static void grid_row(const json_t *timings, const json_t *group, double Br, double fastest) {
    printf("| **");
    size_name(Br);
    printf("** |");
    for (double Bc = next_size(timings, group, 1, -1); !isnan(Bc); Bc = next_size(timings, group, 1, Bc)) {
        for (size_t i = 0; i < json_array_size(timings); i++) {
            const json_t *timing = json_array_get(timings, i);
            if (same_group(timing, group) && tile(timing, 0) == Br && tile(timing, 1) == Bc) {
                cell(timing, fastest);
            }
        }
        printf(" |");
    }
    printf("\n");
}

static void grid(const json_t *timings, const json_t *group) {
    double fastest = 0;
    for (size_t i = 0; i < json_array_size(timings); i++) {
        const json_t *timing = json_array_get(timings, i);
        fastest = same_group(timing, group) ? fmax(fastest, rate(timing)) : fastest;
    }
    printf("\n");
    md_shape(json_object_get(group, "shape"));
    printf(", ");
    md_text(results_text(group, "implementation"));
    printf(": GFLOP/s (median time).\n\n| Br \\ Bc |");
    for (double Bc = next_size(timings, group, 1, -1); !isnan(Bc); Bc = next_size(timings, group, 1, Bc)) {
        printf(" ");
        size_name(Bc);
        printf(" |");
    }
    printf("\n|--:|");
    for (double Bc = next_size(timings, group, 1, -1); !isnan(Bc); Bc = next_size(timings, group, 1, Bc)) {
        printf("--:|");
    }
    printf("\n");
    for (double Br = next_size(timings, group, 0, -1); !isnan(Br); Br = next_size(timings, group, 0, Br)) {
        grid_row(timings, group, Br, fastest);
    }
}

void tile_tables(const json_t *timings) {
    for (size_t i = 0; i < json_array_size(timings); i++) {
        const json_t *timing = json_array_get(timings, i);
        bool first = in_sweep(timing);
        for (size_t k = 0; k < i; k++) {
            first = first && !same_group(json_array_get(timings, k), timing);
        }
        if (first) {
            grid(timings, timing);
        }
    }
}
