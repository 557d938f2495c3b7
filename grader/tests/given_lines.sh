#!/usr/bin/env bash
# given_lines.sh: lines of the handout that a student has altered, lost or moved: they are put back, and said if
# that mends what fails. TAP.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/../.."
# shellcheck source=grader/tests/page_of.sh
source grader/tests/page_of.sh

# A line of the handout that the student has altered, lost or moved, where what failed holds with it as it was given.
answer=$(<grader/solutions/task3_tiled_cpu/tiled_cpu.c)
file=$top/tiled_cpu.c given='t.m[r] = -INFINITY;'
[[ $answer == *"$given"* ]] || complain 'the row max begins elsewhere'
printf '%s\n' "${answer/"$given"/t.m[r] = 0.0f;}" >"$file"
tests task3 --only stability
says "line $(line_of 't.m[r] = 0.0f;') is not as the handout gave it. It was: $given With that, what failed holds."
run build/bin/claims task3 --stage "$top/stage.so" --source "$file" --runner build/bin/runner --only stability
says_not 'With that'  # nobody has tried
given='status = raise_max(&t.m[r], s, t.nk);'
[[ $answer == *"$given"* ]] || complain 'the row max is raised elsewhere'
printf '%s\n' "${answer/"        $given"$'\n'/}" >"$file"
tests task3 --only 3.7
says "a line of the handout is missing: $given With it, the 4 claims hold that were tried, of 5 that failed."
says 'next: put back what the handout gave near line'
given='status = raise_max(&t.m[r], s, t.nk);' own='status = mask_scores(t, shape);'  # no one of them alone mends it
[[ $answer == *"$own"* ]] || complain 'the mask is made elsewhere'
printf '%s\n' "${answer/"        $given"$'\n'/}" | grep -vF "$own" >"$file"
tests task3 --only 3.7
says "these lines of the handout are altered, missing or elsewhere: $(grep -F "$own" <<<"$answer" | sed 's/^ *//') and "
says "and $given As they were, the 4 claims hold that were tried, of 5 that failed."
call=$(grep -F "$own" <<<"$answer") hides='t.S[(size_t)r * t.Bc + c] = '  # beside a TODO's own mistake it is not tried
[[ $answer == *"${hides}-INFINITY"* ]] || complain 'the mask is another one'
printf '%s\n' "${answer/"${hides}-INFINITY"/"${hides}0.0f"}" | sed "/$own/d" |
    sed "s/^    const extent e = {.rows = t.nq, .n = t.nk,.*/$call\n&/" >"$file"
grep -qF "$own" "$file" || complain 'the values are summed elsewhere'
tests task3 --only 3.2
says 'With -INFINITY in place of 0.0f'
says "line $(line_of "$own") stood elsewhere in the handout, behind what is now line"
claim a_line_of_the_handout_is_put_back_and_named_if_that_mends
if full a_line_that_was_moved_or_that_another_claim_needs_is_put_back_too; then
    given='t.m[r] = -INFINITY;'  # one claim goes on with what another has left, and holds in a process of its own
    printf '%s\n' "${answer/"        $given"$'\n'/}" >"$file"
    tests task3 --only _and_
    says "a line of the handout is missing: $given"
    given='status = raise_max(&t.m[r], s, t.nk);'
    own='const float m_old = t.m[r];'
    printf '%s\n' "${answer/"$own"$'\n        '"$given"/"$given"$'\n        '"$own"}" >"$file"
    tests task3 --only 3.7
    says "stood elsewhere in the handout, behind what is now line" && says 'There, '
    printf '%s\n' "${answer/'sum += s[c]'/'sum -= s[c]'}" |
        sed 's/int Br, int Bc, int D) {/int Br, int Bc, int  D) {/' >"$file"
    tests task3 --only 3.5
    says_not 'handout' && says 'in exponentiate'
    printf '%s\n' "${answer/"${hides}-INFINITY"/"${hides}0.0f"}" >"$file"
    tests task3 --only 3.2
    says_not 'handout'
    claim a_line_that_was_moved_or_that_another_claim_needs_is_put_back_too
