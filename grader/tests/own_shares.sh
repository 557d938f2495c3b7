#!/usr/bin/env bash
# own_shares.sh: a file of a student's own whose threads share out what nobody puts together again: which line, which
# thread, which keys or dims (grader/values/parts). TAP.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/../.."
# shellcheck source=grader/tests/own_files.sh
source grader/tests/own_files.sh
export LAB_SLOWNESS=1
search=(--edits build/bin/edits)

only=decode told task5 own_warps.cu 'for (int k = 0; k < keys; k++) {
            float pk = __shfl_sync(FULL, p, k);' 'for (int k = lane; k < keys; k += 32) {
            float pk = p;' \
    'in attendKernel, stores a part as if it were all: in line 84 thread 0 has keys 0, 32, 64, and thread'
claim keys_that_are_shared_out_among_threads_with_dims_of_their_own

only=parts told task5 own_warps.cu 'for (int s = 0; s < nSplits; s++) best = fmaxf(best, L[s]);
    float sum = 0.f, acc = 0.f;
    for (int s = 0; s < nSplits; s++) {' \
    'for (int s = threadIdx.x; s < nSplits; s += blockDim.x) best = fmaxf(best, L[s]);
    float sum = 0.f, acc = 0.f;
    for (int s = threadIdx.x; s < nSplits; s += blockDim.x) {' \
    'Each thread has columns of its own: let it go over all of these itself'
claim splits_that_are_shared_out_among_threads_with_dims_of_their_own

search=()
only=parts told task5 own_warps.cu 'acc += w' 'acc += 2 * w' 'the other claims, and why'
[[ $out != *'in a call with'* ]] || complain "$out"
claim without_the_text_no_line_is_named
plan
