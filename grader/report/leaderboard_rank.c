// leaderboard_rank.c: one board: its members and landmarks, the best first.
#include "leaderboard.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "results.h"
#include "series.h"
#include "text.h"

// clang-format off
const lab_board lab_boards[] = {
    {"task2", "seq", "S=1024 full", "Task 2: the chain, S = 1024", "TFLOP/s", .of_memory = 0},
    {"task3", "seq", "S=1024 causal", "Task 3: on the CPU, all threads, S = 1024, causal", "GFLOP/s", .of_memory = 0},
    {"task4", "speedups", "B4 S=128 full", "Task 4: fused, B = 4, S = 128", "TFLOP/s", .of_memory = 0},
    {"task4", "speedups", "B16 S=4096 causal", "Task 4: fused, B = 16, S = 4096, causal", "TFLOP/s", .rung = {4096, 128, 1}},
    {"task5", "kv", "B16 KV=4096", "Task 5: decode, B = 16, 4096 keys", "GB/s", .of_memory = 1},
    {"task2", NULL, "chain S=128", "Task 2: counted traffic, S = 128", "x least", .least_is_best = 1},
    {"task4", NULL, "S=128 full", "Task 4: counted traffic, S = 128", "x least", .least_is_best = 1},
    {"task5", NULL, "KV=256", "Task 5: counted traffic, 256 keys", "x least", .least_is_best = 1},
};
// clang-format on
const int lab_n_boards = sizeof lab_boards / sizeof *lab_boards;

static void add(lab_ranking *r, const char *name, double value, double noise, int landmark) {
    if (!(value > 0) || !isfinite(value) || r->n == LAB_MOST_ENTRIES) return;
    lab_entry *e = &r->entry[r->n++];
    *e = (lab_entry){.value = value, .noise = noise, .landmark = landmark};
    snprintf(e->name, sizeof e->name, "%s", name);
    lab_clean_text(e->name);
    r->people += !landmark;
}

static double scale_of(const lab_board *b) { return strncmp(b->unit, "TFLOP", 5) ? 1e-9 : 1e-12; }

static double rate(const lab_board *b, const json_t *t) {
    return scale_of(b) * lab_num(t, b->of_memory ? "bytes" : "flops") / lab_num(t, "median_s");
}

static double noise_of(const json_t *t) {
    return lab_noise(lab_num(t, "median_s"), lab_num(t, "iqr_s"), (int)lab_num(t, "runs")) / lab_num(t, "median_s");
}

// The bytes that were moved, over the least.
static double traffic(const lab_board *b, const json_t *task) {
    double moved = 0, least = 0;
    json_t *c;
    size_t i;
    json_array_foreach(json_object_get(task, "counts"), i, c) {
        if (!lab_is(c, "case", b->point) || lab_is(c, "buffer", "shared")) continue;
        moved += 32 * lab_num(c, "sectors");
        if (!isnan(lab_num(c, "least_bytes"))) least += lab_num(c, "least_bytes");
    }
    return moved / least;
}

static int ascending(const void *a, const void *b) {
    const double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

// Baselines that were measured beside the members: the median over them.
static void add_baselines(lab_ranking *r, const json_t *rates) {
    const char *name;
    json_t *list;
    json_object_foreach((json_t *)rates, name, list) {
        double *v = calloc(json_array_size(list) + 1, sizeof *v);
        const int n = (int)json_array_size(list);
        if (!v) abort();
        for (int i = 0; i < n; i++) v[i] = json_number_value(json_array_get(list, i));
        qsort(v, n, sizeof *v, ascending);
        add(r, name, v[n / 2], 0, 1);
        free(v);
    }
}

// The rungs' cell of this S, D and mask.
static void add_rungs(lab_ranking *r, const lab_board *b, const json_t *ladder) {
    json_t *cell, *seconds;
    const char *name;
    size_t i;
    json_array_foreach(json_object_get(ladder, "long"), i, cell) {
        const json_t *shape = json_object_get(cell, "shape");
        int same = b->rung[0] > 0;
        for (int k = 0; k < 3; k++) same &= json_integer_value(json_array_get(shape, 2 + k)) == b->rung[k];
        if (!same) continue;
        json_object_foreach(json_object_get(cell, "seconds"), name, seconds) {
            char text[80];
            const int rung = strspn(name, "0123456789") > 0 || strcmp(name, "answer") == 0;
            if (!rung) continue;  // its peers were measured beside the class
            snprintf(text, sizeof text, "ladder: %.40s", name);
            for (char *c = text; *c; c++) *c = *c == '_' ? ' ' : *c;
            r->rungs++;
            add(r, text, scale_of(b) * lab_num(cell, "flops") / json_number_value(seconds), 0, 1);
        }
    }
}

static int best_first(const void *a, const void *b) {
    const lab_entry *x = a, *y = b;
    return x->value != y->value ? (x->value < y->value) - (x->value > y->value) : strcmp(x->name, y->name);
}
static int least_first(const void *a, const void *b) {
    const lab_entry *x = a, *y = b;
    return x->value != y->value ? (x->value > y->value) - (x->value < y->value) : strcmp(x->name, y->name);
}

// Who is within the noise of the first of a place shares it.
static void number_places(lab_ranking *r) {
    const lab_entry *first = NULL;
    int seen = 0;
    for (int i = 0; i < r->n; i++) {
        lab_entry *e = &r->entry[i];
        if (e->landmark) continue;
        seen++;
        const int equal = first && fabs(first->value - e->value) <= first->noise + e->noise;
        e->place = equal ? first->place : seen;
        if (!equal) first = e;
    }
}

void lab_rank(lab_ranking *r, const lab_board *b, const json_t *members, const json_t *ladder) {
    json_t *one, *rates = json_object(), *t;
    size_t i, k;
    *r = (lab_ranking){.n = 0};
    json_array_foreach(members, i, one) {
        const json_t *root = json_object_get(one, "results"), *task = lab_task_in(root, b->task);
        if (!task) continue;
        if (!b->series) {
            add(r, lab_str(one, "name"), traffic(b, task), 0, 0);
            continue;
        }
        json_array_foreach(json_object_get(task, "timings"), k, t) {
            const char *who = lab_str(t, "implementation");
            if (!lab_measured(t) || !lab_is(t, "series", b->series) || !lab_is(t, "case", b->point)) continue;
            if (lab_is(t, "implementation", "yours") && lab_is(t, "verdict", "PASSED")) {
                add(r, lab_str(one, "name"), rate(b, t), rate(b, t) * noise_of(t), 0);
            } else if (strncmp(who, "yours", 5)) {
                if (!json_object_get(rates, who)) json_object_set_new(rates, who, json_array());
                json_array_append_new(json_object_get(rates, who), json_real(rate(b, t)));
            }
        }
    }
    if (r->people) add_baselines(r, rates), add_rungs(r, b, ladder);
    json_decref(rates);
    qsort(r->entry, r->n, sizeof *r->entry, b->least_is_best ? least_first : best_first);
    number_places(r);
}

int lab_rank_worth_it(lab_ranking *r, const lab_board *b, const json_t *members, const json_t *ladder) {
    for (const lab_board *timed = lab_boards; !b->series && timed < b; timed++) {
        if (strcmp(timed->task, b->task)) continue;
        lab_rank(r, timed, members, NULL);
        if (r->people) return 0;
    }
    lab_rank(r, b, members, ladder);
    return r->people > 0;
}
