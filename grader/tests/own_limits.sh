#!/usr/bin/env bash
# own_limits.sh: limits, sizes in bytes and the order of calls in a C file of a student's own: the change that brings
# one back is among the likeliest, and what hides a limit that is wrong is not tried (grader/repair/edits: confine,
# divisors, sequence, bytes, element_size, lasts, runs, target, vacuous, usual, narrower, never_set). TAP.
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
' '' 2200
undone right.c '    if (top <= *kept) return;
' '' 2200
claim a_round_and_a_call_with_nothing_to_do_are_left
undone right.c 's[r] / mass[r]' 's[r] / rows' 450
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
    project(q, x, wq, n);' 1150
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

# A file whose tiles have queries [q0, q0 + rows), in sums of another type than their results.
cat >"$top/seen.c" <<'END_C'
#include <stdlib.h>
#include <string.h>
typedef struct {
    double *sum;
    float *row;
    int bc;
} room;
static void add(room *w, const float *k, const float *v, int n);
static int make(room *w, int n, int bc) {
    double *sums = malloc(n * sizeof(double));
    w->bc = bc;
    w->sum = sums;
    w->row = malloc(n * sizeof(float));
    memset(w->sum, 0, n * sizeof(double));
    return w->sum && w->row;
}
static void clear(float *row, int n) { memset(row, 0, n * sizeof *row); }
static void attend(room *w, const float *k, const float *v, int q0, int rows, int lead, int all, int causal) {
    for (int k0 = 0; k0 < all; k0 += w->bc) {
        const int n = least(w->bc, all - k0);
        if (causal && k0 > q0 + rows - 1 + lead) break;
        for (int r = 0; r < rows; r++) w->row[r] = q0 + r + lead;
        add(w, k, v, n);
        k += n;
        v += n;
    }
}
void all(room *w, const float *k, const float *v, int br, int bc, int m, int causal) {
    make(w, br, bc);
    for (int q0 = 0; q0 < m; q0 += br) {
        const int rows = least(br, m - q0);
        attend(w, k, v, q0, rows, 0, m, causal);
    }
}
END_C
cp "$top/right.c" "$top/first.c"
cp "$top/seen.c" "$top/right.c"
likely=100
table_of() {
    tried "$1" "$2"
    table=$(cut -f 10 "$top/table.tsv")
}
table_of 'double *sums = malloc(n * sizeof(double))' 'double *sums = malloc(n * sizeof(float))'
[[ $table == *'malloc(n * sizeof(double))'* ]] || complain 'malloc, by the type of what it gives'
table_of 'w->row = malloc(n * sizeof(float))' 'w->row = malloc(n * sizeof(float *))'
[[ $table == *'malloc(n * sizeof *w->row)'* ]] || complain 'malloc, by the size of a pointer'
table_of 'n * sizeof(double));
    return' 'n * sizeof(float));
    return'
[[ $table == *'memset(w->sum, 0, n * sizeof *w->sum)'* ]] || complain 'memset, by the type of its field'
table_of 'n * sizeof *row' 'n * sizeof row'
[[ $table == *'memset(row, 0, n * sizeof *row)'* ]] || complain 'memset, by the size of a pointer'
table_of 'k += n' 'k += n'
run awk -F'\t' '$6 == "bytes" && $7 ~ /^sizeof/' "$top/table.tsv"
[[ ! $out ]] || complain 'what is right gets another size'
claim bytes_are_counted_by_the_type_of_the_elements
undone right.c 'q0 + rows - 1 + lead' 'q0 + lead' 20
claim the_last_query_of_a_tile_stands_for_its_first
table_of '        add(w, k, v, n);
        k += n;
        v += n;' '        k += n;
        v += n;
        add(w, k, v, n);'
run awk -F'\t' '$6 == "before line 23" && $7 ~ /^add\(/' "$top/table.tsv"
[[ $out ]] || complain 'what works does not come before both steps'
table_of '        add(w, k, v, n);
        k += n;
        v += n;' '        k += n;
        v += n;
        add(w, k, v, n);
        w->row[0] = 0;'
run awk -F'\t' '$6 == "before line 23" && $7 ~ /^add\(/' "$top/table.tsv"
[[ $out ]] || complain 'where more follows, it does not come before both steps'
claim what_works_stands_on_the_other_side_of_several_steps

cp "$top/first.c" "$top/right.c"
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
cat >"$top/right.c" <<'END'
float power(int n) {
    union { unsigned bits; float number; } two;
    struct { int list[2]; } both;
    struct { int a; } none;
    two.bits = (unsigned)(n + 127) << 23;
    both.list[0] = both.list[1]++;
    return two.number * both.list[0] + none.a;
}
END
unset_in 'no such text' ''
says_not $'unset\ttwo' && says_not $'unset\tboth'
says $'unset\tnone\t'
cat >"$top/right.c" <<'END'
#define SIZES(s) const int Q = (s).seq_q, K = (s).seq_kv
typedef struct { int seq_q, seq_kv; } shape;
int count(shape s) {
    SIZES(s);
    return Q * K;
}
END
unset_in 'no such text' ''
says_not $'unset\tQ' && says_not $'unset\tK'
claim what_is_read_and_never_set_is_told

# A narrower last tile where fields count, too; and all but the first in place of the first.
cat >"$top/fields.c" <<'END'
typedef struct { int at, size; } tile;
void walk(float *y, tile t, int n, int h, int b) {
    for (t.at = 0; t.at + t.size <= n; t.at += t.size) y[t.at] = 0;
    for (t.at = 0; t.at <= n - t.size && y; t.at += t.size) y[t.at] = 1;
    for (t.at = 0; t.at <= n - 1; t.at += t.size) y[t.at] = 2;
    if (h > 0 && b == 0) y[0] = 3;
}
END
build/bin/edits "$top/fields.c" "$top/out.c" "$top/table.tsv" --limit 100000
for line in 3 4; do
    run awk -F'\t' -v line=$line '$3 == line && $8 == "t.at < n"' "$top/table.tsv"
    [[ $out ]] || complain "line $line: the narrower tile is not tried"
done
run awk -F'\t' '$3 == 5 && $8 == "t.at < n"' "$top/table.tsv"
[[ -z $out ]] || complain "1 is no step: $out"
run awk -F'\t' '$3 == 6 && $7 == ">" && $8 == "=="' "$top/table.tsv"
[[ $(wc -l <<<"$out") == 1 && $out ]] || complain "the first alone: $out"
claim the_last_tile_of_fields_comes_back_and_the_first_may_be_alone
plan
