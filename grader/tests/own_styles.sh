#!/usr/bin/env bash
# own_styles.sh: students' files that keep nothing of the skeleton (grader/tests/repair/own_*: other names, macros that
# are loops, pointers that walk, namespaces, templates). Of one mistake in such a file the change that mends it is among
# the likeliest, and the lab says it. TAP.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/../.."
# shellcheck source=grader/tests/tap.sh
source grader/tests/tap.sh
top=$(mktemp -d)
trap 'rm -rf "$top"' EXIT
# What is looked for within so many seconds of a processor is to be found on a slow or busy machine, too.
export LAB_BACKEND=simt LAB_SLOWNESS=3
unset IMPL BACKEND MAKEFLAGS MAKELEVEL LAB_CHECKED

# plant FILE OLD NEW: wrong is a copy of it in which OLD, once, is NEW
plant() {
    local text new
    right=grader/tests/repair/$1 text=$(<"grader/tests/repair/$1")
    wrong=$top/$1
    [[ $text == *"$2"* ]] || complain "there is no $2"
    new=${text/"$2"/"$3"}
    printf '%s\n' "$new" >"$wrong"
}
# reached FILE OLD NEW: of a file's likeliest changes, as many as the lab tries, one undoes this
reached() {
    local most=${most:-700}
    [[ $1 == *.cu ]] || most=1500
    plant "$@"
    run build/bin/edits "$wrong" --reaches "$right" --limit "$most"
    ((${out%% *} > 0 && ${out%% *} <= most)) || complain "$3: change $out"
}
# tried FILE OLD NEW CHANGE: this change is among them, by its new text
tried() {
    plant "${@:1:3}"
    build/bin/edits "$wrong" "$top/out.cu" "$top/table.tsv" --limit 350
    [[ $(cut -f 8 "$top/table.tsv") == *"$4"* ]] || complain "$3: not tried: $4"
}
# told TASK FILE OLD NEW SENTENCE; with checked, in checked mode, too
checked=()
told() {
    local task=$1 sentence=$5 runner=build/bin/runner_simt
    shift
    plant "${@:1:3}"
    [[ $wrong == *.cu ]] || runner=build/bin/runner
    build/bin/stagecc . "$task" "$wrong" "$top/stage.so" >"$top/log" 2>&1 || complain "$(<"$top/log")"
    run build/bin/claims "$task" --stage "$top/stage.so" --source "$wrong" --runner "$runner" --edits build/bin/edits \
        "${checked[@]}"
    out=$(sed -z 's/\n  *\([^ ]\)/ \1/g' <<<"$out")
    says "$sentence"
}

reached own_tiled.c 't->rows - 1 + offset' 't->rows - 1'
reached own_tiled.c 't->v + (size_t)(base + j) * dim' 't->v + (size_t)j * dim'
reached own_flash.cu 'start + j <= last_key' 'j <= last_key'
claim a_summand_that_stands_elsewhere_is_tried

reached own_flash.cu 'k_ptr += BC * p.dim' 'k_ptr += BC'
reached own_tiled.c 'const int wide = MIN(width, t->nk - base)' 'const int wide = width'
reached own_decode.cu 'i < c.heads * quads; i += Block' 'i < c.heads * quads; i += WarpSize'
reached own_decode.cu 'j += NumWarps' 'j += Block'
claim a_step_a_factor_and_a_limit_of_other_lines_are_tried

reached own_naive.cu '(kk + r) * n + col0' '(kk + r) * k + col0'
reached own_naive.cu 'across_block<false>(total)' 'across_block<true>(total)'
reached own_naive.cu 'DIVUP(n, BLK), DIVUP(m, BLK), batch' 'DIVUP(m, BLK), DIVUP(n, BLK), batch'
reached own_naive.cu 'int delta = 16' 'int delta = 8'
claim a_row_has_the_length_to_which_its_columns_are_counted_and_templates_are_read

