#!/usr/bin/env bash
# own_sums.sh: a sum that stays what it began with, beside one that is brought up to date, and one that nobody stores:
# the missing statement is among the likeliest changes (grader/repair/edits: summed, stored), and the text says what is
# computed and not read, or read and not computed (unused). Terms that differ in x, y, z and w (letters), and how many
# tiles all heads have (rounds_up). Sums of parts and of threads, each brought to the maximum of all (brought). TAP.
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

cat >"$top/right.c" <<'E'
#include <math.h>
#include <stdlib.h>
void scores(float *m, const float *q, const float *k, int n, int D, float scale, float *w) {
    float top = -INFINITY;
    for (int c = 0; c < n; c++) {
        float dot = 0;
        for (int d = 0; d < D; d++) dot += q[d] * k[c * D + d];
        w[c] = scale * dot;
        if (w[c] > top) top = w[c];
    }
    m[0] = top;
}
void rows(float *O, float *l, float *m, float *s, float *acc, int n, int D) {
    float copy[64];
    float *part = malloc(n * sizeof(float));
    int fresh = 0, all = 1, one = 0, two = 0;
    for (int r = 0; r < n; r++) {
        l[r] = 0;
        fresh += m[r] > 0;
        if (m[r] < 0) all = 0;
        (m[r] > 1 ? one : two)++;
    }
    for (int r = 0; r < n; r++) {
        float old = m[r], sum = 0;
        for (int c = 0; c < n; c++) sum += part[c] = s[c];
        float a = expf(old - m[r]);
        l[r] = l[r] * a + sum;
        copy[r] = l[r];
        for (int d = 0; d < D; d++) acc[r * D + d] *= a;
    }
    if (fresh == n || all || one > two) O[0] = copy[0] / l[0] * part[0];
    free(part);
}
E
undone right.c $'        w[c] = scale * dot;\n' '' 250
undone right.c $'        l[r] = l[r] * a + sum;\n' '' 150
claim what_is_computed_is_stored_where_it_is_read

# idle_in OLD NEW: what the text of the file says in which OLD is NEW
idle_in() {
    local text
    text=$(<"$top/right.c")
    printf '%s\n' "${text/"$1"/"$2"}" >"$top/wrong.c"
    run build/bin/edits "$top/wrong.c" --idle .
}
idle_in 'no such text' ''
[[ ! $(grep -E '^(unread|unset|still)' <<<"$out") ]] || complain "$out"
idle_in '        w[c] = scale * dot;' ''
says $'unread\tdot\t7'
idle_in 'copy[0]' '1'
says $'unread\tcopy\t28'
idle_in 'sum += part[c] = s[c]' 'sum += s[c]'
says $'unset\tpart\t31'
idle_in '        copy[r] = l[r];' ''
says $'unset\tcopy\t31'
idle_in '        fresh += m[r] > 0;' ''
says $'still\tfresh\t0\t16\t31'
idle_in '        if (m[r] < 0) all = 0;' ''
says $'still\tall\t1\t16\t31'
says_not $'still\tone'
claim what_nobody_reads_sets_or_changes_is_told

# What is scaled behind the loop that adds to it, whose new part is then scaled, too.
likely=100
for kind in c cu; do
    cat >"$top/right.$kind" <<'E'
