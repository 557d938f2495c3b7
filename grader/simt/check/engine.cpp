// engine.cpp: the copy engine (cp.async.bulk, TMA) as the checker sees it. Its loads write shared memory at any time between the
// instruction and the end of the mbarrier's phase; its stores read shared memory until their group has been waited for.
//
//     load    PENDING, ordered with nothing   landed   claimed: who first waits for the mbarrier counts as the writer
//     store   what it reads may not change    done: it has read up to now, and who writes later must come after that
//
// In global memory a copy counts as done by its thread at its instruction.
#include "gang.h"
#include "reports.h"

#include <algorithm>

namespace check {

namespace {
struct Copy {
    uint64_t id;
    uintptr_t lo;
    size_t n;
    const void *mbarrier;  // null: a store
    const void *pc;
    uint32_t thread;  // its number in the gang
    bool landed;
};
}  // namespace
static Listed<Copy> copies;

void engine_forget() { copies.clear(); }

static void mark(const Copy &c, Event e) {
    Region *r = find_region(c.lo);
    if (r && r->size) set_pending(r, c.lo - r->base, c.n, e);
}

// What lies behind one address may be several variables: piece by piece.
void engine_begins(uint64_t id, const void *shared, size_t n, const void *mbarrier, const void *pc) {
    Copy c{id, (uintptr_t)shared, n, mbarrier, pc, run.id(), false};
    proxies_check(c.lo, n, pc, mbarrier);  // before this copy counts as the last to write
    access_by_engine(c.lo, n, mbarrier ? COPYING : LOAD, pc);
    if (mbarrier) mark(c, Event{PENDING, (uint16_t)site_of(pc, 4, COPYING, TOLD | ENGINE)->id, (uint16_t)run.id()});
    copies.push_back(c);
    copies_pending = true;
}

void engine_ends(uint64_t id) {
    auto c = std::find_if(copies.begin(), copies.end(), [&](const Copy &x) { return x.id == id; });
    if (c == copies.end()) return;
    if (c->mbarrier) {
        c->landed = true;
        return;
    }
    const Copy done = *c;
    copies.erase(c);
    Region *r = find_region(done.lo);
    if (done.thread != run.id() || !r || !r->size) return;  // nobody has waited for it
    const size_t offset = done.lo - r->base;
    check_races(r, offset, std::min(done.n, r->size - offset), site_of(done.pc, 4, LOAD, TOLD | ENGINE));
}

void engine_moves(const void *p, size_t n, simt_access_kind kind, int first, const void *pc) {
    Region *r = find_region((uintptr_t)p);
    if (!r || !r->size || r->space != GLOBAL) return;
    (kind == SIMT_LOAD ? r->counts.loaded : kind == SIMT_STORE ? r->counts.stored : r->counts.atomic) += n;
    count_bulk(r, site_of(pc, 16, (Kind)kind, TOLD), (uintptr_t)p, n, first);
    const size_t offset = (uintptr_t)p - r->base, here = std::min(n, r->size - offset);
    check_races(r, offset, here, site_of(pc, 4, (Kind)kind, TOLD | ENGINE));
    if (kind != SIMT_LOAD) mark_written(p, n);  // a box may reach over what has a value: no report of its reads
}

// The running thread has waited for the mbarrier: what has landed there is written now, by it.
bool engine_claims(const void *mbarrier) {
    bool any = false;
    for (size_t i = 0; i < copies.size();) {
        if (copies[i].mbarrier != mbarrier || !copies[i].landed) {
            i++;
            continue;
        }
        mark(copies[i], Event{hb->stamp, (uint16_t)site_of(copies[i].pc, 4, COPIED, TOLD)->id, (uint16_t)run.id()});
        copies.erase(copies.begin() + (long)i);
        any = true;
    }
    return any;
}

bool engine_explains(uintptr_t a, Kind kind, Report *report) {
    for (const Copy &c : copies) {
        if (a - c.lo >= c.n || !c.mbarrier) continue;
        if (kind == STORE) {
            report->message =
                "The copy engine writes here, too, and nothing says who comes last: no barrier lies between "
                "this store and the copy's instruction, nor has anybody waited for the copy.";
            report->advice =
                "A store that is to come before the copy: fence.proxy.async after it, then __syncthreads(), "
                "then the copy. One that is to come after: wait for the mbarrier's phase first "
                "(mbarrier.try_wait.parity).";
            return true;
        }
        report->message =
            "The copy engine may still be writing here: nobody has yet waited for the mbarrier that counts its bytes.";
        report->advice = "Wait for the mbarrier's phase (mbarrier.try_wait.parity) before the first use. A fresh "
                         "barrier is in phase 0: the first "
                         "wait has parity 0, the next 1, and so on; with the other parity the wait is over at once.";
        return true;
    }
    return false;
}

void engine_check_store(uintptr_t a, size_t n, Site *site) {
    for (const Copy &c : copies) {
        if (c.mbarrier || a >= c.lo + c.n || c.lo >= a + n) continue;
        Report *report = new_report("async_source_overwritten", ERROR, site->pc, c.pc);
        if (!report) return;
        if (Region *r = find_region(a)) name_memory(report, r, (long)(a - r->base), site->size);
        add_access(report, verb(site->kind), site, run.thread);
        add_place(report, "copy", c.pc, (int)(c.thread % run.span));
        report->message = "The copy engine may still be reading here: its store has not been waited for.";
        report->advice =
            "The thread that issued the copy must commit it and wait (cp.async.bulk.commit_group, then "
            "cp.async.bulk.wait_group.read 0), and a barrier must follow, before the tile is written again.";
        return;
    }
}

}  // namespace check
