#!/usr/bin/env bash
# own_beside.sh: what another line, or the place beside it, says of a slip: a size that a call says, a factor of the
# next argument, what a thread has elsewhere, the element of this round, the other half of an if, or of a ?:, a flag
# that begins wrong (grader/repair/edits: bare, conditions, constants, guarded, numbered, operators, reads, regrouped,
# shared, shares, vacuous). TAP.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/../.."
# shellcheck source=grader/tests/undone.sh
source grader/tests/undone.sh
likely=80

cat >"$top/sizes.cu" <<'END'
template <int D> int go(float *C, int n);
int run(float *C, int n) {
    if (n <= 32) return go<32>(C, n);
    if (n <= 64) return go<64>(C, n);
    return go<128>(C, n);
}
END
undone sizes.cu 'n <= 64' 'n < 128' 20
claim a_question_asks_as_far_as_what_it_calls_goes

cat >"$top/heads.cu" <<'END'
int product(float *C, const float *A, const float *B, int batch, int m, int n);
int chain(float *S, float *O, const float *Q, const float *K, const float *V, int batch, int heads, int rows, int n) {
    if (product(S, Q, K, batch * heads, rows, n)) return 1;
    return product(O, S, V, batch * heads, rows, n);
}
END
undone heads.cu $'batch * heads, rows, n)) return 1;\n    return product(O, S, V, batch * heads, rows' \
    $'batch, heads * rows, n)) return 1;\n    return product(O, S, V, batch, heads * rows'
claim a_factor_belongs_to_the_argument_beside_it

cat >"$top/lanes.cu" <<'END'
__global__ void store(float *O, const float *V, int D, float p) {
    const int lane = threadIdx.x % 32;
    float o[4] = {0.0f, 0.0f, 0.0f, 0.0f};
    for (int i = 0; i < 4; i++)
        if (lane + 32 * i < D) o[i] += p * V[blockIdx.x * D + lane + 32 * i];
    for (int i = 0; i < 4; i++)
        if (lane + 32 * i < D) O[blockIdx.x * D + lane + 32 * i] = o[i];
}
END
undone lanes.cu $'if (lane + 32 * i < D) o[i] += p * V[blockIdx.x * D + lane + 32 * i]' \
    'if (4 * lane + i < D) o[i] += p * V[blockIdx.x * D + 4 * lane + i]' 20
claim a_thread_has_in_each_place_what_it_has_elsewhere

cat >"$top/never.cu" <<'END'
template <bool TURNED> __global__ void add(float *C, const float *A, int m) {
    if (0) {
        C[threadIdx.x] = A[threadIdx.x];
    } else {
        C[threadIdx.x] += A[threadIdx.x];
    }
}
END
undone never.cu 'if (0)' 'if (TURNED)' 40
build/bin/edits "$top/wrong.cu" "$top/out.cu" "$top/table.tsv" --limit 3000
[[ ! $(awk -F '\t' '$8 == "!m"' "$top/table.tsv") ]] || complain 'a size is taken for a flag'
claim what_an_else_does_is_done_in_all_cases

cat >"$top/round.c" <<'END'
float sum(const float *s, float *p, float m, int n) {
    float l = 0.0f;
    for (int c = 0; c < n; c++) {
        p[c] = expf(s[c] - m);
        l += p[c];
    }
    return l;
}
END
undone round.c 'l += p[c]' 'l += *p' 20
claim a_pointer_that_stands_still_means_the_element_of_the_round

cat >"$top/dims.cu" <<'END'
enum { G = 16, EACH = 8 };
__global__ void scores(float *s, const float *Q, const float *k, int seq, int dim) {
    const int D = dim, r = threadIdx.x % G;
    float q[EACH], sum = 0.0f;
    for (int e = 0; e < EACH; e++) q[e] = r + e * G < D ? Q[r + e * G] : 0.0f;
    for (int e = 0; r + e * G < D; e++) sum += q[e] * k[r + e * G];
    if (r < seq) s[r] = sum;
}
END
undone dims.cu 'int e = 0; r + e * G < D' 'int e = 0; e < G' 50
claim a_walk_over_dims_ends_where_the_row_does

