// races.cpp: two accesses of a word conflict when one of them writes, not both are atomic, and nothing orders them.
//
// A cell remembers two writes and two reads. One write would do for plain stores (a second, unordered one has already
// been reported), but atomics may follow each other unordered, and so may reads. Of such a crowd we keep two events
// from different warps or blocks when there are any: whoever comes next, at least one of the two is a stranger to it.
#include "gang.h"
#include "quiet.h"
#include "reports.h"

#include <algorithm>
#include <cstring>

namespace check {

static bool strong(const Site *s, bool shared) {
    return s->kind == ATOMIC || (!shared && (s->flags & VOLATILE)) || (s->flags & STRONG) == STRONG;
}
static bool is_foreign(Event e) { return e.stamp < hb->block_begin || !run.owns(e.thread); }
static bool same_warp(Event a, Event b) {
    return a.thread / WARP == b.thread / WARP && (a.stamp >= hb->block_begin) == (b.stamp >= hb->block_begin);
}

static void report_race(Region *r, size_t offset, Site *site, Event past, Severity severity) {
    Site *other = site_by_id(past.site);
    if (other->kind == COPYING) return report_pending(r->base + offset, r, site, past);
    bool shared = r->space == SHARED || r->space == DYNAMIC, foreign = is_foreign(past);
    bool warp = !foreign && past.thread / WARP == run.id() / WARP;
    int clarity = 2 * (severity == ERROR) + !warp;  // two warps: only a __syncthreads() helps
    Report *report = new_report("race", severity, site->pc, other->pc, clarity);
    if (!report) return;
    report->when = Report::AT_BLOCK_END;
    name_memory(report, r, (long)offset, site->kind == COPYING ? other->size : site->size);
    add_access(report, verb(site->kind), site, run.thread);
    add_event(report, verb(other->kind), past);
    explain_race(report, past, site, shared);
    if (severity == WARNING) report->message += " Both write the same value, so it does no harm as long as that is so.";
}

// Of two unordered stores we want to know whether they write the same value; but we are called before the second one is
// done. So it waits, with what was in memory, until the next thing that its thread does.
namespace {
struct Doubt {
    Region *r;
    size_t offset, bytes;
    Site *site;
    Event past;
    char before[4];
};
}  // namespace
static std::vector<Doubt> doubts;
bool stores_in_doubt;

static void doubt(Region *r, size_t offset, size_t bytes, Site *site, Event past) {
    Doubt d{r, offset, bytes, site, past, {}};
    memcpy(d.before, (const void *)(r->base + offset), bytes);
    doubts.push_back(d);
    stores_in_doubt = true;
}

void settle_stores() {
    stores_in_doubt = false;
    if (absent_values) settle_absent();
    for (const Doubt &d : doubts) {
        bool same_value = !memcmp(d.before, (const void *)(d.r->base + d.offset), d.bytes);
        bool one_instruction =
            d.past.site == d.site->id && d.past.stamp >= hb->block_begin && d.past.thread / WARP == run.id() / WARP;
        // Lanes that store one value by one instruction: CUDA says that one of them does it.
        if (!same_value || !one_instruction) report_race(d.r, d.offset, d.site, d.past, same_value ? WARNING : ERROR);
    }
    doubts.clear();
}

// A plain read and others' atomics: no race where the reader goes on with an atomicCAS there, which looks again (old = *p;
// do ... while (atomicCAS(p, ...) != old), as the programming guide has it). So the report waits until the interval ends.
// Where one thread goes on so, the line is such a seed for the others, too: with a guard (while (value > old)) they may leave
// without an atomicCAS. What is read there and plainly written remains a race.
namespace {
struct Glance {
    Region *r;
    size_t offset;
    uint32_t reader;
    int thread;  // thread: at whose access it was noticed
    Site *site;
    Event past;
};
}  // namespace
static std::vector<Glance> glances;

static void report_glance(const Glance &g) {
    int running = run.thread;
    run.thread = g.thread;
    report_race(g.r, g.offset, g.site, g.past, ERROR);
    run.thread = running;
}

static bool is_seed(const Site *site, Event past) {
    const Site *other = site_by_id(past.site);
    return (site->kind == LOAD && site->seed && other->kind == ATOMIC) ||
           (site->kind == ATOMIC && other->kind == LOAD && other->seed);
}

void settle_glances() {
    std::vector<Glance> all;
    all.swap(glances);
    for (const Glance &g : all)
        if (!is_seed(g.site, g.past)) report_glance(g);
}

// What the running thread has read of these bytes just now.
static void mark_seeds(uintptr_t a, size_t n) {
    constexpr size_t RECENT = 16;
    const Log &log = logs[run.thread];
    for (size_t i = log.n; i > 0 && i + RECENT > log.n; i--) {
        Site *site = site_by_id((uint32_t)(log.records[i - 1] >> 48));
        if (site->kind == LOAD && (log.records[i - 1] & ADDRESS) - (a & ADDRESS) < n) site->seed = true;
    }
}

void forgive_reads(uintptr_t a, size_t n) {
    Region *r = find_region(a);
    if (!r || r->space == UNCHECKED || !r->size) return;
    mark_seeds(a, n);
    size_t offset = a - r->base;
    auto mine = [&](const Glance &g) { return g.reader == run.id() && g.r == r && g.offset - offset < n; };
    glances.erase(std::remove_if(glances.begin(), glances.end(), mine), glances.end());
    for (size_t word = offset / 4; word < (offset + n) / 4; word++)
        for (Event *e : {&r->cells[word].read, &r->cells[word].other_read})
            if (e->thread == run.id() && e->stamp >= hb->block_begin) *e = Event{};
}

static bool is_glance(const Site *site, Event past) {
    const Site *other = site_by_id(past.site);
    return (site->kind == LOAD && other->kind == ATOMIC) ||
           (site->kind == ATOMIC && other->kind == LOAD && past.stamp >= hb->block_begin);
}

static void report_conflict(Region *r, size_t offset, size_t bytes, Site *site, Event past) {
    bool two_stores = site->kind == STORE && !(site->flags & TOLD) && site_by_id(past.site)->kind == STORE;
    constexpr size_t MANY = 4096;
    if (two_stores)
        doubt(r, offset, bytes, site, past);
    else if (is_seed(site, past))
        return;
    else if (is_glance(site, past) && glances.size() < MANY)
        glances.push_back({r, offset, site->kind == LOAD ? run.id() : past.thread, run.thread, site, past});
    else
        report_race(r, offset, site, past, ERROR);
}

static inline void keep_read(Cell &c, Event x, bool shared) {
    if (says_nothing_new(c, x)) return;
    if (!c.read.stamp || ordered(c.read, shared))
        c.read = x;
    else if (!c.other_read.stamp || ordered(c.other_read, shared))
        c.other_read = x;
    else if (same_warp(c.read, c.other_read) &&
             (!same_warp(c.read, x) || (c.read.stamp == c.other_read.stamp && x.stamp != c.read.stamp)))
        c.other_read = x;
}

static void keep_write(Cell &c, Event x, bool atomic, bool shared) {
    if (!atomic) {
        c.write = x;
        c.other_write = c.read = c.other_read = Event{};
    } else if (!c.write.stamp || ordered(c.write, shared)) {
        c.write = x;
    } else if (!c.other_write.stamp || ordered(c.other_write, shared) || !same_warp(c.write, x)) {
        c.other_write = c.write;
        c.write = x;
    }
}

// The cell holds the past of `bytes` bytes (a word, or one); x is the access that happens now.
static inline void visit(Cell &c, Event x, Region *r, size_t offset, size_t bytes, Site *site, bool shared) {
    bool is_strong = strong(site, shared);
    auto conflicts = [&](Event past) {
        return past.stamp && !ordered(past, shared) && !(is_strong && strong(site_by_id(past.site), shared));
    };
    if (conflicts(c.write))
        report_conflict(r, offset, bytes, site, c.write);
    else if (conflicts(c.other_write))
        report_conflict(r, offset, bytes, site, c.other_write);
    if (site->kind == LOAD) return keep_read(c, x, shared);
    if (conflicts(c.read))
        report_conflict(r, offset, bytes, site, c.read);
    else if (conflicts(c.other_read))
        report_conflict(r, offset, bytes, site, c.other_read);
    keep_write(c, x, is_strong, shared);
}

void check_races(Region *r, size_t offset, size_t n, Site *site) {
    Event x{hb->stamp, (uint16_t)site->id, (uint16_t)run.id()};
    bool shared = r->space == SHARED || r->space == DYNAMIC;
    while (n) {
        size_t word = offset / 4, from = offset % 4, bytes = n < 4 - from ? n : 4 - from;
        if (bytes < 4 && !(r->init[word] & SPLIT)) split_word(r, word);
        if (!(r->init[word] & SPLIT))
            visit(r->cells[word], x, r, offset, 4, site, shared);
        else
            for (size_t i = 0; i < bytes; i++) visit(r->byte_cells[offset + i], x, r, offset + i, 1, site, shared);
        offset += bytes, n -= bytes;
    }
}

// cp.async (async.cpp): these bytes are being written until somebody waits.
void set_pending(Region *r, size_t offset, size_t n, Event e) {
    for (size_t i = offset; i < offset + n; i += 4) {
        Cell past{e, {}, {}, {}};
        if (r->init[i / 4] & SPLIT)
            for (size_t b = 0; b < 4; b++) r->byte_cells[i + b] = past;
        else
            r->cells[i / 4] = past;
    }
}

}  // namespace check
