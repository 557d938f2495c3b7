// async.cpp: cp.async. Between issue and the issuing thread's wait, the destination has no value and the source must
// not change. After the wait the copy counts as a store by that thread, so the others still need a barrier.
#include "gang.h"
#include "reports.h"

#include <vector>

namespace check {

struct AsyncCopy {
    uintptr_t dst, src;
    size_t n, n_src;
    int group;
    uint32_t issued;
    const void *pc;
};
static PerBlock<std::vector<AsyncCopy>[MAX_THREADS]> async_copies;
bool copies_pending;

void async_issue(void *dst, const void *src, size_t n, size_t zero_fill, int group, const void *pc) {
    AsyncCopy c{(uintptr_t)dst, (uintptr_t)src, n, n - zero_fill, group, hb->stamp, pc};
    if (c.n_src) access(c.src, c.n_src, LOAD, ALIGNED, pc);
    access(c.dst, n, COPYING, ALIGNED, pc);
    Site *site = site_of(pc, n, COPYING, ALIGNED);
    Region *r = find_region(c.dst);
    if (r && r->size) set_pending(r, c.dst - r->base, n, Event{PENDING, (uint16_t)site->id, (uint16_t)run.id()});
    async_copies[run.thread].push_back(c);
    copies_pending = true;
}

static void report_overwritten(const AsyncCopy &c, Site *writer, int thread) {
    Site *copy = site_of(c.pc, c.n, COPYING, ALIGNED);
    Report *report = new_report("async_source_overwritten", ERROR, writer->pc, c.pc);
    if (!report) return;
    Region *r = find_region(c.src);
    if (r) name_memory(report, r, (long)(c.src - r->base), 4);
    add_access(report, verb(writer->kind), writer, thread);
    add_access(report, "copy", copy, run.thread);
    report->message = "The source of an asynchronous copy changes before anybody has waited for the copy.";
    report->advice = "Wait for the copy (__pipeline_wait_prior, cp.async.wait_group) before its source is written.";
}

void async_check_store(uintptr_t a, size_t n, Site *site) {
    engine_check_store(a, n, site);
    products_check_store(a, n, site);
    for (const AsyncCopy &c : async_copies[run.thread])
        if (a < c.src + c.n_src && c.src < a + n) report_overwritten(c, site, run.thread);
}

// The copy read its source at some time up to now: who wrote it since the issue?
static void check_source(const AsyncCopy &c) {
    Region *r = find_region(c.src);
    if (!r || !r->size || !c.n_src) return;
    Site *site = site_of(c.pc, c.n_src, LOAD, ALIGNED);
    size_t offset = c.src - r->base;
    for (size_t i = offset / 4; i <= (offset + c.n_src - 1) / 4; i++) {
        Event w = r->cells[i].write;
        if (w.stamp > c.issued && w.stamp != PENDING && w.thread != run.id() && run.owns(w.thread))
            report_overwritten(c, site_by_id(w.site), (int)(w.thread - run.first));
    }
    check_races(r, offset, c.n_src, site);
}

void async_landed(int thread, int groups_done) {
    std::vector<AsyncCopy> &mine = async_copies[thread], waiting;
    for (const AsyncCopy &c : mine) {
        if (c.group >= groups_done) {
            waiting.push_back(c);
            continue;
        }
        Site *site = site_of(c.pc, c.n, COPIED, ALIGNED);
        Region *r = find_region(c.dst);
        if (r && r->size)
            set_pending(r, c.dst - r->base, c.n,
                        Event{hb->stamp, (uint16_t)site->id, (uint16_t)(run.first + (uint32_t)thread)});
        check_source(c);
    }
    mine.swap(waiting);
}

void async_forget() {
    if (!copies_pending && run.blocks == 1) return;
    engine_forget();
    products_forget();
    copies_pending = false;
    for (auto &mine : *async_copies) {
        for (const AsyncCopy &c : mine) {
            Region *r = find_region(c.dst);
            if (r && r->size) set_pending(r, c.dst - r->base, c.n, Event{});
        }
        mine.clear();
    }
}

void report_pending(uintptr_t a, Region *r, Site *site, Event copy) {
    Site *issue = site_by_id(copy.site);
    bool own = copy.thread == run.id();
    Report *report = new_report("async_missing_wait", ERROR, site->pc, issue->pc);
    if (!report) return;
    name_memory(report, r, (long)(a - r->base), site->size);
    add_access(report, verb(site->kind), site, run.thread);
    add_event(report, "copy", copy);
    if (engine_explains(a, site->kind, report)) return;
    report->message =
        "The copy into this element may not have landed: the thread that issued it has not waited for it.";
    report->advice =
        own ? "Call __pipeline_wait_prior(n) (cp.async.wait_group) before the first use: n is the number of "
              "newer groups that may still be under way."
            : "The issuing thread must wait for its copy, and a __syncthreads() must follow, before others "
              "use the tile.";
}

}  // namespace check
