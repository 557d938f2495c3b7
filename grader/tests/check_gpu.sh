#!/usr/bin/env bash
# check_gpu.sh: the tests that take a GPU. `make check-gpu` calls it.
#
#   grader/tests/check_gpu.sh [PART...]     parts: answers, cuda, cheats, mutants (those last take some 15 minutes, and
#                                           are tried when they are named); default: the first three
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/../.."
if [[ ! -e /dev/nvidia0 ]] || ! command -v nvcc >/dev/null; then
    echo "  SKIP: there is no GPU here, or no nvcc: nothing was tested"
    exit 0
fi
export LAB_BACKEND=cuda
make -s -j"$(nproc)" BACKEND=cuda IMPL=grader/solutions grade-tools build/bin/cheats build/bin/mutants >/dev/null
log=build/log/check_gpu
mkdir -p "$log"
failed=0

# part NAME COMMAND...: its TAP, or its lines, go to a file; what failed is shown.
part() {
    local name=$1 status=0
    shift
    "$@" >"$log/$name.tap" 2>&1 || status=$?
    if grep -q '^not ok' "$log/$name.tap" || ((status)); then
        failed=1
        grep -A 4 '^not ok' "$log/$name.tap" || tail -n 15 "$log/$name.tap"
    fi
    grep -i '^ok .*# skip' "$log/$name.tap" || true
    printf '  %-10s %4d passed %3d failed   %s\n' "$name" "$(grep -cE '^ok|claims hold' "$log/$name.tap")" \
        "$(grep -c '^not ok' "$log/$name.tap")" "$log/$name.tap"
}

# The answers' claims on the GPU, and compute-sanitizer's opinion of them.
answers() {
    make -s BACKEND=cuda IMPL=grader/solutions task2 task4 task5 task6 test &&
        make -s BACKEND=cuda IMPL=grader/solutions task4 task5 sanitize
}

for name in "${@:-answers cuda cheats}"; do
    for word in $name; do
        case $word in
            answers) part answers answers ;;
            cuda) part cuda bash grader/tests/cuda.sh ;;
            cheats) part cheats build/bin/cheats grader/cheats/gpu.cheats ;;
            mutants) part mutants build/bin/mutants task2 task4 task5 task6 ;;
            *) echo "no such part: $word" >&2 && exit 2 ;;
        esac
    done
done
exit $failed
