#!/usr/bin/env bash
# own_strides.sh: a loop goes on by one where its rounds do several, or threads share them, and all threads begin with
# the first; one call stands twice, where the second was to go on (grader/repair/edits: strided, same). TAP.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/../.."
# shellcheck source=grader/tests/undone.sh
source grader/tests/undone.sh
likely=60

cat >"$top/right.cu" <<'END'
constexpr int kTeam = 8, kTeams = 16, BN = 24;
__global__ void mask(float *S, int n, int seen) {
    float *row = S + (size_t)blockIdx.x * n;
    for (int j = threadIdx.x; j < seen; j += blockDim.x) row[j] *= 0.5f;
}
__global__ void put(float *X, const float *Y, int n) {
    __shared__ float part[BN][64];
    const int t = threadIdx.x, team = threadIdx.x / kTeam;
    for (int i = t; i < n; i += 128) X[i] = Y[i];
    for (int j0 = 0; j0 < n; j0 += BN) {
        const int have = min(BN, n - j0);
        for (int c = 0; c < have; c++) part[c][0] = Y[j0 + c];
    }
    for (int base = 1; base < n; base += kTeams) X[base + team] += part[team][1];
}
__device__ float own(const float *s, int t, int n) {
    float best = s[t];
    for (int c = t; c < n; c += kTeam) best = fmaxf(best, s[c]);
    for (int c = t; c < BN; c += kTeam) best += s[c];
    return best;
}
END
undone right.cu 'j += blockDim.x' 'j++'
claim threads_that_share_a_row_step_over_each_other
undone right.cu 'j0 += BN' 'j0++'
claim a_tile_begins_where_the_one_before_it_ends
undone right.cu 'base += kTeams' 'base++' 200
claim teams_step_over_each_other
undone right.cu 'c < n; c += kTeam' 'c < n; c++'
claim a_loop_goes_on_as_one_does_that_begins_there
undone right.cu 'int j = threadIdx.x;' 'int j = 0;'
undone right.cu 'int i = t;' 'int i = 0;'
claim each_thread_begins_with_its_own

cat >"$top/right.c" <<'END'
enum { ROWS = 4, LANES = 8 };
float sum(const float *x, int n) {
    const int whole = n / LANES * LANES;
    float all = 0;
    for (int i = 0; i < whole; i += LANES)
        for (int v = 0; v < LANES; v++) all += x[i + v];
    for (int i = whole; i + 1 < n; i += 2) all += x[i] + x[i + 1];
    return all;
}
void each(float *y, const float *x, int n) {
    const int rows = n / ROWS * ROWS;
    for (int r = 0; r < rows; r += ROWS) y[r] = sum(x + r, n);
}
END
undone right.c 'i += LANES' 'i++'
undone right.c 'i += 2' 'i++'
undone right.c 'r += ROWS' 'r++'
claim a_round_that_does_several_goes_on_by_as_many

build/bin/edits "$top/wrong.c" "$top/out.c" "$top/table.tsv" --limit 30000
among=$(awk -F '\t' '$8 ~ /==/ && $7 ~ /</' "$top/table.tsv")
[[ ! $among ]] || complain "$among"
claim no_loop_goes_on_while_its_counter_is_its_end

cat >"$top/lanes.cu" <<'END'
constexpr int LANES = 8;
__device__ void fetch(float *tile, const float *src, int rows, int D) {
    for (int r = threadIdx.x / 32; r < rows; r += 4)
        for (int d = threadIdx.x % 32; d < D; d += 32) tile[r * (D + 1) + d] = src[r * D + d];
}
__device__ float of_team(float *tile, const float *src, int D) {
    const int t = threadIdx.x, team = t / LANES;
    float sum = 0.0f;
    for (int d = t % LANES; d < D; d += LANES) sum += tile[team * D + d];
    return sum;
}
__device__ void walk(float *y, const float *x, int n) {
    for (int j = 0; j < n; j++) y[j] = x[j];
}
END
undone lanes.cu 'd = threadIdx.x % 32' 'd = threadIdx.x'
build/bin/edits "$top/wrong.cu" "$top/out.cu" "$top/table.tsv" --limit 30000
all=$(awk -F '\t' '$3 == 4 && $8 ~ /d\+\+/' "$top/table.tsv")
[[ ! $all ]] || complain "all of it by each thread: $all"
undone lanes.cu 'd = t % LANES' 'd = t'
claim as_many_threads_share_a_row_as_its_loop_steps_over

