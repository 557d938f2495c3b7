#!/usr/bin/env bash
# own_excuses.sh: changes with which the claims hold for another reason than the mistake (a flag as a size, the same
# work once more, a sum of its last term alone) are not tried, or come late. TAP.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/../.."
# shellcheck source=grader/tests/own_files.sh
source grader/tests/own_files.sh

# What holds for another reason: a flag in place of a size, and a loop that does not end where a causal mask lets it.
cat >"$top/ends.c" <<'END'
int ends(attn_shape sh, attn_tiles t, int block, float *y) {
    int size = t.Bc, hi = sh.seq_kv, n = 0;
    if (sh.causal && block * size < sh.seq_kv) hi = block * size;
    for (int k = 0; k < hi; k += size) y[n++] = k;
    return n;
}
END
build/bin/edits "$top/ends.c" "$top/out.c" "$top/table.tsv" --limit 100000
run awk -F'\t' '$8 ~ /causal/ && $7 !~ /causal/ && $8 !~ /[!&|?]|^if / && $6 != "condition"' "$top/table.tsv"
[[ -z $out ]] || complain "a flag as a size: $out"
run awk -F'\t' '$7 ~ /hi = block/ && $8 == ""' "$top/table.tsv"
[[ -z $out ]] || complain "the end goes: $out"
run awk -F'\t' '$3 == 3 && $8 == "(block + 1)" { rank[$4 > 40] = $2 } END { print rank[0] - rank[1] }' "$top/table.tsv"
((out > 30)) || complain "one block more is no likelier in the value: $out"
[[ $(<"$top/table.tsv") == *'if (sh.causal) hi ='* ]] || complain 'no flag is asked for'
run awk -F'\t' '$3 == 3 && $7 == "<" && $8 == ">" && $2 < 30' "$top/table.tsv"
[[ -z $out ]] || complain "the end is switched off: $out"
claim what_holds_for_another_reason_is_no_cure

cat >"$top/given_back.c" <<'END'
#include <stdlib.h>
void give_back(float **heads, const float **weights, int n) {
    for (int i = 0; i < 3; ++i) free((void *)weights[i]);
    for (int i = 0; i < n; ++i) heads[i] = 0;
}
END
build/bin/edits "$top/given_back.c" "$top/out.c" "$top/table.tsv" --limit 100000
run awk -F'\t' '($3 == 3 || $3 == 4) && ($7 == "3" || $7 == "n") && $8 == "0"' "$top/table.tsv"
[[ -z $out ]] || complain "nothing is done: $out"
cat >"$top/places.cu" <<'END'
__global__ void append(float *K, const float *k, int slot, int D, int n) {
    const size_t to = ((size_t)blockIdx.x * n + slot) * D, end = to + D * n, behind = to + D, next = to + n;
    for (size_t i = behind; i < end; i++) K[i] = 0;
    K[next] = k[0];
}
END
build/bin/edits "$top/places.cu" "$top/out.cu" "$top/table.tsv" --limit 100000
run awk -F'\t' '$3 == 2 && $7 == "+" && $8 == "*" && $9 == "to + D"' "$top/table.tsv"
[[ -z $out ]] || complain "a place is multiplied by its row's length once more: $out"
run awk -F'\t' '$3 == 2 && $7 == "+" && $8 == "*" && $9 == "to + n"' "$top/table.tsv"
[[ $out ]] || complain 'by another number it may be'
claim a_loop_that_does_nothing_is_no_cure

# Work that is done once more overwrites what was spoilt; a sum begins with no size.
cat >"$top/oftener.cu" <<'END'
constexpr int TEAM = 16, BC = 32;
__global__ void walks(float *o, const float *q, int n, int cols) {
    const int lane = threadIdx.x % TEAM;
    float x = 0.0f;
    for (int i = 0; i < n; i += 2) both(o, i, i + 1 < n);
    for (int j = 0; j < n; j += BC) {
        const int there = min(BC, n - j);
        mine(there, [&](int c) {
            for (int d = 0; d < cols; d++) x += q[d];
            o[c] = x;
        });
    }
    for (int k = lane; k < n; k += TEAM) o[k] = x;
}
END
build/bin/edits "$top/oftener.cu" "$top/out.cu" "$top/table.tsv" --limit 100000
steps() {
    awk -F'\t' -v "line=$1" -v "old=$2" '$3 == line && $4 > 28 && $7 == old { printf "%s;", $8 }' "$top/table.tsv"
}
[[ ';'$(steps 5 2) != *';1;'* && ';'$(steps 5 2) == *';4;'* ]] || complain "a step: $(steps 5 2)"
[[ ';'$(steps 6 BC) != *';TEAM;'* ]] || complain "a tile: $(steps 6 BC)"
[[ ';'$(steps 13 TEAM) == *';BC;'* ]] || complain "another walk: $(steps 13 TEAM)"
run awk -F'\t' '$3 == 4 && $7 == "0.0f" && ($8 == "n" || $8 == "cols")' "$top/table.tsv"
[[ -z $out ]] || complain "a sum begins with: $out"
run awk -F'\t' '$3 == 9 && $7 == "" && $8 == "x = 0.0f;"' "$top/table.tsv"
[[ $out ]] || complain 'a sum of a lambda that is called again does not begin anew'
claim what_makes_the_same_work_again_is_no_cure

