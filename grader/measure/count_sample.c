// count_sample.c: the proof, and what it allows.
#include "count_sample.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

static const double NEAR = 0.01;  // of all bytes: what a sample may be off

// The longest length of this operation that is counted whole.
static const lab_experiment *whole_of(const lab_experiment *c) {
    const lab_experiment *best = NULL;
    for (int i = 0; i < lab_n_experiments; i++) {
        const lab_experiment *e = &lab_experiments[i];
        attn_shape s = e->shape;
        s.seq_q = c->shape.seq_q, s.seq_kv = c->shape.seq_kv;
        if (e->method == LAB_COUNTED && e->op == c->op && !e->sampled && !memcmp(&s, &c->shape, sizeof s) &&
            (!best || e->shape.seq_q > best->shape.seq_q))
            best = e;
    }
    return best;
}

static double distance(uint64_t a, uint64_t b) { return fabs((double)a - (double)b); }

static int agree(const lab_counts *a, const lab_counts *b) {
    double off = distance(a->other.sectors, b->other.sectors);
    for (int t = 0; t < LAB_MAX_TENSORS; t++) {
        const lab_traffic *x = &a->tensor[t], *y = &b->tensor[t];
        off += distance(x->sectors, y->sectors);
        off += distance(x->bytes_loaded, y->bytes_loaded) / 32 + distance(x->bytes_stored, y->bytes_stored) / 32;
    }
    return 32 * off <= NEAR * (double)lab_bytes_moved(a);
}

static int prove(lab_stage *stage, const lab_experiment *c, uint64_t seed, double seconds, const lab_counted *results) {
    static lab_counted all, some;
    const lab_experiment *whole = whole_of(c);
    if (!whole) return 0;
    lab_experiment sample = *whole;
    sample.sampled = 1;
    all = results[whole - lab_experiments];
    if (!all.counts.counted) lab_count_case(stage, whole, seed, seconds, &all);
    if (all.verdict == LAB_PASSED && stage->alive) lab_count_case(stage, &sample, seed, seconds, &some);
    return all.verdict == LAB_PASSED && some.verdict == LAB_PASSED && agree(&all.counts, &some.counts);
}

void lab_count_sampled(lab_stage *stage, const lab_experiment *c, uint64_t seed, double seconds,
                       const lab_counted *results, lab_counted *r) {
    const int proven = prove(stage, c, seed, seconds, results);
    memset(r, 0, sizeof *r);
    r->verdict = LAB_SKIPPED;
    const lab_experiment *whole = whole_of(c);
    const lab_verdict smaller = whole ? results[whole - lab_experiments].verdict : LAB_PASSED;
    if (!proven || !stage->alive) {
        snprintf(r->why, sizeof r->why, "%s",
                 smaller != LAB_PASSED
                     ? "not counted, as the smaller shape is not"
                     : "not counted: where all blocks are counted, four of them do not give the same, so none can "
                       "stand for all");
        return;
    }
    lab_count_case(stage, c, seed, seconds, r);
    if (r->verdict == LAB_PASSED && !r->counts.uneven) return;
    if (r->verdict == LAB_PASSED)
        snprintf(r->why, sizeof r->why, "not counted: its blocks do not all do the same, so none can stand for all");
    r->verdict = LAB_SKIPPED;
}
