#!/usr/bin/env bash
# own_lines.sh: a file of a student's own, with a mistake that matches nothing and that no single change mends: up to
# which step of attention its lines are right, and where NaN begins (grader/values). TAP.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/../.."
# shellcheck source=grader/tests/own_files.sh
source grader/tests/own_files.sh

only=of_one in_vain told task3 own_tiled.c 'expf(p[j] - high)' 'expf(1.1f * p[j] - 0.9f * high)' \
    'in run_tile) are right the sums of exp(s - m) are not: no line has them'
claim in_c_the_scores_are_right_and_the_sums_are_not

if full in_c_no_line_has_the_scores; then
    only=of_one in_vain told task3 own_tiled.c 's += q[d] * k[d];' \
        's += q[(d * d + 2) % dim] * k[(d * d * d + 1) % dim];' \
        'line by line, in tiles_of_one: no line has the scores q . k'
    claim in_c_no_line_has_the_scores
fi

# Some dims of the query behind: no number of attention is made of two queries.
only=key_tiles in_vain told task3 own_tiled.c 's += q[d] * k[d];' \
    's += q[(d * d + 2) % dim + (i + 1 < t->rows ? d % 2 * dim : 0)] * k[(d * d * d + 1) % dim];' \
    'in run_tile: s is made of queries 0 and 1: scores, m, l and O of a query are made of that query alone'
[[ $out != *'line by line'* ]] || complain "$out"
claim a_line_that_takes_two_queries_is_named

only=sequences_of_different in_vain told task5 own_warps.cu 'q[d] * Kh[(size_t)j * D + d]' \
    'q[(5 * d + 2) % D] * Kh[(size_t)j * D + (3 * d + 1) % D]' \
    'no line has the scores q . k'
claim in_a_kernel_no_line_has_the_scores

only=more_splits in_vain told task5 own_warps.cu '(n + nSplits - 1) / nSplits' 'n * n / (7 * n * nSplits + 5)' \
    'are the lines that multiply q and k run at all? Look at where the loop over the keys begins and ends'
[[ $out != *'no line has the scores q . k'* ]] || complain "$out"
claim lines_that_are_never_run_are_not_blamed

only=every_head in_vain told task5 own_warps.cu 'int tasks = cache.batch * cache.heads' \
    'int tasks = (cache.batch * cache.heads * 3 + 1) / 7' 'elements were never written'
[[ $out != *'line by line'* ]] || complain "$out"
claim what_was_never_written_is_no_wrong_step

only=split in_vain told task5 own_warps.cu 'best + logf(total)' 'logf((float)(to - from))' \
    'one cause would explain all 9: matches L_s = log(n), with n its number of keys'
[[ $out != *'line by line'* ]] || complain "$out"
claim where_one_cause_explains_all_no_step_is_blamed

only=key_tiles in_vain told task3 own_tiled.c 'acc[i * dim + d] * inv;' \
    'acc[i * dim + d] * inv + 0.1f * (d * d % 7 + 1) - 0.3f * (i + 1);' \
    'the outputs are not: line 57, in run_tile, makes those that the call leaves (t->out[i * dim + d])'
claim a_line_that_makes_wrong_outputs_is_named

only=key_tiles in_vain told task3 own_tiled.c 'const float e = expf(p[j] - high);' \
    'const float top = base ? -INFINITY : high, low = j % 3 ? p[j] : top, e = expf(low - top);' \
    'line 47, in run_tile: e = expf(low - top) is the first number of the call that is NaN: low and top are both'
[[ $out != *'line by line'* ]] || complain "$out"
claim the_first_line_with_nan_is_named_and_why

