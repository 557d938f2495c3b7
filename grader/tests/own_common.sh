#!/usr/bin/env bash
# own_common.sh: what those who write in a hurry mix up most is always tried, whatever the file (grader/repair/edits):
# row and column, what is taken from what, queries and keys (crossed), the numbers of threads and blocks (axes), how
# long what is counted is (unmultiplied), where a tile begins (origin), another size of a shape (sizes), another array
# (tensors), the sum by which is divided (total), one key more (visible), 0 for what is hidden (lowest), no score at all
# (skipped). TAP.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/../.."
# shellcheck source=grader/tests/undone.sh
source grader/tests/undone.sh
likely=900  # so many are tried where a call takes long

cat >"$top/right.cu" <<'E'
#include "task4.h"
constexpr int BR = 32, BC = 16;
__global__ void flash(float *O, const float *Q, const float *K, const float *V, attn_shape shape, int begin,
                      int splits) {
    extern __shared__ float memory[];
    const int D = shape.head_dim, Sq = shape.seq_q, Sk = shape.seq_kv;
    const size_t head = (size_t)blockIdx.z * shape.heads + blockIdx.y;
    const int row0 = blockIdx.x * BR, row = row0 + threadIdx.x, first = splits;
    float *ks = memory, *vs = ks + BC * D, *scores = vs + BC * D;
    Q += head * Sq * D;
    K += head * Sk * D;
    V += head * Sk * D;
    float m = -INFINITY, l = 0.0f, o = 0.0f;
    const int seen = shape.causal ? min(Sk, row + Sk - Sq + 1) : Sk;
    for (int k0 = 0; k0 < seen; k0 += BC) {
        for (int at = threadIdx.x; at < BC * D; at += blockDim.x) ks[at] = K[(size_t)k0 * D + at];
        for (int at = threadIdx.x; at < BC * D; at += blockDim.x) vs[at] = V[(size_t)k0 * D + at];
        __syncthreads();
        float m_new = m;
        for (int c = 0; c < BC; c++) {
            float dot = 0.0f;
            for (int d = 0; d < D; d++) dot += Q[(size_t)row * D + d] * ks[c * D + d];
            scores[threadIdx.x * BC + c] = k0 + c < seen ? dot : -INFINITY;
            m_new = fmaxf(m_new, scores[threadIdx.x * BC + c]);
        }
        const float alpha = expf(m - m_new);
        l *= alpha;
        for (int c = 0; c < BC; c++) {
            const float p = expf(scores[threadIdx.x * BC + c] - m_new);
            l += p;
            o = o * alpha + p * vs[c * D + first];
        }
        m = m_new;
        __syncthreads();
    }
    for (int s = begin; s < splits; s++) o += s;
    O[(head * Sq + row) * D] = o / l;
}
attn_status run(float *S, attn_shape s, cudaStream_t stream) {
    const int heads = s.batch * s.heads;
    return softmax(S, S, heads * s.seq_q, s.seq_kv, stream);
}
E
undone right.cu 'ks[c * D + d]' 'ks[d * D + c]'
undone right.cu 'expf(m - m_new)' 'expf(m_new - m)'
undone right.cu 'row + Sk - Sq + 1' 'row + Sq - Sk + 1'
undone right.cu 'heads * s.seq_q, s.seq_kv' 'heads * s.seq_kv, s.seq_q'
cat >"$top/quotient.cu" <<'E'
__global__ void softmax(float *P, const float *S, int cols, float m, float l) {
    for (int c = threadIdx.x; c < cols; c += blockDim.x) P[c] = expf(S[c] - m) / l;
}
E
undone quotient.cu 'expf(S[c] - m) / l' 'expf((S[c] - m) / l)'
claim names_that_stand_in_each_others_place_change_it
undone right.cu 'row0 = blockIdx.x' 'row0 = blockIdx.y'
undone right.cu 'row0 + threadIdx.x' 'row0 + blockIdx.x'
claim numbers_of_blocks_and_threads_are_tried_for_each_other
undone right.cu 'K += head * Sk * D' 'K += head * Sk'
undone right.cu '(size_t)blockIdx.z * shape.heads' '(size_t)blockIdx.z'
claim the_length_of_what_is_counted_is_tried
undone right.cu 'row = row0 + threadIdx.x' 'row = threadIdx.x'
undone right.cu 'k0 + c < seen' 'c < seen'
undone right.cu 's = begin; s' 's = 0; s'
claim where_a_tile_begins_is_added
undone right.cu 'Sk = shape.seq_kv' 'Sk = shape.seq_q'
undone right.cu 's.batch * s.heads' 's.batch * s.batch'
claim another_size_of_the_shape_is_tried
undone right.cu 'p * vs[' 'p * ks['
claim another_array_is_tried
undone right.cu '= o / l' '= o'
claim the_sum_by_which_is_divided_is_tried
undone right.cu 'Sk - Sq + 1)' 'Sk - Sq)'
claim one_key_more_is_tried
cat >"$top/part.c" <<'E'
typedef struct { float top, whole, acc[128]; } line_state;
static float feed(line_state *st, float shrink, const float *w, int n) {
    float part = 0.0f;
    for (int c = 0; c < n; c++) part += w[c];
    st->whole = shrink * st->whole + part;
    return part;
}
void one_line(float *o, const float *w, int n, int D) {
    line_state st = {0};
    const float part = feed(&st, st.top, w, n);
    for (int d = 0; d < D; d++) o[d] = st.acc[d] / st.whole;
    o[0] += part;
}
E
undone part.c 'st.acc[d] / st.whole' 'st.acc[d] / part' 30
claim the_sum_of_a_state_that_nobody_reads_is_what_is_divided_by
undone right.cu '? dot : -INFINITY' '? dot : 0.0f'
claim what_is_hidden_is_not_0
cat >"$top/hidden.c" <<'E'
void hide(float *s, size_t rows, size_t cols, size_t Sq, size_t seq_kv) {
    const size_t offset = cols - rows, more = seq_kv - Sq;
    for (size_t i = 0; i < rows; i++)
        for (size_t j = 0; j < cols; j++)
            if (j > i - offset || j > i - more) s[i * cols + j] = -INFINITY;
}
E
build/bin/edits "$top/hidden.c" "$top/out.c" "$top/table.tsv" --limit 30000
turned=$(awk -F'\t' '$3 == 5 && $7 == "-" && $8 == "+" { print $2 }' "$top/table.tsv" | sort -n | head -1)
for gap in 'rows - cols' 'Sq - seq_kv'; do
    late=$(awk -F'\t' -v now="$gap" '$3 == 2 && $8 == now { print $2 }' "$top/table.tsv" | sort -n | head -1)
    ((turned && late > turned)) || complain "$gap: $late, and a sign: $turned"
