#!/usr/bin/env bash
# own_caches.sh: files of tasks 5 and 6 that keep nothing of the skeleton: operators of a struct, lambdas, steps that
# are chained, kernels of the layer's own. One mistake in such a file: the change that mends it is among the likeliest,
# or the numbers alone say which it is. TAP.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/../.."
# shellcheck source=grader/tests/own_files.sh
source grader/tests/own_files.sh
most=350 search=()
# numbers TASK CLAIM FILE OLD NEW SENTENCE: what this claim's numbers tell
numbers() { only=$2 told "$1" "${@:3}"; }

reached own_states.cu 'theirs * that.mass' 'that.mass'
reached own_states.cu 'theirs * that.mass' 'that.mass' --wrong attn_decode
claim an_operator_of_a_struct_is_read_and_its_fields_are_known_in_it

plant own_states.cu '(size_t)b * c.heads * quads' '(size_t)b * quads'
build/bin/edits "$wrong" "$top/out.cu" "$top/table.tsv" --limit 100000
[[ $(cut -f 8 "$top/table.tsv") == *'(size_t)b * quads * c.heads'* ]] || complain 'a lambda that is a value'
reached own_steps.cu 'weights.W_out' 'weights.W_qkv'
claim statements_of_a_lambda_are_changed

most=900 reached own_binary.cu '(m + log2f(l)) / LOG2E' 'm + log2f(l) / LOG2E'
tried own_decode.cu 'x = i % quads' 'x = 4 * i % quads' '4 * (i % quads)'
claim parentheses_that_are_missing_are_tried

# In a macro's body two names change places, and two parts of a number; what uses the macro is wrong for that reason.
body='(((size_t)(b) * (c).heads + (h)) * (c).max_seq + (s)) * (c).head_dim'
slip() { # slip BODY: the body, mended, is among the changes
    plant own_binary.cu "$body" "$1"
    build/bin/edits "$wrong" "$top/out.cu" "$top/table.tsv" --limit 350 --wrong attn_cache_append,attn_decode
    [[ $(cut -f 5,8 "$top/table.tsv") == *$'ROW\t'"($body)"* ]] || complain "$1: not mended"
}
slip '(((size_t)(b) * (c).max_seq + (s)) * (c).heads + (h)) * (c).head_dim'
slip '(((size_t)(b) * (c).heads + (h)) * (c).head_dim + (s)) * (c).max_seq'
slip '(((size_t)(s) * (c).heads + (h)) * (c).max_seq + (b)) * (c).head_dim'
claim two_names_of_a_macro_change_places_wherever_it_is_used

# One layout explains the append and what reads: what fits a claim alone is not said beside it.
told task5 own_binary.cu "$body" '(((size_t)(h) * (c).batch + (b)) * (c).max_seq + (s)) * (c).head_dim' \
    'the cache is taken as [H, B, max_seq, D], where a token is stored and where keys and values are read'
says_not 'lengths[bh % batch]'
claim beside_one_layout_of_the_cache_nothing_is_said_of_a_claim_alone

reached own_places.cu '(c.V, w.V,' '(c.V, w.K,'
reached own_states.cu 'copy(V, v);' 'copy(V, k);'
claim what_was_copied_and_not_changed_is_tried

most=100 reached own_steps.cu 'work.V, layer.shape(true)' 'work.K, layer.shape(true)'
most=100 reached own_steps.cu 'work.Q, work.K, work.V, layer.shape(true)' 'work.K, work.K, work.V, layer.shape(true)'
claim what_a_call_is_given_twice_is_changed_in_one_of_the_two_places

add='add<<<1, (B + 31) / 32 * 32, 0, stream>>>(c.lengths, t.count_device, B);'
plant own_places.cu "    $add"$'\n' ''
text=$(<"$wrong")
printf '%s\n' "${text/    remember<<</    $add$'\n'    remember<<<}" >"$wrong"
run build/bin/edits "$wrong" --reaches "$right" --limit 350
((${out%% *} > 0)) || complain "a launch that comes too early: $out"
claim a_launch_moves_behind_more_than_one

reached own_places.cu 'K += D, V += D)' 'K += D)'
claim a_pointer_moves_on_with_the_other_in_a_loops_header

reached own_steps.cu 'blockIdx.x % heads == 0' 'blockIdx.x == 0'
build/bin/edits "$wrong" "$top/out.cu" "$top/table.tsv" --limit 100000
[[ ! $(awk -F '\t' '$7 == "&&" && $8 == "||" && $9 ~ /threadIdx/' "$top/table.tsv") ]] ||
    complain 'many threads in place of one'
claim who_is_the_first_of_a_group_is_tried_and_all_threads_are_not

printf '%s\n' 'void f(float *C, const float *row, int E, int e) { float q = row[e], k = row[e + E], v = row[e + E];
    C[e] = q + k * v; }' >"$top/third.c"
