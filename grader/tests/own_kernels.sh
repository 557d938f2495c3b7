#!/usr/bin/env bash
# own_kernels.sh: students' CUDA files that keep nothing of the skeleton: other names, namespaces, templates. Of one
# mistake in such a file the change that mends it is among the likeliest, and the lab says it. TAP.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/../.."
# shellcheck source=grader/tests/own_files.sh
source grader/tests/own_files.sh

reached own_flash.cu 'start + j <= last_key' 'j <= last_key'
claim a_summand_that_stands_elsewhere_is_tried

reached own_flash.cu 'k_ptr += BC * p.dim' 'k_ptr += BC'
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
claim the_state_of_an_online_softmax_is_known_under_any_name

only=ragged told task4 own_flash.cu 'v_ptr += BC * p.dim;' '' 'this is missing: v_ptr += BC * p.dim; With it'
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

most=5500 reached_in_two own_naive.cu '(row0 + r) * k' '(row0 + c) * k' '(col0 + r) * k' '(col0 + c) * k'
claim a_slip_that_was_made_twice_is_mended_twice_under_the_names_of_each

only=ragged told task2 own_naive.cu '(((x) + (y)-1) / (y))' '((x) / (y))' \
    'in DIVUP: #define DIVUP(x, y) ((x) / (y)) With ((x) + (y) - 1) / (y)'
claim the_body_of_a_macro_is_changed_in_all_its_uses

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
run grader/simt/simtcc -Og -Igrader/core -Itask2_naive -shared -fPIC -o "$top/out.so" "$top/out.cu"
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

# The numbers are right, and checked mode reports what does not fit. Few queries and keys: each try takes all of them.
checked=(--checked-runner build/bin/runner_simt_checked)
only=shorter_than_a_tile told task4 own_quarters.cu 'bytes = 2 * BC' 'bytes = BC' \
    'With 2 * BC in place of BC, checked mode has nothing to report there, and every claim passes. Any larger size'
says '1 of 1 claim holds'
claim what_checked_mode_reports_of_right_numbers_has_a_change_that_mends_it
only=ragged told task4 own_flash.cu 'min(BC, p.n_keys - start)' 'BC' 'With min(BC, '
claim behind_the_last_tile_the_limit_is_said_before_what_stands_nearer_to_the_report
tried own_quarters.cu ' * (int)sizeof(float)' '' '2 * BC * sh.head_dim * sizeof(float)'
claim a_size_without_bytes_is_tried_in_bytes
if full a_size_without_bytes_is_mended_where_checked_mode_reports_it; then
    told task4 own_quarters.cu ' * (int)sizeof(float)' '' 'in place of 2 * BC * sh.head_dim, checked mode has nothing'
    says 'every claim passes. 24 of 24'
    claim a_size_without_bytes_is_mended_where_checked_mode_reports_it
fi

# Lanes with nothing between them, and a slip elsewhere: the numbers are wrong by the slip alone.
walk=$'\n    for (int d = lane; d < D; d += 32) {\n        float o = 0;\n        for (int s = 0; s < ns; s++) o += '
only=splits_are told task5 own_binary.cu "__syncwarp();${walk}w[s] * P[(row * ns + s) * D" \
    ";${walk}w[s] * P[(row * ns + s) * ns" 'With D in place of'
claim a_race_that_the_file_has_anyway_rules_no_change_out
checked=()

only=ragged found task2 own_naive.cu 'if (r < m && c < n)' 'if (c < n)' 'With c < n && r < m in place of c < n'
claim the_row_that_nobody_asks_for_is_said

# cudaPeekAtLastError() clears nothing: a change that broke the launch must not be held against the next one. A small
# stage says so in unit_tries.
if full an_error_that_one_change_leaves_is_not_heard_by_the_next; then
    told task2 own_vector.cu '(size_t)gridDim.x * blockDim.x' 'blockDim.x' \
        'With gridDim.x * blockDim.x in place of the second'
    claim an_error_that_one_change_leaves_is_not_heard_by_the_next
fi

# What the text proves comes first. Here without a search; with FULL=yes with one, as below.
launch=(task2 own_naive.cu 'softmax_kernel<<<rows' 'softmax_kernel<<<cols' 'it needs rows blocks, one for each row')
looks=("${search[@]}") search=()
only=softmax told "${launch[@]}"
search=("${looks[@]}")
claim a_launch_that_does_not_fit_its_kernel_is_said
if full a_launch_that_does_not_fit_is_said_where_a_change_is_looked_for; then
    only=softmax in_vain told "${launch[@]}"
    claim a_launch_that_does_not_fit_is_said_where_a_change_is_looked_for
fi

# A grid of 0 blocks comes from a quotient, and is said once, whichever function makes it.
only=gemm in_vain told task2 own_naive.cu 'DIVUP(n, BLK), DIVUP(m, BLK), batch' '(n) / BLK, (m) / BLK, batch' \
    'a number of blocks is 0: is a quotient rounded down'
[[ $(grep -o 'a grid of (' <<<"$out" | wc -l) == 1 ]] || complain "$out"
claim a_grid_of_no_blocks_is_explained_once