done
claim keys_less_queries_are_right_and_a_sign_elsewhere_is_not
cat >"$top/skips.c" <<'E'
void scores(float *s, const float *q, const float *k, int n, int seen, int dim) {
    for (int c = 0; c < n; c++) {
        if (c > seen) { s[c] = -INFINITY; continue; }
        float dot = 0.0f;
        for (int d = 0; d < dim; d++) dot += q[d] * k[c * dim + d];
        s[c] = dot;
    }
}
E
undone skips.c '{ s[c] = -INFINITY; continue; }' 'continue;' 300
cat >"$top/keys.cu" <<'E'
__global__ void scores(float *p, const float *q, const float *k, int left, int begin, int dim) {
    const int tid = threadIdx.x, n = min(128, left - begin);
    float s = 0.0f;
    if (tid < n) for (int d = 0; d < dim; d++) s += q[d] * k[tid * dim + d]; else s = -INFINITY;
    const float top = block_max(s);
    p[tid] = expf(s - top);
}
E
undone keys.cu 'if (tid < n) for (int d = 0; d < dim; d++) s += q[d] * k[tid * dim + d]; else s = -INFINITY;' \
    'for (int d = 0; d < dim; d++) s += q[d] * k[tid * dim + d];'
claim what_is_skipped_and_who_has_no_key_have_a_score_of_minus_infinity
cat >"$top/strides.cu" <<'E'
__global__ void scale(float *s, size_t n, float by) {
    for (size_t i = (size_t)blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x) s[i] *= by;
}
E
sed 's|for (size_t i = \(.*threadIdx.x\); i < n; [^)]*)|size_t i = \1; if (i < n)|' "$top/strides.cu" >"$top/wrong.cu"
build/bin/edits "$top/wrong.cu" "$top/out.cu" "$top/table.tsv" --limit 30000
[[ $(<"$top/table.tsv") == *'for (size_t at = i; at < n; at += gridDim.x * blockDim.x) s[at] *= by;'* ]] ||
    complain "no stride of the whole grid"
