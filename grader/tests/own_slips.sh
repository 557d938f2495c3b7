#!/usr/bin/env bash
# own_slips.sh: slips of files for the CPU in a file that has a place for each of them: the change that undoes one is
# among the likeliest (grader/repair/edits: numbers, wraps, grown, anew, made). TAP.
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
plan
