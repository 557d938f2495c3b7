// probes_task3_walk.c: task 3, the walk over tiles, threads, lanes, and an exponential of one's own. The claims stand in
// probes_task3.c.
#include "probes_task3.h"

#include <math.h>

// ---- walk_visible_keys: attention, where key tiles that a query tile does not see hold NaN

SIZES(walk_visible_keys, lab_elements_q(s) / s.head_dim, s.head_dim, lab_elements_q(s), lab_elements_kv(s),
      lab_elements_kv(s))

ORACLE(walk_visible_keys) { return lab_sdpa.oracle(s, extra, in, mistake, out); }

static int walk_visible_keys_diagnose(const lab_symptom *s, char *text, size_t size) {
    const size_t D = s->shape.head_dim, n = s->op->elements(s->shape, 0);
    int visited = s->cmp.not_finite > s->cmp.unwritten;
    for (size_t i = n - D; i < n; i++) visited = visited && !lab_element_bad(s, i, 0);  // the last query sees all keys
    if (visited)
        snprintf(text, size,
                 "right or not, every tile is visited: where causal, those behind the tile's last query are "
                 "hidden from all of it");
    lab_symptom walk = *s;
    walk.op = &lab_walk_probe;
    return visited || walk.op->diagnose(&walk, text, size);
}
SHARED_PROBE(walk_visible_keys, walk_visible_keys, 4, .tensors = {"O", "Q", "K", "V"});

// ---- threads: of 4 that are offered, how many have working memory of their own; pairs that do the same jobs, -1 where
// nobody does any; 1: not freed

SIZES(threads, 1, 3, lab_elements_q(s), lab_elements_kv(s), lab_elements_kv(s), lab_elements_q(s))

ORACLE(threads) {
    out[0] = mistake == 2 ? 2 : 4;
    out[1] = mistake == 1 ? 6 : mistake == 5 ? -1 : 0;
    out[2] = mistake == 4;
    if (mistake == 3) out[0] = 1;
    return 1;
}
KNOWN(threads, "every thread does every job: `omp for` shares the loop's jobs among them",
      "4 threads are offered and 2 take part: leave their number to OpenMP",
      "several threads work in the memory of one tile: make_tile belongs into the parallel region, so that each has "
      "its own",
      "working memory is not freed: each thread frees its own",
      "no thread does any job: each job is done, by one of them");
SHARED_PROBE(threads, threads, 5, .tensors = {"threads", "Q", "K", "V", "O"}, .scratch = 4);

// ---- lanes: a score that is above 1 by less than rounding shows, if its sum runs in lanes

SIZES(lanes, 1, 1, 1)

ORACLE(lanes) {
    out[0] = 1;
    return 1;
}
KNOWN(lanes, NULL);
SHARED_PROBE(lanes, lanes, 1, .tensors = {"score"});
SHARED_PROBE(max_in_lanes, lanes, 1, .tensors = {"max"});

// ---- exp_of: for each x, 1 + 50 times the relative error; 0 for an exponential of 0

SIZES(exp_of, s.seq_q, 1, s.seq_q)

FILL(exp_of) {
    for (int i = 0; i < s.seq_q; i++) x[i] = -100.0f * (float)(lab_bits(key, i) >> 40) * 0x1p-24f;
    x[0] = 0, x[1] = -INFINITY, x[2] = -1e30f;
}

ORACLE(exp_of) {
    for (int i = 0; i < s.seq_q; i++) {
        const double want = exp(in[1][i]), got = mistake == 1 ? exp2(in[1][i]) : want;
        out[i] = want < 0x1p-126 && got < 0x1p-126 ? 0 : 1 + 50 * (got / want - 1);
    }
    return 1;
}
KNOWN_OR(exp_of, lab_explain_exponential, "matches 2^x: e^x is 2^y with y = x log2(e)");
SHARED_PROBE(exp_of, exp_of, 2, .tensors = {"accuracy", "x"}, .fill = exp_of_fill);
