// advice.cpp: of a race: why it matters and what to change. What orders two accesses depends on who makes them (a thread, the copy
// engine, wgmma), where the other thread is, and by what the kernel orders its threads elsewhere.
#include "gang.h"
#include "reports.h"

#include <algorithm>

namespace check {

static bool by_engine(const Site *s) { return s->flags & ENGINE; }

// Does this block order some of its threads by barriers that are not for all?
static const char *partial_barriers() {
    switch (partial_barriers_used()) {
    case MBARRIERS: return "an mbarrier";
    case NAMED_BARRIERS: return "a named barrier";
    case MBARRIERS | NAMED_BARRIERS: return "an mbarrier or named barrier";
    default: return nullptr;
    }
}

static std::string in_block_advice(bool shared) {
    const int used = partial_barriers_used();
    if (!used)
        return shared ? "Put a __syncthreads() between the two accesses, where all threads of the block reach it. In a "
                        "loop, also think of the next iteration."
                      : "Put a __syncthreads() between the two accesses, or let only one thread use the element.";
    std::string first = used & MBARRIERS
                            ? "one thread arrives at an mbarrier after its access, and the other waits for "
                              "that phase before its own"
                            : "one thread does bar.arrive (or bar.sync) after its access, and the other "
                              "bar.sync of the same name before its own";
    return "Order the two: " + first +
           "; or a __syncthreads() lies between them, where all threads of the block reach "
           "it. What is written and read in turns needs two barriers: one says written, the other says read, and may "
           "be "
           "written again.";
}

static void explain_foreign(Report *report, Event past, bool atomic, bool shared) {
    if (past.stamp >= hb->block_begin) {
        report->message = "The two blocks run at the same time, and no barrier of theirs lies between the accesses.";
        report->advice = gang_advice(shared);
        return;
    }
    report->message = "Nothing orders two blocks of one launch: they may run in any order, or at the same time.";
    report->advice = atomic ? "Read the result of atomics in a later kernel, or after a __threadfence() and an atomic "
                              "ticket that tells which block is the last."
                            : "Give each block its own elements, use an atomic, or split the work into two kernels. "
                              "Where the last block combines the others' results: __threadfence() between the "
                              "writes and the atomic ticket.";
}

static void explain_inside(Report *report, bool warp, bool atomic, bool shared) {
    const char *partial = partial_barriers();
    if (warp) {
        report->message = "The two threads are in one warp, but since Volta its lanes do not run in lockstep: nothing "
                          "orders these two accesses. Shuffles and votes do not order memory.";
        report->advice = "Put a __syncthreads() between the two accesses. A __syncwarp() is enough where only lanes of "
                         "one warp share the element.";
        if (partial) report->advice = "Put a __syncwarp() between the two accesses: both are in one warp.";
    } else {
        report->message = partial ? std::string("The two threads are in different warps, and neither a __syncthreads() "
                                                "nor ") +
                                        partial + " that joins them lies between the two accesses."
                                  : "The two threads are in different warps, and no __syncthreads() lies between the "
                                    "two accesses.";
        report->advice = in_block_advice(shared);
    }
    if (atomic && !partial)
        report->advice = "Put a __syncthreads() between the atomics of all threads and the plain accesses.";
}

// A copy that begins (COPYING) or has been waited for (COPIED); or somebody reads late, until his wait.
static void explain_late(Report *report, const Site *site, const Site *other) {
    if (site->kind == COPYING && by_engine(site))
        report->advice =
            "Who asks for the copy must know that all others are done with the tile: let each of them arrive at an "
            "mbarrier (\"empty\") after the last use and wait for it before the copy, or put a __syncthreads() there.";
    else if (site->kind == COPYING)
        report->advice =
            "Put a __syncthreads() between the two: after the wait, if the other access needs this copy; before "
            "the copy, if it still needed what was there.";
    if (other->kind == COPIED && other->flags & TOLD)
        report->advice = "Another thread has waited for the copy's mbarrier, this one has not: each thread that reads "
                         "the tile waits "
                         "for the phase itself (mbarrier.try_wait.parity), or a barrier follows the one wait.";
    else if (other->kind == COPIED)
        report->advice =
            "The wait orders a copy only for the thread that issued it: put a __syncthreads() after the wait "
            "(__pipeline_wait_prior, cp.async.wait_group), before other threads read the tile.";
    if (by_engine(other) && other->kind == LOAD)
        report->message =
            "The copy engine or wgmma reads here until its thread has waited, and no barrier comes between "
            "that wait and this access.",
        report->advice =
            "First the wait (cp.async.bulk.wait_group.read 0, or wgmma.wait_group), in the thread or warp that gave "
            "the "
            "instruction; then a barrier (__syncthreads(), or an mbarrier that says that the tile is free); then the "
            "new values.";
}

// Do two threads store, or copy, in one line?
static bool in_one_line(const Site *a, const Site *b) {
    const bool store = a->kind == STORE && b->kind == STORE;
    const bool copy = (a->kind == COPYING || a->kind == COPIED) && (b->kind == COPYING || b->kind == COPIED) &&
                      !by_engine(a) && !by_engine(b);
    return (store || copy) && place(where_is(a->pc)) == place(where_is(b->pc));
}

void explain_race(Report *report, Event past, const Site *site, bool shared) {
    const Site *other = site_by_id(past.site);
    const bool foreign = past.stamp < hb->block_begin || !run.owns(past.thread);
    const bool warp = !foreign && past.thread / WARP == run.id() / WARP;
    const bool atomic = site->kind == ATOMIC || other->kind == ATOMIC;
    if (foreign)
        explain_foreign(report, past, atomic, shared);
    else
        explain_inside(report, warp, atomic, shared);
    if (in_one_line(site, other) && foreign && past.stamp < hb->block_begin)
        report->advice = "Two blocks run this line for the same element: give each its own. Does an index run past the "
                         "end of its row, where a limit is missing (if (column < columns)), or does it lack the "
                         "block's number?";
    else if (in_one_line(site, other) && !foreign)
        report->advice =
            "Several threads run this line for the same element: let one of them do it (if (threadIdx.x == 0)), "
            "give each its own element, or use an atomic.";
    else if (!foreign && !warp && !atomic && !partial_barriers() && (site->kind == LOAD || other->kind == LOAD) &&
             site->kind + other->kind == LOAD + STORE && place(where_is(site->pc)) == place(where_is(other->pc)))
        report->advice = "One thread reads in this line what another one writes in it. In different rounds of a loop, "
                         "a __syncthreads() at the end of each round orders them. In the same round no barrier does: "
                         "what is read there may not be written there.";
    const bool read = site->kind == LOAD || other->kind == LOAD;
    if (read && atomic && !shared && !partial_barriers_used())
        report->advice +=
            " Where the older value does no harm, read through a volatile pointer; where an atomic follows from "
            "what was read, go by what that atomic returns.";
    if (!foreign && !(in_one_line(site, other) && other->kind != STORE)) explain_late(report, site, other);
}

static bool same_place(const Access &a, const Access &b) {
    return a.where.line > 0 && a.where.line == b.where.line && a.where.file == b.where.file;
}

static bool is_race_of(const Report &r, const char *first, const char *second) {
    if (r.kind != "race" || r.severity != ERROR || r.accesses.size() != 2) return false;
    const Access &a = r.accesses[0], &b = r.accesses[1];
    return !a.other_block && !b.other_block &&
           ((a.what == first && b.what == second) || (a.what == second && b.what == first));
}

// A line that writes and one that reads; and the first is run by several threads for one element. In one round of theirs
// no barrier between the two lines keeps what the reader wants.
static void advise_shared_slot(Report *r, const Report &writes) {
    const Access &write = r->accesses[r->accesses[0].what != "write"];
    if (!same_place(write, writes.accesses[0]) || !same_place(write, writes.accesses[1])) return;
    r->advice = "Several threads set this element in line " + std::to_string(write.where.line) +
                ". If they do so in the same round, no barrier mends it: give each thread, or each warp, an element of "
                "its own. If in different rounds, put a __syncthreads() between the two accesses.";
}

// Reads without a value: the one that is reported first need not be the one that does harm.
static void tell_other_reads(const std::vector<Report *> &reads) {
    std::string lines;
    for (size_t i = 1; i < reads.size() && i < 4; i++)
        lines += (i > 1 ? ", " : "") + place(reads[i]->accesses[0].where) + " (" + reads[i]->variable +
                 reads[i]->subscript + ")";
    if (!lines.empty())
        reads[0]->message += " So does " + lines +
                             ". What a mask hides later does no harm, but a weight of 0 hides nothing: 0 times NaN is "
                             "NaN.";
}

void advise_together(const std::vector<Report *> &reports) {
    std::vector<Report *> reads;
    for (Report *r : reports) {
        const bool shared = r->space == "shared";
        if (shared && r->kind == "uninitialised_read" && r->accesses.size() == 1 &&
            std::none_of(reads.begin(), reads.end(),
                         [r](Report *seen) { return same_place(seen->accesses[0], r->accesses[0]); }))
            reads.push_back(r);
        for (const Report *writes : reports)
            if (shared && is_race_of(*r, "write", "read") && is_race_of(*writes, "write", "write"))
                advise_shared_slot(r, *writes);
    }
    tell_other_reads(reads);
}

}  // namespace check
