#!/usr/bin/env bash
# own_offsets.sh: where something lies, and what it is counted by: a pointer without its offset (grader/repair/edits:
# same_offset, offset), a row without its length or its column (wide), one more digit of a number (quotients), the other
# one of two buffers (buffers), the lanes of a group (lanes), a step of two counters (strided), the last of several
# (lasts), a row that was made of its number in a tile (made), a length or a count that is no factor (rows). And what is
# left out: an element that is put back (in_place), a sum to which nobody adds (never_added), the maximum in the
# logarithm of a sum (states), a factor and a limit that nobody reads (terms, kept), what is done to one of two (filled,
# siblings), a maximum of magnitudes (magnitudes); the place of a tile that is added twice (twice_placed), and what is 0
# in every thread (zero). The change that undoes it is among the likeliest. TAP.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/../.."
# shellcheck source=grader/tests/undone.sh
source grader/tests/undone.sh
likely=450

cat >"$top/right.cu" <<'E'
#include <math.h>
constexpr int ROWS = 8, TILE = 32, LANES = 8;
struct attn_cache { int batch, heads, head_dim; };
namespace {
class State {
    static constexpr unsigned all = 0xffffffffu;
    float top, sum;
  public:
    __device__ State(float t) : top(t), sum(1.0f) {}
    friend __device__ State operator+(const State &a, const State &b) {
        State x(fmaxf(a.top, b.top));
        x.sum = a.sum * expf(a.top - x.top) + b.sum * expf(b.top - x.top);
        return x;
    }
    __device__ float lse() const { return top + logf(sum); }
};
__device__ void dots(float *s, const float *q, const float *k, int D) {
    for (int d = 0; d < D; d++) *s += q[d] * k[d];
}
__device__ void add(float *o, float p, const float *v, int D) {
    for (int d = 0; d < D; d++) o[d] += p * v[d];
}
__device__ void load(float *to, const float *from, int D) {
    for (int d = 0; d < D; d++) to[d] = from[d];
}
__global__ void walk(float *O, const float *Q, const float *K, const float *V, int n, int D) {
    __shared__ float tile[2][TILE], ks[TILE], vs[TILE];
    float o[4] = {0}, s = 0;
    State all(-INFINITY);
    for (int c = 0; c < n; c++) {
        load(ks, K + c * D, D);
        load(vs, V + c * D, D);
        dots(&s, Q, K + c * D, D);
        add(o, s, V + c * D, D);
        tile[(c + 1) % 2][threadIdx.x] = o[0] + ks[0] * vs[0];
        const int row = threadIdx.x * ROWS + c;
        if (row + n > D) O[c] = 0;
        for (int w = LANES / 2; w > 0; w /= 2) s += __shfl_xor_sync(0xffffffffu, s, w);
        all = all + State(s);
    }
    for (int q = 0, row = 0; q < TILE / ROWS; q++, row += ROWS) O[row] = tile[0][q];
    O[0] = all.lse();
}
__global__ void mask(float *S, int total, int sq, int sk) {
    for (int e = threadIdx.x; e < total; e += blockDim.x) {
        const int key = int(e % sk), query = int(e / sk % sq);
        if (key > query) S[e] = -INFINITY;
    }
}
__global__ void rows_of_all(float *S, int queries) {
    const size_t row = blockIdx.x;
    const int query = int(row % queries);
    S[row] = query;
}
__global__ void scale(float *S, const float *T, float *L, float by, int total, int D) {
    const int e = blockIdx.x * blockDim.x + threadIdx.x, row = blockIdx.x, rows = gridDim.x, part = blockIdx.y;
    if (e >= total) return;
    S[e] = S[e] > 0 ? S[e] * by : -INFINITY;
    S[e] += T[(size_t)(row + 1) * D + e];
    L[size_t(row) * rows + part] = 0;
}
__global__ void parts(float *O, float *L, attn_cache c, int n, float scale) {
    const int t = threadIdx.x, s = blockIdx.y, bh = blockIdx.x, first = blockIdx.z * ROWS, part = bh * n + s;
    L += bh * n + s;
    for (int d = t; d < c.head_dim; d += TILE) O[part * c.head_dim + d] = first * scale;
    if (bh < c.batch * c.heads) L[0] = 0;
}
__global__ void last_tile(float *O, int rows) {
    const int first = blockIdx.x * ROWS, row = first + threadIdx.x;
    float x = row < rows ? O[row] : 0;
    __syncthreads();
    if (row >= rows) return;
    O[row] = x;
}
__global__ void tree(float *x) {
    const int t = threadIdx.x;
    for (int n = 128; n > 0; n /= 2) {
        if (t < n) x[t] += x[t + n];
        __syncthreads();
    }
}
__global__ void move(float *O, const float *Q, int Sq, int D) {
    const size_t head = blockIdx.x;
    O += head * Sq * D;
    Q += head * Sq * D;
    O[threadIdx.x] = Q[threadIdx.x];
}
}
E
undone right.cu 'add(o, s, V + c * D, D)' 'add(o, s, V, D)'
undone right.cu 'dots(&s, Q, K + c * D, D)' 'dots(&s, Q, K, D)'
claim a_pointer_gets_the_offset_of_another_one
undone right.cu 'e / sk % sq' 'e / sk'
undone right.cu 'int(row % queries)' 'int(row)'
claim a_row_of_all_is_a_row_of_one_matrix
undone right.cu '(c + 1) % 2' 'c % 2'
claim the_other_one_of_two_buffers_is_tried
undone right.cu 'w = LANES / 2' 'w = 16'
claim half_of_a_group_of_lanes_is_tried
undone right.cu 'row += ROWS' 'row++'
claim a_second_counter_goes_on_by_what_the_first_one_is_divided_by
undone right.cu 'top + logf(sum)' 'logf(sum)'
claim a_maximum_is_added_to_the_logarithm_of_a_sum
undone right.cu 'row + n > D' 'c + n > D'
claim what_was_made_of_a_number_is_tried_in_its_place
undone right.cu 'S[e] * by' 'S[e]'
undone right.cu $'    if (e >= total) return;\n' ''
claim what_nobody_reads_is_a_factor_or_a_limit
undone right.cu $'    if (row >= rows) return;\n' ''
claim before_its_last_statement_a_kernel_asks_for_the_limit
undone right.cu '(size_t)(row + 1) * D' '(size_t)(row + 1)'
undone right.cu 'size_t(row) * rows + part' 'size_t(row) * rows'
claim a_row_is_as_long_as_others_and_has_columns
undone right.cu 'x[t] += x[t + n]' 'x[t] += x[t]'
claim of_an_element_twice_the_second_one_is_further_on
undone right.cu $'        load(vs, V + c * D, D);\n' '' 550
undone right.cu $'    O += head * Sq * D;\n' '' 550
claim what_is_done_to_one_pointer_is_done_to_the_other
undone right.cu 'blockIdx.z * ROWS' 'blockIdx.z + ROWS'
undone right.cu 'first * scale' 'first + scale'
claim what_is_added_is_multiplied
undone right.cu 'part = bh * n + s' 'part = bh + s'
undone right.cu 'L += bh * n + s' 'L += bh * n'
undone right.cu 'c.batch * c.heads' 'c.batch'
claim rows_have_lengths_batches_have_heads_and_parts_have_numbers
undone right.cu 'd += TILE' 'd = TILE'
claim a_loop_goes_on_by_its_step

