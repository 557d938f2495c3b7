#!/usr/bin/env bash
# own_pairs.sh: two slips in one line (grader/repair/edits: both), what is done to one of two objects (siblings),
# another object or field (names, fields), and what a macro's loop is given (macro_loops): the change that undoes it is
# among the likeliest. TAP.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/../.."
# shellcheck source=grader/tests/undone.sh
source grader/tests/undone.sh
likely=400

cat >"$top/right.c" <<'E'
#include <math.h>
#define FOR(v, n) for (int v = 0; v < (n); ++v)
typedef struct { float top, mass, mix; } part;
void join(part *a, float top, float mass, float mix) {
    const float now = fmaxf(a->top, top), mine = expf(a->top - now), theirs = expf(top - now);
    a->mix = mine * a->mix + theirs * mix;
    a->mass = mine * a->mass + theirs * mass;
    a->top = now;
}
void rows(float *P, const float *S, int rows, int cols) {
    FOR(r, rows) {
        float top = -INFINITY;
        FOR(c, cols) top = fmaxf(top, S[r * cols + c]);
        FOR(c, cols) P[r * cols + c] = expf(S[r * cols + c] - top);
    }
}
E
undone right.c 'mine * a->mass + theirs * mass' 'a->mass + mass' 3000
claim both_factors_of_a_line_come_back
undone right.c 'FOR(c, cols) top' 'FOR(c, cols - 1) top'
undone right.c 'FOR(c, cols) P' 'FOR(c, rows) P'
claim a_loop_of_a_macro_ends_where_it_should

cat >"$top/right.cu" <<'E'
struct Rows {
    const float *at;
    int pitch;
    __device__ Rows(const float *base, int D) : at(base), pitch(D) {}
    __device__ void advance(int n) { at += n * pitch; }
};
struct tokens { const int *past, *count; int seq; };
enum class Layout { NT, NN };
static __global__ void walk(float *O, const float *K, const float *V, tokens t, int n, int most, int D) {
    auto block = cooperative_groups::this_thread_block();
    auto warp = cooperative_groups::tiled_partition<32>(block);
    __shared__ float part[4];
    Rows k(K, D), v(V, D);
    float sum = 0;
    for (int j = 0; j < n; j++) {
        sum += k.at[0] * v.at[0];
        k.advance(1);
        v.advance(1);
    }
    if (warp.thread_rank() == 0) part[warp.meta_group_rank()] = sum;
    block.sync();
    if (block.thread_rank() == 0) O[0] = part[0];
    const int left = most - t.past[0] - t.count[0], room = t.seq * D;
    if (left < room) O[1] = room;
}
E
undone right.cu 'warp.thread_rank()' 'block.thread_rank()'
claim another_object_with_methods_is_tried
undone right.cu $'        v.advance(1);\n' ''
undone right.cu $'        k.advance(1);\n' ''
claim what_is_called_of_one_of_two_objects_is_called_of_the_other
undone right.cu 't.past[0] - t.count[0]' 't.past[0]'
undone right.cu 't.seq * D' 't.count[0] * D'
claim another_field_is_tried_and_both_are_taken_away

# Changes that go together in no line are not made: the shown words are those that are replaced.
build/bin/edits "$top/right.c" "$top/out.c" "$top/table.tsv" --limit 30000
gcc -std=gnu11 -w -fsyntax-only -fmax-errors=0 "$top/out.c" 2>"$top/log" || true
both=$(sed -nE 's/^edit-([0-9]+):[0-9:]+ error.*/\1/p' "$top/log" | sort -u | while read -r id; do
    awk -F '\t' -v id="$id" '$1 == id && $6 == "both" { print $7 " -> " $8 }' "$top/table.tsv"
done)
[[ ! $both ]] || complain "$both"
claim two_changes_of_a_line_compile_together

build/bin/edits "$top/right.cu" "$top/out.cu" "$top/table.tsv" --limit 30000 --lines 13,16
lines=$(awk -F '\t' 'NR > 1 && $6 != "barrier" { print $3 }' "$top/table.tsv" | sort -un | paste -sd,)
[[ $lines == 13,16 ]] || complain "lines $lines"
claim only_the_lines_that_are_asked_for_are_changed

