#!/usr/bin/env bash
# handout.sh: what students get works, and gives nothing away. grader/handout.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/../.."
# shellcheck source=grader/tests/tap.sh
source grader/tests/tap.sh
root=$PWD top=$(mktemp -d)
trap 'rm -rf "$top"' EXIT
unset IMPL BACKEND ONLY TODO MAKEFLAGS MAKELEVEL LAB_TIMEOUT LAB_SEED

run grader/handout "$top/lab.tar.gz"
exits 0
tar -xzf "$top/lab.tar.gz" -C "$top"
lab=$top/attention-lab
for held_back in grader/{solutions,ladder,mutants,cheats,tests,golden,handout} .git .github; do
    [[ ! -e $lab/$held_back ]] || complain "the handout holds $held_back"
done
given_files=(README.md GNUmakefile Makefile LICENSE CONTRIBUTING.md grader/{setup,grade_all,rubric.json})
for given in "${given_files[@]}" task4_flash/flash.cu; do
    [[ -e $lab/$given ]] || complain "the handout lacks $given"
done
cmp -s "$lab/grader/repair/given/task4.txt" task4_flash/flash.cu || complain 'what task 4 was like is not kept'
[[ $(git rev-parse --short HEAD 2>/dev/null || true) == "$(cat "$lab/grader/version" 2>/dev/null || true)" ]] ||
    complain 'the handout does not say which version it is'
claim the_handout_is_the_tree_without_answers_and_tests

grep -q 'as an instructor' README.md || complain 'the full README has no part for instructors'
! grep -rqE 'as an instructor|full tree -->|results_h200' "$lab"/*.md "$lab"/*/*.md ||
    complain 'a page is for instructors'
for page in README.md grader/README.md; do
    while IFS= read -r link; do
        [[ $link == *:* || $link == '#'* || -e $(dirname "$lab/$page")/${link%%#*} ]] || complain "$page links to $link"
    done < <(grep -oE '\]\([^) ]+\)' "$lab/$page" | sed 's/^](//; s/)$//')
done
run python3 "$root/grader/tests/links.py" "$lab"
exits 0
claim its_pages_have_no_dead_link_and_nothing_for_instructors

# Built here, so that make has nothing left to compile there but the student's file.
flock build/log/build.lock make -s build/bin/claims build/bin/runner build/bin/runner_simt build/baselines/plain.so \
    >/dev/null 2>&1 || true
copy_build "$lab/build"
run env SETUP=no make -C "$lab" task1 test
[[ $status != 0 ]] || complain 'exit status 0'
says MISSING
says 'next: TODO 1.1 in task1_reference/reference.c'
claim make_task1_test_works_in_it

run make -C "$lab" grade
[[ $status != 0 ]] || complain 'solutions that are not there were graded'
says 'grader/grade_all .'
for absent in check handout ladder; do
    run make -C "$lab" $absent
    [[ $status != 0 ]] || complain "make $absent did something"
    says '  th' # "this tree is a handout", "the lab's own tests are not in a handout"
    [[ $(wc -l <<<"$out") -le 4 ]] || complain "make $absent says $out"
done
run make -C "$lab" help
says 'make task1 hint'
says_not 'make check'
says_not 'IMPL=grader/solutions'
claim what_is_not_in_it_says_so_and_is_not_in_its_help

run make -n -C "$lab" grade-tools
exits 0
says_not 'stagecc . task'
says_not simtcc # nothing is newer than what was built, not even a folder
run make -n -C "$lab" build/baselines/plain.so
exits 0
claim its_grader_builds_without_a_students_file_and_has_task_3s_baseline

# ---- what leaks ------------------------------------------------------------------------------------------------------

gzip -dc "$top/lab.tar.gz" >"$top/lab.tar"
# leaks [NAME SAYS COMMAND]...: the commands put something into the tree ($PWD); the check must say so of each. A call
# holds what one and the same step of the check finds: to unpack takes longer than all the rest. So here only those
# files are unpacked that commands change; they go behind all others, and the last one of a name is the one that counts.
leaks() {
    local i bad=$top/$1
    mkdir "$bad"
    tar -xf "$top/lab.tar" -C "$bad" attention-lab/{README.md,grader/core/check.c,task1_reference,task4_flash}
    for ((i = 3; i <= $#; i += 3)); do (cd "$bad/attention-lab" && eval "${!i}"); done
    cp "$top/lab.tar" "$top/bad.tar"
    tar -rf "$top/bad.tar" -C "$bad" attention-lab
    run grader/handout --check "$top/bad.tar"
    for (( ; $#; )); do
        exits 1
        says "$2"
        claim "$1"
        shift 3
    done
}
run grader/handout --check "$top/lab.tar.gz"
exits 0
[[ -z $out ]] || complain "it says: $out"
claim a_clean_one_passes_the_check
leaks a_task_that_was_solved_in_place_leaks 'task4_flash/flash.cu' \
    "cp $root/grader/solutions/task4_flash/flash.cu task4_flash/flash.cu" \
    an_answer_under_another_name_leaks 'notes.txt' \
    "sed 's/^ *//' $root/grader/solutions/task1_reference/reference.c >notes.txt" \
    one_answer_inside_of_a_room_leaks 'grader/core/check.c' \
    "sed -n '/TODO 3.4/,/return/p' $root/grader/solutions/task3_tiled_cpu/tiled_cpu.c >>grader/core/check.c" \
    a_marked_source_leaks 'a marker of a marked source' 'printf "//{ 1.1\n//}\n" >>task1_reference/reference.c' \
    a_rung_of_the_ladder_leaks 'fast.cu' "cp $root/grader/ladder/7_wgmma/task4_flash/flash.cu task4_flash/fast.cu" \
    a_list_of_mutants_leaks 'other.txt' "cp $root/grader/mutants/task2.mutants other.txt" \
    the_key_to_the_written_questions_leaks 'key.md' "cp $root/grader/solutions/QUESTIONS.md key.md"
leaks history_leaks '.git/' 'mkdir .git && echo x >.git/HEAD' \
    results_leak 'results.json' "mkdir -p old && cp $root/grader/solutions/results_h200/results.json old/"
leaks a_link_leaks 'neither a file nor a folder' 'ln -s /etc/passwd task1_reference/link'
leaks a_dead_link_is_found 'DEAD' 'echo "[x](grader/solutions/README.md)" >>README.md'
plan
