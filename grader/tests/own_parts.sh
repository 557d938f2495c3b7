#!/usr/bin/env bash
# own_parts.sh: a part that is taken for the whole, in files of a student's own: the number of a block for that of a
# row, a thread's part for the group's, the first of four for each of them (grader/repair/edits: apart, gathered,
# reducers, within, wholes, stale, excuses, factors, forgotten, early, unasked, grids). TAP.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/../.."
# shellcheck source=grader/tests/undone.sh
source grader/tests/undone.sh
likely=100

cat >"$top/right.cu" <<'END'
#define T 32
typedef struct { int rows, columns, causal; } shape;
__device__ float group_max(float x) {
    for (int w = T / 2; w > 0; w /= 2) x = fmaxf(x, __shfl_xor_sync(0xffffffff, x, w));
    return x;
}
__global__ void softmax(float *P, const float *S, int cols) {
    __shared__ float space[T];
    auto join = [&](float mine, bool sum) {
        space[threadIdx.x] = mine;
        __syncthreads();
        return space[sum];
    };
    float high = -INFINITY, part = 0.0f;
    for (int c = threadIdx.x; c < cols; c += T) high = fmaxf(high, S[c]);
    high = join(high, false);
    for (int c = threadIdx.x; c < cols; c += T) part += expf(S[c] - high);
    P[threadIdx.x] = 1.0f / join(part, true);
}
__global__ void largest(float *P, const float *S, int cols) {
    float top = -INFINITY;
    for (int c = threadIdx.x; c < cols; c += T) top = fmaxf(top, S[c]);
    top = group_max(top);
    P[0] = top;
}
__global__ void mask(float *S, shape s) {
    const int query = blockIdx.x % s.rows;
    for (int key = threadIdx.x; key < s.columns; key += T)
        if (s.causal && key > query) S[key] = -INFINITY;
}
__global__ void store(float *C, const float *four, int m, int n) {
    const int y = blockIdx.y, x = threadIdx.x * 4;
    if (y >= m) return;
    for (int i = 0; i < 4; i++)
        if (x + i < n) C[y * n + x + i] = four[i];
}
__device__ float4 part_of(const float *row, int e, int D) {
    const int dim = e * T + 4 * threadIdx.x;
    return dim < D ? *(const float4 *)(row + dim) : make_float4(0, 0, 0, 0);
}
__device__ void fetch(float4 *to, const float4 *from, int rows, int real) {
    for (int r = threadIdx.x; r < rows; r += T) {
        to[r] = make_float4(0, 0, 0, 0);
        if (r < real) to[r] = from[r];
    }
}
struct layer {
    int past, room;
    int status = 0;
    bool fits() const { return past < room; }
    bool decodes() const { return past > 0; }
    void enter(int n) { status = n; }
    int shape_of(int causal) const { return causal ? past : room; }
    int run() {
        if (past < 0 || shape_of(0) < shape_of(1)) return 1;
        if (!fits()) return 4;
        if (decodes()) return 2;
        enter(past);
        return status;
    }
};
int run(layer l) { l.enter(3); const bool f = l.fits(); return f + l.run(); }
struct state {
    float max, sum;
    __device__ void raise(float to) { sum *= expf(max - to), max = to; }
};
__global__ void decode(float *O, const float *L, const float *parts, const float *x, int n) {
    float sum = 0.0f, out = 0.0f;
    state st = {x[0], 0.0f};
    for (int g = 0; g < n; g++) {
        if (x[g] > st.max) st.raise(x[g]);
        const float p = expf(x[g] - st.max);
        st.sum += p;
        const float f = expf(L[g] - st.max);
        sum += f * L[g];
        out += f * parts[g];
    }
    O[0] = out / sum + st.sum;
}
__device__ void load(float *to, const float *from, int rows, int size, int D) {
    for (int n = threadIdx.x; n < size * D; n += T) to[n] = n < rows * D ? from[n] : 0.0f;
}
__global__ void scale(float *S, int n, float by) {
    float *row = S + (size_t)(blockIdx.y * gridDim.x + blockIdx.x) * n;
    for (int i = threadIdx.x; i < n; i += T) row[i] *= by;
}
void both(float *S, int n, int heads, int queries) { scale<<<dim3(queries, heads), T, 0, 0>>>(S, n, 0.5f); }
int all(float *S, shape s, int heads) {
    mask<<<heads * s.rows, T>>>(S, s);
    return 0;
}
END
undone right.cu 'blockIdx.x % s.rows' 'blockIdx.x'
claim the_number_of_a_block_is_taken_apart
undone right.cu $'    high = join(high, false);\n' ''
undone right.cu $'    top = group_max(top);\n' '' 30
claim a_part_of_each_thread_is_joined
text=$(<"$top/right.cu")
old=$'    for (int i = 0; i < 4; i++)\n        if (x + i < n) C'
new=$'    if (x < n)\n        for (int i = 0; i < 4; i++) C'
printf '%s\n' "${text/"$old"/"$new"}" >"$top/wrong.cu"
build/bin/edits "$top/wrong.cu" "$top/out.cu" "$top/table.tsv" --limit 100
grep -q $'\t\\(within\\|ragged\\)\t.*\tif (x + i < n) C' "$top/table.tsv" || complain 'each of four is not asked'
claim what_is_asked_of_the_first_is_asked_of_each
undone right.cu 'return dim < D' 'return e * T < D' 60
claim a_part_of_a_number_is_made_whole
undone right.cu $'        to[r] = make_float4(0, 0, 0, 0);\n' '' 120
claim four_numbers_that_are_not_loaded_are_0
undone right.cu $'        if (!fits()) return 4;\n        if (decodes()) return 2;\n' \
    $'        if (decodes()) return 2;\n        if (!fits()) return 4;\n' 200