cat >"$top/padded.cu" <<'END'
#define PITCH(D) ((D) + 1)
__device__ void fetch(float *tile, const float *src, int rows, int D) {
    for (int i = threadIdx.x; i < rows * D; i += blockDim.x) tile[i / D * PITCH(D) + i % D] = src[i];
}
__global__ void walk(float *O, const float *K, const float *V, int n, int D) {
    extern __shared__ float shared[];
    float *keys = shared, *values = keys + 32 * PITCH(D), sum = 0.0f;
    fetch(keys, K, n, D);
    fetch(values, V, n, D);
    __syncthreads();
    for (int c = 0; c < n; c++) {
        float s = 0.0f;
        for (int d = 0; d < D; d++) s += K[d] * keys[c * PITCH(D) + d];
        const float *v = values + c * PITCH(D);
        sum += s * v[threadIdx.x];
    }
    O[threadIdx.x] = sum;
}
END
undone padded.cu 'values + c * PITCH(D)' 'values + c * D'
undone padded.cu 'keys[c * PITCH(D) + d]' 'keys[c * D + d]'
claim rows_of_a_padded_tile_have_the_length_that_other_lines_say

cat >"$top/calls.cu" <<'END'
__device__ int first(int n, int parts, int s) { return n * s / parts; }
void linear(float *y, const float *x, const float *w) { y[0] = x[0] * w[0]; }
__global__ void split(float *O, const float *K, int n, int parts) {
    const int begin = first(n, parts, blockIdx.x), end = first(n, parts, blockIdx.x + 1);
    for (int j = begin; j < end; j++) O[0] += K[j];
}
int attn_all(float *Y, const float *X, const float *Wq, const float *Wo, float *room) {
    linear(room, X, Wq);
    linear(Y, room, Wo);
    return 0;
}
END
undone calls.cu ', end = first(n, parts, blockIdx.x + 1)' ', end = first(n, parts, blockIdx.x)'
undone calls.cu 'begin = first(n, parts, blockIdx.x),' 'begin = first(n, parts, blockIdx.x + 1),'
claim a_part_ends_where_the_next_one_begins

run build/bin/edits "$top/calls.cu" --idle .
[[ $out != *twice* && $out != *input* ]] || complain "$out"
sed 's/linear(Y, room, Wo)/linear(room, X, Wq)/; s/blockIdx.x + 1/blockIdx.x/' "$top/calls.cu" >"$top/twice.cu"
run build/bin/edits "$top/twice.cu" --idle .
says $'twice\tlinear(room, X, Wq)\t8 and in line 9'
says $'twice\tfirst(n, parts, blockIdx.x)\t4'
says $'input\tWo\tattn_all\t7'
claim what_is_called_twice_alike_and_what_nobody_reads_is_listed
# Rows of a packed tile: as many are left as lie apart, or a whole tile's.
cat >"$top/packed.c" <<'END'
typedef struct { int size, dims; float *keys, *values; } kit;
static int less(int a, int b) { return a < b ? a : b; }
static void pack(float *to, const float *from, int some, int dims) {
    for (int d = 0; d < dims; d++)
        for (int c = 0; c < some; c++) *to++ = from[c * dims + d];
}
static void sum(const kit *k, float *y, int some) {
    for (int d = 0; d < k->dims; d++) {
        const float *row = k->values + d * some;
        for (int c = 0; c < some; c++) y[d] += row[c];
    }
}
static void turn(const kit *k, const float *from, int some) {
    for (int d = 0; d < k->dims; d++)
        for (int c = 0; c < some; c++) k->keys[d * k->size + c] = from[c * k->dims + d];
}
void all(const kit *k, float *y, const float *x, int n) {
    for (int j = 0; j < n; j += k->size) {
        const int some = less(k->size, n - j);
        pack(k->values, x + j * k->dims, some, k->dims);
        sum(k, y, some);
        turn(k, x + j * k->dims, some);
    }
}
END
undone packed.c 'k->values + d * some' 'k->values + d * k->size' 20
undone packed.c 'k->keys[d * k->size + c]' 'k->keys[d * some + c]' 20
claim rows_lie_as_far_apart_as_many_are_left

cat >"$top/inner.cu" <<'E'
__device__ float factor(float from, float to) { return expf(from - to); }
__global__ void attend(float *O, const float *S, float m) {
    for (int j = 0; j < 8; j++) {
        const float top = fmaxf(m, S[j]), a = factor(m, top);
        O[j] = a;
    }
    for (int j = 0; j < 8; j++) {
        const float top = fmaxf(m, O[j]), a = factor(m, top);
        O[j] += a;
    }
}
E
run build/bin/edits "$top/inner.cu" --idle .
[[ $out != *twice* ]] || complain "$out"
claim of_two_variables_with_one_name_a_call_is_not_the_same
plan
