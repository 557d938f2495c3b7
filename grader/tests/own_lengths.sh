#!/usr/bin/env bash
# own_lengths.sh: kernels of a student's own that take one length for another one wherever it stands: the rows of a
# block, the length of an array's rows, the numbers of a thread that lie side by side or apart, which number of a block
# counts more, the base of a maximum, how many numbers a struct's field has (grader/repair/edits: tiles_of_grid,
# row_lengths, digits, block_digits, one_sided, extents). TAP.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/../.."
# shellcheck source=grader/tests/undone.sh
source grader/tests/undone.sh
likely=60

cat >"$top/grid.cu" <<'E'
#define ROWS 64
#define LANES 16
__global__ void attend(float *O, const float *Q, int n, int n_tiles) {
    const int first = blockIdx.y * ROWS;
    for (int r = threadIdx.y; r < ROWS; r += LANES)
        if (first + r < n) O[first + r] = Q[first + r];
}
__global__ void attend_flat(float *O, const float *Q, int n, int n_tiles) {
    const int tile = blockIdx.x % n_tiles, row0 = tile * ROWS;
    for (int r = threadIdx.y; r < ROWS; r += LANES)
        if (row0 + r < n) O[row0 + r] = Q[row0 + r];
}
static int ceil_div(int a, int b) { return (a + b - 1) / b; }
int run(float *O, const float *Q, int heads, int n) {
    attend<<<dim3(heads, (n + ROWS - 1) / ROWS), dim3(LANES, LANES)>>>(O, Q, n, 0);
    return 0;
}
E
undone grid.cu 'blockIdx.y * ROWS' 'blockIdx.y * LANES' 20
undone grid.cu 'tile * ROWS' 'tile * LANES'
claim a_block_begins_at_as_many_rows_as_the_grid_counts
sed -i 's|(n + ROWS - 1) / ROWS|ceil_div(n, ROWS)|' "$top/grid.cu"
undone grid.cu 'blockIdx.y * ROWS' 'blockIdx.y * LANES' 20
claim it_may_be_counted_by_a_function

cat >"$top/field.cu" <<'E'
#define BC 32
#define LANES 8
enum { OWN = 16 };
typedef struct {
    float m, o[OWN];
} state;
__device__ void rescale(state *row, float m_new) {
    const float alpha = expf(row->m - m_new);
    for (int e = 0; e < OWN; e++) row->o[e] *= alpha;
    row->m = m_new;
}
E
undone field.cu 'e < OWN' 'e < LANES' 25
undone field.cu 'e < OWN' 'e < BC' 25
claim a_loop_over_a_field_ends_where_the_field_does

cat >"$top/rows.cu" <<'E'
#define BC 32
#define PITCH (BC + 1)
#define LANES 8
struct memory { float *k, *p; };
__device__ void probabilities(memory m, const float *s, int x, int y) {
    for (int b = 0; b < BC / LANES; b++) m.p[y * PITCH + x + LANES * b] = expf(s[b]);
}
__device__ float product(memory m, const float *v, int y) {
    const float *row = m.p + y * PITCH;
    float sum = 0.0f;
    for (int c = 0; c < BC; c++) sum += row[c] * v[c];
    return sum;
}
__global__ void attend(float *O, const float *S, const float *V) {
    extern __shared__ float all[];
    memory m = {all, all + BC * PITCH};
    const int x = threadIdx.x, y = threadIdx.y;
    float *ps = all + BC * PITCH, s[4];
    for (int b = 0; b < 4; b++) s[b] = S[y * BC + x + LANES * b];
    for (int b = 0; b < 4; b++) ps[y * PITCH + x + LANES * b] = expf(s[b]);
    __syncthreads();
    for (int c = 0; c < BC; c++) O[y] += ps[y * PITCH + c] * V[c];
    probabilities(m, s, x, y);
    O[y] += product(m, V, y);
}
E

# undone_in_all OLD NEW [MOST]: OLD, a pattern, is NEW wherever it stands, which is twice
undone_in_all() {
    sed "s/$1/$2/" "$top/$right" >"$top/wrong.cu"
    (($(diff "$top/$right" "$top/wrong.cu" | grep -c '^>') == 2)) || complain "$1 does not stand twice"
    run build/bin/edits "$top/wrong.cu" --reaches "$top/$right" --limit 30000
    ((${out%% *} > 0 && ${out%% *} <= ${3:-$likely})) || complain "$2: change $out"
}

