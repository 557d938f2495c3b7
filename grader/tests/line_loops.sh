#!/usr/bin/env bash
# line_loops.sh: where a loop, a share or a maximum of one line begins, how it goes on and where it ends: of what is
# wrong there the change that undoes it is among the likeliest, and one that hides it is not (grader/repair/edits). TAP.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/../.."
# shellcheck source=grader/tests/one_line.sh
source grader/tests/one_line.sh

most=300
kernel 'for (int i = threadIdx.x; i < n; i += BC * 4) O[i] = K[i];' \
    'for (int i = threadIdx.x; i <= n; i += BC * 4) O[i] = K[i];'
build/bin/edits "$top/line.wrong.cu" "$top/steps.out.cu" "$top/steps.tsv"
[[ ! $(awk -F'\t' '$6 == "left out" && $7 ~ /^(i \+= )?BC \* 4$/ && $2 < 60' "$top/steps.tsv") ]] ||
    complain 'what lets threads do the work of others is as likely as others'
claim smaller_steps_of_a_thread_are_no_likely_mend

file start.cu <<'END'
struct pair { float top, sum; };
static __global__ void f(float *O, const float *K) {
    struct pair p = {-INFINITY, 0.0f};
    float m = -INFINITY, l = -INFINITY;
    m = fmaxf(m, K[0]), l += K[0];
    O[0] = m + l + p.top;
}
END
for new in 0.0f 'K[0]' INFINITY; do
    awk -F'\t' '$3 == 3' "$top/file.tsv" >"$top/third.tsv"
    ! has "$top/third.tsv" -INFINITY "$new" || complain "$new for -INFINITY"
done
claim where_a_maximum_begins_stays_minus_infinity

reaches 'for (; d <= n; d += 4) C[d] = A[d];' 'for (; d + 4 <= n; d += 4) C[d] = A[d];'
claim a_loop_ends_where_no_whole_step_is_left
reaches 'A += n * TK; A += n * TM; C[d] = A[d];' 'A += n * TK; C += n * TM; C[d] = A[d];'
reaches 'A += n * TK; C -= n; C[d] = A[d];' 'A += n * TK; C += n; C[d] = A[d];'
reaches 'A += n * TK; C[d] = A[d];' 'C += n * TM; A += n * TK; C[d] = A[d];'
claim each_pointer_moves_on_once_and_forward
reaches 'double sum = 0.0; for (int j = 0; j < n; j++) { for (int k = 0; k < TM; k++) sum += A[k]; *C++ = sum; }' \
    'double sum = 0.0; for (int j = 0; j < n; j++) { sum = 0.0; for (int k = 0; k < TM; k++) sum += A[k]; *C++ = sum; }'
claim a_sum_that_is_stored_element_by_element_begins_anew
most=30
kernel 'for (int e = 0; e < 8; e += BC) O[e] *= 2;' 'for (int e = 0; e < 8; e++) O[e] *= 2;'
reaches 'for (int k = 0; k < n; k += TM) C[k] += A[k];' 'for (int k = 0; k < n; k++) C[k] += A[k];'
file walks.cu <<'END'
static __global__ void f(float *O, const float *K, int n) {
    for (int c = threadIdx.x; c < n; c += 32) O[c] = K[c];
    for (int j0 = 0; j0 < n; j0 += 64)
        for (int j = 0; j < 64; j++) O[j] += K[j0 + j];
}
END
! changes 'c += 32' 'c++' || complain 'a thread takes what others have'
! changes 'j0 += 64' 'j0++' || complain 'a walk in tiles counts one by one'
file capped.c <<'END'
static int cap(int n, int most) { return n < most ? n : most; }
static void f(float *O, const float *K, int n, int wide) {
    for (int j0 = 0; j0 < n; j0++) {
        const int some = cap(n - j0, wide);
        for (int c = 0; c < some; c++) O[c] += K[j0 + c];
    }
}
END
changes 'j0++' 'j0 += wide' || complain 'a tile is cut off by a function of the file'
claim a_loop_over_elements_counts_one_by_one
most=40
reaches 'for (int k = 0; k < n; k += TM) C[r] = k > TM ? C[r] + A[k] : A[k];' \
    'for (int k = 0; k < n; k += TM) C[r] = k > 0 ? C[r] + A[k] : A[k];'
