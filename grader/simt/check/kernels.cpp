// kernels.cpp: collects the counts of a launch and adds them to its kernel's.
#include "kernels.h"
#include "reports.h"

#include <algorithm>
#include <map>
#include <string>
#include <tuple>

namespace check {

#define EARLY __attribute__((init_priority(200)))
EARLY static Listed<KernelCounts *> kernels;
EARLY static Listed<LineCounts> now[2];  // of this launch, by site id; [1]: shared

static uint64_t flops_now;  // of this launch, on tensor cores
static uint64_t broadcasts_now;
size_t deepest;
void tensor_flops(uint64_t flops) { flops_now += flops; }
void broadcasts(uint64_t wavefronts) { broadcasts_now += wavefronts; }

LineCounts &line_counts(const Site *site, bool shared) {
    if (now[shared].size() <= site->id) now[shared].resize(site_count());
    return now[shared][site->id];
}

void counts_begin_launch() {
    counts_truncated = false;
    flops_now = broadcasts_now = deepest = 0;
    for (auto &v : now) std::fill(v.begin(), v.end(), LineCounts{});
    for (Region *r : global_regions()) {
        r->counts = Counts{};
        for (auto &seen : r->sectors_seen) seen.clear();
    }
}

void counts_scale(uint64_t by, uint64_t over) {
    flops_now = flops_now * by / over;
    broadcasts_now = broadcasts_now * by / over;
    for (auto &v : now)
        for (LineCounts &c : v)
            for (uint64_t *n :
                 {&c.requests, &c.lanes, &c.sectors, &c.ideal_sectors, &c.wavefronts, &c.ideal_wavefronts})
                *n = *n * by / over;
}

static void add(LineCounts &to, const LineCounts &c) {
    to.requests += c.requests, to.lanes += c.lanes;
    to.sectors += c.sectors, to.ideal_sectors += c.ideal_sectors;
    to.wavefronts += c.wavefronts, to.ideal_wavefronts += c.ideal_wavefronts;
}

static uint64_t bits(const Listed<uint64_t> &v) {
    uint64_t n = 0;
    for (uint64_t w : v) n += (uint64_t)__builtin_popcountll(w);
    return n;
}

static bool same(simt_uint3 a, simt_uint3 b) { return a.x == b.x && a.y == b.y && a.z == b.z; }

static KernelCounts &kernel_of(const std::string &name, simt_uint3 grid, simt_uint3 block, size_t shared) {
    for (KernelCounts *k : kernels)
        if (k->kernel == name && same(k->grid, grid) && same(k->block, block) && k->shared_bytes == shared) return *k;
    kernels.push_back(new KernelCounts{});
    KernelCounts &k = *kernels.back();
    k.kernel = name;
    k.grid = grid, k.block = block, k.shared_bytes = shared;
    return k;
}

static KernelCounts &kernel_of_launch() {
    const simt_launch_info &l = *run.launch;
    return kernel_of(l.site->kernel, l.grid, l.block, static_shared_bytes() + l.shared_bytes);
}

// Buffers of one name, origin and size are one row, unless one launch uses several: those are told apart by their
// order. Rows: behind the last one that this launch has taken for such a buffer, of which there may be a hundred thousand.
typedef std::map<std::tuple<const void *, std::string, size_t>, size_t> Rows;
static void add_buffer(KernelCounts &k, const Region &r, Rows &rows) {
    size_t &row = rows[{r.alloc_pc, r.name, r.full_size}];
    auto same = [&](const Region &old) {
        return old.alloc_pc == r.alloc_pc && old.name == r.name && old.full_size == r.full_size;
    };
    while (row < k.buffers.size() && !same(*k.buffers[row].region)) row++;
    if (row == k.buffers.size()) k.buffers.push_back({&r});
    BufferCounts *b = &k.buffers[row++];
    b->counts.loaded += r.counts.loaded, b->counts.stored += r.counts.stored, b->counts.atomic += r.counts.atomic;
    b->counts.sectors_loaded += r.counts.sectors_loaded, b->counts.sectors_stored += r.counts.sectors_stored;
    b->unique_sectors_loaded += bits(r.sectors_seen[0]), b->unique_sectors_stored += bits(r.sectors_seen[1]);
}

void counts_end_launch() {
    KernelCounts &k = kernel_of_launch();
    k.launches++;
    k.tensor_flops += flops_now;
    k.broadcasts += broadcasts_now;
    k.stack = std::max<uint64_t>(k.stack, deepest);
    k.truncated |= counts_truncated;
    for (int shared = 0; shared < 2; shared++)
        for (uint32_t id = 0; id < now[shared].size(); id++)
            if (now[shared][id].requests) add(k.sites[{id, shared}], now[shared][id]);
    Rows rows;
    for (Region *r : global_regions())
        if (r->counts.loaded || r->counts.stored || r->counts.atomic) add_buffer(k, *r, rows);
}

// A GPU makes such copies, too: they count as a kernel of that name.
void count_host(const void *p, size_t n, Kind kind) {
    KernelCounts &k = kernel_of("cudaMemcpy, cudaMemset", {}, {}, 0);
    k.launches++;
    for (uintptr_t a = (uintptr_t)p, end = a + n; a < end;) {  // it may go on from one named part to the next
        Region *r = find_region(a);
        if (!r || a - r->base >= r->size) return;
        const size_t here = std::min<size_t>(end - a, r->base + r->size - a);
        Rows rows;
        r->counts = Counts{};
        for (auto &seen : r->sectors_seen) seen.clear();
        (kind == LOAD ? r->counts.loaded : r->counts.stored) += here;
        count_sectors(r, kind, a, here);
        add_buffer(k, *r, rows);
        a += here;
    }
}

const Listed<KernelCounts *> &kernel_counts() { return kernels; }

void counts_reset() {
    for (KernelCounts *k : kernels) delete k;
    kernels.clear();
}

std::vector<LineRow> line_rows(const KernelCounts &kernel) {
    std::map<std::tuple<std::string, int, std::string, int, unsigned>, LineRow> rows;
    for (const auto &entry : kernel.sites) {
        const Site *site = site_by_id(entry.first.first);
        Where w = where_is(site->pc);
        LineRow row{w.file,
                    entry.first.second ? "shared" : "global",
                    site->kind == LOAD     ? "load"
                    : site->kind == ATOMIC ? "atomic"
                                           : "store",
                    w.line,
                    site->size,
                    {}};
        LineRow &to = rows.emplace(std::make_tuple(w.file, w.line, row.space, (int)site->kind, row.bytes_per_lane), row)
                          .first->second;
        add(to.c, entry.second);
    }
    std::vector<LineRow> out;
    for (auto &entry : rows) out.push_back(entry.second);
    return out;
}

}  // namespace check
