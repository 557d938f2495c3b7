#!/usr/bin/env bash
# second_look.sh: on a GPU the page's own claims know nothing of lines and races: what a second look under simt finds is
# said. TAP.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/../.."
# shellcheck source=grader/tests/page_of.sh
source grader/tests/page_of.sh

# On a GPU the page's own claims know nothing of lines: those under simt do. Here a command stands for them.
wrong flash.cu 'expf(row->m - m_new)' 'expf(m_new - row->m)'
why='{"name": "a claim"}\n{"label": "Why", "note": "line 7 is wrong."}\n{"explained": true}\n'
second=(--second-runner build/bin/runner_simt --second-look)
tests task4 --only key_tiles_are_summed "${second[@]}" "printf '$why' >\$LAB_WHY; exit 1"
says 'Why:  line 7 is wrong.'
says_not 'With '
tests task4 --only key_tiles_are_summed "${second[@]}" 'exit 0'
says 'under simt, all of these claims hold'
tests task4 --only key_tiles_are_summed "${second[@]}" 'exit 2'
says 'With row->m - m_new'
says_not 'under simt'
wrong flash.cu 'cudaSuccess ? ATTN_OK' 'cudaSuccess ? ATTN_CUDA_ERROR'
tests task4 --only key_tiles_are_summed "${second[@]}" 'exit 0'
says '__launch_bounds__(threads) in front of'
claim a_second_look_under_simt_speaks_in_place_of_the_gpu

# All claims hold, and the GPU has won a race: what simt says is of numbers, or of right ones in checked mode.
found() { # VERDICT STATUS: a command that leaves the look's claim and a sentence
    printf '{"name": "a claim", "verdict": "%s"}\n{"label": "Why", "note": "line 7 is wrong."}\n' "$1" >"$top/look"
    echo "cp $top/look \$LAB_WHY; exit $2"
}
wrong flash.cu
tests task4 --only key_tiles_are_summed "${second[@]}" "$(found WRONG_ANSWER 1)"
exits 0
says 'this GPU happens to win a race, or to find what is right, which costs points all the same. Under simt:'
says 'Why:  line 7 is wrong.'
says 'next: mend what'
tests task4 --only key_tiles_are_summed "${second[@]}" "$(found PASSED 0)"
says 'Why:  line 7 is wrong.'
says_not 'happens to win'
for verdict in LAUNCH_FAILURE TIMEOUT; do
    tests task4 --only key_tiles_are_summed "${second[@]}" "$(found $verdict 1)"
    exits 0
    says_not 'Why:'
done
tests task4 --only key_tiles_are_summed "${second[@]}" 'exit 2'
says_not 'Note:'
tests task4 "${second[@]}" "printf '{\"name\": \"a claim\", \"verdict\": \"PASSED\"}\n' >\$LAB_WHY"
exits 0
says_not 'Right numbers do not show a race'
tests task4 "${second[@]}" "$(found WRONG_ANSWER 1)"
says_not 'Right numbers do not show a race'
claim a_second_look_says_of_a_right_file_what_simt_finds
wrong own_naive.cu
tests task2
exits 0
says 'Right numbers do not show a race: make task2 sanitize looks for one.'
tests task2 --checked-runner build/bin/runner_simt_checked
exits 0
says_not 'Right numbers do not show'
claim where_nobody_has_looked_for_races_the_page_says_so
plan
