#!/usr/bin/env bash
# export.sh: what other graders get keeps their contracts, in a mock of their layout too. grader/export.
set -uo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/../.." || exit 1
# shellcheck source=grader/tests/tap.sh
source grader/tests/tap.sh
top=$(mktemp -d)
chmod 755 "$top"
trap 'rm -rf "$top"' EXIT
unset IMPL BACKEND LAB_SANDBOX MAKEFLAGS MAKELEVEL LAB_ROOT
python=python3
for candidate in "$PWD/build/venv/bin/python3" python3; do
    "$candidate" -c 'import jsonschema' 2>/dev/null && python=$candidate && break
done
h200=grader/solutions/results_h200/results.json

keeps() { # [FORMAT FILE]...: the contracts
    local wrong
    wrong=$("$python" grader/tests/export/contracts.py "$@" 2>&1) || complain "a contract is broken: $wrong"
}
in_json() { # FILE EXPRESSION: of Python, about d
    "$python" -c 'import json, sys; d = json.load(open(sys.argv[1])); sys.exit(not eval("(" + sys.argv[2] + ")"))' \
        "$1" "$2" ||
        complain "not so in $1: $2"
}

if ! "$python" -c 'import jsonschema' 2>/dev/null; then
    skip every_format_keeps_its_contract "no jsonschema: grader/setup plots"
    plan
    exit 0
fi
written=()
(cd grader/tests/report && "$python" -B -c 'import json, sys, variants
for name in sys.argv[2:]: json.dump(variants.document(name), open(f"{sys.argv[1]}/{name}.json", "w"))' \
    "$top" gpu failing todos empty hostile)
for variant in gpu failing todos empty hostile; do
    for format in gradescope classroom autolab; do
        run build/bin/export $format --out "$top/$variant.$format" "$top/$variant.json"
        exits 0
        written+=("$format" "$top/$variant.$format")
    done
done
keeps "${written[@]}"
claim every_format_keeps_its_contract_whatever_the_result

in_json "$top/gpu.gradescope" 'd["score"] == 22.29 and abs(sum(t.get("score", 0) for t in d["tests"]) - 22.29) < 1e-6'
in_json "$top/gpu.autolab" 'd["scores"]["task4"] == 4 and d["scores"]["bonus"] == 2.29'
in_json "$top/gpu.classroom" 'd["status"] == "pass" and d["max_score"] == 20'
"$python" -c 'import json, sys; d = json.load(open(sys.argv[1])); d["tasks"][2]["criteria"][0]["points"] = 0
json.dump(d, open(sys.argv[2], "w"))' "$top/gpu.json" "$top/less.json"
run build/bin/export classroom --out "$top/less" "$top/less.json"
in_json "$top/less" 'd["status"] == "fail" and
    [t["name"] for t in d["tests"] if t["status"] == "fail" and "further" not in t["name"]] ==
    ["task3: tiles"]'
[[ $(wc -l <"$top/gpu.autolab") == 1 ]] || complain 'more than a line for Autolab'
claim points_are_those_of_the_result_with_the_bonus

"$python" - "$top/gpu.json" "$top/secret.json" <<'END'
import json, sys
root = json.load(open(sys.argv[1]))
case = next(c for c in root["tasks"][3]["cases"] if "secret_shape" in c["name"])
case.update(verdict="WRONG_ANSWER", diagnosis="the keys 77.. are wrong")
case["shape"].update(seq_q=1234)
root["tasks"][3]["criteria"][4].update(value=1.9, **{"from": 1, "to": 1.5})
json.dump(root, open(sys.argv[2], "w"))
END
run build/bin/export gradescope --out "$top/secret.gradescope" "$top/secret.json"
keeps gradescope "$top/secret.gradescope"
in_json "$top/secret.gradescope" 'all(
    ("1234" in t["output"] or "77" in t["output"]) == (t["visibility"] == "after_published")
    for t in d["tests"]) and sum(t["visibility"] == "after_published" for t in d["tests"]) == 1'
in_json "$top/secret.gradescope" '{"name": "task4: against task 2, S=128 full", "value": 1.9, "order": "desc"} in
    d["leaderboard"]'
run build/bin/export gradescope --secret hidden --visibility after_due_date --no-leaderboard --out "$top/v" \
    "$top/secret.json"
in_json "$top/v" '{t["visibility"] for t in d["tests"]} == {"hidden", "after_due_date"} and "leaderboard" not in d'
run build/bin/export gradescope --secret never "$top/secret.json"
exits 2
claim what_is_secret_is_seen_when_the_instructor_says_so

run build/bin/export csv --columns canvas "$top/gpu.json" "$top/hostile.json"
exits 0
[[ ${out%%$'\n'*} == '"Student","ID","SIS Login ID","Section","Attention Lab"'* ]] || complain "header: $out"
says '"solutions",,"solutions",,22.29'
run build/bin/export csv --columns 'Login=submission,Flash=task4,V=task4_verdict,%=percent' "$top/gpu.json"
says '"solutions",4,PASSED,100'
run build/bin/export csv --columns 'A=password' "$top/gpu.json"
exits 1
says 'no field is called password'
run build/bin/export csv "$top/absent.json" "$top/gpu.json"
exits 1
says '"solutions",20'
claim a_table_has_the_columns_that_are_asked_for

# ---- in a mock of their layout: task 1, graded for real -------------------------------------------------------

