// pipelines.cu: cuda::barrier, cuda::memcpy_async, and cuda::pipeline of a thread and of a block.
#include "common.h"
#include <cooperative_groups.h>
#include <cuda/barrier>
#include <cuda/pipeline>
#include <utility>

namespace cg = cooperative_groups;
enum { ROUNDS = 7, THREADS = 64 };

__global__ void by_barrier(const float *x, float *y) {
    __shared__ cuda::barrier<cuda::thread_scope_block> bar;
    __shared__ alignas(16) float tile[THREADS];
    cg::thread_block block = cg::this_thread_block();
    if (block.thread_rank() == 0) init(&bar, block.size());
    block.sync();
    float sum = 0;
    for (int i = 0; i < ROUNDS; i++) {
        cuda::memcpy_async(block, tile, x + i * THREADS, sizeof tile, bar);
        bar.arrive_and_wait();
        sum += tile[THREADS - 1 - threadIdx.x];
        auto token = bar.arrive();  // all have read it
        bar.wait(std::move(token));
    }
    y[threadIdx.x] = sum;
}

__global__ void by_thread(const float *x, float *y) {
    __shared__ alignas(16) float tile[2][THREADS];
    cuda::pipeline<cuda::thread_scope_thread> pipe = cuda::make_pipeline();
    auto load = [&](int i) {
        pipe.producer_acquire();
        cuda::memcpy_async(&tile[i % 2][threadIdx.x], x + i * THREADS + threadIdx.x, cuda::aligned_size_t<4>(4), pipe);
        pipe.producer_commit();
    };
    load(0);
    float sum = 0;
    for (int i = 0; i < ROUNDS; i++) {
        if (i + 1 < ROUNDS) {
            load(i + 1);
            cuda::pipeline_consumer_wait_prior<1>(pipe);
        } else {
            pipe.consumer_wait();
        }
        __syncthreads();
        sum += tile[i % 2][THREADS - 1 - threadIdx.x];
        pipe.consumer_release();
        __syncthreads();
    }
    y[threadIdx.x] = sum;
}

// The first half of the block loads for the second.
template <bool BY_COUNT> __global__ void by_block(const float *x, float *y) {
    constexpr int stages = 3;
    __shared__ cuda::pipeline_shared_state<cuda::thread_scope_block, stages> state;
    __shared__ alignas(16) float tile[stages][THREADS];
    cg::thread_block block = cg::this_thread_block();
    const bool producer = threadIdx.x < THREADS;
    const auto role = producer ? cuda::pipeline_role::producer : cuda::pipeline_role::consumer;
    auto pipe =
        BY_COUNT ? cuda::make_pipeline(block, &state, (size_t)THREADS) : cuda::make_pipeline(block, &state, role);
    if (producer) {
        for (int i = 0; i < ROUNDS; i++) {
            pipe.producer_acquire();
            cuda::memcpy_async(&tile[i % stages][threadIdx.x], x + i * THREADS + threadIdx.x,
                               cuda::aligned_size_t<4>(4), pipe);
            pipe.producer_commit();
        }
    } else {
        float sum = 0;
        for (int i = 0; i < ROUNDS; i++) {
            pipe.consumer_wait();
            sum += tile[i % stages][2 * THREADS - 1 - threadIdx.x];
            pipe.consumer_release();
        }
        y[threadIdx.x - THREADS] = sum;
    }
}

int main() {
    float x[ROUNDS * THREADS], h[THREADS];
    for (int i = 0; i < ROUNDS * THREADS; i++) x[i] = small_number(i);
    float *from = device_array(ROUNDS * THREADS, x), *to = device_array<float>(THREADS);
    for (int kind = 0; kind < 4; kind++) {
        if (kind == 0) by_barrier<<<1, THREADS>>>(from, to);
        if (kind == 1) by_thread<<<1, THREADS>>>(from, to);
        if (kind == 2) by_block<false><<<1, 2 * THREADS>>>(from, to);
        if (kind == 3) by_block<true><<<1, 2 * THREADS>>>(from, to);
        download(h, to, THREADS);
        for (int t = 0; t < THREADS; t++) {
            float sum = 0;
            for (int i = 0; i < ROUNDS; i++) sum += x[i * THREADS + THREADS - 1 - t];
            expect("sum", h[t], sum);
        }
    }
    return finish();
}