reached own_flash.cu '*dst++ = my_o[d] / l' '*dst = my_o[d] / l'
reached own_flash.cu 'l *= shrink;' ''
reached own_tiled.c 'mass[i] * decay + sum' 'mass[i] + sum'
reached own_tiled.c 'mass[i] * decay + sum' '(mass[i] + sum) * decay'
claim the_state_of_an_online_softmax_is_known_under_any_name

told task4 own_flash.cu 'v_ptr += BC * p.dim;' '' 'this is missing: v_ptr += BC * p.dim; With it'
told task3 own_tiled.c 'peak[i] = high;' '' 'this is missing: peak[i] = high; With it'
claim what_is_done_to_one_and_not_to_the_other_is_said

# A length, a part, a quotient: what the cache's kernels are asked for.
reached own_decode.cu 'min(split, extra)' 'extra'
reached own_decode.cu 'lengths[bh / c.heads]' 'lengths[bh]'
reached own_decode.cu '(size_t)pairs * n * cache.head_dim' '(size_t)pairs * cache.head_dim'
reached own_decode.cu 'acc * keep + w' 'acc + w'
claim a_limit_a_quotient_and_the_room_of_all_parts_are_tried

reached own_layer.cu 'store && s < count[b]' 's < count[b]'
reached own_layer.cu 's) * 3 * E' 's) * E'
reached own_layer.cu 'c.max_seq + s) * c.head_dim' 'S + s) * c.head_dim'
reached own_layer.cu 'int h = e / c.head_dim, d = e % c.head_dim' 'int h = e % c.heads, d = e / c.heads'
reached own_layer.cu 'weights.W_out' 'weights.W_qkv'
reached own_layer.cu 'cache.K, cache.V, cache.lengths, c, stream' 'work.K, work.V, cache.lengths, c, stream'
reached own_warps.cu 'int pos = len[b]' 'int pos = len[h]'
reached own_warps.cu 'float corr' 'best = newBest; float corr'
reached own_warps.cu '__shfl_sync(FULL, p, k)' '__shfl_sync(FULL, p, lane)'
claim what_is_not_read_stands_elsewhere_or_stands_twice_is_tried

# What the file does elsewhere fits nearly anywhere: it leaves room for the other kinds.
reached own_decode.cu 'lengths[bh / c.heads]' 'lengths[bh % c.heads]'
claim no_kind_of_change_fills_the_list

# A loop over a thread's own elements holds no barrier; at the end of another loop one is said to be just there.
plant own_flash.cu 'k_ptr += BC * p.dim' 'k_ptr += BC'
build/bin/edits "$wrong" "$top/out.cu" "$top/table.tsv" --limit 100000
barriers=$(awk -F '\t' '$6 == "barrier" { print $3 ": " $13 }' "$top/table.tsv")
loop=$(grep -n 'while (i < BC' "$wrong" | cut -d : -f 1)
for line in $((loop + 1)) $((loop + 2)) $((loop + 3)); do
    [[ $'\n'$barriers != *$'\n'"$line:"* ]] || complain "a barrier in line $line, in such a loop"
done
[[ $barriers == *': the loop that begins in line '* ]] || complain "$barriers"
claim no_barrier_is_tried_where_threads_go_round_unequally_often

# All blocks in one's place, all threads but one in one's: both write what is right as well.
reached own_decode.cu 'L && lane == 0' 'L && threadIdx.x == 0'
build/bin/edits "$wrong" "$top/out.cu" "$top/table.tsv" --limit 100000
[[ $(cut -f 8 "$top/table.tsv") != *'threadIdx.x != 0'* ]] || complain 'all threads but one are tried'
plant own_naive.cu '(size_t)gridDim.x * blockDim.x' 'blockDim.x'
build/bin/edits "$wrong" "$top/out.cu" "$top/table.tsv" --limit 700
[[ $(cut -f 8 "$top/table.tsv") == *'gridDim.x * blockDim.x'* ]] || complain 'no step of the grid'
claim who_works_is_one_of_each_warp_and_each_block

