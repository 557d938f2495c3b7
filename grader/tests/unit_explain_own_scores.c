// unit_explain_own_scores.c: threads that share the dims of a score, and of which each goes on with its own part of it.
// grader/core: dims.c, own_scores.c.
#include "unit.h"

#include <math.h>
#include <string.h>

#include "symptom.h"

enum { KEYS = 70, D = 64 };
static const attn_shape shape = {1, 2, 12, KEYS, D, 0};

static const float *value(size_t row, int j) { return wrong.in[3] + (row / 12 * KEYS + j) * D; }

// ---- Lanes share the dims of a score, four side by side; sums[t]: what lane t has of it

static void dims_row(size_t row, int lanes_summed, int broadcast) {
    const float *q = wrong.in[1] + row * D, *k = wrong.in[2] + row / 12 * KEYS * D;
    float part[32], m[16], l[16] = {0}, o[D] = {0};
    for (int t = 0; t < 16; t++) m[t] = -INFINITY;
    for (int j = 0; j < KEYS; j++) {
        memset(part, 0, sizeof part);
        for (int d = 0; d < D; d++) part[d / 4] += q[d] * k[j * D + d] / sqrtf(D);
        for (int bit = lanes_summed / 2; bit; bit /= 2)
            for (int t = 0; t + bit < 32; t++) part[t] += part[t + bit];  // shuffles downwards
        for (int t = 0; t < 16; t++) {
            const float s = broadcast ? part[0] : part[t], m_new = fmaxf(m[t], s), a = expf(m[t] - m_new);
            m[t] = m_new, l[t] = l[t] * a + expf(s - m_new);
            for (int d = 4 * t; d < 4 * t + 4; d++) o[d] = o[d] * a + expf(s - m_new) * value(row, j)[d];
        }
    }
    for (int d = 0; d < D; d++) wrong.got[row * D + d] = o[d] / l[d / 4];
}

static void with_dims(int lanes_summed, int broadcast, const char *words) {
    begin(&lab_flash, shape);
    for (size_t row = 0; row < 24; row++) dims_row(row, lanes_summed, broadcast);
    it_says(words);
}

static void scores_of_some_dims_are_named(void **state) {
    (void)state;
    with_dims(32, 1, "");
    with_dims(32, 0, "scores whose sum over the dims does not reach every thread: of 32 threads, thread 0 alone");
    with_dims(8, 1, "scores over some of the dims alone (0 .. 31)");
}

// Which of the threads has dim d of n. owner: as lab_owner has them.
static int thread_of(int d, int n, int threads, int owner) {
    return owner == 0 ? d % threads : owner == 1 ? d / 4 % threads : d / (n / threads);
}

// Few threads, of which each has some of the dims and a softmax of its own.
static void with_few_threads(attn_shape s, int threads, int owner, const char *words) {
    enum { MOST = 512 };
    begin(&lab_flash, s);
    const int n = s.head_dim;
    for (int row = 0; row < s.heads * s.seq_q; row++) {
        const float *q = wrong.in[1] + row * n, *k = wrong.in[2] + (size_t)(row / s.seq_q) * s.seq_kv * n,
                    *v = wrong.in[3] + (size_t)(row / s.seq_q) * s.seq_kv * n;
        double p[4][MOST] = {{0}}, l[4] = {0};
        for (int j = 0; j < s.seq_kv; j++)
            for (int d = 0; d < n; d++) p[thread_of(d, n, threads, owner)][j] += q[d] * k[j * n + d];
        for (int t = 0; t < threads; t++)
            for (int j = 0; j < s.seq_kv; j++) l[t] += p[t][j] = exp(p[t][j] / sqrt(n));
        for (int c = 0; c < n; c++) {
            const int own = thread_of(c, n, threads, owner);
            double o = 0;
            for (int j = 0; j < s.seq_kv; j++) o += p[own][j] * v[j * n + c];
            wrong.got[row * n + c] = (float)(o / l[own]);
        }
    }
    is_among_what_fits(words);
    release(NULL);
}