cat >"$top/four.cu" <<'END'
enum { ROW = 33 };
__global__ void values(float *O, const float *s, const float *V, int n) {
    for (int c = 0; c < n; c++) {
        float p[4];
        p[0] = s[c];
        p[1] = s[ROW + c];
        p[2] = s[2 * ROW + c];
        p[3] = s[3 * ROW + c];
        for (int a = 0; a < 4; a++) O[a * n + threadIdx.x] += p[a] * V[c];
    }
}
END
undone four.cu $'        p[3] = s[3 * ROW + c];\n' '' 40
claim of_elements_that_are_set_by_number_the_next_one_is_missing

cat >"$top/bare.cu" <<'END'
enum { TEAM = 4 };
__global__ void add(float *O, const float *s, const float *v, int D, int n, int dims) {
    float o[32] = {0.0f};
    for (int c = 0; c < n; c++, v += D)
        for (int e = 0; e < dims; e++) o[e] += s[c] * v[e];
    for (int e = 0; e < dims; e++) O[threadIdx.x * dims + e] = o[e];
}
END
undone bare.cu 's[c] * v[e]' 's[c] * v[e * TEAM]' 40
claim a_counter_stands_alone_as_in_the_other_subscript

cat >"$top/load.cu" <<'END'
__global__ void load(float *tile, const float *src, int rows, int size, int D) {
    for (int n = threadIdx.x; n < size * D; n += blockDim.x) tile[n] = n / D < rows ? src[n] : 0.0f;
}
END
undone load.cu 'n / D < rows ? src[n] : 0.0f' 'src[n] * (n / D < rows)' 30
undone load.cu 'n / D < rows ? src[n] : 0.0f' '(n / D < rows) * src[n]' 30
claim what_is_multiplied_by_a_question_is_read_only_where_that_is_true

cat >"$top/chosen.c" <<'END'
#include <math.h>
float factor(float was, float is) { return was == -INFINITY ? 0.0f : expf(was - is); }
END
undone chosen.c '? 0.0f' '? 1.0f' 5
claim what_is_chosen_is_nothing_before_another_question_is_asked

cat >"$top/flag.c" <<'END'
int open_room(int n);
int attend(float *o, int heads, int tile) {
    int failed = 0;
#pragma omp parallel for reduction(| : failed)
    for (int h = 0; h < heads; h++) {
        failed |= !open_room(tile);
        if (!failed) o[h] = 1.0f;
    }
    return failed ? 1 : 0;
}
END
undone flag.c 'failed = 0' 'failed = 1' 60
build/bin/edits "$top/wrong.c" "$top/out.c" "$top/table.tsv" --limit 3000
[[ $(awk -F '\t' '$8 == "0" && $9 == "1" {print $12}' "$top/table.tsv") == 0 ]] || complain 'a flag is taken for a size'
claim a_flag_is_no_size

cat >"$top/own.cu" <<'END'
enum { N = 64 };
__device__ float block_sum(float x);
__device__ float share(float *p, const float *s, int cols);
__device__ void divide(float *p, float by, int cols);
__global__ void softmax(float *P, const float *S, int cols) {
    const float mine = share(P, S, cols);
    const float l = block_sum(mine);
    divide(P, l, cols);
}
int softmax_rows(float *P, const float *S, int cols) {
    if (cols < 1) return 1;
    softmax<<<1, N>>>(P, S, cols);
    return 0;
}
END
undone own.cu 'divide(P, l, cols)' 'divide(P, mine > 0.0f ? mine : l, cols)' 40
build/bin/edits "$top/wrong.cu" "$top/out.cu" "$top/table.tsv" --limit 3000
[[ ! $(awk -F '\t' '$8 ~ /&& cols < 1/' "$top/table.tsv") ]] || complain 'a size is asked whether it is nothing'
claim the_sum_of_all_stands_where_ones_own_took_its_place
plan
