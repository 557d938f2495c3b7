#!/usr/bin/env bash
# own_slips.sh: slips of files for the CPU in a file that has a place for each of them: the change that undoes one is
# among the likeliest (grader/repair/edits: numbers, wraps, grown, anew, made, behind, pieces, clamped). TAP.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/../.."
# shellcheck source=grader/tests/tap.sh
source grader/tests/tap.sh
top=$(mktemp -d)
trap 'rm -rf "$top"' EXIT

cat >"$top/right.c" <<'END'
#include <math.h>
#include <stddef.h>
typedef struct { int Br, Bc; } sizes;
typedef struct { float m, l; } state;
static void begin(state *s, int Br, int Bc) { s->m = -INFINITY, s->l = Br - Bc; }
static float two(float x) { const float log2e = 1.44269504f; return exp2f(x * log2e); }
static float softmax(float *p, const float *s, size_t n, size_t i, size_t past) {
    float top = -INFINITY, z = 0.0f;
    for (size_t j = 0; j < n; j++) {
        if (j > i + past) p[j] = -INFINITY;
        if (s[j] > top) {
            z = z * expf(top - s[j]) + 1.0f;
            top = s[j];
        } else {
            z += two(s[j] - top);
        }
    }
    return z;
}
void tiles(float *O, const float *S, int n, sizes t) {
    const int Br = t.Br == 0 ? 32 : t.Br, Bc = t.Bc == 0 ? 64 : t.Bc;
    state w;
    for (int i = 0; i < n; i += Br) {
        begin(&w, Br, Bc);
        w.l += softmax(O, S, n, i, 0);
        O[i] = w.l;
    }
}
END

# undone OLD NEW: in a file in which OLD, once, is NEW, a change makes it right
undone() {
    local text new
    text=$(<"$top/right.c") new=${text/"$1"/"$2"}
    [[ $text != "$new" ]] || complain "there is no $1"
    printf '%s\n' "$new" >"$top/wrong.c"
    run build/bin/edits "$top/wrong.c" --reaches "$top/right.c" --limit 1500
    ((${out%% *} > 0 && ${out%% *} <= 60)) || complain "$2: change $out"
}
undone 'log2e = 1.44269504f' 'log2e = 0.69314718f'
claim an_inverse_of_a_known_number_is_tried
undone 'p[j] = -INFINITY' 'p[j] = -100.0f'
claim a_number_that_hides_becomes_minus_infinity
undone 'j > i + past' 'j - i > past'
claim a_difference_without_a_sign_becomes_a_sum
undone 'z = z * expf(top - s[j]) + 1.0f;' 'z += 1.0f;'
undone 'z = z * expf(top - s[j]) + 1.0f;' 'z = z * expf(top - s[j]);'
claim a_sum_follows_the_maximum_that_grows
undone 'begin(&w, Br, Bc)' 'begin(&w, t.Br, t.Bc)'
claim what_was_made_of_fields_is_handed_over_in_their_place
undone $'    for (int i = 0; i < n; i += Br) {\n        begin(&w, Br, Bc);' \
    $'    begin(&w, Br, Bc);\n    for (int i = 0; i < n; i += Br) {'
claim a_call_before_a_loop_is_tried_in_each_round

# tried FILE TEXT: one of its changes makes TEXT, or something with it
tried() {
    run build/bin/edits "$top/$1" "$top/out.c" "$top/table.tsv" --limit 100000
    [[ $(cut -f 8 "$top/table.tsv") == *"$2"* ]]
}
cat >"$top/odd.c" <<'END'
#include <stdlib.h>
typedef struct { float *s, *acc, *m; } room;
int begin(room *w, int n) {
    w->s = malloc(n * sizeof(float));
    if (!w->s) return 0;
    w->m = w->acc + n;
    w->acc = w->s + n;
    return 1;
}
END
cat >"$top/odd.cu" <<'END'
__device__ float all(float x) {
    x += __shfl_xor_sync(0xffffffff, x, 1);
    x += __shfl_xor_sync(0xffffffff, 2, x);
    x += __shfl_xor_sync(0xffffffff, x, 4);
    return x;
}
END
! tried odd.c 'w->acc = malloc(' || complain 'what is set is asked for once more'
! tried odd.cu 'x += __shfl_xor_sync(0xffffffff, x, 2)' || complain 'a call with its arguments exchanged comes twice'
sed -i '/2, x/d' "$top/odd.cu"
tried odd.cu 'x += __shfl_xor_sync(0xffffffff, x, 2)' || complain 'a step that is missing is not tried'
claim what_stands_there_in_another_form_does_not_come_a_second_time

