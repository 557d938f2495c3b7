#!/usr/bin/env bash
# resume.sh: a run that was killed goes on where it was, and what is named is graded again. grader/grade/journal.c. TAP.
set -euo pipefail
root=$(cd "$(dirname "${BASH_SOURCE[0]}")/../.." && pwd)
cd "$root"
# shellcheck source=grader/tests/tap.sh
source grader/tests/tap.sh
top=$(mktemp -d)
trap 'rm -rf "$top"' EXIT
task1=task1_reference/reference.c task3=task3_tiled_cpu/tiled_cpu.c
options=(--no-bench --no-plots --tasks '1,3')

# submit NAME: the answers, which differ in a comment; `spoil NAME`: task 3 never ends.
submit() {
    mkdir -p "$top/in/$1/task1_reference" "$top/in/$1/task3_tiled_cpu"
    for file in $task1 $task3; do { cat "grader/solutions/$file"; echo "// $1"; } >"$top/in/$1/$file"; done
}
spoil() {
    local file=$top/in/$1/$task3
    {
        echo '#define attn_tiled solved'
        cat "grader/solutions/$task3"
        echo '#undef attn_tiled'
        printf '%s { for (;;) *(volatile int *)&shape.seq_q = 1; }\n' \
            "$(grep -m1 -o '^attn_status attn_tiled([^{]*' "grader/solutions/$task3" || true)"
    } >"$file"
}
# field FOLDER PYTHON: an expression over r, its results, and t(ID), one of their tasks.
field() {
    python3 -c 'import json, sys
r = json.load(open(sys.argv[1]))
def t(i): return next(t for t in r["tasks"] if t["id"] == i)
print(eval(sys.argv[2]))' "$top/$1/results.json" "$2" 2>&1
}
is() { [[ $(field "$1" "$2") == "$3" ]] || complain "$1: $2 is $(field "$1" "$2"), not $3"; }
journal_has() { grep -q "$1" "$top/out/.journal" || complain "the journal lacks $1"; }

submit ada && submit bob && submit cyd && spoil bob

# ---- killed in the middle of a submission

