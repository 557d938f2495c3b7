#!/usr/bin/env bash
# own_lines.sh: a file of a student's own, with a mistake that matches nothing and that no single change mends: up to
# which step of attention its lines are right (grader/values). TAP.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/../.."
# shellcheck source=grader/tests/own_files.sh
source grader/tests/own_files.sh

LAB_SLOWNESS=1 only=of_one told task3 own_tiled.c 's += q[d] * k[d];' \
    's += q[(d * d + 2) % dim] * k[(d * d * d + 1) % dim];' \
    'line by line, in tiles_of_one: no line has the scores q . k'
claim in_c_no_line_has_the_scores

LAB_SLOWNESS=1 only=of_one told task3 own_tiled.c 'expf(p[j] - high)' 'expf(1.1f * p[j] - 0.9f * high)' \
    'in run_tile) are right the sums of exp(s - m) are not: no line has them'
claim in_c_the_scores_are_right_and_the_sums_are_not

LAB_SLOWNESS=1 only=decode told task5 own_warps.cu 'q[d] * Kh[(size_t)j * D + d]' \
    'q[(5 * d + 2) % D] * Kh[(size_t)j * D + (3 * d + 1) % D]' 'line by line'
claim in_a_kernel_no_line_has_the_scores

only=ragged told task3 own_tiled.c 'peak[i] = high;' '' 'this is missing: peak[i] = high;'
[[ $out != *'line by line'* ]] || complain "$out"
claim where_a_change_mends_nothing_more_is_said
plan
