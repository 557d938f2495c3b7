// pipeline.cu: rung 14: a whole decode step in one kernel, whose blocks stay and never meet in a barrier of the grid.
//
//     copying warps     weights and keys, in order, as far ahead as shared memory has room: 1.4 MB a processor a step
//     computing warps   norm, q k v | attend | join | out | norm, fc, gelu | proj | norm ... | logits | the largest
//                                   ^        ^      ^     ^                ^      exchange of 768 to 3072 numbers
//
// Everything else (prefill, several sequences, other sizes) is rung 13's.
#include "../ladder/13_fused_decode/task6_pipeline/pipeline.cu"  // the compiler searches grader/core

#include "../ladder/14_one_kernel/attention.h"

// ---- The end: logits, and the largest --------------------------------------------------------------------------------
DEVICE lab_candidate better(lab_candidate a, lab_candidate b) {
    return b.value > a.value || (b.value == a.value && b.index < a.index) ? b : a;
}

// A warp takes a row of the matrix, 4 numbers a lane and turn.
template <class M> DEVICE void logits(const attn_step &a, worker &w, const float (&x)[M::KX]) {
    const int lane = threadIdx.x % 32, warp = threadIdx.x / 32, V = a.config.vocab_size;
    leave_norm<M>(x, w);
    UNROLL for (int i = 0; i < M::KX; i++) if (mine<M>(i) >= 0 && threadIdx.x % 2 == 0) w.d->row[mine<M>(i)] =
        x[i] - w.mean;
    meet();  // the row, and the sums of its norm, are complete before any warp reads them
    const float2 norm = find_norm<M>(w, a.config.layer_norm_epsilon);
    float4 y[M::KX];
    UNROLL for (int i = 0; i < M::KX; i++) {
        const int e = min(4 * lane + 128 * i, M::E - 4);
        const float4 gain = *(const float4 *)(a.weights.ln_f_g + e), bias = *(const float4 *)(a.weights.ln_f_b + e);
        const float4 off = *(const float4 *)(w.d->row + e);
        y[i] = make_float4((off.x - norm.x) * norm.y * gain.x + bias.x, (off.y - norm.x) * norm.y * gain.y + bias.y,
                           (off.z - norm.x) * norm.y * gain.z + bias.z, (off.w - norm.x) * norm.y * gain.w + bias.w);
    }
    lab_candidate top = {-INFINITY, 0};
    for (int first = 8 * blockIdx.x; first < V; first += 8 * gridDim.x) {
        const float *W = take(w.r) + warp * M::E + 4 * lane;
        float sum = 0;
        if (first + warp < V) {
            UNROLL for (int i = 0; i < M::KX; i++) if (4 * lane + 128 * i < M::E) sum =
                dot4(y[i], *(const float4 *)(W + 128 * i), sum);
        }
        give_back(w.r, 1);
        UNROLL for (int bit = 16; bit > 0; bit /= 2) sum += __shfl_xor_sync(0xffffffff, sum, bit);
        if (first + warp >= V) continue;
        top = better(top, {sum, first + warp});
        if (lane == 0) a.logits[first + warp] = sum;
    }
    if (lane == 0) w.d->best[warp] = top;
    meet();  // every warp's best is written before they are compared
    if (threadIdx.x == 0) {
        for (int i = 1; i < WARPS; i++) top = better(top, w.d->best[i]);
        put(candidates(a) + 2 * blockIdx.x, top.value, w.step);
        put(candidates(a) + 2 * blockIdx.x + 1, __int_as_float(top.index), w.step);
    }
}

