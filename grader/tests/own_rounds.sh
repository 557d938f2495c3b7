#!/usr/bin/env bash
# own_rounds.sh: what is done in a round of a loop and what once, in a style of its own: a row that no round asks for, a
# state that begins in each round, or once too few; what is left to a last round that does not come
# (grader/repair/edits: still, order, final, hoisted, resumed, rounded, ranking/nonsense); where a barrier comes
# between two loops (barriers). TAP.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/../.."
# shellcheck source=grader/tests/undone.sh
source grader/tests/undone.sh
likely=130

cat >"$top/right.c" <<'END'
#include <math.h>
#include <stddef.h>
typedef struct { float m, l; float *o; } state;
typedef struct { int rows, cols; } extent;
static void begin(state *w, int dim) {
    for (int d = 0; d < dim; d++) w->o[d] = 0.0f;
    w->m = -INFINITY;
    w->l = 0.0f;
}
static void add(state *w, const float *tile, int n, int dim) {
    for (int c = 0; c < n; c++) w->l += tile[c * dim];
}
static void row(float *p, const float *s, int n) {
    for (int c = 0; c < n; c++) p[c] = s[c] * 2.0f;
}
static void half(float *p, int n) {
    for (int c = 0; c < n; c++) p[c] *= 0.5f;
}
void rows(float *P, const float *S, int count, int cols) {
    for (int r = 0; r < count; r++) row(P + (size_t)r * cols, S + (size_t)r * cols, cols);
    for (int r = 0; r < count; r++) half(P + (size_t)r * cols, cols);
}
void walk(state w, const float *K, int heads, int n, int tile, int dim) {
    for (int h = 0; h < heads; h++) {
        begin(&w, dim);
        for (int j = 0; j < n; j += tile) {
            add(&w, K + j * dim, tile, dim);
        }
    }
}
void norm(float *p, const float *s, int n) {
    const float *end = s + n;
    float sum = 0.0f;
    for (const float *x = s; x < end; x++) sum += *x;
    for (float *y = p; y < p + n; y++) *y /= sum;
}
void sizes(int n, int cols, int *y) {
    extent all = {n, cols};
    extent part = all;
    part.cols = cols / 2;
    extent other = all;
    other.rows = n / 2;
    y[0] = part.cols * other.cols;
}
void tiles(float *O, const float *l, int i, int n, int rows, int causal) {
    for (int t = 0; t < n; t++) {
        if (causal && t > i) break;
        O[0] += l[t];
    }
    for (int r = 0; r < rows; r++) O[r] /= l[r];
}
static int least(int a, int b) { return a < b ? a : b; }
void blocks(float *C, int n, int SIDE, int OTHER) {
    for (int i = 0; i < n; i += SIDE) {
        const int h = least(SIDE, n - i), w = least(OTHER, n);
        if (h == SIDE)
            half(C + i, SIDE);
        else
            half(C + i, h);
    }
    for (int i = 0; i < n; i += OTHER) {
        const int h = least(SIDE, n - i), w = least(OTHER, n - i);
        if (h == SIDE && w == OTHER) C[i] = 0.0f;
    }
}
END

