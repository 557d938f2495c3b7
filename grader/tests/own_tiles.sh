#!/usr/bin/env bash
# own_tiles.sh: kernels of a student's own: an element at another place than it is read from, a store of all threads
# where one of them was meant, a line that its neighbours have and that is missing, and what hides that
# (grader/repair/edits: turned, asked_place, seats, letters, overwritten, first_seat, sister_calls, untaken, buffers,
# launches, extents, steps, reads, divided, nonsense). TAP.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/../.."
# shellcheck source=grader/tests/undone.sh
source grader/tests/undone.sh
likely=100

cat >"$top/right.cu" <<'END'
#define BC 32
#define ROWS 8
typedef struct { int batch, heads, seq_q, seq_kv; } shape;
struct state { float max, mass; };
__global__ void attend(float4 *O, const float *K, const float *V, int Sk, int D, int rows) {
    __shared__ float vTile[BC * 64], seats[ROWS], tops[BC], both[2][BC];
    const int tid = threadIdx.x + blockDim.x * threadIdx.y, all = BC * ROWS;
    const int lane = threadIdx.x % 32, warp = threadIdx.x / 32;
    if (blockIdx.x >= rows) return;
    auto load = [&](float *tile, const float *src, int first) {
        for (int n = tid; n < BC * 64; n += all) tile[n] = src[first + n];
    };
    auto group = [&](float x, auto op) { return op(x, __shfl_xor_sync(0xffffffff, x, 1)); };
    auto add = [](float a, float b) { return a + b; };
    auto larger = [](float a, float b) { return a > b ? a : b; };
    float4 o = make_float4(0, 0, 0, 0);
    float sum = 0.0f, best = -INFINITY;
    state mine = {0.0f, 0.0f};
    int now = 0;
    for (int k0 = 0; k0 < Sk; k0 += BC) {
        for (int e = tid; e < BC * D; e += all) {
            const int key = e / D, d = e % D;
            const bool there = k0 + key < Sk;
            vTile[key * D + d] = there ? V[(size_t)(k0 + key) * D + d] : 0.0f;
        }
        load(seats, K, k0);
        load(tops, V, k0);
        both[now][lane] = K[k0 + lane];
        __syncthreads();
        for (int u = 0; u < BC; u++) {
            const float *v = vTile + u * D;
            o.x += both[now][u] * v[lane];
            o.y += both[now][u] * v[lane + 1];
            sum = group(sum + v[u], add);
        }
        now ^= 1;
    }
    best = group(best, larger);
    o.x *= best;
    o.y *= best;
    o.z *= best;
    o.w *= best;
    if (lane == 0) seats[warp] = sum;
    __syncthreads();
    float first = seats[0];
    for (int w = 1; w < ROWS; w++) first = larger(first, seats[w]);
    float mass = 0.0f;
    for (int w = 0; w < ROWS; w++) mass += seats[w];
    mine.mass = first;
    for (int d = 0; d < 4; d++) tops[d] = mine.mass / mass;
    o.x += tops[lane];
    O[blockIdx.x] = o;
}
__global__ void rows(float *P, const float *S, int n) {
    __shared__ float tile[BC][BC];
    const int x = threadIdx.x, y = threadIdx.y;
    for (int r = y; r < BC; r += blockDim.y)
        if (r < n)
            tile[r][x] = S[r * n + x];
        else
            tile[r][x] = 0.0f;
    __syncthreads();
    const int last = min(n - 1, (int)blockIdx.x * BC + BC - 1);
    for (int k = 0; k <= last; k++) P[y * n + x] += tile[k][x];
}
__global__ void exponentials(float *P, size_t total) {
    const size_t i = (size_t)blockIdx.x * blockDim.x + threadIdx.x;
    if (i < total) P[i] = expf(P[i]);
}
__global__ void summed(float *P, const float *x, int parts) {
    __shared__ float outs[BC];
    for (int i = 0; i < parts; i++) outs[threadIdx.x] = i == 0 ? x[i] : outs[threadIdx.x] + x[i];
    __syncthreads();
    P[threadIdx.x] = outs[threadIdx.x];
}
__global__ void product(float *C, const float *A, const float *B) {
    __shared__ float a[BC * ROWS], b[BC * ROWS];
    for (int e = threadIdx.x; e < BC * ROWS; e += blockDim.x) a[e] = A[e];
    for (int e = threadIdx.x; e < BC * ROWS; e += blockDim.x) b[e] = B[e];
    __syncthreads();
    C[threadIdx.x] = a[threadIdx.x] * b[threadIdx.x];
}
__global__ void scale(float *S, int sq, int sk, float by) {
    const int query = blockIdx.x, head = blockIdx.y;
    float *row = S + ((size_t)head * sq + query) * sk;
    for (int j = threadIdx.x; j < sk; j += blockDim.x) row[j] *= by;
}
namespace own {
__global__ void halve(float *S, int n) {
    const int row = blockIdx.x * blockDim.y + threadIdx.y;
    if (row < n) S[row * 32 + threadIdx.x] *= 0.5f;
}
}
int softmax(float *P, const float *S, int rows, int cols) {
    const size_t total = (size_t)rows * cols;
    if (cols % 4 == 0) exponentials<<<(total + 255) / 256, 256>>>(P, total);
    return 0;
}
int run(float *S, shape s) {
    const int n = s.batch * s.heads;
    scale<<<dim3(s.seq_q, n), 64>>>(S, s.seq_q, s.seq_kv, 0.5f);
    own::halve<<<(n * s.seq_q + 7) / 8, dim3(32, 8)>>>(S, n * s.seq_q);
    attend<<<n, dim3(BC, ROWS)>>>(0, S, S, s.seq_kv, 64, n);
    return softmax(S, S, n * s.seq_q, s.seq_kv);
}
END
undone right.cu 'vTile[key * D + d] = there' 'vTile[d * BC + key] = there'
claim a_tile_is_stored_in_the_rows_that_it_is_read_in
undone right.cu 'V[(size_t)(k0 + key) * D + d]' 'V[(size_t)key * D + d]' 120
cat >"$top/fetch.cu" <<'END'
__device__ void fetch(float to[16][65], const float *src, int first, int k0, int n, int k) {
    for (int e = threadIdx.x; e < 1024; e += 256) {
        const int l = e / 64, j = e % 64;
        float v = 0.0f;
        if (k0 + l < k && first + j < n) v = src[(size_t)(k0 + l) * n + first + j];
        to[l][j] = v;
        if (first + l * 4 < n) to[0][first + l * 4] = v;
    }
}
END
undone fetch.cu '* n + first + j]' '* n + j]' 20
undone fetch.cu 'to[0][first + l * 4]' 'to[0][first * 64 + l]' 12
claim what_is_read_is_what_is_asked_for
undone right.cu 'if (lane == 0) seats[warp] = sum;' 'seats[warp] = sum;'
claim of_a_group_one_thread_stores
undone right.cu $'    o.w *= best;\n' ''
claim four_lines_differ_in_a_letter
undone right.cu 'i == 0 ? x[i] : outs[threadIdx.x] + x[i]' 'x[i]'
claim what_each_round_stores_is_summed_up
cat >"$top/begun.cu" <<'END'
__global__ void begun(float *P, const float *x, int parts) {
    float acc[4];
    for (int i = 0; i < parts; i++) {
        for (int d = 0; d < 4; d++) acc[d] = i == 0 ? 0.0f : acc[d];
        for (int d = 0; d < 4; d++) acc[d] += x[4 * i + d];
    }
    P[threadIdx.x] = acc[0] + acc[1] + acc[2] + acc[3];
}
END
undone begun.cu 'acc[d] = i == 0 ? 0.0f : acc[d];' 'acc[d] = 0.0f;'
claim what_each_round_sets_to_0_is_set_in_the_first
undone right.cu 'first = seats[0]' 'first = sum' 110
claim a_walk_from_the_second_on_begins_with_the_first
undone right.cu 'load(tops, V, k0)' 'load(tops, V, Sk)'
undone right.cu 'group(sum + v[u], add)' 'group(sum + v[u], larger)'
claim two_calls_of_a_lambda_hand_over_the_same
undone right.cu '__shfl_xor_sync' '__shfl_down_sync'
claim a_shuffle_reaches_all_lanes
undone right.cu '((size_t)head * sq + query) * sk' '(size_t)query * sk'
claim the_head_of_a_block_is_read
undone right.cu 'n * s.seq_q, s.seq_kv)' 's.seq_q, s.seq_kv)' 410
claim the_rows_of_all_heads_are_counted
undone right.cu $'        now ^= 1;\n' ''
claim two_buffers_take_turns
undone right.cu '(total + 255) / 256' '(rows + 255) / 256'
undone right.cu '(n * s.seq_q + 7) / 8' '(n * s.seq_q + 31) / 32'
claim a_grid_has_as_many_threads_as_its_kernel_asks_for
undone right.cu 'e < BC * ROWS; e += blockDim.x) b' 'e < ROWS * ROWS; e += blockDim.x) b'
claim two_loaders_of_a_kind_end_alike
undone right.cu $'    __syncthreads();\n    float first' $'    float first' 400
claim a_barrier_stands_before_a_declaration_that_reads
undone right.cu 'mine.mass / mass' 'mine.mass / mine.mass' 540
claim a_part_is_not_what_all_have_together

