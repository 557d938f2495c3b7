#!/usr/bin/env bash
# gpu_lost.sh: in a class one GPU of two goes away. `grader/tests/check_gpu.sh lost` calls it, as root.
#
#   grader/tests/gpu_lost.sh [N]     N copies (8) of the answers, no two the same text; TASKS=2,4
#
# It goes away in a mount namespace of this script's own: its file in /dev is not there any more, so no new process
# finds it, and the runners that have it open are stopped, as if they waited for it for ever. The machine and its
# driver are left alone. Claims: whom it hits could not be graded, and these are at most those that were at work on
# it; all others get their points; after it is back, --resume gives the hit ones theirs.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/../.."
if ((EUID)) || (($(nvidia-smi -L | wc -l) < 2)); then
    echo "ok 1 - a GPU goes away # SKIP it takes root, and two GPUs"
    exit 0
fi
[[ ${LOST_INSIDE:-} ]] || LOST_INSIDE=yes exec unshare --mount --propagation private "$0" "$@"
export LAB_BACKEND=cuda
n=${1:-8} dir=build/tests/gpu_lost jobs=4
rm -rf "$dir" && mkdir -p "$dir/in"
for ((i = 0; i < n; i++)); do
    cp -r grader/solutions "$dir/in/student$i"
    for file in "$dir/in/student$i"/task*/*.c*; do echo "// student $i" >>"$file"; done
done

# /dev of our own: the same files, each mounted, so that one can be taken away.
mkdir -p "$dir/dev"
mount --rbind /dev "$dir/dev"
mount -t tmpfs -o nodev,mode=755 tmpfs /dev
for file in "$dir"/dev/*; do
    own=/dev/${file##*/}
    if [[ -L $file ]]; then
        cp -a "$file" "$own"
    elif [[ -d $file ]]; then
        mkdir "$own" && mount --rbind "$file" "$own"
    else
        touch "$own" && mount --bind "$file" "$own"
    fi
done

uuid=$(nvidia-smi -i 0 --query-gpu=uuid --format=csv,noheader)
minor=$(grep -l "$uuid" /proc/driver/nvidia/gpus/*/information | xargs awk '/Device Minor/ { print $NF }')

# The processes of stages on that GPU.
runners() {
    local process
    for process in $(grep -l '^runner_cuda$' /proc/[0-9]*/comm 2>/dev/null); do
        tr '\0' '\n' 2>/dev/null <"${process%comm}environ" | grep -q "^CUDA_VISIBLE_DEVICES=$uuid" || continue
        process=${process#/proc/}
        echo "${process%/comm}"
    done
}

class() {
    build/bin/grade_all --scored --no-plots --tasks "${TASKS:-2,4}" --jobs $jobs --out "$dir/out" "$@" 2>&1
}

class -- "$dir"/in/* >"$dir/said" &
graded=$!
until [[ $(runners) ]]; do sleep 0.2; done
sleep 2
umount "/dev/nvidia$minor" && rm "/dev/nvidia$minor"
mapfile -t stopped < <(runners)
((${#stopped[@]} == 0)) || kill -STOP "${stopped[@]}"
echo "# $uuid went away, after $SECONDS s; ${#stopped[@]} runners on it"
wait "$graded" || true
cat "$dir/said"
echo "# $SECONDS s"
hit=$(grep -c 'could not be graded' "$dir/said" || true)
good=$(grep -cE ' ([0-9.]+) of \1 points' "$dir/said" || true)
status=0
say() {
    echo "${1/#0/not }ok $2" | sed 's/^1//'
    (($1)) || status=1
}
say "$((hit >= 1 && hit <= jobs && $(grep -c 'no CUDA device' "$dir/said") >= hit))" \
    "1 - those at work on it could not be graded, for it was lost: $hit"
say "$((good + hit == n))" "2 - all others get all their points: $good of $n"
touch "/dev/nvidia$minor" && mount --bind "$dir/dev/nvidia$minor" "/dev/nvidia$minor"
class --resume >"$dir/resumed" || true
cat "$dir/resumed"
good=$(grep -cE ' ([0-9.]+) of \1 points| already graded' "$dir/resumed" || true)
say "$((good == n))" "3 - when it is back, --resume gives the others theirs: $good of $n"
echo "# $SECONDS s"
exit $status
