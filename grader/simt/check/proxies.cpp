// proxies.cpp: ordinary stores, cp.async and stmatrix go to shared memory on one way (PTX: the generic proxy), wgmma and the copy
// engine read it on another (the async proxy), on which the copy engine also writes. A barrier alone does not join the two: fence.proxy.async does, after the stores and
// before the barrier, or else between the barrier and the reading.
#include "gang.h"
#include "reports.h"

namespace check {

namespace {
struct Fence {
    uint32_t at, interval;  // when; and since when the block had met
    bool acquired;          // after it had waited for others within the interval
};
}  // namespace
static PerBlock<Fence[MAX_THREADS]> proxy_fences;
static PerBlock<uint32_t[MAX_THREADS]> acquired_at;

void proxy_acquired() { acquired_at[run.thread] = hb->now; }

void proxy_fence(int thread) {
    if (stores_in_doubt) settle_stores();
    proxy_fences[thread] = Fence{order_tick(thread), hb->interval, acquired_at[thread] >= hb->interval};
}

static bool fenced(Event e) {
    if (!run.owns(e.thread) || e.stamp < proxy_fences[e.thread - run.first].at) return true;
    const Fence &reader = proxy_fences[run.thread];
    return e.stamp < reader.interval || (reader.acquired && e.stamp < reader.at);
}

static bool is_generic(const Site *s) {
    return s->kind == STORE || s->kind == ATOMIC || (s->kind == COPIED && !(s->flags & TOLD));
}

void proxies_check(uintptr_t a, size_t n, const void *pc, bool writes) {
    Region *r = find_region(a);
    if (!r || !r->size || (r->space != SHARED && r->space != DYNAMIC)) return;
    for (size_t offset = a - r->base, end = offset + n; offset < end; offset += 4) {
        const Event e = r->init[offset / 4] & SPLIT ? r->byte_cells[offset].write : r->cells[offset / 4].write;
        if (!e.stamp || e.stamp == PENDING || e.stamp < hb->block_begin || fenced(e)) continue;
        const Site *writer = site_by_id(e.site);
        if (!is_generic(writer)) continue;
        Report *report = new_report("missing_proxy_fence", ERROR, pc, writer->pc);
        if (!report) return;
        name_memory(report, r, (long)offset, writer->size);
        add_place(report, writes ? "copy" : "read", pc, run.thread);
        add_access(report, verb(writer->kind), writer, (int)(e.thread - run.first));
        report->message =
            writes
                ? "The copy engine writes shared memory on another way than ordinary stores: a barrier alone does not "
                  "join the two, and the older value may come last."
                : "wgmma and the copy engine read shared memory on another way than ordinary stores write it: a "
                  "barrier "
                  "alone does not join the two, and the old values may be read.";
        report->advice = "Each thread that has stored executes asm volatile(\"fence.proxy.async.shared::cta;\" ::: "
                         "\"memory\") after "
                         "its stores, before the barrier.";
        return;
    }
}

}  // namespace check
