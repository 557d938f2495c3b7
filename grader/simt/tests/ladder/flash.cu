// flash.cu: small cases of a rung that computes attention, against plain loops: keys and queries that are no multiple of any
// tile, causal and not; many keys with growing scores: the first ones' maximum is far too small for the last. RUNG: its file.
// HALF: the element is float16 (rung 11). INNER: a function of an earlier rung, which that file includes: it is called
// where the program is given a word. DIMS: values of head_dim.
#include RUNG
#include "common.h"
#ifdef HALF
typedef __half element;
static attn_status attention(element *O, const element *Q, const element *K, const element *V, attn_shape s) {
    return attn_flash_f16(O, Q, K, V, s, 0);
}
constexpr double allowed = 4e-3;
#else
#ifndef INNER
#define INNER attn_flash
#endif
typedef float element;
static bool inner;
static attn_status attention(element *O, const element *Q, const element *K, const element *V, attn_shape s) {
    return inner ? INNER(O, Q, K, V, s, 0) : attn_flash(O, Q, K, V, s, 0);
}
constexpr double allowed = 1e-5;
#endif

#ifndef DIMS
#define DIMS 64
#endif

using namespace claims;

static void test(int n, int m, int d, int causal, double growth = 0) {
    array<element> q(n * d, 1), k(m * d, 2), v(m * d, 3), o(n * d, 0);
    for (int i = 0; i < m * d; i++) k.host[i] *= 1 + growth * (i / d) / m;
    k.upload();
    attn_shape shape = {};
    shape.batch = shape.heads = 1, shape.seq_q = n, shape.seq_kv = m, shape.head_dim = d, shape.causal = causal;
    expect_status("attention", attention(o.device, q.device, k.device, v.device, shape));
    o.download();
    std::vector<double> want(d);
    for (int i = 0; i < n; i++) {
        attend(want, &q.host[i * d], k.host, v.host, causal ? i + m - n + 1 : m, d);
        for (int c = 0; c < d; c++) expect("O", o.host[i * d + c], want[c], allowed);
    }
}

int main(int argc, char **) {
#ifdef INNER
    inner = argc > 1;
#endif
    for (int d : {DIMS}) {
        test(65, 70, d, 1);
        test(3, 130, d, 0);
        test(3, 2100, d, 0, 60);
#ifdef HALF
        test(257, 257, d, 1);  // consumers without queries, and some that do not see the last tile of their block
#endif
    }
    return finish();
}
