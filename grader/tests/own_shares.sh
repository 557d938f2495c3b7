#!/usr/bin/env bash
# own_shares.sh: a file of a student's own whose threads share out what nobody puts together again: which line, which
# thread, which keys or dims (grader/values/parts). TAP.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/../.."
# shellcheck source=grader/tests/own_files.sh
source grader/tests/own_files.sh
search=(--edits build/bin/edits)

only=decode in_vain told task5 own_warps.cu 'for (int k = 0; k < keys; k++) {
            float pk = __shfl_sync(FULL, p, k);' 'for (int k = lane; k < keys; k += 32) {
            float pk = p;' \
    'in attendKernel, stores a part as if it were all: in line 84 thread 0 has keys 0, 32, 64, and thread'
claim keys_that_are_shared_out_among_threads_with_dims_of_their_own

only=parts in_vain told task5 own_warps.cu 'for (int s = 0; s < nSplits; s++) best = fmaxf(best, L[s]);
    float sum = 0.f, acc = 0.f;
    for (int s = 0; s < nSplits; s++) {' \
    'for (int s = threadIdx.x; s < nSplits; s += blockDim.x) best = fmaxf(best, L[s]);
    float sum = 0.f, acc = 0.f;
    for (int s = threadIdx.x; s < nSplits; s += blockDim.x) {' \
    'Each thread has columns of its own: let it go over all of these itself'
claim splits_that_are_shared_out_among_threads_with_dims_of_their_own

# A maximum that is found by a question sets its numbers only where one is larger: they are the same in every call. The
# maxima are joined in shared memory, which joins no sums.
in_vain told task2 own_naive.cu 'biggest = fmaxf(biggest, src[x]);
    biggest = across_block<true>(biggest);
    float total = 0.0f;
    for (int x = threadIdx.x; x < width; x += ROW_THREADS) total += expf(src[x] - biggest);
    const float inverse = 1.0f / across_block<false>(total);
    for (int x = threadIdx.x; x < width; x += ROW_THREADS) dst[x] = expf(src[x] - biggest) * inverse;' \
    'if (src[x] > biggest) biggest = src[x];
    __shared__ float all[ROW_THREADS];
    all[threadIdx.x] = biggest;
    __syncthreads();
    for (int w = ROW_THREADS / 2; w; w /= 2) {
        if (threadIdx.x < w) all[threadIdx.x] = fmaxf(all[threadIdx.x], all[threadIdx.x + w]);
        __syncthreads();
    }
    float total = 0.0f;
    for (int x = threadIdx.x; x < width; x += ROW_THREADS) {
        dst[x] = expf(src[x] - all[0]);
        total += dst[x];
    }
    for (int x = threadIdx.x; x < width; x += ROW_THREADS) dst[x] /= total;' \
    'in softmax_kernel, stores a part as if it were all: in line'
says 'Add up what all these threads have, before it is stored'
claim columns_that_are_shared_out_and_whose_maximum_alone_is_joined

# A softmax whose own claims hold is given K Q^T: its rows are what it was given.
in_vain told task2 own_naive.cu 'rc = attn_gemm_nt(scores, Q, K, bh, sq, sk, d, stream);
    if (rc) return rc;
    const size_t total = (size_t)bh * sq * sk;
    scale_mask<<<min((size_t)4096, DIVUP(total, (size_t)256)), 256, 0, stream>>>(scores, total, sq, sk, 1.0f / sqrtf(d),
                                                                                 shape.causal);
    if (cudaGetLastError()) return ATTN_CUDA_ERROR;
    rc = attn_softmax_batched(scores, scores, bh * sq, sk, stream);' \
    'rc = attn_gemm_nt(scores, K, Q, bh, sk, sq, d, stream);
    if (rc) return rc;
    const size_t total = (size_t)bh * sq * sk;
    scale_mask<<<min((size_t)4096, DIVUP(total, (size_t)256)), 256, 0, stream>>>(scores, total, sq, sk, 1.0f / sqrtf(d),
                                                                                 shape.causal);
    if (cudaGetLastError()) return ATTN_CUDA_ERROR;
    rc = attn_softmax_batched(scores, scores, bh * sk, sq, stream);' \
    'matches K Q^T: the first product is Q K^T, Q before K'
[[ $out != *'in a call with'* ]] || complain "$out"
claim nothing_is_said_of_lines_of_a_function_whose_claims_hold

# Row 0 sees key 0 alone: its output is a value as it was loaded, and no part of a sum.
in_vain told task4 own_quarters.cu 'sh.causal && j0 + c > i + behind' 'j0 + c > (sh.causal ? i + behind : i * i)' \
    'the other claims, and why'
[[ $out != *'in a call with'* ]] || complain "$out"
in_vain told task4 own_flash.cu 'p.causal ? row + p.n_keys - p.n_queries : p.n_keys - 1;' \
    'row + (p.causal ? p.n_keys - p.n_queries : 0);' 'as where seq_kv - seq_q is taken to be 0'
[[ $out != *'thread 0 has'* ]] || complain "$out"
claim rows_that_see_fewer_keys_are_no_work_that_is_shared_out

# The probe of a TODO has seen which elements its tile has: that comes before what its threads make of them.
text=$(<grader/solutions/task2_naive/naive.cu) wrong=$top/naive.cu
rows='As[ty][tx] = load_or_zero(A, row + ty, k0 + tx, m, k);
    Bs[ty][tx] = load_or_zero(B, k0 + ty, col + tx, k, n);'
text=${text/"$rows"/"${rows/row + ty, k0 + tx/k0 + ty, row + tx}"}
printf '%s\n' "${text/'As[ty][l] * Bs[l][tx]'/'As[l][ty] * Bs[l][tx]'}" >"$wrong"
build/bin/stagecc --quick . task2 "$wrong" "$top/stage.so"
build/bin/stagecc --quick --probe . task2 "$wrong" "$top/probe.so"
in_vain run build/bin/claims task2 --stage "$top/stage.so" --probe "$top/probe.so" --source "$wrong" \
    --runner build/bin/runner_simt "${search[@]}"
says 'TODO 2.9: matches As[ty][tx] = A[k0 + ty][row + tx]'
[[ $out != *'in a call with'* ]] || complain "$out"
claim what_a_probe_has_seen_comes_before_who_has_what

search=()
only=parts in_vain told task5 own_warps.cu 'acc += w' 'acc += 2 * w' 'the other claims, and why'
[[ $out != *'in a call with'* ]] || complain "$out"
claim without_the_text_no_line_is_named

# Keys that are read column by column are each in the numbers of several: who has which keys tells nothing.
in_vain told task4 own_quarters.cu 'const float *ks = key + (at.head * sh.seq_kv + j0) * D;
            const float *vs = value + (at.head * sh.seq_kv + j0) * D;
            for (int e = threadIdx.x; e < n * D; e += blockDim.x) {
                kt[e] = ks[e];
                vt[e] = vs[e];' \
    'const float *ks = key + at.head * sh.seq_kv * D + j0;
            const float *vs = value + at.head * sh.seq_kv * D + j0;
            for (int e = threadIdx.x; e < n * D; e += blockDim.x) {
                kt[e] = ks[(size_t)(e % D) * sh.seq_kv + e / D];
                vt[e] = vs[(size_t)(e % D) * sh.seq_kv + e / D];' \
    'matches K and V read as [B, H, D, S], column by column'
says_not 'as if it were all'
claim who_has_which_keys_is_not_said_of_keys_that_are_read_by_columns
plan
