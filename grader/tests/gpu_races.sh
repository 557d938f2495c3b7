#!/usr/bin/env bash
# gpu_races.sh: on a GPU, too, a race that right numbers hide costs its criterion; what simt lacks costs nothing. TAP.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/../.."
# shellcheck source=grader/tests/tap.sh
source grader/tests/tap.sh
top=$(mktemp -d)
trap 'rm -rf "$top"' EXIT
chmod 755 "$top"

# submit NAME OLD NEW: the answer to task 2, with NEW in place of the first OLD.
submit() {
    mkdir -p "$top/in/$1/task2_naive"
    python3 - grader/solutions/task2_naive/naive.cu "$top/in/$1/task2_naive/naive.cu" "$2" "$3" <<'END'
import sys
text = open(sys.argv[1]).read()
assert sys.argv[3] in text, sys.argv[3]
open(sys.argv[2], "w").write(text.replace(sys.argv[3], sys.argv[4], 1))
END
}
# told NAME: "criterion verdict diagnosis" of the claims that do not hold, what was not looked at, and the points.
told() {
    python3 - "$top/out/$1/results.json" <<'END'
import json, sys
t = json.load(open(sys.argv[1]))["tasks"][0]
for c in t["cases"]:
    if c["verdict"] != "PASSED": print(c["criterion"], c["verdict"], c["diagnosis"])
print("unlooked:", t.get("unlooked", "nothing"))
print(sum(c["points"] for c in t["criteria"]), "points")
END
}

submit right 'static int tiles' 'static int tiles'
submit raced '    part[t] = x;' '    __shared__ volatile float last; part[t] = x; last = x;'
submit ptx '    part[t] = x;' '    unsigned begin;
    asm volatile("mov.u32 %0, %%reserved_smem_offset_begin;" : "=r"(begin));
    if (begin == 0xffffffffu) return x;
    part[t] = x;'
run grader/grade_all --backend cuda --no-bench --no-plots --tasks 2 --out "$top/out" "$top"/in/*

run told right
says 'unlooked: nothing' && says_not 'checked mode'
claim the_answer_keeps_every_point
points=$(tail -n 1 <<<"$out")

run told raced
says 'RACE in checked mode, on the processor: data race' && says 'naive.cu:' && says_not "$points"
claim a_race_that_right_numbers_hide_costs_points

run told ptx
says 'unlooked: simt does not compile the file' && says "$points"
claim what_simt_does_not_have_costs_nothing_and_is_said

plan