undone right.c 'half(P + (size_t)r * cols, cols)' 'half(P, cols)'
undone right.c 'row(P + (size_t)r * cols, S + (size_t)r * cols, cols)' 'row(P, S, cols)'
claim a_row_that_no_round_asks_for
undone right.c '        begin(&w, dim);
        for (int j = 0; j < n; j += tile) {' '        for (int j = 0; j < n; j += tile) {
            begin(&w, dim);'
undone right.c '    for (int h = 0; h < heads; h++) {
        begin(&w, dim);' '    begin(&w, dim);
    for (int h = 0; h < heads; h++) {'
claim a_state_that_begins_in_each_round_or_once
undone right.c '        O[0] += l[t];
    }
    for (int r = 0; r < rows; r++) O[r] /= l[r];' '        O[0] += l[t];
        if (t == n - 1)
            for (int r = 0; r < rows; r++) O[r] /= l[r];
    }' 20
claim what_the_last_round_does_stands_behind_the_loop

# What takes another mistake back, or leaves the last term of a sum, is not among the changes.
cat >"$top/back.c" <<'END'
void back(float *Q, float *K, float *p, const float *l, float root, int n) {
    float total = 0.0f;
    for (int x = 0; x < n; x++) {
        Q[x] *= root;
        K[x] *= root;
    }
    for (int u = 0; u < n; u++) total += l[u];
    for (int c = 0; c < n; c++) p[c] *= total;
}
END
run build/bin/edits "$top/back.c" "$top/back_out.c" "$top/back_table" --limit 3000
grep -qP '\t8\t.*\t\*=\t/=\t' "$top/back_table" || complain 'one *= alone does not become /='
! grep -qP '\t[45]\t.*\t\*=\t/=\t' "$top/back_table" || complain 'a factor is taken back beside another one'
! grep -qP '\t7\t.*\ttotal = 0' "$top/back_table" || complain 'a sum is cleared before each of its terms'
claim what_takes_a_mistake_back_or_leaves_the_last_term_is_not_tried

# What is made of the first row before a loop; a number that is made whole by two rules.
cat >"$top/whole.c" <<'END'
#include <math.h>
void scale(float *O, const float *l, int rows, int dim) {
    const float inv = 1.0f / l[0];
    for (int r = 0; r < rows; r++)
        for (int d = 0; d < dim; d++) O[r * dim + d] = O[r * dim + d] * (1.0f / l[r]);
}
float power(float y) {
    const int n = (int)rintf(y);
    const float f = y - rintf(y);
    return f * n;
}
float other_power(float y) {
    const int n = floorf(y);
    const float f = y - floorf(y);
    return f * n;
}
END
undone whole.c '(1.0f / l[r])' 'inv' 20
claim what_is_made_of_the_first_row_is_made_of_each
undone whole.c '(int)rintf(y)' '(int)y' 20
undone whole.c '(int)rintf(y)' '(int)floorf(y)' 20
undone whole.c 'n = floorf(y)' 'n = y' 20
undone whole.c 'y - floorf(y)' 'y - rintf(y)' 20
claim a_number_is_made_whole_by_one_rule

cat >"$top/again.c" <<'END'
void pieces(state *w, const float *K, int rows, int n, int tile, int dim) {
    for (int from = 0; from < n; from += tile) {
        const int to = from + tile;
        for (int r = 0; r < rows; r++) {
            begin(&w[r], dim);
            add(&w[r], K + from * dim, to - from, dim);
            done();
        }
    }
}
END
build/bin/edits "$top/again.c" "$top/out.c" "$top/table.tsv" --limit 30000
first=$(awk -F'\t' '$6 == "first round" { printf "%s: %s ", $3, $8 }' "$top/table.tsv")
[[ $first == *'5: if (from == 0) begin(&w[r], dim) '* ]] || complain "in the first round: $first"
[[ $first != *' if (r == 0)'* && $first != *' add('* && $first != *' done('* ]] || complain "of each: $first"
cat >"$top/again.c" <<'END'
#include <math.h>
typedef struct { float m, l; } stat;
void pieces(stat *st, float *m, const float *K, int head, int rows, int n, int tile) {
    const int first = head * 64, end = first + rows;
    for (int from = 0; from < n; from += tile) {
        float own[8];
        for (int r = first; r < end; r++) st[r - first] = (stat){-INFINITY, 0.0f};
        for (int r = first; r < end; r++) m[r] = K[from];
        for (int r = 0; r < 8; r++) own[r] = 0.0f;
        for (int r = first; r < end; r++) st[r - first].l += K[from + r] + own[r % 8];
    }
}
END
build/bin/edits "$top/again.c" "$top/out.c" "$top/table.tsv" --limit 30000
first=$(awk -F'\t' '$6 == "first round" { printf "%s: %s;", $3, $8 }' "$top/table.tsv")
[[ $first == '7: if (from == 0) st[r - first] = (stat){-INFINITY, 0.0f};' ]] ||
    complain "set in the first round: $first"
[[ ! $(cut -f 10 "$top/table.tsv") == *'from * end + r < end'* ]] ||
    complain 'a loop that asks for its end in the first tile'
claim what_begins_again_in_each_round_is_done_in_the_first_alone

# What begins anew in each round, and a loop within counts it on.
cat >"$top/resumed.c" <<'END'
void heads(float *P, const float *S, int batch, int heads, int n, int dim) {
    for (int b = 0; b < batch; b++) {
        int head = b * heads;
        const float *row = S + b * heads * (n + 1);
        for (int h = 0; h < heads; h++, head++, row += n + 1) P[head * dim] = row[0];
        int at = 0;
        while (at < n) at++;
    }
}
END
undone resumed.c 'head = b * heads;' 'head = 0;' 20
undone resumed.c 'row = S + b * heads * (n + 1);' 'row = S;' 20
build/bin/edits "$top/resumed.c" "$top/out.c" "$top/table.tsv" --limit 30000
resumed=$(awk -F'\t' '$6 == "resumed" { print $3 }' "$top/table.tsv")
[[ -z $resumed ]] || complain "begins elsewhere: $resumed"
claim what_a_loop_counts_on_begins_where_the_round_before_ended

undone right.c 'for (float *y = p; y < p + n; y++)' 'for (float *y = p; y < end; y++)' 12
claim a_walk_over_one_array_does_not_end_where_another_does

undone right.c 'other = all;' 'other = part;' 400
claim a_struct_begins_as_a_copy_of_another
build/bin/edits "$top/right.c" "$top/out.c" "$top/table.tsv" --limit 100000
asks=$(awk -F'\t' '$7 ~ /SIDE|h|==/ && $9 ~ /^h == SIDE$/ { printf "%s to %s;", $7, $8 }' "$top/table.tsv")
[[ $asks == *'&& w == OTHER;'* ]] || complain "both sides: $asks"
asks=$(tr ';' '\n' <<<"$asks" | sed '/&& [^;]*==/d')
[[ -z $asks ]] || complain "whole blocks: $asks"
claim whole_blocks_are_not_asked_for_by_another_size

cat >"$top/wrong.cu" <<'END'
static __global__ void walk(float *O, const float *K, const float *V, int n) {
    __shared__ float part[32], tile[32];
    float o = 0.0f;
    int j0 = 0, some = fetch(tile, K, 0, n);
    while (j0 < n) {
        __syncthreads();
        score(part, tile, some);
        __syncthreads();
        j0 += 32;
        if (j0 < n) some = fetch(tile, K, j0, n);
        o += gather(part, V + j0, some);
    }
    for (int a = 0; a < 4; a++) part[threadIdx.x + a] = o;
    for (int a = 0; a < 4; a++) {
        const int row = n + a;
        if (row >= n) continue;
        O[row] = part[a];
    }
}
END
build/bin/edits "$top/wrong.cu" "$top/out.cu" "$top/table.tsv" --limit 3000
moved=$(awk -F'\t' '$3 == 11 && $6 == "before line 9" { print $7 }' "$top/table.tsv")
[[ $moved == "o += gather("* ]] || complain "moved: $moved"
claim what_a_round_ends_with_comes_before_its_position_moves_on
before=$(awk -F'\t' '$6 == "barrier" && $3 >= 14 { print $2, $3 }' "$top/table.tsv" | sort -n | head -1)
[[ ${before#* } == 14 ]] || complain "a barrier first before line ${before#* }"
within=$(awk -F'\t' '$6 == "barrier" && $3 >= 14 { print $2, $3 }' "$top/table.tsv" | sort -n | sed -n 2p)
((${within% *} > ${before% *})) || complain "as likely within the loop: $within"
claim a_barrier_between_two_loops_is_likelier_than_one_in_the_rounds
plan
