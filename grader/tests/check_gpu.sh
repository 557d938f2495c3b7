#!/usr/bin/env bash
# check_gpu.sh: the tests that take a GPU. `make check-gpu` calls it.
#
#   grader/tests/check_gpu.sh [PART...]     parts: fill, answers, cuda, why, races, cheats (these by default, 12 minutes
#                                           in all, of which the cheats take 9); clock (3 minutes), mutants, class
#                                           (gpu_class.sh), lost (gpu_lost.sh; two GPUs), rungs (2 minutes; the
#                                           sanitizers on rungs of the ladder), decode (rung 12, and the sanitizers on
#                                           it)
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/../.."
if [[ ! -e /dev/nvidia0 ]] || ! command -v nvcc >/dev/null; then
    echo "  SKIP: there is no GPU here, or no nvcc: nothing was tested"
    exit 0
fi
export LAB_BACKEND=cuda
make -s -j"$(nproc)" BACKEND=cuda IMPL=grader/solutions grade-tools build/bin/cheats build/bin/mutants \
    build/bin/class_mix build/bin/gpu_fill build/bin/gpu_clock build/bin/sanitize build/bin/target >/dev/null
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
    printf '  %-10s %4d passed %3d failed   %s\n' "$name" \
        "$(grep -cE '^ok|claims? holds?|us +[0-9.]+ $|check +PASSED' "$log/$name.tap")" \
        "$(grep -cE '^not ok|DIFFERS' "$log/$name.tap")" "$log/$name.tap"
}

# The answers' claims on the GPU, and compute-sanitizer's opinion of them.
answers() {
    make -s BACKEND=cuda IMPL=grader/solutions task2 task4 task5 task6 test &&
        # by themselves: what CUDA loads late is loaded while a call is recorded
        make -s BACKEND=cuda IMPL=grader/solutions task2 task4 task5 task6 test ONLY=queued_on_the_stream &&
        make -s BACKEND=cuda IMPL=grader/solutions task2 task4 task5 task6 sanitize
}

# A claim that fails on the GPU is tried under simt, too: one change of a file in a style of its own, which mends it, is
# said. Of a right file nothing is, and gdb is not disturbed by a run in the background.
why() {
    local tree=build/tests/why line='        v_ptr += BC * p.dim;' page status=0
    mkdir -p "$tree/task4_flash"
    grep -vxF "$line" grader/tests/repair/own_flash.cu >"$tree/task4_flash/flash.cu"
    page=$(make BACKEND=cuda IMPL="$tree" task4 test) || true
    page=$(tr -s ' \n' ' ' <<<"$page")
    [[ $page == *"this is missing: v_ptr += BC * p.dim; With it, every claim passes."* ]] || status=1
    ((status)) && printf 'not ok - the missing line is named\n# %s\n' "$page" || echo 'ok - the missing line is named'
    cp grader/tests/repair/own_flash.cu "$tree/task4_flash/flash.cu"
    page=$(make BACKEND=cuda IMPL="$tree" task4 test) || status=1
    [[ $page == *'24 of 24 claims hold'* && $page != *'sanitize looks for one'* ]] || status=1
    [[ $page != *Note:* && $page != *Why:* ]] || status=1
    ((status)) && printf 'not ok - a right file hears of no cause\n# %s\n' "$page" ||
        echo 'ok - a right file hears of no cause'
    local answer barrier=$'second barrier\n        __syncthreads();'
    answer=$(<grader/solutions/task4_flash/flash.cu)
    [[ $answer == *"$barrier"* ]] || status=1
    printf '%s\n' "${answer/"$barrier"/second barrier}" >"$tree/task4_flash/flash.cu"
    page=$(make BACKEND=cuda IMPL="$tree" task4 test | tr -s ' \n' ' ') || true
    [[ $page == *'a barrier is missing'* ]] || status=1
    ((status)) && printf 'not ok - a race has its line, also where this GPU wins it\n# %s\n' "$page" ||
        echo 'ok - a race has its line, also where this GPU wins it'
    [[ $(make -n BACKEND=cuda IMPL="$tree" task4 test) == *--second-look* &&
        $(make -n BACKEND=cuda IMPL="$tree" DEBUG=1 gdb-task4) != *--second-look* ]] &&
        echo 'ok - debug has no second look' || { echo 'not ok - debug has no second look' && status=1; }
    return "$status"
}

# What a timed request makes on the device, element by element; and compute-sanitizer's opinion of that.
fill() {
    build/bin/gpu_fill && for tool in memcheck racecheck initcheck; do
        compute-sanitizer --error-exitcode 1 --tool "$tool" build/bin/gpu_fill | grep '^=' || return 1
    done
}

# Every time of the answers is that of another clock, within 2 % or 2 us: CUDA events, in one process.
clock() {
    local task stage status=0
    for task in ${CLOCK:-task2 task4 task5}; do
        stage=build/stage/grader+solutions/$task.cuda.so
        LAB_TORCH_PYTHON=/bin/false build/bin/bench "$task" "$stage" --series -tiles --json "$log/$task.timings" \
            >"$log/$task.bench" || status=1
        build/bin/gpu_clock "$task" "$stage" "$log/$task.timings" || status=1
    done
    return "$status"
}

# What compute-sanitizer says of rungs that are a stage's file, side by side: by all of its tools, or by those named.
rungs() {
    local rung name folder words pids=() status=0
    for rung in task2:wide_gemm task2:tensor_gemm 'task2:wgmma_gemm memcheck initcheck synccheck' task4:2_vectors \
        task4:3_register_tiles task4:5_warps_share_keys task5:split_kv; do
        read -ra words <<<"$rung"
        rung=${words[0]} name=${rung#*:} folder=build/tests/sanitize_${rung#*:}
        make -s BACKEND=cuda IMPL="grader/ladder/$name" "${rung%%:*}" compile
        mkdir -p "$folder" && ln -sfn ../../bin "$folder/bin"
        LAB_BUILD=$folder build/bin/sanitize "${rung%%:*}" "build/stage/grader+ladder+$name/${rung%%:*}.cuda.so" \
            "${words[@]:1}" >"$folder/said" 2>&1 &
        pids+=($!)
    done
    for name in "${pids[@]}"; do wait "$name" || status=1; done
    cat build/tests/sanitize_*/said
    return "$status"
}

# Rung 12, which is no stage's file: against sums in double; and compute-sanitizer's opinion of it.
decode() {
    local tool status=0
    make -s BACKEND=cuda build/bin/gpu_decode && build/bin/gpu_decode || status=1
    for tool in memcheck racecheck initcheck; do # synccheck: see grader/ladder/12_decode
        echo "$tool"
        compute-sanitizer --error-exitcode 1 --tool "$tool" build/bin/gpu_decode | grep '^=' || status=1
    done
    return "$status"
}

for name in "${@:-fill answers cuda why races cheats}"; do
    for word in $name; do
        case $word in
            fill) part fill fill ;;
            clock) part clock clock ;;
            answers) part answers answers ;;
            why) part why why ;;
            races) part races bash grader/tests/gpu_races.sh ;;
            cuda) part cuda bash grader/tests/cuda.sh ;;
            cheats) part cheats build/bin/cheats grader/cheats/gpu.cheats ;;
            class) grader/tests/gpu_class.sh "${N:-40}" || failed=1 ;;
            lost) part lost grader/tests/gpu_lost.sh ;;
            rungs) part rungs rungs ;;
            decode) part decode decode ;;
            mutants) part mutants build/bin/mutants task2 task4 task5 task6 ;;
            *) echo "no such part: $word" >&2 && exit 2 ;;
        esac
    done
done
exit $failed
