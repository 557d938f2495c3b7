#!/usr/bin/env bash
# record.sh: what the real tools print on a machine with a GPU, and whether each checker finds a bug planted for it.
#
#   grader/profile/record.sh DIR     after make BACKEND=cuda build/bin/{profile,sanitize,target,stagecc}
#
# Writes DIR/profile.txt, profile.jsonl, sanitize.txt and logs.tar.gz (logs of ncu and compute-sanitizer: new samples
# for grader/profile/samples). Exit status 0: the solutions are clean and every planted bug was reported.
set -uo pipefail
cd "$(dirname "$0")/../.." || exit 2
out=$(mkdir -p "$1" && cd "$1" && pwd) || exit 2
export LAB_BACKEND=cuda LAB_TIMEOUT=60 # seconds for a run of one tool
top=$(mktemp -d)
trap 'rm -rf "$top"' EXIT
mkdir "$top/logs"
bad=0
source_of() { ls grader/solutions/"$1"_*/*.cu; }

for task in task2 task4 task5; do
    LAB_PROFILE_LOGS=$top/logs build/bin/profile "$task" "$(source_of "$task")" --json "$top/$task.jsonl" || bad=1
done >"$out/profile.txt" 2>&1
cat "$top"/*.jsonl >"$out/profile.jsonl"
cat "$out/profile.txt"

check() { # STAGE TASK [TOOL]
    SECONDS=0
    build/bin/sanitize "$2" "$1" ${3:+"$3"}
    local status=$?
    echo "  exit status $status after $SECONDS s"
    cp build/log/"$2"-*check.log "$top/logs" 2>/dev/null
    return $status
}
{
    for task in task2 task4 task5; do
        build/bin/stagecc . "$task" "$(source_of "$task")" "$top/$task.so" && check "$top/$task.so" "$task" || bad=1
    done
    # planted TOOL SED: one line of a kernel of the ladder changed; the tool must report it
    planted() {
        sed "$2" grader/ladder/4_async_copies/task4_flash/flash.cu >"$top/flash.cu"
        build/bin/stagecc . task4 "$top/flash.cu" "$top/planted.so" || bad=1
        echo "planted for $1: $2"
        LAB_ONLY=every_batch check "$top/planted.so" task4 "$1"
        [[ $? == 1 ]] || { bad=1 && echo "  $1 DID NOT REPORT IT"; }
        mv "$top/logs/task4-$1.log" "$top/logs/planted-$1.log"
    }
    first='extern __shared__ float4 shared\[\];'
    planted memcheck "s/$first/& if (threadIdx.x == 0) O[1 << 28] = 1;/"
    planted racecheck 's/__syncthreads();  \/\/ the copied V/;  \/\/ the copied V/'
    planted initcheck "s/$first/& if (threadIdx.x == 0 \&\& O[0] == 12345) O[1] = 0;/"
    planted synccheck "s/$first/& if (threadIdx.x % 32 < 5) __syncthreads();/"
} >"$out/sanitize.txt" 2>&1
cat "$out/sanitize.txt"
tar -czf "$out/logs.tar.gz" -C "$top" logs
exit $bad
