#!/usr/bin/env bash
# own_styles.sh: students' C files of tasks 1 and 3 that keep nothing of the skeleton: other names, macros that are
# loops, pointers that walk. Of one mistake in such a file the change that mends it is among the likeliest, and the lab
# says it. TAP.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/../.."
# shellcheck source=grader/tests/own_files.sh
source grader/tests/own_files.sh

reached own_tiled.c 't->rows - 1 + offset' 't->rows - 1'
reached own_tiled.c 't->v + (size_t)(base + j) * dim' 't->v + (size_t)j * dim'
claim a_summand_that_stands_elsewhere_is_tried

reached own_tiled.c 'const int wide = MIN(width, t->nk - base)' 'const int wide = width'
claim a_step_a_factor_and_a_limit_of_other_lines_are_tried

reached own_tiled.c 'mass[i] * decay + sum' 'mass[i] + sum'
reached own_tiled.c 'mass[i] * decay + sum' '(mass[i] + sum) * decay'
claim the_state_of_an_online_softmax_is_known_under_any_name

only=ragged told task3 own_tiled.c 'peak[i] = high;' '' 'this is missing: peak[i] = high; With it'
claim what_is_done_to_one_and_not_to_the_other_is_said

only=ragged told task3 own_tiled.c '? (a) : (b)' '? (b) : (a)' \
    'line 7, in MIN: #define MIN(a, b) ((a) < (b) ? (b) : (a)) With'
claim the_sides_of_a_macro_s_question_change_places

# A larger tile hides such a mistake, and is not the reason for it.
plant own_tiled.c 'offset - base + 1' 'offset + 1'
build/bin/edits "$wrong" "$top/out.c" "$top/table.tsv" --limit 1500
[[ ! $(cut -f 6,8 "$top/table.tsv") =~ habit$'\t'(tiles\.Bc|t->width)' *' ]] || complain 'a larger tile is tried'
plant own_veteran.c 'sum = mx + br;' 'sum = mx;'
build/bin/edits "$wrong" "$top/out.c" "$top/table.tsv" --limit 100000
[[ ! $(cut -f 7,8 "$top/table.tsv") =~ Br$'\t'(tiles\.)?Bc ]] || complain 'a tile of the other side is tried'
claim no_tile_grows_to_hide_a_mistake

# What the file itself says of twins, lengths, parts and ends: pieces of files that nobody here has written before.
reached own_bits.c 'p->step[b] = stride;' ''
reached own_bits.c 'if (i1 > p->rows) i1 = p->rows;' ''
claim what_is_done_to_one_is_done_to_its_twin_under_the_twins_names
reached own_bits.c 'const float(*x)[n][m]' 'const float(*x)[m][n]'
claim the_lengths_of_rows_that_run_time_knows_change_places
reached own_bits.c 'larger(s[c], high)' 's[c]'
claim a_function_of_two_joins_the_new_and_the_old
reached own_bits.c $'0; j < seen(p, row, n); j++) sum' $'0; j < n; j++) sum'
reached own_bits.c 'old + part' '*mass + part'
reached own_bits.c 'x + half, n - half' 'x + half, half'
claim what_was_made_of_a_number_is_tried_in_its_place
reached own_bits.c 'for (int i = 0; i < dim; i++) o[i] = 0;' ''
claim what_a_function_adds_to_is_cleared_by_its_caller
reached own_bits.c $'        x += width;\n' ''
claim a_pointer_that_stays_walks_in_the_loop_around
walk=$'        for (int j = 0; j < visible; j++) o[j] += i;\n        o += p->cols;'
count='        if (p->causal) visible++;'
reached own_bits.c "$count"$'\n'"$walk" "$walk"$'\n'"$count"
claim what_a_round_ends_with_may_begin_it