claim a_thread_of_a_grid_that_is_too_small_goes_on
cat >"$top/cases.c" <<'E'
void add(float *m, float *l, float s) {
    if (s > *m) {
        *l *= expf(*m - s);
        *m = s;
    } else {
        *l += expf(s - *m);
    }
    *m = *l;
}
E
build/bin/edits "$top/cases.c" "$top/out.c" "$top/table.tsv" --limit 30000
cases=$(awk -F'\t' '$6 == "in both cases" { print $3 ": " $8 }' "$top/table.tsv")
[[ $cases == '2: { *l += expf(s - *m); }' ]] || complain "what an else does, in both cases: $cases"
sed '/} else {/,/^    }/c\    }' "$top/cases.c" >"$top/wrong.c"
build/bin/edits "$top/wrong.c" "$top/out.c" "$top/table.tsv" --limit 30000
[[ $(<"$top/table.tsv") == *'if (!(s > *m)) *m = *l;'* ]] || complain "what stands behind an if, in its else"
claim what_an_else_is_about_is_done_in_both_cases_and_the_other_way_round
cat >"$top/grid.cu" <<'E'
#include "task5.h"
attn_status store(float *cache, const float *x, int count, attn_layer all) {
    const attn_cache size = all.size;
    const int blocks = (count * size.head_dim + 128 - 1) / 128;
    kernel<<<blocks, 128>>>(cache, x);
    return ATTN_OK;
}
E
undone grid.cu 'count * size.head_dim' 'count'
claim what_a_local_struct_says_is_a_length_too
cat >"$top/lanes.cu" <<'E'
__global__ void sum(float *x) {
    __shared__ float sums[8];
    const int lane = threadIdx.x & 31, w = threadIdx.x >> 5;
    if (lane == 0) {
        sums[w] = x[w];
    }
    __syncthreads();
    x[threadIdx.x] = sums[0];
}
E
undone lanes.cu $'    }\n    __syncthreads();' $'        __syncthreads();\n    }' 3
claim a_barrier_stands_behind_the_if_that_few_threads_enter
cat >"$top/same.c" <<'E'
int all_alike(const int *past, int n) {
    for (int b = 0; b < n; b++)
        if (past[b] < 1 || past[b] == past[0]) return 0;
    return past[n] == past[n];
}
E
build/bin/edits "$top/same.c" "$top/out.c" "$top/table.tsv" --limit 30000
alike=$(awk -F'\t' '$3 == 3' "$top/table.tsv" | grep -F -e 'past[0] == past[0]' -e 'past[b] == past[b]' || true)
[[ -z $alike ]] || complain "it asks nothing: $alike"
[[ $(awk -F'\t' '$3 == 4' "$top/table.tsv") ]] || complain 'what stands compared with itself is not changed'
claim no_change_compares_a_number_with_itself

cat >"$top/tile.c" <<'E'
typedef struct { int i0, rows, n, dim; const float *part; } tile;
static int seen(const tile *w, int r) { return w->i0 + r + 1; }
void store(float *O, const tile *w, int head) {
    for (int r = 0; r < w->rows; r++)
        for (int d = 0; d < w->dim; d++) O[(head * w->n + w->i0 + r) * w->dim + d] = w->part[r * w->dim + d];
}
void clear(float *O, const tile *w) {
    for (int row = 0; row < w->rows; row++) O[(w->i0 + row) * w->dim] = seen(w, row);
}
E
undone tile.c 'w->n + w->i0 + r' 'w->n + r' 60
undone tile.c '(w->i0 + row) * w->dim' 'row * w->dim' 200
build/bin/edits "$top/tile.c" "$top/out.c" "$top/table.tsv" --limit 30000
begins=$(awk -F'\t' '$6 == "origin" && index($8, "w->n + ")' "$top/table.tsv")
[[ -z $begins ]] || complain "a length is no beginning: $begins"
claim a_row_of_a_tile_lies_behind_its_first_one_which_a_field_says

