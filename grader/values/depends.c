// depends.c: one input after another is altered, and the numbers of all lines are compared, one by one.
#include "depends.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { ROOM = 1 << 20 };

// The elements of a tensor whose number, divided by `inner`, is i of n.
typedef struct {
    int tensor, n, inner;
    float by;
} axis;

typedef struct {
    attn_shape shape;
    int extra;
    const char *one;
    axis of[LAB_N_OF];
    int scores;  // the tensor that scores are proportional to; 0: none
    int values;  // that of values
} plan;

// Sizes are none that a file may take for another one, and a warp or a block has to come twice to have them all.
static int plan_of(const lab_op *op, int causal, plan *p) {
    enum { Q = 9, K = 40, D = 24, CACHE = 70, SPLITS = 45, COLUMNS = 300, ROWS = 2 };
    enum { MANY_Q = 40, MANY_K = 56, FEW_D = 8 };  // under a mask each query sees other keys: tiles need more of both
    static const float TINY = 1.0f / 1024, SMALL = 1.0f / 256, LESS = 1.0f / 64,
                       MUCH = 1e30f;  // MUCH: values count however little their weight
    memset(p, 0, sizeof *p);
    p->one = "key";
    if (op == &lab_flash || op == &lab_naive || op == &lab_decode || op == &lab_decode_split) {
        int q = Q, k = K, dims = D;
        if (op->lengths) q = 1, k = CACHE;
        if (causal) q = MANY_Q, k = MANY_K, dims = FEW_D;
        p->shape = (attn_shape){1, 1, q, k, dims, causal}, p->extra = op == &lab_decode_split ? 5 : 0;
        p->of[LAB_OF_KEYS] = (axis){2, k, dims, SMALL}, p->of[LAB_OF_VALUES] = (axis){3, k, dims, MUCH};
        p->of[LAB_OF_DIMS] = (axis){1, dims, 1, LESS}, p->of[LAB_OF_COLUMNS] = (axis){3, dims, 1, LESS};
        p->of[LAB_OF_QUERIES] = (axis){1, q, dims, LESS};
        p->scores = 1, p->values = 3;
    } else if (op == &lab_combine) {
        p->shape = (attn_shape){1, 1, 1, 1, D, 0}, p->extra = SPLITS, p->one = "split";
        p->of[LAB_OF_KEYS] = (axis){2, SPLITS, 1, LESS}, p->of[LAB_OF_VALUES] = (axis){1, SPLITS, D, MUCH};
        p->of[LAB_OF_COLUMNS] = (axis){1, D, 1, LESS};
        p->values = 1;
    } else if (op == &lab_softmax_batched) {
        p->shape = (attn_shape){1, 1, ROWS, COLUMNS, 8, 0}, p->one = "column";
        p->of[LAB_OF_KEYS] = (axis){1, COLUMNS, 1, TINY}, p->of[LAB_OF_QUERIES] = (axis){1, ROWS, COLUMNS, LESS};
        p->scores = 1;
    } else if (op == &lab_gemm_nt || op == &lab_gemm_nn) {
        const int nt = op == &lab_gemm_nt;
        p->shape = (attn_shape){1, 1, Q, D, K, 0}, p->one = "product";
        p->of[LAB_OF_VALUES] = (axis){1, K, 1, LESS}, p->of[LAB_OF_COLUMNS] = (axis){2, D, nt ? K : 1, LESS};
        p->of[LAB_OF_QUERIES] = (axis){1, Q, K, LESS};
    }
    return p->shape.batch;
}

// The scores of a softmax are all apart by more than one of them is altered: a maximum found by `if (x > m) m = x` sets
// the same numbers in every call.
static void spread(float *x, size_t n, size_t cols) {
    for (size_t k = 0; k < n; k++) x[k] = 2 * (float)((k * 7919 + k / cols * 31) % cols) / (float)cols - 1;
}

