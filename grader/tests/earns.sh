#!/usr/bin/env bash
# earns.sh: without a GPU, too, points for speed reward what makes a kernel fast: a plain kernel earns part of them, the
# answer all, and of the bonus beyond it the answer earns part and a rung of the ladder all. What bench says of it. TAP.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/../.."
# shellcheck source=grader/tests/tap.sh
source grader/tests/tap.sh
top=$(mktemp -d)
trap 'rm -rf "$top"' EXIT
export LAB_BACKEND=simt LAB_CHECKED=1
unset IMPL BACKEND MAKEFLAGS MAKELEVEL

# earns TASK FILE [--scored]: out is what bench says of it; --scored: only what points are made of is counted
earns() {
    build/bin/stagecc . "$1" "$2" "$top/$1.checked.so" >"$top/log" 2>&1 || complain "does not compile: $(<"$top/log")"
    build/bin/count "$1" "$top/$1.checked.so" --json "$top/counts" "${@:3}" >"$top/log" 2>&1 ||
        complain "$(tail -n 3 "$top/log")"
    run build/bin/earns "$1" "$top/counts"
    exits 0
    [[ $(wc -L <<<"$out") -le 80 ]] || complain 'a line is longer than 80 columns'
}
# of CRITERION: what is said of it
of() { grep -A2 -F -- "  $1" <<<"$out" | tail -n 1 | sed 's/^ *//'; }
is() { [[ $1 == "$2" ]] || complain "\"$1\", not \"$2\"; output: $out"; }
short='against task 2, S=128 full' long='against task 2, S=4096 causal' further='further: task 2, S=4096 causal'

sed 's/#define REGISTER_TILES 1/#define REGISTER_TILES 0/' grader/solutions/task4_flash/flash.cu >"$top/flash.cu"
earns task4 "$top/flash.cu" --scored
is "$(of "$short")" 'earns 0.25 of 0.5; all of it at 0.6 or less'
is "$(of "$long")" 'earns 0.25 of 0.5; all of it at 0.9 or less'
is "$(of "$further")" 'earns 0 of 0.5; all of it at 0.4 or less'
claim a_plain_flash_kernel_earns_half_of_its_points_for_speed

earns task4 grader/solutions/task4_flash/flash.cu
is "$(of "$short")" 'earns 0.5 of 0.5'
is "$(of "$long")" 'earns 0.5 of 0.5'
is "$(of "$further")" 'earns 0.2 of 0.5; all of it at 0.4 or less'
claim the_answer_earns_all_of_them_and_part_of_the_bonus

# Rungs of the ladder, which no change of a student reaches.
if full rungs_with_register_tiles_earn_all; then
    # With the kernels of the two head sizes that are counted: all of them compile twice as long.
    sed '/head_dim <= \(32\|96\)/s/.*//' grader/ladder/4_async_copies/task4_flash/flash.cu >"$top/flash.cu"
    earns task4 "$top/flash.cu" --scored
    for criterion in "$short" "$long" "$further"; do is "$(of "$criterion")" 'earns 0.5 of 0.5'; done
    claim a_rung_with_larger_register_tiles_earns_all

    earns task2 grader/ladder/vector_gemm/task2_naive/naive.cu --scored
    is "$(of 'further: the cuBLAS chain')" 'earns 0.5 of 0.5'
    claim register_tiles_in_the_products_earn_the_whole_bonus_of_task_2
fi

earns task2 grader/solutions/task2_naive/naive.cu
of_softmax=$(sed -n '/softmax S=32/,/GEMM_NT S=32/p' "$top/log")
[[ $of_softmax == *'times the minimum bytes'* && $of_softmax != *multiply-add* ]] || complain "a softmax: $of_softmax"
is "$(of 'against the cuBLAS chain')" 'earns 0.75 of 0.75'
is "$(of 'further: the cuBLAS chain')" 'earns 0.06 of 0.5; all of it at 0.4 or less'
claim the_answer_to_task_2_earns_its_points_and_a_little_of_the_bonus

earns task5 grader/solutions/task5_decode/decode.cu
is "$(of 'against the lab')" 'earns 1 of 1'
claim the_answer_to_task_5_earns_its_points_and_all_that_bench_counts_of_it_is_counted

# A race is told once, in lines that fit, and what it earns in its first words.
sed '0,/^ *__syncthreads();/{/^ *__syncthreads();/d}' grader/solutions/task4_flash/flash.cu >"$top/racing.cu"
build/bin/stagecc . task4 "$top/racing.cu" "$top/task4.checked.so" >"$top/log" 2>&1 || complain "$(<"$top/log")"
run build/bin/count task4 "$top/task4.checked.so" --json "$top/counts" --only S=128
says '                    data race: shared shared['
says 'S=128 causal      RACE: as above'
run_out=$out
run build/bin/earns task4 "$top/counts"
says 'data race: shared shared['
[[ $out != *'What to do'* ]] || complain "$out"
[[ $(wc -L <<<"$run_out$out") -le 80 ]] || complain "a line is longer than 80 columns: $run_out$out"
claim a_race_that_a_count_finds_is_told_once_in_lines_that_fit

build/bin/stagecc . task4 task4_flash/flash.cu "$top/task4.checked.so" >"$top/log" 2>&1 || complain "$(<"$top/log")"
run build/bin/count task4 "$top/task4.checked.so"
says 'S=32 full         MISSING: TODO 4.1 is not written yet'
says 'S=1024 full       not counted, as the smaller shape is not'
claim what_is_not_written_is_not_said_to_differ_from_block_to_block

# A time, in the words of a time.
cat >"$top/counts" <<'END'
{"series": "speedups", "case": "B4 S=128 full", "implementation": "task 2", "verdict": "PASSED", "speedup": 1.0}
END
run env LAB_BACKEND=cuda build/bin/earns task4 "$top/counts"
[[ $(grep -A2 -F "$short" <<<"$out") =~ $'\n'\ *1\.00x($'\n'|$) ]] || complain "no speed-up: $out"
is "$(of "$short")" 'earns 0.2 of 0.5; all of it from 1.75x'
claim a_time_is_said_in_times

plan