claim what_is_refused_is_refused_before_others_leave

undone right.cu 'sum += f * L[g]' 'sum += L[g]'
claim a_factor_of_one_sum_is_that_of_the_other
undone right.cu $'        if (x[g] > st.max) st.raise(x[g]);\n        const float p = expf(x[g] - st.max);\n' \
    $'        const float p = expf(x[g] - st.max);\n        if (x[g] > st.max) st.raise(x[g]);\n'
claim a_state_is_raised_before_it_is_read
undone right.cu 'n < rows * D ? from[n] : 0.0f' 'from[n]'
claim what_a_function_is_told_is_asked
undone right.cu '(size_t)(blockIdx.y * gridDim.x + blockIdx.x)' '(size_t)blockIdx.x'
claim a_kernel_with_two_dimensions_of_blocks_counts_in_both

build/bin/edits "$top/right.cu" "$top/out.cu" "$top/table.tsv" --limit 30000
[[ ! $(awk -F '\t' '$9 ~ /i \+= T/ && $7 == "T"' "$top/table.tsv") ]] || complain 'another step than the launch has'
claim a_step_that_the_launch_has_stays
[[ ! $(awk -F '\t' '$7 == "causal" && ($8 == "causal - 1" || $8 == "causal + 1")' "$top/table.tsv") ]] ||
    complain 'a flag is counted with'
claim a_flag_is_not_one_more_or_less
run build/bin/edits "$top/right.cu" --idle .
[[ $out != *enter* ]] || complain "what gives nothing back is not thrown away: $out"
cat >"$top/state.c" <<'END'
typedef struct { float m, l; } run;
static float raise(run *a, float x) { return a->m = x; }
float softmax(const float *S, int n) {
    run a = {0};
    for (int c = 0; c < n; c++) raise(&a, S[c]);
    const float f = raise(&a, S[0]);
    return a.m + f;
}
END
run build/bin/edits "$top/state.c" --idle .
[[ $out != *result* ]] || complain "a state is raised, and another call takes the factor: $out"
sed -i 's/ + f;/;/; s/const float f = //' "$top/state.c"
run build/bin/edits "$top/state.c" --idle .
[[ $out == *result?raise* ]] || complain "no call takes the factor: $out"
claim what_raises_a_state_may_give_back_what_one_call_takes
cat >"$top/late.cu" <<'END'
__global__ void late(float *O, const float *S, const float *V, int n) {
    float m = -INFINITY, l = 0.0f, o[4] = {};
    for (int j = 0; j < n; j++) {
        const float old = m;
        m = fmaxf(m, S[j]);
        const float fix = expf(old - m), p = expf(S[j] - m);
        l = l * fix + p;
        for (int d = 0; d < 4; d++) o[d] = o[d] * fix + p * V[4 * j + d];
    }
    for (int d = 0; d < 4; d++) O[d] = o[d] / l;
    if (threadIdx.x == 0) O[4] = m;
}
END
undone late.cu 'l * fix + p;
        for (int d = 0; d < 4; d++) o[d] = o[d] * fix + p * V[4 * j + d]' '(l + p) * fix;
        for (int d = 0; d < 4; d++) o[d] = (p * V[4 * j + d] + o[d]) * fix'