claim who_is_the_first_of_a_loop_is_asked_by_0
for least in FLT_MIN LEAST 1e-30f 'std::numeric_limits<float>::min()'; do
    kernel "float top = $least; for (int k = 0; k < D; k++) top = fmaxf(top, K[k]); O[c] = top;" \
        'float top = -INFINITY; for (int k = 0; k < D; k++) top = fmaxf(top, K[k]); O[c] = top;'
done
reaches 'float top = 1e-30f; for (int k = 0; k < n; k++) if (A[k] > top) top = A[k]; C[r] = top;' \
    'float top = -INFINITY; for (int k = 0; k < n; k++) if (A[k] > top) top = A[k]; C[r] = top;'
kernel 'float m = 1e-30f, low = MUCH_LESS; for (int k = 0; k < D; k++) m = fmaxf(m, K[k]), low = fmaxf(low, m);' \
    'float m = -INFINITY, low = MUCH_LESS; for (int k = 0; k < D; k++) m = fmaxf(m, K[k]), low = fmaxf(low, m);'
build/bin/edits "$top/line.wrong.cu" "$top/out.cu" "$top/file.tsv" --limit 9000
reaches 'S[r] = (state){.m = FLT_MIN, .l = 0.0f};' 'S[r] = (state){.m = -FLT_MAX, .l = 0.0f};'
reaches 'S[r] = (state){A[r] - C[r], n};' 'S[r] = (state){C[r] - A[r], n};'
low=$(awk -F'\t' '$7 == "MUCH_LESS" && $8 == "-INFINITY" { print $2 }' "$top/file.tsv")
((${low:-99} > 20)) || complain "a macro that is below 0 is low enough: $low"
claim a_maximum_does_not_begin_with_the_smallest_positive_number
most=40
kernel 'int end = min(n, c + D - 1); for (int k = c; k < end; k++) O[k] = K[k];' \
    'int end = min(n, c + D); for (int k = c; k < end; k++) O[k] = K[k];'
reaches 'int end = key + TM - 1; for (int k = key; k < end; k++) C[k] = A[k];' \
    'int end = key + TM; for (int k = key; k < end; k++) C[k] = A[k];'
claim an_end_that_is_one_too_low_is_the_whole_end
kernel 'bool off = c > n || (D && c > n - D); if (off) O[c] = 0;' \
    'bool off = c > n || (D && c > n + D); if (off) O[c] = 0;'
reaches 'int first = n / rows * key; C[r] = A[first];' 'int first = n * key / rows; C[r] = A[first];'
most=12
kernel 'const int2 r = {min(c * D, n), (c + 1) * D}; O[c] = K[r.x];' \
    'const int2 r = {min(c * D, n), min((c + 1) * D, n)}; O[c] = K[r.x];'
kernel 'int from = min(c * D, n), to = (c + 1) * D; for (int k = from; k < to; k++) O[k] = K[k];' \
    'int from = min(c * D, n), to = min((c + 1) * D, n); for (int k = from; k < to; k++) O[k] = K[k];'
claim a_share_ends_at_the_limit_of_its_beginning
kernel '__shared__ float left[BC - 1]; int warp = threadIdx.y; if (warp > 0) left[warp] = K[c];' \
    '__shared__ float left[BC - 1]; int warp = threadIdx.y; if (warp > 0) left[warp - 1] = K[c];'
claim an_array_that_is_one_shorter_has_no_element_for_the_first
kernel 'float s = K[c]; for (int d = 16; d; d /= 2) s += __shfl_up_sync(~0u, s, d); O[c] = s;' \
    'float s = K[c]; for (int d = 16; d; d /= 2) s += __shfl_down_sync(~0u, s, d); O[c] = s;'
claim a_sum_over_a_warp_is_shuffled_down
most=8
kernel 'float s = 0; for (int d = 0; d < n; d++) s += K[d]; O[c] = s;' \
    'float s = 0; for (int d = 0; d < D; d++) s += K[d]; O[c] = s;'
claim the_edge_of_a_mask_may_lie_on_the_other_side_a_share_is_divided_last_and_dims_end_at_D
plan
