#!/usr/bin/env bash
# line_slips.sh: one wrong line of a function or a kernel: the change that undoes it is among the likeliest,
# and a change that hides it is not (grader/repair/edits). TAP.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/../.."
# shellcheck source=grader/tests/one_line.sh
source grader/tests/one_line.sh

reaches 'cudaMemcpy2DAsync(C, n, A, rows, d * sizeof(float), TK, 0, 0);' \
    'cudaMemcpy2DAsync(C, n * sizeof *C, A, rows * sizeof *C, d * sizeof(float), TK, 0, 0);'
reaches 'int size = n * TK;' 'int size = n * TK * sizeof(float);'
claim bytes_are_tried_where_numbers_are_counted
reaches 'tile_max = cos(n); if (tile_max) return; new_max = sin(n);' \
    'tile_max = sin(n); if (tile_max) return; new_max = cos(n);'
reaches 'tile_max = new_max; C[r] = expf(tile_max - new_max); tile_max = new_max;' \
    'C[r] = expf(tile_max - new_max); tile_max = new_max;'
claim calls_that_change_places_and_a_statement_that_stands_twice_are_tried
reaches 'int t = r % TM, u = r / TM; C[t * TK + u] = A[r];' 'int t = r / TK, u = r % TK; C[t * TK + u] = A[r];'
reaches 'C[key % TM + key % TK] = A[r];' 'C[key % TM + key / TM] = A[r];'
claim the_other_part_of_a_number_and_its_parts_in_another_order_are_tried
kernel 'float4 y = {}, x = {}; y.w += 2 * x.z;' 'float4 y = {}, x = {}; y.w += 2 * x.w;'
kernel 'O[c] = K[c];' 'O[c] = K[c] + L[c];'
kernel 'O[c] = __shfl_sync(~0u, K[c], D);' 'O[c] = __shfl_sync(~0u, K[c], c);'
kernel 'for (int d = threadIdx.x; d < blockDim.x; d += blockDim.x) O[d] = 0;' \
    'for (int d = threadIdx.x; d < D; d += blockDim.x) O[d] = 0;'
claim what_is_given_and_not_read_and_what_a_neighbour_has_are_tried

reaches 'C[r] = tile_max;' 'C[r] = new_max;'
reaches 'int t = n / TM;' 'int t = (n + TM - 1) / TM;'
reaches 'int t = key / TM > query / TM;' 'int t = key > query;'
reaches '*(vec *)(C + r) += *(vec *)(A + r);' '*(vec *)(C + r) = *(vec *)(A + r);'
reaches 'C[((n * TM + d) * TK + r)] = A[r];' 'C[((n * TK + r) * TM + d)] = A[r];'
reaches 'C[n * key + d * rows + r] = A[r];' 'C[n * key + r * TK + d] = A[r];'
reaches 'C[n] += A[n * TK]; C[key] += A[key * TK];' 'C[n] += A[n * TM]; C[key] += A[key * TM];'
claim usual_slips_are_among_the_likeliest_changes_of_their_line

reaches 'int x = rows, y = n; C[x * TM + y] = A[r];' 'int x = n, y = rows; C[x * TM + y] = A[r];'
reaches 'int i = n % TM, k = n / TM; C[i] = A[k];' 'int i = n / TM, k = n % TM; C[i] = A[k];'
reaches 'int i = n / TM % rows, k = n / (TM * rows) % key; C[i] = A[k];' \
    'int i = n / (TM * key) % rows, k = n / TM % key; C[i] = A[k];'
reaches 'for (int k = r; k < TM; k += n) C[k] = A[k];' 'for (int k = r; k < n; k += TM) C[k] = A[k];'
reaches 'for (int k = n; k < r; k++) C[k] = A[k];' 'for (int k = r; k < n; k++) C[k] = A[k];'
reaches 'int k = r; while (k < TM) { C[k] = A[k]; k += n; }' 'int k = r; while (k < n) { C[k] = A[k]; k += TM; }'
reaches 'C[r] = FLT_MIN;' 'C[r] = -INFINITY;'
reaches 'if (r <= n) C[r] = 0; if (r > n) C[d] = 1;' 'if (r < n) C[r] = 0; if (r >= n) C[d] = 1;'
most=300
reaches 'int x = r * n, y = d * n; C[x] = A[y];' 'int x = r * n - 1, y = d * n - 1; C[x] = A[y];'
claim two_places_that_belong_together_change_together