# auto f = lab::rows<BR, BC>; is not cut at its comma: with half a list of arguments nothing compiles.
printf '#define BR 8
#define BC 16
namespace lab { template <int A, int B> __global__ void rows(float *x) { x[threadIdx.x] = A + B; } }
extern "C" void f(float *x, int n) {
    auto kernel = lab::rows<BR, BC>;
    if (n > BR) kernel<<<1, 32>>>(x);
}\n' >"$top/list.cu"
build/bin/edits "$top/list.cu" "$top/out.cu" "$top/table.tsv" --limit 700
cut_in=$(awk -F '\t' '$3 == 5' "$top/table.tsv")
[[ -z $cut_in ]] || complain "a list of arguments is cut: $cut_in"
claim the_arguments_of_a_template_are_no_comparison

# tiles<64> &t = ...; is a declaration: where it is wrapped as a statement nothing behind it compiles.
cat >"$top/refers.cu" <<'END'
template <int N> struct tiles {
    float x[N];
};
template <int N> __global__ void refer(float *y, int n) {
    extern __shared__ float raw[];
    tiles<N> &t = *reinterpret_cast<tiles<N> *>(raw);
    const tiles<N> *const u = reinterpret_cast<tiles<N> *>(raw);
    t.x[threadIdx.x] = n;
    __syncthreads();
    y[threadIdx.x] = u->x[threadIdx.x] + t.x[0];
}
END
build/bin/edits "$top/refers.cu" "$top/out.cu" "$top/table.tsv" --limit 700
[[ ! $(cut -f 7 "$top/table.tsv") =~ 'tiles<N> &t =' ]] || complain 'a declaration goes'
run grader/simt/simtcc -Og -w -shared -fPIC -o "$top/out.so" "$top/out.cu"
[[ ! $out =~ "'t' was not declared" ]] || complain "$out"
claim a_reference_to_a_template_is_declared

# LOOP(i, n) declares i; PITCH(head * D) reads head. What is not declared there takes all of its line's names with it.
printf '#define PITCH(n) ((n) + 1)
__global__ void f(float *y, int n, int D) {
    float *a = y, *b = a + PITCH(D);
    const int head = blockIdx.x;
    y += head * n * D;
    b[threadIdx.x] = *a;
}\n' >"$top/pitch.cu"
build/bin/edits "$top/pitch.cu" "$top/out.cu" "$top/table.tsv" --limit 700
early=$(awk -F '\t' '$3 == 3 && $8 ~ /head/ { print $8 }' "$top/table.tsv")
[[ -z $early ]] || complain "head is not declared yet: $early"
claim the_argument_of_a_macro_is_read

# What a barrier and its neighbour exchanged would mend is a barrier that is missing, and another one too many.
for file in own_carved.cu own_flash.cu own_pairs.cu; do
    build/bin/edits "grader/tests/repair/$file" "$top/out.cu" "$top/table.tsv" --limit 700
    [[ ! $(cut -f 6,7 "$top/table.tsv") =~ exchanged$'\t'[^$'\n']*__syncthreads ]] || complain "$file: exchanged"
done
claim a_barrier_is_not_exchanged_with_its_neighbour
# What is said of a change in several lines is what was applied: somebody will do it word for word.
cat >"$top/words.cu" <<'END'
constexpr int NT = 64;
__global__ void keep(float *to, const float *from, int n, int D) {
    int half = 16;
    for (int h = threadIdx.x / 32; h < n; h += 32) {
        for (int d = threadIdx.x % 32; d < D; d += 32) {
            to[h * D + d] = half * from[h * D + d];
        }
    }
}
END
run python3 grader/tests/words.py build/bin/edits "$top/words.cu" "$top"
[[ $out != *applied* && $out -gt 4 ]] || complain "$out"
claim the_words_of_a_change_in_several_lines_are_what_is_applied

# Row and column of one number are by one width; who begins at its warp's number goes on by the number of warps.
printf '%s\n' '#define BM 32' '#define BK 16' '__global__ void f(float *y) {' \
    '    for (int i = threadIdx.x; i < BM * BK; i += 128) {' '        const int r = i / BK, l = i % BK;' \
    '        y[r * BK + l] = 0;' '    }' '}' >"$top/width.cu"
sed 's/r = i . BK/r = i \/ BM/' "$top/width.cu" >"$top/wrong.cu"
run build/bin/edits "$top/wrong.cu" --reaches "$top/width.cu"
((${out%% *} > 0 && ${out%% *} <= 20)) || complain "the width: $out"
sed 's/h += 32/h += NT \/ 32/' "$top/words.cu" >"$top/warps.cu"
run build/bin/edits "$top/words.cu" --reaches "$top/warps.cu"
((${out%% *} > 0 && ${out%% *} <= 30)) || complain "the warps: $out"
claim one_width_for_row_and_column_and_steps_by_the_number_of_warps

# What a macro's loop counts has no value of its own, where a variable of that name has one.
printf '%s\n' '#define FOR(i, n) for (int i = 0; i < (n); i++)' 'void f(float *y, int cols) {' \
    '    FOR(n, cols) y[n] = 0;' '}' 'void g(float *y, int cols) {' '    const int n = cols + 1;' '    y[n] = 0;' '}' \
    >"$top/macro.c"
sed 's/cols + 1/cols/' "$top/macro.c" >"$top/wrong.c"
run build/bin/edits "$top/wrong.c" --reaches "$top/macro.c"
((${out%% *} > 0)) || complain "beside the loop of a macro: $out"
claim a_variable_named_as_what_a_macro_counts_is_changed_too

only=combine in_vain told task5 own_decode.cu \
    'combine_kernel<<<cache.batch * cache.heads, D, 0, stream>>>(O, part_O, L, n_splits, D);' '' \
    'nobody launches combine_kernel'
claim a_kernel_that_nobody_launches_is_named

plan
