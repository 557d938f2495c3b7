#!/usr/bin/env bash
# handout_slips.sh: slips as students make them in the functions of a handout, by others than the mutants: the change
# that undoes one is among the likeliest (grader/repair/edits: indexed, undivided, order, unread, steps). TAP.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/../.."
# shellcheck source=grader/tests/tap.sh
source grader/tests/tap.sh
top=$(mktemp -d)
trap 'rm -rf "$top"' EXIT
flash=grader/solutions/task4_flash/flash.cu

cat >"$top/right.c" <<'END'
#include <math.h>
typedef struct { int j0, nk, n, Bc; } tile;
typedef float vec __attribute__((vector_size(32)));
static float exp_of(float x);
static void use(tile t);
static void walk(tile t, int n) {
    for (int j = 0; j < n; j += t.Bc) {
        t.j0 = j;
        t.nk = n - t.j0;
        use(t);
    }
}
static void weigh(float *s, float *l, int n, float m) {
    float sum = 0;
    for (int c = 0; c < n; c++) s[c] = exp_of(s[c] - m);
    for (int c = 0; c < n; c++) sum += s[c];
    *l += sum;
}
static float exp_of(float x) { return expf(x); }
static void mask(float *s, int n, int k0, int seen) {
    for (int c = 0; c < n; c++) {
        const int j = k0 + c;
        if (j >= seen) s[c] = -INFINITY;
    }
}
static void hide(float *s, int i, tile t) {
    const int seen = i + 1 - t.j0;
    for (int c = seen > 0 ? seen : 0; c < t.nk; c++) s[c] = -INFINITY;
}
static int min_int(int a, int b) { return a < b ? a : b; }
static void walk_cut(tile t, int n) {
    for (int j = 0; j < n; j += t.Bc) {
        t.nk = min_int(t.Bc, n - j);
        use(t);
    }
}
static int keys(int n, int width, int lane) {
    for (int i = lane; i < n; i += width) n -= i;
    return n + lane;
}
static void store(float *C, int n, int r) {
    vec sum[2];
    for (int v = 0; v < 2; v++) sum[v] = *(const vec *)&C[r * n + v * 8];
    for (int v = 0; v < 2; v++) *(vec *)&C[r * n + v * 8] = sum[v];
}
static void walk_field(tile t) {
    for (t.j0 = 0; t.j0 < t.n; t.j0 += t.Bc) {
        t.nk = min_int(t.Bc, t.n - t.j0);
        use(t);
    }
}
#define PITCH(D) ((D) + 1)
static void copy(float *to, const float *from, int S, int D) {
    for (int n = 0; n < S * D; n++) {
        const int r = n / D, d = n % D;
        to[r * PITCH(D) + d] = from[n];
    }
}
static void join(float *part, int t) {
    for (int half = 8; half > 0; half /= 2)
        if (t < half) part[t] = part[t] + part[t + half];
}
enum { N = 4 };
static float over(const float *q, int n) {
    float all[N], l = 0;
    for (int a = 0; a < N; a++) all[a] = q[a];
    for (int a = 0; a < N; a++) l += all[a];
    for (int i = 0; i < n; i++) l += q[i];
    return l;
}
static void block(float sum[4][4], const float *q, const float *k) {
    float x[4], y[4];
    for (int a = 0; a < 4; a++) x[a] = q[a];
    for (int b = 0; b < 4; b++) y[b] = k[b];
    for (int a = 0; a < 4; a++)
        for (int b = 0; b < 4; b++) sum[a][b] += x[a] * y[b];
}
END