reaches 'float top = C[r]; for (int k = 0; k < n; k++) top = fmaxf(top, A[k]);' \
    'float top = C[r]; for (int k = 0; k < n; k++) top = fmaxf(top, A[k]); C[r] = top;'
reaches 'float old = 0; for (int k = 0; k < n; k++) { float now = fmaxf(old, A[k]); C[k] = now; }' \
    'float old = 0; for (int k = 0; k < n; k++) { float now = fmaxf(old, A[k]); C[k] = now; old = now; }'
reaches 'int at = r + n * d; C[at] = A[r];' 'int at = r + n * d; if (at >= rows) continue; C[at] = A[r];'
reaches 'for (int k = 0; k < n; k++) { for (int i = 0; i < n; i++) C[i] = 0; C[k] += A[k]; }' \
    'for (int i = 0; i < n; i++) C[i] = 0; for (int k = 0; k < n; k++) { C[k] += A[k]; }'
claim a_state_that_stays_a_limit_and_a_loop_in_the_wrong_place_are_tried

reaches 'for (int k = 0; k < n; k++) C[r * TK + d] += A[k];' \
    'C[r * TK + d] = 0; for (int k = 0; k < n; k++) C[r * TK + d] += A[k];'
reaches 'int rest = key; int t = rest % n; C[t] = A[rest % rows];' \
    'int rest = key; int t = rest % n; rest /= n; C[t] = A[rest % rows];'
reaches 'float top = FLT_MIN; C[d] = fmaxf(top, A[r]);' 'float top = -FLT_MAX; C[d] = fmaxf(top, A[r]);'
reaches 'const float *p = A; for (int k = 0; k < n; k++, p++) C[k] += *p;' \
    'const float *p = A; for (int k = 0; k < n; k++, p += TK) C[k] += *p;'
reaches 'C[r] = C[r] + A[0] * A[d];' 'C[r] = A[0] * C[r] + A[d];'
reaches 'int i = 0; for (; i + 4 <= n; i += 4) C[i] = 0; for (i = 0; i < n; i++) C[i] += A[i];' \
    'int i = 0; for (; i + 4 <= n; i += 4) C[i] = 0; for (i; i < n; i++) C[i] += A[i];'
claim what_is_never_set_a_walk_and_a_factor_of_the_other_summand_are_tried

kernel 'int t = 0; for (int d = c; d < n; d += BC) O[d] = K[t];' \
    'int t = 0; for (int d = c; d < n; d += BC, t++) O[d] = K[t];'
reaches 'int at = n / TM * rows; C[at] = A[r];' 'int at = n * rows / TM; C[at] = A[r];'
reaches 'int at = rows * (n / TM); C[at] = A[r];' 'int at = rows * n / TM; C[at] = A[r];'
claim a_count_that_stands_still_and_a_quotient_before_its_product_are_tried

most=110
kernel 'int tx = threadIdx.x, ty = threadIdx.y; O[c] = fmaf(K[D + tx], n + ty, c);' \
    'int tx = threadIdx.x, ty = threadIdx.y; O[c] = fmaf(K[D + ty ], n + tx, c);'
kernel 'int tx = threadIdx.x, ty = threadIdx.y; O[ty] = K[D + tx];' \
    'int tx = threadIdx.x, ty = threadIdx.y; O[ty] = K[D + ty];'
claim numbers_of_a_thread_along_two_axes_are_exchanged
reaches 'float top = C[r]; for (int k = 0; k < n; k++) top = A[k] > C[r] ? A[k] : C[r]; C[d] = top;' \
    'float top = C[r]; for (int k = 0; k < n; k++) top = A[k] > top ? A[k] : top; C[d] = top;'
