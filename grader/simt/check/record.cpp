// record.cpp: SIMT_RECORD=FILE writes what one block of each launch did: a line of JSON for each (README.md). The block is
// the launch's last, or number SIMT_RECORD_BLOCK. While it runs no access takes the short cut (quiet.h).
#include "check.h"
#include "kernels.h"
#include "reports.h"

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <cstring>

namespace check {

bool recording;

namespace {
struct Value {  // beside a lane's log: what was read or written, and whether it was reported
    uint32_t word[4];
    bool reported;
};
struct Unsettled {
    std::vector<Value> *of;
    size_t index, n;
    uintptr_t a;
};
}  // namespace

#define EARLY __attribute__((init_priority(200)))
EARLY static std::vector<Value> values[MAX_THREADS];
EARLY static std::vector<const Region *> regions;
EARLY static std::vector<const Site *> sites;
EARLY static std::string before, requests, barriers, faults;
static Unsettled unsettled;
static int phase, n_requests;
static simt_uint3 block;
constexpr int MOST_REQUESTS = 100000;
constexpr size_t MOST_BYTES = 1 << 18;  // of a buffer whose contents are written

static const char *file() {
    static const char *const name = getenv("SIMT_RECORD");
    return name && *name ? name : nullptr;
}

static std::string quoted(const std::string &s) {
    std::string out = "\"";
    for (char c : s)
        if ((unsigned char)c >= 0x20) out += (c == '"' || c == '\\' ? std::string("\\") : "") + c;
    return out + '"';
}

static void item(std::string &list, const std::string &text) { list += (list.empty() ? "" : ",") + text; }

template <class T> static size_t index_of(std::vector<const T *> &all, const T *one) {
    size_t i = (size_t)(std::find(all.begin(), all.end(), one) - all.begin());
    if (i == all.size()) all.push_back(one);
    return i;
}

// ---- While the block runs

// The contents of global memory before the launch.
void record_begin_launch() {
    if (!file()) return;
    regions.clear(), sites.clear();
    before.clear(), requests.clear(), barriers.clear(), faults.clear();
    phase = n_requests = 0;
    for (const Region *r : global_regions()) {
        if (r->space != GLOBAL || !r->size || r->size > MOST_BYTES) continue;
        std::string words;
        for (size_t i = 0; i + 4 <= r->size; i += 4) {
            uint32_t w;
            memcpy(&w, (const void *)(r->base + i), 4);
            item(words, r->init[i / 4] == 0x0f ? std::to_string(w) : "null");
        }
        item(before, "[" + std::to_string(index_of(regions, r)) + ",[" + words + "]]");
    }
}

void record_begin_block() {
    if (!file()) return;
    const simt_uint3 grid = run.launch->grid, b = run.block;
    const unsigned long n = (unsigned long)grid.x * grid.y * grid.z,
                        number = b.x + grid.x * (b.y + grid.y * (size_t)b.z);
    const char *wanted = getenv("SIMT_RECORD_BLOCK");
    recording = number == (wanted && *wanted ? std::min(strtoul(wanted, nullptr, 10), n - 1) : n - 1);
    if (recording) block = b;
    unsettled = {};
}

void record_settle() {
    const Unsettled u = unsettled;
    unsettled = {};
    if (u.of && u.index < u.of->size()) memcpy((*u.of)[u.index].word, (const void *)u.a, u.n);
}

void record_access(uintptr_t a, size_t n) {
    std::vector<Value> &mine = values[run.thread];
    mine.resize(logs[run.thread].n);
    if (mine.empty()) return;
    mine.back() = Value{};
    unsettled = {&mine, mine.size() - 1, std::min(n, sizeof mine[0].word), a};
    record_settle();  // a load's value; a store is done when its thread does the next thing
    unsettled = {&mine, mine.size() - 1, std::min(n, sizeof mine[0].word), a};
}

void record_fault(const char *kind, const void *pc) {
    const Log &log = logs[run.thread];
    std::vector<Value> &mine = values[run.thread];
    const bool known = log.n && mine.size() == log.n && site_by_id((uint32_t)(log.records[log.n - 1] >> 48))->pc == pc;
    if (known) mine.back().reported = true;
    const Where at = where_is(pc);
    item(faults, "{\"kind\":" + quoted(kind) + ",\"phase\":" + std::to_string(phase) +
                     ",\"thread\":" + std::to_string(run.thread) + ",\"line\":" + std::to_string(at.line) +
                     ",\"seen\":" + (known ? "true" : "false") + "}");
}

// ---- What it did

void record_barrier(const void *pc) {
    if (!recording) return;
    item(barriers, std::to_string(where_is(pc).line));
    phase++;
}

void record_request(int warp, const Site *site, const uintptr_t *address, const int *lane, const size_t *record, int n,
                    Cost cost) {
    const Region *r = find_region(address[0]);
    if (!r || n_requests++ >= MOST_REQUESTS) return;
    std::string lanes, offsets, words, reported;
    for (int i = 0; i < n; i++) {
        const std::vector<Value> &of = values[warp * WARP + lane[i]];
        const Value v = record[i] < of.size() ? of[record[i]] : Value{};
        item(lanes, std::to_string(lane[i]));
        item(offsets, std::to_string(address[i] - r->base));
        for (size_t w = 0; w < std::max<size_t>(1, site->size / 4); w++) item(words, std::to_string(v.word[w]));
        if (v.reported) item(reported, std::to_string(lane[i]));
    }
    item(requests, "[" + std::to_string(phase) + "," + std::to_string(warp) + "," +
                       std::to_string(index_of(sites, site)) + "," + std::to_string(index_of(regions, r)) + ",[" +
                       lanes + "],[" + offsets + "],[" + words + "]," + std::to_string(cost.taken) + "," +
                       std::to_string(cost.least) + ",[" + reported + "]]");
}

void record_end_block() {
    recording = false;
    for (auto &v : values) v.clear();
}

// ---- The launch's line

static std::string json_triple(simt_uint3 v) {
    return "[" + std::to_string(v.x) + "," + std::to_string(v.y) + "," + std::to_string(v.z) + "]";
}

static std::string list_of_regions() {
    static const char *const spaces[] = {"global", "constant", "shared", "dynamic", "other"};
    std::string all;
    for (const Region *r : regions)
        item(all, "{\"name\":" + quoted(region_name(r)) + ",\"space\":\"" + spaces[r->space] +
                      "\",\"bytes\":" + std::to_string(r->full_size) + "}");
    return all;
}

static std::string list_of_sites() {
    static const char *const operations[] = {"load", "store", "atomic", "copy", "copy"};
    std::string all;
    for (const Site *s : sites) {
        const Where at = where_is(s->pc);
        item(all, "{\"file\":" + quoted(at.file) + ",\"line\":" + std::to_string(at.line) +
                      ",\"function\":" + quoted(at.function) + ",\"op\":\"" + operations[s->kind] +
                      "\",\"bytes\":" + std::to_string(s->size) + "}");
    }
    return all;
}

// A kernel that was stopped has not come to the end of its block.
void record_end_launch() {
    if (!file()) return;
    if (recording) record_settle(), flush_block(), record_end_block();
    static FILE *out = fopen(file(), "w");
    if (!out) return;
    const simt_launch_info &l = *run.launch;
    const std::string text = "{\"kernel\":" + quoted(l.site->kernel) + ",\"file\":" + quoted(short_path(l.site->file)) +
                             ",\"line\":" + std::to_string(l.site->line) + ",\"grid\":" + json_triple(l.grid) +
                             ",\"threads\":" + json_triple(l.block) + ",\"block\":" + json_triple(block) +
                             ",\"truncated\":" + (n_requests > MOST_REQUESTS ? "true" : "false") + ",\"regions\":[" +
                             list_of_regions() + "],\"before\":[" + before + "],\"sites\":[" + list_of_sites() +
                             "],\"barriers\":[" + barriers + "],\"requests\":[" + requests + "],\"faults\":[" + faults +
                             "]}\n";
    fputs(text.c_str(), out), fflush(out);
}

}  // namespace check