// Block 0, when all have put theirs: they have read the length and the token by then.
DEVICE void choose(const attn_step &a, worker &w, int n) {
    lab_candidate top = {-INFINITY, 0};
    float best[2];
    for (int first = 0; first < (int)gridDim.x; first += 32) {
        const int block = min(first + (int)threadIdx.x, (int)gridDim.x - 1);
        get(best, candidates(a) + 2 * block, w.step, [](int i) { return i; });
        top = better(top, {best[0], __float_as_int(best[1])});
    }
    UNROLL for (int bit = 16; bit > 0; bit /= 2) top =
        better(top, {__shfl_xor_sync(0xffffffff, top.value, bit), __shfl_xor_sync(0xffffffff, top.index, bit)});
    // What the other blocks have read at their beginning is volatile: words order them, and no fence.
    volatile int *lengths = a.lengths, *token = a.token;
    for (int layer = threadIdx.x; layer < a.config.n_layer; layer += 32) lengths[layer] = min(n + 1, a.max_seq);
    if (threadIdx.x != 0) return;
    if (a.stop < 0 || *token != a.stop) *token = top.index;
    a.host_token[a.calls[0]++ % 2] = *token;
    *(volatile word *)a.room = w.step;
}

// ---- The step --------------------------------------------------------------------------------------------------------
template <class M> DEVICE void compute_step(const attn_step &a, const gpt2_layer &first, worker w, int n) {
    constexpr int E = M::E, KX = M::KX;
    const int id = *(volatile int *)a.token, position = min(n, a.config.n_positions - 1);
    const share mine = share_of<M::H>(n);
    const float epsilon = a.config.layer_norm_epsilon;
    const near head = {shared_address(w.d->near)};
    float x[KX], y[KX], hidden[4 * KX];
    load_row<M>(x, a.weights.wte + (size_t)(id >= 0 && id < a.config.vocab_size ? id : 0) * E);
    load_row<M>(y, a.weights.wpe + (size_t)position * E);
    add_row(x, y);
    for (int layer = 0; layer < a.config.n_layer; layer++) {
        const packed_layer l = packed_at<E>(a, layer);
        const exchange at = exchange_of<M>(a, layer);
        const unsigned tag = w.step * a.config.n_layer + layer;
        product p = plan(deal_qkv<M>(mine), l.qkv_sums, l.qkv_rest);
        if (layer > 0) get_rows<M>(y, exchange_of<M>(a, layer - 1).proj, w), add_row(x, y);
        multiply<M, true>(w, p, x, epsilon, [&](int c, float y) { send_qkv<M>(head, c, y, tag); });

        if (mine.any) attend<M>(a, w, mine, head, tag, layer, n);
        if (mine.any && threadIdx.x < 32) join_parts<M>(w, mine, head, tag, at.o);

        p = plan(w.t.take(E / 8, IDLE_OUT), NULL, first.b_out + layer * a.layer_floats);
        if (p.units) get_rows<M>(y, at.o, w);
        multiply<M, false>(w, p, y, 0, [&](int c, float y) { put(at.out + c, y, w.step); });

        p = plan(w.t.take(E / 2, IDLE_FC), l.fc_sums, l.fc_rest);
        get_rows<M>(y, at.out, w), add_row(x, y);
        multiply<M, true>(w, p, x, epsilon, [&](int c, float y) { put(at.hidden + c, gelu_new(y), w.step); });

        p = plan(w.t.take(E / 8, IDLE_PROJ), NULL, first.b_proj + layer * a.layer_floats);
        if (p.units) get_rows<M>(hidden, at.hidden, w);
        multiply<M, false>(w, p, hidden, 0, [&](int c, float y) { put(at.proj + c, y, w.step); });
    }
    get_rows<M>(y, exchange_of<M>(a, a.config.n_layer - 1).proj, w), add_row(x, y);
    logits<M>(a, w, x);
    if (blockIdx.x == 0 && threadIdx.x < 32) choose(a, w, n);
}

