// mixed.c: every row of an input is altered for itself, and the first line whose number alters with two of them is named. In
// whatever style a file is written, no number of a softmax is made of two rows, and none of attention of two queries.
#include "mixed.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MOST_LABELS = 4096 };
static const double MOST_TOLD = 1.5e8;  // numbers, of all calls together: some seconds

// What must not meet: label tells of an element of an input to which of `n` it belongs, -1: to none.
typedef struct {
    const char *many, *rule;
    int (*label)(const lab_trial *t, int tensor, size_t i);
    int (*n)(attn_shape s);
} apart;

static int is_named(const lab_trial *t, int tensor, const char *name) { return !strcmp(t->op->tensors[tensor], name); }

static int row_of_s(const lab_trial *t, int tensor, size_t i) {
    (void)tensor;
    return (int)(i / t->c->shape.seq_kv);
}
static int rows_of_s(attn_shape s) { return s.seq_q; }

static int query_of(const lab_trial *t, int tensor, size_t i) {
    return is_named(t, tensor, "Q") ? (int)(i / t->c->shape.head_dim) : -1;
}
static int queries(attn_shape s) { return s.batch * s.heads * s.seq_q; }
static int sequences(attn_shape s) { return s.batch * s.heads; }

static int head_of(const lab_trial *t, int tensor, size_t i) {
    const attn_shape s = t->c->shape;
    const size_t heads = (size_t)s.batch * s.heads;
    const int is_one = is_named(t, tensor, "Q") || !strncmp(t->op->tensors[tensor], "K", 1) ||
                       !strncmp(t->op->tensors[tensor], "V", 1);
    return is_one ? (int)(i / (t->n[tensor] / heads)) : -1;
}

static int column_of_v(const lab_trial *t, int tensor, size_t i) {
    return !strncmp(t->op->tensors[tensor], "V", 1) ? (int)(i % t->c->shape.head_dim) : -1;
}
static int dims(attn_shape s) { return s.head_dim; }

static int row_of_a(const lab_trial *t, int tensor, size_t i) {
    return tensor == 1 ? (int)(i / t->c->shape.head_dim) : -1;
}
static int rows_of_a(attn_shape s) { return s.batch * s.seq_q; }
static int column_of_c(const lab_trial *t, int tensor, size_t i) {
    const attn_shape s = t->c->shape;
    const size_t n = s.seq_kv, k = s.head_dim;
    return tensor == 2 ? (int)(t->op == &lab_gemm_nt ? i / k : i / (n * k) * n + i % n) : -1;
}
static int columns_of_c(attn_shape s) { return s.batch * s.seq_kv; }
static int matrix_of(const lab_trial *t, int tensor, size_t i) { return (int)(i / (t->n[tensor] / t->c->shape.batch)); }
static int matrices(attn_shape s) { return s.batch; }

static const apart of_softmax[] = {{"rows", "a number of a softmax is made of one row of S", row_of_s, rows_of_s}};
static const apart of_attention[] = {
    {"queries", "scores, m, l and O of a query are made of that query alone", query_of, queries},
    {"heads", "queries, keys and values of one head belong together", head_of, sequences},
    {"dims of V", "O[d] is made of V[j][d] of all keys j, and of no other dim of V", column_of_v, dims}};
static const apart of_decode[] = {
    {"heads", "queries, keys and values of one head belong together", head_of, sequences},
    {"dims of V", "O[d] is made of V[j][d] of all keys j, and of no other dim of V", column_of_v, dims}};
static const apart of_product[] = {
    {"matrices", "A, B and C of a batch belong together", matrix_of, matrices},
    {"rows of A", "an element of C is made of one row of A", row_of_a, rows_of_a},
    {"columns of C", "what belongs to one column of B^T, or of B, makes one column of C", column_of_c, columns_of_c}};

#define COUNT(list) (int)(sizeof list / sizeof *list)

static int chosen(const lab_trial *t, const apart **list) {
    const lab_op *op = t->op;
    if (op->probe || op->in_place) return 0;
    if (op->n_tensors == 2 && is_named(t, 1, "S")) return *list = of_softmax, COUNT(of_softmax);
    if (op == &lab_gemm_nt || op == &lab_gemm_nn) return *list = of_product, COUNT(of_product);
    if (op->n_tensors < 4 || !is_named(t, 1, "Q")) return 0;
    if (op->lengths) return *list = of_decode, COUNT(of_decode);
    return *list = of_attention, COUNT(of_attention);
}

typedef struct {
    lab_teller *teller;
    const lab_trial *t;
    lab_trial altered;  // its own inputs
    lab_told *base;
    int n;
    unsigned char *with;  // of each number: it alters with the first of two groups
    int step;             // how small the steps are by which they are altered
    double told;          // numbers, in all calls
} work;

// Which elements are altered: those whose label has this value in the bits of the mask.
typedef struct {
    int mask, value;
} group;

static int is_in(group g, int label) { return label >= 0 && (label & g.mask) == g.value; }

// The numbers that are told of altered inputs; NULL if the lines run in another order with them.
static const lab_told *call(work *w, const apart *a, group g, float by) {
    const lab_told *list;
    for (int tensor = 1; tensor < w->t->op->n_tensors; tensor++)
        for (size_t i = 0; i < w->t->n[tensor]; i++) {
            const float x = w->t->in[tensor][i];
            const int is = is_in(g, a->label(w->t, tensor, i));
            w->altered.in[tensor][i] = is ? x + by * (1 + (float)((i * 2654435761u >> 7) % 64) / 64) : x;
        }
    if ((w->told += w->n) > MOST_TOLD || lab_lines_again(w->teller, &w->altered, &list) != w->n) return NULL;
    for (int i = 0; i < w->n; i++)
        if (list[i].id != w->base[i].id) return NULL;
    return list;
}

