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

last='t->first + t->rows - 1 + offset'
reached own_tiled.c "$last" 't->rows - 1 + offset'
reached own_tiled.c "$last" 't->first - 1 + offset'
only=causal told task3 own_tiled.c "$last" 't->first + offset' 'With t->first + t->rows - 1 in place of t->first'
only=causal told task3 own_tiled.c "$last" 't->rows - 1 + offset' 'With t->first + t->rows in place of t->rows'
only=causal told task3 own_tiled.c "$last" 't->first - 1 + offset' 'With t->first + t->rows in place of t->first'
claim a_walk_under_a_mask_ends_with_what_the_last_query_of_its_tile_sees
only=ragged told task3 own_tiled.c 'peak[i] = high;' '' 'this is missing: peak[i] = high; With it'
claim what_is_done_to_one_and_not_to_the_other_is_said
[[ $out != *'line by line'* ]] || complain "$out"
claim where_a_change_mends_nothing_more_is_said

only=ragged found task3 own_tiled.c '? (a) : (b)' '? (b) : (a)' \
    'line 7, in MIN: #define MIN(a, b) ((a) < (b) ? (b) : (a)) With'
claim the_sides_of_a_macro_s_question_change_places

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
    most=60000 only=ragged found task3 own_lanes.c "$walk" '(size_t)i * Bc;' 'With s.head_dim in place of Bc,'
    claim all_changes_of_a_file_in_c_are_tried
else
    skip all_changes_of_a_file_in_c_are_tried 'there is no tcc'
fi
mkdir -p "$top/none"
printf '#!/bin/sh\nexit 127\n' >"$top/none/tcc"
chmod +x "$top/none/tcc"
only=large_logits PATH=$top/none:$PATH told task3 own_lanes.c "$missed" 'if (buf[j] > x->peak) top = buf[j];' \
    'With top in place of x->peak'
claim without_tcc_the_likeliest_are_tried

# Structs that are returned, recursion in halves, a token that counts like an odometer.
only=softmax told task1 own_halves.c 'a.sum + b.sum * expf(b.max - a.max)' 'a.sum * expf(b.max - a.max) + b.sum' \
    'With a.sum + b.sum * expf(b.max - a.max) in place of'
only=heads found task1 own_halves.c 't->h = 0;' '' 'this is missing: t->h = 0; With it'
claim a_factor_at_the_wrong_summand_and_a_reset_of_the_next_digit_are_said
plant own_halves.c 'float max' 'float max'
run build/bin/stagecc . task1 "$right" "$top/halves.so"
run build/bin/claims task1 --stage "$top/halves.so" --source "$right" --runner build/bin/runner --edits build/bin/edits
[[ $out != *Note:* && $out != *Why:* ]] || complain "a right file: $out"
claim a_field_that_is_only_counted_up_is_set

only=heads told task1 own_flat.c 'rest /= s.seq_q;' '' 'this is missing: rest /= s.seq_q; With it'
only=projections found task1 own_flat.c 'C[n] = 0;' '' 'this is missing: C[n] = 0.0f; With it'
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
# By its numbers; with FULL=yes no change is said of it, either.
[[ ${FULL-} ]] || { search=() && skip 'no change is said of a mask whose keys weigh little' 'FULL=yes looks for one'; }
only=causal in_vain told task1 own_flat.c 'score[n] = -INFINITY;' 'score[n] = -10.0f;' \
    'matches masked scores of -10: exp(-10) still counts'
says 'this number stands in line 5'
says_not 'place in its tile'
claim what_is_odd_or_nearly_right_is_no_cause

plan
