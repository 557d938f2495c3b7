#!/usr/bin/env bash
# own_memory.sh: memory that the threads of a parallel region have in common, and the parts of it that are each thread's
# own, as edits lists them (grader/repair/edits: rooms). TAP.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/../.."
# shellcheck source=grader/tests/undone.sh
source grader/tests/undone.sh

# rooms BEFORE WITHIN [EXPECTED]: memory that is allocated before a parallel region and worked in within it
rooms() {
    printf '%s\n' '#include <omp.h>' '#include <stdlib.h>' 'void work(float *p, int i);' \
        'typedef struct { float *s; } w;' 'void f(float *C, int n) {' "$1" \
        '#pragma omp parallel' '{' '#pragma omp for' "for (int i = 0; i < n; i++) { $2 }" \
        '}' 'free(p); }' >"$top/rooms.c"
    run build/bin/edits "$top/rooms.c" --shared .
    [[ $out == "${3:-}" ]] || complain "$1 $2: $out"
}
own='float *p = malloc(n);'
rooms "$own" 'for (int c = 0; c < n; c++) p[c] = C[i];' $'p\t6\tmemory'
rooms "$own" 'w x = {C}; x.s = p; work(x.s, n);' $'p\t6\tmemory'
rooms "$own" 'work(p, n);' $'p\t6\tmemory'
rooms "$own" 'work(p, i);'
rooms "$own" 'p[i] = 1; const int at = i * n; p[at + 1] = 2; work(p + at, n);'
rooms "$own" 'float *mine = p + omp_get_thread_num() * n; mine[0] = 1; work(mine, n);'
rooms "$own" 'if (!p) continue; C[i] = p[0];'
rooms 'const float *p = C;' 'work(p, n);'
# A struct that a function fills with memory.
grabs='typedef struct { float *s; } w; static int grab(w *x, int n) { return !!(x->s = malloc(n)); }'
printf '%s\n' '#include <stdlib.h>' "$grabs" 'void work(w x, int n);' 'void f(int n) {' \
    'w one, other = {NULL}; grab(&one, n);' '#pragma omp parallel for' 'for (int i = 0; i < n; i++) {' \
    'w own; grab(&own, n); work(one, n); work(own, n); work(other, n);' '}}' >"$top/grab.c"
run build/bin/edits "$top/grab.c" --shared .
[[ $out == $'one\t5\tmemory' ]] || complain "of a struct: $out"
# One that a function makes of memory, or that it has asked for.
for made in 'float *p = malloc(n); const w one = cut(p);' 'w one = ask(n); if (!one.s) return;'; do
    printf '%s\n' '#include <stdlib.h>' 'typedef struct { float *s; } w;' 'static w cut(float *p) { return (w){p}; }' \
        'static w ask(int n) { return (w){malloc(n)}; }' 'void work(w x);' 'void f(int n) {' \
        "$made int fine = cut(n), asked = ask(n);" '#pragma omp parallel for' \
        'for (int i = 0; i < n; i++) { work(one); use(fine); use(asked); } }' >"$top/made.c"
    run build/bin/edits "$top/made.c" --shared .
    [[ $out == $'one\t7\tmemory' ]] || complain "$made: $out"
done
claim memory_of_all_threads_is_listed_and_a_part_of_it_is_not

# slots STATEMENTS [EXPECTED]: memory in slots, of which one part begins at the same place for all threads, in a
# function that is told the number of the thread.
slots() {
    printf '%s\n' '#include <omp.h>' '#include <stdlib.h>' 'typedef struct { float *s, *o; } w;' \
        'static w cut(float *pool, int thread, int n) {' 'w t;' "$1" 'return t; }' 'void f(int n) {' \
        'float *pool = malloc(n);' '#pragma omp parallel for' \
        'for (int i = 0; i < n; i++) { const w t = cut(pool, omp_get_thread_num(), n); t.s[0] = t.o[i]; }' \
        'free(pool); }' >"$top/slots.c"
    out=$(build/bin/edits "$top/slots.c" --shared . | grep slot || true)
    [[ $out == "${2:-}" ]] || complain "$1: $out"
}
slots 't.s = pool; t.o = pool + n + thread * n;' $'t.s\t6\tslot'
slots 't.o = pool + thread * n; t.s = pool + n * n;' $'t.s\t6\tslot'
slots 't.s = pool + thread * n; t.o = t.s + n;'
slots 't.s = pool; t.o = pool + n;'
printf '%s\n' '#include <omp.h>' '#include <stdlib.h>' 'void f(float *O, int n) {' 'float *pool = malloc(n);' \
    '#pragma omp parallel' '{' 'float *o = pool + omp_get_thread_num() * n;' 'float *s = pool + n;' \
    'const float *q = pool + n;' 'o[0] = s[0] + q[0]; O[n] = o[0];' '}' 'free(pool); }' >"$top/slots.c"
out=$(build/bin/edits "$top/slots.c" --shared . | grep slot || true)
[[ $out == $'s\t8\tslot' ]] || complain "in the region: $out"
claim a_part_of_a_slot_that_all_threads_share_is_listed

# carried BEFORE LOOP BEHIND [EXPECTED]: what the rounds of a parallel loop leave for the next one. In a loop of f, and
# alone.
carried() {
    printf '%s\n' '#include <stdlib.h>' 'static void f(float *C, int n) {' \
        'float *p = malloc(n), *l = p + 4;' "${rounds-for (int a = 0; a < n; a++)} {" "$1" \
        '#pragma omp parallel for' "for (int b = 0; b < n; b += 4) { $2 }" "$3" '}' 'free(p); }' \
        'void g(void) { f(0, 1); }' >"$top/carried.c"
    run build/bin/edits "$top/carried.c" --carried .
    [[ $out == "${4:-}" ]] || complain "$1 $2 $3: $out"
}
carried 'fill(p, n);' 'work(p, C + b);' 'store(C, p);' $'p\t3\t5\t7\t8\t4'
carried 'l[0] = 0;' 'for (int c = 0; c < 4; c++) l[c] += C[b];' 'C[0] = l[0];' $'l\t3\t5\t7\t8\t4'
carried 'fill(p, n);' 'const int left = least(4, n - b); work(p, left);' 'store(C, p);' $'p\t3\t5\t7\t8\t4'
carried 'fill(p, n);' 'work(p, b);' 'store(C, p);'
carried 'fill(p, n);' 'const int at = n - b; work(p, at);' 'store(C, p);'
carried 'fill(p, n);' 'work(p + b, C);' 'store(C, p);'
carried '' 'work(p, C + b);' 'store(C, p);'
carried 'fill(p, n);' 'work(p, C + b);' 'free(p);'
rounds='' carried 'fill(p, n);' 'work(p, C + b);' 'store(C, p);' $'p\t3\t5\t7\t8\tf'
claim memory_that_goes_on_from_round_to_round_of_a_parallel_loop_is_listed
plan