#include <math.h>
void tile(float (*o)[4], float *m, float *l, float *p, const float *v, int rows, int keys, int pitch) {
    for (int r = 0; r < rows; r++) {
        float top = m[r];
        for (int b = 0; b < keys; b++) top = fmaxf(top, p[b]);
        const float keep = expf(m[r] - top);
        m[r] = top;
        l[r] *= keep;
        for (int e = 0; e < 4; e++) o[r][e] *= keep;
        for (int b = 0; b < keys; b++) {
            p[b] = expf(p[b] - top);
            l[r] += p[b];
            for (int src = 0; src < 32; src++) {
                const float w = p[b] * v[src + pitch * b];
                const float *const row = v + (src + 32 * b) * pitch;
                for (int e = 0; e < 4; e++) {
                    const int d = src + 32 * e;
                    if (d < pitch) o[r][e] += w * row[d] * v[d + pitch * src];
                }
            }
        }
    }
}
E
    text=$(<"$top/right.$kind") scale=$'        for (int e = 0; e < 4; e++) o[r][e] *= keep;\n'
    loop=${text#*"$scale"} sum=$'        l[r] *= keep;\n'
    loop=${loop%$'    }\n}'}
    undone "right.$kind" "$scale$loop" "$loop$scale"
    printf '%s\n' "${text/"$scale"/}" >"$top/sum.$kind"
    undone "sum.$kind" "$sum$loop" "$loop$sum"
    build/bin/edits "$top/right.$kind" "$top/out.$kind" "$top/table.tsv" --limit 30000 >"$top/out"
    again=$(awk -F '\t' '$7 == $8 && $7 ~ /keep/ && $2 <= 2' "$top/table.tsv")
    [[ ! $again ]] || complain "$again"
done
claim what_is_scaled_too_late_moves_before_the_loop_that_adds_to_it

cat >"$top/terms.cu" <<'E'
__device__ float four(float4 q, float4 k) { return q.x * k.x + q.y * k.y + q.z * k.z + q.w * k.w; }
__device__ float sum(float4 q, float4 k, float s) {
    return fmaf(q.x, k.x, fmaf(q.y, k.y, fmaf(q.z, k.z, q.w * k.w))) + s;
}
__device__ float most(const float4 *v, float m) {
    return fmaxf(v[0].y, fmaxf(v[0].x, fmaxf(fmaxf(v[0].z, v[0].w), m)));
}
__device__ int place(const int4 n) { return blockIdx.x * blockDim.x + threadIdx.x + (blockIdx.y + blockDim.y) * n.x; }
E
build/bin/edits "$top/terms.cu" "$top/out.cu" "$top/table.tsv" --limit 30000
[[ ! $(awk -F '\t' '$6 == "field" && $2 == 2' "$top/table.tsv") ]] || complain "$(<"$top/table.tsv")"
undone terms.cu ' + q.w * k.w; }' '; }' 5
undone terms.cu 'fmaf(q.x, k.x, fmaf(q.y, k.y, fmaf(q.z, k.z, q.w * k.w)))' \
    'fmaf(q.y, k.y, fmaf(q.z, k.z, q.w * k.w))' 5
undone terms.cu 'fmaxf(v[0].y, fmaxf(v[0].x,' '(fmaxf(v[0].x,' 8
claim of_four_terms_that_differ_in_a_letter_one_is_missing

cat >"$top/jobs.c" <<'E'
void all(float *O, int heads, int Sq, int Br) {
    const int tiles = (Sq + Br - 1) / Br;
    for (int n = 0; n < heads * tiles; n++) O[n] = n % tiles * Br;
}
void each(float *O, int heads, int Sq, int Br) {
    for (int n = 0; n < heads * ((Sq + Br - 1) / Br); n++) O[n] = n;
}
E
undone jobs.c 'heads * tiles' 'heads * Sq / Br' 12
undone jobs.c 'heads * ((Sq + Br - 1) / Br)' 'heads * Sq / Br' 12
claim of_each_there_are_as_many_tiles_as_its_length_has
cat >"$top/mean.cu" <<'E'
__global__ void join(float *o, const float *v, const float *s, int n) {
    float m = -INFINITY, l = 0.0f, mean = 0.0f;
    for (int j = 0; j < n; j++) {
        const float top = fmaxf(m, s[j]), keep = expf(m - top), p = expf(s[j] - top);
        const float sum = l * keep + p;
        mean = mean * (keep * l / sum) + p * v[j] / sum;
        m = top, l = sum;
    }
    *o = mean;
}
E
undone mean.cu '(keep * l / sum)' '(l / sum)' 20
sed 's/mean = mean.*/mean = (mean * (keep * l) + p * v[j]) \/ sum;/' "$top/mean.cu" >"$top/over.cu"
undone over.cu '(keep * l)' 'l' 20
claim what_an_average_weighs_is_brought_to_the_new_maximum
cat >"$top/brought.cu" <<'E'
__global__ void rows(float *P, const float *S, float *room, int n) {
    float m = -INFINITY, l = 0.0f;
    walk(m, l, S, n);
    const float own = m; m = max_of(m, room); if (own < m) l *= expf(own - m);
    l = sum_of(l, room);
    P[0] = expf(S[0] - m) / l;
}
__global__ void handed(float *P, const float *S, float *room, int n) {
    float m = -INFINITY, l = 0.0f;
    walk(m, l, S, n);
    const float all = max_of(m, room);
    const float sum = sum_of(l * expf(m - all), room);
    P[0] = expf(S[0] - all) / sum;
}
void parts(float *P, const float *ms, const part *all, int warps) {
    float m = -INFINITY, l = 0.0f, z = 0.0f, top = -INFINITY;
    for (int w = 0; w < warps; w++) m = fmaxf(m, ms[w]);
    for (int i = 0; i < warps; i++) l += all[i].l * expf(ms[i] - m);
    for (int w = 0; w < warps; w++) {
        z *= expf(top - fmaxf(top, ms[w])), top = fmaxf(top, ms[w]);
        z += all[w].l * expf(ms[w] - top);
    }
    P[0] = l + z;
}
void outputs(float *P, const float *ms, const float *ls, const float *os, int warps, int D) {
    float m = -INFINITY, l = 0.0f;
    for (int w = 0; w < warps; w++) m = fmaxf(m, ms[w]);
    for (int w = 0; w < warps; w++) l += ls[w] * expf(ms[w] - m);
    for (int d = 0; d < D; d++) {
        float o = 0.0f;
        for (int w = 0; w < warps; w++) o += os[w * D + d] * expf(ms[w] - m);
        P[d] = o / l;
    }
}
E
undone brought.cu 'const float own = m; m = max_of(m, room); if (own < m) l *= expf(own - m);' 'm = max_of(m, room);' 40
undone brought.cu 'l * expf(m - all)' 'l' 40
undone brought.cu 'all[i].l * expf(ms[i] - m)' 'all[i].l' 40
sed 's/for (int w = 0; w < warps; w++) m = .*/for (int w = 0; w < warps; w++)\n        if (ms[w] > m) m = ms[w];/' \
    "$top/brought.cu" >"$top/asked.cu"
undone asked.cu 'all[i].l * expf(ms[i] - m)' 'all[i].l' 40
undone brought.cu 'z *= expf(top - fmaxf(top, ms[w])), top = fmaxf(top, ms[w]);
        z += all[w].l * expf(ms[w] - top);' 'top = fmaxf(top, ms[w]);
        z += all[w].l;' 40
sed 's/l += ls.*/l += ls[w];/; s/o += os.*/o += os[w * D + d];/' "$top/brought.cu" >"$top/wrong.cu"
run build/bin/edits "$top/wrong.cu" --reaches "$top/brought.cu" --limit 30000
((${out%% *} > 0 && ${out%% *} <= 40)) || complain "l and o: change $out"
claim whoever_joins_maxima_brings_the_sums_to_theirs
plan
