#!/usr/bin/env bash
# walk.sh: a student solves a task TODO by TODO, in order. After each, exactly one more line says that it holds. TAP.
#
#     grader/tests/walk.sh [TASK...]      those with probes, if none is named; LAB_CHECKED=1: in simt's checked mode
#
# With FULL=yes after each step; otherwise after each second one, and the last: then what both have solved holds.
# The steps are made from the marked source: up to the k-th TODO its answer's lines, from there on the skeleton's.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/../.."
# shellcheck source=grader/tests/tap.sh
source grader/tests/tap.sh
export LAB_BACKEND=simt SIMT_TIMEOUT=50
top=$(mktemp -d)
trap 'rm -rf "$top"' EXIT

# solved K FILE: the marked file with TODOs 1 to K solved. A block belongs to the TODO that its marker names (//{ 3.10),
# otherwise to the one whose comment stands above it; a line of ATTN_TODO to the one that it names; a block above all
# TODOs is the skeleton's.
solved() {
    awk -v k="$1" '
        match($0, /TODO [0-9]+\.[0-9]+:/) {
            todo = substr($0, RSTART + 5, RLENGTH - 6); sub(/.*\./, "", todo); todo += 0
        }
        NF <= 2 && ($1 == "//{" || $1 == "//[") { open = $1; own = $2; sub(/.*\./, "", own); next }
        NF == 1 && ($1 == "//}" || $1 == "//]") { open = ""; next }
        match($0, /ATTN_TODO\([0-9]+, [0-9]+\)/) && open == "//[" {
            step = substr($0, RSTART, RLENGTH - 1)
            sub(/.* /, "", step)
            if (step + 0 > k) print
            next
        }
        open == "//{" && (own ? own + 0 : todo) > k { next }
        open == "//[" && todo && todo <= k { next }
        { print }' "$2"
}

# holding K TASK FILE: the TODOs that hold after K steps, in one line
holding() {
    local folder=$top/$2.$1 runner=build/bin/runner
    [[ $1 != "$last" ]] || local -x LAB_SANDBOX=yes # as grade_all does it: what a probe includes is to be seen there
    mkdir -p "$folder"
    solved "$1" "$3" >"$folder/${3##*/}"
    [[ $3 != *.cu ]] || runner=build/bin/runner_simt${LAB_CHECKED:+_checked}
    build/bin/stagecc --quick --probe . "$2" "$folder/${3##*/}" "$folder/probe.so"
    build/bin/claims "$2" --stage none --runner $runner --probe "$folder/probe.so" --source "$folder/${3##*/}" \
        --only todo --timeout 60 >"$folder/log" || true
    awk '$1 == "TODO" && $3 == "holds" { printf "%s ", $2 }' "$folder/log"
}

[[ $# -gt 0 ]] || set -- $(cd grader/probes && printf '%s\n' task*.c* | cut -d. -f1)
for task; do
    marked=(grader/solutions/marked/"$task"_*/*)
    last=$(grep -oE 'ATTN_TODO\([0-9]+, [0-9]+\)' "${marked[0]}" | sed 's/.* //; s/)//' | sort -n | tail -1)
    mapfile -t tested < <(if [[ ${FULL-} ]]; then seq 0 "$last"; else seq 0 2 "$((last - 1))" && echo "$last"; fi)
    for i in "${!tested[@]}"; do
        holding "${tested[i]}" "$task" "${marked[0]}" >"$top/$task.${tested[i]}.holds" &
        ((i % 2 == 0)) || wait
    done
    wait
    expected= all=$(awk '$1 == "TODO" { printf "%s ", $2 }' "$top/$task.$last/log") # of the answer, every TODO holds
    for ((k = 0; k <= last; k++)); do
        todo=${task#task}.$k
        [[ " $all" != *" $todo "* ]] || expected+="$todo "
        [[ " ${tested[*]} " == *" $k "* ]] || continue
        got=$(cat "$top/$task.$k.holds")
        [[ $got == "${expected% }" || $got == "$expected" ]] ||
            complain "holds: $got; expected: $expected; $(cat "$top/$task.$k/log")"
        claim "${task}_with_${k}_TODOs_solved_shows_just_these"
    done
done
[[ ${FULL-} ]] || skip each_task_with_any_number_of_TODOs_solved 'FULL=yes tests after each of them'
plan
