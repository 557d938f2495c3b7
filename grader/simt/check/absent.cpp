// absent.cpp: what a lane shuffles out of one that is not there: it has left the kernel, or the mask does not name it.
// That value is undefined; the runtime gives SIMT_ABSENT.
//
// The upper lanes of a tree of __shfl_down_sync do so as a habit, and nobody looks at what they get. So there the
// shuffle is no error, but it is one to store what came of it. A NaN keeps its bits through sums and products to the
// store, and SIMT_ABSENT is one: we look for it in what the warps store that have got one.
#include "reports.h"

#include <cstring>

namespace check {

namespace {
struct Absent {
    const void *pc;  // of the shuffle; null: this thread has got no such value
    int source;
    bool named;
};
struct Store {
    uintptr_t a;
    size_t n;
    Site *site;
};
enum Search : uint8_t { NOTHING, STORES, REPORTED };  // of a warp: REPORTED at the shuffle, which says it better
}  // namespace
static PerBlock<Absent[MAX_THREADS]> got;  // by this thread last
static PerBlock<Search[MAX_WARPS]> search;
static std::vector<Store> stores_to_search;  // of the running thread, not done yet
bool absent_values;

void absent_begin_block() {
    absent_values = false;
    memset(*search, 0, sizeof *search);
    stores_to_search.clear();
}

static std::string which(int source, bool named, int warp) {
    return source >= WARP                          ? ", which no warp has"
           : !named                                ? ", which the mask does not name"
           : warp * WARP + source >= run.n_threads ? ", which the block does not have"
                                                   : ", which has left the kernel";
}

static const char *const HOW_TO_SHUFFLE =
    "Let every lane that the mask names reach the shuffle: put the condition around the work (v = i < n ? x[i] : "
    "0), not around the shuffle. Where a warp is not full, name only the lanes that are there, and read from them.";

void absent_source(int warp, int lane, int source, int named, simt_warp_op op, int argument, const void *pc) {
    int thread = warp * WARP + lane;
    if (op == SIMT_SHFL_DOWN && lane >= argument) {
        if (search[warp] == REPORTED) return;
        if (search[warp] == NOTHING) memset(&got[warp * WARP], 0, WARP * sizeof got[0]);
        search[warp] = STORES;
        got[thread] = {pc, source, named != 0};
        absent_values = true;
        unwatched = false;  // from here on each access of the block goes the long way
        return;
    }
    search[warp] = REPORTED;
    Report *report = new_report("shuffle_source", ERROR, pc, nullptr);
    if (!report) return;
    add_place(report, "shuffle", pc, thread);
    report->message = "Lane " + std::to_string(lane) + " takes its value from lane " + std::to_string(source) +
                      which(source, named, warp) + ": the value is undefined.";
    report->advice = HOW_TO_SHUFFLE;
}

void absent_stored(uintptr_t a, size_t n, Site *site) {
    if (search[run.thread / WARP] != STORES || n < 4) return;
    stores_to_search.push_back({a, n, site});
    stores_in_doubt = true;
}

// The thread of the running thread's warp that took what now stands there; -1: that is something else.
static int taker(uintptr_t a, size_t n) {
    uint32_t word, sign = 1u << 31;
    for (size_t i = 0; i + 4 <= n; i += 4) {
        memcpy(&word, (const void *)(a + i), 4);
        int thread = run.thread / WARP * WARP + (int)(word % WARP);
        if (((word & ~sign) & ~(WARP - 1u)) == SIMT_ABSENT && got[thread].pc) return thread;
    }
    return -1;
}

void settle_absent() {
    for (const Store &s : stores_to_search) {
        Region *r = find_region(s.a);
        int thread = r ? taker(s.a, s.n) : -1;
        if (thread < 0) continue;
        const Absent from = got[thread];
        Report *report = new_report("absent_value", ERROR, s.site->pc, from.pc);
        if (!report) continue;
        name_memory(report, r, (long)(s.a - r->base), s.site->size);
        add_access(report, verb(s.site->kind), s.site, run.thread);
        add_place(report, "shuffle", from.pc, thread);
        report->message = "What is stored comes from a shuffle: lane " + std::to_string(thread % WARP) +
                          " took it from lane " + std::to_string(from.source) +
                          which(from.source, from.named, thread / WARP) + ". The value is undefined.";
        report->advice = HOW_TO_SHUFFLE;
    }
    stores_to_search.clear();
}

}  // namespace check