// Scores of -1 .. 1, each of which counts. A little more of a key, or of a query, moves them all one way.
static void fill(const plan *p, const lab_op *op, lab_trial *t) {
    for (int i = 1; i < op->n_tensors; i++) {
        if (i == op->lengths) {
            const int32_t all = p->shape.seq_kv;
            for (size_t k = 0; k < t->n[i]; k++) memcpy(&t->in[i][k], &all, sizeof all);
        } else
            lab_fill(t->in[i], t->n[i], 1, LAB_NORMAL, 77 + (uint64_t)i);
        if (op == &lab_softmax_batched) spread(t->in[i], t->n[i], (size_t)p->shape.seq_kv);
        const int query = i == p->of[LAB_OF_DIMS].tensor;
        for (size_t k = 0; k < t->n[i] && query; k++) t->in[i][k] = 0.5f + 0.5f * t->in[i][k];
    }
}

typedef struct {
    const lab_repair_ask *ask;
    lab_trial t;
    plan p;
    lab_teller *teller;
    const lab_told *now;  // of the last call
    int n;
    lab_told *list;  // of the file's own call
    int *at_live;    // of it, the places of those that depend on an input at all: most are behind the last row, or key
    float *out;
} state;

static int call(state *s) {
    const int n = lab_lines_again(s->teller, &s->t, &s->now);
    if (!s->list) s->n = n;
    return n > 0 && n == s->n;
}

static const float *output_of(const state *s) { return lab_lines_output(s->teller, &s->t); }

static int differ(float a, float b) { return memcmp(&a, &b, sizeof a) != 0; }

// The same lines in the same order in the same threads: otherwise nothing is known.
static int is_aligned(const state *s) {
    for (int i = 0; i < s->n; i++)
        if (s->now[i].id != s->list[i].id || s->now[i].where != s->list[i].where) return 0;
    return 1;
}

// Every element of the axis that has number i; -1: all, each by a number of its own, for a softmax does not see it where
// all scores become larger alike.
// A query is multiplied: all its scores grow alike, and none overtakes another one.
static void add(float *x, size_t n, const axis *a, int i, float by, int multiplies) {
    for (size_t k = 0; k < n; k++) {
        const int number = (int)(k / (size_t)a->inner) % a->n;
        const float more = i < 0 ? by * (float)(number + 1) / (float)a->n : by;
        if (i < 0 || number == i) x[k] = multiplies ? x[k] * (1 + more) : x[k] + more;
    }
}

// Where two scores are as good as equal, another one may be the larger one now: then the other way, and less.
static int call_altered(state *s, const axis *a, int i) {
    static const float times[] = {1, -1, 0.25f};
    const size_t n = s->t.n[a->tensor];
    float *x = s->t.in[a->tensor], *was = malloc(n * sizeof *was);
    int ok = 0, came = was != NULL;
    for (int k = 0; k < 3 && !ok && came; k++) {
        memcpy(was, x, n * sizeof *was);
        add(x, n, a, i, times[k] * a->by, a == &s->p.of[LAB_OF_QUERIES]);
        came = call(s);
        memcpy(x, was, n * sizeof *was);
        ok = came && is_aligned(s);
    }
    free(was);
    return ok;
}

static const float ROUNDING = 1e-5f;

static int alter(state *s, const axis *a, int i, lab_of kind, lab_depends *d) {
    if (!call_altered(s, a, i)) return 0;
    const uint64_t bit = (uint64_t)1 << i % 64;
    for (size_t k = 0; k < d->n; k++)
        if (differ(s->now[s->at_live[k]].value, d->number[k].told.value)) {
            d->number[k].of[kind].word[i / 64] |= bit;
            const float by = s->now[s->at_live[k]].value - d->number[k].told.value;
            if (d->gain && kind == LAB_OF_VALUES) d->gain[k * (size_t)a->n + (size_t)i] = by / a->by;
        }
    for (size_t k = 0; k < d->n_output; k++) {
        const float is = output_of(s)[k];
        if (differ(is, s->out[k])) d->output[k].of[kind].word[i / 64] |= bit;
        const int of_other = d->moved && kind == LAB_OF_QUERIES && i != (int)(k / (d->n_output / (size_t)a->n));
        if (of_other && !(fabsf(is - s->out[k]) < ROUNDING)) d->moved[k] = 1;
    }
    return 1;
}

