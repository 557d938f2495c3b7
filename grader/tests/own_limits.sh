#!/usr/bin/env bash
# own_limits.sh: limits, sizes in bytes and the order of calls in a C file of a student's own: the change that brings
# one back is among the likeliest, and what hides a limit that is wrong is not tried (grader/repair/edits: confine,
# divisors, sequence, bytes, target, vacuous, usual, narrower, never_set). TAP.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/../.."
# shellcheck source=grader/tests/undone.sh
source grader/tests/undone.sh
likely=400

cat >"$top/right.c" <<'END_C'
#include <math.h>
#include <stdlib.h>
#include <string.h>
typedef struct { int nq, nk, causal; const float *k, *v; } head;
typedef struct { float *s, *acc; int from, to; } room;
static int least(int a, int b) { return a < b ? a : b; }
static void project(float *y, const float *x, const float *w, int n) { y[n] = x[n] * w[n]; }
static void attend(float *o, const float *q, const float *k, int n) { o[n] = q[n] * k[n]; }
static int open_room(room *w, int br, int d) {
    w->s = malloc(br * sizeof(float));
    w->acc = malloc(br * d * sizeof(float));
    return w->s && w->acc;
}
static float times(const float *a, const float *b, int n) { return n == 1 ? a[0] * b[0] : times(a, b, n - 1); }
static int seen(const head *h, int query, int most) {
    const int until = query + h->nk - h->nq;
    return until < 0 ? 0 : least(most, until);
}
static void raise(float *kept, float *total, float top) {
    if (top <= *kept) return;
    *total *= expf(*kept - top);
    *kept = top;
}
static void walk(const head *h, float *m, float *mass, float *s, int row0, int rows, int size) {
    int stop = h->nk;
    if (h->causal) stop = least(stop, row0 + rows + (h->nk - h->nq));
    for (int first = 0; first < stop; first += size) {
        const int width = least(size, h->nk - first);
        for (int r = 0; r < rows; r++) {
            int end = row0 + r + 1;
            if (end > stop) end = stop;
            if (end <= first) continue;
            for (int c = first; c < end; c++)
                if (s[c] > m[r]) m[r] = s[c];
            mass[r] += width;
        }
    }
    for (int r = 0; r < rows; r++) s[r] = s[r] / mass[r];
    memset(m, 0, rows * sizeof(float));
}
int all(float *y, const float *x, const float *wq, const float *wo, int heads, int n, int size) {
    float *q = malloc(n * sizeof(float)), *t = malloc(n * sizeof(float));
    if (size <= 0) size = 64;
    project(q, x, wq, n);
    attend(t, q, q, n);
    project(y, t, wo, n);
    for (int h = 0; h < heads; h++) {
        y[h] = *x + *wq;
        x += n;
        wq += size;
    }
    free(q);
    free(t);
    return size;
}
END_C

undone right.c 'if (end > stop) end = stop;' 'if (end > stop) continue;'
undone right.c '            if (end > stop) end = stop;
' '' 1500
undone right.c 'if (size <= 0) size = 64;' 'size = 64;'
undone right.c 'if (s[c] > m[r]) m[r] = s[c];' 'm[r] = s[c];'
claim what_is_cut_off_or_kept_is_asked_before
undone right.c 'least(most, until)' 'most' 1500
undone right.c 'least(size, h->nk - first)' 'h->nk - first'
undone right.c 'row0 + rows + (h->nk - h->nq)' 'row0 + rows'
claim a_limit_and_the_offset_of_the_keys_come_back
undone right.c '            if (end <= first) continue;
' '' 2000
undone right.c '    if (top <= *kept) return;
' '' 2000
claim a_round_and_a_call_with_nothing_to_do_are_left
undone right.c 's[r] / mass[r]' 's[r] / rows'
undone right.c 'a[0] * b[0]' 'a[0]' 1000
claim the_sum_is_divided_by_and_the_other_array_counts
undone right.c 'malloc(br * d * sizeof(float))' 'malloc(br * d)'
undone right.c 'memset(m, 0, rows * sizeof(float))' 'memset(m, 0, sizeof(float))'
claim malloc_and_memset_count_bytes
undone right.c '    attend(t, q, q, n);
    project(y, t, wo, n);' '    project(y, t, wo, n);
    attend(t, q, q, n);'
undone right.c '    project(q, x, wq, n);
    attend(t, q, q, n);
    project(y, t, wo, n);' '    attend(t, q, q, n);
    project(y, t, wo, n);
    project(q, x, wq, n);' 1000
claim calls_on_the_same_array_change_places

# tried OLD NEW: the table of changes of the file in which OLD is NEW
tried() {
    local text
    text=$(<"$top/right.c")
    [[ $text == *"$1"* ]] || complain "there is no $1"
    printf '%s\n' "${text/"$1"/"$2"}" >"$top/wrong.c"
    build/bin/edits "$top/wrong.c" "$top/out.c" "$top/table.tsv" --limit 100000
    table=$(cut -f 8 "$top/table.tsv")
}
tried '        x += n;
        wq += size;
    }' '    }
    x += n;
    wq += size;'
[[ $table == *'x += n; wq += size;'* ]] || complain 'two steps behind a loop do not come into it'
claim steps_behind_a_loop_come_into_it
for end in 'first + size <= stop' 'first + size < stop' 'first < stop - size' 'first <= stop - size'; do
    undone right.c 'first < stop' "$end" 60
    tried 'first < stop' "$end"
    ! cut -f 10 "$top/table.tsv" | grep -E '^first (- size <=?|<=?) stop( \+ size)?$' | grep -E '[-+] size' ||
        complain "$end: an empty tile is done"
done
claim the_last_narrower_tile_comes_back
tried '    w->acc = malloc(br * d * sizeof(float));' '    w->acc = malloc(br * d);
    memset(w->s, 0, br);'
[[ $table == *'br * d * sizeof(float) ... br * sizeof(float)'* ]] || complain 'two sizes are not both turned into bytes'
claim all_sizes_of_a_function_become_bytes
tried 'row0 + rows + (h->nk - h->nq)' 'row0 + rows'
[[ $table != *'row0 = least('* ]] || complain 'a parameter is set in place of the limit'
[[ $table != *'least(stop, stop + '* && $table != *'least(stop, row0 + stop)'* ]] ||
    complain 'a limit is itself and something'
[[ $table != *'least(size, h->nk - first) * '* ]] || complain 'what is limited is multiplied'
claim what_takes_a_limit_away_is_not_tried

# unset_in OLD NEW: what is read and never set in the file in which OLD is NEW
unset_in() {
    local text
    text=$(<"$top/right.c")
    printf '%s\n' "${text/"$1"/"$2"}" >"$top/wrong.c"
    run build/bin/edits "$top/wrong.c" --idle .
}
unset_in '    w->s = malloc(br * sizeof(float));
' ''
says $'unset\ts\t'
unset_in 'int stop = h->nk;
    if (h->causal) stop = least(stop, row0 + rows + (h->nk - h->nq));' 'int stop;'
says $'unset\tstop\t'
unset_in 'no such text' ''
says_not $'unset\tstop'
says_not $'unset\ts\t'
claim what_is_read_and_never_set_is_told
plan
