#!/usr/bin/env bash
# own_forms.sh: whatever a student's file is made of, it compiles with all its changes in it: a macro that is a block
# and needs no semicolon, a name bound to a reference, an object without a default, a method, a static one, what a
# kernel declares with `using` and `extern`, an array whose elements are named. Where the file does not compile, nothing
# is looked for in it. TAP.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/../.."
# shellcheck source=grader/tests/own_files.sh
source grader/tests/own_files.sh

# compiles COMPILER...: without what the compiler names as a change; the student's own text is never what is wrong
compiles() {
    local drop=()
    for _ in 1 2 3 4; do
        "$@" -fmax-errors=0 "${drop[@]}" 2>"$top/log" && return
        mapfile -t -O "${#drop[@]}" drop < <(sed -n 's/^edit-\([0-9]*\):.* error: .*/-DDROP_\1/p' "$top/log" | sort -u)
    done
    complain "$(grep -m 1 'error: ' "$top/log")"
}
# among NEW...: changes that are listed
among() {
    for text; do [[ $(cut -f 10 "$top/table.tsv") == *"$text"* ]] || complain "not tried: $text"; done
}

cat >"$top/forms.cu" <<'END'
#include <math.h>
#define CHECK(call)                 \
    {                               \
        int code = (call);          \
        if (code != 0) return code; \
    }
struct Fixed {
    int lanes;
    explicit __device__ Fixed(int n) : lanes(n) {}
};
static __device__ Fixed fixed(int n) { return Fixed(n); }
struct Tile {
    float *k, *v;
    alignas(8) int pitch;
    __device__ int rows() const { return pitch / 4; }
    static size_t floats(int rows, int D) { return (size_t)(2 * rows) * (D + 4) + 3 * rows; }
};
template <int LANES>
static __global__ void scale(float *y, float *x, int n, Tile tile) {
    using Row = float[LANES];
    extern __shared__ float all[];
    Row *rows = (Row *)all;
    rows[0][threadIdx.x] = x[threadIdx.x];
    Fixed warp = fixed(n / 2);
    for (int i = threadIdx.x; i < n; i += blockDim.x) {
        float &to = y[i * tile.pitch];
        to = x[i] * warp.lanes + n * tile.rows();
    }
}
static int copy(float *to, const float *from, int n, int m) { return cudaMemcpy(to, from, n * m, cudaMemcpyDefault); }
extern "C" int scaled(float *y, float *x, int n, int m, Tile tile) {
    const size_t all = Tile::floats(n, m);
    if (n < m)
        CHECK(copy(y, x, n, m))
    else
        CHECK(copy(x, y, m, n))
    scale<32><<<1, 32, 32 * sizeof(float)>>>(y, x, (int)all, tile);
    CHECK(copy(y, x, m, m))
    return 0;
}
END
compile=(grader/simt/simtcc -Og -w -fPIC -c -o "$top/forms.o")
build/bin/edits "$top/forms.cu" "$top/text.cu" "$top/table.tsv" --limit 700
compiles "${compile[@]}" "$top/text.cu"
among 'CHECK(copy(y, x, m, n))' 'CHECK(copy(x, y, n, m))' 'y[i / tile.pitch]'
claim a_cuda_file_compiles_with_its_changes_as_code
build/bin/edits "$top/forms.cu" "$top/text.cu" "$top/table.tsv" --limit 8000 --hooks "$top/data.cu"
"${compile[@]}" "$top/data.cu" 2>"$top/log" || complain "$(grep -m 1 'error: ' "$top/log")"
(($(awk -F '\t' '$14 == 1' "$top/table.tsv" | wc -l) > 100)) || complain 'few of them are data'
claim and_with_its_changes_as_data

cat >"$top/forms.c" <<'END'
#include <stddef.h>
enum part { QUERY, KEY, VALUE, PARTS };
float project(const float *wq, const float *wk, const float *wv, const float *x, int n, int m) {
    const float *weights[PARTS] = {[QUERY] = wq, [KEY] = wk + m, [VALUE] = wv};
    float sum = 0.0f;
    for (int part = 0; part < PARTS; part++)
        for (int i = 0; i < n; i++) sum += weights[part][i] * x[i];
    return sum;
}
END
build/bin/edits "$top/forms.c" "$top/text.c" "$top/table.tsv" --limit 3000
compiles gcc -std=c11 -w -fsyntax-only -Werror=int-conversion -Werror=incompatible-pointer-types "$top/text.c"
among 'wk - m'
claim a_file_in_c_compiles_with_its_changes

# Of a first batch each change compiles: one that does not costs the compilation of all again.
cat >"$top/first.cu" <<'END'
#include <cuda_runtime.h>
#define DONE() return cudaGetLastError() == cudaSuccess ? 0 : 1
struct Most { static __device__ float of(float a, float b) { return fmaxf(a, b); } };
template <typename Op> static __device__ float warp_all(float x) {
    for (int w = 16; w > 0; w >>= 1) x = Op::of(x, __shfl_xor_sync(~0u, x, w));
    return x;
}
template <typename Op> static __device__ float block_all(float x, float *space) {
    x = warp_all<Op>(x);
    if (threadIdx.x % 32 == 0) space[threadIdx.x / 32] = x;
    __syncthreads();
    return warp_all<Op>(space[threadIdx.x % 32]);
}
__device__ void stage(float *to, const float *from, int n) {
    for (int i = threadIdx.x; i < n; i += blockDim.x) to[i] = from[i];
}
__global__ void count(int *lengths, int n, int by) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) lengths[i] += by;
}
__global__ void rows(float *O, const float *Q, const float *K, const int *lengths, int Sq, int Sk, int D) {
    __shared__ float space[32], tile[1024];
    const size_t head = blockIdx.y;
    const int first = blockIdx.x * 32, all = min(Sk, first + Sq), part = max(all - first, Sk / 2);
    float top = -INFINITY;
    stage(tile, K + head * Sk * D, min(D, 1024));
    for (int j = first; j < all; j++) {
        float s = 0.0f;
        for (int d = 0; d < D; d++) s += Q[(head * Sq + j) * D + d] * tile[d % part];
        top = fmaxf(top, s);
    }
    top = block_all<Most>(top, space);
    if (threadIdx.x == 0) O[head * Sq + min(first, Sq - 1)] = top / lengths[head];
}
extern "C" int attn(float *O, const float *Q, const float *K, int *grown, const int *lengths, int Sq, int Sk, int D) {
    rows<<<dim3(Sq, 2), 32>>>(O, Q, K, lengths, Sq, Sk, D);
    count<<<(Sq + 31) / 32, 32>>>(grown, Sq, 1);
    DONE();
}
END
build/bin/edits "$top/first.cu" "$top/text.cu" "$top/table.tsv" --limit 150
grader/simt/simtcc -Og -w -fPIC -fmax-errors=0 -c -o "$top/forms.o" "$top/text.cu" 2>"$top/log" ||
    complain "$(grep -m 5 ' error: ' "$top/log")"
claim no_change_of_a_first_batch_is_refused_by_the_compiler

plan