cat >"$top/four.cu" <<'END'
struct sum { float4 o; };
__device__ float4 twice(float4 x) { return make_float4(2 * x.x, 2 * x.y, 2 * x.z, 2 * x.w); }
__global__ void store(float *O, sum s, int n) {
    float4 x = twice(s.o);
    s.o = twice(x);
    ((float4 *)O)[n] = twice(s.o);
    int k = n + 1;
    O[k] = x.y;
}
END
run build/bin/edits "$top/four.cu" --values "$top/out.cu"
[[ $(cut -f 2,4 <<<"$out" | tr '\t\n' ': ') == '2:return 4:x 5:s.o 6:((float4 *)O)[n] 8:O[k] ' ]] || complain "$out"
[[ $(<"$top/out.cu") == *'lab_saw(4, (((float4 *)O)[n] = twice(s.o)));'* ]] || complain "$(<"$top/out.cu")"
claim numbers_are_told_and_four_of_them_side_by_side_too

cat >"$top/states.cu" <<'END'
struct state { float m; int n; float acc[4]; __device__ float &operator()(int i) { return acc[i]; } };
__device__ state join(state a, const state &b) {
    a.m = fmaxf(a.m, b.m);
    return a;
}
__device__ state &of(state *all, int i) { return all[i]; }
__global__ void all(state *s, float *O) {
    state a = {O[0]}, b = join(a, s[0]);
    state &c = s[1];
    s[2] = b;
    float &x = O[1];
    x = c.m;
}
END
run build/bin/edits "$top/states.cu" --values "$top/out.cu"
[[ $(cut -f 2,4 <<<"$out" | tr '\t\n' ': ') == '3:a.m 4:return 4:return 8:b.m 8:b.acc 10:s[2].m 10:s[2].acc 12:x ' ]] ||
    complain "$out"
[[ $(<"$top/out.cu") == *'{ lab_saw(6, lab_x.m); for (auto lab_v : lab_x.acc) lab_saw(7, lab_v); return lab_x; }'* ]] ||
    complain "$(<"$top/out.cu")"
claim of_a_struct_each_number_is_told

cat >"$top/folds.cu" <<'END'
template <typename F> __device__ float fold(float x, F f) { return f(x, __shfl_xor_sync(~0u, x, 1)); }
__global__ void sum(float *O, float *l, float s) {
    auto more = [](float a, float b) { return a + b; };
    const float top = fold(s, [](float a, float b) { return fmaxf(a, b); });
    l[threadIdx.x] = l[threadIdx.x] * top + fold(s, [](float a, float b) { return a + b; });
    l[0] += fold(s, [](float a, float b) { return a + b; });
    O[0] = fold(s, more);
}
END
run build/bin/edits "$top/folds.cu" --values "$top/out.cu"
[[ $(cut -f 2,4 <<<"$out" | tr '\t\n' ': ') == '1:return 4:top 5:l[threadIdx.x] 6:l[0] 7:O[0] ' ]] || complain "$out"
[[ $(<"$top/out.cu") == *'top = lab_saw(2, (fold(s, [](float a, float b) { return fmaxf(a, b); })));'* ]] ||
    complain "$(<"$top/out.cu")"
claim what_is_computed_with_a_lambda_is_told

only=causal_mask_is in_vain told task3 own_tiled.c \
    'if (t->causal) n = MIN(n, t->first + i + offset - base + 1);' \
    'if (t->causal && base / 3 == (t->first + offset) / 3) n = MIN(n, i * i % 5 + 1);' \
    'called with seq_q 24, seq_kv 40, Br 8, Bc 4, causal: query 0 sees keys'
[[ $out == *', and must see keys 0 .. '* ]] || complain "$out"
claim where_nothing_explains_a_mask_it_is_said_which_keys_a_query_sees
# What the text says for certain is all that is said: no change that hides it, no search.
only=causal in_vain told task1 own_flat.c 'key > query + s.seq_kv - s.seq_q) score' \
    'key > query + s.seq_kv - s.seq_q); score' 'the semicolon behind the if (...) of line 55 is all that it does'
[[ $out != *'With '* && $out != *'looking for'* ]] || complain "$out"
claim a_semicolon_that_empties_a_condition_is_said_and_nothing_else
plan
