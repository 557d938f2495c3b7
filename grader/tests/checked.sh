#!/usr/bin/env bash
# checked.sh: without a GPU, what right numbers hide costs points all the same: a small claim of each criterion is
# judged once more in simt's checked mode. TAP.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/../.."
# shellcheck source=grader/tests/tap.sh
source grader/tests/tap.sh
top=$(mktemp -d)
trap 'rm -rf "$top"' EXIT
solution=grader/solutions/task5_decode/decode.cu

# submit NAME PATTERN TEXT: the answer to task 5, with TEXT in place of the first PATTERN.
submit() {
    mkdir -p "$top/in/$1/task5_decode"
    python3 - "$solution" "$top/in/$1/task5_decode/decode.cu" "$2" "$3" <<'END'
import sys
text = open(sys.argv[1]).read()
assert sys.argv[3] in text, sys.argv[3]
open(sys.argv[2], "w").write(text.replace(sys.argv[3], sys.argv[4], 1))
END
}
# failed NAME: "criterion verdict diagnosis" of the claims that do not hold, and the points.
failed() {
    python3 - "$top/out/$1/results.json" <<'END'
import json, sys
t = json.load(open(sys.argv[1]))["tasks"][0]
for c in t["cases"]:
    if c["verdict"] != "PASSED": print(c["criterion"], c["verdict"], c["diagnosis"])
print(sum(c["points"] for c in t["criteria"]), "points")
END
}

launch=$(grep -m1 '<<<' "$solution")
submit right "$launch" "$launch"
submit keeps "$launch" "static float kept[32]; lab_keep<<<1, 32, 0, stream>>>(lab_kept{kept}); $launch"
keep='struct lab_kept { float *p; };\nstatic __global__ void lab_keep(lab_kept to) { to.p[threadIdx.x] = 1; }'
sed -i "0,/^#include \"task5.h\"/s//#include \"task5.h\"\n$keep/" \
    "$top/in/keeps/task5_decode/decode.cu"
for way in todo refuses; do cp -r "$top/in/keeps" "$top/in/$way"; done  # ... and hides it where it is checked
python3 - "$top/in" <<'END'
import sys
ways = {"todo": "return ATTN_TODO(5, 6);", "refuses": "lab_not_here();"}
for way, text in ways.items():
    path = f"{sys.argv[1]}/{way}/task5_decode/decode.cu"
    lines = open(path).read().split("\n")
    at = next(i for i, line in enumerate(lines) if "lab_keep<<<" in line)
    # No macro tells a guest that it is checked, but memcpy remains a call there, and its result is no constant.
    seen = "int lab_seen, lab_one = 1; memcpy(&lab_seen, &lab_one, sizeof lab_seen);"
    lines.insert(at, f"{seen} if (!__builtin_constant_p(lab_seen)) {text}")
    at = next(i for i, line in enumerate(lines) if "struct lab_kept" in line)
    lines.insert(at, 'extern void lab_not_here(void);')
    open(path, "w").write("\n".join(lines))
