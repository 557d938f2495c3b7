#!/usr/bin/env bash
# gpu_class.sh: a timed class on all GPUs of this machine. `grader/tests/check_gpu.sh class` calls it.
#
#   grader/tests/gpu_class.sh [N]     N submissions (40), from SEED (1), JOBS side by side; LIMIT: seconds of a class.
#                                     RESUME=yes: goes on with the class that is there. PARTS (class again alone)
#
# class: class_mix.c mixes answers, rungs, mutants, cheats, missing files and broken archives; no two texts are the
# same. Says whether all were judged right, submissions an hour, how busy each GPU was, and how many GPUs a stage's
# process can see (one). again: those who handed in all answers once more. alone: `bench` of the answers without a
# sandbox. Then how far the times of the answers differ in the class, from the second run and from the bench. Exit
# status 0: all were judged right, and each stage saw one GPU.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/../.."
export LAB_BACKEND=cuda
n=${1:-40} seed=${SEED:-1} dir=build/tests/gpu_class
mapfile -t gpus < <(nvidia-smi --query-gpu=uuid --format=csv,noheader)
most=$((($(nproc) - 4) / 2))
jobs=${JOBS:-$((5 * ${#gpus[@]} < most ? 5 * ${#gpus[@]} : most))}
parts=" ${PARTS:-class again alone} "
if [[ ! -e $dir/expected || ($parts == *" class "* && ! ${RESUME:-}) ]]; then
    rm -rf "$dir" && mkdir -p "$dir"
    build/bin/class_mix "$n" "$seed" "$dir"
fi

# How many files of GPUs do the processes of stages see? Until the file `end` is there.
look() {
    local process
    until [[ -e $dir/end ]]; do
        for process in $(grep -l '^runner_cuda$' /proc/[0-9]*/comm 2>/dev/null); do
            find "${process%/comm}/root/dev/" -maxdepth 1 -name 'nvidia[0-9]*' -printf x 2>/dev/null && echo
        done
        sleep 0.5
    done | sort | uniq -c >"$dir/seen"
}

# class OUT SUBMISSION...: prints how long it took, and how busy the GPUs were. What grade_all says: OUT.said, with the
# second at which it was said.
class() {
    local out=$1 start=$SECONDS busy graded seconds
    shift
    nvidia-smi --query-gpu=index,utilization.gpu --format=csv,noheader,nounits -lms 250 >"$out.busy" &
    busy=$!
    timeout -k 5 "${LIMIT:-3000}" stdbuf -oL build/bin/grade_all --scored --no-plots --jobs "$jobs" --out "$out" \
        ${RESUME:+--resume} -- "$@" 2>&1 |
        while IFS= read -r line; do echo "$((SECONDS - start)) $line"; done >"$out.said" || true
    seconds=$((SECONDS - start))
    kill "$busy"
    wait "$busy" 2>/dev/null || true
    graded=$(grep -cE ' of [0-9.]+ points, | could not be graded' "$out.said" || true)
    echo "$out: $graded of $# graded, $seconds s: $((graded * 3600 / (seconds + 1))) an hour, $jobs at a time," \
        "$(nproc) processors, ${#gpus[@]} GPUs"
    awk -F', *' '{ n[$1]++; sum[$1] += $2; some[$1] += $2 > 0 }
        END { for (g in n) printf "  GPU %s: busy %.0f %% of the time, in %.0f %% of the samples\n", g, sum[g] / n[g],
              100 * some[g] / n[g] }' "$out.busy"
}

status=0
if [[ $parts == *" class "* ]]; then
    rm -f "$dir/end"
    look &
    look=$!
    class "$dir/out" "$dir"/in/*
    touch "$dir/end"
    wait "$look"
    build/bin/class_mix "$dir" "$dir/out" || status=1
    awk 'length($2) == 1 { one += $1 } length($2) != 1 { other += $1 }
        END { printf "stages that saw one GPU: %d, another number: %d\n", one, other; exit other > 0 || !one }' \
        "$dir/seen" || status=1
fi
if [[ $parts == *" again "* ]]; then
    mapfile -t all < <(awk -F'|' '{ n[$1]++; good[$1] += $3 == "answer" }
        END { for (s in n) if (good[s] == 6) print s }' "$dir/expected" | sort)
    class "$dir/again" "${all[@]/#/$dir/in/}"
fi

# The answers on each GPU, side by side; then on the processor.
alone() {
    local pids=() task i
    export LAB_SANDBOX=no
    mkdir -p "$dir/alone"
    for i in "${!gpus[@]}"; do
        for task in task2 task4 task5; do
            CUDA_VISIBLE_DEVICES=${gpus[i]} build/bin/bench "$task" "build/stage/grader+solutions/$task.cuda.so" \
                --scored --json "$dir/$task.$i.json" >"$dir/$task.$i.said" 2>&1 || true
        done &
        pids+=($!)
    done
    wait "${pids[@]}"
    make -s IMPL=grader/solutions task3 compile
    build/bin/bench task3 build/stage/grader+solutions/task3.so --scored --json "$dir/task3.0.json" \
        >"$dir/task3.0.said" 2>&1 || true
    for task in task2 task3 task4 task5; do cat "$dir/$task".[0-9]*.json >"$dir/alone/$task.json"; done
}
[[ $parts != *" alone "* ]] || alone
outs=()
for out in "$dir/out" "$dir/again" "$dir"/alone/*.json; do [[ ! -e $out ]] || outs+=("$out"); done
python3 grader/tests/class_times.py "$dir/expected" "${outs[@]}"
exit $status
