#!/usr/bin/env bash
# slurm: a class of thirty on a real Slurm of one node that this test starts: a node is drained half-way, grade_all is
# killed and started again, a task is killed; nothing is lost and nothing is graded twice.
# shellcheck disable=SC2154
set -uo pipefail
cd "$(dirname "$0")/../.." || exit 1
. grader/tests/tap.sh
. grader/tests/slurm_node.sh
T=$(mktemp -d)
trap 'slurm_stop; rm -rf "$T"' EXIT
chmod 755 "$T"
missing=$(slurm_missing) && { skip slurm "$missing"; plan; exit; }
[[ -d grader/solutions ]] || { skip slurm 'the answers are not in this tree'; plan; exit; }
slurm_start "$T/slurm" || { complain 'Slurm did not start'; claim a_class_on_slurm; plan; exit 1; }
node=$(sinfo -h -o %n)

mkdir -p "$T/in"
# Some are called what a shell, sbatch or a log would obey; their folders have other names.
names=([3]="\$(touch obeyed_$$)\\'\"%a" [5]=$'\n--uid=0\n#SBATCH --wrap=x' [7]=$'\x1b[31m;scancel' [9]=" --nodes=5 ")
folders=([5]='_--uid=0_#SBATCH --wrap=x' [7]='_[31m;scancel')
for i in $(seq -w 1 29); do
    name=student$i${names[10#$i]-}
    mkdir -p "$T/in/$name/task1_reference"
    file=task1_reference/reference.c
    ((10#$i % 2)) && file=grader/solutions/task1_reference/reference.c
    cp "$file" "$T/in/$name/task1_reference/"
done
# The last one hangs for 20 s, so that there is time to kill its task.
mkdir -p "$T/in/zz_sleeper/task1_reference"
sed 's/^\(attn_status attn_softmax_rows.*\){$/\1{ for (volatile int forever = 1; forever;) continue;/' \
    grader/solutions/task1_reference/reference.c >"$T/in/zz_sleeper/task1_reference/reference.c"

within=()
grade() { # OPTION...
    exec "${within[@]}" grader/grade_all --slurm --throttle 2 --out "$T/out" "$@"
}
finished() { find "$T/out/.slurm" -name '*.done' 2>/dev/null | wc -l; }
running() { squeue -h -r -t RUNNING,COMPLETING -o %i | wc -l; }
await() { # CONDITION: at most five minutes
    local try
    for ((try = 0; try < 1500; try++)); do eval "$1" && return 0; sleep 0.2; done
    complain "in five minutes not: $1"
}

(grade --tasks 1 --no-bench --no-plots --timeout 20 "$T"/in/*) >"$T/first.txt" 2>&1 &
collector=$!
await '(( $(finished) >= 4 ))'
scontrol update "nodename=$node" state=drain reason=test
await '(( $(running) == 0 ))'
half=$(finished)
sleep 1
[[ $(finished) == "$half" && $half -lt 30 ]] || complain "the drained node went on: $half, then $(finished)"
kill -9 "$collector"
wait "$collector" 2>/dev/null
[[ -e $T/out/gradebook.csv ]] && complain 'a gradebook before the end'
claim a_drained_node_holds_the_class_up

within=(timeout 900)
(grade --resume) >"$T/second.txt" 2>&1 &
collector=$!
sleep 1
scontrol update "nodename=$node" state=resume
await 'last=$(squeue -h -r -t RUNNING -o %i | tail -n 1) && [[ $last == *_29 ]]'
scancel "$last"
wait "$collector"
status=$?
out=$(<"$T/second.txt")
exits 0
says '1 submission lost, and submitted again'
says 'already graded'
(($(grep -c 'already graded' "$T/second.txt") >= half)) || complain 'what was done is not seen as done'
claim a_killed_grade_all_goes_on_and_a_lost_task_is_submitted_again

[[ $(wc -l <"$T/out/gradebook.csv") == 31 ]] || complain "$(wc -l <"$T/out/gradebook.csv") lines, not 31"
for i in $(seq -w 1 29); do
    points=0
    ((10#$i % 2)) && points=2
    folder=student$i${folders[10#$i]-${names[10#$i]-}}
    grep -q "\"score\": $points.0" "$T/out/$folder/results.json" || complain "student$i has not $points points"
done
[[ -z $(find . "$T" -maxdepth 3 -name "obeyed_*") ]] || complain 'a name was obeyed'
grep -q '"verdict": "TIMEOUT"' "$T/out/zz_sleeper/results.json" || complain 'zz_sleeper: no TIMEOUT'
claim every_row_is_there_with_its_points

logs=$(find "$T/out/.slurm" -name 'log-*' | wc -l)
[[ $logs == 31 ]] || complain "$logs tasks ran, not 30 and one again"
[[ $(find "$T/out/.same" -name task.json | wc -l) == 3 ]] || complain 'not three texts were judged'
[[ $(stat -c %a "$T/out/.journal" "$T/out/.slurm" | tr '\n' ' ') == '600 700 ' ]] || complain 'others can read'
claim nothing_is_graded_twice

rm "$T/out/student01/results.json"
grade_late() { (grade --partition nowhere --resume); }
run grade_late
exits 2
says 'nvalid partition'
claim what_sbatch_refuses_is_said
plan
