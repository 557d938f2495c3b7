#!/usr/bin/env bash
# made_of.sh: a TODO of which nothing is known: each input is altered, and the page says which of them a wrong element
# has in it, or lacks (grader/claims/made_of). TAP.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/../.."
# shellcheck source=grader/tests/page_of.sh
source grader/tests/page_of.sh

# solved TASK FILE OLD NEW TODO: file is the answer in which the text OLD is NEW
solved() {
    local text new
    file=$top/${2##*/} text=$(<"grader/solutions/$2")
    [[ $text == *"$3"* ]] || complain "there is no $3"
    new=${text/"$3"/"$4"}
    printf '%s\n' "$new" >"$file"
    in_vain tests "$1" --only "$5"
}

# What an element lacks.
solved task1 task1_reference/reference.c 'for (size_t k = 0; k < E; k++) dot += X[r * E + k] * W[e * E + k];' \
    'dot = X[r * E + e] * W[e * E + e];' 1.9
says 'row 0, column 0 of the output lacks X[1 .. 23], W[1 .. 23], and row 6, column 23 of the output lacks X['
claim what_it_lacks

# What it has and must not: the exponentials are summed up where each stands for itself.
solved task1 task1_reference/reference.c 'p[c] = expf(s[c] - m);
        *l += p[c];' '*l += expf(s[c] - m);
        p[c] = *l;' 1.2
says 'row 0, column 1 of the output (p and l) has S[0] in it, which it must not, and row'
claim what_it_has_and_must_not

# What it has in place of another one, beside right numbers in wrong places.
solved task1 task1_reference/reference.c 'Y[((b * H + h) * S + s) * D + d] = X[(b * S + s) * E + h * D + d]' \
    'Y[((h * B + b) * S + s) * D + d] = X[(b * S + s) * E + d * H + h]' 1.4
says 'batch 0, head 0, row 0, column 1 of the output has X[3] in it, which it must not, and lacks X[1], and batch 1'
claim what_it_has_in_place_of_another

# Two inputs that meet and must not: the product of two sums is no sum of products.
solved task1 task1_reference/reference.c 'for (size_t d = 0; d < D; d++) dot += Q[i * D + d] * K[j * D + d];
            S[i * Sk + j] = scale * dot;' 'float k = 0.0f;
            for (size_t d = 0; d < D; d++) dot += Q[i * D + d], k += K[j * D + d];
            S[i * Sk + j] = scale * dot * k;' 1.6
says 'in row 0, column 0 of the output, what Q[0] alters depends on K[1], and must not'
claim two_that_meet_and_must_not

# A kernel: not all calls are made, and what was not tried is not listed.
solved task2 task2_naive/naive.cu 'for (int l = 0; l < TILE; l++) sum += As[ty][l] * Bs[tx][l];' \
    'for (int r = 0; r < TILE; r++)
        for (int c = 0; c < TILE; c++) sum += As[r][c] * Bs[c][r];' 2.8
says 'row 0, column 0 of the output has As[32, ...], Bs[32, ...] in it, which it must not, and row'
claim what_was_not_tried_is_not_listed

# A mask of the last query of a tile is known, and no more is said of what it has set.
solved task3 task3_tiled_cpu/tiled_cpu.c 'if (t.j0 + c > t.i0 + r + (shape.seq_kv' \
    'if (t.j0 + c > t.i0 + t.nq - 1 + (shape.seq_kv' 3.2
says "matches a mask of the tile's last query for all of its rows"
says_not 'of the output'
claim of_what_a_mask_sets_nothing_is_said

# A sum over a number without a name: the factor is a number.
solved task2 task2_naive/naive.cu 'sum += As[ty][l] * Bs[tx][l];' 'sum += As[ty][l] * Bs[tx][l] / TILE;' 2.8
says 'matches a sum that is multiplied by 0.03125: it must be 1'
claim a_factor_without_a_name_is_a_number
# What is known comes first, and no input is listed.
solved task1 task1_reference/reference.c 'for (int c = 1; c < cols; c++) *m = fmaxf(*m, s[c]);' \
    '*m = 0.0f;
    for (int c = 0; c < cols; c++) *m += expf(s[c]);
    *m = logf(*m);' 1.1
says 'matches log(sum of exp(s)), a log-sum-exp: it is the largest score itself'
says_not 'of the output'
solved task3 task3_tiled_cpu/tiled_cpu.c '#pragma omp simd reduction(max : max)
    for (int c = 0; c < nk; c++) max = s[c] > max ? s[c] : max;' 'float mean = 0.0f;
    for (int c = 0; c < nk; c++) mean += s[c] / nk;
    max = mean > max ? mean : max;' 3.3
says "matches the mean of the tile's scores: look for the largest"
says_not 'of the output'
solved task3 task3_tiled_cpu/tiled_cpu.c '#pragma omp simd reduction(max : max)
    for (int c = 0; c < nk; c++) max = s[c] > max ? s[c] : max;' 'float most = s[0];
    for (int c = 1; c < nk; c++) most = s[c] > most ? s[c] : most;
    max = max == -INFINITY ? most : max + most;' 3.3
says 'matches the old max and that of the tile added up: the larger one of the two is the new max'
claim what_is_known_comes_first

# A function whose own claim has one thread: what calls it fails, and its line is said.
solved task2 task2_naive/naive.cu 'offset = (size_t)blockIdx.z' \
    'if (threadIdx.x == 0 && threadIdx.y == 0) offset = (size_t)blockIdx.z' 2.10
says "line $(line_of 'if (threadIdx.x == 0 && threadIdx.y == 0)'): one thread alone sets offset"
says_not 'of the output'
claim what_is_called_is_read_too
plan