# Their values are exchanged, and the compiler says of a ?: that its two types differ: of that change, which is dropped.
plant own_naive.cu 'float biggest = -INFINITY;' \
    'auto three = make_float3(0, 0, 0); auto two = make_float2(0, 0); float biggest = 0;'
build/bin/edits "$wrong" "$top/out.cu" "$top/table.tsv" --limit 350
run grader/simt/simtcc -Igrader/core -Itask2_naive -shared -fPIC -o "$top/out.so" "$top/out.cu"
says 'have different types'
[[ ! $(grep ' error: ' <<<"$out" | grep -v '^edit-') ]] || complain "not of a change: $out"
claim a_change_of_two_types_costs_no_other_change

reached own_vector.cu 'quads = cols / 4' 'quads = cols'
reached own_vector.cu 'l * BT + tj * 4' 'l * BT + tj'
claim four_floats_are_one_float4

reached own_quarters.cu 'c * D + piece * part + d' 'c * D + piece + SHARE * d'
claim which_elements_a_thread_has_is_the_same_in_all_lines

reached own_carved.cu '(rows + 3) / 4' '(rows + 31) / 32'
claim a_grid_has_the_blocks_that_its_kernel_counts

tried own_carved.cu $'        v = 0;\n' '' 'v = 0.0f;'
claim what_is_used_again_begins_anew

tried own_pairs.cu $'sA[y][x] = 0.0f;\n            sB[y][x] = 0.0f;' '' 'sA[y][x] = 0.0f, sB[y][x] = 0.0f;'
claim a_tile_keeps_no_number_of_the_round_before

tried own_quarters.cu 'dot += __shfl_xor_sync(0xffffffff, dot, 2);' '' 'dot += __shfl_xor_sync(0xffffffff, dot, 2);'
claim a_reduction_has_all_its_steps

tried own_pairs.cu 'hi.d + (lo.d > 0.0f ? lo.d * exp2f(lo.m - hi.m) : 0.0f)' 'hi.d + lo.d' \
    '(lo.d > 0.0f ? lo.d * exp2f(lo.m - r.m) : 0.0f)'
claim sums_are_brought_to_one_maximum_before_they_are_joined

tried own_pairs.cu 'dim3(T, T), 0' 'dim3(T, T / 4), 0' 'for (int r = y; r < T; r += blockDim.y) sA[r][x] = 0.0f;'
claim a_tile_with_more_rows_than_threads_is_loaded_in_a_loop

tried own_carved.cu ' * sizeof(float);' ';' '2 * TS * (TS + 1) * sizeof(float)'
claim shared_memory_is_counted_in_bytes

reached own_planes.cu 'key >= sk || row >= rows' 'key >= sk'
claim a_grid_of_two_dimensions_ends_in_both

reached own_planes.cu 'l0 + e / TN < k' 'l0 + e < k'
claim a_number_that_counts_a_whole_tile_is_no_row

reached own_planes.cu 'a = left[now]' 'a = left[now ^ 1]'
reached own_planes.cu 'right[now][l]' 'right[now ^ 1][l]'
claim two_buffers_take_turns

most=20 reached own_flash.cu '*q_tile = v_tile + BC' '*q_tile = v_tile + BR'
claim the_next_tile_begins_behind_the_one_before_it

most=40 reached own_planes.cu 'ty * 16 + tx' 'tx * 16 + ty'
reached own_planes.cu 'row % sq' 'row / sk'
claim a_number_of_two_digits_is_made_and_taken_apart_in_their_order

most=40 reached own_planes.cu 'right[now][l][tx + 16 * w]' 'right[now][l][tx * 4 + w]'
claim what_more_lines_say_comes_first

reached own_planes.cu 'mass = butterfly' 'if (lane < cols) mass = butterfly'
claim what_threads_do_together_stands_under_no_condition_of_theirs

