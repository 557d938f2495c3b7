// gpu_fill.cu: what a timed request does on the device (grader/run/device_fill.cu), element by element against what the
// checker makes on the host. On a GPU; compute-sanitizer may watch it: every element that it reads was written.
#include <cuda_runtime.h>
#include <stdio.h>
#include <string.h>

#include <vector>

extern "C" {
#include "device_fill.h"
#include "inputs.h"
}

static int count, failed;

static void tell(bool ok, const char *claim) {
    printf("%sok %d - %s\n", ok ? "" : "not ", ++count, claim);
    failed += !ok;
}

enum { SETS = 3 };
static const uint64_t KEY = 0x1234567890abcdef;

// Tensors of n elements (inputs: n even, as device_fill.h asks), with gaps that nobody writes between the sets.
template <class T> struct tensors {
    size_t n, stride;
    char *at;
    explicit tensors(size_t n_) : n(n_), stride((n_ * sizeof(T) + 511) / 256 * 256) { cudaMalloc(&at, SETS * stride); }
    T *of(int set) { return (T *)(at + set * stride); }
    std::vector<T> get(int set) {
        std::vector<T> x(n);
        cudaMemcpy(x.data(), of(set), n * sizeof(T), cudaMemcpyDeviceToHost);
        return x;
    }
};

static bool fills(size_t n) {
    tensors<float> x(n);
    bool same = lab_fill_normal(x.of(0), n, KEY, SETS, x.stride, nullptr) == 0;
    for (int s = 0; s < SETS && same; s++) {
        std::vector<float> expected(n);
        lab_fill_quick(expected.data(), n, KEY, s * n);
        same = memcmp(expected.data(), x.get(s).data(), n * sizeof(float)) == 0;
    }
    return same;
}

// A row of one set is as large as the checker makes it, and its neighbours are as they were.
static bool makes_large(size_t n, size_t first, size_t D) {
    tensors<float> x(n);
    bool same = lab_fill_normal(x.of(0), n, KEY, SETS, x.stride, nullptr) == 0;
    same = same && lab_fill_large(x.of(1) + first, D, nullptr) == 0;
    for (int s = 0; s < SETS && same; s++) {
        std::vector<float> expected(n);
        lab_fill_quick(expected.data(), n, KEY, s * n);
        for (size_t i = first; s == 1 && i < first + D; i++) expected[i] *= LAB_LARGE_TIMES;
        same = memcmp(expected.data(), x.get(s).data(), n * sizeof(float)) == 0;
    }
    return same;
}

static bool sets_constants(size_t n) {
    tensors<int> x(n);
    bool same = lab_fill_constant(x.of(0), n, -1, SETS, x.stride, nullptr) == 0;
    for (int s = 0; s < SETS; s++)
        for (const int value : x.get(s)) same = same && value == -1;
    return same;
}

static bool digests(size_t n) {
    tensors<float> x(n);
    const size_t chunks = (n + LAB_CHUNK - 1) / LAB_CHUNK;
    tensors<uint64_t> found(chunks * SETS);
    lab_fill_normal(x.of(0), n, KEY, SETS, x.stride, nullptr);
    bool same = lab_digest_all(x.of(0), n, KEY, SETS, x.stride, found.of(0), nullptr) == 0;
    const std::vector<uint64_t> all = found.get(0);
    for (int s = 0; s < SETS; s++) {
        const std::vector<float> values = x.get(s);
        for (size_t c = 0; c < chunks; c++) {
            const size_t left = n - c * LAB_CHUNK;
            same = same &&
                   all[s * chunks + c] == lab_digest(&values[c * LAB_CHUNK], left < LAB_CHUNK ? left : LAB_CHUNK, KEY);
        }
    }
    return same;
}

// Some elements of set 1 are new, and depend on an element of set 0's output.
static bool links(size_t n) {
    tensors<float> in(n), out(n), seen(SETS);
    tensors<uint64_t> key(1);
    const uint64_t secret = KEY + 1;
    float *const x[2] = {nullptr, in.of(1)};
    const size_t sizes[2] = {0, n};
    lab_fill_normal(in.of(0), n, KEY, SETS, in.stride, nullptr);
    lab_fill_normal(out.of(0), n, KEY + 2, SETS, out.stride, nullptr);
    cudaMemset(seen.of(0), 0, SETS * sizeof(float));
    cudaMemcpy(key.of(0), &secret, sizeof secret, cudaMemcpyHostToDevice);
    bool same = lab_link(x, sizes, 2, out.of(0), n, 1, key.of(0), seen.of(0), nullptr) == 0;
    std::vector<float> expected(n);
    lab_fill_quick(expected.data(), n, KEY, n);
    uint32_t bits;
    const float value = out.get(0)[lab_bits(secret, 1) % n];
    memcpy(&bits, &value, sizeof bits);
    for (size_t j = 0; j * lab_fresh_step(n) < n; j++)
        expected[j * lab_fresh_step(n)] = lab_fresh(secret, bits, 1, 1, j);
    same = same && memcmp(expected.data(), in.get(1).data(), n * sizeof(float)) == 0;
    return same && seen.get(0)[0] == value;
}

int main() {
    tell(fills(2) && fills(1000) && fills((size_t)5 << 20), "inputs_are_those_of_the_host_bit_by_bit");
    tell(makes_large(64, 0, 64) && makes_large(5000, 1500, 128) && makes_large(5000, 4360, 640),
         "a_large_query_is_that_of_the_checker");
    tell(sets_constants(1) && sets_constants(100000), "constants_fill_every_set");
    tell(digests(2) && digests(LAB_CHUNK) && digests(3 * LAB_CHUNK + 6), "digests_are_those_of_the_host");
    tell(links(8) && links(5000) && links((size_t)5 << 20), "a_link_makes_what_the_checker_expects");
    tell(!lab_flush_caches(nullptr) && !lab_free_caches() && cudaDeviceSynchronize() == cudaSuccess,
         "caches_are_flushed");
    printf("1..%d\n", count);
    return failed > 0;
}