# A factor that nobody reads: two lines lack it. A tile that is as large as the whole hides that, and is not the reason.
right=$top/right_factor.c wrong=$top/factor.c
cat >"$right" <<'END'
#include <math.h>
int online(float *z, float *out, float *m, const float *s, const float *v, int n, int tile) {
    if (tile > n) {
        tile = n;
    }
    for (int j = 0; j < n; j += tile) {
        const float top = fmaxf(*m, s[j]), fix = expf(*m - top);
        float more = 0.0f;
        for (int k = j; k < j + tile && k < n; k++) more += expf(s[k] - top);
        *z = *z * fix + more;
        float old = out[0] * fix;
        for (int k = j; k < j + tile && k < n; k++) old += expf(s[k] - top) * v[k];
        out[0] = old;
        *m = top;
    }
    return 0;
}
END
text=$(<"$right")
sed 's/ \* fix//' "$right" >"$wrong"
run build/bin/edits "$wrong" --reaches "$right" --limit 100
[[ $out == [1-9]* && $text != "$(<"$wrong")" ]] || complain "in two lines: $out"
build/bin/edits "$wrong" "$top/out.c" "$top/table.tsv"
out=$(awk -F '\t' '$9 == "tile > n" { n++; hides += $12 } END { print n, hides }' "$top/table.tsv")
[[ $out == [1-9]* && ${out% *} == "${out#* }" ]] || complain "a larger tile: $out"
cat >"$right" <<'END'
#include <math.h>
void online(float *z, float *out, float *m, const float *s, const float *v, int n, int D) {
    for (int j = 0; j < n; j++) {
        const float top = fmaxf(*m, s[j]), fix = expf(*m - top), e = expf(s[j] - top);
        *z *= fix; for (int d = 0; d < D; d++) out[d] *= fix;
        *z += e;
        for (int d = 0; d < D; d++) out[d] += e * v[j * D + d];
        *m = top;
    }
}
END
sed '/\*= fix/d' "$right" >"$wrong"
run build/bin/edits "$wrong" --reaches "$right" --limit 100
[[ $out == [1-9]* ]] || complain "two statements: $out"
claim a_factor_that_nobody_reads_belongs_to_two_sums

# The same slip in two functions, each of which fails for its own.
cat >"$right" <<'END'
void first(float *y, int m, int n) {
    for (int i = 0; i < (m * n + 4 - 1) / 4; i++) y[i] = 0;
}
void second(float *z, const float *x, int m, int n) {
    for (int i = 0; i < (m * n + 4 - 1) / 4; i++) z[i] = x[i];
}
END
sed 's|(m \* n + 4 - 1) / 4|m * n / 4|' "$right" >"$wrong"
run build/bin/edits "$wrong" --reaches "$right" --limit 100 --wrong first,second
[[ $out == [1-9]* ]] || complain "in both functions: $out"
claim a_slip_that_two_functions_share_is_mended_in_both

# Which of two numbers counts faster in a third.
right=$top/right_digits.c wrong=$top/digits.c
cat >"$right" <<'END'
void split(float *y, const float *x, int n, int D, int H, int S) {
    for (int i = 0; i < n * D * H * S; i++) {
        int d = i % D, s = i / D % S, h = i / D / S % H;
        y[((i / D / S / H * S + s) * H + h) * D + d] = x[i];
    }
}
END
text=$(<"$right")
printf '%s\n' "${text/s = i \/ D % S, h = i \/ D \/ S % H/s = i \/ D \/ H % S, h = i \/ D % H}" >"$wrong"
run build/bin/edits "$wrong" --reaches "$right"
[[ $out == [1-9]* && $text != "$(<"$wrong")" ]] || complain "$out"
claim two_numbers_are_taken_out_of_one_in_the_other_order

# What a change reads is visible where it stands: one that does not compile costs a compilation of all.
for file in own_bits.c own_tiled.c own_lanes.c; do
    build/bin/edits "grader/tests/repair/$file" "$top/all.c" "$top/all.tsv" --limit 100000
    log=$(gcc -std=gnu11 -w -fsyntax-only -fmax-errors=0 -fopenmp -Werror=implicit-function-declaration \
        -Igrader/core -Itask1_reference -Itask3_tiled_cpu "$top/all.c" 2>&1 || true)
    [[ $log != *undeclared* && $log != *'too few arguments'* ]] || complain "$file: $log"
done
claim changes_read_what_is_visible

