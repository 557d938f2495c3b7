#!/usr/bin/env bash
# own_sizes.sh: a larger tile, a longer walk or a sequence's length in a size's place makes the claims hold, and is not
# the reason for the mistake: such changes are not tried, or come late. TAP.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/../.."
# shellcheck source=grader/tests/own_files.sh
source grader/tests/own_files.sh

# A larger tile hides such a mistake, and is not the reason for it.
plant own_tiled.c 'offset - base + 1' 'offset + 1'
build/bin/edits "$wrong" "$top/out.c" "$top/table.tsv" --limit 1500
[[ ! $(cut -f 6,8 "$top/table.tsv") =~ habit$'\t'(tiles\.Bc|t->width)' *' ]] || complain 'a larger tile is tried'
plant own_veteran.c 'sum = mx + br;' 'sum = mx;'
build/bin/edits "$wrong" "$top/out.c" "$top/table.tsv" --limit 100000
[[ ! $(cut -f 7,8 "$top/table.tsv") =~ Br$'\t'(tiles\.)?Bc ]] || complain 'a tile of the other side is tried'

# A whole block's end, rounded up to a size that is none.
cat >"$top/rounded.cu" <<'END'
enum { THREADS = 256, ROWS = 8 };
typedef enum { NOTHING, SOMETHING } kind;
typedef struct { int heads, rows; } sizes;
static __device__ void put(float *y, const float *x, int i, int end, sizes size) {
    const int block_end = (i / THREADS + 1) * THREADS;
    if (block_end > end) return;
    y[i] = x[i % ROWS];
}
__global__ void all(float *y, const float *x, sizes size) {
    put(y, x, threadIdx.x + blockIdx.x / size.heads, size.rows, size);
}
END
build/bin/edits "$top/rounded.cu" "$top/out.cu" "$top/table.tsv" --limit 30000
run cut -f 10 "$top/table.tsv"
says '(i / ROWS + 1) * ROWS'
says_not '(i / size.heads + 1) * size.heads'
says_not '(i / SOMETHING + 1) * SOMETHING'

# A tile's first row: a number divided by the tile's size is 0, and the size would be gone.
cat >"$top/first.cu" <<'END'
enum { TILE = 32, ROWS = 8 };
typedef struct { int heads, rows; } sizes;
static __device__ int first(int last, sizes size) { return last + 1 - TILE + size.rows; }
__global__ void all(float *y, sizes size) { y[first(ROWS, size)] = size.heads; }
END
build/bin/edits "$top/first.cu" "$top/out.cu" "$top/table.tsv" --limit 30000
run cut -f 10 "$top/table.tsv"
says 'last + 1 - ROWS'
says 'last + 1 * TILE'
says_not 'last + 1 / TILE'

# A walk that goes beyond all keys computes what is hidden, too.
cat >"$top/ends.cu" <<'END'
__global__ void all(float *y, int n, int causal, int last) {
    const int end = causal ? min(n, last + 1) : n, half = max(min(n, last), 2);
    int keys = n;
    if (causal) keys = min(keys, last + 2);
    for (int k = threadIdx.x; k < end && k < keys; k += 32) y[k] = half;
}
END
build/bin/edits "$top/ends.cu" "$top/out.cu" "$top/table.tsv" --limit 30000
run cut -f 10 "$top/table.tsv"
says 'max(max(n, last), 2)'
says_not 'causal ? max(n, last + 1) : n'
says_not 'max(keys, last + 2)'

# What a function is handed as the size of its tiles: nothing larger; and the walk ends under a causal mask.
cat >"$top/handed.c" <<'END'
typedef struct { int br, bc; } room;
static int most(int n) { return n * 2; }
static void make(room *w, int br, int bc) {
    w->br = br, w->bc = bc;
    w->br += most(br * bc);
}
static void walk(room *w, float *y, int n, int causal, int last) {
    for (int k = 0; k < n; k += w->bc) {
        if (causal && k > last) break;
        y[k] = w->br;
    }
}
void all(room *w, float *y, int br, int bc, int n) {
    make(w, br, bc);
    walk(w, y, n, most(br), br * bc);
}
END
cat >"$top/least.c" <<'END'
static int pick(int asked, int usual, int most) {
    const int n = asked > 0 ? asked : usual;
    return n < most ? n : most;
}
static int twice(int n) { return n * 2; }
void all(int *w, int br, int bc, int n) {
    w[0] = pick(br, 48, n), w[1] = pick(bc, 48, n);
    w[2] = twice(br), w[3] = twice(bc);
}
END
build/bin/edits "$top/least.c" "$top/out.c" "$top/table.tsv" --limit 100000
run awk -F'\t' '$3 == 3 && $8 == "most : n" { print $12 }' "$top/table.tsv"
[[ $out == 1 ]] || complain 'a size by the minimum'
run awk -F'\t' '$3 == 5 && $8 == "n" && $12 { print }' "$top/table.tsv"
[[ -z $out ]] || complain 'another helper'
claim two_calls_of_a_minimum_make_it_shared

