// warps.cpp: lanes -> warp instructions. The fibers of a warp run one after another, so each lane keeps a log of its
// accesses; when the lanes have met (barrier, full shuffle, end) the logs are merged as a GPU would have executed them:
// lanes at the same instruction go together, and where they differ, the one that comes first in the source goes first.
// So lanes that left a loop wait behind it, and both sides of a branch wait at its end.
#include "gang.h"
#include "reports.h"

#include <algorithm>
#include <cstdio>
#include <cstdlib>

namespace check {

PerBlock<Log[MAX_THREADS]> logs;
struct Place {
    bool known;
    std::vector<int> lines;
};  // of the calls from the kernel inwards
static std::vector<Place> places;

constexpr size_t MOST_RECORDS = 32 << 20;  // of all lanes of a block, 256 MB
static size_t room_of_all;
bool counts_truncated;

static void flush_warp(int warp);

void make_room(Log &log) {
    size_t room = log.room ? 2 * log.room : 256;
    if (room_of_all + room > MOST_RECORDS && log.room) {  // a kernel that runs on and on without meeting
        counts_truncated = true;
        flush_warp((int)(&log - *logs) / WARP);
        return;
    }
    log.records = (uint64_t *)realloc(log.records, room * sizeof *log.records);
    if (!log.records) {
        fprintf(stderr, "simt: no memory left to record the accesses of a warp\n");
        abort();
    }
    room_of_all += room - log.room;
    log.room = room;
}

static const std::vector<int> &lines_of(uint32_t id) {
    if (places.size() <= id) places.resize(site_count());
    Place &p = places[id];
    if (!p.known) {
        p.known = true;
        for (const Where &w : frames_of(site_by_id(id)->pc)) p.lines.push_back(w.line);
        std::reverse(p.lines.begin(), p.lines.end());
    }
    return p.lines;
}

static bool comes_first(uint32_t a, uint32_t b) {
    lines_of(std::max(a, b));  // grow before taking references
    const std::vector<int> &x = lines_of(a), &y = lines_of(b);
    return x != y ? x < y : site_by_id(a)->pc < site_by_id(b)->pc;
}

struct Lane {
    const uint64_t *at, *end;
    int number;
    const uint64_t *first;
};

// Where the lanes differ: the site that comes first in the source.
static uint32_t earliest(const Lane *lanes, int n) {
    uint32_t best = (uint32_t)(*lanes[0].at >> 48);
    for (int i = 1; i < n; i++) {
        uint32_t id = (uint32_t)(*lanes[i].at >> 48);
        if (id != best && comes_first(id, best)) best = id;
    }
    return best;
}

static void flush_warp(int warp) {
    int first = warp * WARP, n = 0, number[WARP];
    uintptr_t address[WARP];
    size_t record[WARP];
    Lane lanes[WARP];  // those that still have records, in order of their number
    for (int i = 0; i < WARP && first + i < run.n_threads; i++) {
        Log &log = logs[first + i];
        if (log.n) lanes[n++] = {log.records, log.records + log.n, i, log.records};
        log.n = 0;
    }
    while (n) {
        uint32_t id = (uint32_t)(*lanes[0].at >> 48);
        bool together = true, ended = false;
        for (int i = 1; i < n; i++) together &= (uint32_t)(*lanes[i].at >> 48) == id;
        if (!together) id = earliest(lanes, n);
        int k = 0;
        for (int i = 0; i < n; i++) {
            if (!together && (uint32_t)(*lanes[i].at >> 48) != id) continue;
            record[k] = (size_t)(lanes[i].at - lanes[i].first);
            address[k] = *lanes[i].at++ & ADDRESS;
            number[k++] = lanes[i].number;
            ended |= lanes[i].at == lanes[i].end;
        }
        Cost cost = count_request(site_by_id(id), address, number, k);
        if (recording) record_request(warp, site_by_id(id), address, number, record, k, cost);
        if (ended) n = (int)(std::remove_if(lanes, lanes + n, [](const Lane &l) { return l.at == l.end; }) - lanes);
    }
}

void flush_block() {
    for (int w = 0; w * WARP < run.n_threads; w++) flush_warp(w);
}

// Lanes that a partial mask leaves out may be anywhere: then the logs grow until all have met.
void lanes_met(int warp, uint32_t mask) {
    int n = std::min(WARP, run.n_threads - warp * WARP);
    uint32_t all = n == WARP ? ~0u : (1u << n) - 1;
    if ((mask & all) == all) flush_warp(warp);
}

}  // namespace check