old=$'    for (int r = y; r < BC; r += blockDim.y)\n'
old+=$'        if (r < n)\n            tile[r][x] = S[r * n + x];\n        else\n            tile[r]'
undone right.cu "$old" \
    $'        if (y < n)\n            tile[y][x] = S[y * n + x];\n        else\n            tile[y]' 200
claim a_tile_with_more_rows_than_the_block_is_loaded_in_a_loop
undone right.cu '* BC + BC - 1)' '* BC)' 550
claim the_last_of_a_block_stands_at_its_end

build/bin/edits "$top/right.cu" "$top/out.cu" "$top/table.tsv" --limit 30000
grep -q $'\tstatement\tif (blockIdx.x >= rows) return;\t\t' "$top/table.tsv" ||
    complain 'threads that leave do not stay'
claim who_leaves_before_a_barrier_stays
[[ ! $(awk -F '\t' '$9 ~ /n \+= all/ && $7 == "all"' "$top/table.tsv") ]] ||
    complain 'another step than the block has'
claim a_step_of_as_many_threads_as_the_block_has_stays
[[ ! $(awk -F '\t' '$9 ~ /total \+ 255/ && $10 ~ /255. \/ 1,/' "$top/table.tsv") ]] || complain 'a grid by 1'
[[ ! $(awk -F '\t' '$7 ~ /^cols % 4$/ && $8 == "cols"' "$top/table.tsv") ]] || complain 'a path that nobody takes'
[[ ! $(awk -F '\t' '$8 ~ /total . 255. . 256 - 1/' "$top/table.tsv") ]] || complain 'rounded up twice'
[[ ! $(awk -F '\t' '$7 == "(total + 255) / 256" && $8 == "(total + 255)"' "$top/table.tsv") ]] || complain 'not divided'
cat >"$top/rounds.cu" <<'END'
#define ROWS 4
__global__ void k(float *acc, const float *f, const float *p) {
    for (int c = 0; c < 8; c++) {
        for (int a = 0; a < ROWS; a++) acc[a] *= f[a];
        for (int a = 0; a < ROWS; a++) acc[a] += p[c * ROWS + a];
    }
}
END
build/bin/edits "$top/rounds.cu" "$top/out.cu" "$top/table.tsv" --limit 30000
[[ ! $(awk -F '\t' '$10 ~ /c . ROWS . a < ROWS/' "$top/table.tsv") ]] || complain 'a loop of the first round alone'
claim what_nobody_means_is_not_tried
plan