plant own_states.cu 'pitch(D / 4) {}' 'pitch(D / 4 + 1) {}'
build/bin/edits "$wrong" "$top/out.cu" "$top/table.tsv" --limit 100000
run awk -F'\t' '$7 == "D / 4 + 1" && $8 == "D / 4" { print $12 }' "$top/table.tsv"
[[ $out == 1 ]] || complain "a field that a constructor begins: $out"
claim what_a_constructor_begins_is_shared

cat >"$top/horizon.c" <<'END'
#include "task3.h"
static int horizon(attn_shape s, int i) {
    if (!s.causal) return s.seq_kv;
    return i + s.seq_kv - s.seq_q;
}
static int tiles(attn_shape s, int size) { return s.seq_kv / size; }
void all(int *w, attn_shape s, int i, int c) {
    w[0] = c < horizon(s, i), w[1] = horizon(s, i + 1), w[2] = horizon(s, i + 2);
    w[3] = tiles(s, i), w[4] = tiles(s, c), w[5] = tiles(s, i + c);
}
END
build/bin/edits "$top/horizon.c" "$top/out.c" "$top/table.tsv" --limit 100000
run awk -F'\t' '$5 == "horizon" { n++; shared += $12 } END { print (n > 0), shared }' "$top/table.tsv"
[[ $out == '1 0' ]] || complain "the mask: $out"
run awk -F'\t' '$5 == "tiles" && $8 == "s.seq_q" { print $12 }' "$top/table.tsv"
[[ $out == 1 ]] || complain "a size: $out"
claim how_many_keys_a_query_sees_is_no_size

# A tile that a field keeps: none that is larger, and none that is never cut off.
cat >"$top/kept.c" <<'END'
#include "task3.h"
typedef struct { int Br, Bc; } call;
typedef struct { int first, Bc; } band;
static void walk(const band *b, float *y, int all) {
    for (int j = 0; j < all; j += b->Bc) y[j] = 1;
}
void all(call c, float *y, attn_shape shape, int i) {
    const int Sk = shape.seq_kv;
    if (c.Bc > shape.seq_kv) c.Bc = shape.seq_kv;
    const band b = {.first = i * c.Br, .Bc = c.Bc};
    walk(&b, y + Sk, Sk);
}
END
build/bin/edits "$top/kept.c" "$top/out.c" "$top/table.tsv" --limit 100000
run awk -F'\t' '$3 == 9 && $4 < 27 { print "limit " $7 " " $8 }' "$top/table.tsv"
says_not 'limit > <'
run awk -F'\t' '$3 == 10 { print $7 " to " $8 }' "$top/table.tsv"
says 'c.Br'
says_not 'c.Bc to c.Bc + Sk'
says_not 'c.Bc to Sk'
claim a_tile_that_a_field_keeps_becomes_no_larger

# The loop for what is left, before the one in groups, does all of it: what is wrong in that one is only hidden.
cat >"$top/rest.c" <<'END'
void all(float *y, const float *x, int n) {
    int i = 0;
    y[n] = 0;
    for (; i + 2 <= n; i += 2) y[i] = x[i], y[i + n / 2] = x[i + 1];
    for (; i < n; i++) y[i] = x[i];
    y[n] += 1;
}
END
build/bin/edits "$top/rest.c" "$top/out.c" "$top/table.tsv" --limit 100000
run awk -F'\t' '$3 == 5 && $6 ~ /line/ { print $6 }' "$top/table.tsv"
says_not 'before line 4'
run awk -F'\t' '$3 == 4 && $7 == "i" { print $4 " " $8 }' "$top/table.tsv"
says_not '12 n'
claim a_loop_for_the_rest_is_not_moved_to_do_all