# A tile of one number hides what goes wrong among several.
plant own_planes.cu 'l0 += TK' 'l0 += 8'
build/bin/edits "$wrong" "$top/out.cu" "$top/table.tsv" --limit 100000
rank=$(awk -F '\t' '$6 == "constant" && $7 == 8 && $8 == 1 && $9 ~ /l0/ { print $2 }' "$top/table.tsv")
((rank >= 100)) || complain "steps of one have rank $rank"
claim no_loop_goes_in_steps_of_one_to_hide_a_mistake

# A kernel is not launched with what the host refuses: there such a condition hides what is wrong.
plant own_quarters.cu '(at.tile + 1) * BR + behind)' 'at.tile * BR + behind)'
build/bin/edits "$wrong" "$top/out.cu" "$top/table.tsv" --limit 100000
hosts=$(awk -F '\t' '$5 == "kernel" && index($8, "sh.seq_q > sh.seq_kv")' "$top/table.tsv")
[[ -z $hosts ]] || complain 'a condition of the host is tried in a kernel'
claim what_the_host_refuses_is_no_condition_of_a_kernel

# The numbers are right, and checked mode reports what does not fit.
checked=(--checked-runner build/bin/runner_simt_checked)
told task4 own_quarters.cu 'bytes = 2 * BC' 'bytes = BC' \
    'With 2 * BC in place of BC, checked mode has nothing to report there, and every claim passes.'
claim what_checked_mode_reports_of_right_numbers_has_a_change_that_mends_it
checked=()

# cudaPeekAtLastError() clears nothing: a change that broke the launch must not be held against the next one.
told task2 own_vector.cu '(size_t)gridDim.x * blockDim.x' 'blockDim.x' \
    'With gridDim.x * blockDim.x in place of the second'
claim an_error_that_one_change_leaves_is_not_heard_by_the_next

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

# Structs that are returned, recursion in halves, a token that counts like an odometer.
told task1 own_halves.c 'a.sum + b.sum * expf(b.max - a.max)' 'a.sum * expf(b.max - a.max) + b.sum' \
    'With a.sum + b.sum * expf(b.max - a.max) in place of'
told task1 own_halves.c 't->h = 0;' '' 'this is missing: t->h = 0; With it'
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
right 'parallel' '{ x = C[n]; }' x
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

told task1 own_flat.c 'rest /= s.seq_q;' '' 'this is missing: rest /= s.seq_q; With it'
told task1 own_flat.c 'C[n] = 0;' '' 'this is missing: C[n] = 0; With it'
claim what_begins_with_nothing_is_set

exp='expf(S[at] - biggest);' loop='for (int at = start; at < end; ++at)'
told task1 own_flat.c "$loop norm += P[at] = $exp"$'\n        '"$loop P[at] /= norm;" \
    "$loop { norm += P[at] = $exp P[at] /= norm; }" "in a loop of its own"
claim a_sum_is_complete_behind_its_loop

# A grid of 0 blocks comes from a quotient, and is said once, whichever function makes it.
told task2 own_naive.cu 'DIVUP(n, BLK), DIVUP(m, BLK), batch' '(n) / BLK, (m) / BLK, batch' \
    'a quotient of whole numbers is rounded down, before ceil()'
[[ $(grep -o 'a grid of (' <<<"$out" | wc -l) == 1 ]] || complain "$out"
claim a_grid_of_no_blocks_is_explained_once

# What a barrier and its neighbour exchanged would mend is a barrier that is missing, and another one too many.
for file in own_carved.cu own_flash.cu own_pairs.cu; do
    build/bin/edits "grader/tests/repair/$file" "$top/out.cu" "$top/table.tsv" --limit 700
    [[ ! $(cut -f 6,7 "$top/table.tsv") =~ exchanged$'\t'[^$'\n']*__syncthreads ]] || complain "$file: exchanged"
done
claim a_barrier_is_not_exchanged_with_its_neighbour
plan
