// decode.cu: rung 12, one query a head against a cache: a full one, a ragged one, an empty one; twice, since a call must leave its
// workspace as the next one needs it.
#include RUNG
#include "common.h"

using namespace claims;

template <class T, class F> static void test(F decode, double allowed) {
    const int batch = 3, heads = 2, slots = 70, d = 64, lengths[batch] = {slots, 33, 0};
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

int main() {
    test<float>(attn_decode_f32, 1e-5);
    test<__half>(attn_decode_f16, 4e-3);
    return finish();
}
