#!/usr/bin/env bash
# lucky.sh: the claims of one TODO are asked for, and a change holds on them by luck: the whole file speaks of it, too
# (grader/repair/lucky). TAP.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/../.."
# shellcheck source=grader/tests/page_of.sh
source grader/tests/page_of.sh

# solved TASK FILE TODO [OLD NEW]...: of the answer
solved() {
    copied "grader/solutions/$2" "${@:4}"
    tests "$1" --only "$3"
}

# D % WARP is as many rounds as D / WARP rounded up, and more, unless D is a multiple of 32.
fewer='for (int t = 0; t < D / WARP; t++) {
        const int d = lane + t * WARP;
        if (d < D) parts->o'
solved task5 task5_decode/decode.cu 5.6 'for (int t = 0; t < DIMS; t++) {
        const int d = lane + t * WARP;
        if (d < D) parts->o' "$fewer"
says 'With DIMS in place of D / WARP, every claim of TODO 5.6 passes'
says_not 'With %'
claim of_two_changes_the_one_with_which_the_whole_file_holds_is_said

# The probe has one block, in which threadIdx is 0: the place of the block's tile is no part of the offset.
tile='const size_t top = (size_t)blockIdx.y * TILE, left = (size_t)blockIdx.x * TILE;
    offset = ((size_t)blockIdx.z * rows + top) * cols + left;'
solved task2 task2_naive/naive.cu 2.5 'offset = (size_t)blockIdx.z * rows * cols;' "$tile"
says 'which tile of the matrix the block has is no part of it'
says_not 'in place of'
claim beside_what_is_known_a_change_with_which_the_whole_file_fails_is_not_said

# The rest of the file is not written, and says nothing.
solved task5 task5_decode/decode.cu 5.9 'return m + logf(l);' 'return m - logf(l);' \
    'return length * s / n;' 'ATTN_TODO(5, 8);'
says 'With + in place of -, every claim of TODO 5.9 passes.'
says_not 'still fails'
claim while_another_todo_is_open_the_claims_of_this_one_are_enough

# What calls the function is wrong itself: that is said, and which claim fails.
solved task2 task2_naive/naive.cu 2.6 'c < cols ?' 'c <= cols ?' 'sum += As[ty][l] * Bs[l][tx];' \
    'sum += As[ty][l] * Bs[l][tx] * (l < 31);'
says 'With < in place of <=, every claim of TODO 2.6 passes.'
says 'still fails: something else is wrong, too, or it is another change.'
claim where_what_calls_it_fails_too_the_claim_is_named
plan