claim a_variable_that_has_begun_with_a_value_stands_in_its_place_in_both
most=160
reaches 'for (int k = 0; k < rows * n; k++) C[k] = 0; memset(C, 0, n);' \
    'for (int k = 0; k < rows * n; k++) C[k] = 0; memset(C, 0, rows * n);'
claim a_count_that_is_a_product_elsewhere_is_one_here
most=300

most=110
reaches 'C[r] = A[d]; float fix = C[r] - A[d]; C[d] = fix;' 'float fix = C[r] - A[d]; C[r] = A[d]; C[d] = fix;'
reaches 'for (int k = 0; k < n; k++) C[d] += C[k]; for (int k = 0; k < n; k++) C[k] = A[k];' \
    'for (int k = 0; k < n; k++) C[k] = A[k]; for (int k = 0; k < n; k++) C[d] += C[k];'
reaches 'f(C, A, 1); f(C, A, 2);' 'f(C, A, 2); f(C, A, 1);'
reaches 'for (int k = 0; k < n; k++) { C[r] += A[k]; C[r] /= TM; }' \
    'for (int k = 0; k < n; k++) { C[r] += A[k]; } C[r] /= TM;'
most=300
claim what_a_statement_sets_and_reads_says_where_it_stands

reaches 'float A0 = 0.0f; C[r] = A0 + A[r];' 'float A0 = A[r]; C[r] = A0 + A[r];'
reaches 'if (n && rows) C[r] = A[d];' 'if (n && !rows) C[r] = A[d];'
reaches 'for (int k = 0; k < n; k += TM) { int now = TM; C[now] = A[k]; }' \
    'for (int k = 0; k < n; k += TM) { int now = (TM < n - k ? TM : n - k); C[now] = A[k]; }'
reaches 'float a = A[r], b = A[d]; C[r] = a * expf(a - n) + b;' \
    'float a = A[r], b = A[d]; C[r] = a * expf(a - n) + b * expf(b - n);'
reaches 'int s[2] = {n, rows}; C[s[0]] = A[s[1]];' 'int s[2] = {n, TM}; C[s[0]] = A[s[1]];'
reaches 'float l = A[r]; l += A[d] * n; C[r] = l;' 'float l = A[r]; l = A[d] * l + n; C[r] = l;'
reaches 'int t = n / TM; C[t] = A[r];' 'int t = n / TM % rows; C[t] = A[r];'
kernel 't.K += c * D; t.V += c * D;' 't.K = K + c * D; t.V = V + c * D;'
kernel 'O[c] = K[c * STRIDE(D)] + V[c * D];' 'O[c] = K[c * STRIDE(D)] + V[c * STRIDE(D)];'
kernel 'float s = K[c]; O[c] = s;' 'float s = helper(K[c]); O[c] = s;'
kernel 'for (int i = threadIdx.x; i < n; i++) O[i] = K[threadIdx.y];' \
    'for (int i = threadIdx.y * blockDim.x + threadIdx.x; i < n; i++) O[i] = K[threadIdx.y];'
kernel 'float s = 0; s += V[c]; O[c] = s;' 'float s = 0; s += V[c] * L[c]; O[c] = s;'
kernel 'const int tile = c * BC, left = BC; O[left] = K[tile];' \
    'const int tile = c * BC, left = min(BC, n - tile); O[left] = K[tile];'
claim what_the_file_offers_in_place_of_a_value_is_tried

printf 'static int lesser(int a, int b) { return b < a ? b : a; }
void f(float *C, const float *A, int sq, int sk) {
    const int Br = lesser(48, sq), Bc = lesser(96, sk);
    for (int q = 0; q < sq; q += Br)
        for (int k = 0; k < sk; k += Bc) C[q * lesser(Br, sq - q)] += A[k * lesser(Bc, sk - k) + q];
}\n' >"$top/sizes.c"
build/bin/edits "$top/sizes.c" "$top/sizes.out.c" "$top/sizes.tsv"
[[ $(awk -F'\t' 'NR > 1 {print ($3 <= 3) == $12}' "$top/sizes.tsv" | sort | uniq -c) =~ ^\ *[0-9]+\ 1$ ]] ||
    complain 'the sizes of tiles and what makes them are not told from what works with them'
