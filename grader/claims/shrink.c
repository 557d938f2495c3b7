// shrink.c: one side of the shape after the other becomes as small as it goes while the output stays wrong. A side that cannot
// be smaller tells where to look.
#include "shrink.h"

#include <stdio.h>
#include <string.h>

#include "claims.h"

enum { MOST_RUNS = 48 };

typedef struct {
    lab_stage stage;
    const lab_stage_options *options;
    uint64_t seed;
    double seconds;
    int runs, open;
    int right;           // the last one was
    char sentence[240];  // of the smallest so far, if it matches something
} trial;

static const char parts[] = "O is right, but";  // of the parts of a split the smallest shape tells nothing

static int is_wrong(trial *t, const lab_case *c) {
    static lab_result r;
    t->right = 0;
    if (t->runs++ >= MOST_RUNS) return 0;
    if (!t->open) t->open = lab_stage_open(&t->stage, t->options, r.diagnosis, sizeof r.diagnosis) == LAB_PASSED;
    if (!t->open) return 0;
    lab_judge(&t->stage, c, t->seed, t->seconds, &r);
    if (!t->stage.alive) lab_stage_close(&t->stage), t->open = 0;
    t->right = r.verdict == LAB_PASSED;
    const int wrong = r.compared && r.verdict != LAB_PASSED && strncmp(r.diagnosis, parts, sizeof parts - 1) != 0;
    if (wrong) snprintf(t->sentence, sizeof t->sentence, "%s", r.guesses.n ? r.guesses.text[0] : "");
    return wrong;
}

// Lowers one side to the smallest of the values that stays wrong. Returns the largest one below it that was right, or 0.
static int lower(trial *t, lab_case *c, int *side, const int values[], int n) {
    const int was = *side;
    int right = 0;
    for (int i = 0; i < n && values[i] < was; i++) {
        *side = values[i];
        if (c->shape.causal && c->shape.seq_q > c->shape.seq_kv) continue;
        if (is_wrong(t, c)) return right;
        if (t->right) right = values[i];  // and does not hang
    }
    *side = was;
    return right;
}

typedef struct {
    int queries, keys, dims;  // the largest that is right, where the others are the smallest that are wrong; 0: none
} bound;

static void say(const lab_case *c, bound right, const char *sentence, char *text, size_t size) {
    const attn_shape s = c->shape;
    const int cache = c->op->lengths != 0;
    size_t used = (size_t)snprintf(text, size, "the smallest that goes wrong: batch %d, heads %d, ", s.batch, s.heads);
    if (cache)
        used += snprintf(text + used, size - used, "max_seq %d, head_dim %d", s.seq_kv, s.head_dim);
    else
        used += snprintf(text + used, size - used, "seq_q %d, seq_kv %d, head_dim %d%s", s.seq_q, s.seq_kv, s.head_dim,
                         s.causal ? ", causal" : "");
    const struct {
        int right;
        const char *name;
    } sides[] = {{right.queries, "seq_q"}, {right.keys, cache ? "max_seq" : "seq_kv"}, {right.dims, "head_dim"}};
    for (int i = 0; i < 3; i++)
        if (sides[i].right && used < size)
            used += snprintf(text + used, size - used, "; with %s = %d it is right", sides[i].name, sides[i].right);
    // What it would mean does not stand there: no claim that fails has the same.
    if (*sentence && used < size)
        snprintf(text + used, size - used, "; there it %.*s", (int)strcspn(sentence, ":"), sentence);
}

static bound shrink(trial *t, lab_case *c) {
    static const int few[] = {1, 2}, dims[] = {8, 16, 32, 40, 64, 72, 96, 128},
                     sizes[] = {1, 2, 3, 5, 8, 9, 16, 17, 32, 33, 64, 65, 128, 129, 256, 257, 512};
    enum { N_DIMS = sizeof dims / sizeof *dims, N_SIZES = sizeof sizes / sizeof *sizes };
    bound right = {0};
    lower(t, c, &c->shape.batch, few, 2);
    lower(t, c, &c->shape.heads, few, 2);
    if (c->shape.causal) {
        c->shape.causal = 0;
        c->shape.causal = !is_wrong(t, c);
    }
    if (!c->op->lengths) right.queries = lower(t, c, &c->shape.seq_q, sizes, N_SIZES);
    right.keys = lower(t, c, &c->shape.seq_kv, sizes, N_SIZES);
    right.dims = lower(t, c, &c->shape.head_dim, dims, N_DIMS);
    return right;
}

int lab_shrink(const lab_smallest_wrong *w, uint64_t seed, double seconds, char *text, size_t size) {
    static trial t;
    lab_case c = w->c;
    text[0] = 0;
    if (!w->options || !w->r.compared || c.todo || strcmp(c.op->tensors[1], "Q") || c.kind != LAB_NORMAL) return 0;
    t = (trial){.options = w->options, .seed = seed, .seconds = seconds};
    if (!is_wrong(&t, &c)) return 0;
    const bound right = shrink(&t, &c);
    is_wrong(&t, &c);  // for its sentence
    if (t.open) lab_stage_close(&t.stage);
    const int smaller = memcmp(&w->c.shape, &c.shape, sizeof c.shape) != 0;
    if (smaller) say(&c, right, strncmp(t.sentence, "matches", 7) == 0 ? t.sentence : "", text, size);
    return smaller;
}
