#!/usr/bin/env bash
# own_macros.sh: files whose macros declare, loop, wait and choose: what stands in them and behind them is read, and the
# change that undoes a slip there is among the likeliest. TAP.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/../.."
# shellcheck source=grader/tests/undone.sh
source grader/tests/undone.sh
likely=400

# What a macro declares is known behind it, and stays where it is; so are rows of any length.
cat >"$top/right.c" <<'E'
#include <math.h>
#include <stddef.h>
typedef struct { int batch, heads; } sizes;
#define DIMS(s) \
    const size_t B = (s).batch, H = (s).heads
#define FOR(i, n) for (size_t i = 0; i < (n); ++i)
static float inner(int n, const float x[restrict static n], const float y[restrict static n]) {
    float sum = 0;
    for (int i = 0; i < n; i++) sum += x[i] * y[i];
    return sum;
}
void turn(float *X, const float *Y, sizes s) {
    DIMS(s);
    const size_t all = B * H;
    float (*restrict x)[H] = (float (*)[H])X;
    const float (*restrict y)[B] = (const float (*)[B])Y;
#pragma omp parallel for collapse(2)
    FOR(b, B) {
        FOR(h, H) {
            x[b][h] = y[h][b] / all;
        }
    }
    X[0] = inner((int)H, X, Y);
}
E
undone right.c 'B * H' 'B + H'
undone right.c 'y[h][b]' 'y[b][b]'
undone right.c 'sum += x' 'sum = x'
build/bin/edits "$top/right.c" "$top/out.c" "$top/table.tsv" --limit 200
log=$(gcc -std=gnu11 -w -fsyntax-only -fmax-errors=0 -fopenmp "$top/out.c" 2>&1 || true)
[[ $log != *"right.c:"*" error"* && $log != *"undeclared"* ]] || complain "$log"
claim what_a_macro_declares_and_loops_that_are_one_stay_together

cat >"$top/right.cu" <<'E'
#define BARRIER __syncthreads();
#define EACH(i, n) for (int i = threadIdx.x; i < (n); i += 32)
struct Head {
    const float *q;
    int pitch;
    __device__ Head(const float *Q, int bh, int S, int D) : q(Q + bh * S * D), pitch(D) {}
};
static __global__ void sums(float *O, const float *S, int rows, int cols) {
    __shared__ float all[32];
    all[threadIdx.x] = 0;
    BARRIER

    EACH(r, rows)
    {
        float sum = 0.0f;
        for (int c = 0; c < cols; c++) sum += S[r * cols + c];
        all[r % 32] += sum;
    }
    BARRIER
    if (threadIdx.x == 0) O[0] = all[0];
}
E
undone right.cu 'int c = 0' 'int c = 1'
undone right.cu 'sum += S' 'sum = S'
claim what_stands_behind_a_macro_without_a_semicolon_is_read
undone right.cu 'bh * S * D' 'bh * S' 500
undone right.cu 'Q + bh' 'Q - bh' 500
claim what_members_begin_with_is_changed

# The threads of a block do not go round such a loop equally often: no barrier in it, and one before it.
cp "$top/right.cu" "$top/wrong.cu"
sed -i '0,/^    BARRIER$/{/^    BARRIER$/d}' "$top/wrong.cu"
build/bin/edits "$top/wrong.cu" "$top/out.cu" "$top/table.tsv" --limit 3000
lines=$(awk -F'\t' '$6 == "barrier" { print $3 }' "$top/table.tsv" | sort -nu | tr '\n' ' ')
[[ " $lines" == *" 12 "* && " $lines" != *" 1[5-7] "* ]] || complain "barriers before lines $lines"
claim no_barrier_comes_into_a_loop_of_a_macro_over_a_threads_own

cat >"$top/right.cu" <<'E'
#include <algorithm>
#define CASE(D) case D: return go<D>(n)
template <int D> int go(int n) { return n * D; }
int choose(int D, int n, const int *past, int batch) {
    if (std::all_of(past, past + batch, [](int p) { return p == 0; })) return 1;
    switch (D) {
        CASE(8); CASE(16); CASE(24);
    }
    return 0;
}
E
undone right.cu 'p == 0' 'p != 0'
claim a_lambda_in_a_condition_is_read
build/bin/edits "$top/right.cu" "$top/out.cu" "$top/table.tsv" --limit 30000
labels=$(awk -F '\t' '$3 == 7' "$top/table.tsv")
[[ ! $labels ]] || complain "$labels"
claim a_label_of_a_macro_stays

cat >"$top/right.cu" <<'E'
#define CASE(D) case D: return go<D>(O, Q, n)
template <int D> int go(float *O, const float *Q, int n) {
    for (int i = 0; i < n; i++) {
        float &o = O[i];
        o = Q[i * D];
    }
    return 0;
}
__global__ void parts(float *O, const float4 *Q) {
    __shared__ float all[4][128], whole[2][64];
    ((float4 *)all[threadIdx.y])[threadIdx.x] = Q[threadIdx.x];
    reinterpret_cast<float4 *>(whole[threadIdx.y])[threadIdx.x] = Q[threadIdx.x];
    O[threadIdx.x] = all[0][threadIdx.x] + whole[0][threadIdx.x];
}
int attn_all(float *O, const float *Q, int n, int D) {
    switch (D) {
        CASE(8); CASE(16);
    }
    return 1;
}
E
run build/bin/edits "$top/right.cu" --idle .
[[ $out != *input* && $out != *unread* && $out != *unset* ]] || complain "$out"
claim what_a_macro_reads_and_what_is_set_by_another_name_is_used

# A macro that declares is no statement that may go: what is behind it would not compile.
cat >"$top/head.c" <<'E'
#define HEAD                              \
    float tile[16];                       \
    const int first = 16 * block, n = 16; \
    A += first;
void block_sum(float *C, const float *A, int block, int steps) {
    HEAD
    float acc[2] = {0.0f, 0.0f};
    for (int s = 0; s < steps; s++) {
        for (int i = 0; i < n; i++) tile[i] = A[s * n + i];
        for (int i = 0; i < n; i++) acc[i % 2] += tile[i];
    }
    C[first] = acc[0] + acc[1];
}
E
sed 's/  *for (int i = 0; i < n; i++) acc/        acc[0] = acc[1] = 0.0f;\n&/' "$top/head.c" >"$top/wrong.c"
build/bin/edits "$top/wrong.c" "$top/out.c" "$top/table.tsv" --limit 3000
[[ ! $(awk -F '\t' '$3 == 6 && $7' "$top/table.tsv") ]] || complain 'a macro that declares is taken for a statement'
[[ $(awk -F '\t' '$6 == "statement" && $7 == "acc[0] = acc[1] = 0.0f;" && !$8 {print $2}' "$top/table.tsv") == 7 ]] ||
    complain 'a sum that begins anew in each round is hardly likely to go'
claim a_macro_declares_and_a_sum_begins_anew_in_each_round
plan
