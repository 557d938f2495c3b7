/* An OpenMP veteran: variables at the top, private lists, one scratch array cut by thread. */
#include "task3.h"
#include <math.h>
#include <omp.h>
#include <stdlib.h>

static long div_up(long a, long b) { return (a + b - 1) / b; }

attn_status attn_tiled(float *O, const float *Q, const float *K, const float *V, attn_shape s, attn_tiles tiles) {
    int br, bc, nthreads, tid, i, j, d, r, c, nr, nc, D, lim;
    long job, njobs, per_head, head, i0, j0;
    size_t each;
    float *pool, *S, *acc, *mx, *sum, x, old, corr, scale;
    const float *q, *k, *v;

    D = s.head_dim;
    br = tiles.Br > 0 ? tiles.Br : 64;
    bc = tiles.Bc > 0 ? tiles.Bc : 64;
    if (br > s.seq_q) br = s.seq_q;
    if (bc > s.seq_kv) bc = s.seq_kv;
    nthreads = omp_get_max_threads();
    each = (size_t)br * bc + (size_t)br * D + 2 * br;
    pool = malloc(nthreads * each * sizeof(float));
    if (!pool) return ATTN_NO_MEMORY;
    per_head = div_up(s.seq_q, br);
    njobs = per_head * s.batch * s.heads;
    scale = 1.0f / sqrtf(D);

#pragma omp parallel for schedule(dynamic, 1) default(shared) private(tid, i, j, d, r, c, nr, nc, lim, head, i0, j0,   \
                                                                      S, acc, mx, sum, x, old, corr, q, k, v)
    for (job = 0; job < njobs; job++) {
        tid = omp_get_thread_num();
        S = pool + tid * each;
        acc = S + (size_t)br * bc;
        mx = acc + (size_t)br * D;
        sum = mx + br;
        head = job / per_head;
        i0 = (job % per_head) * br;
        nr = s.seq_q - i0 < br ? s.seq_q - i0 : br;
        for (i = 0; i < nr; i++) {
            mx[i] = -INFINITY;
            sum[i] = 0.0f;
        }
        for (i = 0; i < nr * D; i++) acc[i] = 0.0f;
        for (j0 = 0; j0 < s.seq_kv; j0 += bc) {
            nc = s.seq_kv - j0 < bc ? s.seq_kv - j0 : bc;
            for (r = 0; r < nr; r++) {
                q = Q + ((size_t)head * s.seq_q + i0 + r) * D;
                lim = s.causal ? i0 + r + s.seq_kv - s.seq_q - j0 : nc - 1;
                if (lim < 0) continue;
                if (lim >= nc) lim = nc - 1;
                old = mx[r];
                for (c = 0; c <= lim; c++) {
                    k = K + ((size_t)head * s.seq_kv + j0 + c) * D;
                    x = 0.0f;
                    for (d = 0; d < D; d++) x += q[d] * k[d];
                    S[r * bc + c] = x * scale;
                    if (S[r * bc + c] > mx[r]) mx[r] = S[r * bc + c];
                }
                corr = expf(old - mx[r]);
                sum[r] *= corr;
                for (d = 0; d < D; d++) acc[r * D + d] *= corr;
                for (c = 0; c <= lim; c++) {
                    x = expf(S[r * bc + c] - mx[r]);
                    sum[r] += x;
                    v = V + ((size_t)head * s.seq_kv + j0 + c) * D;
                    for (d = 0; d < D; d++) acc[r * D + d] += x * v[d];
                }
            }
        }
        for (r = 0; r < nr; r++)
            for (d = 0; d < D; d++) {
                j = (int)(i0 + r);
                O[((size_t)head * s.seq_q + j) * D + d] = acc[r * D + d] / sum[r];
            }
    }
    free(pool);
    return ATTN_OK;
}
