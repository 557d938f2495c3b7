// counts.cpp: what one warp instruction costs: 32-byte sectors of global memory, wavefronts of shared memory.
//
// Global: the distinct sectors that the lanes touch. Shared: 32 banks of 4 bytes; lanes that need different words of
// one bank take turns, lanes that need the same word share it. 8-byte accesses go in two phases, by half warps, and
// 16-byte ones in four, by quarters; two phases become one where neighbouring lanes (lane ^ 1, or lane ^ 2) have the
// same addresses.
#include "check.h"

#include <algorithm>

namespace check {

constexpr int SECTOR = 32, BANKS = 32;

static int sort_unique(uint64_t *v, int n) {
    if (!std::is_sorted(v, v + n)) std::sort(v, v + n);
    int m = 1;
    for (int i = 1; i < n; i++)
        if (v[i] != v[m - 1]) v[m++] = v[i];
    return m;
}

static void mark_sectors(Region *r, int which, const uint64_t *sectors, int n) {
    Listed<uint64_t> &seen = r->sectors_seen[which];
    uint64_t first = r->base / SECTOR;
    if (seen.empty()) seen.resize((r->full_size / SECTOR + 2 + 63) / 64);
    for (int i = 0; i < n; i++)
        if ((sectors[i] - first) / 64 < seen.size())
            seen[(sectors[i] - first) / 64] |= (uint64_t)1 << (sectors[i] - first) % 64;
}

static Cost count_global(Region *r, const Site *site, const uintptr_t *address, int n) {
    LineCounts &c = line_counts(site, false);
    uint64_t v[2 * WARP];
    std::copy(address, address + n, v);
    int distinct = sort_unique(v, n), m = 0;
    c.requests++, c.lanes += n;
    c.ideal_sectors += (distinct * site->size + SECTOR - 1) / SECTOR;
    for (int i = 0; i < n; i++) {
        uint64_t sector = address[i] / SECTOR, last = (address[i] + site->size - 1) / SECTOR;
        v[m++] = sector;
        if (last != sector) v[m++] = last;
    }
    m = sort_unique(v, m);
    c.sectors += m;
    int which = site->kind != LOAD;
    (which ? r->counts.sectors_stored : r->counts.sectors_loaded) += m;
    mark_sectors(r, which, v, m);
    return {m, (distinct * site->size + SECTOR - 1) / SECTOR};
}

// Do at most 32 4-byte words, side by side or one for all, serve these lanes?
static bool free_of_conflicts(const uintptr_t *address, int n) {
    uintptr_t lo = address[0] / 4, hi = lo;
    for (int i = 1; i < n; i++) lo = std::min(lo, address[i] / 4), hi = std::max(hi, address[i] / 4);
    return hi - lo < BANKS;
}

// The turns that these lanes of one phase need.
static int turns(const Site *site, const uintptr_t *address, int n) {
    if (site->size <= 4 && site->kind != ATOMIC && free_of_conflicts(address, n)) return 1;
    uint64_t words[WARP * 4];
    int m = 0, most = 0;
    uint8_t load[BANKS] = {};
    for (int i = 0; i < n; i++)
        for (uint64_t w = address[i] / 4; w <= (address[i] + site->size - 1) / 4; w++) words[m++] = w;
    if (site->kind != ATOMIC) m = sort_unique(words, m);  // atomics on one word take turns too
    for (int i = 0; i < m; i++) most = std::max<int>(most, ++load[words[i] % BANKS]);
    return most;
}

// Does every lane share its address with its neighbour (lane ^ bit), where that one is active?
static bool in_pairs(const uintptr_t *address, const int *lane, int n, int bit) {
    uintptr_t of[WARP] = {};
    for (int i = 0; i < n; i++) of[lane[i]] = address[i];
    for (int i = 0; i < n; i++)
        if (of[lane[i] ^ bit] && of[lane[i] ^ bit] != address[i]) return false;
    return true;
}

// Lanes [i, end) of one group: they go in one phase, or by halves of the group unless neighbours share their addresses.
// The least is one turn per phase.
static Cost serve(const Site *site, const uintptr_t *address, const int *lane, int n, int group) {
    if (n == 0) return {0, 0};
    bool one_phase =
        group * site->size <= BANKS * 4 ||
        (group * site->size <= 2 * BANKS * 4 && (in_pairs(address, lane, n, 1) || in_pairs(address, lane, n, 2)));
    if (one_phase) return {turns(site, address, n), 1};
    int half = 0;
    while (half < n && lane[half] % group < group / 2) half++;
    Cost a = serve(site, address, lane, half, group / 2),
         b = serve(site, address + half, lane + half, n - half, group / 2);
    return {a.taken + b.taken, a.least + b.least};
}

static Cost count_shared(const Site *site, const uintptr_t *address, const int *lane, int n) {
    LineCounts &c = line_counts(site, true);
    Cost cost = serve(site, address, lane, n, WARP);
    c.requests++, c.lanes += n;
    c.wavefronts += cost.taken;
    c.ideal_wavefronts += cost.least;
    return cost;
}

// n bytes in one go: whole sectors, whichever way they lie. Says how many.
uint64_t count_sectors(Region *r, Kind kind, uintptr_t a, size_t n) {
    Listed<uint64_t> sectors;
    for (uint64_t s = a / SECTOR; s <= (a + n - 1) / SECTOR; s++) sectors.push_back(s);
    const int which = kind != LOAD;
    (which ? r->counts.sectors_stored : r->counts.sectors_loaded) += sectors.size();
    mark_sectors(r, which, sectors.data(), (int)sectors.size());
    return sectors.size();
}

// One lane asks for all of it.
void count_bulk(Region *r, const Site *site, uintptr_t a, size_t n, bool first) {
    LineCounts &c = line_counts(site, false);
    c.requests += first, c.lanes += first;
    c.sectors += count_sectors(r, site->kind, a, n), c.ideal_sectors += (n + SECTOR - 1) / SECTOR;
}

// wgmma reads 8 pieces of 16 bytes at once where they lie in different banks; those of the same banks take turns.
void count_core_matrix(const Site *site, const void *const *pieces) {
    LineCounts &c = line_counts(site, true);
    uintptr_t address[8];
    for (int i = 0; i < 8; i++) address[i] = (uintptr_t)pieces[i];
    c.requests++, c.lanes += 8;
    c.wavefronts += (uint64_t)turns(site, address, 8), c.ideal_wavefronts++;
}

Cost count_request(Site *site, const uintptr_t *address, const int *lane, int n) {
    Region *r = site->region;
    if (address[0] - r->base >= r->size) r = find_region(address[0]);
    if (!r) return {};
    if (r->space == CONSTANT && site->kind == LOAD) {  // its cache serves one address at a time
        uint64_t v[WARP];
        std::copy(address, address + n, v);
        broadcasts((uint64_t)sort_unique(v, n));
        return {};
    }
    return r->space == GLOBAL || r->space == CONSTANT ? count_global(r, site, address, n)
                                                      : count_shared(site, address, lane, n);
}

}  // namespace check