claim sums_that_are_rescaled_with_what_is_added_are_opened_together
build/bin/edits "$top/late.cu" "$top/out.cu" "$top/table.tsv" --limit 30000
guard=$(awk -F '\t' '$6 == "guard" && $8 ~ /threadIdx/' "$top/table.tsv")
[[ $guard == *'if (threadIdx.x == 0) O[d]'* ]] || complain 'one thread is not asked to store'
[[ $guard != *'if (threadIdx.x == 0) l ='* && $guard != *'if (threadIdx.x == 0) m ='* ]] || complain "$guard"
claim a_thread_s_own_sum_is_not_for_one_thread_alone

cat >"$top/group.cu" <<'END'
__global__ void fill(float *O, int n) {
    auto block = cg::this_thread_block();
    for (int i = block.thread_rank(); i < n; i += block.size()) O[i] = 0;
    block.sync();
}
END
run build/bin/edits "$top/group.cu" --idle .
[[ $out != *sync* ]] || complain "what another method of its object gives back is taken: $out"
claim a_method_that_gives_nothing_back_is_not_named

cat >"$top/fold.cu" <<'END'
template <typename F> __device__ float fold(float x, int n, F f) {
    for (int c = threadIdx.x; c < n; c += 32) x = f(x, c);
    return x;
}
template <typename F> __device__ void into(float &x, int n, F f) { x = f(n); }
__global__ void softmax(float *P, const float *s, int rows, int cols) {
    __shared__ float ring[32];
    float l = 0.0f;
    const float m = fold(-INFINITY, cols, [=](float a, int c) { return fmaxf(a, s[c]); });
    l = fold(0.0f, cols, [=](float a, int c) { return a + expf(s[c] - m); });
    into(l, cols, [&](int n) { return l + ring[n]; });
    for (int c = threadIdx.x; c < cols; c += 32) P[c] = expf(s[c] - m) / l;
}
END
undone fold.cu 'fold(-INFINITY, cols' 'fold(0.0f, cols' 300
undone fold.cu 'fold(0.0f, cols' 'fold(0.0f, rows' 300
build/bin/edits "$top/fold.cu" "$top/out.cu" "$top/table.tsv" --limit 30000
[[ ! $(awk -F '\t' '$3 == 11 && $4 > 5 && $4 < 18' "$top/table.tsv") ]] || complain 'a reference is no value'
claim what_a_call_is_given_beside_a_lambda_is_changed

cat >"$top/group.cu" <<'END'
template <typename Op> __device__ float all(float x, Op op) {
    for (int w = 16; w > 0; w /= 2) x = op(x, __shfl_xor_sync(0xffffffffu, x, w));
    return x;
}
__device__ float warp_max(team t, float x) {
    for (int w = 16; w > 0; w /= 2) x = fmaxf(x, t.shfl_xor(x, w));
    return x;
}
__device__ float warp_sum(team t, float x) {
    for (int w = 16; w > 0; w /= 2) x += t.shfl_xor(x, w);
    return x;
}
__device__ float block_max(float x, float *room) {
    room[threadIdx.x] = x;
    __syncthreads();
    return fmaxf(room[0], room[1]);
}
__global__ void online(float *P, const float *S, team mine, int cols) {
    __shared__ float maxima[32], sums[32];
    const auto bigger = [](float a, float b) { return fmaxf(a, b); };
    const auto plus = [](float a, float b) { return a + b; };
    float m = -INFINITY, l = 0.0f;
    for (int c = threadIdx.x; c < cols; c += 32) {
        const float s = S[c], top = fmaxf(m, warp_max(mine, s));
        l = l * expf(m - top) + warp_sum(mine, expf(s - top));
        m = top;
    }
    const float whole = all(m, bigger), mass = all(l, plus);
    m = block_max(m, maxima);
    l = block_max(l, sums);
    P[0] = whole + mass + m / l;
}
END
undone group.cu 'warp_max(mine, s)' 's'
undone group.cu 'warp_sum(mine, expf(s - top))' 'expf(s - top)'
undone group.cu 'all(m, bigger)' 'm'
undone group.cu 'all(l, plus)' 'l'
undone group.cu 'block_max(m, maxima)' 'm'
claim a_number_of_a_thread_is_handed_to_what_makes_one_of_the_groups
plan
