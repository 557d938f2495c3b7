// bench_row.c: a row, printed and written.
#include "bench_row.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include <jansson.h>

#include "claims_text.h"
#include "shape_json.h"

static json_t *real_or_null(double x) { return x >= 0 ? json_real(x) : json_null(); }
static json_t *integer_or_null(int known, long x) { return known ? json_integer(x) : json_null(); }

void lab_row_write(const lab_row *row, FILE *json) {
    const lab_timing *t = row->timing;
    const int known = t->rounds > 0;
    if (!json) return;
    json_t *o = json_pack(
        "{s:s, s:s, s:o, s:o, s:o, s:s, s:s, s:i, s:o, s:o, s:f, s:f, s:o, s:o}", "series", row->series, "case",
        row->point, "shape", lab_shape_json(row->shape), "threads", integer_or_null(row->threads > 0, row->threads),
        "tiles", row->tiles[0] ? json_pack("[i,i]", row->tiles[0], row->tiles[1]) : json_null(), "implementation",
        row->implementation, "verdict", lab_verdict_name(t->verdict), "runs", t->rounds, "median_s",
        real_or_null(known ? t->median_s : -1), "iqr_s", real_or_null(known ? t->iqr_s : -1), "flops", row->flops,
        "bytes", row->bytes, "extra_bytes", integer_or_null(t->extra_bytes >= 0, t->extra_bytes), "speedup",
        real_or_null(known && row->yours > 0 ? t->median_s / row->yours : -1));
    if (o && row->tbt_p99_s > 0) json_object_set_new(o, "tbt_p99_s", json_real(row->tbt_p99_s));
    if (o && row->tokens_per_s > 0) json_object_set_new(o, "tokens_per_s", json_real(row->tokens_per_s));
    if (o && row->attention_share > 0) json_object_set_new(o, "attention_share", json_real(row->attention_share));
    if (o && *t->why) json_object_set_new(o, "why", json_string_nocheck(t->why));
    if (!o || json_dumpf(o, json, JSON_COMPACT | JSON_REAL_PRECISION(6)) || fputc('\n', json) == EOF) exit(2);
    json_decref(o);
    fflush(json);
}

void lab_print_spread(const lab_timing *t) {
    if (t->rounds > 1)
        printf("+-%4.1f %%", 50 * t->iqr_s / t->median_s);
    else
        printf("one run ");
}

// A baseline that is not on this machine is said to be missing once, and not at every point. Names are string constants.
static int said_missing(const lab_row *row) {
    enum { MOST = 8 };
    static const char *said[MOST];
    static int n;
    if (row->first || row->timing->verdict != LAB_SKIPPED) return 0;
    for (int i = 0; i < n; i++)
        if (!strcmp(said[i], row->implementation)) return 1;
    if (n < MOST) said[n++] = row->implementation;
    return 0;
}

void lab_row_print(const lab_row *row) {
    static int titled;
    const lab_timing *t = row->timing;
    if (said_missing(row)) return;
    const int of_a_sweep = row->tiles[0] && row->first;  // a line each, without a headline
    if (!titled++) printf("  %-19s %11s %9s %9s %8s  %s\n", "", "time", "spread", "GFLOP/s", "GB/s", "yours is");
    if (row->first && !of_a_sweep) printf("  %s %s\n", row->series, row->point);
    printf("    %-17s ", of_a_sweep ? row->point : row->implementation);
    if (!t->rounds) {
        char said[sizeof t->why + 40];
        snprintf(said, sizeof said, "%s%s%s", lab_verdict_name(t->verdict), *t->why ? ": " : "", t->why);
        lab_print_wrapped(said, 22, 0, 22);
        return;
    }
    printf("%8.4g ms  ", t->median_s * 1e3);
    lab_print_spread(t);
    printf(" %9.1f", row->flops / t->median_s * 1e-9);
    const int compared = !row->first && row->yours > 0;
    if (!row->threads)
        printf(" %8.1f", row->bytes / t->median_s * 1e-9);
    else if (compared)
        printf(" %8s", "");
    if (compared)
        printf("  %.2fx %s", fmax(t->median_s, row->yours) / fmin(t->median_s, row->yours),
               t->median_s >= row->yours ? "faster" : "slower");
    putchar('\n');
}