right=rows.cu
undone_in_all 'ps\[y \* PITCH' 'ps[y * LANES' 110
claim all_rows_of_an_array_are_as_far_apart_as_others_are
undone_in_all 'm\.p\(.*\)y \* PITCH' 'm.p\1y * LANES' 110
claim and_those_of_a_field_in_two_functions

cat >"$top/apart.cu" <<'E'
#define BC 32
__global__ void scores(float *S, const float *q, const float *K, int D) {
    const int group = BC / 4, row = threadIdx.x / group, col = threadIdx.x % group;
    float s[4] = {0.0f, 0.0f, 0.0f, 0.0f};
    for (int d = 0; d < D; d++)
        for (int u = 0; u < 4; u++) s[u] += q[d] * K[(col + u * group) * D + d];
    for (int u = 0; u < 4; u++) S[row * BC + u * group + col] = s[u];
    for (int u = 0; u < 4; u++) S[4 * col + u] += s[u];
}
E
undone apart.cu 'u * group + col]' '4 * col + u]' 20
undone apart.cu 'S[4 * col + u]' 'S[u * group + col]' 20
claim what_a_thread_has_apart_is_not_stored_side_by_side

cat >"$top/base.cu" <<'E'
#define LOG2E 1.4426950f
__global__ void row(float *P, const float *s, float m, float old, int n) {
    float l = exp2f(old * LOG2E - m * LOG2E);
    for (int c = threadIdx.x; c < n; c += 32) l += P[c] = exp2f(s[c] * LOG2E - m * LOG2E);
    P[n] = l;
}
E
right=base.cu
undone_in_all ' - m \* LOG2E' ' - m'
claim a_factor_of_one_side_of_a_difference_is_one_of_the_other

cat >"$top/parts.cu" <<'E'
__global__ void part(float *o, const float *v, const int *lengths, int room, int n) {
    const int length = lengths[blockIdx.y], step = (length + n - 1) / n;
    const int begin = blockIdx.x * step;
    int end = begin + step;
    if (end > length) end = length;
    for (int j = begin; j < end; j++) o[blockIdx.x] += v[blockIdx.y * room + j];
}
E
sed 's/int end = begin + step;/const int end = min(length, begin + step);/; /if (end/d' "$top/parts.cu" >"$top/cut.cu"
for file in parts.cu cut.cu; do
    undone $file '(length + n - 1) / n' 'room / n' 5
    undone $file '(length + n - 1) / n' '(room + n - 1) / n' 10
done
claim what_parts_are_cut_off_at_is_what_is_shared_out

cat >"$top/splits.cu" <<'E'
#define D 64
__global__ void attend(float *O, float *L, const float *Q, int splits) {
    const size_t head = blockIdx.x;
    const int split = blockIdx.y;
    const size_t where = head * gridDim.y + split;
    O[where * D + threadIdx.x] = Q[head * D + threadIdx.x];
}
__global__ void attend_named(float *O, float *L, const float *Q, int splits) {
    const int n = gridDim.y;
    O[((size_t)blockIdx.x * n + blockIdx.y) * D + threadIdx.x] = Q[blockIdx.x * D + threadIdx.x];
    if (L) L[blockIdx.y + (size_t)blockIdx.x * n] = 0.0f;
}
__global__ void attend_flat(float *O, float *L, const float *Q, int splits, int heads) {
    const int part = blockIdx.x % splits, row = blockIdx.x / splits;
    O[(row * splits + part) * D + threadIdx.x] = Q[row * D + threadIdx.x];
}
E
undone splits.cu 'head * gridDim.y + split' 'split * gridDim.x + head' 20
undone splits.cu '((size_t)blockIdx.x * n + blockIdx.y)' '((size_t)blockIdx.y * gridDim.x + blockIdx.x)' 20
undone splits.cu 'head * gridDim.y + split' '(size_t)split * b * heads + head' 20
undone splits.cu 'row * splits + part' 'part * heads + row' 20
undone splits.cu 'row * splits + part' 'part * (gridDim.x / splits) + row' 20
claim the_splits_of_a_head_stand_side_by_side

plan