cat >"$top/race.cu" <<'E'
__device__ void load(float *t, const float *from) { t[threadIdx.x] = from[threadIdx.x]; }
__global__ void rows(float *out, const float *in) {
    __shared__ float s[64], t[64];
    s[threadIdx.x] = in[threadIdx.x];
    load(t, in);
    s[threadIdx.x ^ 1] = s[threadIdx.x] - t[threadIdx.x ^ 2];
    out[threadIdx.x] = s[threadIdx.x];
}
E
build/bin/edits "$top/race.cu" "$top/out.cu" "$top/table.tsv" --limit 8 --lines 4,6
lines=$(awk -F '\t' '$6 == "barrier" { print $3 }' "$top/table.tsv" | sort -un | paste -sd,)
[[ $lines == 5* && $lines != *7* ]] || complain "lines $lines"
build/bin/edits "$top/race.cu" "$top/out.cu" "$top/table.tsv" --limit 30000 --lines 4,44
lines=$(awk -F '\t' '$6 == "barrier" { print $3 }' "$top/table.tsv" | sort -un | paste -sd,)
[[ $lines != *5* ]] || complain "lines $lines, far from one another"
claim a_barrier_between_the_lines_of_a_race_is_tried_early

# A barrier in what is given numbers alone mends a race of its caller, and is not where it is missing.
cat >"$top/race.cu" <<'E'
__device__ float add(float x) {
    x += __shfl_xor_sync(0xffffffffu, x, 1);
    return x;
}
__global__ void rows(float *out, const float *in, int n) {
    __shared__ float red[4];
    float m = 0;
    red[threadIdx.x] = in[threadIdx.x];
    __syncthreads();
    for (int w = 0; w < 4; w++) m += red[w];
    float l = in[threadIdx.x] - m;
    l = add(l);
    red[threadIdx.x] = l;
    __syncthreads();
    out[threadIdx.x] = red[0];
}
E
build/bin/edits "$top/race.cu" "$top/out.cu" "$top/table.tsv" --limit 30000
first=$(awk -F '\t' '$6 == "barrier" && $3 < 4 { print $2 }' "$top/table.tsv" | sort -n | head -1)
last=$(awk -F '\t' '$6 == "barrier" && $3 > 10 && $3 < 14 { print $2 }' "$top/table.tsv" | sort -n | tail -1)
((last < first)) || complain "in the kernel $last, in what it calls $first"
claim a_barrier_goes_into_the_kernel_before_what_it_gives_numbers_to

# What never waits, where its caller does, has its barrier there, too.
cat >"$top/steps.cu" <<'E'
__device__ void scale(float *o, const float *factor) {
    o[threadIdx.x] *= factor[threadIdx.x / 2];
}
__global__ void walk(float *o, const float *in, int n) {
    __shared__ float factor[64];
    for (int k = 0; k < n; k++) {
        factor[threadIdx.x] = in[k];
        scale(o, factor);
        __syncthreads();
        o[threadIdx.x] += in[k];
        __syncthreads();
    }
}
E
build/bin/edits "$top/steps.cu" "$top/out.cu" "$top/table.tsv" --limit 30000
first=$(awk -F '\t' '$6 == "barrier" && $3 == 2 { print $2 }' "$top/table.tsv" | sort -n | head -1)
last=$(awk -F '\t' '$6 == "barrier" && $3 == 8 { print $2 }' "$top/table.tsv")
((last < first)) || complain "in the kernel $last, in what it calls $first"
claim a_barrier_goes_where_others_stand

cat >"$top/const.cu" <<'E'
struct tile {
    float *p;
    __device__ float &operator()(int a, int b) const { return p[a * 8 + b]; }
};
__global__ void rows(float *O, const float *Q, int n) {
    extern __shared__ float mem[];
    float *first = mem + n, *second = first + n;
    const float *q = Q + n;
    tile s = {first};
    s(0, 1) = expf(s(0, 0) - q[n]);
    O[n] = second[n] + q[n];
}
E
build/bin/edits "$top/const.cu" "$top/out.cu" "$top/table.tsv" --limit 30000
given=$(awk -F '\t' '$6 == "array" { print $3 ":" $8 }' "$top/table.tsv" | sort -u | paste -sd' ')
[[ " $given " == *' 7:O '* && " $given " == *' 8:O '* ]] || complain "given $given"
[[ " $given " != *' 7:Q '* && " $given " != *' 7:q '* ]] || complain "a const pointer to one that stores: $given"
! grep -q 'operator()(s' "$top/table.tsv" || complain 'operator()(a, b)'
claim what_is_only_read_is_not_given_to_a_pointer_that_stores