! has "$top/sizes.tsv" 'b < a ? b : a' b || complain 'min is taken for one of its sides'
claim a_size_that_many_lines_read_is_told_from_the_lines_that_read_it

printf '#include <math.h>
void f(float *S, float dot, int D) {
    const float scale = 1.0f / sqrtf((float)D);
    *S = dot / scale;
}\n' >"$top/inverse.c"
build/bin/edits "$top/inverse.c" "$top/inverse.out.c" "$top/inverse.tsv"
where=$(awk -F'\t' \
    '$10 ~ /^(1\.0f [*] )?sqrtf\(\(float\)D\)( \/ 1\.0f)?$|^[*]S = dot [*] scale$/ {print $10}' "$top/inverse.tsv")
[[ $where == $'*S = dot * scale\nsqrtf((float)D)' ]] || complain "the inverse: $where"
claim of_an_inverse_number_it_is_the_number_that_is_meant_and_later_than_its_use

printf 'static int min(int a, int b) { return a < b ? a : b; }
void f(float *C, int Br, int sq) {
    const int rows = min(Br, sq);
    for (int q = 0; q < sq; q += rows) C[q] = 0;
}\n' >"$top/idle.c"
build/bin/edits "$top/idle.c" "$top/idle.out.c" "$top/idle.tsv"
[[ $(awk -F'\t' '$7 == "min(Br, sq)" && $6 == "left out" {print $8}' "$top/idle.tsv") == Br ]] ||
    complain 'a limit goes, and with it the only one who reads the size of a tile'
claim a_limit_is_not_left_out_where_nobody_would_read_it_any_more

reaches 'g(C, n * TM, key * TK);' 'g(C, n * TK, key * TM);'
reaches 'memset(C, 0, n);' 'memset(C, 0, n * sizeof *C);'
kernel 'O[c] = K[c] / D;' 'O[c] = K[c] / sqrtf((float)D);'
kernel 'int *len = (int *)O; const int *own = (const int *)L; if (c < own[c]) len[c] = n;' \
    'int *len = (int *)O; const int *own = (const int *)L; if (c < own[c]) len[c] = own[c];'
file grid.cu <<'END'
static __global__ void f(float *O, int S, int H) { O[blockIdx.y / H * S + blockIdx.x] = 0; }
void g(float *O, int B, int S, int heads) { f<<<dim3(S, B), 64>>>(O, S, heads); }
END
changes B 'B * heads' || complain 'a grid that lacks what its kernel divides by'
[[ $(awk -F'\t' '$7 == "B" && $8 == "B * heads" {print $2}' "$top/file.tsv") -lt 30 ]] || complain 'an unlikely grid'
file tile.c <<'END'
#define MIN(a, b) ((a) < (b) ? (a) : (b))
void f(float *C, int n, int Br) {
    const int tile = MIN(Br, n);
    for (int t = 0; t < n; t++) { const int first = t * tile; const int rows = tile; C[first] = rows; }
}
END
changes tile 'MIN(tile, n - first)' || complain 'the last tile is not cut off'
claim names_bytes_rows_and_blocks_that_are_mixed_up_are_tried

reaches 'const float *p = A + key * n + r * TK; C[d] = p[d];' 'const float *p = A + (key * n + r) * TK; C[d] = p[d];'
reaches 'C[r] = A[key] * C[r] + A[d];' 'C[r] = A[key] * (C[r] + A[d]);'
reaches 'C[r * TM + 1 + d] = A[d];' 'C[r * (TM + 1) + d] = A[d];'
claim what_is_added_is_multiplied_too
kernel 'float top = K[c], sum = V[c]; __syncthreads(); if (c == 0) O[D] = sum; __syncthreads();' \
    'float top = K[c], sum = V[c]; if (c == 0) O[D] = top; __syncthreads(); if (c == 0) O[D] = sum; __syncthreads();'
claim what_is_handed_over_of_one_number_is_of_another
plan
