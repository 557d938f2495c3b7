#!/usr/bin/env bash
# add_task.sh: "Add a task" in CONTRIBUTING.md is true: a toy task 7, in a copy of the lab. TAP.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/../.."
# shellcheck source=grader/tests/tap.sh
source grader/tests/tap.sh
unset IMPL BACKEND ONLY TODO MAKEFLAGS MAKELEVEL LAB_TIMEOUT LAB_SEED
top=$(mktemp -d)
trap 'rm -rf "$top"' EXIT
mkdir "$top/build"
{ tar -c --exclude=./build --exclude=./.git --exclude=./results --exclude=./grader/simt . ||
    [[ $? == 1 ]]; } | tar -x -C "$top" # 1: a folder changed meanwhile, as another suite put something there
ln -s "$PWD/grader/simt" "$top/grader/simt"
cp -a build/.setup build/*.a build/grader "$top/build" # what the new task does not touch is not compiled again
cd "$top"

# 1. The folder, and its marked source.
mkdir -p task7_scale grader/solutions/marked/task7_scale
cat >task7_scale/task7.h <<'C'
#include "shape.h"
ATTN_API attn_status attn_scale(float *Y, const float *X, attn_shape shape); // Y = 2 X, both [B, H, Sq, D]
C
cat >grader/solutions/marked/task7_scale/scale.c <<'C'
#include "task7.h"
static void scale(float *y, const float *x, long n) {
    // TODO 7.1: multiply by two.
    //{
    for (long i = 0; i < n; i++) y[i] = 2 * x[i];
    //}
}
attn_status attn_scale(float *Y, const float *X, attn_shape s) {
    //[
    return ATTN_TODO(7, 1);
    //]
    scale(Y, X, (long)s.batch * s.heads * s.seq_q * s.head_dim);
    return ATTN_OK;
}
C
grader/solutions/write >/dev/null

# 2. What is right, and what is claimed; the probe of its TODO.
cat >grader/core/cases_task7.c <<'C'
#include "cases.h"
static size_t elements(attn_shape s, int t) { return lab_elements_q(s); }
static int oracle(attn_shape s, const int extra[2], const float *const in[LAB_MAX_TENSORS], int mistake, double *out) {
    for (size_t i = 0; i < lab_elements_q(s); i++) out[i] = 2.0 * in[1][i];
    return 1;
}
#define ROW .n_tensors = 2, .tensors = {"Y", "X"}, .elements = elements, .oracle = oracle
static const lab_op whole = {.name = "scale", .symbol = "attn_scale", ROW};
static const lab_op part = {.name = "part", .symbol = "lab_probe_part", .probe = 1, ROW};
const lab_case lab_cases_task7[] = {
    {"task7", "scale", "numbers_are_doubled", .op = &whole, {1, 2, 3, 3, 8, 0}},
    {"task7", "scale", "numbers_of_a_secret_shape_are_doubled", .op = &whole, {0}},
    {0},
};
const lab_case lab_todos_task7[] = {
    {"task7", "todo", "ten_numbers_are_doubled", .op = &part, {1, 1, 1, 1, 10, 0}, .todo = "7.1"},
    {0},
};
C
cat >grader/probes/task7.c <<'C'
#include "probe.h"
#include LAB_STAGE_FILE
EXPECT(void, scale, (float *y, const float *x, long n));
PROBE(part) {
    scale(tensors[0], tensors[1], shape.head_dim);
    return ATTN_OK;
}
C

# 3. One row in each of three tables.
insert() { # FILE AFTER LINE
    grep -q "$2" "$1" || complain "$1 has no line with $2"
    sed -i "/$2/{a\\
$3
:rest;n;b rest}" "$1"
}
insert grader/core/tasks.c '^DECLARE(task6)' 'DECLARE(task7);'
insert grader/core/tasks.c '^const lab_task lab_tasks' \
    '    {"task7", "task7_scale", "scale.c", "A toy", LAB_C, CLAIMS(task7)},'
insert grader/run/call.c '#include "task5.h"' '#include "task7.h"'
insert grader/run/call.c 'if (r->probe)' '    if (is(r, "scale")) return AS(attn_scale)(t[0], t[1], s);'
insert grader/rubric.json '"tasks": \[' \
    '{"id": "task7", "points": 1, "criteria": [{"name": "scale", "kind": "correctness", "points": 1}]},'

run make task7 test
says 'MISSING'
says 'next: TODO 7.1'
claim the_skeleton_says_what_to_do_next

run env IMPL=grader/solutions make task7 test
exits 0
says 'TODO 7.1   holds'
says '2 of 2 claims hold'
claim its_answer_holds_every_claim

sed -i 's/2 \* x/3 * x/' grader/solutions/task7_scale/scale.c
run env IMPL=grader/solutions make task7 test
says 'TODO 7.1   WRONG_ANSWER'
says '0 of 2 claims hold'
claim a_wrong_answer_fails_them

sed -i 's/3 \* x/2 * x/' grader/solutions/task7_scale/scale.c
run make -s build/bin/grade_all build/bin/report build/bin/runner build/bin/claims
exits 0
run env LAB_ROOT="$top" LAB_BACKEND=simt build/bin/grade_all --no-bench --no-plots --tasks 7 --out "$top/results" \
    grader/solutions
exits 0
says '1 of 1 points'
claim grading_gives_its_point
plan
