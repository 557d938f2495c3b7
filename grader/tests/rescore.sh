#!/usr/bin/env bash
# rescore.sh: grade_all --rescore counts points again from what was measured, and runs nothing. TAP.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/../.."
# shellcheck source=grader/tests/tap.sh
source grader/tests/tap.sh
top=$(mktemp -d)
trap 'rm -rf "$top"' EXIT
example=grader/solutions/results_h200
mkdir -p "$top/solutions" "$top/b"
results=$top/solutions/results.json

# with PYTHON: results.json is the example's, changed by PYTHON, in which r is the whole and task(name) one of its
# tasks.
with() {
    python3 - "$example/results.json" "$results" "$1" <<'END'
import json, sys
r = json.load(open(sys.argv[1]))
def task(name): return next(t for t in r["tasks"] if t["id"] == name)
exec(sys.argv[3])
json.dump(r, open(sys.argv[2], "w"))
END
}
rescore() { run grader/grade_all --rescore --out "$top" "$@"; }
# points TASK CRITERION: "points of max: why"
points() {
    python3 - "$results" "$@" <<'END'
import json, sys
task = next(t for t in json.load(open(sys.argv[1]))["tasks"] if t["id"] == sys.argv[2])
for c in task["criteria"]:
    if c["name"] == sys.argv[3]: print("%g of %g: %s" % (c["points"], c["max_points"], c["why"]))
END
}
is() { [[ $1 == "$2" ]] || complain "$1, not $2"; }

cp "$example/results.json" "$results"
cp "$example"/*.png "$top/solutions"
run build/bin/report page "$results" "$top/solutions"
exits 0
for page in Results.md details.md; do
    diff "$top/solutions/$page" "$example/$page" >"$top/diff" || complain "$page is another: $(head -n 3 "$top/diff")"
done
claim the_example_page_is_what_its_measurements_give_today

with 'for t in r["tasks"]: t.update(score=0, criteria=[dict(c, points=0) for c in t["criteria"]])'
rescore grader/solutions
exits 0 && says '20 of 20 points'
grep -q 'Score: 20 of 20\*\*, bonus 2.29' "$top/solutions/Results.md" || complain 'Results.md has another score'
grep -q 'counted again from these measurements' "$top/solutions/Results.md" || complain 'Results.md does not say so'
claim the_example_page_gets_its_points_by_todays_rubric

slower='"series": "speedups", "case": "B4 S=128 full", "implementation": "task 2"'
with "for t in task('task4')['timings']:
    if {$slower}.items() <= t.items(): t['speedup'] = 1.25"
rescore grader/solutions
is "$(points task4 'against task 2, S=128 full')" '0.3 of 0.5: 1.25x; points from 0.5x, all of them from 1.75x'
says '19.8 of 20'
claim speed_points_follow_the_measured_ratio

with 'next(c for c in task("task3")["cases"] if c["criterion"] == "tiles")["verdict"] = "WRONG_ANSWER"'
rescore grader/solutions
is "$(points task3 tiles)" '0 of 0.5: 5 of 6 claims hold'
is "$(points task3 'against task 1, one thread')" '0 of 0.75: not measured: the answers are not all right'
claim a_case_that_failed_costs_what_it_did

with 'r["machine"].pop("ceilings")'
rescore grader/solutions
is "$(points task4 'against task 2, S=128 full')" '0 of 0: not counted: this run did not measure speed'
claim what_was_not_measured_is_not_counted

# Without a GPU the points come from counted traffic, and a finding takes them.
simt='r["backend"] = "simt"; task("task4")["timings"] = []'
with "$simt"
rescore grader/solutions
[[ $(points task4 'against task 2, S=128 full') == 0.[45]*' of 0.5: from counted traffic'* ]] || complain 'no traffic'
finding="{'case': 'S=128 full', 'verdict': 'WRONG_ANSWER', 'finding': 'it hides a matrix'}"
with "$simt; task('task4')['findings'] = [$finding]"
rescore grader/solutions
is "$(points task4 'against task 2, S=128 full')" '0 of 0.5: from counted traffic: S=128 full: it hides a matrix'
claim counted_traffic_and_its_findings_are_kept

cp "$results" "$top/b/results.json"
rescore grader/solutions "$top/in/b" "$top/in/c"
exits 1 && says 'could not be graded' && says 'c/results.json'
[[ $(wc -l <"$top/gradebook.csv") == 4 ]] || complain 'the gradebook has not a row for each'
claim a_class_gets_its_gradebook_again_and_what_was_never_graded_is_named

plan
