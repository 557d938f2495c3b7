#!/usr/bin/env bash
# rungs.sh: rungs of the ladder hold every claim: those of tasks 2 and 3, of task 3 with the registers of older
# processors and with small parts of keys, too, those of task 4 on CUDA cores, and those of task 6 inside a model.
# (6 to 12: grader/simt/tests/ladder.)
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/../.."
# shellcheck source=grader/tests/tap.sh
source grader/tests/tap.sh
top=$(mktemp -d)
trap 'rm -rf "$top"' EXIT
unset IMPL BACKEND MAKEFLAGS MAKELEVEL

holds_all() { # TASK STAGE RUNNER
    run build/bin/claims "$1" --stage "$2" --runner "build/bin/$3" --build build --seed-fd 3 3<<<1
    exits 0
    grep -qE '^  ([0-9]+) of \1 claims hold\.' <<<"$out" || complain "$out"
}
compile() { # TASK FILE STAGE [--quick]
    build/bin/stagecc "${@:4}" . "$1" "$2" "$3" >"$top/log" 2>&1 || complain "does not compile: $(<"$top/log")"
}

for rung in grader/ladder/*/task3_tiled_cpu/tiled_cpu.c; do
    name=$(cut -d / -f 3 <<<"$rung")
    compile task3 "$rung" "$top/task3.so"
    holds_all task3 "$top/task3.so" runner
    claim "${name}_holds_all_claims"
    [[ $(uname -m) == x86_64 ]] || continue
    for cpu in x86-64 haswell; do
        if [[ $cpu == haswell ]] && ! grep -q avx2 /proc/cpuinfo; then
            skip "${name}_holds_all_claims_as_for_$cpu" "this processor has no AVX2"
            continue
        fi
        run gcc -std=gnu11 -O3 -march=$cpu -Wall -Wextra -Werror -fPIC -shared -fopenmp -DKEY_TILE=16 \
            -Igrader/core -Itask3_tiled_cpu "$rung" -o "$top/task3.so" -lm
        exits 0
        holds_all task3 "$top/task3.so" runner
        claim "${name}_holds_all_claims_as_for_$cpu"
    done
done

for rung in grader/ladder/*/task2_naive/naive.cu grader/ladder/[2-5]_*/task4_flash/flash.cu; do
    name=$(cut -d / -f 3 <<<"$rung")
    task=$(grep -o 'task[24]' <<<"$rung")
    compile "$task" "$rung" "$top/stage.so" --quick
    holds_all "$task" "$top/stage.so" runner_simt
    claim "${name}_holds_all_claims"
done

# A rung of several files becomes one, which includes what the sandbox shows, so that it can be graded.
run grader/ladder/hand_in "$top/rungs" guessed_maximum wgmma_gemm 10_small_shapes 16_split_once
exits 0
for task in task2_naive task3_tiled_cpu task4_flash task6_pipeline; do
    while IFS= read -r header; do
        header=${header##*/}
        [[ -f $task/$header || -f grader/core/$header ]] || complain "$task includes $header"
    done < <(sed -n 's/^#include "\(.*\)".*/\1/p' "$top/rungs/$task"/*)
done
cp -r grader/core "$top/core" # beside which there is no ladder
run gcc -std=gnu11 -O1 -Wall -Wextra -Werror -fPIC -shared -fopenmp "-I$top/core" -Itask3_tiled_cpu \
    "$top/rungs/task3_tiled_cpu/tiled_cpu.c" -o "$top/task3.so" -lm
exits 0
claim hand_in_makes_a_rung_one_file

# This one leaves shapes as small as these to rung 4, unless it is told to take them.
sed 's/const bool large = .*/const bool large = blocks > 0 \&\& places > 0;/' \
    grader/ladder/outer_products/task4_flash/flash.cu >"$top/outer.cu"
compile task4 "$top/outer.cu" "$top/stage.so" --quick
holds_all task4 "$top/stage.so" runner_simt
claim outer_products_holds_all_claims_with_its_own_kernels

# Claims are small, and take this one's small tiles, unless it is told to take others.
for tiles in square narrow; do
    sed "s/if (a <= min(b, c))/if (*\"$tiles\" == 's')/; s/if (b <= c)/if (true)/" \
        grader/ladder/wgmma_gemm/task2_naive/naive.cu >"$top/wgmma.cu"
    compile task2 "$top/wgmma.cu" "$top/stage.so" --quick
    holds_all task2 "$top/stage.so" runner_simt
    claim "wgmma_gemm_holds_all_claims_with_${tiles}_tiles"
done

# The last rungs of task 6 have those before them in them: a prompt's products, or all of its layers; and a step in one
# kernel.
for rung in 15_prompt 16_split_once; do
    whole=a_whole_model_with_${rung}_is_right
    if [[ ${FULL-} ]]; then
        run make -s SETUP=no BACKEND=simt IMPL=grader/ladder/$rung ONLY=logits_and_tokens task6 test
        exits 0
        grep -q '1 of 1 claim holds' <<<"$out" || complain "$out"
        claim "$whole"
    else
        skip "$whole" 'a third of this suite: FULL=yes runs it'
    fi
done
plan
