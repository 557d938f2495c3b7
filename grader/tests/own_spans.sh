#!/usr/bin/env bash
# own_spans.sh: the distances over which the lanes of a group exchange, a flag that is set by a comparison, and grids
# with a block for each sequence alone (grader/repair/edits: shuffle_span, conditions, of_batch). TAP.
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

cat >"$top/grids.cu" <<'END'
struct attn_cache { int batch, heads, head_dim; };
namespace kv {
__global__ void push(float *K, const float *k, attn_cache c) { K[blockIdx.x * c.heads] = k[0]; }
__global__ void walk(float *O, const int *n, attn_cache c) { O[blockIdx.x] = n[blockIdx.x / c.heads]; }
__global__ void join(float *O, int D) { O[blockIdx.x * D] = 0; }
}
void append(float *K, attn_cache cache) { kv::push<<<cache.batch, 64>>>(K, K, cache); }
void decode(float *O, const int *n, attn_cache cache) {
    kv::walk<<<dim3(cache.batch * cache.heads, 2), 64>>>(O, n, cache);
    kv::join<<<cache.batch * cache.heads, 64>>>(O, cache.head_dim);
}
void split(float *O, const int *n, attn_cache cache) {
    const int rows = cache.batch * cache.heads;
    kv::walk<<<dim3(rows, 4), 64>>>(O, n, cache);
}
END
right=$(<"$top/grids.cu")
undone grids.cu "$right" "${right//batch \* cache.heads/batch}"
undone grids.cu "$right" "${right//cache.batch \* cache/cache}"
claim a_block_for_each_head_of_each_sequence_in_all_grids
plan