# What a maximum begins with, and how often a sum is brought to the new one.
cat >"$top/lowest.cu" <<'END'
__global__ void rows(float *o, const float *s, float fade, int n, int cols) {
    const float part = fold(s, n, 0, plus);

    const float top = reduce(s, n, 0, larger), least = clamp(s, n, 0);
    for (int c = 0; c < n; c++) {
        const float p = s[c] - top - least - part;
        for (int d = 0; d < cols; d++) o[d] = o[d] * fade + p * s[d];
    }
    for (int d = 0; d < cols; d++) o[d] = o[d] * fade + s[d];
}
END
build/bin/edits "$top/lowest.cu" "$top/out.cu" "$top/table.tsv" --limit 100000
lowest=$(awk -F'\t' '$7 ~ /^0/ && $8 == "-INFINITY" && $2 < 4 { printf "%s:%s;", $3, $4 }' "$top/table.tsv")
[[ $lowest == '4:36;' ]] || complain "begins with -INFINITY: $lowest"
once=$(awk -F'\t' '$6 == "once" { printf "%s: %s;", $3, $8 }' "$top/table.tsv")
[[ $once == '7: (c == 0 ? fade : 1.0f);' ]] || complain "once: $once"
claim a_maximum_begins_with_the_least_and_a_sum_is_rescaled_once

# How a maximum is raised: one half of it is not changed alone, both are.
cat >"$top/half.c" <<'END'
void scale(float *s, int n, float m, float most) {
    float top = s[0], high = s[0], all = s[0];
    for (int c = 1; c < n; c++) top = s[c] > top ? s[c] : top;
    for (int c = 1; c < n; c++)
        if (s[c] > high) high = s[c];
    for (int c = 1; c < n; c++) all = fmaxf(all, s[c]);
    int seen = n;
    if (seen > 8) seen = 8;
    for (int c = 0; c < seen; c++) s[c] = expf(s[c] - top - high - all);
}
END
build/bin/edits "$top/half.c" "$top/out.c" "$top/table.tsv" --limit 100000
run awk -F'\t' '$3 > 2 && $3 < 7 && $7 == "s[c]" && $8 == "m" && $11 == ""' "$top/table.tsv"
[[ -z $out ]] || complain "half of a maximum: $out"
run awk -F'\t' '$3 == 3 && $10 == "top = s[0] > top ? s[0] : top"' "$top/table.tsv"
[[ $out ]] || complain 'both halves in the same way are tried'
run awk -F'\t' '$3 == 8 && $4 > 19 && $7 == "8"' "$top/table.tsv"
[[ $out ]] || complain 'of a whole number the limit may be another'
run awk -F'\t' '$3 == 9 && $7 == "high" && $8 == "m"' "$top/table.tsv"
[[ $out ]] || complain 'what is subtracted may be m'
claim half_of_how_a_maximum_is_raised_is_no_cure

