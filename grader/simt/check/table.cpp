// table.cpp: SIMT_TABLE=1: for each kernel, what each source line moves, on stderr.
#include "kernels.h"
#include "reports.h"

#include <cstdio>

namespace check {

static void print_row(const LineRow &l) {
    std::string at = l.file.substr(l.file.rfind('/') + 1) + ":" + std::to_string(l.line);
    bool shared = l.space == "shared";
    uint64_t cost = shared ? l.c.wavefronts : l.c.sectors, ideal = shared ? l.c.ideal_wavefronts : l.c.ideal_sectors;
    double n = (double)l.c.requests;
    fprintf(stderr, "  %-24s %-6s %-6s %3u %10llu %6.1f %11.2f %6.2f  %s\n", at.c_str(), l.space.c_str(), l.op.c_str(),
            l.bytes_per_lane, (unsigned long long)l.c.requests, (double)l.c.lanes / n, (double)cost / n,
            (double)ideal / n,
            cost <= ideal              ? ""
            : shared                   ? "<- bank conflicts"
            : cost > ideal + ideal / 4 ? "<- not coalesced"
                                       : "");
}

void print_table() {
    for (const KernelCounts *k : kernel_counts()) {
        fprintf(stderr, "simt: kernel %s<<<(%u,%u,%u), (%u,%u,%u)>>>, %zu bytes of shared memory, %llu launch%s\n",
                k->kernel.c_str(), k->grid.x, k->grid.y, k->grid.z, k->block.x, k->block.y, k->block.z, k->shared_bytes,
                (unsigned long long)k->launches, k->launches == 1 ? "" : "es");
        if (k->tensor_flops) fprintf(stderr, "  %llu FLOPs on tensor cores\n", (unsigned long long)k->tensor_flops);
        if (k->truncated)
            fprintf(stderr, "  (not complete: a warp ran too long without a barrier; take a smaller shape)\n");
        for (const BufferCounts &b : k->buffers)
            fprintf(stderr, "  %-24s %10zu bytes: %llu loaded, %llu stored, %llu by atomics\n",
                    region_name(b.region).c_str(), b.region->full_size, (unsigned long long)b.counts.loaded,
                    (unsigned long long)b.counts.stored, (unsigned long long)b.counts.atomic);
        fprintf(stderr, "  %-24s %-6s %-6s %3s %10s %6s %11s %6s\n", "line", "memory", "op", "B", "requests", "lanes",
                "sectors or", "least");
        fprintf(stderr, "  %-24s %-6s %-6s %3s %10s %6s %11s %6s\n", "", "", "", "", "", "", "wavefronts", "");
        for (const LineRow &l : line_rows(*k)) print_row(l);
    }
}

}  // namespace check