static int find_linear(state *s, lab_depends *d) {
    float *x = s->t.in[s->p.scores];
    for (size_t k = 0; k < s->t.n[s->p.scores]; k++) x[k] *= 2;
    const int ok = call(s) && is_aligned(s);
    for (size_t k = 0; k < s->t.n[s->p.scores]; k++) x[k] /= 2;
    for (size_t k = 0; k < d->n && ok; k++)
        d->number[k].linear = s->now[s->at_live[k]].value == 2 * d->number[k].told.value;
    return ok;
}

static int find_total(state *s, lab_depends *d) {
    const size_t n = s->t.n[s->p.values];
    float *x = s->t.in[s->p.values], *was = malloc(n * sizeof *was);
    d->total = malloc(d->n_output * sizeof *d->total);
    if (!was || !d->total) return free(was), 0;
    memcpy(was, x, n * sizeof *was);
    for (size_t k = 0; k < n; k++) x[k] = 1;
    const int ok = call(s);
    memcpy(x, was, n * sizeof *was), free(was);
    memcpy(d->total, output_of(s), d->n_output * sizeof *d->total);
    return ok;
}

static double score_of(const state *s, int row, int key) {
    const int D = s->p.shape.head_dim;
    double sum = 0;
    if (s->t.op == &lab_combine) return s->t.in[2][key];
    for (int d = 0; d < D; d++) sum += (double)s->t.in[1][row * D + d] * s->t.in[2][key * D + d];
    return sum / sqrt(D);
}

// What it does not see has the weight that it would have beside those.
static int find_weights(const state *s, lab_depends *d) {
    const int n = d->count[LAB_OF_KEYS], rows = s->p.shape.seq_q;
    d->weight = malloc((size_t)(rows * n) * sizeof *d->weight), d->mass = malloc((size_t)rows * sizeof *d->mass);
    for (int i = 0; i < rows && d->weight && d->mass; i++) {
        double all = 0;
        for (int j = 0; j < lab_depends_due(d, i); j++) all += exp(score_of(s, i, j));
        for (int j = 0; j < n; j++) d->weight[i * n + j] = (float)(exp(score_of(s, i, j)) / all);
        d->mass[i] = (float)log(all);
    }
    return d->weight && d->mass;
}

static int is_right(const state *s) {
    for (size_t i = 0; i < s->t.n[0]; i++)
        if (!(fabs(s->out[i] - s->t.want[i]) < 1e-3)) return 0;
    return 1;
}

static int find_live(state *s, lab_depends *d) {
    const int n = s->n;
    char *lives = calloc((size_t)n, 1);
    int ok = lives != NULL;
    for (int k = 0; k < LAB_N_OF && ok; k++) {
        if (!s->p.of[k].n) continue;
        ok = call_altered(s, &s->p.of[k], -1);
        for (int i = 0; i < n && ok; i++) lives[i] |= (char)differ(s->now[i].value, s->list[i].value);
    }
    for (int i = 0; i < n && ok; i++) d->n += (size_t)lives[i];
    s->at_live = malloc((d->n + 1) * sizeof *s->at_live), d->number = calloc(d->n + 1, sizeof *d->number);
    ok = ok && d->n && s->at_live && d->number;
    d->n = 0;
    for (int i = 0; i < n && ok; i++)
        if (lives[i]) s->at_live[d->n] = i, d->number[d->n++].told = s->list[i];
    free(lives);
    return ok;
}