cat >"$top/grown.c" <<'E'
void raise(float *m, float *l, float top, int n) {
    if (top > *m) {
        *l *= n;
        *m = top;
    }
    if (n != 3) *l += 1.0f;
}
E
undone grown.c 'top > *m' 'top != *m' 20
build/bin/edits "$top/grown.c" "$top/out.c" "$top/table.tsv" --limit 30000
[[ -z $(awk -F'\t' '$3 == 6 && $8 == ">" && $2 < 12' "$top/table.tsv") ]] || complain 'whole numbers, too'
claim a_maximum_is_raised_by_what_is_larger_and_not_by_what_differs

cat >"$top/state.cu" <<'E'
#include "task2.h"
struct Stat {
    float m, l;
};
__global__ void rows(float *P, const float *S, int n) {
    Stat mine = {0.0f, 0.0f};
    for (int c = threadIdx.x; c < n; c += 32)
        if (S[c] > mine.m) mine.m = S[c];
    P[threadIdx.x] = mine.m + mine.l;
}
attn_status ask(attn_shape s, int n) {
    if (s.causal && s.seq_q != s.seq_kv) return ATTN_BAD_SHAPE;
    return n != 0 ? ATTN_BAD_SHAPE : ATTN_OK;
}
E
build/bin/edits "$top/state.cu" "$top/out.cu" "$top/table.tsv" --limit 3000
run awk -F'\t' '$3 == 6 && $8 == "-INFINITY" { print $4, $2 < 10 }' "$top/table.tsv"
[[ $out == *'18 1'* && $out != *'24 1'* ]] || complain "$out"
run awk -F'\t' '$7 == "!=" && $8 == ">" && $2 < 40 { printf "%s;", $3 }' "$top/table.tsv"
[[ $out == '12;'* && $out != *'13;'* ]] || complain "$out"
claim a_maximum_in_a_struct_begins_with_minus_infinity_and_one_size_may_be_the_larger_one

cat >"$top/lanes.c" <<'E'
typedef float vec __attribute__((vector_size(16)));
static attn_status block(float *C) { vec sum = *(vec *)C; *(vec *)C = sum + sum; return ATTN_OK; }
attn_status helper(float *C) { vec sum = *(vec *)C; *(vec *)C = sum; return ATTN_OK; }
static float first(float *C) { vec sum = *(vec *)C; return sum[0]; }
attn_status attn_tiled(float *C) { vec sum = *(vec *)C; *(vec *)C = sum; return block(C); }
attn_status plain(float *C) { return block(C); }
E
build/bin/edits "$top/lanes.c" "$top/out.c" "$top/table.tsv" --limit 100
vectors=$(grep -oE '(block|helper|first|attn_tiled|plain)\(float \*C\) \{( LAB_[A-Z_]*)?' "$top/out.c" |
    sed 's/(float \*C) {//')
[[ $vectors == $'block LAB_OPEN\nhelper LAB_OPEN\nfirst LAB_NO_C\nattn_tiled LAB_NO_C\nplain' ]] || complain "$vectors"
claim tcc_is_told_which_functions_have_vectors
{
    printf 'typedef int attn_status;\nenum { ATTN_OK };\n'
    cat "$top/out.c"
} >"$top/alone.c"
mapfile -t others < <(cut -f 1 "$top/table.tsv" | sed -n 's/^[0-9]/-DDROP_&/p')
run cc -std=gnu11 -fsyntax-only -DLAB_EDIT=1 "${others[@]}" "$top/alone.c"
[[ $status == 0 ]] || complain "$out"
claim a_change_alone_compiles_where_functions_have_vectors
plan