# The right change stands behind the first 1500: with tcc all are tried. Without it the likeliest are, as before.
walk='(size_t)i * s.head_dim;'
missed='if (buf[j] > top) top = buf[j];'
exponent='expf(buf[j] - top), *v'
cure='With top in place of x->mass,'
if tcc -v >"$top/log" 2>&1; then
    only=ragged told task3 own_lanes.c "$exponent" 'expf(buf[j] - x->mass), *v' "$cure"
    only=ragged told task3 own_lanes.c "$walk" '(size_t)i * Bc;' 'With s.head_dim in place of Bc,'
    claim all_changes_of_a_file_in_c_are_tried
else
    skip all_changes_of_a_file_in_c_are_tried 'there is no tcc'
fi
mkdir -p "$top/none"
printf '#!/bin/sh\nexit 127\n' >"$top/none/tcc"
chmod +x "$top/none/tcc"
only=large_logits PATH=$top/none:$PATH told task3 own_lanes.c "$missed" 'if (buf[j] > x->peak) top = buf[j];' \
    'With fmaxf(top, buf[j]) in place of'
claim without_tcc_the_likeliest_are_tried

# Structs that are returned, recursion in halves, a token that counts like an odometer.
only=softmax told task1 own_halves.c 'a.sum + b.sum * expf(b.max - a.max)' 'a.sum * expf(b.max - a.max) + b.sum' \
    'With a.sum + b.sum * expf(b.max - a.max) in place of'
only=heads told task1 own_halves.c 't->h = 0;' '' 'this is missing: t->h = 0; With it'
claim a_factor_at_the_wrong_summand_and_a_reset_of_the_next_digit_are_said
plant own_halves.c 'float max' 'float max'
run build/bin/stagecc . task1 "$right" "$top/halves.so"
run build/bin/claims task1 --stage "$top/halves.so" --source "$right" --runner build/bin/runner --edits build/bin/edits
[[ $out != *Note:* && $out != *Why:* ]] || complain "a right file: $out"
claim a_field_that_is_only_counted_up_is_set

# A race is found by running; which variable it is, the text says.
shared() {
    plant "${@:1:3}"
    run build/bin/edits "$wrong" --shared .
    [[ $out == "$4"$'\t'* ]] || complain "$4: $out"
}
shared own_veteran.c 'acc, mx, sum, x, old' 'mx, sum, x, old' acc
shared own_veteran.c 'private(tid, i, j, d, r,' 'private(tid, i, j, r,' d
for file in grader/tests/repair/own_*.c grader/solutions/task3*/*.c task3*/*.c; do
    run build/bin/edits "$file" --shared .
    [[ ! $out ]] || complain "$file: $out"
done
claim what_threads_share_and_set_is_known_by_name

