#!/usr/bin/env bash
# handout_questions.sh: what a condition asks about, sizes of the grid, powers, and what is handed on, in functions of a
# handout: the change that undoes a slip is among the likeliest (grader/repair/edits: guarded, unread, grouped, names).
# TAP.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/../.."
# shellcheck source=grader/tests/tap.sh
source grader/tests/tap.sh
top=$(mktemp -d)
trap 'rm -rf "$top"' EXIT

# undone MOST FILE OLD NEW: where OLD, once, is NEW, one of the MOST likeliest changes makes it right
undone() {
    local text new file=$top/wrong.${2##*.}
    text=$(<"$2") new=${text/"$3"/"$4"}
    [[ $text != "$new" ]] || complain "there is no $3"
    printf '%s\n' "$new" >"$file"
    run build/bin/edits "$file" --reaches "$2" --limit 1500 "${@:5}"
    ((${out%% *} > 0 && ${out%% *} <= $1)) || complain "$4: change $out"
}
# What a question asks about stands behind it: the subscript, the number that is set. A size that is made of the grid's,
# where one is given. What is filled in and not handed over.
cat >"$top/asks.cu" <<'END'
typedef struct { int seq, causal; } shape;
static void use(shape s);
static __device__ float multiply(const float *q, const float *k, int lane, int D) {
    float sum = 0;
    for (int t = 0; t < 4; t++)
        if (lane + t * 32 < D) sum += q[t] * k[lane + t * 32];
    return sum;
}
static __device__ float edge(const float *p, int first, int c, int n) { return first + c < n ? p[first + c] : 0.0f; }
static __device__ void raise(float *m, const float *s, int n) {
    for (int c = 1; c < n; c++)
        if (s[c] > *m) *m = s[c];
}
static __device__ float least(const float *s, int n) {
    float low = s[0];
    for (int c = 1; c < n; c++)
        if (low > s[c]) low = s[c];
    return low;
}
static __device__ size_t matrix(int rows, int cols) { return (size_t)blockIdx.z * rows * cols; }
static void prompt(shape given) {
    shape masked = given;
    masked.causal = 1;
    use(masked);
}
END
asks=$top/asks.cu
cat >"$top/rounds.cu" <<'END'
enum { T = 256 };
static __device__ float total(const float *s, int cols) {
    const int t = threadIdx.x;
    float l = 0;
    for (int i = 0; t + i * T < cols; i++) {
        const int c = t + i * T;
        l += s[c];
    }
    return l;
}
static __device__ float direct(const float *s, int n, int D) {
    float l = 0;
    for (int e = 0; threadIdx.x + 8 * e < D; e++) l += s[threadIdx.x + 8 * e] / n;
    return l;
}
static __device__ float weigh(float a, float b) { return expf(a - b); }
static __device__ float all_of(float x) {
    for (int w = 16; w > 0; w /= 2) x += __shfl_down_sync(0xffffffff, x, w);
    return __shfl_sync(0xffffffff, x, 0);
}
static __device__ float log_of(float m, float l) { return m + logf(l); }
END
undone 30 "$asks" 'if (lane + t * 32 < D)' 'if (t < D)'
undone 30 "$asks" 'return first + c < n' 'return c < n'
undone 10 "$asks" 's[c] > *m' 's[c] > s[c - 1]'
undone 10 "$asks" 'low > s[c]' 's[0] > s[c]'
claim a_question_asks_about_what_stands_behind_it
undone 30 "$top/rounds.cu" 't + i * T < cols' 'i < cols / T'
undone 30 "$top/rounds.cu" 't + i * T < cols' 'i < (cols + T - 1) / T'
undone 30 "$top/rounds.cu" 'threadIdx.x + 8 * e < D' 'e < 16'
claim rounds_that_are_counted_end_where_the_elements_do
undone 20 "$top/rounds.cu" 'expf(a - b)' 'expf(a) / expf(b)'
undone 20 "$top/rounds.cu" 'm + logf(l)' 'logf(expf(m) * l)'
undone 20 "$top/rounds.cu" 'm + logf(l)' 'logf(l * expf(m))'
claim powers_that_overflow_are_joined
sed 's/x, 0)/x, 31)/' "$top/rounds.cu" >"$top/wrong.cu"
run build/bin/edits "$top/wrong.cu" "$top/out.cu" "$top/table" --limit 8000
slips='($7 == "31" && $8 == "0") || ($7 == "__shfl_down_sync" && $8 == "__shfl_xor_sync")'
ranks=$(awk -F'\t' "$slips { print \$2, \$8 }" \
    "$top/table" | sort -n)
[[ ${ranks%%$'\n'*} == *' 0' ]] || complain "the shuffle, before the lane that hands the sum on: $ranks"
claim the_lane_that_hands_a_sum_on_is_wrong_rather_than_the_shuffle
undone 20 "$asks" 'blockIdx.z * rows' 'blockIdx.z * (gridDim.y * 32)'
undone 20 "$asks" 'blockIdx.z * rows' 'blockIdx.z * blockDim.x'
claim a_size_of_the_grid_is_the_one_that_is_given
undone 10 "$asks" 'use(masked)' 'use(given)'
claim what_is_filled_in_is_handed_over
plan