static int is_other(const lab_told *a, const lab_told *b) { return memcmp(&a->value, &b->value, sizeof a->value) != 0; }

// Where the lines run in another order with large steps, as a maximum is asked for with if, small ones are tried, from then on.
static const lab_told *step(work *w, const apart *a, group g) {
    static const float by[] = {0.5f, 0.002f, 0.00002f};
    const lab_told *list = NULL;
    while (w->step < 3 && !(list = call(w, a, g, by[w->step]))) w->step++;
    return list;
}

// Whose number, in the order of the calls, is the first that is made of two that differ in *bit; -1: none is, or nobody knows.
static int first_mixed(work *w, const apart *a, int *in_bit) {
    const int n = a->n(w->t->c->shape);
    int first = -1;
    for (int bit = 0; n > 1 && n <= MOST_LABELS && (n - 1) >> bit; bit++) {
        memset(w->with, 0, (size_t)w->n);
        for (int value = 0; value < 2; value++) {
            const lab_told *list = step(w, a, (group){1 << bit, value << bit});
            if (!list) return -1;
            for (int i = 0; i < w->n && (first < 0 || i < first); i++) {
                if (!is_other(&list[i], &w->base[i]) || !isfinite(w->base[i].value)) continue;
                if (w->with[i]) first = i, *in_bit = bit;
                w->with[i] = 1;
            }
        }
    }
    return first;
}

// One of the labels of a group that alter number i: bit after bit. *from: the line that was the last to have what it brings,
// before i, and is another one; 0: none.
static int one_of(work *w, const apart *a, group g, int i, int *from) {
    const lab_told *list = NULL;
    for (int bit = 0; (a->n(w->t->c->shape) - 1) >> bit; bit++) {
        if (g.mask >> bit & 1) continue;
        g.mask |= 1 << bit;
        list = step(w, a, g);
        if (list && is_other(&list[i], &w->base[i])) continue;
        g.value |= 1 << bit;
    }
    if (!(list = step(w, a, g)) || !is_other(&list[i], &w->base[i])) return -1;
    int k = i - 1;
    while (k >= 0 && (w->base[k].id == w->base[i].id || !is_other(&list[k], &w->base[k]))) k--;
    *from = k >= 0 ? w->base[k].id : 0;
    return g.value;
}

static void say(work *w, const lab_lines *lines, const apart *a, int i, int bit, char *text) {
    int from[2];
    const int x = one_of(w, a, (group){1 << bit, 0}, i, &from[0]),
              y = one_of(w, a, (group){1 << bit, 1 << bit}, i, &from[1]);
    const lab_line *l = &lines->line[w->base[i].id - 1], *source = &lines->line[from[0] ? from[0] - 1 : 0];
    char come[160] = "";
    if (x < 0 || y < 0) return;
    // Within a function another number may have brought them, which is not told: a sum in memory.
    if (from[0] && from[0] == from[1] && strcmp(source->function, l->function))
        snprintf(come, sizeof come, ", which come from line %d, in %s (%s)", source->line, source->function,
                 source->name);
    snprintf(text, LAB_MIXED_SIZE, "line %d, in %s: %s is made of %s %d and %d%s: %s", l->line, l->function, l->name,
             a->many, x < y ? x : y, x < y ? y : x, come, a->rule);
}

static int prepare(work *w) {
    const lab_told *list;
    w->altered = *w->t;
    memset(w->altered.in, 0, sizeof w->altered.in);
    for (int tensor = 1; tensor < w->t->op->n_tensors; tensor++) {
        const size_t bytes = w->t->n[tensor] * sizeof(float);
        if (!(w->altered.in[tensor] = malloc(bytes))) return 0;
        memcpy(w->altered.in[tensor], w->t->in[tensor], bytes);
    }
    if ((w->n = lab_lines_again(w->teller, w->t, &list)) < 1) return 0;
    w->base = malloc((size_t)w->n * sizeof *w->base), w->with = malloc((size_t)w->n);
    if (!w->base || !w->with) return 0;
    memcpy(w->base, list, (size_t)w->n * sizeof *w->base);
    // The same inputs give the same numbers, or one of them comes from memory that nobody has set.
    if (lab_lines_again(w->teller, w->t, &list) != w->n) return 0;
    return memcmp(w->base, list, (size_t)w->n * sizeof *w->base) == 0;
}

void lab_mixed_look(lab_teller *teller, const lab_trial *t, const lab_lines *lines, void *seen) {
    char *text = seen;
    const apart *list = NULL;
    work w = {.teller = teller, .t = t};
    const int n = chosen(t, &list), ready = n > 0 && prepare(&w);
    text[0] = 0;
    for (int k = 0, bit = 0; k < n && ready && !*text; k++) {
        const int i = first_mixed(&w, &list[k], &bit);
        if (i >= 0) say(&w, lines, &list[k], i, bit, text);
    }
    for (int tensor = 1; n && tensor < t->op->n_tensors; tensor++) free(w.altered.in[tensor]);
    free(w.base), free(w.with);
}
