#!/usr/bin/env bash
# commands.sh: make beyond `test`: a debugger, tests on each save, the state of all tasks, and what is built again when
# something changes. TAP. It works in the lab's own build folder.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/../.."
# shellcheck source=grader/tests/tap.sh
source grader/tests/tap.sh
header=task1_reference/task1.h
top=$(mktemp -d)
trap 'rm -rf "$top"' EXIT
unset BACKEND ONLY TODO MAKEFLAGS MAKELEVEL LAB_TIMEOUT LAB_SEED
export REPAIR=no IMPL=grader/solutions
few=ONLY=large_logits_stay # where only is asked what make does

# ---- gdb ------------------------------------------------------------------------------------------------------------

if ! command -v gdb >/dev/null; then
    no_gdb='there is no gdb'
elif [[ $(gdb -q -batch -ex run "$(type -P true)" 2>&1) != *exited* ]]; then # ptrace may be forbidden
    no_gdb='gdb may not run a program here'
fi
if [[ ! ${no_gdb-} ]]; then
    # `run` has no input
    out=$(make task1 debug TODO=1.6 <<<$'backtrace\nquit' 2>&1) || complain 'it failed'
    says '#0  compute_scores'
    says 'reference.c:'
    says_not 'In a kernel'
    [[ $out != *'#1 '* && $out != *'runner.c'* && $out != *OUT_OF_MEMORY* ]] || complain "more than the student's: $out"
    claim debug_stops_in_the_function_of_a_TODO_and_shows_the_students_frames
    out=$(make task1 debug TODO=1.6 <<<backtrace 2>&1) || complain 'it failed'
    [[ $out == *$'\n  gdb has ended' ]] || complain "it ends with ${out: -80}"
    claim debug_ends_with_a_line_of_its_own_at_the_end_of_its_input
    out=$(make task4 debug ONLY=one_head_of_64_keys 2>&1 \
        <<<$'break score_tile\ncontinue\ncontinue\nbacktrace\nquit') || complain 'it failed'
    says '#0  score_tile'
    says 'flash_kernel('
    says 'In a kernel it stops in each thread.'
    [[ $out != *'#2 '* && $out != *'optimized out'* ]] || complain "no clean stack: $out"
    claim debug_stops_in_a_thread_of_a_kernel
    # The first runner of task 6 tries the kernels of tasks 4 and 5, and the first of task 4 the TODOs.
    for task in task4 task6; do
        out=$(make $task debug <<<quit 2>&1) || complain 'it failed'
        says 'hit Breakpoint 1, attn_'
        says_not 'Thread debugging'
        says_not Temporary
        says_not 'No source file'
    done
    claim debug_stops_where_the_lab_calls_and_shows_little_of_gdbs_own_words
else
    skip debug_stops_in_the_function_of_a_TODO_and_shows_the_students_frames "$no_gdb"
    skip debug_ends_with_a_line_of_its_own_at_the_end_of_its_input "$no_gdb"
    skip debug_stops_in_a_thread_of_a_kernel "$no_gdb"
    skip debug_stops_where_the_lab_calls_and_shows_little_of_gdbs_own_words "$no_gdb"
fi

# On a GPU gdb would stop in no thread.
run make -n -f Makefile BACKEND=cuda task4 debug
says runner_simt
says_not runner_cuda
run make -n -f Makefile BACKEND=cuda task1 debug
says build/bin/runner
claim debug_runs_kernels_on_the_processor_also_where_there_is_a_GPU

# ---- a lab that was moved --------------------------------------------------------------------------------------------

mkdir -p "$top/moved/bin" "$top/moved/simt"
cp build/bin/runner_simt "$top/moved/bin" && cp build/simt/libsimt.so "$top/moved/simt"
out=$(ldd "$top/moved/bin/runner_simt")
says "$top/moved/bin/../simt/libsimt.so"
claim a_tree_that_was_moved_finds_simt_where_it_is_now

# ---- tests on each save ----------------------------------------------------------------------------------------------

mkdir -p "$top/watched/task1_reference"
watched=$top/watched/task1_reference/reference.c
sed 's/^ *for (int c = 1; c < cols; c++) \*m = fmaxf.*/    *m = 0;/' grader/solutions/task1_reference/reference.c \
    >"$watched"
LAB_SLOWNESS=3 IMPL=$top/watched REPAIR=change make task1 watch >"$top/watch.txt" 2>&1 &
watch=$!
wait_for() { for ((i = 0; i < 6000; i++)); do grep -q "$1" "$top/watch.txt" && return; sleep 0.1; done; }
wait_for 'waiting for'
cp grader/solutions/task1_reference/reference.c "$watched.new" && mv "$watched.new" "$watched"
wait_for '28 of 28'
pkill -P $watch || true
wait $watch 2>/dev/null || true
out=$(<"$top/watch.txt")
says 'TODO 1.1   WRONG_ANSWER'
says 'next: mend TODO 1.1'
[[ $out != *'make[1]: ***'* ]] || complain 'make speaks of itself'
says '28 of 28 claims hold.'
claim watch_shows_the_first_thing_to_do_and_tests_again_on_a_save