# A slip that is made twice: where one of the places is the size of a tile; where a piece ends at min(i + n, all).
# And what is more than 64 is not 0.
cat >"$top/twice.c" <<'END'
#include "task3.h"
static size_t room(int bc, int D) { return (size_t)bc * D; }
static void walk(float *o, attn_shape s, int bc, int Sk) {
    for (int j = 0; j < Sk; j += bc) o[j] = 0.0f;
}
static void all(float *o, attn_shape s, size_t seen, int bc, int Sk, int D) {
    float *memory = malloc(room(bc, D));
    walk(memory, s, bc, Sk);
    for (size_t i = 0; i < seen; i += 32) {
        const size_t end = i + 32 < seen ? i + 32 : seen;
        for (size_t j = i; j < end; j++) o[j] = memory[j];
    }
    int piece = Sk;
    while (piece > 64 && piece % 2 == 0) piece /= 2;
}
END
build/bin/edits "$top/twice.c" "$top/out.c" "$top/table.tsv" --limit 100000
run awk -F'\t' '$3 == 7 && $7 == "bc" && $8 ~ /[*+]/ && $11 != ""' "$top/table.tsv"
[[ -z $out ]] || complain "a tile: $out"
run awk -F'\t' '$3 == 10 && $8 ~ /- 32 < .*-/' "$top/table.tsv"
[[ -z $out ]] || complain "a piece: $out"
run awk -F'\t' '$3 == 14 && ($7 == "piece % 2" && $8 == "piece" || $7 == "%" && $8 == "/" || $8 == "2 % piece")' \
    "$top/table.tsv"
[[ -z $out ]] || complain "never: $out"
claim a_slip_that_is_made_twice_hides_no_other

# What has no number yet is no factor of its first one; the question that keeps a divisor from 0 is not turned round;
# and a number that a pointer hands over is no walk, where no pointer moves.
cat >"$top/first.c" <<'END'
long place(int z, int rows, int cols, int tile) {
    long offset = 0;
    offset = (long)z * rows * cols + tile * cols;
    return offset;
}
void rescale(float *l, float *o, int D, float alpha) {
    *l *= alpha;
    for (int d = 0; d < D; d++) o[d] = o[d] * alpha / (*l > 0 ? *l : 1);
}
float dot(const float *a, const float *b, int n) {
    float sum = 0;
    for (int i = 0; i < n; i++) sum += *a++ * *b;
    return sum;
}
END
build/bin/edits "$top/first.c" "$top/out.c" "$top/table.tsv" --limit 100000
run awk -F'\t' '$3 == 3 && $10 ~ /=.*offset/' "$top/table.tsv"
[[ -z $out ]] || complain "it has no number yet: $out"
run awk -F'\t' '$5 == "rescale" && ($10 ~ /l < 0 [?]/ || $10 ~ /l[+][+]/)' "$top/table.tsv"
[[ -z $out ]] || complain "nothing is divided: $out"
run awk -F'\t' '$5 == "dot" && $8 == "*b++"' "$top/table.tsv"
[[ $out ]] || complain 'where a pointer moves another one may, too'
claim what_is_0_or_one_for_good_is_no_cure

# A sum, or a maximum, in a loop that does nothing else with it keeps no last term alone; and a loop that counts up is
# not switched off by exchanging the sides of its condition. What a sum begins with is a change of its own.
cat >"$top/last.cu" <<'END'
struct acc { float m, l; };
static __device__ float take(acc *a, float *p, int n, int k) {
    float l = a->l, x = 0;
    for (int u = 0; u < n; u++) {
        p[u] = exp2f(p[u]);
        l += p[u];
    }
    for (int u = 0; u < n; u++) {
        x += p[u];
        p[u] = x * 2;
    }
    int c = 0;
    for (; c + 4 <= k; c += 4) x += p[c];
    float m = x, y = l;
    for (int u = 0; u < n; u++) m = fmaxf(m, p[u]);
    for (int u = 0; u < n; u++) m = p[u] > m ? p[u] : m;
    for (int u = 0; u < n; u++) y = fmaxf(y, p[u]), p[u] = y;
    return l + x + m + y;
}
__global__ void all(acc *a, float *p, int n, int k) { p[0] = take(a, p, n, k); }
END
build/bin/edits "$top/last.cu" "$top/out.cu" "$top/table.tsv" --limit 100000
run awk -F'\t' '$3 == 6 && $7 == "+=" && $8 == "="' "$top/table.tsv"
[[ -z $out ]] || complain "the last term: $out"
run awk -F'\t' '($3 == 15 || $3 == 16) && $8 == "p[u]" && $9 ~ /^m = / && $10 == "m = p[u]"' "$top/table.tsv"
[[ -z $out ]] || complain "the last of a maximum: $out"
run awk -F'\t' '$3 == 17 && $8 == "p[u]" && $7 ~ /fmaxf/' "$top/table.tsv"
[[ $out ]] || complain 'what each round reads is not tried'
run awk -F'\t' '$3 == 9 && $7 == "+=" && $8 == "="' "$top/table.tsv"
[[ $out ]] || complain 'what each round sets is not tried'
run awk -F'\t' '$3 == 13 && $8 ~ /<=* c$/' "$top/table.tsv"
[[ -z $out ]] || complain "switched off: $out"
run awk -F'\t' '$3 == 3 && $7 == "a->l" && $8 == "0"' "$top/table.tsv"
[[ $out ]] || complain 'a sum may begin with 0'
claim a_sum_keeps_all_of_its_terms_and_begins_with_0