template <class M>
static __global__ void __launch_bounds__(THREADS + 128, 1) step_kernel(attn_step a, gpt2_layer first, int places) {
#ifdef HOPPER
    extern __shared__ __align__(128) char shared[];
    __shared__ uint64_t barriers[2 * MOST_PLACES];
    __shared__ desk on_desk;
    const ring r = {(float *)shared, barriers, barriers + places, places, M::UNIT, 1, 0, 0, 0};
    const int n = *(volatile int *)a.lengths;
    if (threadIdx.x == 0) {
        for (int i = 0; i < places; i++) init(r.full + i, 1), init(r.empty + i, WARPS);
        asm volatile("fence.mbarrier_init.release.cluster;" ::: "memory");
    }
    for (int i = threadIdx.x; i < M::NEAR; i += blockDim.x) on_desk.near[i] = 0;  // no step's
    cg::this_cluster().sync();  // the barriers stand before anyone uses them, the words before a neighbour writes them
    if (threadIdx.x >= THREADS) {
        asm volatile("setmaxnreg.dec.sync.aligned.u32 24;");
        if (threadIdx.x == THREADS) copy_step<M>(a, r, n);
    } else {
        asm volatile("setmaxnreg.inc.sync.aligned.u32 240;");
        compute_step<M>(a, first, {r, turns_of<M>(), &on_desk, (unsigned)*(volatile word *)a.room + 1, 0, 0}, n);
    }
#endif
}

// One block a processor: they wait for each other, so all of them must have a place, cluster by cluster.
template <class M> struct step_launch {
    static constexpr int BYTES = 4 * M::UNIT, ROOM = (227 << 10) - (int)sizeof(desk) - 16 * MOST_PLACES;
    static constexpr int PLACES = ROOM / BYTES < MOST_PLACES ? ROOM / BYTES : MOST_PLACES;
    cudaLaunchAttribute with[2] = {};
    cudaLaunchConfig_t config = {};

    step_launch(cudaStream_t stream) {
        cudaFuncSetAttribute(step_kernel<M>, cudaFuncAttributeMaxDynamicSharedMemorySize, PLACES * BYTES);
        with[0].id = cudaLaunchAttributeClusterDimension, with[0].val.clusterDim = {CLUSTER, 1, 1};
        with[1].id = cudaLaunchAttributeCooperative, with[1].val.cooperative = 1;
        config.gridDim = dim3(CLUSTER * M::H), config.blockDim = dim3(THREADS + 128);
        config.dynamicSmemBytes = PLACES * BYTES, config.stream = stream, config.attrs = with;
        config.numAttrs = 1, config.gridDim = dim3(blocks()), config.numAttrs = 2;
    }
    int blocks() const {
        static int clusters;  // asked once
        if (!clusters && cudaOccupancyMaxActiveClusters(&clusters, step_kernel<M>, &config) != cudaSuccess) return 0;
#ifndef __CUDACC__
        return CLUSTER * (M::H + 1);  // a CPU's threads are fewer
#endif
        return CLUSTER * min(clusters, FUSED_BLOCKS / CLUSTER);
    }
};

template <class M> static attn_status launch_step(const attn_step *a, cudaStream_t stream) {
    const step_launch<M> l(stream);
    cudaLaunchKernelEx(&l.config, step_kernel<M>, *a, a->weights.layers[0], l.PLACES);
    return launched();
}

template <class M> static attn_status launch_packs(const attn_step *a, cudaStream_t stream) {
    const int blocks = step_launch<M>(stream).blocks();
    if (a->config.n_head != M::H || M::E / 2 > MOST_UNITS * blocks || CLUSTER * M::H > blocks) return ATTN_BAD_SHAPE;
    for (int layer = 0; layer < a->config.n_layer; layer++) pack_layer<M::E>(*a, layer, stream);
    return launched();
}

// GPT-2's two smaller models, and that of the claims.
typedef sizes<768, 64> small;
typedef sizes<1024, 64> medium;
typedef sizes<64, 32> tiny;

ATTN_API attn_status attn_prepare_steps(const attn_step *a, cudaStream_t stream) {
    if (device_generation() != 9) return ATTN_BAD_SHAPE;
    switch (a->config.n_embd) {
    case small::E: return launch_packs<small>(a, stream);
    case medium::E: return launch_packs<medium>(a, stream);
    case tiny::E: return launch_packs<tiny>(a, stream);
    default: return ATTN_BAD_SHAPE;
    }
}

ATTN_API attn_status attn_decode_step(const attn_step *a, cudaStream_t stream) {
    switch (a->config.n_embd) {
    case small::E: return launch_step<small>(a, stream);
    case medium::E: return launch_step<medium>(a, stream);
    default: return launch_step<tiny>(a, stream);
    }
}