# ---- the file that is tested -----------------------------------------------------------------------------------------

# A copy of yesterday's beside the file is not looked at, and a file under another name is named.
mkdir -p "$top/saved/task1_reference"
saved=$top/saved/task1_reference
cp task1_reference/reference.c "$saved/reference.c" && echo 'no C' >"$saved/a copy of reference.c"
cp "$saved/a copy of reference.c" "$saved/old.c"
run make IMPL="$top/saved" task1 test ONLY=each_row_has
says '0 of 1 TODO holds.' && says_not '***'
rm "$saved/a copy of reference.c" && mv "$saved/reference.c" "$saved/old.c"
run make IMPL="$top/saved" task1 test
[[ $status != 0 ]] || complain 'what is not there is tested'
says "there is no $saved/reference.c, the file that you write; there is old.c" && says_not '***'
run make IMPL="$top/saved" task1 watch
[[ $status != 0 ]] || complain 'what is not there is watched'
says "there is no $saved/reference.c"
cp "$saved/old.c" task1_reference/old.c # beside the tree's own, too
run make IMPL=. task1 compile
rm task1_reference/old.c
exits 0 && says_not '***'
claim the_file_of_a_task_is_the_one_of_its_name_whatever_lies_beside_it

# ---- hints -----------------------------------------------------------------------------------------------------------

run make task1 hint TODO=9.9
exits 1 && says 'task 1 has no TODO 9.9: it has 1.1 to 1.10'
run make hint TODO=2.99
exits 1 && says 'task 2 has no TODO 2.99: it has 2.1 to 2.11'
run make hint TODO=9.9
exits 1 && says 'there is no task 9'
run make task1 hint TODO=2.1
exits 0 && says 'TODO 2.1: the tree'
claim a_hint_for_a_TODO_that_is_none_says_which_there_are

# ---- what is rebuilt -------------------------------------------------------------------------------------------------

built() { # what make says it compiles, sorted
    grep -E '^ +(CC|Compiling) ' <<<"$out" | awk '{ print $1, $2 }' | sort
}
run make task1 task3 test
exits 0
run make task1 task3 test
exits 0
[[ -z $(built) ]] || complain "built again: $(built)"
claim a_second_make_builds_nothing

run make -nB task1 test
exits 0
[[ $out != *simt/runtime* ]] || complain 'a task in C builds CUDA on the CPU'
run make -nB task2 test
[[ $out == *simt/runtime* ]] || complain 'a CUDA task does not build it'
claim a_task_in_C_does_not_wait_for_CUDA_on_the_CPU

# What is built when it is first needed does not stay as it was when its source changes.
run make BACKEND=simt build/bin/edits
exits 0
run make -n -W grader/repair/edits/ranking/near.c task1 test
exits 0 && says '-o build/bin/edits.new'
claim what_was_built_on_demand_is_kept_up_to_date

run make test TODO=1.2
exits 0
says '1 of 1 TODO holds.'
[[ $out != *task2* ]] || complain "a TODO is of one task: $out"
run make task1 task3 test ONLY=nosuch
[[ $(wc -L <<<"$out") -le 80 ]] || complain "a line is longer than 80 columns: $out"
claim a_TODO_names_its_task_and_what_no_claim_is_called_is_said_in_lines_that_fit

run make status
exits 0
says 'task1  10 of 10 TODOs hold, 28 of 28 claims hold.'
[[ $out != *Changed* ]] || complain 'nothing has changed'
run make status IMPL="$top"
says 'task1  not tried yet: make task1 test'
claim status_says_what_the_last_tests_said

tested=build/stage/grader+solutions/task1
[[ $(cksum <grader/solutions/task1_reference/reference.c) == "$(<$tested.tested)" ]] || complain 'not what was tested'
cp $tested.summary "$top/task1.summary"
cp $tested.tested "$top/task1.tested"
cp grader/solutions/task1_reference/reference.c "$top/saved.c"
touch -d '1 minute ago' "$top/task1.tested"
touch -d '1 second ago' "$top/task1.summary"
run grader/status task1 "$top/saved.c" "$top/task1.summary"
[[ $out == *'claims hold.' ]] || complain "a save without a change: $out"
echo >>"$top/saved.c"
run grader/status task1 "$top/saved.c" "$top/task1.summary"
says 'claims hold. Changed since: test again'
claim status_knows_a_save_without_a_change

# make is asked what it would do: all programs of the lab, which other suites use meanwhile, are linked from that file.
run make -nW "$header" task1 task3 test $few
exits 0
# The sources that include the header, whether by themselves or not: a list made here, not by the compiler.
expected=$({
    grep -l '"task1.h"' grader/core/{,diagnose/}*.c grader/{run,claims}/*.c | sed 's/^/CC /'
    echo "Compiling grader/solutions/task1_reference/reference.c"
} | sort)
[[ $(built) == "$expected" ]] || complain "built: $(built); expected: $expected"
claim a_changed_header_rebuilds_what_includes_it_and_nothing_else
plan
