#!/usr/bin/env bash
# repair.sh: files that are right but for one line: the lab finds a change that mends it, and says the line. A file with
# two mistakes gets no single cause, a right one hears nothing. TAP.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/../.."
# shellcheck source=grader/tests/page_of.sh
source grader/tests/page_of.sh

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

next=$'\n    if (status == ATTN_OK) status = '
wrong reference.c "attn_split_heads(K, flat, shape);${next}project(flat, X, Wv, rows, E);" \
    "project(flat, X, Wv, rows, E);${next}attn_split_heads(K, flat, shape);"
tests task1 --only 1.10
says "Why:  line $(line_of 'project(flat, X, Wv')"
says 'stands in the wrong place'
claim changes_that_walk_out_of_memory_harm_no_other

wrong reference.c 'if (col > row + offset)' 'if (col < row + offset)'
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
in_vain tests task1 --only 1.2
says_not 'every claim of TODO 1.2'
wrong reference.c 'S[row * Sk + col] = (float)(acc / norm)' 'S[col * Sq + row] = (float)(acc * norm + acc)'
in_vain tests task1 --only 1.6
says_not 'Why:'
claim where_no_change_mends_none_is_named

wrong reference.c 'q < p + cols; q++' 'q < p + cols; q += 0'
in_vain tests task1 --timeout 1 --only 1.3
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

# The numbers say what is wrong, the line is looked for all the same: it is none of the first hundred changes.
wrong flash.cu 'row->l += part' 'row->l += row_sum(part)'
LAB_SLOWNESS=1 tests task4 --only 4.6
says "takes its own alone"
says "Why:  line $(line_of 'row_sum(part)'), in "
says 'With part in place of row_sum(part), every claim of TODO 4.6 passes.'
claim beside_a_known_mistake_as_many_are_tried_on_any_machine

# Nothing else mends it, and it is the code of the TODO: the limit itself is the mistake.
file=$top/limited.cu masked='const int j = k0 + c;'
sed -z "s/c < BC\([^{]*{[^{]*$masked\)/c < min(BC, shape.seq_kv - k0)\1/" grader/solutions/task4_flash/flash.cu >"$file"
tests task4 --only 4.3
says 'keys behind the last one are not hidden'
says "Why:  line $(line_of 'min(BC'), in "
says 'With BC in place of min(BC, shape.seq_kv - k0)'
claim a_limit_that_alone_mends_is_left_out_beside_a_known_mistake

file=$top/unlaunched.cu
sed '/^ *scale_and_causal_mask<<</d' grader/solutions/task2_naive/naive.cu >"$file"
in_vain tests task2 --only 2.11
says "the kernel scale_and_causal_mask (line $(line_of 'void scale_and_causal_mask')) is never launched"
claim of_a_todo_the_kernel_that_no_line_launches_is_named

if full where_nothing_is_stray_the_same_change_is_said; then
    wrong flash.cu 'if (s[key] > best)' 'if (s[key] < best)'
    tests task4 --only 4.4 --checked-runner build/bin/runner_simt_checked
    says 'With > in place of <'
    claim where_nothing_is_stray_the_same_change_is_said
fi
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
LAB_SLOWNESS=1 tests task4 --only causal_mask_hides_later_keys --checked-runner build/bin/runner_simt_checked
says_not 'min(keys'
claim a_limit_is_not_left_out_where_threads_do_not_meet

# The row max in base 2, in two TODOs: in one tile both cancel each other, which no change of one alone may spoil.
file=$top/tiled_cpu.c text=$(<grader/solutions/task3_tiled_cpu/tiled_cpu.c)
text=${text/'    *m = max;'/'    *m = max * 1.44269504f;'}
printf '%s\n' "${text/'exp_of(s[c] - m)'/'exp_of(s[c] - m * 0.69314718f)'}" >"$file"
tests task3
says 'With max in place of max * 1.44269504f, every claim of TODO 3.3 passes.'
says 'With m in place of m * 0.69314718f, every claim of TODO 3.5 passes.'
claim each_of_two_todos_has_its_change_though_both_cancel_each_other

