#!/usr/bin/env bash
# own_sums.sh: a sum that stays what it began with, beside one that is brought up to date: the missing statement is
# among the likeliest changes (grader/repair/edits: summed). TAP.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/../.."
# shellcheck source=grader/tests/undone.sh
source grader/tests/undone.sh
likely=80

cat >"$top/right.c" <<'E'
#include <math.h>
typedef struct { float top, sum, mix[64]; } part;
void online(float *O, const float *s, const float *V, int n, int D) {
    float m = -INFINITY, l = 0.0f;
    for (int d = 0; d < D; d++) O[d] = 0;
    for (int j = 0; j < n; j++) {
        const float now = fmaxf(m, s[j]), fade = expf(m - now), w = expf(s[j] - now);
        l = l * fade + w;
        for (int d = 0; d < D; d++) O[d] = O[d] * fade + w * V[j * D + d];
        m = now;
    }
    for (int d = 0; d < D; d++) O[d] /= l;
}
void plain(float *O, const float *s, const float *V, float m, int n, int D) {
    float all = 0;
    for (int j = 0; j < n; j++) {
        const float weight = expf(s[j] - m);
        all += weight;
        for (int d = 0; d < D; d++) O[d] += weight * V[j * D + d];
    }
    for (int d = 0; d < D; d++) O[d] /= all;
}
void join(part *a, const part *b, int D) {
    const float now = fmaxf(a->top, b->top), x = expf(a->top - now), y = expf(b->top - now);
    a->sum = x * a->sum + y * b->sum;
    for (int d = 0; d < D; d++) a->mix[d] = x * a->mix[d] + y * b->mix[d];
    a->top = now;
}
E
undone right.c 'l = l * fade + w;' ''
claim a_sum_fades_as_its_sister_does
undone right.c 'all += weight;' ''
claim the_weights_are_added_up
undone right.c 'a->sum = x * a->sum + y * b->sum;' ''
claim a_part_has_a_sum_that_is_joined_as_its_mix_is

build/bin/edits "$top/right.c" "$top/out.c" "$top/table.tsv" --limit 30000 >"$top/out"
again=$(awk -F '\t' '$6 == "statement" && ($8 == "l = l * fade + w;" || $8 ~ /^a->sum = x \*/)' "$top/table.tsv")
[[ ! $again ]] || complain "$again"
claim a_sum_that_is_brought_up_to_date_is_so_once
plan