fi

# The scale of the scores within the product, and none in the chain, which holds: with that line alone it would not.
file=$top/naive.cu text=$(sed 's/TODO//' grader/solutions/task2_naive/naive.cu)
product='sum += multiply_nt(As, Bs)' scale='1.0f / sqrtf((float)D));'
[[ $text == *"$product"* && $text == *"$scale"* ]] || complain 'the chain of task 2 scales otherwise'
text=${text/"$product"/"$product / sqrtf(k)"}
printf '%s\n' "${text/"$scale"/1.0f);}" >"$file"
in_vain tests task2 --only _of_ # no change mends both
says_not 'With that'
says 'one cause would explain all 3: matches A B^T times 1/sqrt(k): C is the sum of the products alone'
says "line $(line_of "$product") is not as the handout gave it."
claim a_line_is_not_put_back_where_what_held_would_fail

# Two lines of one idea in CUDA: beside the cause both are named.
text=$(sed 's/TODO//' grader/solutions/task2_naive/naive.cu)
given='const float m = block_reduce(MAX, thread_max(s, cols), part);'
[[ $text == *"$given"* && $text == *'exponentiate(p, s, m, cols)'* ]] || complain 'the maximum is made elsewhere'
text=${text/"$given"/const float mine = thread_max(s, cols);}
printf '%s\n' "${text/exponentiate(p, s, m, cols)/exponentiate(p, s, mine, cols)}" >"$file"
tests task2 --only softmax
says 'an m that is not the row'
says "these lines of the handout are altered, missing or elsewhere: $given and const float l = "
says 'As they were, '
claim lines_that_are_put_back_together_are_named_beside_a_cause
# A length that is taken for the last slot: in two lines that are given, and in a TODO.
file=$top/decode.cu text=$(<grader/solutions/task5_decode/decode.cu)
slot='const int slot = lengths[b];' length='const int length = lengths[bh / cache.heads];'
[[ $text == *"$slot"* && $text == *"$length"* ]] || complain 'a length is read elsewhere'
text=${text/"$slot"/"${slot/];/] + 1;}"}
printf '%s\n' "${text/"$length"/"${length/];/] + 1;}"}" >"$file"
tests task5
says "these lines of the handout are altered, missing or elsewhere: $slot and $length As they were, "
says_not 'a guess'
count='lengths[b] = slot + 1;'
[[ $text == *"$count"* ]] || complain 'a token is counted elsewhere'
sed -i 's/lengths\[b\] = slot + 1;/lengths[b] = slot;/' "$file"
tests task5
says 'a length that does not grow'
says "is not as the handout gave it. It was: $slot"
says "is not as the handout gave it. It was: $length"
claim all_lines_that_are_not_as_given_are_named

# Who has what does not take the place of a mistake that a TODO's claims know.
file=$top/flash.cu text=$(<grader/solutions/task4_flash/flash.cu)
alpha='const float alpha = expf(row->m - m_new);'
[[ $text == *"$alpha"* ]] || complain 'the factor is made elsewhere'
printf '%s\n' "${text/"$alpha"/const float alpha = m_new > row->m ? 0.0f : 1.0f;}" >"$file"
tests task4
says 'TODO 4.5: l and o begin anew with 0 where the max grows'
says_not 'in a call with'
claim a_mistake_that_a_todo_knows_comes_before_who_has_what

# A TODO that calls a wrong one is mended by luck.
walk=$'for (int c = t; c < BC; c += LANES) m = fmaxf(m, s[c]);\n    m = row_max(m);'
mean=$'float sum = 0.0f;\n    for (int c = t; c < BC; c += LANES) sum += s[c];\n    m = fmaxf(m, row_sum(sum) / BC);'
[[ $text == *"$walk"* ]] || complain 'the maximum is made elsewhere'
printf '%s\n' "${text/"$walk"/"$mean"}" >"$file"
tests task4
says "TODO 4.4: matches the mean of the row's scores"
says_not 'every claim of TODO 4.10 passes'
claim what_calls_a_wrong_todo_is_not_mended_by_luck
plan
