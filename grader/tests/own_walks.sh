#!/usr/bin/env bash
# own_walks.sh: pointers that walk along rows, and types under a name of the file's own: typedef size_t usize
# (grader/repair/edits: advance, types), a shuffle that is the same slip in several functions (echoes). TAP.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/../.."
# shellcheck source=grader/tests/undone.sh
source grader/tests/undone.sh
likely=300

cat >"$top/walk.c" <<'END_OF_C'
#include <stddef.h>
typedef size_t usize;
typedef float real;
#define REPEAT(i, n) for (usize i = 0; i < (usize)(n); i++)
static real inner(const real *a, const real *b, usize n) {
    real r = 0;
    while (n--) r += *a++ * *b++;
    return r;
}
void linear(real *Y, const real *X, const real *W, usize n, usize E) {
    REPEAT(r, n) {
        REPEAT(e, E) *Y++ = inner(X, W + e * E, E);
        X += E;
    }
}
void totals(real *sums, const real *rows, int n, int cols) {
    for (int r = 0; r < n; r++) {
        *sums++ = inner(rows, rows, cols);
        rows += cols;
    }
}
END_OF_C
undone walk.c $'        X += E;\n' ''
undone walk.c $'        rows += cols;\n' ''
claim a_parameter_that_walks_beside_another_one_moves_on
sed -i 's/typedef size_t usize/using usize = size_t/; s/typedef float real/using real = float/' "$top/walk.c"
mv "$top/walk.c" "$top/walk.cu"
undone walk.cu $'        X += E;\n' ''
claim a_type_under_another_name_is_known

cat >"$top/shuffles.cu" <<'END_OF_CUDA'
__device__ float largest(float v) {
    for (int step = 16; step > 0; step >>= 1) v = fmaxf(v, __shfl_xor_sync(0xffffffffu, v, step));
    return v;
}
__device__ float total(float v) {
    for (int step = 16; step > 0; step >>= 1) v += __shfl_xor_sync(0xffffffffu, v, step);
    return v;
}
END_OF_CUDA
right=$(<"$top/shuffles.cu")
undone shuffles.cu "$right" "${right//_xor_/_down_}" 100
claim a_shuffle_that_is_the_same_slip_in_two_functions_is_undone_in_both
cat >"$top/divide.c" <<'END_OF_C'
void divide(float *p, float l, int t, int n) {
    for (int c = t; c < n; c += 4) p[c] /= l;
}
void copy(float *to, const float *from, int n) {
    for (int c = 0; c < n; c++) to[c] = from[c];
}
END_OF_C
undone divide.c 'c += 4) p[c] /= l;' 'p[c] /= l) c += 4;' 10
undone divide.c 'c++) to[c] = from[c];' 'to[c] = from[c]) c++;' 10
claim the_step_and_the_body_of_a_loop_change_places
plan