# What is private, static, or of a friend's arguments, is no obstacle where changes are data.
build/bin/edits "$top/right.cu" "$top/plain.cu" "$top/table.tsv" --limit 8000 --hooks "$top/hooked.txt"
cp "$top/hooked.txt" "$top/hooked.cu"
grader/simt/simtcc -w -fno-access-control -fPIC -c -o "$top/hooked.o" "$top/hooked.cu" 2>"$top/log" ||
    complain "$(head -3 "$top/log")"
claim a_class_with_private_fields_a_friend_and_a_static_member_has_its_changes_as_data

cat >"$top/right.c" <<'E'
#include <math.h>
#define SUM(r) (sums[r])
typedef struct { float *p; int n; } view;
typedef struct { const float *p; int n; } cview;
float *at(view x, int i) { return &x.p[i * x.n]; }
float get(cview x, int i) { return x.p[i * x.n]; }
float total(float *p, const float *s, int n, float m) {
    float sum = 0;
    for (int c = 0; c < n; c++) {
        p[c] = expf(s[c] - m);
        sum += p[c];
    }
    return sum;
}
float weigh(float *s, int n, float m) {
    float sum = 0;
    for (int c = 0; c < n; c++) sum += s[c] = expf(s[c] - m);
    return sum;
}
typedef struct { int n_q, n_k; } sizes;
typedef struct { float *out; sizes shape; } problem;
void ends(const problem *p, float *o, int tile, int n) {
    if (tile > n) tile = n;
    for (int i = 0; i < n; i += tile) o[i] = p->shape.n_q * 2;
}
void rows(float *sums, view P, cview S, int i0, int i1, int n, int causal, int offset, float fade, float m) {
    for (int i = i0; i < i1; i++) SUM(i) = SUM(i) * fade + weigh(at(P, i), n, m);
    for (int j0 = 0; j0 < n; j0++) {
        if (causal && j0 > i1 - 1 + offset) break;
        *at(P, j0) = get(S, j0) / n;
    }
}
E
undone right.c 's[c] = expf(s[c] - m)' 'expf(s[c] - m)'
claim what_is_summed_up_is_put_back
undone right.c $'        sum += p[c];\n' ''
claim a_sum_that_stays_0_is_added_to
undone right.c 'SUM(i) * fade + weigh(at(P, i), n, m)' '(SUM(i) + weigh(at(P, i), n, m)) * fade'
claim a_factor_of_a_sum_is_one_of_its_first_part
undone right.c 'j0 > i1 - 1 + offset' 'j0 > i0 + offset'
claim the_last_of_several_is_where_their_loop_ends
undone right.c 'p->shape.n_q * 2' 'p->shape.n_k * 2' 700
claim another_field_of_a_struct_within_a_struct_is_tried