# seen * D, first + seen and the like fill the tile, too, from rows that are not there.
wrong own_seen.cu 'V, first, keys, D)' 'V, first, seen, D)'
tests task4 --only causal --checked-runner build/bin/runner_simt_checked
says 'With keys in place of seen'
claim behind_changes_that_read_what_is_not_there_stands_the_limit_itself

# In a file whose lines are not the handout's: there the line that was moved is named.
file=$top/tiled_cpu.c text=$(sed 's/TODO//; s/;$/ ;/' grader/solutions/task3_tiled_cpu/tiled_cpu.c)
parallel=$'#pragma omp parallel\n    {\n' own='        tile t = make_tile(Br, Bc, D) ;'
[[ $text == *"$parallel$own"* ]] || complain 'task 3 has no tile of its own for each thread'
printf '%s\n' "${text/"$parallel$own"/"$own"$'\n'"$parallel"}" >"$file"
tests task3 --only key_tiles_are_summed
says 'with one thread (OMP_NUM_THREADS=1) what failed passes'
claim threads_that_share_what_each_needs_are_told_from_wrong_numbers

# Two mistakes in a thread's own share, of the answers: what is said leads away from neither a barrier nor what is set.
file=$top/naive.cu text=$(<grader/solutions/task2_naive/naive.cu)
own=$'        l += p[c];\n    }\n' all=$'    }\n    for (int c = 0; c < cols; c++) l += p[c];\n'
[[ $text == *"$own"* ]] || complain 'task 2 adds up otherwise'
printf '%s\n' "${text/"$own"/"$all"}" >"$file"
tests task2 --only 2.3
says "line $(line_of 'c < cols; c++) l += p[c]'): each thread adds up all of p, also what others have just written"
says_not 'what the output held before'
file=$top/flash.cu text=$(sed 's/TODO//' grader/solutions/task4_flash/flash.cu)
[[ $text == *'s[a * (BC + 1) + t + LANES * b]'* ]] || complain 'task 4 shares its keys otherwise'
text=${text/'Ks[(t + LANES * b)'/'Ks[(t * TILE_KEYS + b)'}
printf '%s\n' "${text/'t + LANES * b] ='/'t * TILE_KEYS + b] ='}" >"$file"
tests task4 --only one_query_and_one_key --checked-runner build/bin/runner_simt_checked
says "line $(line_of 't * TILE_KEYS + b] ='): thread t has the elements t * TILE_KEYS + b of s, and in line"
says 'One rule for all lines: t + LANES * b'
says_not 'Why:'
claim what_is_a_share_of_a_thread_is_said_where_two_lines_do_not_agree

# changes FILE: rows of what stands there and what comes in its place
changes() {
    build/bin/edits "grader/tests/repair/$1" "$top/edits" "$top/table" --limit 60000 || complain 'no changes'
    out=$(cut -f 8,10 "$top/table")
}
changes own_vector.cu
says 'mx += warp_all_max(mx)'
says_not 'dst4[i] += v'
says_not 'dst4[i] *= v'
changes own_layer.cu
says 'work.V'
says_not 'work .lengths'
says_not 'cache.O'
changes own_warps.cu
says_not 'acc % count'
claim what_cannot_compile_for_the_type_of_a_name_is_not_tried

wrong reference.c '    for (size_t batch = 0; batch < B; batch++) {
        for (size_t head = 0; head < H; head++) {
            for (size_t token = 0; token < S; token++) {
                float *to = X + batch * S * E + ' '    {
        for (size_t head = 0; head < H; head++) {
            for (size_t token = 0; token < S; token++) {
                float *to = X + '
tests task1 --only 1.5
says "Note: TODO 1.5: attn_merge_heads (line $(line_of 'attn_status attn_merge_heads(')) never reads shape.batch:"
says_not 'as the handout gave it'
claim a_function_that_never_reads_the_batch_is_named

wrong reference.c 'r < rows && status == ATTN_OK; r++) {
        const float *s = S + (size_t)r * cols;' 'r < 1; r++) {
        const float *s = S;' 'status = row_max(&m, s, cols);
        if' 'cols *= rows;
        status = row_max(&m, s, cols);
        if'
tests task1 --only softmax_
says 'matches a division by one sum over all rows'
says_not 'the file takes exponentials'
claim of_a_step_that_has_claims_of_its_own_no_line_is_suspected
plan