// Of many keys and of few dims, too: one cause explains all claims.
static void few_threads_with_their_own_scores_are_named(void **state) {
    (void)state;
    static const attn_shape shapes[] = {
        {1, 2, 12, 70, 64, 0}, {1, 1, 6, 512, 64, 0}, {1, 2, 9, 40, 80, 0}, {1, 2, 12, 45, 8, 0}};
    for (int i = 0; i < 4; i++)
        for (int owner = 0; owner < 3; owner++) {
            with_few_threads(shapes[i], 2, owner,
                             owner < 2 ? "each of 2 threads, or those of even and of odd number, keep their own part"
                                       : "each of 2 threads, or the two halves of more, keep their own part");
            if (i < 3)
                with_few_threads(shapes[i], 4, owner,
                                 "4 threads keeps its own part: exchange it (__shfl_xor_sync, distances 2 and 1)");
        }
}

// A block decodes: warp after warp has some of the keys, and its lanes the dims of a score, n side by side; or each warp has 32
// dims of all keys. What one lane, or one warp, has of a score is taken for all of it.
static void with_own_scores(int n, int by_warps, int splits, const char *words) {
    const attn_shape s = {2, 2, 1, 70, 32 * n, 0};
    const int head = s.seq_kv * s.head_dim, warps = by_warps ? 1 : 4;
    wrong.extra[0] = splits;
    begin(splits ? &lab_decode_split : &lab_decode, s);
    for (int row = 0; row < 4; row++) {
        const int length = lab_int_at(wrong.in[4], row / 2), parts = splits ? splits : 1;
        const float *q = wrong.in[1] + row * s.head_dim, *k = wrong.in[2] + row * head, *v = wrong.in[3] + row * head;
        double o[128] = {0}, sum = 0;
        for (int part = 0; part < parts * warps; part++) {
            const int first = length * (part / warps) / parts, end = length * (part / warps + 1) / parts;
            double m[32], l[32] = {0}, own[128] = {0}, all = 0, score[70][32] = {{0}};
            for (int t = 0; t < 32; t++) m[t] = -INFINITY;
            for (int j = first + part % warps; j < end; j += warps) {
                for (int d = 0; d < s.head_dim; d++)
                    score[j][d / (by_warps ? 32 : n)] += q[d] * k[j * s.head_dim + d] / sqrt(s.head_dim);
                for (int t = 0; t < 32; t++) m[t] = fmax(m[t], score[j][t]);
            }
            for (int j = first + part % warps; j < end; j += warps) {
                for (int t = 0; t < 32; t++) l[t] += exp(score[j][t] - m[t]);
                for (int d = 0, t; d < s.head_dim; d++)
                    t = d / (by_warps ? 32 : n), own[d] += exp(score[j][t] - m[t]) * v[j * s.head_dim + d];
            }
            if (first + part % warps >= end) continue;
            for (int t = 0; t < 32; t++) all += l[t];
            for (int d = 0; d < s.head_dim; d++) o[d] += exp(m[0]) * own[d] * (by_warps ? l[0] / l[d / 32] : 1);
            sum += exp(m[0]) * (by_warps ? l[0] : all);
        }
        for (int d = 0; d < s.head_dim; d++) wrong.got[row * s.head_dim + d] = length ? (float)(o[d] / sum) : 0;
    }
    it_says(words);
    release(NULL);
}

static void a_score_of_one_lane_or_one_warp_is_named(void **state) {
    (void)state;
    for (int splits = 0; splits < 6; splits += 5)
        for (int n = 1; n <= 4; n *= 2) {
            with_own_scores(n, 0, splits, "a softmax of each lane over its own part of q . k");
            if (n > 1) with_own_scores(n, 1, splits, "scores over the 32 dims of one warp");
        }
}

int main(void) {
    const struct CMUnitTest claims[] = {
        CLAIM(scores_of_some_dims_are_named),
        CLAIM(few_threads_with_their_own_scores_are_named),
        CLAIM(a_score_of_one_lane_or_one_warp_is_named),
    };
    return cmocka_run_group_tests_name("explain_own_scores", claims, NULL, release);
}