mkdir -p "$top/submission/task1_reference" "$top/packed"
cp grader/solutions/task1_reference/reference.c "$top/submission/task1_reference/"
run grader/export/pack gradescope
exits 0
names=$("$python" -m zipfile -l build/gradescope.zip | awk 'NR > 1 {print $1}' | sort | tr '\n' ' ')
[[ $names == 'attention-lab.tar.gz run_autograder settings setup.sh ' ]] || complain "the zip holds $names"
claim the_zip_has_setup_and_run_autograder_at_its_root

auto=$top/autograder
mkdir -p "$auto"/{source,submission,results,attention-lab}
"$python" -m zipfile -e build/gradescope.zip "$auto/source"
sed -i "s/^TASKS=.*/TASKS=1/; s/^OPTIONS=.*/OPTIONS='--no-bench --no-plots'/" "$auto/source/settings"
cp -r "$top/submission/." "$auto/submission"
copy_build "$auto/attention-lab/build"
run env AUTOGRADER="$auto" SETUP=no bash "$auto/source/setup.sh"
exits 0
[[ ! -e $auto/attention-lab/grader/solutions ]] || complain 'the answers are in the container'
autograde() { # [WORD=VALUE...]
    rm -f "$auto/results/results.json"
    run env AUTOGRADER="$auto" "$@" bash "$auto/source/run_autograder"
    exits 0
    keeps gradescope "$auto/results/results.json"
}
autograde
in_json "$auto/results/results.json" 'd["score"] == 2 and not d["extra_data"]["grader_error"]'
claim gradescope_grades_a_submission

mkdir "$top/bin" && printf '#!/bin/sh\nexit 1\n' >"$top/bin/bwrap" && chmod 755 "$top/bin/bwrap"
autograde PATH="$top/bin:$PATH"
says 'No namespaces here'
in_json "$auto/results/results.json" 'd["score"] == 2 and "no sandbox" in d["output"]'
[[ -z $complaints ]] || complain "$out"
sed -i 's/^NO_SANDBOX=.*/NO_SANDBOX=refuse/' "$auto/settings"
autograde PATH="$top/bin:$PATH"
in_json "$auto/results/results.json" 'd["score"] == 0 and d["extra_data"]["grader_error"]'
claim a_container_without_namespaces_grades_and_says_so_or_refuses

mv "$auto/attention-lab/build/bin/export" "$top/export"
printf '#!/bin/sh\nexit 1\n' >"$auto/attention-lab/build/bin/export" # newer than what it is made of
chmod 755 "$auto/attention-lab/build/bin/export"
autograde
in_json "$auto/results/results.json" 'd["extra_data"]["grader_error"] and "not you" in d["output"]'
rm "$auto/attention-lab/build/bin/export"
mv "$top/export" "$auto/attention-lab/build/bin/export"
printf '#!/bin/sh\nsleep 1000\n' >"$auto/attention-lab/grader/grade_all"
rm -f "$auto/results/results.json"
setsid env AUTOGRADER="$auto" bash "$auto/source/run_autograder" >/dev/null 2>&1 &
killed=$!
for _ in {1..2000}; do [[ -s $auto/results/results.json ]] && break || sleep 0.05; done
kill -KILL -- -$killed
wait $killed 2>/dev/null
keeps gradescope "$auto/results/results.json"
in_json "$auto/results/results.json" 'd["extra_data"]["grader_error"]'
claim a_grader_that_crashes_or_is_killed_leaves_a_valid_result

run grader/export/classroom/grade "$top/submission" --tasks 1 --no-bench --no-plots
exits 0
grep -o '^result=.*' <<<"$out" | sed 's/^result=//' | base64 -d >"$top/classroom.json"
keeps classroom "$top/classroom.json"
in_json "$top/classroom.json" 'd["status"] == "pass" and d["max_score"] == 2'
run grader/export/classroom/grade "$top/absent" --tasks 1 --no-bench --no-plots
grep -o '^result=.*' <<<"$out" | sed 's/^result=//' | base64 -d >"$top/classroom.json"
keeps classroom "$top/classroom.json"
in_json "$top/classroom.json" 'd["status"] == "error"'
if "$python" -c 'import yaml' 2>/dev/null; then
    "$python" -c 'import yaml, sys; assert yaml.safe_load(open(sys.argv[1]))["jobs"]["grade"]["steps"]' \
        grader/export/classroom/classroom.yml || complain 'the workflow is no YAML'
fi
claim classroom_grades_a_submission_and_says_when_it_could_not

run grader/export/pack autolab
exits 0
mkdir "$top/autolab" && cp build/autolab/* "$top/autolab/"
tar -czf "$top/autolab/handin.tar.gz" -C "$top/submission" .
mkdir -p "$top/autolab/autograde" && mv "$auto/attention-lab" "$top/autolab/autograde/attention-lab"
tar -xzf "$auto/source/attention-lab.tar.gz" -C "$top/autolab/autograde" # as it was before it was broken
run env LAB_OPTIONS='--tasks 1 --no-bench --no-plots' make -s -C "$top/autolab" -f autograde-Makefile
exits 0
printf '%s\n' "$out" >"$top/autolab.out"
keeps autolab "$top/autolab.out"
says '{"scores":{"task1":2.0,"bonus":0.0},"scoreboard":[2.0]}'
claim autolab_grades_a_handin_and_its_line_is_the_last
plan
