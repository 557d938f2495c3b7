// tiled_cpu.c: attention in tiles on the CPU, for few queries and many keys: threads part the keys of a strip, too.
//
//      keys     0 .. 511     512 .. 1023   1024 .. 1535  ...
//             +------------+-------------+-------------+--    a job: one strip of queries and one part of the keys.
//      strip  |  m, l, Ot  |  m, l, Ot   |  m, l, Ot   |      First all jobs; then the parts of a strip are joined: m
//             +------------+-------------+-------------+--    is the largest, each l and Ot weighs 2^(its own m - m).
//
// How many parts there are follows from the shape alone, so that the result does not depend on the threads. Where the
// strips are enough for many threads there is one part: then it is guessed_maximum, whose file this one includes.
#define attn_tiled attn_tiled_whole
#include "../ladder/guessed_maximum/task3_tiled_cpu/tiled_cpu.c"  // the compiler searches grader/core
#undef attn_tiled

#ifndef KEY_TILE
#define KEY_TILE 128  // the suite of rungs takes 16, so that the claims' shapes have parts
#endif
enum { LEAST_KEYS = 4 * KEY_TILE, JOBS = 64 };  // a part has LEAST_KEYS or more; so many jobs are enough

typedef struct {
    int strips, parts, keys;  // of a head; of a strip's keys; keys of a part, a multiple of KEY_TILE
    size_t jobs;
    row *m, *l, *Ot;  // [jobs], [jobs], [jobs][D]: the results of the parts
} plan;

static plan make_plan(attn_shape shape) {
    plan p = {.strips = (shape.seq_q + STRIP - 1) / STRIP};
    const size_t strips = (size_t)shape.batch * shape.heads * p.strips;
    p.parts = strips >= JOBS ? 1 : min_int((int)(JOBS / strips), shape.seq_kv / LEAST_KEYS);
    if (p.parts < 2) return p;
    p.keys = (shape.seq_kv + p.parts - 1) / p.parts;
    p.keys = (p.keys + KEY_TILE - 1) / KEY_TILE * KEY_TILE;
    p.parts = (shape.seq_kv + p.keys - 1) / p.keys;
    p.jobs = strips * p.parts;
    return p;
}

// One strip against one part of its keys. The arguments are the head's; t has its queries and its place for the result.
static void attend_part(tile t, int part, plan p, const float *Q, const float *K, const float *V, attn_shape shape) {
    load_strip(t, 0, Q + (size_t)t.first * shape.head_dim, t.count, shape.head_dim);
    // A query may see no key of this part. Its m must be finite all the same: -INFINITY - (-INFINITY) is no number.
    for (int v = 0; v < VECS; v++) t.m->v[v] = (vec){0} - 1e30f;
    const int end = min_int((part + 1) * p.keys, keys_seen(shape, t.first + t.count - 1));
    for (int j0 = part * p.keys; j0 < end; j0 += KEY_TILE) attend_strip(t, 0, j0, K, V, shape);
}

// Joins the parts of a strip, the first of which is t, and writes its rows of O. Afterwards t holds the sum.
static void join_parts(tile t, plan p, float *O, int D) {
    row top = *t.m, l = {{{0}}};
    for (int i = 1; i < p.parts; i++)
        for (int v = 0; v < VECS; v++) top.v[v] = max_vec(top.v[v], t.m[i].v[v]);
    for (int i = 0; i < p.parts; i++)
        for (int v = 0; v < VECS; v++) {
            const vec weight = exp2_vec(t.m[i].v[v] - top.v[v]);
            l.v[v] += weight * t.l[i].v[v];
            for (int d = 0; d < D; d++) {
                const vec part = weight * t.Ot[i * D + d].v[v];
                t.Ot[d].v[v] = i ? t.Ot[d].v[v] + part : part;
            }
        }
    *t.l = l;
    store_strip(t, 0, O + (size_t)t.first * D, t.count, D);
}

static tile job_tile(plan p, size_t job, attn_shape shape) {
    const int first = (int)(job / p.parts % p.strips) * STRIP;
    return (tile){.first = first,
                  .count = min_int(STRIP, shape.seq_q - first),
                  .Bc = KEY_TILE,
                  .m = p.m + job,
                  .l = p.l + job,
                  .Ot = p.Ot + job * shape.head_dim};
}

static void attend_jobs(plan p, tile own, float *O, const float *Q, const float *K, const float *V, attn_shape shape) {
    const int D = shape.head_dim;
    const size_t queries = (size_t)shape.seq_q * D, keys = (size_t)shape.seq_kv * D;
#pragma omp for schedule(dynamic)
    for (size_t job = 0; job < p.jobs; job++) {
        const size_t head = job / p.parts / p.strips;
        tile t = job_tile(p, job, shape);
        t.Qt = own.Qt, t.St = own.St;
        if (own.Qt)
            attend_part(t, (int)(job % p.parts), p, Q + head * queries, K + head * keys, V + head * keys, shape);
    }  // all parts are there before any is joined
#pragma omp for
    for (size_t job = 0; job < p.jobs; job += p.parts)
        if (own.Qt) join_parts(job_tile(p, job, shape), p, O + job / p.parts / p.strips * queries, D);
}

attn_status attn_tiled(float *O, const float *Q, const float *K, const float *V, attn_shape shape, attn_tiles tiles) {
    plan p = make_plan(shape);
    if (p.parts < 2) return attn_tiled_whole(O, Q, K, V, shape, tiles);
    p.m = aligned_alloc(sizeof(row), sizeof(row) * p.jobs * (shape.head_dim + 2));
    if (!p.m) return ATTN_NO_MEMORY;
    p.l = p.m + p.jobs, p.Ot = p.l + p.jobs;
    attn_status status = ATTN_OK;
#pragma omp parallel reduction(max : status)
    {
        tile own = make_tile(STRIP, KEY_TILE, shape.head_dim);
        if (!own.Qt) status = ATTN_NO_MEMORY;
        attend_jobs(p, own, O, Q, K, V, shape);
        free(own.Qt);
    }
    free(p.m);
    return status;
}