# undone MOST FILE OLD NEW: where OLD, once, is NEW, one of the MOST likeliest changes makes it right
undone() {
    local text new file=$top/wrong.${2##*.}
    text=$(<"$2") new=${text/"$3"/"$4"}
    [[ $text != "$new" ]] || complain "there is no $3"
    printf '%s\n' "$new" >"$file"
    run build/bin/edits "$file" --reaches "$2" --limit 1500 "${@:5}"
    ((${out%% *} > 0 && ${out%% *} <= $1)) || complain "$4: change $out"
}
right=$top/right.c
undone 20 "$right" $'t.j0 = j;\n        t.nk = n - t.j0;' $'t.nk = n - t.j0;\n        t.j0 = j;'
claim a_number_that_is_read_before_it_is_set_changes_places
undone 300 "$right" $'s[c] = exp_of(s[c] - m);\n    for (int c = 0; c < n; c++) sum += s[c];' \
    $'sum += s[c];\n    for (int c = 0; c < n; c++) s[c] = exp_of(s[c] - m);'
claim a_loop_that_calls_what_is_written_below_may_move
undone 30 "$right" 's[c] = exp_of(s[c] - m)' 's[c] = exp_of(s[c]) - m'
claim a_parenthesis_closes_behind_what_belongs_to_it
undone 30 "$right" 'j = k0 + c' 'j = c'
claim an_offset_that_is_given_and_not_read_is_added

# A size that is 1 in many a claim is no offset.
printf '%s\n' 'typedef struct { int batch, k0, n; } shape;' 'int keys(int last, shape z) {' \
    '    const int seen = last;' '    if (seen < z.n) return seen;' '    return z.n;' '}' >"$top/wrong.c"
run build/bin/edits "$top/wrong.c" "$top/out.c" "$top/table" --limit 3000
[[ $(<"$top/table") == *'z.k0 + '* ]] || complain "z.k0 is not added: $out"
[[ $(cut -f 6,8 "$top/table") != *$'unread\tz.batch + '* ]] || complain 'a size is added'
claim a_size_is_no_offset

# A size that nobody reads, and a constant in its place.
decode=grader/solutions/task5_decode/decode.cu
undone 40 "$decode" 'if (d < D) parts->o' 'if (d < WARP) parts->o'
sed 's/if (d < D) parts->o/if (d < WARP) parts->o/' "$decode" >"$top/wrong.cu"
build/bin/edits "$top/wrong.cu" "$top/out.cu" "$top/table" --limit 3000
[[ $(cut -f 8 "$top/table") != *'D + WARP'* ]] || complain 'a constant is no place within a tile'
claim a_size_that_is_given_and_not_read_comes_for_a_constant

undone 20 "$right" 'i = lane; i < n; i += width' 'i = lane % 8; i < n; i += width'
undone 20 "$right" 'return n + lane' 'return n / 8 * 8 + lane'
claim a_number_that_is_cut_down_is_taken_whole
undone 30 "$right" 'c = seen > 0 ? seen : 0' 'c = seen'
claim a_loop_does_not_begin_below_0
undone 60 "$right" 'min_int(t.Bc, n - j)' 'min_int(t.Bc, n)'
claim what_is_left_is_counted_from_where_the_round_begins
undone 40 "$right" 't.j0 += t.Bc' 't.j0++'
claim a_field_goes_on_by_what_a_round_takes
undone 60 "$right" '*(vec *)&C[r * n + v * 8]' '*(vec *)&C[r * n + v]'
claim an_element_is_that_of_the_other_line
undone 20 "$right" 'x[a] * y[b]' 'x[b] * y[a]'
claim arrays_have_the_subscripts_that_they_have_elsewhere
undone 70 "$right" 't.nk = min_int(t.Bc, t.n - t.j0)' 't.nk = min_int(t.Bc, t.n)'
claim what_is_left_is_counted_from_a_field_too
undone 50 "$right" 'r = n / D, d = n % D' 'r = n / S, d = n % S'
undone 50 "$right" 'r = n / D, d = n % D' 'r = n / PITCH(D), d = n % PITCH(D)'
claim row_and_column_of_a_number_are_by_another_width
undone 30 "$right" 'part[t] = part[t] + part[t + half]' 'part[t] = part[t] + part[half]'
claim an_element_some_way_behind_another_counts_from_there
undone 300 "$right" $'a < N; a++) all[a] = q[a];\n    for (int a = 0; a < N; a++)' \
    $'a < n; a++) all[a] = q[a];\n    for (int a = 0; a < n; a++)'
claim a_loop_over_an_array_ends_where_the_array_does

# What one statement stores, and the next one once more, is one statement. A kind is no size.
printf '%s\n' 'enum { T = 32 };' 'enum kind { MAX, SUM };' 'static void g(float *a, float *b, int i, int k) {' \
    '    a[i] = b[i] * T;' '    b[i] = b[k + i];' '}' 'static void h(float *a, float *b, int i, int k) {' \
    '    b[i] = a[k + i];' '    a[k] = b[i] * T;' '}' >"$top/wrong.c"
run build/bin/edits "$top/wrong.c" "$top/out.c" "$top/table" --limit 8000
[[ -s $top/table && $(cut -f 6,7,8 "$top/table") != *$'name\tT\tSUM'* ]] || complain 'a kind stands where a size does'
lost=$(awk -F'\t' '$3 == 5 && $7 == "" && $8 ~ /^b\[i\] = /' "$top/table")
[[ ! $lost ]] || complain "stored twice: $lost"
claim what_is_stored_is_not_stored_again
printf '%s\n' 'static void g(float *a, int k, int n) {' '    for (int i = 0; i < n; i++)' \
    '        if (i + 8 <= n) a[i] += 1.0f;' '    if (k == 0) a[k] = 1.0f;' '}' >"$top/wrong.c"
run build/bin/edits "$top/wrong.c" "$top/out.c" "$top/table" --limit 8000
always=$(awk -F'\t' '$6 == "always" { print $7 "," $8 }' "$top/table")
[[ $always == 'i + 8 <= n,1' ]] || complain "always: $always"
claim an_if_that_keeps_numbers_away_goes

# The names of an enum within a function are known there alone.
printf '%s\n' 'static void g(float *a, float *b, int k) {' '    enum { ROWS = 4, COLS };' \
    '    a[k] = b[ROWS * k + COLS];' '}' 'static void h(float *a, float *b, int i, int k) {' \
    '    for (int j = 0; j < k; j++) b[i + 4 * j] = a[k + j];' '}' >"$top/wrong.c"
run build/bin/edits "$top/wrong.c" "$top/out.c" "$top/table" --limit 8000
[[ $(awk -F'\t' '$5 == "g" && $8 ~ /COLS/' "$top/table") ]] || complain 'no change in g'
strange=$(awk -F'\t' '$5 == "h" && $8 ~ /ROWS|COLS/ { print $8 }' "$top/table")
[[ ! $strange ]] || complain "in h: $strange"
claim an_enum_within_a_function_is_known_there_alone

# The same slip in the next line: *lane, sizeof *k and (*to++ = x) are no places for another sign.
cat >"$top/wrong.c" <<'END'
#include <stddef.h>
void pack(float *to, const float *k, int n, int m, float *S) {
    float total = 0;
    for (int i = 0; i < n; i++) {
        float *lane = to + i / 4 * n * m + i % 4;
        for (int d = 0; d < n; d++, lane += m) *lane = k[i * n + d] * sizeof *k;
        total += (*to++ = k[i] * S[i]);
    }
    to[0] = total;
}
END
run build/bin/edits "$top/wrong.c" "$top/out.c" "$top/table" --limit 8000
run "${CC:-gcc}" -fsyntax-only -w -std=c11 -fmax-errors=0 -Igrader/repair -Igrader/core "$top/out.c"
says_not 'expected expression'
says_not 'unary plus'
claim a_slip_that_is_made_again_is_made_where_it_reads_alike

# What the same number is multiplied by and divided by, one after the other, is no change.
sed 's|return n + lane|return n / 8 * 8 + lane|' "$right" >"$top/wrong.c"
run build/bin/edits "$top/wrong.c" "$top/out.c" "$top/table" --limit 3000
grep -q '8 \* 8 + lane' "$top/table" || complain "no change of the line: $(head -3 "$top/table")"
[[ $(<"$top/table") != *'* 8 / 8'* ]] || complain 'n * 8 / 8'
claim no_product_is_divided_by_its_factor

barrier=$'        __syncthreads();\n    }'
undone 80 "$flash" "$barrier" '    }' --functions flash_kernel
undone 60 "$flash" "$barrier" $'        __syncwarp();\n    }' --functions flash_kernel
kernel=$'        load_tile(Vs, V + (size_t)k0 * D, Sk - k0, BC, D);\n'
text=$(<"$flash") text=${text/"$kernel"/$'        __syncthreads();\n'"$kernel"}
printf '%s\n' "${text/$'// Size: 2 lines.\n        __syncthreads();'/// Size: 2 lines.}" >"$top/wrong.cu"
run build/bin/edits "$top/wrong.cu" --reaches "$flash" --limit 1500 --functions flash_kernel
((${out%% *} > 0 && ${out%% *} <= 60)) || complain "a barrier that stands too early: change $out"
claim a_barrier_that_is_missing_weak_or_misplaced_comes_early
run build/bin/edits "$top/wrong.cu" "$top/out.cu" "$top/table" --limit 8000 --functions flash_kernel
last=$(grep -n '__syncthreads();' "$top/wrong.cu" | tail -1)
moved=$(awk -F'\t' -v line="${last%%:*}" 'NR <= 60 && $3 == line && $7 ~ /^__syncthreads/ && $8 == $7' "$top/table")
[[ -s $top/table && ! $moved ]] || complain "the barrier that ends a round is moved: $moved"
claim the_barrier_that_ends_a_round_is_not_moved_early

# What ended a round stands before the values are added: one is missing at its end. Between two loads none is meant.
text=$(<"$flash") text=${text/"$barrier"/    \}}
printf '%s\n' "${text/__syncwarp();/__syncthreads();}" >"$top/wrong.cu"
run build/bin/edits "$top/wrong.cu" "$top/out.cu" "$top/table" --limit 8000 --functions flash_kernel
loads=$(grep -n 'load_tile(Vs, V + (size_t)k0' "$top/wrong.cu")
missing=$(awk -F'\t' '$6 == "barrier" && $13 ~ /^the loop/ { print $2; exit }' "$top/table")
to="before line ${loads%%:*}"
moved=$(awk -F'\t' -v kind="$to" '$6 == kind && $7 ~ /^__syncthreads/ { print $2; exit }' "$top/table")
((missing > 0 && moved > missing)) || complain "missing: rank $missing, moved between two loads: $moved"
claim no_barrier_is_moved_between_two_loads

# A struct whose fields all threads set is shared, too.
printf '%s\n' 'typedef struct { int i0; } tile;' 'void f(float *C, int n) {' '    tile t;' '#pragma omp parallel for' \
    '    for (int i = 0; i < n; i++) {' '        t.i0 = i;' '        C[i] = t.i0;' '    }' '}' >"$top/shared.c"
run build/bin/edits "$top/shared.c" --shared .
[[ $out == $'t\t6\town' ]] || complain "shared: $out"
claim a_struct_whose_fields_all_set_is_shared
plan
