#!/usr/bin/env bash
# repair.sh: files that are right but for one line: the lab finds a change that mends it, and says the line. A file with
# two mistakes gets no single cause, a right one hears nothing. TAP.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/../.."
# shellcheck source=grader/tests/tap.sh
source grader/tests/tap.sh
top=$(mktemp -d)
trap 'rm -rf "$top"' EXIT
# What is looked for within so many seconds of a processor is to be found on a slow or busy machine, too.
export LAB_BACKEND=simt LAB_SLOWNESS=3
unset IMPL BACKEND MAKEFLAGS MAKELEVEL LAB_CHECKED

# wrong FILE [OLD NEW]...: file is a copy in which each OLD, once, is NEW
wrong() {
    local text new
    file=$top/$1 text=$(<"grader/tests/repair/$1")
    shift
    while (($#)); do
        [[ $text == *"$1"* ]] || complain "there is no $1"
        new=${text/"$1"/"$2"} text=$new
        shift 2
    done
    printf '%s\n' "$text" >"$file"
}
# tests TASK [OPTION...]: out is what is said of it, a sentence a line; `line`: where the word stands
tests() {
    local task=$1 runner=build/bin/runner probe=()
    shift
    [[ $file == *.c ]] || runner=build/bin/runner_simt
    build/bin/stagecc . "$task" "$file" "$top/stage.so" >"$top/log" 2>&1 || complain "$(<"$top/log")"
    if grep -q TODO "$file"; then
        build/bin/stagecc --probe . "$task" "$file" "$top/probe.so" || complain 'no probe'
        probe=(--probe "$top/probe.so")
    fi
    run build/bin/claims "$task" --stage "$top/stage.so" "${probe[@]}" --source "$file" --runner "$runner" \
        --edits build/bin/edits "$@"
    [[ $(wc -L <<<"$out") -le 80 ]] || complain 'a line is longer than 80 columns'
    out=$(sed -z 's/\n  *\([^ ]\)/ \1/g' <<<"$out")
}
line_of() { grep -m 1 -nF -- "$1" "$file" | cut -d : -f 1; }

most=100
# reaches WRONG RIGHT: among the $most likeliest changes is the one that makes this line of a function right
reaches() {
    local k
    for k in "$1" "$2"; do
        printf 'typedef float vec __attribute__((vector_size(16)));
void f(float *C, const float *A, int n, int rows, int TM, int TK, int tile_max, int new_max, int key, int query) {
    for (int r = 0; r < rows; r++)
        for (int d = 0; d < TK; d++) {
            %s
        }
}\n' "$k" >"$top/line.$([[ $k == "$1" ]] && echo wrong || echo right).c"
    done
    run build/bin/edits "$top/line.wrong.c" --reaches "$top/line.right.c"
    ((${out%% *} > 0 && ${out%% *} <= most)) || complain "$1 to $2: change ${out%% *}"
}

# kernel WRONG RIGHT: the same within a loop of a kernel
kernel() {
    local k
    for k in "$1" "$2"; do
        printf '#define STRIDE(D) ((D) + 1)
constexpr int BC = 32;
struct tile { const float *K, *V; int n; };
static __device__ float helper(float x) { return 2 * x; }
static __global__ void f(float *O, const float *K, const float *V, const float *L, int D, int n) {
    struct tile t = {};
    for (int c = 0; c < n; c++) {
        %s
    }
}\n' "$k" >"$top/line.$([[ $k == "$1" ]] && echo wrong || echo right).cu"
    done
    run build/bin/edits "$top/line.wrong.cu" --reaches "$top/line.right.cu"
    ((${out%% *} > 0 && ${out%% *} <= most)) || complain "$1 to $2: change ${out%% *}"
}

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

most=60
kernel 'int tx = threadIdx.x, ty = threadIdx.y; O[c] = fmaf(K[D + tx], n + ty, c);' \
    'int tx = threadIdx.x, ty = threadIdx.y; O[c] = fmaf(K[D + ty ], n + tx, c);'
kernel 'int tx = threadIdx.x, ty = threadIdx.y; O[ty] = K[D + tx];' \
    'int tx = threadIdx.x, ty = threadIdx.y; O[ty] = K[D + ty];'
claim numbers_of_a_thread_along_two_axes_are_exchanged
reaches 'float top = C[r]; for (int k = 0; k < n; k++) top = A[k] > C[r] ? A[k] : C[r]; C[d] = top;' \
    'float top = C[r]; for (int k = 0; k < n; k++) top = A[k] > top ? A[k] : top; C[d] = top;'
claim a_variable_that_has_begun_with_a_value_stands_in_its_place_in_both
most=100
reaches 'for (int k = 0; k < rows * n; k++) C[k] = 0; memset(C, 0, n);' \
    'for (int k = 0; k < rows * n; k++) C[k] = 0; memset(C, 0, rows * n);'
claim a_count_that_is_a_product_elsewhere_is_one_here
most=300

most=60
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

kernel 'for (int i = threadIdx.x; i < n; i += BC * 4) O[i] = K[i];' \
    'for (int i = threadIdx.x; i <= n; i += BC * 4) O[i] = K[i];'
build/bin/edits "$top/line.wrong.cu" "$top/steps.out.cu" "$top/steps.tsv"
[[ ! $(awk -F'\t' '$6 == "left out" && $7 ~ /^(i \+= )?BC \* 4$/ && $2 < 60' "$top/steps.tsv") ]] ||
    complain 'what lets threads do the work of others is as likely as others'
claim smaller_steps_of_a_thread_are_no_likely_mend

# has TABLE OLD NEW: one of its changes is this. Nothing is piped: who reads only so far would end who writes.
has() { [[ $'\n'$(cut -f 7,8 "$1")$'\n' == *$'\n'"$2"$'\t'"$3"$'\n'* ]]; }
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
# file NAME: edits' table of what stands on the input
file() { cat >"$top/$1" && build/bin/edits "$top/$1" "$top/out.$1" "$top/file.tsv"; }
changes() { has "$top/file.tsv" "$@"; }
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

wrong reference.c
tests task1 --only 1.1
exits 0
says_not 'Why:'
claim a_right_file_hears_nothing

wrong reference.c 'total += e' 'total = e'
tests task1 --only 1.2
says "Why:  line $(line_of 'total = e'), in exponentials: total = e; With += in place of ="
says 'in place of =, every claim of TODO 1.2 passes.'
wrong reference.c 'if (col > row + offset)' 'if (col < row + offset)'
tests task1 --only 1.7
says "Why:  line $(line_of 'col < row'), in "
says 'With > in place of <'
claim a_wrong_operator_is_named_by_line_and_change

tests task1 --line-only --only 1.7
says "line $(line_of 'col < row') is enough"
says_not 'With > in place'
claim an_instructor_can_have_the_line_alone

wrong reference.c 'p[k] = e;' 'if (s[k] == -INFINITY) continue; p[k] = e;'
tests task1 --only 1.2
says 'Without if (s[k] == -INFINITY) continue,'
claim a_line_too_many_is_to_go_and_not_to_be_switched_off

wrong reference.c '(t / E) % S' '(t / D) % S'
tests task1
says "line $(line_of '(t / D) % S')"
[[ $(grep -o 'Why:' <<<"$out" | wc -l) == 1 ]] || complain "one mistake, several causes: $out"
claim what_builds_on_a_wrong_function_gets_no_cause_of_its_own
[[ ${out%%Why:*} != *'WRONG_ANSWER'* ]] || complain "Why stands below a claim that fails: $out"
[[ ${out#*Why:} == *'WRONG_ANSWER'* && $out != *'a guess'* ]] || complain "a guess beside it, or no table: $out"
claim the_cause_stands_above_the_claims_once_and_guesses_are_left_out

wrong reference.c 'total += e' 'total = e' 'p[k] = e' 'p[k] = e + e'
tests task1 --only 1.2
says_not 'every claim of TODO 1.2'
wrong reference.c 'S[row * Sk + col] = (float)(acc / norm)' 'S[col * Sq + row] = (float)(acc * norm + acc)'
tests task1 --only 1.6
says_not 'Why:'
claim where_no_change_mends_none_is_named

wrong reference.c 'q < p + cols; q++' 'q < p + cols; q += 0'
LAB_SLOWNESS=1 tests task1 --timeout 1 --only 1.3 # nothing is to be found
says 'TIMEOUT'
claim a_loop_without_end_does_no_harm

wrong reference.c 'status = attn_sdpa(O' 'for (size_t i = 0; i < n; i++) Q[i] *= 0.5f;
    if (status == ATTN_OK) status = attn_sdpa(O'
sed -i 's/TODO//' "$file"
tests task1 --only multi_head
says "Why:  line $(line_of '*= 0.5f'), in attn_mha:"
says '] *= 0.5f, every claim passes.'
claim self_attention_is_tried_with_as_many_queries_as_keys

wrong flash.cu 'row->l = row->l * shrink' 'row->l = row->l / shrink'
tests task4 --only 4.5
says "Why:  line $(line_of 'row->l / shrink'), in "
says ': row->l = row->l / shrink; With'
says 'With * in place of /, every claim of TODO 4.5 passes.'
claim so_is_one_of_a_kernel

wrong flash.cu 'if (s[key] > best)' 'if (s[key] < best)'
tests task4 --only 4.4 --checked-runner build/bin/runner_simt_checked
says 'With > in place of <'
wrong flash.cu 'if (s[key] > best)' 'if (s[key] < best)' 'float best = m;' 'float best = s[BC * 64] == 4.f ? 0.f : m;'
LAB_SLOWNESS=1 tests task4 --only 4.4 --checked-runner build/bin/runner_simt_checked
says_not 'Why:'
claim what_mends_a_kernel_and_reads_stray_memory_is_no_mend

file=$top/decode.cu text=$(<grader/solutions/task5_decode/decode.cu)
barrier='    __syncthreads();  // all parts are written before any thread reads them'
[[ $text == *"$barrier"* ]] || complain 'the answer shares its parts otherwise'
printf '%s\n' "${text/"$barrier"/}" >"$file"
tests task5 --only 5.6 --checked-runner build/bin/runner_simt_checked
says 'a barrier is missing at the end of leave_part, before its closing brace'
claim a_barrier_behind_a_loop_goes_before_one_in_each_round

file=$top/pipeline.cu text=$(<grader/solutions/task6_pipeline/pipeline.cu)
one='if (h == 0 && i == 0) lengths[b]' other='if (b == 0 && h == 0 && i == 0) lengths[b]'
[[ $text == *"$one"* ]] || complain 'the answer counts tokens otherwise'
printf '%s\n' "${text/"$one"/"$other"}" >"$file"
tests task6 --only 6.4 --checked-runner build/bin/runner_simt_checked
says 'With (h == 0) in place of b == 0 && h == 0'
claim what_passes_since_all_threads_write_the_same_is_no_mend

file=$top/flash.cu text=$(sed 's/TODO//' grader/solutions/task4_flash/flash.cu)
own='keys_to_visit(i0 + r, shape)'
printf '%s\n' "${text/"keys_to_visit(i0 + BR - 1, shape)"/"$own"}" >"$file"
grep -qF "$own" "$file" || complain 'there is no limit of the block'
tests task4 --only causal_mask_hides_later_keys --checked-runner build/bin/runner_simt_checked
says_not 'min(keys'
claim a_limit_is_not_left_out_where_threads_do_not_meet

file=$top/tiled_cpu.c text=$(sed 's/TODO//' grader/solutions/task3_tiled_cpu/tiled_cpu.c)
parallel=$'#pragma omp parallel\n    {\n' own='        tile t = make_tile(Br, Bc, D);'
[[ $text == *"$parallel$own"* ]] || complain 'task 3 has no tile of its own for each thread'
printf '%s\n' "${text/"$parallel$own"/"$own"$'\n'"$parallel"}" >"$file"
tests task3 --only key_tiles_are_summed
says 'with one thread (OMP_NUM_THREADS=1) what failed passes'
claim threads_that_share_what_each_needs_are_told_from_wrong_numbers
plan
