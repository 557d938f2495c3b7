#!/usr/bin/env bash
# own_ragged.sh: nobody asks whether an element is behind the end of a row, of a tensor or of the last tile, in files of
# a student's own (grader/repair/edits: ragged, beyond, rounds). TAP.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/../.."
# shellcheck source=grader/tests/undone.sh
source grader/tests/undone.sh
likely=60

cat >"$top/right.cu" <<'END'
#define BR 16
#define BC 8
typedef struct { int n_q, n_k, dim; } sizes;
__device__ float four(const float *M, int r, int c, int rows, int cols) {
    if (r >= rows || c >= cols) return 0.0f;
    return M[(size_t)r * cols + c];
}
__global__ void product(float *C, const float *A, int m, int n, int k) {
    __shared__ float a[BR][BC];
    C += (size_t)blockIdx.z * m * n;
    A += (size_t)blockIdx.z * m * k;
    const int row0 = blockIdx.y * BR, y = threadIdx.y, x = threadIdx.x;
    float sum = 0.0f;
    for (int l0 = 0; l0 < k; l0 += BC) {
        a[y][x] = row0 + y < m && l0 + x < k ? A[(size_t)(row0 + y) * k + l0 + x] : 0.0f;
        sum += a[y][x] + four(A, row0 + y, l0 + x, m, k);
    }
    for (int j = 0; j < BC; j++) {
        const int column = blockIdx.x * BC + j;
        if (column < n && row0 + y < m) C[(size_t)(row0 + y) * n + column] = sum;
    }
}
__global__ void attend(float *O, const float *Q, const float *K, sizes s) {
    const int head = blockIdx.y, i = blockIdx.x * BR + threadIdx.y;
    const bool alive = i < s.n_q;
    float q[128], sum = 0.0f;
    for (int d = 0; d < s.dim; d++) q[d] = alive ? Q[(head * s.n_q + i) * s.dim + d] : 0.0f;
    for (int from = 0; from < s.n_k; from += BC) {
        const int have = min(BC, s.n_k - from);
        for (int j = 0; j < have; j++) sum += q[j] * K[(size_t)from * s.dim + j];
    }
    for (int d = 0; d < s.dim; d++)
        if (alive) O[(head * s.n_q + i) * s.dim + d] = sum;
}
END
cat >"$top/pointer.cu" <<'END'
#define BR 16
typedef struct { int n_q, dim; } sizes;
__global__ void store(float *O, const float *acc, sizes s) {
    for (int r = 0; r < BR; r++) {
        const int head = blockIdx.y, i = blockIdx.x * BR + r;
        float *o = O + (size_t)(head * s.n_q + i) * s.dim;
        for (int d = threadIdx.x; d < s.dim; d += 32)
            if (i < s.n_q) o[d] = acc[d];
    }
}
END
undone right.cu 'r >= rows || c >= cols' 'c >= cols'
claim a_row_that_a_function_is_given_is_one_that_there_is
undone right.cu 'return 0.0f' 'return 1.0f' 30
undone right.cu 'l0 + x] : 0.0f' 'l0 + x] : 1.0f' 5
undone right.cu 'row0 + y < m && l0 + x < k ? A[(size_t)(row0 + y) * k + l0 + x] : 0.0f' \
    'l0 + x < k ? A[(size_t)(row0 + y) * k + l0 + x] : 0.0f'
undone right.cu 'row0 + y < m && l0 + x < k ? A' 'row0 + y < m ? A'
claim an_element_is_read_where_its_row_and_its_column_are_there
undone right.cu 'if (column < n && row0 + y < m) C' 'if (row0 + y < m) C'
undone right.cu 'if (column < n && row0 + y < m) C' 'if (column < n) C'
undone right.cu 'if (alive) O[' 'O['
claim an_element_is_written_where_its_row_and_its_column_are_there
undone right.cu 'const int have = min(BC, s.n_k - from)' 'const int have = BC' 230
claim a_tile_ends_where_the_keys_of_a_struct_do
undone right.cu 'i < s.n_q' 'i < s.n_k'
claim a_row_is_one_of_so_many_as_its_place_is_made_with

cat >"$top/begun.cu" <<'END'
__device__ float get(const float *M, int r, int c, int rows, int cols) {
    float x = 0.0f;
    if (r < rows && c < cols) x = M[(size_t)r * cols + c];
    return x;
}
END
undone begun.cu 'x = 0.0f' 'x = 1.0f' 5
claim what_a_matrix_does_not_have_is_0

cat >"$top/four.cu" <<'END'
__device__ float4 load(const float *M, int r, int c, int rows, int cols) {
    const float *at = M + r * cols + c;
    if (c + 3 < cols && cols % 4 == 0) return *reinterpret_cast<const float4 *>(at);
    return make_float4(at[0], 0.0f, 0.0f, 0.0f);
}
END
undone four.cu ' && cols % 4 == 0' ''
claim four_are_read_at_once_where_a_row_is_aligned

undone pointer.cu 'if (i < s.n_q) o[d]' 'o[d]' 20
claim a_row_that_a_pointer_begins_at_is_one_that_there_is

# among NEW OLD TEXT: what is tried in a file in which OLD is NEW
among() {
    local text
    text=$(<"$top/right.cu")
    printf '%s\n' "${text/"$1"/"$2"}" >"$top/wrong.cu"
    build/bin/edits "$top/wrong.cu" "$top/out.cu" "$top/table.tsv" --limit 100
    [[ $(cut -f 8 "$top/table.tsv") == *"$3"* ]] || complain "$2: not tried: $3"
}
among 'alive ? Q[(head * s.n_q + i) * s.dim + d] : 0.0f' 'Q[(head * s.n_q + i) * s.dim + d]' '(alive ? Q['
claim a_question_that_has_a_name_is_asked_by_it
among 'row0 + y < m && l0 + x < k ? A[(size_t)(row0 + y) * k + l0 + x] : 0.0f' 'A[(size_t)(row0 + y) * k + l0 + x]' \
    '(row0 + y < m && l0 + x < k ? A['
claim where_both_questions_are_missing_both_are_asked

build/bin/edits "$top/right.cu" "$top/out.cu" "$top/table.tsv" --limit 30000
[[ ! $(awk -F '\t' '$6 == "ragged"' "$top/table.tsv") ]] || complain "$(awk -F '\t' '$6 == "ragged"' "$top/table.tsv")"
claim what_is_asked_is_not_asked_again
plan