static int begin(state *s, lab_depends *d, int *right) {
    if (!call(s)) return 0;
    const size_t bytes = (size_t)s->n * sizeof *s->list;
    d->n_output = s->t.n[0];
    s->list = malloc(bytes), s->out = malloc(d->n_output * sizeof *s->out);
    d->output = calloc(d->n_output, sizeof *d->output);
    if (!s->list || !s->out || !d->output) return 0;
    memcpy(s->list, s->now, bytes);
    memcpy(s->out, output_of(s), d->n_output * sizeof *s->out);
    for (size_t i = 0; i < d->n_output; i++) d->output[i].told.value = s->out[i];
    for (int i = 0; i < s->n; i++)
        if (s->list[i].id < 1 || s->list[i].id > d->lines.n) return 0;
    *right = s->t.op != &lab_decode_split && is_right(s);  // its L_s may be wrong and O right
    return !*right && find_live(s, d);
}

static int find(state *s, lab_depends *d) {
    const attn_shape x = s->p.shape;
    d->one = s->p.one;
    if (!s->p.values)
        snprintf(d->call, sizeof d->call, s->p.scores ? "rows of %d columns" : "k = %d",
                 s->p.scores ? x.seq_kv : x.head_dim);
    else
        snprintf(d->call, sizeof d->call, "%d %ss and %d dims", s->p.of[LAB_OF_VALUES].n, s->p.one, x.head_dim);
    if (x.causal)
        snprintf(d->call, sizeof d->call, "%d queries, %d keys and %d dims, under a causal mask", x.seq_q, x.seq_kv,
                 x.head_dim);
    d->causal = x.causal, d->splits = s->t.op == &lab_decode_split ? s->p.extra : 0;
    if (s->p.values) d->gain = calloc(d->n * (size_t)s->p.of[LAB_OF_VALUES].n, sizeof *d->gain);
    if (s->p.values && s->p.of[LAB_OF_QUERIES].n > 1) d->moved = calloc(d->n_output, 1);
    for (int k = 0; k < LAB_N_OF; k++) {
        const axis *a = &s->p.of[k];
        d->count[k] = a->n;
        for (int i = 0; i < a->n; i++)
            if (!alter(s, a, i, (lab_of)k, d)) return 0;
    }
    return (!s->p.scores || find_linear(s, d)) && (!s->p.values || (find_total(s, d) && find_weights(s, d)));
}

// *right: the file is.
static int find_on(const lab_repair_ask *ask, const lab_case *c, int causal, double seconds, lab_depends *d,
                   int *right) {
    state s = {.ask = ask};
    lab_case own = *c;
    memset(d, 0, sizeof *d);
    if (!plan_of(c->op, causal, &s.p)) return 0;
    own.shape = s.p.shape, own.extra[0] = s.p.extra, own.extra[1] = 0, own.kind = LAB_NORMAL, own.recorded = 0;
    s.t = (lab_trial){.c = &own, .op = own.op, .layout = lab_layout_of(own.op, own.shape, 1)};
    int ok = lab_trial_prepare(&s.t, ask->seed);
    if (ok) fill(&s.p, own.op, &s.t);
    ok = ok && own.op->oracle(own.shape, own.extra, (const float *const *)s.t.in, LAB_NO_MISTAKE, s.t.want);
    s.teller = ok ? lab_lines_open(ask, &s.t, ROOM, seconds, &d->lines) : NULL;
    ok = s.teller && begin(&s, d, right) && find(&s, d);
    lab_lines_close(s.teller);
    lab_trial_discard(&s.t), free(s.list), free(s.out), free(s.at_live);
    return ok;
}

int lab_depends_find(const lab_repair_ask *ask, const lab_case *c, double seconds, lab_depends *d) {
    int right = 0;
    if (find_on(ask, c, 0, seconds, d, &right)) return 1;
    if (!right || (c->op != &lab_flash && c->op != &lab_naive)) return 0;
    lab_depends_free(d);
    return find_on(ask, c, 1, seconds, d, &right);
}

void lab_depends_free(lab_depends *d) {
    lab_lines_free(&d->lines);
    free(d->number), free(d->output), free(d->total), free(d->weight), free(d->mass), free(d->gain), free(d->moved);
    memset(d, 0, sizeof *d);
}