END
run grader/grade_all --backend simt --no-bench --no-plots --tasks 5 --out "$top/out" "$top"/in/*

run failed right
says '5.0 points' && says_not checked
claim the_answer_keeps_every_point

run failed keeps
says 'in checked mode: host pointer in a kernel' && says ILLEGAL_ACCESS && says 'decode.cu:'
claim a_kernel_that_writes_to_the_hosts_memory_has_not_passed
points=$(tail -n 1 <<<"$out")

run failed todo
says "$points" && says 'MISSING in checked mode: TODO 5.6'
claim nor_one_that_has_an_open_todo_only_where_it_is_checked

run failed refuses
says '0.0 points' && says 'FORBIDDEN_SYMBOL in checked mode: decode.cu:' && says lab_not_here
claim nor_one_that_is_not_compiled_where_it_is_checked

# What make shows: a claim that fails is asked about in checked mode, and, where all hold, one of each criterion.
# shown TASK FILE [OLD NEW]...: the note about the answer with each NEW in place of the first OLD. whole=yes: without
# the claims of TODOs; only=CLAIM: where the others add nothing.
shown() {
    mkdir -p "$top/shown"
    python3 - "grader/solutions/$1_$2" "$top/shown/$(basename "$2")" "${@:3}" <<'END'
import sys
text = open(sys.argv[1]).read()
for old, new in zip(sys.argv[3::2], sys.argv[4::2]):
    assert old in text, old
    text = text.replace(old, new, 1)
open(sys.argv[2], "w").write(text)
END
    build/bin/stagecc . "$1" "$top/shown/$(basename "$2")" "$top/shown/$1.so"
    local probe=()
    if [[ ! ${whole:-} ]]; then
        probe=(--probe "$top/shown/probe.so")
        build/bin/stagecc --quick --probe . "$1" "$top/shown/$(basename "$2")" "$top/shown/probe.so"
    fi
    build/bin/claims "$1" --stage "$top/shown/$1.so" --source "$top/shown/$(basename "$2")" \
        "${probe[@]}" --runner build/bin/runner_simt --only "${only-}" \
        --checked-runner build/bin/runner_simt_checked | tr -s ' \n' ' '
}
last='__syncthreads();  // every thread has read both tiles'
only=gemm run shown task2 naive/naive.cu "$last" "// every thread has read both tiles"
says 'Note: checked mode reports' && says 'data race' && says 'naive.cu:'
claim a_wrong_answer_of_a_race_shows_its_lines
whole=yes only=gemm run shown task2 naive/naive.cu 'if (row < m && col < n) C[(size_t)row * n + col] = sum;' \
    'const int line = (n + TILE - 1) / TILE * TILE;
    if (row < m) C[(size_t)row * line + col] = col < n ? sum : 0.0f;'
line=$(grep -n 'const int line' "$top/shown/naive.cu" | cut -d: -f1)
says "Note: line $line rounds n up to whole tiles"
says 'out of bounds: global C[' && says_not 'Who stores has to ask'
says_not 'What to do'
claim what_the_file_says_of_a_report_takes_the_place_of_its_advice
own='for (int c = t; c < BC; c += LANES) m = fmaxf(m, s[c]);'
run shown task4 flash/flash.cu "$own" "m = s[t]; $own" '        // (*) TODO 4.10: the second barrier
        __syncthreads();' ''
says 'matches the max of this tile alone' && says_not 'data race' && says_not 'What to do'
claim a_race_waits_for_a_todo_that_is_known_to_be_wrong
run shown task2 naive/naive.cu "    part[t] = x;" "    __shared__ volatile float last; part[t] = x; last = x;"
says 'Note: the numbers are right, and yet' && says 'data race' && says '32 of 32 claims hold'
claim a_race_that_right_numbers_hide_is_shown
run shown task4 flash/flash.cu 'load_tile(Ks, K + (size_t)k0 * D, Sk - k0,' 'load_tile(Ks, K + (size_t)k0 * D, BC,'
says 'the numbers are right, and yet' && says 'out of bounds: global K[' && says '24 of 24 claims hold'
says 'Behind a tensor begins the memory of somebody else'
claim a_read_behind_a_tensor_that_is_masked_later_is_a_stray_one
run shown task2 naive/naive.cu 'const int query = blockIdx.x' \
    'if (scores[(size_t)gridDim.x * seq_kv] == 5.0f) return; const int query = blockIdx.x'
says 'the numbers are right, and yet' && says 'out of bounds: global scores[' && says '32 of 32 claims hold'
claim behind_the_last_tensor_is_nobodys_memory_either
run shown task2 naive/naive.cu "static int tiles" "static int tiles"
says_not Note
claim of_the_answer_nothing_is_said

if [[ $(uname -m) == x86_64 ]]; then
    mkdir "$top/bin"
    printf '#!/bin/sh\nexec %s -fcf-protection "$@"\n' "$(command -v g++)" >"$top/bin/g++"
    chmod +x "$top/bin/g++"
    printf '#ifdef __CET__\n#error it tells\n#endif\n' >"$top/told.cu"
    for mode in --guest '--guest --checked'; do
        # shellcheck disable=SC2086
        PATH=$top/bin:$PATH run grader/simt/simtcc $mode -c -o "$top/told.o" "$top/told.cu"
        says_not 'it tells'
    done
    claim no_macro_of_a_guarded_jump_tells_a_guest_that_it_is_checked
fi

echo '#error no' >"$top/fails.cu"
if mknod "$top/null" c 1 3 2>/dev/null; then
    run grader/simt/simtcc --guest -c -o "$top/null" "$top/fails.cu"
    exits 1
    [[ -c $top/null ]] || complain "the device has gone"
    claim a_device_that_was_to_be_written_stays_when_nothing_is_compiled
else
    skip a_device_that_was_to_be_written_stays_when_nothing_is_compiled 'only root makes devices'
fi

plan