build/bin/edits "$top/handed.c" "$top/out.c" "$top/table.tsv" --limit 100000
run awk -F'\t' '$3 == 14 && $7 == "bc" { print $8 " " $12 }' "$top/table.tsv"
says_not 'bc *'
says_not 'bc +'
says_not '* bc'
run awk -F'\t' '$3 == 14 && $7 == "bc" && $8 == "n" && !$11 { print $12 }' "$top/table.tsv"
[[ $out == 1 ]] || complain "another size of tiles comes last: $out"
run awk -F'\t' '$3 == 15 && $7 == "br" { print $8 }' "$top/table.tsv"
says 'br * n'
run awk -F'\t' '$3 == 9 && $8 == "" { print $7 }' "$top/table.tsv"
says_not 'break'
cat >"$top/least.c" <<'END'
#define MIN(a, b) ((a) < (b) ? (a) : (b))
void walk(float *y, int n, int bc) {
    bc = MIN(bc, n);
    for (int k = 0; k < n; k += bc) y[k] = MIN(bc, n - k);
}
END
build/bin/edits "$top/least.c" "$top/out.c" "$top/table.tsv" --limit 100000
run awk -F'\t' '$3 == 3 { print "is " $10 }' "$top/table.tsv"
says_not 'is bc = MIN(n, n)'
says_not 'bc * n, n)'
run awk -F'\t' '$3 == 4 { print "is " $10 }' "$top/table.tsv"
says 'MIN(n, n - k)'
claim no_tile_grows_to_hide_a_mistake

# Who is handed a tile's size gets no sequence's, by a helper that takes at most that much of what is left; and a loop
# that counts up does not run while its counter is above its end.
cat >"$top/left.c" <<'END'
#include "task3.h"
typedef struct { int bc, dim; } pad;
static int lower(int a, int b) { return a < b ? a : b; }
static int opens(pad *w, int bc, int dim) { return w->bc = bc, w->dim = dim; }
static void walk(pad *w, float *o, attn_shape s, int left) {
    int first = 0;
    while (left > 0) {
        const int n = lower(w->bc, left);
        for (int c = 0; c < n; c++) o[first + c] = 0.0f;
        for (int c = n; c < 0; c--) o[first + c] = 0.0f;
        first += n;
        left -= n;
    }
}
static void all(pad *w, float *o, attn_shape s, attn_tiles tiles) {
    const int bc = lower(tiles.Bc, s.seq_kv);
    if (opens(w, bc, s.head_dim)) walk(w, o, s, s.seq_kv);
}
END
build/bin/edits "$top/left.c" "$top/out.c" "$top/table.tsv" --limit 100000
run awk -F'\t' '$3 == 17 && $7 == "bc" && $8 ~ /seq_/' "$top/table.tsv"
[[ -z $out ]] || complain "a tile: $out"
run awk -F'\t' '$7 == "<" && $8 == ">" { printf "%s;", $3 }' "$top/table.tsv"
[[ $out == '3;10;' ]] || complain "a loop: $out"
cat >"$top/most.c" <<'END'
#include "task3.h"
static int lower(int a, int b) { return a < b ? a : b; }
static void pack(float *t, const float *k, int n, int pitch) {
    for (int c = 0; c < n; c++) t[c * pitch] = k[c];
}
static void fill(float *t, int n) {
    for (int c = 0; c < n; c++) t[c] = 0.0f;
}
static void all(float *o, const float *k, attn_shape s, int bc) {
    for (int j = 0; j < s.seq_kv; j += bc) {
        const int nk = lower(bc, s.seq_kv - j);
        pack(o, k + j, nk, nk);
        fill(o, nk);
    }
}
END
build/bin/edits "$top/most.c" "$top/out.c" "$top/table.tsv" --limit 100000
run awk -F'\t' '$7 == "nk" && $8 == "bc" && !$11 { printf "%s:%s;", $3, $4 }' "$top/table.tsv"
[[ $out == '12:28;13:17;' ]] || complain "keys that are not there: $out"
claim a_tile_is_no_sequence_and_a_loop_that_counts_up_runs
plan
