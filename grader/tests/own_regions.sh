#!/usr/bin/env bash
# own_regions.sh: parallel regions in students' C files: which variables all threads share and set, and which are a
# thread's own; what is left over where a file divides the work itself. TAP.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/../.."
# shellcheck source=grader/tests/own_files.sh
source grader/tests/own_files.sh

# A race is found by running; which variable it is, the text says.
shared() {
    plant "${@:1:3}"
    run build/bin/edits "$wrong" --shared .
    [[ $out == "$4"$'\t'* ]] || complain "$4: $out"
}
shared own_veteran.c 'acc, mx, sum, x, old' 'mx, sum, x, old' acc
shared own_veteran.c 'private(tid, i, j, d, r,' 'private(tid, i, j, r,' d
for file in grader/tests/repair/own_*.c grader/solutions/task3*/*.c task3*/*.c; do
    run build/bin/edits "$file" --shared .
    [[ ! $out ]] || complain "$file: $out"
done
claim what_threads_share_and_set_is_known_by_name

# What each sets is not shared if it is a thread's own, a flag, or one thread's work.
right() {
    local head='#include <omp.h>
void f(float *C, int n) {
    float x = 0; int i, j, failed = 0;' omp='#pragma omp'
    printf '%s\n' "$head" "$omp $1" "$2" 'C[0] = x + i + j + failed; }' >"$top/right.c"
    run build/bin/edits "$top/right.c" --shared .
    [[ $out == "${3:-}"* && (${3:-} || ! $out) ]] || complain "$1 $2: $out"
}
made='typedef struct { float *s; int n; } w; static int make(w *x, int n) { x->s = malloc(n); return !x->s; }'
made+=' static void count(w *x) { x->n = 1; }'
for does in 'make(&one, n)' 'count(&one)' 'if (omp_get_thread_num() == 0) make(&one, n)'; do
    printf '%s\n' '#include <omp.h>' '#include <stdlib.h>' "$made" 'void f(float *C, int n) {' 'w one = {0};' \
        '#pragma omp parallel' "{ $does; C[n] = one.s[0]; } }" >"$top/made.c"
    run build/bin/edits "$top/made.c" --shared .
    [[ $out == "$([[ $does != make* ]] || printf 'one\t7\town')" ]] || complain "$does: $out"
done
right 'parallel' '{ x = C[n]; }' $'x\t5\tresult'
right 'parallel' '{ x += C[n]; }' $'x\t5\tsum'
right 'parallel' '{ x = C[n]; C[n + 1] = x; }' $'x\t5\town'
right 'parallel for' 'for (i = 0; i < n; i++) for (j = 0; j < n; j++) C[j] += i;' j
right 'parallel for collapse(2)' 'for (i = 0; i < n; i++) for (j = 0; j < n; j++) C[j] += i;'
right 'parallel for reduction(+ : x)' 'for (i = 0; i < n; i++) x += C[i];'
right 'parallel' '{ float x = C[n]; x += 1; }'
right 'parallel' '{ if (!C[n]) failed = 1; }'
right 'parallel' $'{\n#pragma omp critical\n{ x += C[n]; } }'
right 'parallel' $'{\n#pragma omp for private(x)\nfor (i = 0; i < n; i++) { x = C[i]; C[i] = x; } }'
right 'parallel' '{ if (omp_get_thread_num() == 0) x = C[n]; }'
claim what_is_a_threads_own_is_not_said_to_be_shared

# What stands outside of the functions that threads call is one for all of them; what is each thread's own, a constant,
# a flag, behind a guard, or by the number of a thread, is not said.
cat >"$top/static.c" <<'END'
#include <omp.h>
static _Thread_local float own[64];
static float mine[64];
#pragma omp threadprivate(mine)
static const float table[2] = {1, 2};
static int failed, calls;
static float by_thread[64][64], sums[4], room[4], scores[64], out[64], share[64], seen[64];
static void fill(float *to, int n) { to[0] = n; }
static float first(const float *of) { return of[0]; }
static void work(float *x, int thread) {
    static float local[4];
    static int ready;
    float p[4];
    if (!ready) ready = 1;
    for (int r = 0; r < 4; r++) own[r] = x[r], mine[r] = table[0];
    for (int r = 0; r < 4; r++) by_thread[thread][r] = 0, p[r] = 0;
    if (x[0] < 0) failed = 1;
#pragma omp atomic
    calls += 1;
    local[0] = p[0];
    sums[2] += p[1];
    fill(scores, 4);
    float *o = out + 2, *own_share = share + thread * 4;
    o[0] = first(seen);
    fill(share + thread * 4, own_share[1] = 1);
}
static void alone(void) { room[0] += 1; }
void f(float *C, int n) {
#pragma omp parallel for
    for (int i = 0; i < n; i++) work(C + i, omp_get_thread_num());
    alone();
}
END
run build/bin/edits "$top/static.c" --shared .
[[ $out == $'sums\t21\tstatic\nscores\t22\tstatic\nout\t23\tstatic\nlocal\t20\tstatic' ]] || complain "static: $out"
claim what_is_one_for_all_threads_is_known_where_they_call_what_writes_to_it

# The claims of one tile hold where no two threads are at work.
plant own_veteran.c 'private(tid, i, j, d, r,' 'private(tid, i, j, r,'
build/bin/stagecc . task3 "$wrong" "$top/shared.so"
heard() {
    run build/bin/claims task3 --stage "$top/shared.so" --source "$1" --only "$2" \
        --runner build/bin/runner --edits build/bin/edits
    out=$(sed -z 's/\n  *\([^ ]\)/ \1/g' <<<"$out")
}
heard "$wrong" one_tile
[[ $out == *'all threads set d (line '* && $(grep -o 'all threads set' <<<"$out" | wc -l) == 1 ]] || complain "$out"
heard grader/tests/repair/own_veteran.c one_tile
[[ $out != *'threads set'* && $out != *'threads write'* ]] || complain "$out"
sed 's/const float m_old = t.m\[r\];/m_old[r] = t.m[r];/; s/\([( ,]\)m_old\([,)]\)/\1m_old[r]\2/
    s/float m_old\[r\]/float m_old/; s/^static attn_status attend_tile/static float m_old[4096];\n&/' \
    grader/solutions/task3_tiled_cpu/tiled_cpu.c >"$top/static.c"
line=$(grep -n 'm_old\[r\] = ' "$top/static.c")
build/bin/stagecc . task3 "$top/static.c" "$top/shared.so"
heard "$top/static.c" one_tile
[[ $out == *"all threads write to m_old (line ${line%%:*}), of which there is one for all"* ]] || complain "$out"
claim what_threads_share_is_said_where_claims_hold

# A loop of which each round goes on with what the one before has left, and is shared out. Round 0 takes long, so that
# others come between: on a machine that is busy they may not, so it is tried again. A loop within, short and right, is
# no better place for the pragma.
plant own_tiled.c '#pragma omp parallel for schedule(dynamic) reduction(+ : failed)' ''
sed "s/^    for (int base = 0/#pragma omp parallel for schedule(dynamic, 1)\n&/
    s/^ *const float decay.*/&\nfor (volatile int k = 0; !i \&\& !base \&\& k < 50000000; k++) {}/" \
    "$wrong" >"$top/rounds.c"
build/bin/stagecc . task3 "$top/rounds.c" "$top/shared.so"
for ((try = 0; try < 20; try++)); do
    OMP_NUM_THREADS=2 heard "$top/rounds.c" key_tiles
    [[ $out != *'1 of 1 claim holds.'* ]] && break
done
[[ $out == *'goes on with what the one before has left'*'Share out the calls of run_tile in their place'* ]] ||
    complain "$out"
claim a_parallel_loop_whose_rounds_go_on_from_each_other_is_not_to_be_shared_out

# Jobs that are cut by the number of threads, and what is left over.
old=$'#pragma omp parallel for schedule(dynamic) reduction(+ : failed)\n    for (int job = 0; job < total; job++) {'
new='#pragma omp parallel reduction(+ : failed)
    for (int job = omp_get_thread_num() * (total / omp_get_num_threads());
         job < (omp_get_thread_num() + 1) * (total / omp_get_num_threads()); job++) {'
OMP_NUM_THREADS=3 told task3 own_tiled.c "$old" $'int omp_get_num_threads(void), omp_get_thread_num(void);\n'"$new" \
    'ask for the number of threads, or of this one: elements are written by none of them'
says_not 'memory that they share'
claim work_that_is_left_over_is_no_race
plan
