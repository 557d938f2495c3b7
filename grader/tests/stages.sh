#!/usr/bin/env bash
# stages.sh: what a student sees of `make taskN test`: solutions pass, untouched skeletons say what to do next, and a
# wrong file is told once. TAP. It works in the lab's own build folder.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/../.."
# shellcheck source=grader/tests/tap.sh
source grader/tests/tap.sh
top=$(mktemp -d)
trap 'rm -rf "$top"' EXIT
unset IMPL BACKEND ONLY TODO MAKEFLAGS MAKELEVEL LAB_TIMEOUT LAB_SEED
export REPAIR=no # which costs more than the rest, and has repair.sh
few=ONLY=large_logits_stay # where only is asked what make does

folder_of() { echo "$1"_*; }
file_of() { (cd "grader/solutions/$(folder_of "$1")" && ls); }
claims_of() { grep -c '^ *{TASK,' "grader/core/cases_$1.c"; } # without those about single TODOs
# count TEXT: lines of out that hold it
count() { grep -c -- "$1" <<<"$out" || true; }
counted() { [[ $(count "$1") == "$2" ]] || complain "\"$1\" on $(count "$1") lines, not on $2; output: $out"; }

run make task1 task3 compile build/bin/runner build/bin/claims
exits 0
claim the_skeletons_compile

run grader/solutions/write --check
exits 0
claim skeletons_and_answers_are_what_their_marked_sources_say