env --default-signal=INT grader/grade_all "${options[@]}" --timeout 1000 --secret-seed 123456787 --out "$top/out" \
    "$top"/in/* >"$top/log" 2>&1 &
job=$!
until grep -q '"of":"bob","task":"task1"' "$top/out/.journal" 2>/dev/null || ! kill -0 "$job" 2>/dev/null; do
    sleep 0.05
done
kill -KILL "$job"
wait "$job" 2>/dev/null || true
until flock -n "$top/out/.run.lock" true; do sleep 0.05; done
[[ -s $top/out/ada/results.json && ! -e $top/out/bob/results.json ]] || complain "it was not in bob: $(cat "$top/log")"
printf '{"of":"cyd","task":"task1","resu' >>"$top/out/.journal" # as a power cut leaves it
before=$(stat -c %Y%i "$top/out/ada/results.json")
kept=$(sed -n '/"of":"bob","task":"task1"/s/.*"task":"task1"//p' "$top/out/.journal")
kept=${kept#*\"seconds\":} kept=${kept%%[!0-9.e-]*}
run grader/grade_all --resume --timeout 2 --out "$top/out"
exits 0 && says 'ada' && says 'already graded'
[[ $(stat -c %Y%i "$top/out/ada/results.json") == "$before" ]] || complain 'ada was graded again'
is out/bob 't("task1")["verdict"], t("task3")["verdict"]' "('PASSED', 'TIMEOUT')"
is out/cyd 'r["score"]' 3.75
is out/bob "'%.6g' % t('task1')['cases'][0]['seconds']" "$(python3 -c "print('%.6g' % float('$kept'))")"
[[ $(wc -l <"$top/out/gradebook.csv") == 4 ]] || complain 'the gradebook lacks a row'
claim a_killed_run_goes_on_inside_of_a_submission

[[ $(stat -c %a "$top/out/.journal") == 600 ]] || complain 'others can read the journal'
journal_has '"seed":"123456787"'
! grep -rq 123456787 "$top/out" --exclude=.journal || complain 'the seed is in a result'
run grader/grade_all --resume --secret-seed 5 --out "$top/out" && exits 2 && says 'its own seed'
claim the_seed_stays_in_the_journal_which_is_the_owners_alone

# Nothing that the journal says leads out of DIR, nor over the end of a line.
mkdir "$top/edited" && cp -r "$top/out" "$top/edited/out"
sed -i 's/"folder":"cyd"/"folder":"..\/..\/cyd"/; s/\("path":"[^"]*ada\)"/\1%4"/' "$top/edited/out/.journal"
{ head -c 100000 /dev/zero | tr '\0' '['; printf '\n\0{"of":5}\n{"again":"ada","tasks":[1,{}]}\n'; } \
    >>"$top/edited/out/.journal"
cp "$top/edited/out/.journal" "$top/edited/journal"
run grader/grade_all --resume --out "$top/edited/out"
((status < 128)) || complain "it ended with status $status"
says 'names a folder that grade_all does not make, and leaves it out: ../../cyd' && says 'already graded'
[[ $(ls "$top/edited" "$top" | grep -c cyd) == 0 ]] || complain "$(ls "$top/edited" "$top")"
claim an_edited_journal_leads_nowhere_else

# ---- again

# No submission's file is read but those that are named.
sed -i 's/return ATTN_OK;/return ATTN_OK/' "$top/in/ada/$task1" "$top/in/ada/$task3" "$top/in/cyd/$task1"
before=$(field out/ada 't("task3")')
run grader/grade_all --regrade ada --tasks 1 --out "$top/out"
exits 0 && says_not cyd
is out/ada 't("task1")["verdict"], t("task3")["verdict"]' "('COMPILE_ERROR', 'PASSED')"
[[ $(field out/ada 't("task3")') == "$before" ]] || complain 'task 3 was graded again'
is out/cyd 't("task1")["verdict"]' PASSED
claim one_task_of_one_student_is_graded_again

sed -i '/"done":"cyd"/d; /"of":"cyd","task":"task1"/d' "$top/out/.journal"
python3 - "$top/out/cyd/results.json" <<'END'
import json, sys
r = json.load(open(sys.argv[1]))
r["tasks"][0]["cases"][1]["verdict"] = "GRADER_ERROR"
json.dump(r, open(sys.argv[1], "w"))
END
run grader/grade_all --regrade errors --out "$top/out"
exits 0 && says cyd && says_not 'ada  '
is out/cyd 't("task1")["verdict"]' COMPILE_ERROR
run grader/grade_all --regrade errors --out "$top/out"
exits 0 && says_not 'points'
claim what_the_grader_failed_on_is_graded_again

run grader/grade_all --regrade nobody --out "$top/out" && exits 2 && says 'no submission of this run has that name'
run grader/grade_all --regrade ada --out "$top/empty" && exits 2 && says 'holds no run: --out DIR says where it is'
run grader/grade_all --resume --out "$top/empty" && exits 2 && says 'holds no run'
run grader/grade_all --regrade ada --out "$top/out" "$top/in/bob" && exits 2
says '--regrade ada grades again what the run in DIR holds' && says_not "$top/in/bob is a run" && says_not 'usage:'
run grader/grade_all --regrade ada "$top/out" && exits 2
says "$top/out is a run: grader/grade_all --regrade ada --out $top/out" && says_not 'usage:'
claim who_is_not_there_cannot_be_graded_again

# ---- a folder that holds a class

cp "$top/out/.journal" "$top/journal"
for given in "$top/in/ada" "$top/in/cyd $top/in/bob"; do
    # shellcheck disable=SC2086 # a list of paths
    run grader/grade_all "${options[@]}" --out "$top/out" $given
    exits 2 && says 'holds a run of 3 submissions' && says --anew
done
cmp -s "$top/out/.journal" "$top/journal" || complain 'the journal was changed'
run grader/grade_all --no-bench --no-plots --tasks 1 --anew --out "$top/out" "$top/in/bob" "$top/in/bob/." "$top/in/cyd"
exits 0 && says 'is named twice'
[[ $(wc -l <"$top/out/gradebook.csv") == 3 ]] || complain 'the gradebook is not of two'
claim a_class_is_not_begun_again_by_mistake

submit dan
run grader/grade_all --resume --out "$top/out" "$top/in/dan"
exits 0 && is out/dan 'r["score"]' 2.0
[[ $(wc -l <"$top/out/gradebook.csv") == 4 ]] || complain 'the gradebook is not of three'
claim a_late_submission_joins_the_class

for out in once again; do
    run grader/grade_all --no-bench --no-plots --tasks 1 --secret-seed 77 --out "$top/$out" "$top/in/dan"
done
same='[(c["name"], c["verdict"], c["max_err"], c["rms_rel_err"], c["shape"]) for c in t("task1")["cases"]], r["score"]'
[[ $(field once/dan "$same") == "$(field again/dan "$same")" ]] || complain 'another result with the same seed'
claim graded_twice_is_the_same_score_and_the_same_errors

plan
