#!/usr/bin/env bash
# check_class.sh: a whole class is graded without a GPU, killed three times in between, and every verdict is looked at.
#
#   grader/tests/check_class.sh [N]     N submissions (300), from SEED (1); `make check-class N=20` calls it
#
# Answers, rungs of the ladder, mutants, cheats, files that are missing, broken archives: class_mix.c mixes them. The
# run is killed (-9) at three points and goes on with --resume. Prints submissions per hour, the memory of grade_all
# over time, what a killed run left behind, and how many submissions were judged right. Exit status 0: all of them.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/../.."
n=${1:-300} seed=${SEED:-1} dir=build/tests/class
rm -rf "$dir" && mkdir -p build/tests
make -s grade-tools build/bin/class_mix >/dev/null
build/bin/class_mix "$n" "$seed" "$dir"
RANDOM=$seed

graded() { find "$dir/out" -maxdepth 2 -name results.json 2>/dev/null | wc -l; }
# Programs of this tree that still run, of an ended run: none after a moment.
left() { find /proc/[0-9]*/exe -lname "$PWD/build/bin/*" 2>/dev/null | xargs -r -n 1 readlink 2>/dev/null |
    grep -cE '/(grade_all|claims|bench|count|demo|runner[a-z_]*)$' || true; }

# run_until COUNT [--resume]: grades until so many results are there, then kills. Without a COUNT it runs to its end.
run_until() {
    local stop=$1 pid
    shift
    setsid grader/grade_all --backend simt --jobs 2 --no-plots --out "$dir/out" "$@" -- "$dir"/in/* \
        >>"$dir/said" 2>&1 &
    pid=$!
    while kill -0 "$pid" 2>/dev/null; do
        [[ -e $dir/out/.journal ]] && echo "$(($(date +%s) - $(stat -c %Y "$dir/out/.journal")))" >>"$dir/ages"
        awk -v t="$(($(date +%s) - start))" '/VmRSS/ {print t, $2}' "/proc/$pid/status" 2>/dev/null \
            >>"$dir/memory" || true
        [[ $stop ]] && (($(graded) >= stop)) && break
        sleep 1
    done
    [[ $stop ]] && kill -KILL "$pid" 2>/dev/null && echo "killed after $(($(date +%s) - start)) s: $(graded) results," \
        "the last line of the journal $(($(date +%s) - $(stat -c %Y "$dir/out/.journal"))) s old"
    wait "$pid" 2>/dev/null || true
    [[ ! $stop ]] || { sleep 2; echo "  still running after 2 s: $(left) programs"; }
}

start=$(date +%s)
: >"$dir/memory" && : >"$dir/ages"
resume=''
for part in 1 2 3; do
    run_until $((n * (part * 3 - 2) / 10 + RANDOM % (n / 10 + 1) + 1)) $resume
    resume=--resume
done
run_until '' --resume
seconds=$(($(date +%s) - start))
echo "$n submissions in $seconds s: $((n * 3600 / (seconds + 1))) per hour, on $(nproc) processors"
echo "a kill would have lost the work since the journal's last line: $(sort -n "$dir/ages" | tail -1) s at most"
awk '{t[NR] = $1; kb[NR] = $2; if ($2 > most) most = $2}
    END {half = 0; for (i = 1; i <= NR / 2; i++) if (kb[i] > half) half = kb[i]
         printf "grade_all: %d MB at most in the first half of the run, %d MB in all\n", half / 1024, most / 1024
    }' "$dir/memory"
build/bin/class_mix "$dir" "$dir/out"