# Nobody counts with a status; and / that becomes % on both sides comes behind a question that goes.
cat >"$top/asks.c" <<'END'
#include "task3.h"
static int asks(attn_shape sh, int block, int j, int br, int bc, float *y) {
    attn_status status = ATTN_OK;
    int rows = block / br - bc;
    if (sh.causal && j / bc == block / br) y[rows] = 0.0f;
    if (rows - bc > 2) status = ATTN_NO_MEMORY;
    return status;
}
END
build/bin/edits "$top/asks.c" "$top/out.c" "$top/table.tsv" --limit 100000
run awk -F'\t' '$8 ~ /ATTN_[A-Z_]* [-+*\/%]/' "$top/table.tsv"
[[ -z $out ]] || complain "with a status: $out"
both=$(awk -F'\t' '$3 == 5 && $8 ~ /%.*%/ { print $2 }' "$top/table.tsv")
goes=$(awk -F'\t' '$3 == 5 && $8 == "sh.causal" { print $2 }' "$top/table.tsv")
((both > goes)) || complain "both sides: $both, $goes"
claim nobody_counts_with_a_status_or_asks_for_what_is_left_over

# for (d += 0; d < D; ...): with what is left in d the loop does not run.
cat >"$top/begins.c" <<'E'
void halve(float *o, int D) {
    int d;
    float x = 0;
    for (x = 0, d = 0; d < D; d++) x = o[d];
    for (d = 0; d < D; d++) o[d] /= x;
}
E
build/bin/edits "$top/begins.c" "$top/out.c" "$top/table.tsv" --limit 30000 >"$top/out"
lines=$(awk -F '\t' '$7 == "=" && $8 == "+=" { printf "%s ", $3 }' "$top/table.tsv")
[[ $lines == '4 ' ]] || complain "$lines: $(<"$top/table.tsv")"
claim where_a_loop_begins_nothing_is_added_up

# p < 1.0f around p /= l: a probability is no column. Without the condition is what is meant.
cat >"$top/asked.cu" <<'E'
__global__ void halve(float *p, float l, int cols, attn_shape shape) {
    const int c = threadIdx.x;
    for (int c = 0; c < cols; c++)
        if (p[c] < 1.0f) p[c] /= l;
    for (int c = 0; c < cols; c++)
        if (c < 8) p[c] /= l;
    for (int j = c; j < min(32, cols - 8); j += 32) p[j] = 0.0f;
    const int seen = blockIdx.x + 1;
    const float share = (float)seen / cols;
    const float factor = rsqrtf((float)cols) / share;
    const int tile = 32;
    p[c] *= factor + min(seen, tile);
}
E
build/bin/edits "$top/asked.cu" "$top/out.cu" "$top/table.tsv" --limit 30000
run awk -F'\t' '$3 == 4 && $10 == "p[c] < cols"' "$top/table.tsv"
[[ -z $out ]] || complain "a float is compared with a size: $out"
run awk -F'\t' '$3 == 6 && $10 == "c < cols"' "$top/table.tsv"
[[ $out ]] || complain 'a column is not compared with where its loop ends'
claim no_float_is_compared_with_where_a_loop_ends
run awk -F'\t' '$3 == 7 && $10 ~ /^j <=? min\((j \+|.*[,+] j[ ,)])/' "$top/table.tsv"
[[ -z $out ]] || complain "it asks nothing: $out"
run awk -F'\t' '$3 == 7 && $7 ~ /^min/ && $8 == "32"' "$top/table.tsv"
[[ $out ]] || complain 'the limit is not left out'
claim no_number_ends_at_itself_and_something
run awk -F'\t' '$3 == 9 && $10 ~ /\(float\)seen \/ seen/' "$top/table.tsv"
[[ -z $out ]] || complain "it is 1: $out"
run awk -F'\t' '$3 == 10 && $8 == "rsqrtf((float)cols)"' "$top/table.tsv"
[[ $out ]] || complain 'the divisor is not left out'
run awk -F'\t' '$3 == 12 && $8 == "seen" && $7 ~ /^min/' "$top/table.tsv"
[[ -z $out ]] || complain "nobody reads tile any more: $out"
claim a_number_divided_by_itself_is_a_divisor_left_out
plan
