#!/usr/bin/env bash
# own_misread.sh: what is misunderstood stands in several places of a student's own file: one change undoes them all
# (grader/repair/edits: step_size, ragged_place, declarations). TAP.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/../.."
# shellcheck source=grader/tests/undone.sh
source grader/tests/undone.sh
likely=150

cat >"$top/right.cu" <<'END'
constexpr int BM = 64, BK = 16, PIECE = 4, NT = (BM / PIECE) * (BM / PIECE);
__global__ void product(float *C, const float *A, const float *B, int k) {
    __shared__ float a[BK][BM], b[BK][BM];
    float c = 0.0f;
    const int steps = (k + BK - 1) / BK;
    for (int step = 0; step < steps; step++) {
        for (int e = threadIdx.x; e < BM * BK; e += NT) a[e / BM][e % BM] = A[step * BK + e];
        for (int e = threadIdx.x; e < BM * BK; e += NT) b[e / BM][e % BM] = B[step * BK + e];
        __syncthreads();
        for (int l = 0; l < BK; l++) c += a[l][threadIdx.x] * b[l][threadIdx.x];
        __syncthreads();
    }
    C[threadIdx.x] = c;
}
__global__ void mask(float *s, int n, int k0) {
    for (int c = threadIdx.x; c < BK; c += NT) {
        const int j = k0 + c;
        if (j >= n) s[c] = -INFINITY;
    }
}
__global__ void sums(float *out, const float *s, int n) {
    for (int first = 0; first < n; first += BK)
        for (int c = 0; c < BK; c++)
            if (first + c < n) out[threadIdx.x] += s[first + c];
}
__global__ void tile(float *C, const float *sums, int m, int n) {
    const int i0 = blockIdx.y * BM, j0 = blockIdx.x * BM, x = threadIdx.x;
    for (int q = 0; q < PIECE; q++) {
        const int r = threadIdx.y + 8 * q, mr = m % BM ? m % BM : BM, nr = n % BM ? n % BM : BM;
        if (i0 + r < m && j0 + x < n) C[(size_t)(i0 + r) * n + j0 + x] = sums[q];
    }
}
__global__ void one(float *C, float sum, int m, int n) {
    const int row = blockIdx.y * 16 + threadIdx.y, col = blockIdx.x * 16 + threadIdx.x;
    if (row >= m || col >= n) return;
    C[(size_t)row * n + col] = sum;
}
END
undone right.cu $'(k + BK - 1) / BK;\n    for (int step = 0; step < steps; step++) {
        for (int e = threadIdx.x; e < BM * BK; e += NT) a[e / BM][e % BM] = A[step * BK + e];
        for (int e = threadIdx.x; e < BM * BK; e += NT) b[e / BM][e % BM] = B[step * BK + e];' \
    $'(k + BM - 1) / BM;\n    for (int step = 0; step < steps; step++) {
        for (int e = threadIdx.x; e < BM * BK; e += NT) a[e / BM][e % BM] = A[step * BM + e];
        for (int e = threadIdx.x; e < BM * BK; e += NT) b[e / BM][e % BM] = B[step * BM + e];'
claim steps_are_counted_and_walked_by_what_each_of_them_handles
undone right.cu 'if (j >= n)' 'if (n % BK != 0 && c >= n % BK)'
undone right.cu 'if (first + c < n)' 'if (c < n % BK)'
undone right.cu 'if (i0 + r < m && j0 + x < n)' 'if (r < mr && x < nr)'
undone right.cu 'row >= m || col >= n' 'threadIdx.y >= (m - 1) % 16 + 1 || threadIdx.x >= (n - 1) % 16 + 1'
claim a_place_in_a_tile_is_not_compared_with_what_a_length_leaves_over
undone right.cu 'l < BK; l++' 'l < BM; l++'
claim a_constant_that_is_made_of_others_in_parentheses_is_known
plan