# behind FILE OLD NEW MOST: in walks.FILE with NEW for OLD, a change among the likeliest makes it right again
behind() {
    local text new
    text=$(<"$top/walks.$1") new=${text/"$2"/"$3"}
    [[ $text != "$new" ]] || complain "there is no $2"
    printf '%s\n' "$new" >"$top/wrong.$1"
    run build/bin/edits "$top/wrong.$1" --reaches "$top/walks.$1" --limit 30000
    ((${out%% *} > 0 && ${out%% *} <= $4)) || complain "$3: change $out"
    build/bin/edits "$top/wrong.$1" "$top/out.c" "$top/table.tsv" --limit 100000
    tried=$'\n'$(cut -f 7,8 "$top/table.tsv")$'\n'
}
cat >"$top/walks.c" <<'END'
#include <math.h>
#include <stddef.h>
enum { PIECE = 128, ROWS = 4 };
static size_t smaller(size_t a, size_t b) { return a < b ? a : b; }
void product(float *y, const float *x, size_t cols, size_t rows) {
    for (size_t k0 = 0; k0 < cols; k0 += PIECE) {
        const size_t k1 = smaller(k0 + PIECE, cols);
        for (size_t k = k0; k < k1; k++) y[rows] += x[k];
    }
}
void add(float *C, const float *A, const float *b, int n, int step) {
    float sum[ROWS] = {0};
    for (int k = 0; k < n; k++) {
        for (int r = 0; r < ROWS; r++) sum[r] += A[r * n + k] * b[k];
    }
    for (int r = 0; r < ROWS; r++) C[r * step] += sum[r];
}
void hide(float *s, int first, int n, int keys) {
    int c = first + 1 - keys;
    if (c < 0) c = 0;
    for (; c < n; c++) s[c] = -INFINITY;
}
int blocks(int n, int Br, int Bc) {
    int rows = Br > 0 ? Br : 32, last = Br + 64, left = Br + n;
    for (int i = 0; i < n; i += rows) left -= Bc;
    return left + last;
}
END
cat >"$top/walks.cu" <<'END'
__global__ void dots(float *y, const float *x, int cols, float alpha) {
    __shared__ float row[16];
    float all = 0.0f;
    for (int k = 0; k < cols; k += 16) {
        row[threadIdx.x] = x[k + threadIdx.x];
        __syncthreads();
        for (int l = 0; l < 16; l++) all += row[l];
        __syncthreads();
    }
    all *= alpha;
    y[0] = all;
}
END
behind c 'smaller(k0 + PIECE, cols)' 'k0 + PIECE' 100
for hides in $'PIECE\tcols' $'k0 + PIECE\tcols'; do
    [[ $tried != *$'\n'"$hides"$'\n'* ]] || complain "all of the walk is one piece: $hides"
done
claim the_last_piece_of_a_walk_ends_where_the_walk_does
store='    for (int r = 0; r < ROWS; r++) C[r * step] += sum[r];'
behind c $'    }\n'"$store" "    $store"$'\n    }' 20
[[ $(grep -P '\t15\t.*sum\[r\] \+=' "$top/table.tsv" | cut -f 7,8) != *$'+=\t='* ]] ||
    complain 'a sum that begins anew hides that it is stored in each round'
behind cu $'    }\n    all *= alpha;' $'        all *= alpha;\n    }' 20
behind cu $'    }\n    all *= alpha;' $'    all *= alpha;\n    }' 20
claim what_a_loop_sums_up_is_scaled_and_stored_behind_it
behind c $'    if (c < 0) c = 0;\n' '' 40
claim a_counter_that_begins_at_a_difference_begins_at_0
behind c 'left -= Bc' 'left -= rows' 1000
[[ $tried != *'if (rows > n)'* && $tried == *'if (left > n)'* && $tried == *'if (last > n)'* ]] ||
    complain 'a tile is cut off at a size, or an end is not'
claim no_tile_is_cut_off_at_a_size_of_the_shape
plan