# Beside `make taskN watch` another test of the task runs. A file that is there keeps CMocka from writing: here a folder
# stands for what the other one has written meanwhile.
one() {
    run build/bin/claims task1 --stage "$top/task1.so" --runner build/bin/runner --only large_logits --xml "$top/$1.xml"
    exits 0
    [[ $out != *'<test'* ]] || complain "$out"
}
build/bin/stagecc . task1 grader/solutions/task1_reference/reference.c "$top/task1.so" >"$top/log" 2>&1
mkdir -p "$top/taken.xml/by_another"
one taken
one free
[[ $(<"$top/free.xml") == *'<testsuite name="task1"'* ]] || complain "$(<"$top/free.xml")"
left=("$top"/*.xml.*)
[[ ! -e ${left[0]} ]] || complain "${left[*]}"
claim no_page_has_what_is_for_machines

# make builds what is older than what it is made of, and asks after the probe when the stage is there.
build/bin/stagecc --with "$top/both.probe.so" . task1 grader/solutions/task1_reference/reference.c "$top/both.so" \
    >"$top/log" 2>&1 || complain "$(<"$top/log")"
[[ -e $top/both.probe.so.made && $top/both.probe.so -nt $top/both.so ]] || complain "$(ls -l --full-time "$top"/both*)"
echo 'int x = ;' >"$top/wrong.c"
! build/bin/stagecc --with "$top/none.probe.so" . task1 "$top/wrong.c" "$top/none.so" >"$top/log" 2>&1 ||
    complain 'compiles'
left=("$top"/none*)
[[ ${left[*]} == "$top/none*" ]] || complain "left: ${left[*]}"
claim the_probe_is_compiled_beside_the_stage

# Task 6 and a diagnosis build a stage without its probe. What a test before left there is then another file's.
mkdir -p "$top/mine/task5_decode"
answer=grader/solutions/task5_decode/decode.cu mine=$top/mine/task5_decode/decode.cu
holding() {
    run env IMPL="$top/mine" TODO=5.9 make task5 sanitize
    says "$1 of 1 TODO"
}
cp "$answer" "$mine"
holding 1
sed 's/return m + logf(l)/return m - logf(l)/' "$answer" >"$mine"
holding 0
cp "$answer" "$mine"
IMPL="$top/mine" BACKEND=simt LAB_CHECKED=1 make -s parts-task6 >"$top/log" 2>&1
holding 1
rm -rf "build/stage/${top//\//+}+mine"
claim a_probe_of_an_earlier_test_is_made_anew

for task in task1 task2 task3 task4 task5; do
    n=$(claims_of $task)
    source=$(folder_of $task)/$(file_of $task)
    run env IMPL=grader/solutions make $task test
    exits 0
    says "$n of $n claims hold."
    passed=$(awk '$1 == "PASSED" { n += $3 ~ /^claims/ ? $2 : 1 } END { print n }' <<<"$out")
    [[ $passed == "$n" ]] || complain "$passed claims pass, not $n; output: $out"
    claim ${task}_solution_passes_every_claim

    run build/bin/stagecc . $task "$source" "$top/$task.so"
    exits 0
    [[ -z $out ]] || complain "the compiler says: $out"
    run build/bin/stagecc . $task "grader/solutions/$source" "$top/$task.so"
    exits 0
    [[ -z $out ]] || complain "the compiler says: $out"
    claim ${task}_skeleton_and_solution_compile_without_a_warning

    run make $task test
    [[ $status != 0 ]] || complain 'exit status 0'
    waiting=$(awk '$1 == "MISSING" { n += $3 == "claims" ? $2 : 1 } END { print n }' <<<"$out")
    [[ $waiting == "$n" ]] || complain "$waiting claims wait, not $n; output: $out"
    says "0 of $n claims hold."
    [[ $out != *'***'* ]] || complain "make speaks of itself: $out"
    claim ${task}_skeleton_fails_every_claim_as_missing

    first=${task#task}.1
    says "next: TODO $first in $source"
    says "make $task hint TODO=$first"
    grep -q "TODO $first:" "$source" || complain "there is no TODO $first in $source"
    run make $task hint "TODO=$first"
    exits 0
    [[ -n $out ]] || complain 'the hint is empty'
    claim ${task}_skeleton_names_the_next_todo_its_file_and_a_hint

    # Two at once: another compiler, and inputs of another seed. Where there is no clang, gcc's answer gets them.
    seed=$RANDOM$RANDOM
    other_claim=${task}_solution_built_by_clang_passes_every_claim_of_another_seed
    compiler=(CC=clang CXX=clang++)
    if ! command -v clang >/dev/null; then
        compiler=() other_claim=${other_claim/_built_by_clang/}
    elif [[ $task == task3 ]] && ! clang -fopenmp -x c -o "$top/a.out" - <<<'int main() { return 0; }' 2>/dev/null; then
        compiler=() other_claim=${other_claim/_built_by_clang/} # this clang has no OpenMP library
    fi
    full $other_claim || continue
    [[ ${compiler[*]} ]] || skip "${task}_solution_built_by_clang" 'there is no clang, or it has no OpenMP library'
    runner=build/bin/runner
    [[ $source != *.cu ]] || runner=build/bin/runner_simt
    run env "${compiler[@]}" build/bin/stagecc . $task "grader/solutions/$source" "$top/$task.so"
    exits 0
    run build/bin/claims $task --stage "$top/$task.so" --runner $runner --seed-fd 3 3<<<$seed
    exits 0
    says "$n of $n claims hold."
    [[ -z $complaints ]] || complain "LAB_SEED=$seed"
    claim $other_claim
done

# ---- the named tasks, and only those ---------------------------------------------------------------------------------

export IMPL=grader/solutions
run make task7 test
[[ $status != 0 && $out == '  there is no task7: make help lists what there is' ]] || complain "$status: $out"
claim a_task_that_does_not_exist_gets_a_sentence
for words in 'taks1 test' 'task1 tset' 'Task1 test'; do
    # shellcheck disable=SC2086
    run make $words
    [[ $status != 0 && $out == '  there is no '*': make help lists what there is' ]] || complain "$words: $status: $out"
done
claim with_a_word_that_is_none_no_test_is_run
run make help
exits 0
wide=$(awk 'length > 80' <<<"$out")
[[ -z $wide ]] || complain "over 80 columns: $wide"
claim help_fits_80_columns

runs() {
    local ran
    ran=$(grep -oE '^task[0-9]' <<<"$out" | sort | tr '\n' ' ')
    [[ $ran == "$* " ]] || complain "ran: $ran, not: $*"
}
run make task1 task3 test $few
exits 0
runs task1 task3
run make task1 test $few
exits 0
runs task1
run make task3 $few
exits 0
runs task3
claim make_runs_the_named_tasks_only

run make -j2 test task1 $few
exits 0
runs task1
run make -j2 task3 task1 test $few
exits 0
runs task1 task3
claim parallel_make_does_the_same

run make task1 test ONLY=softmax
exits 0
counted ' PASSED ' "$(grep -c '^ *{TASK,.*softmax_' grader/core/cases_task1.c)"
run make task1 test ONLY=no_such_claim
[[ $status != 0 ]] || complain 'no claim at all passed as success'
says 'nothing of task1 is called no_such_claim'
says 'the claims of softmax, heads, attention, multi_head, and the TODOs'
claim ONLY_picks_claims_and_picking_none_is_no_success
run make task1 test TODO=1.10
exits 0
[[ $(grep -c '  TODO ' <<<"$out") == 1 && $out == *'TODO 1.10  holds'* ]] || complain "$out"
claim TODO_picks_the_claims_of_one

unset IMPL
run make -k task1 task3 test
[[ $status != 0 ]] || complain 'exit status 0'
runs task1 task3
claim make_k_goes_on_after_a_task_that_fails

# ---- an endless loop ------------------------------------------------------------------------------------------------

mkdir -p "$top/loop/task1_reference"
sed 's/for (int c = 0; c < cols; c++) p\[c\] \/= l;/for (int c = 0; c < cols;) p[c] \/= l;/' \
    grader/solutions/task1_reference/reference.c >"$top/loop/task1_reference/reference.c"
line=$(grep -n 'c < cols;) p' "$top/loop/task1_reference/reference.c" | cut -d: -f1)
run env IMPL="$top/loop" LAB_TIMEOUT=2 make task1 test
says 'TODO 1.3   TIMEOUT'
says "at reference.c:$line"
says 'not run: '
[[ $(count TIMEOUT) -le 3 ]] || complain "it is tried again and again: $out"
[[ $out != *' 0 of 2'* && $out != *' fail, too'* ]] || complain "what did not run is said to have failed: $out"
claim the_line_of_an_endless_loop_is_named_and_the_rest_is_not_run

# ---- a race is called a race -----------------------------------------------------------------------------------------

# race N: the answer to task 4 without its Nth barrier
race() {
    mkdir -p "$top/race/task4_flash"
    awk -v nth="$1" '!/^ *__syncthreads\(\);/ || ++n != nth' grader/solutions/task4_flash/flash.cu \
        >"$top/race/task4_flash/flash.cu"
    run env IMPL="$top/race" make task4 test ONLY=key_tiles
    says 'data race: '
}
race 2
run env IMPL="$top/race" make task4 sanitize ONLY=tile
counted 'data race: ' 1 # in the probe's kernel; in the whole file's other lines read what the same line stores
counted ' RACE .* \(as above\|after TODO 4\.10\)$' "$(($(count ' RACE ') - 1))"
says_not 'dynamic shared memory'
says 'next: mend TODO 4.10'
claim sanitize_tells_each_race_once
run env IMPL=grader/solutions make task4 test ONLY=key_tiles
exits 0
[[ $out != *race* ]] || complain 'a race where there is none'
claim a_wrong_result_of_a_race_is_called_a_race

# ---- what to do next -------------------------------------------------------------------------------------------------

# next_of EDIT: of the answer to task 3, with a line put in front of what the edit finds
next_of() {
    mkdir -p "$top/next/task3_tiled_cpu"
    sed "$1" grader/solutions/task3_tiled_cpu/tiled_cpu.c >"$top/next/task3_tiled_cpu/tiled_cpu.c"
    run env IMPL="$top/next" make task3 test
}
next_of 's/^ *return expf(x);$/&/; s/^static attn_status transpose_keys.*/&\n    return ATTN_TODO(3, 11);/'
exits 0
says 'next, for speed: TODO 3.11 in'
says 'written? delete its line with ATTN_TODO(3, 11)'
claim after_the_last_claim_the_TODOs_for_speed_are_named
next_of 's/^static attn_status transpose_keys.*/&\n    return ATTN_TODO(3, 11);/
         s/^static attn_status multiply_block.*/&\n    return ATTN_OK;/'
says 'next: mend TODO 3.12 in'
claim what_is_wrong_comes_before_what_is_not_written
mkdir -p "$top/next/task4_flash"
lines='    return ATTN_TODO(4, 1);\n    return ATTN_TODO(4, 4);\n    return ATTN_TODO(4, 10);'
sed "s/^ *return launch(O, Q, K, V.*/$lines\n&/; /m = row_max(m);/d" \
    grader/solutions/task4_flash/flash.cu >"$top/next/task4_flash/flash.cu"
run env IMPL="$top/next" make task4 test
says 'next: TODO 4.1 holds, so delete its line with ATTN_TODO(4, 1)'
says 'then TODO 4.4'
claim a_TODO_that_holds_wants_its_line_deleted
run env IMPL=grader/solutions make task3 test
says 'next: make task3 bench'
says 'then make task4 test'
claim after_the_last_TODO_comes_its_speed_and_the_next_task
# A folder with task 6 alone: the lab's kernels are the parts, and make says nothing of files that are not there.
mkdir -p "$top/alone/task6_pipeline"
cp grader/solutions/task6_pipeline/pipeline.cu "$top/alone/task6_pipeline"
run env IMPL="$top/alone" make task6 test ONLY=prefill_equals
exits 0
says 'stand in for task4 (it is not there, or does not'
[[ $out != *'***'* && $out != *'make task1'* ]] || complain "make speaks of itself: $out"
claim task6_without_tasks_4_and_5_is_tested_with_the_labs_kernels

plan
