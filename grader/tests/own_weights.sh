#!/usr/bin/env bash
# own_weights.sh: exp(s - m) in files of a student's own: an m that is raised in the first round alone
# (grader/repair/edits: first_alone), exponentials that are summed up and are no weights (in_place, made), a thread that
# adds up its own keys alone for its own column (loops). TAP.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/../.."
# shellcheck source=grader/tests/undone.sh
source grader/tests/undone.sh
likely=100

cat >"$top/tile.cu" <<'END'
#include <math.h>
struct tile { float *s, *v; };
__device__ float largest(float x) { return x; }
__global__ void attend(tile t, float *O, float *old, int n, int D) {
    const int lane = threadIdx.x % 32, d = lane + 32 * threadIdx.y;
    for (int j0 = 0; j0 < n; j0 += 32) {
        float best = -INFINITY, sum = 0.0f, o = 0.0f, p[32];
        for (int c = 0; c < 32; c++) best = fmaxf(best, p[c]);
        best = fmaxf(old[0], largest(best));
        for (int c = 0; c < 32; c++) {
            const float e = expf(p[c] - best);
            sum += e;
            o += e * t.v[c * D + d];
        }
        float second = old[1];
        for (int c = 0; c < 32; c++) second = fmaxf(second, t.s[c]);
        for (int c = 0; c < 32; c++) sum += t.s[c] = expf(t.s[c] - second);
        for (int c = 0; c < 32; c++) o += t.s[c] * t.v[c * D + d];
        for (int c = lane; c < 32; c += 32) sum += t.s[c];
        O[d] = o / sum;
    }
}
END
undone tile.cu 'fmaxf(old[0], largest(best))' 'j0 == 0 ? largest(best) : old[0]'
undone tile.cu '            o += e' '            o += p[c]'
undone tile.cu 'sum += t.s[c] = expf' 'sum += expf'
undone tile.cu $'c = 0; c < 32; c++) o += t.s' $'c = lane; c < 32; c += 32) o += t.s'
claim what_is_a_weight_and_of_which_keys

changes() { # of a kind in that file: line, old text, new text
    build/bin/edits "$top/$1" "$top/out.cu" "$top/table.tsv" --limit 30000
    awk -F'\t' -v kind="$2" '$6 == kind { printf "%s:%s>%s ", $3, $7, $8 }' "$top/table.tsv"
}
sed -e '16s/for/if (j0 == 0) for/' -e '9s/.*/if (j0 > 0) best = old[0];/' "$top/tile.cu" >"$top/once.cu"
found=$(changes once.cu always)
[[ $found == *'16:j0 == 0>1 '* ]] || complain "always: $found"
found=$(changes once.cu raised)
[[ $found == '9:j0 > 0 ... old[0]>1 ... fmaxf(best, old[0]) ' ]] || complain "raised: $found"
claim a_maximum_is_raised_in_every_round

# Line 19 adds up what each thread has of one row: its own loop is right, and what joins them is missing.
found=$(changes tile.cu loop)
[[ $found != *'19:lane ... c += 32'* ]] || complain "loop: $found"
sed '9s/.*/best = sum > 0 ? sum : -INFINITY; o = j0 == 0 ? sum : o;/' "$top/tile.cu" >"$top/other.cu"
found=$(changes other.cu raised)
[[ ! $found ]] || complain "raised: $found"
claim what_is_no_maximum_and_what_is_shared_out_stay
plan