# With one tile as large as the sequence all claims hold, whatever is wrong between tiles.
bad=$(build/bin/edits "$top/right.c" "$top/out.c" "$top/table.tsv" --limit 30000 &&
    awk -F '\t' '$9 ~ /^tile > n$/ && $10 !~ /tile > n/' "$top/table.tsv")
[[ ! $bad ]] || complain "$bad"
claim a_tile_that_is_cut_off_at_the_sequence_stays_so

# A compiler that stops at its first error is not to meet what another function takes, or an address of no place.
build/bin/edits "$top/right.c" "$top/out.c" "$top/table.tsv" --limit 30000
bad=$(awk -F '\t' '($7 == "at" && $8 == "get") || ($7 == "get" && $8 == "at") || $10 ~ /&\(.*\?/' "$top/table.tsv")
[[ ! $bad ]] || complain "$bad"
claim what_does_not_fit_a_function_or_has_no_address_is_not_tried
bad=$(awk -F '\t' '$10 ~ /\<n \/ n\>/ || $10 ~ /get\(S, j0\) \/ get\(S, j0\)/' "$top/table.tsv")
[[ ! $bad ]] || complain "$bad"
claim nothing_is_divided_by_itself
cat >"$top/parts.c" <<'E'
#include <stdlib.h>
typedef struct { float *S, *O, *Kt, *m; } tile;
static tile make_tile(int Br, int Bc, int D) {
    const size_t scores = (size_t)Br * Bc, output = (size_t)Br * D, keys = (size_t)D * Bc;
    float *S = malloc(sizeof(float) * (scores + output + keys + Br));
    float *O = S + scores, *Kt = O + output, *m = Kt + keys;
    return (tile){S, O, Kt, m};
}
E
undone parts.c 'Kt = O + output' 'Kt = O + keys' 60
undone parts.c 'm = Kt + keys' 'm = Kt + output' 60
claim a_part_begins_behind_another_length_that_memory_was_asked_for
cat >"$top/heads.c" <<'E'
typedef struct { int batch, heads, seq_q, seq_kv, head_dim; } sizes;
typedef struct { const float *at; int rows, cols; } matrix;
static matrix dense(const float *at, int rows, int cols) { return (matrix){at, rows, cols}; }
matrix head(const float *Y, sizes shape, int b, int h, int seq) {
    return dense(Y + ((long)b * shape.heads + h) * seq * shape.head_dim, seq, shape.head_dim);
}
E
undone heads.c '* seq *' '* shape.seq_q *' 40
claim what_a_function_is_given_is_meant_rather_than_a_member
cat >"$top/sums.c" <<'E'
#include <math.h>
typedef struct { float *sum, *corr, *top, *tile; } scratch;
void begin(scratch w, int n) {
    for (int i = 0; i < n; i++) w.sum[i] = 0.0f;
}
void softmax(scratch w, int n, int cols) {
    for (int i = 0; i < n; i++) w.sum[i] *= w.corr[i];
    for (int j = 0; j < cols; j++)
        for (int i = 0; i < n; i++) {
            const float p = expf(w.tile[j * n + i] - w.top[i]);
            w.tile[j * n + i] = p;
            w.sum[i] += p;
        }
}
E
added() {
    build/bin/edits "$top/$1" "$top/out.c" "$top/table.tsv"
    run awk -F'\t' '$8 == "w.sum[i] += p;" && $2 == 3' "$top/table.tsv"
}
added sums.c
[[ -z $out ]] || complain "it is added already: $out"
sed 's/w.sum\[i\] += p;//' "$top/sums.c" >"$top/never.c"
added never.c
[[ -n $out ]] || complain 'it is not offered'
claim what_is_rescaled_and_never_added_to_gets_the_exponential