build/bin/edits "$top/third.c" "$top/out.c" "$top/table.tsv"
[[ $(cut -f 6-8 "$top/table.tsv") == *$'further\tE\t2 * E'* ]] || complain 'of two that are the same none goes further'
claim of_two_values_that_are_the_same_one_may_be_a_step_further

plant own_states.cu 'theirs * that.mass' 'that.mass'
build/bin/edits "$wrong" "$top/out.cu" "$top/table.tsv"
[[ $(cut -f 8 "$top/table.tsv" | grep -cxF 'theirs * that.mass') == 1 ]] || complain 'not tried once'
claim what_two_kinds_come_to_is_tried_once

checked=(--checked-runner build/bin/runner_simt_checked)
numbers task5 append_of_a_secret own_states.cu $'block.sync();\n    if (block.thread_rank() == 0) lengths[b]' \
    $'if (block.thread_rank() == 63) lengths[b]' 'lengths['
[[ $out == *'race'* && $out != *'the cache['* ]] || complain "$out"
checked=()
claim what_a_report_says_of_the_cache_has_its_own_name

# What the numbers say.
numbers task5 append_of own_states.cu '(size_t)b * c.heads * quads' '(size_t)b * quads' \
    'k_new read at (b + h) * D + d: it is [B, H, D], so number (b * heads + h) * D + d'
claim where_a_token_is_read_is_found_for_all_products_of_b_and_h

numbers task5 splits_are_combined own_binary.cu '(m + log2f(l)) / LOG2E' 'm + log2f(l)' \
    'L_s = (m + log(l)) * log2(e): it is m + log(l)'
claim a_logarithm_in_another_base_is_named

# A new token of head 0 lies where such a prompt had left that of head 1.
numbers task6 a_prompt_of_one_token own_layer.cu '(((size_t)b * c.heads + h) * c.max_seq + s)' \
    '((size_t)b * c.heads * c.max_seq + h * S + s)' \
    'stored with heads S slots apart, head 1 in slots S and up of head 0'
[[ $out != *'alone is stored'* && $out != *'a guess'* ]] || complain "$out"
claim what_a_new_token_has_replaced_was_stored

own='work.O of a kernel of your own, the causal attention of Q to K and V, in which'
numbers task6 prefill_equals own_places.cu 'K += D, V += D)' 'K += D)' "$own every key has the value of key 0"
numbers task6 prefill_equals own_places.cu 's /= sqrtf((float)D);' '' \
    "$own the scores are not divided by sqrt(head_dim)"
numbers task6 prefill_equals own_places.cu 'j <= i; j' 'j < S; j' "$own every token sees all S tokens"
claim an_attention_of_the_layers_own_is_told_by_its_numbers
numbers task6 prefill_equals own_places.cu 'm = fmaxf(m, s);' 'm = fmaxf(m, s), l = 2 * l;' \
    'work.O of a kernel of your own with other numbers than the causal attention of Q to K and V, while what it reads'
claim where_no_mistake_fits_the_tensor_is_named

# A decode step that calls neither append nor decode: the slot, the attention and the last product are looked at.
step='work.merged of a kernel of your own, the attention of the new token to the cache, in which'
numbers task6 one_token_after own_fused.cu 'j <= len; j' 'j < len; j' "$step token i does not see itself"
numbers task6 one_token_after own_fused.cu '* rsqrtf((float)D);' ';' \
    "$step the scores are not divided by sqrt(head_dim)"
numbers task6 one_token_after own_fused.cu 'Kh[(size_t)len * D + d]' 'Kh[((size_t)len + 1) * D + d]' \
    'a new token of sequence 0 in slot 34 of the cache: it belongs into slot past[b] = 33'
numbers task6 one_token_after own_fused.cu 'mine + bias[e + lane]' 'mine' \
    'Y of a kernel of your own, merged W_out + b_out, in which no bias is added'
claim a_decode_step_of_the_layers_own_is_told_by_its_numbers

# What the parts of splits are is seen where their number is known, and explains the other claims, too.
numbers task5 split own_warps.cu 'best + logf(total)' best 'matches L_s = m: it is m + log(l)'
[[ $out == *'explain 7 of 8 '* ]] || complain "$out"
numbers task5 split own_decode.cu 'begin = split * per + min(split, extra)' 'begin = split * per' \
    "explains 6 of the 8: matches keys that are in two splits. Split s begins with"
claim parts_that_lie_in_memory_tell_what_splits_have_done

numbers task5 parts own_warps.cu 'if (L[s] == -INFINITY) continue;' 'if (L[s] == -INFINITY || s > 31) continue;' \
    'matches splits 32 and up left out'
numbers task5 parts own_binary.cu 'o += w[s] * P' 'o += w[s % 32] * P' \
    'matches split s that counts with the weight of split s % 32'
claim a_warp_that_joins_more_splits_than_it_has_lanes_is_told
plan