# What each sets is not shared if it is a thread's own, a flag, or one thread's work.
right() {
    local head='#include <omp.h>
void f(float *C, int n) {
    float x = 0; int i, j, failed = 0;' omp='#pragma omp'
    printf '%s\n' "$head" "$omp $1" "$2" 'C[0] = x + i + j + failed; }' >"$top/right.c"
    run build/bin/edits "$top/right.c" --shared .
    [[ $out == "${3:-}"* && (${3:-} || ! $out) ]] || complain "$1 $2: $out"
}
right 'parallel' '{ x = C[n]; }' $'x\t5\tresult'
right 'parallel' '{ x += C[n]; }' $'x\t5\tsum'
right 'parallel' '{ x = C[n]; C[n + 1] = x; }' $'x\t5\town'
right 'parallel for' 'for (i = 0; i < n; i++) for (j = 0; j < n; j++) C[j] += i;' j
right 'parallel for collapse(2)' 'for (i = 0; i < n; i++) for (j = 0; j < n; j++) C[j] += i;'
right 'parallel for reduction(+ : x)' 'for (i = 0; i < n; i++) x += C[i];'
right 'parallel' '{ float x = C[n]; x += 1; }'
right 'parallel' '{ if (!C[n]) failed = 1; }'
right 'parallel' $'{\n#pragma omp critical\n{ x += C[n]; } }'
right 'parallel' $'{\n#pragma omp for private(x)\nfor (i = 0; i < n; i++) { x = C[i]; C[i] = x; } }'
right 'parallel' '{ if (omp_get_thread_num() == 0) x = C[n]; }'
claim what_is_a_threads_own_is_not_said_to_be_shared

# The claims of one tile hold where no two threads are at work.
plant own_veteran.c 'private(tid, i, j, d, r,' 'private(tid, i, j, r,'
build/bin/stagecc . task3 "$wrong" "$top/shared.so"
heard() {
    run build/bin/claims task3 --stage "$top/shared.so" --source "$1" --only "$2" \
        --runner build/bin/runner --edits build/bin/edits
    out=$(sed -z 's/\n  *\([^ ]\)/ \1/g' <<<"$out")
}
heard "$wrong" one_tile
[[ $out == *'all threads set d (line '* && $(grep -o 'all threads set' <<<"$out" | wc -l) == 1 ]] || complain "$out"
heard grader/tests/repair/own_veteran.c one_tile
[[ $out != *'threads set'* ]] || complain "$out"
claim what_threads_share_is_said_where_claims_hold

only=heads told task1 own_flat.c 'rest /= s.seq_q;' '' 'this is missing: rest /= s.seq_q; With it'
only=projections told task1 own_flat.c 'C[n] = 0;' '' 'this is missing: C[n] = 0; With it'
claim what_begins_with_nothing_is_set

exp='expf(S[at] - biggest);' loop='for (int at = start; at < end; ++at)'
only=softmax told task1 own_flat.c "$loop norm += P[at] = $exp"$'\n        '"$loop P[at] /= norm;" \
    "$loop { norm += P[at] = $exp P[at] /= norm; }" "in a loop of its own"
claim a_sum_is_complete_behind_its_loop

# What looks odd gives way to a change that mends all; a mask whose keys weigh little is not one with another edge.
odd=$'if (n < 0)\n            C[n] = 1;\n            C[n] = 0;\n\n\n'
only=projections told task1 own_flat.c \
    $'C[n] = 0;\n        for (long k = 0; k < E; ++k) C[n] += A[r * E + k] * W[c * E + k];' \
    "$odd        for (long k = 0; k < E; ++k) C[n] += A[r * E + k] * W[k * E + c];" 'With c * E + k in place of'
says_not 'stands behind it'
only=causal told task1 own_flat.c 'score[n] = -INFINITY;' 'score[n] = -10.0f;' \
    'matches masked scores of -10: exp(-10) still counts'
says 'this number stands in line 5'
says_not 'place in its tile'
claim what_is_odd_or_nearly_right_is_no_cause

# Jobs that are cut by the number of threads, and what is left over.
old=$'#pragma omp parallel for schedule(dynamic) reduction(+ : failed)\n    for (int job = 0; job < total; job++) {'
new='#pragma omp parallel reduction(+ : failed)
    for (int job = omp_get_thread_num() * (total / omp_get_num_threads());
         job < (omp_get_thread_num() + 1) * (total / omp_get_num_threads()); job++) {'
OMP_NUM_THREADS=3 told task3 own_tiled.c "$old" $'int omp_get_num_threads(void), omp_get_thread_num(void);\n'"$new" \
    'ask for the number of threads, or of this one: elements are written by none of them'
says_not 'memory that they share'
claim work_that_is_left_over_is_no_race
# What holds for another reason: a flag in place of a size, and a loop that does not end where a causal mask lets it.
cat >"$top/ends.c" <<'END'
int ends(attn_shape sh, attn_tiles t, int block, float *y) {
    int size = t.Bc, hi = sh.seq_kv, n = 0;
    if (sh.causal && block * size < sh.seq_kv) hi = block * size;
    for (int k = 0; k < hi; k += size) y[n++] = k;
    return n;
}
END
build/bin/edits "$top/ends.c" "$top/out.c" "$top/table.tsv" --limit 100000
run awk -F'\t' '$8 ~ /causal/ && $7 !~ /causal/ && $8 !~ /[!&|?]|^if / && $6 != "condition"' "$top/table.tsv"
[[ -z $out ]] || complain "a flag as a size: $out"
run awk -F'\t' '$7 ~ /hi = block/ && $8 == ""' "$top/table.tsv"
[[ -z $out ]] || complain "the end goes: $out"
run awk -F'\t' '$3 == 3 && $8 == "(block + 1)" { rank[$4 > 40] = $2 } END { print rank[0] - rank[1] }' "$top/table.tsv"
((out > 30)) || complain "one block more is no likelier in the value: $out"
[[ $(<"$top/table.tsv") == *'if (sh.causal) hi ='* ]] || complain 'no flag is asked for'
run awk -F'\t' '$3 == 3 && $7 == "<" && $8 == ">" && $2 < 30' "$top/table.tsv"
[[ -z $out ]] || complain "the end is switched off: $out"
claim what_holds_for_another_reason_is_no_cure

only=combine told task5 own_decode.cu \
    'combine_kernel<<<cache.batch * cache.heads, D, 0, stream>>>(O, part_O, L, n_splits, D);' '' \
    'nobody launches combine_kernel'
claim a_kernel_that_nobody_launches_is_named
# Work that is done once more overwrites what was spoilt; a sum begins with no size.
cat >"$top/oftener.cu" <<'END'
constexpr int TEAM = 16, BC = 32;
__global__ void walks(float *o, const float *q, int n, int cols) {
    const int lane = threadIdx.x % TEAM;
    float x = 0.0f;
    for (int i = 0; i < n; i += 2) both(o, i, i + 1 < n);
    for (int j = 0; j < n; j += BC) {
        const int there = min(BC, n - j);
        mine(there, [&](int c) {
            for (int d = 0; d < cols; d++) x += q[d];
            o[c] = x;
        });
    }
    for (int k = lane; k < n; k += TEAM) o[k] = x;
}
END
build/bin/edits "$top/oftener.cu" "$top/out.cu" "$top/table.tsv" --limit 100000
steps() {
    awk -F'\t' -v "line=$1" -v "old=$2" '$3 == line && $4 > 28 && $7 == old { printf "%s;", $8 }' "$top/table.tsv"
}
[[ ';'$(steps 5 2) != *';1;'* && ';'$(steps 5 2) == *';4;'* ]] || complain "a step: $(steps 5 2)"
[[ ';'$(steps 6 BC) != *';TEAM;'* ]] || complain "a tile: $(steps 6 BC)"
[[ ';'$(steps 13 TEAM) == *';BC;'* ]] || complain "another walk: $(steps 13 TEAM)"
run awk -F'\t' '$3 == 4 && $7 == "0.0f" && ($8 == "n" || $8 == "cols")' "$top/table.tsv"
[[ -z $out ]] || complain "a sum begins with: $out"
run awk -F'\t' '$3 == 9 && $7 == "" && $8 == "x = 0.0f;"' "$top/table.tsv"
[[ $out ]] || complain 'a sum of a lambda that is called again does not begin anew'
claim what_makes_the_same_work_again_is_no_cure
# What a maximum begins with, and how often a sum is brought to the new one.
cat >"$top/lowest.cu" <<'END'
__global__ void rows(float *o, const float *s, float fade, int n, int cols) {
    const float part = fold(s, n, 0, plus);

    const float top = reduce(s, n, 0, larger), least = clamp(s, n, 0);
    for (int c = 0; c < n; c++) {
        const float p = s[c] - top - least - part;
        for (int d = 0; d < cols; d++) o[d] = o[d] * fade + p * s[d];
    }
    for (int d = 0; d < cols; d++) o[d] = o[d] * fade + s[d];
}
END
build/bin/edits "$top/lowest.cu" "$top/out.cu" "$top/table.tsv" --limit 100000
lowest=$(awk -F'\t' '$7 ~ /^0/ && $8 == "-INFINITY" && $2 < 4 { printf "%s:%s;", $3, $4 }' "$top/table.tsv")
[[ $lowest == '4:36;' ]] || complain "begins with -INFINITY: $lowest"
once=$(awk -F'\t' '$6 == "once" { printf "%s: %s;", $3, $8 }' "$top/table.tsv")
[[ $once == '7: (c == 0 ? fade : 1.0f);' ]] || complain "once: $once"
claim a_maximum_begins_with_the_least_and_a_sum_is_rescaled_once
plan
