#!/usr/bin/env bash
# cuda.sh: what a CUDA stage can do wrong as a program, and the verdict that it gets; and what checked mode finds. TAP.
# On the CPU (simt), and by hand with LAB_BACKEND=cuda on a GPU, where no line is known and checked mode is not there.
# It changes task 4's solution by one line each and runs one claim.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/../.."
# shellcheck source=grader/tests/tap.sh
source grader/tests/tap.sh
export LAB_BACKEND=${LAB_BACKEND:-simt} SIMT_TIMEOUT=50
timeout=60  # the machine may be busy
on_gpu=$([[ $LAB_BACKEND == cuda ]] && echo yes || true)
top=$(mktemp -d)
trap 'rm -rf "$top"' EXIT
# With the kernels of one head size, that of the claim: all of them compile four times as long.
solution=$top/flash.cu
rung=grader/ladder/4_async_copies/task4_flash/flash.cu
sed '/head_dim <= \(32\|96\)/s/.*//; s/choose<128>/choose<64>/' "$rung" >"$solution"
quick=$([[ $on_gpu ]] || echo --quick) # hardly optimised, but for checked mode

# variant NAME SED: the solution with an edit, which must change something.
variant() {
    mkdir -p "$top/$1/task4_flash"
    sed "$2" "$solution" >"$top/$1/task4_flash/flash.cu"
    ! cmp -s "$solution" "$top/$1/task4_flash/flash.cu" || complain "the edit of $1 changes nothing"
}

# judged NAME VERDICT TEXT...: one claim of task 4 on the variant. On a GPU a text that is a line is not asked for.
judged() {
    local name=$1 verdict=$2 runner=runner_$LAB_BACKEND${LAB_CHECKED:+_checked} text
    shift 2
    run build/bin/stagecc $quick . task4 "$top/$name/task4_flash/flash.cu" "$top/$name.so"
    exits 0
    run build/bin/claims task4 --stage "$top/$name.so" --runner "build/bin/$runner" --only key_tiles_are_summed \
        --timeout "$timeout"
    says "$verdict"
    for text; do [[ $on_gpu && $text == flash.cu:* ]] || says "$text"; done
}
first='extern __shared__ float4 shared\[\];'
line=flash.cu:$(grep -n "$first" "$solution" | cut -d: -f1)

variant hang "s/$first/& while (*(const volatile float *)Q != 12345.678f) ;/"
export SIMT_TIMEOUT=2
if [[ $on_gpu ]]; then timeout=5 judged hang TIMEOUT; else judged hang GPU_HANG "$line"; fi
export SIMT_TIMEOUT=50
claim a_kernel_that_never_ends_is_a_hang_with_its_line

variant stray "s/$first/& if (threadIdx.x == 0) O[1 << 28] = 1;/"
judged stray ILLEGAL_ACCESS 'cudaErrorI' "$line"
claim an_access_outside_of_every_allocation_is_illegal

variant crooked "s/$first/& if (threadIdx.x == 1) *(float4 *)(O + 1) = make_float4(0, 0, 0, 0);/"
judged crooked ILLEGAL_ACCESS 'misaligned'
claim a_misaligned_vector_is_illegal

variant large 's/<<<grid, T::THREADS, T::BYTES/<<<grid, 2048, T::BYTES/'
judged large LAUNCH_FAILURE 'ATTN_CUDA_ERROR'
claim a_launch_that_is_too_large_is_a_launch_failure

variant hungry 's/T::BYTES, stream>>>/300 * 1024, stream>>>/'
judged hungry LAUNCH_FAILURE 'ATTN_CUDA_ERROR'
claim too_much_shared_memory_is_a_launch_failure

variant idle 's/^    flash_kernel<T><<<.*/    (void)grid, (void)O, (void)Q, (void)K, (void)V, (void)stream;/'
judged idle WRONG_ANSWER 'never written'
claim a_kernel_that_writes_nothing_is_wrong

all='void *all; if (cudaMalloc(\&all, (size_t)1 << 50) != cudaSuccess) return ATTN_NO_MEMORY;'
variant greedy "s/^    flash_kernel<T><<<.*/    $all\n&/"
judged greedy OUT_OF_MEMORY 'ATTN_NO_MEMORY'
claim memory_that_the_device_does_not_have_is_out_of_memory

variant elsewhere 's/^    flash_kernel<T><<<.*/    cudaStreamCreateWithFlags(\&stream, cudaStreamNonBlocking);\n&/'
judged elsewhere PASSED
claim work_left_on_another_stream_is_waited_for

[[ ! $on_gpu ]] || { plan; exit; }
variant ptx "s/$first/& asm volatile(\"membar.everywhere;\");/"
run build/bin/stagecc . task4 "$top/ptx/task4_flash/flash.cu" "$top/ptx.so"
exits 1
says "$line"
says '__CUDACC__'
claim ptx_that_simt_does_not_know_is_refused_with_its_line

# A layer hands the new token's keys to decode in place of the cache: the kernel that reads beyond them is the lab's.
layer=grader/solutions/task6_pipeline/pipeline.cu
handed() {
    local runner=runner_simt${LAB_CHECKED:+_checked}
    run build/bin/stagecc . task6 "$top/task6_pipeline/pipeline.cu" "$top/layer.so"
    exits 0
    run build/bin/claims task6 --stage "$top/layer.so" --runner "build/bin/$runner" --only one_token_after_a_prompt
    says ILLEGAL_ACCESS
    says "called at pipeline.cu:$(grep -n 'call->decode(' $layer | cut -d: -f1)"
    says_not 'decode.cu'
    says_not 'fallback_kernels.cu'
}
mkdir "$top/task6_pipeline"
sed '/call->decode(/s/cache.K, cache.V/work.K, work.V/' $layer >"$top/task6_pipeline/pipeline.cu"
handed
claim a_pointer_handed_to_the_labs_kernel_is_named_by_the_line_of_the_call

# Checked mode: the same verdicts' reasons, by line.
export LAB_CHECKED=1 quick=
variant right 's/^#define UNROLL .*/& /'
judged right PASSED
claim the_solution_has_no_report_in_checked_mode

variant barrier '0,/__syncthreads();  \/\/ the copied V/s/__syncthreads();  \/\/ the copied V/; \/\/ the copied V/'
judged barrier RACE 'asynchronous copy used before the wait' 'flash.cu:'
claim a_missing_barrier_is_a_race_with_its_lines

variant beyond "s/$first/& if (threadIdx.x == 0) O[1 << 28] = 1;/"
judged beyond ILLEGAL_ACCESS 'out of bounds' "$line"
claim a_store_past_the_end_is_illegal_in_checked_mode

handed
claim a_pointer_handed_to_the_labs_kernel_is_named_in_checked_mode_too
plan