cat >"$top/tiles.cu" <<'E'
enum { TILE = 32 };
__global__ void sum(float *C, const float *A, int m, int k) {
    const size_t z = blockIdx.z;
    const int top = blockIdx.y * TILE, side = blockIdx.x * TILE;
    const float *a = A + z * m * k;
    C += z * m * k;
    C[(top + threadIdx.x) * k + side] = a[(top + threadIdx.x) * k + side];
}
void launch(float *C, const float *A, int m, int k) { sum<<<dim3(k / TILE, m / TILE, 2), TILE>>>(C, A, m, k); }
E
# placed OLD NEW CHANGE: the place of the tile is added in NEW, and CHANGE leaves it out
placed() {
    sed "s/$1/$2/" "$top/tiles.cu" >"$top/twice.cu"
    build/bin/edits "$top/twice.cu" "$top/out.cu" "$top/table.tsv" --limit 100000
    run awk -F'\t' -v now="$3" '$2 == 3 && $6 == "added twice" && $10 == now' "$top/table.tsv"
    [[ -n $out ]] || complain "$2 does not become $3"
}
placed 'A + z \* m \* k' 'A + (z * m + top) * k' 'A + (z * m) * k'
placed 'C += z \* m \* k' 'C += (z * m + top) * k' 'C += (z * m) * k'
placed 'A + z \* m \* k' 'A + (z * m + blockIdx.y * TILE) * k + side' 'A + (z * m) * k'
claim the_place_of_a_tile_that_is_added_twice_is_left_out
number='$7 == "blockIdx" && $8 == "threadIdx" && $9 ~ /threadIdx[.]y|blockIdx[.]y/'
run awk -F'\t' "$number"' || $8 == "/" && !$11 && $10 ~ /blockIdx.y [\/] TILE/' "$top/table.tsv"
[[ -z $out ]] || complain "it is 0 in every thread: $out"
sed -i 's/, TILE>>>/, dim3(TILE, 8)>>>/' "$top/twice.cu"
build/bin/edits "$top/twice.cu" "$top/out.cu" "$top/table.tsv" --limit 100000
run awk -F'\t' "$number" "$top/table.tsv"
[[ -n $out ]] || complain 'blocks of two dimensions have that number'
claim what_is_0_in_every_thread_is_not_tried

cat >"$top/tops.cu" <<'E'
struct state { float top, sum; };
__device__ void start(state *w) { w->top = -INFINITY, w->sum = 0.0f; }
__global__ void rows(float *O, const float *s, int n) {
    float e = 0.0f, m = -INFINITY, l = 0.0f;
    for (int c = 0; c < n; c++) {
        float now = m;
        now = fmaxf(now, s[c]);
        l = l * expf(m - now) + expf(s[c] - now);
        m = now;
    }
    O[threadIdx.x] = e + m + logf(l);
}
__device__ void add(state *w, const float *p, int n) {
    float most = w->top;
    for (int c = 0; c < n; c++)
        if (p[c] > most) most = p[c];
    w->sum *= expf(w->top - most);
    for (int c = 0; c < n; c++) w->sum += expf(p[c] - most);
    w->top = most;
}
E
undone tops.cu 'fmaxf(now, s[c])' 'fmaxf(now, fabsf(s[c]))' 30
undone tops.cu 'if (p[c] > most) most = p[c]' 'if (fabsf(p[c]) > most) most = fabsf(p[c])' 60
claim the_largest_score_is_no_largest_magnitude
sed -i 's/m = -INFINITY, l/m = 0.0f, l/; s/fmaxf(now, s\[c\])/fmaxf(now, fabsf(s[c]))/' "$top/tops.cu"
build/bin/edits "$top/tops.cu" "$top/out.cu" "$top/table.tsv" --limit 30
run awk -F'\t' '$6 == "magnitude" && $8 == "-INFINITY ... s[c]" { print $3 }' "$top/table.tsv"
[[ $out == 4 ]] || complain "m begins with 0 in line 4, not $out"
claim a_maximum_of_magnitudes_that_begins_with_0_is_mended_in_both_lines
plan
