// probes.h: how the rows of probes_taskN.c are written. A probe is a row like any other (ops.h): NAME has an output and
// inputs, of so many elements, an oracle that knows some mistakes, and a sentence for each of these.
#ifndef LAB_PROBES_H
#define LAB_PROBES_H

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "heuristics.h"
#include "pointwise.h"
#include "probe_sums.h"

// The output has rows x columns elements; then the elements of each input. Of a shape s.
#define SIZES(name, rows, columns, ...)                                                                                \
    static size_t name##_elements(attn_shape s, int t) {                                                               \
        const size_t n[] = {(size_t)(rows) * (columns), __VA_ARGS__};                                                  \
        return n[t];                                                                                                   \
    }                                                                                                                  \
    static void name##_extent(attn_shape s, size_t extent[4]) {                                                        \
        extent[0] = extent[1] = 1, extent[2] = (rows), extent[3] = (columns);                                          \
    }

#define FILL(name)                                                                                                     \
    static void name##_fill(attn_shape s, const int extra[2], int t, lab_input_kind kind, uint64_t key, float *x)

#define ORACLE(name)                                                                                                   \
    static int name(attn_shape s, const int extra[2], const float *const in[LAB_MAX_TENSORS], int mistake, double *out)

// A sentence for each mistake that the oracle knows, from 1 on.
#define KNOWN(name, ...) KNOWN_OR(name, lab_nothing_else, __VA_ARGS__)
// Of an online softmax: each tile is taken for a softmax of its own.
#define LAB_TILES_OWN_MAX                                                                                              \
    "matches exp(s - the largest score of this tile alone): subtract m, the maximum of all tiles so far, which is "    \
    "handed in"
#define LAB_TILES_OWN_SOFTMAX                                                                                          \
    "matches a whole softmax of this tile, with a maximum and a sum of its own: subtract m, which is handed in, and "  \
    "divide nothing before the last tile"
static inline double lab_largest(const float *x, int n, int step) {
    double largest = -INFINITY;
    for (int i = 0; i < n; i += step) largest = fmax(largest, x[i]);
    return largest;
}

// The lab puts NaN around what is read and where one writes: of these nothing was taken.
static inline int lab_is_inf_alone(const lab_symptom *s) {
    size_t inf = 0;
    for (size_t i = 0; i < s->op->elements(s->shape, 0); i++) {
        if (isnan(s->got[i])) return 0;
        inf += isinf(s->got[i]) != 0;
    }
    return inf > 0;
}

static inline int lab_nothing_else(const lab_symptom *s, char *text, size_t size) { return 0; }

// What fits is kept among the guesses: beside a TODO that fails before, nothing else is said of this one.
static inline int lab_kept(const lab_symptom *s, char *text, size_t size) {
    return strncmp(text, "matches", 7) || lab_guess(s->guesses, text, text, size);
}

// The same; where none of them fits, or(s, text, size) looks for more.
#define KNOWN_OR(name, or, ...)                                                                                        \
    static int name##_diagnose(const lab_symptom *s, char *text, size_t size) {                                        \
        static const char *const sentence[] = {NULL, __VA_ARGS__};                                                     \
        if (lab_recognise(s, sentence, sizeof sentence / sizeof *sentence, text, size)) return 1;                      \
        if (or (s, text, size)) return lab_kept(s, text, size);                                                        \
        if (s->cmp.not_finite <= s->cmp.unwritten) return 0;                                                           \
        if (lab_explain_unreached(s, text, size)) return 1;                                                            \
        return snprintf(text, size, "%s", lab_is_inf_alone(s) ? LAB_INF : LAB_SPOILED) > 0;                            \
    }
#define LAB_INF                                                                                                        \
    "Inf, and no NaN: a term of a sum is Inf or -INFINITY, an exponential is of too large a number, or a divisor is 0"
#define LAB_SPOILED                                                                                                    \
    "NaN or Inf: the lab put NaN where your code writes and around what it reads: what is not written, or is read "    \
    "from elsewhere, is NaN"

// The same, and a sentence for an output that is not finite.
#define KNOWN_OR_NAN(name, or, nan, ...)                                                                               \
    KNOWN_OR(name##_finite, or, __VA_ARGS__)                                                                           \
    static int name##_diagnose(const lab_symptom *s, char *text, size_t size) {                                        \
        if (s->cmp.not_finite <= s->cmp.unwritten) return name##_finite_diagnose(s, text, size);                       \
        return snprintf(text, size, "%s", nan) > 0;                                                                    \
    }

// The row of probe `part`, of n tensors. as: the probe whose sizes, oracle and sentences it has, mostly itself.
#define PROBE(part, as, n, ...) static SHARED_PROBE(part, as, n, __VA_ARGS__)

// The same, for claims in another file: probes_taskN.h declares it.
#define SHARED_PROBE(part, as, n, ...)                                                                                 \
    const lab_op probe_##part = {.name = #part,                                                                        \
                                 .symbol = "lab_probe_" #part,                                                         \
                                 .probe = 1,                                                                           \
                                 .n_tensors = n,                                                                       \
                                 .elements = as##_elements,                                                            \
                                 .extent = as##_extent,                                                                \
                                 .oracle = as,                                                                         \
                                 .diagnose = as##_diagnose,                                                            \
                                 __VA_ARGS__}

#define TODO(step) .criterion = "todo", .todo = step

#endif
