// main.cu: each kernel as it is must give no report; without one of its barriers it must give a race. Prints TAP.
#include "../../runtime/guests.h"
#include "barriers.h"
#include <string>
#include <vector>

static const simt_check_table *checker;

static Buffers allocate() {
    Buffers b;
    std::vector<float> host(N);
    unsigned state = 7;
    cudaMalloc(&b.x, N * sizeof(float));
    cudaMalloc(&b.y, N * sizeof(float));
    cudaMalloc(&b.z, N * sizeof(float));
    cudaMalloc(&b.out, N * sizeof(float));
    cudaMalloc(&b.counters, N * sizeof(unsigned));
    for (float *p : {b.x, b.y, b.z}) {
        for (float &v : host) v = (float)((state = state * 1664525u + 1013904223u) >> 8) / (1 << 24);
        cudaMemcpy(p, host.data(), N * sizeof(float), cudaMemcpyHostToDevice);
    }
    return b;
}

// How often `text` is in the reports of the last launch.
static int reported(const char *text) {
    FILE *f = tmpfile();
    checker->write_json_fd(fileno(f));
    rewind(f);
    std::string json;
    for (int c; (c = fgetc(f)) != EOF;) json += (char)c;
    fclose(f);
    int n = 0;
    for (size_t at = 0; (at = json.find(text, at)) != std::string::npos; at++) n++;
    return n;
}

// The kernel without barrier n: how many races and misused copies are reported, and how many errors of any kind.
struct Errors {
    int races, all;
};
static Errors launch_without(const KernelList &list, const Kernel &k, const Buffers &b, int n) {
    checker->reset();
    list.remove_barrier(n);
    cudaMemset(b.counters, 0, N * sizeof(unsigned));
    k.launch(b);
    if (cudaDeviceSynchronize() != cudaSuccess) return {0, -1};
    return {reported("\"kind\":\"race\"") + reported("\"kind\":\"async_missing_wait\""), checker->error_count()};
}

int main() {
    checker = simt_guests()->check;
    Buffers b = allocate();
    int test = 0, failed = 0;
    auto result = [&](bool ok, const char *name, const char *claim, int n) {
        failed += !ok;
        printf("%s %d - %s %s", ok ? "ok" : "not ok", ++test, name, claim);
        if (n) printf(" %d", n);
        printf("\n");
    };
    for (const KernelList &list : {reductions, tiles, others})
        for (const Kernel *k = list.kernels; k->name; k++) {
            result(launch_without(list, *k, b, 0).all == 0, k->name, "gives no report", 0);
            for (int n = 1; n <= k->barriers; n++)
                result(launch_without(list, *k, b, n).races > 0, k->name, "has a race without barrier", n);
        }
    printf("1..%d\n", test);
    return failed != 0;
}
