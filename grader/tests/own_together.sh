#!/usr/bin/env bash
# own_together.sh: what all lanes of a warp do together stands in a loop, or under an if, that some of them leave or do
# not enter: it goes behind that (grader/repair/edits: steps, divided). Where it hangs, claims that were not run say of
# no function that it fails, and the page says which lanes are apart. TAP.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/../.."
# shellcheck source=grader/tests/own_files.sh
source grader/tests/own_files.sh

place='stands in the wrong place:'
told task2 own_vector.cu $'        for (int i = lane; i < cols; i += 32) mx = fmaxf(mx, src[i]);
        mx = warp_all_max(mx);' $'        for (int i = lane; i < cols; i += 32) {
            mx = fmaxf(mx, src[i]);
            mx = warp_all_max(mx);
        }' "$place mx = warp_all_max(mx); With it behind the closing brace of line"
claim what_lanes_join_in_each_round_goes_behind_the_loop

told task5 own_decode.cu '        for (int mask = 16; mask > 0; mask /= 2) s += __shfl_xor_sync(~0u, s, mask);' \
    '        for (int k = lane; k < quads; k += WarpSize) {
            s += 0 * k;
            for (int mask = 16; mask > 0; mask /= 2) s += __shfl_xor_sync(~0u, s, mask);
        }' 'for (int mask = 16; mask > 0; mask /= 2) s += __shfl_xor_sync(~0u, s, mask); With it behind the closing'
[[ $out == *'not run'* ]] || complain "nothing hung: $out"
claim where_a_function_hangs_those_that_were_not_run_are_no_evidence

only=ragged told task4 own_quarters.cu 'dot += mine[d] * kt[c * D + piece * part + d];
                dot += __shfl_xor_sync(0xffffffff, dot, 1);
                dot += __shfl_xor_sync(0xffffffff, dot, 2);' '{
                    dot += mine[d] * kt[c * D + piece * part + d];
                    dot += __shfl_xor_sync(0xffffffff, dot, 1);
                    dot += __shfl_xor_sync(0xffffffff, dot, 2);
                }' 'lines 58 to 59, in kernel, stand in'
says 'the wrong place: all lanes of a warp exchange numbers there, once each has all of its own'
says 'behind its closing brace in line 60, every claim passes'
claim so_do_several_statements

# Two loops that begin with the same thread are no slip.
printf '%s\n' '__global__ void sum(float *y, const float *x, int n) {' \
    '    float a = 0, b = 0;' \
    '    for (int i = threadIdx.x; i < n; i += blockDim.x) a += x[i];' \
    '    for (int i = threadIdx.x; i < n; i += blockDim.x) b += x[i] * a;' \
    '    y[threadIdx.x] = b;' '}' >"$top/two.cu"
build/bin/edits "$top/two.cu" "$top/out.cu" "$top/table.tsv" --limit 100000
[[ $(cut -f 6 "$top/table.tsv") != *axis* ]] || complain 'the other axis is tried in a loop'
claim loops_that_begin_with_the_same_thread_are_no_slip

plant own_decode.cu '        for (int mask = 16; mask > 0; mask /= 2) s += __shfl_xor_sync(~0u, s, mask);' \
    '        for (int k = lane; k < quads; k += WarpSize)
            for (int mask = 16; mask > 0; mask /= 2) s += s + __shfl_xor_sync(~0u, s, mask + k);'
build/bin/stagecc --quick . task5 "$wrong" "$top/stage.so" >"$top/log" 2>&1
in_vain run build/bin/claims task5 --stage "$top/stage.so" --source "$wrong" --runner build/bin/runner_simt \
    --edits build/bin/edits
out=$(sed -z 's/\n  *\([^ ]\)/ \1/g' <<<"$out")
says 'a kernel does not end: lanes of one warp are apart'
[[ ${out%%a kernel does not end: lanes*} != *'GPU_HANG '* ]] || complain "it stands below the table: $out"
says_not 'the smallest that goes wrong'
says_not 'line by line'
claim lanes_that_are_apart_are_named_in_place_of_guesses
plan