build/bin/edits "$top/right.cu" "$top/out.cu" "$top/table.tsv" --limit 30000 --code walk --hooks "$top/hooks.cu"
data=$(awk -F '\t' '$5 == "walk" && $14 == 1' "$top/table.tsv" | wc -l)
[[ $data == 0 ]] || complain "$data changes are data"
build/bin/edits "$top/right.cu" "$top/out.cu" "$top/table.tsv" --limit 30000 --hooks "$top/hooks.cu"
data=$(awk -F '\t' '$5 == "walk" && $14 == 1' "$top/table.tsv" | wc -l)
((data > 100)) || complain "only $data changes are data"
[[ $(<"$top/hooks.cu") != *'lab_at(NN)'* ]] || complain 'who knows NN without Layout::?'
claim what_does_not_compile_as_data_is_code

cat >"$top/data.cu" <<'E'
struct plus { __device__ float operator()(float a, float b) const { return a + b; } };
template <int N, class Op> __device__ float all_of(float x) { return Op()(x, N); }
__device__ inline float4 &operator+=(float4 &a, const float4 &b) {
    a.x += b.x;
    return a;
}
__device__ float share(float l, int n) {
    const float inv = 1.f / all_of<32, plus>(l);
    return inv * n;
}
int status(int n) {
    auto bad = [&](int m) {
        if (m > n) return 1;
        return 0;
    };
    return bad(2);
}
E
build/bin/edits "$top/data.cu" "$top/out.cu" "$top/table.tsv" --limit 30000 --hooks "$top/hooks.cu"
hooks=$(<"$top/hooks.cu")
[[ $hooks != *'lab_at(plus)'* ]] || complain 'plus is a type'
[[ ${hooks#*'operator+='} != *'return lab_any'*'share('* ]] || complain 'a reference is given back'
[[ ${hooks#*'auto bad'} != *'return lab_any'*'return bad'* ]] || complain 'what a lambda gives back has a type'
[[ ${hooks#*'float share'} == *'return lab_any'*'int status'* ]] || complain 'what a function gives back is data'
claim what_is_given_back_is_data_where_its_type_is_said

cat >"$top/right.cu" <<'E'
template <int D> __global__ void scores(float *O, const float *Q, int n) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) O[i] = Q[i * D];
}
void run(float *O, const float *Q, int n, int D) {
    switch (D) {
        case 8: scores<8><<<n, 32>>>(O, Q, n); break;
        case 16: scores<16><<<n, 32>>>(O, Q, n); break;
        case 64: scores<64><<<n, 32>>>(O, Q, n); break;
        case 128: scores<128><<<n, 32>>>(O, Q, n); break;
    }
}
E
# of the sizes of a head one: --dim
one() {
    build/bin/edits "$top/right.cu" "$top/out.cu" "$top/table.tsv" --limit 3000 --hooks "$top/hooks.cu" --dim "$1"
}
one 64
[[ $(grep -o 'scores<[0-9]*>' "$top/hooks.cu" | sort -u) == 'scores<64>' ]] || complain 'others are compiled'
[[ $(grep -o 'scores<[0-9]*>' "$top/out.cu" | sort -u | wc -l) == 4 ]] || complain 'the file for code has one'
[[ $(head -n 1 "$top/table.tsv") == *$'\tdim=64' ]] || complain 'nobody is told'
one 40
[[ $(head -n 1 "$top/table.tsv") != *dim=* ]] || complain 'there is no scores<40>'
claim of_a_template_with_many_numbers_one_is_compiled_with_hooks

cat >"$top/right.c" <<'E'
void deal(float *O, const float *x, int n, int N) {
    for (int i = 0; i < n; i++) {
        const int group = i / N, c = i % N;
        O[c * n + group] = x[i];
    }
}
E
undone right.c 'group = i / N' 'group = i'
undone right.c 'c = i % N' 'c = i'
claim both_parts_of_a_number_are_taken
plan
