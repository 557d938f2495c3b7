// kernels.h: the counts of each kernel, added up over its launches of one shape.
#ifndef SIMT_CHECK_KERNELS_H
#define SIMT_CHECK_KERNELS_H

#include <deque>
#include <map>
#include <string>
#include <tuple>
#include <vector>

#include "check.h"

#pragma GCC visibility push(hidden)
namespace check {

struct BufferCounts {
    const Region *region;  // the first of its name and size: regions are never forgotten
    Counts counts{};
    uint64_t unique_sectors_loaded = 0, unique_sectors_stored = 0;  // summed over launches
};
struct KernelCounts : simt::OwnObject {
    std::string kernel;
    simt_uint3 grid, block;
    size_t shared_bytes = 0;  // static and dynamic
    uint64_t launches = 0, tensor_flops = 0, broadcasts = 0, stack = 0;
    bool truncated = false;
    std::deque<BufferCounts, simt::Own<BufferCounts>> buffers;  // in order of allocation
    std::map<std::pair<uint32_t, bool>, LineCounts, std::less<std::pair<uint32_t, bool>>,
             simt::Own<std::pair<const std::pair<uint32_t, bool>, LineCounts>>>
        sites;  // (site id, shared)
};
const Listed<KernelCounts *> &kernel_counts();

// By source line: different instructions of one line, space, operation and width are one row.
struct LineRow {
    std::string file, space, op;
    int line = 0;
    unsigned bytes_per_lane = 0;
    LineCounts c{};
};
std::vector<LineRow> line_rows(const KernelCounts &kernel);

}  // namespace check
#pragma GCC visibility pop
#endif
