#!/usr/bin/env bash
# own_spans.sh: the distances over which the lanes of a group exchange, and a flag that is set by a comparison
# (grader/repair/edits: shuffle_span, conditions). TAP.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/../.."
# shellcheck source=grader/tests/undone.sh
source grader/tests/undone.sh
likely=40

cat >"$top/lanes.cu" <<'END'
enum { GROUP = 8, ROWS = 4, WIDE = 128 };
__device__ float largest(const float *s) {
    const int lane = threadIdx.x % GROUP;
    float m = s[lane];
    for (int w = 1; w < GROUP; w *= 2) m = fmaxf(m, __shfl_xor_sync(~0u, m, w));
    return m;
}
__device__ float added(float l) {
    for (int w = GROUP / 2; w > 0; w >>= 1) l += __shfl_xor_sync(~0u, l, w);
    return l;
}
END
undone lanes.cu 'int w = 1; w < GROUP;' 'int w = GROUP; w < 32;'
undone lanes.cu 'w < GROUP;' 'w < 32;'
undone lanes.cu 'int w = GROUP / 2; w > 0;' 'int w = 16; w >= GROUP;'
build/bin/edits "$top/lanes.cu" "$top/out.cu" "$top/table.tsv" --limit 30000
spans=$(awk -F'\t' '$6 == "span" { print $8 }' "$top/table.tsv")
[[ -z $spans ]] || complain "of another number than the group's: $spans"
cat >"$top/sides.cu" <<'END'
enum { WIDE = 8, HIGH = 16 };
__device__ float joined(float w) {
    for (int b = 1; b < WIDE; b <<= 1) w = fmaxf(w, __shfl_xor_sync(~0u, w, b));
    return w;
}
void start(float *x) { largest<<<4, dim3(WIDE, HIGH)>>>(x); }
END
undone sides.cu 'b = 1; b < WIDE;' 'b = WIDE; b < 32;'
claim lanes_of_a_group_exchange_over_the_distances_within_it

cat >"$top/flag.cu" <<'END'
static attn_status prompt(const float *Q, attn_shape shape) {
    const int narrow = shape.seq_q < 8;
    shape.causal = 1;
    return flash(Q, shape, narrow);
}
END
undone flag.cu 'shape.causal = 1' 'shape.causal = shape.seq_q < shape.seq_kv'
undone flag.cu 'shape.causal = 1' 'shape.causal = shape.batch'
flags=$(awk -F'\t' '$6 == "flag" && $8 == "1" { print $3 ": " $2 }' "$top/table.tsv")
[[ -z $flags ]] || complain "a local number is no flag: $flags"
claim a_flag_that_a_comparison_sets_is_always_set
plan
