// task3_lanes.h: the end of task3.c: the division, threads, sums in lanes, the exponential.
#ifndef LAB_TASK3_LANES_H
#define LAB_TASK3_LANES_H

// ---- 3.8: O [seq_q + 1][D], the last row untouched ------------------------------------------------------------------

PROBE(divide) {
    const int D = shape.head_dim;
    float m[64], *o = malloc(sizeof(float) * shape.seq_q * D);
    untouched(tensors[0], (size_t)(shape.seq_q + 1) * D);
    for (int r = 0; r < 64; r++) m[r] = 3.0f + r;
    if (!o) return ATTN_NO_MEMORY;
    memcpy(o, tensors[1], sizeof(float) * shape.seq_q * D);
    const tile t = {.D = D, .Bc = 7, .i0 = 1, .j0 = 14, .nq = shape.seq_q, .nk = 7, .O = o, .m = m, .l = tensors[2]};
    const attn_status status = divide(tensors[0], t);
    free(o);
    return status;
}

// ---- 3.9: on 4 threads: how many take working memory of their own; how many do the same job, -1: nobody does any -----

PROBE(threads) {
    const int before = omp_get_max_threads();
    int given = 0;  // the machine may have a limit
    plain = 1;
    memset(&counted, 0, sizeof counted);
    omp_set_num_threads(ASKED_THREADS);
#pragma omp parallel
#pragma omp atomic  // omp_get_num_threads may be that of another compiler's library
    given++;
    attn_status status = attn_tiled(tensors[4], tensors[1], tensors[2], tensors[3], shape, (attn_tiles){4, 8});
    omp_set_num_threads(before);
    const int shared = counted.tiles == 1 && counted.in_team;
    if (status == ATTN_OK && counted.tiles < given && counted.tiles == 1 && !shared) status = ATTN_TODO(3, 9);
    tensors[0][0] = shared ? 1.0f : (float)counted.tiles * ASKED_THREADS / given;
    tensors[0][1] = 0.0f;
    tensors[0][2] = counted.freed < counted.tiles;
    // A thread's memory shows its last job. Threads that share the jobs have different last ones, or none.
    int worked = 0;
    for (int i = 0; i < counted.tiles; i++) {
        worked += counted.left[i] != 0;
        for (int j = 0; j < i; j++)
            if (counted.left[i] && counted.left[i] == counted.left[j]) tensors[0][1]++;
    }
    if (counted.tiles && !worked) tensors[0][1] = -1.0f;
    return status;
}

// ---- 3.10: is the dot product summed in lanes? 1 + 2^-24 is 1, term after term; the small terms of a lane add up ----

PROBE(lanes) {
    enum { N = 64 };
    float q[N], k[N];
    for (int i = 0; i < N; i++) q[i] = i ? 0x1p-12f : 1.0f, k[i] = 8.0f * q[i];  // 8 = sqrt(N)
    const tile t = {.D = N, .Bc = 1, .nq = 1, .nk = 1, .Q = q, .K = k, .S = tensors[0]};
    const attn_status status = compute_scores(t);
    return status == ATTN_OK && tensors[0][0] == 1.0f ? ATTN_TODO(3, 10) : status;
}

// A loop that calls fmaxf stays as it is, pragma or not.
PROBE(max_in_lanes) {
    enum { N = 64 };
    float s[N], m = -INFINITY;
    for (int i = 0; i < N; i++) s[i] = i == 37;
    counted.maxima = 0;
    const attn_status status = raise_max(&m, s, N);
    tensors[0][0] = m;
    return status == ATTN_OK && counted.maxima ? ATTN_TODO(3, 10) : status;
}

// ---- 3.13: 1 + 50 times the relative error for each x; 0 where both are 0 -------------------------------------------

PROBE(exp_of) {
    const float least = 0x1p-126f;
    plain = counted.calls = 0;
    for (int i = 0; i < shape.seq_q; i++) {
        const double want = exp(tensors[1][i]);
        const float got = exp_of(tensors[1][i]);
        tensors[0][i] = want < least && fabsf(got) < least ? 0.0f : (float)(1.0 + 50.0 * (got / want - 1.0));
    }
    return counted.calls ? ATTN_TODO(3, 13) : ATTN_OK;
}

#endif
