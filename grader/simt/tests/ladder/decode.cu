// decode.cu: rung 12, one query a head against a cache: a full one, a ragged one, an empty one; twice, since a call must leave its
// workspace as the next one needs it. Caches as small as these go into registers: the other kernels are called by name.
#include RUNG
#include "common.h"

using namespace claims;

// decode(O, Q, K, V, lengths, workspace, cache): what this adds for 3 sequences of 2 heads.
template <class T, class F> static void test(F decode, int slots, int d, double allowed) {
    const int batch = 3, heads = 2, lengths[batch] = {slots, slots * 33 / 70, 0};
    array<T> q(batch * heads * d, 1), k(batch * heads * slots * d, 2), v(batch * heads * slots * d, 3),
        o(batch * heads * d, 0);
    attn_cache cache = {batch, heads, slots, d};
    int *device_lengths;
    void *workspace;
    cudaMalloc(&device_lengths, sizeof lengths);
    cudaMemcpy(device_lengths, lengths, sizeof lengths, cudaMemcpyHostToDevice);
    cudaMalloc(&workspace, DECODE_WORKSPACE(cache));
    cudaMemset(workspace, 0, DECODE_WORKSPACE(cache));
    std::vector<double> want(d);
    for (int call = 0; call < 2; call++) {
        expect_status("decode", decode(o.device, q.device, k.device, v.device, device_lengths, workspace, cache, 0));
        o.download();
        for (int h = 0; h < batch * heads; h++) {
            std::vector<double> kh(&k.host[h * slots * d], &k.host[h * slots * d] + slots * d);
            std::vector<double> vh(&v.host[h * slots * d], &v.host[h * slots * d] + slots * d);
            attend(want, &q.host[h * d], kh, vh, lengths[h / heads], d);
            for (int c = 0; c < d; c++) expect("O", o.host[h * d + c], want[c], allowed);
        }
    }
}

// A kernel that walks the line, with 5 blocks: no head ends where a block does. S: a plan, or large_plan of one.
template <class S, auto kernel>
static attn_status five_blocks(void *O, const void *Q, const void *K, const void *V, const int *lengths,
                               void *workspace, attn_cache cache, cudaStream_t) {
    typedef typename S::T T;
    const int threads = S::LEAST == 1 ? 32 * WARPS + 32 : 32 * WARPS;
    cudaFuncSetAttribute(kernel, cudaFuncAttributeMaxDynamicSharedMemorySize, S::BYTES);
    kernel<<<5, threads, S::BYTES>>>((T *)O, (const T *)Q, (const T *)K, (const T *)V, lengths, (unsigned *)workspace,
                                     cache);
    return cudaDeviceSynchronize() == cudaSuccess ? ATTN_OK : ATTN_CUDA_ERROR;
}
template <class P, class X> static void by_name(int slots, int d, double allowed) {
    typedef large_plan<P> L;
    test<typename P::T>(five_blocks<P, decode<P, X>>, slots, d, allowed);
    test<typename P::T>(five_blocks<L, decode_large<L, X>>, 4 * slots, d, allowed);
}

int main() {
    typedef plan<__half, 64> H64;
    typedef plan<__half, 128> H128;
    typedef plan<float, 128> F128;
    test<float>(attn_decode_f32, 70, 64, 1e-5);
    test<__half>(attn_decode_f16, 70, 64, 4e-3);
    by_name<H64, columns<H64>>(700, 64, 4e-3);
    by_name<H128, columns<H128>>(500, 128, 4e-3);
    by_name<H128, part<H128>>(330, 72, 4e-3);
    by_name<F128, part<F128>>(300, 128, 1e-5);
    return finish();
}
