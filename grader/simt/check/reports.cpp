// reports.cpp: the list of reports: one for each pair of places in the source, with a count of how often it happened.
#include "reports.h"
#include "order.h"

#include <algorithm>
#include <cstdio>
#include <map>
#include <string_view>
#include <tuple>

namespace check {

#define EARLY __attribute__((init_priority(200)))
EARLY static std::vector<Report *> reports;
// Asked for each of a race's million accesses: no string is made, and words are compared last.
EARLY static std::map<std::tuple<const void *, const void *, Severity, std::string_view>, Report *> by_pc;
EARLY static std::map<std::string, Report *> by_source;
EARLY static std::vector<Report *> deferred;
static Report *open_report;
static int errors;

// Different instructions of the same source lines make one report; for a race, whichever of the two came first.
static std::string source_key(const Report &r) {
    std::string key = r.kind + '|' + r.kernel;
    std::vector<std::string> places;
    for (const Access &a : r.accesses) places.push_back((r.kind == "race" ? "" : a.what) + place(a.where));
    if (r.kind == "race") std::sort(places.begin(), places.end());
    for (const std::string &p : places) key += '|' + p;
    return key;
}

static void replace(Report *r, Report *by) {
    for (auto &entry : by_pc)
        if (entry.second == r) entry.second = by;
    delete r;
}

static void finish(Report *r) {
    if (r->called)
        r->advice =
            "Look at what this call hands over: a pointer to something else, or to less memory than the sizes say?";
    auto error = by_source.find(source_key(*r) + "|error");
    Report *&same = by_source[source_key(*r) + (r->severity == ERROR ? "|error" : "|warning")];
    if (!same && error != by_source.end()) same = error->second;  // no warning after an error
    if (same) {
        same->count += r->count;
        return replace(r, same);
    }
    same = r;
    reports.push_back(r);
    errors += r->severity == ERROR;
    constexpr size_t SHOWN = 20;
    if (reports.size() <= SHOWN) print_text(*r);
    if (reports.size() == SHOWN + 1) fprintf(stderr, "simt: and more; SIMT_REPORT=FILE writes them all\n");
}

void flush_reports() {
    Report *r = open_report;
    if (!r) return;
    open_report = nullptr;
    if (r->when != Report::AT_ONCE)
        deferred.push_back(r);
    else
        finish(r);
}

// A read that came too early, by lack of a barrier, sees no value: the race says it better.
static Report *race_at(const Report &early) {
    const Access &read = early.accesses[0];
    for (Report *r : reports)
        for (const Access &a : r->accesses)
            if (r->kind == "race" && r->kernel == early.kernel && a.where.line == read.where.line &&
                a.where.file == read.where.file)
                return r;
    return nullptr;
}

void settle_reports(bool launch_ends) {
    flush_reports();
    std::vector<Report *> now, later;
    for (Report *r : deferred) (launch_ends || r->when == Report::AT_BLOCK_END ? now : later).push_back(r);
    deferred.swap(later);
    advise_together(now);
    std::stable_sort(now.begin(), now.end(), [](Report *a, Report *b) { return a->clarity > b->clarity; });
    for (Report *r : now) {
        Report *race = r->when == Report::AT_LAUNCH_END ? race_at(*r) : nullptr;
        if (race)
            replace(r, race);
        else
            finish(r);
    }
}

// What a report knows of the running kernel.
static void begin_report(Report *r, const char *kind, Severity severity, int clarity) {
    r->kind = kind;
    r->severity = severity;
    r->clarity = clarity;
    if (!in_kernel) return;
    r->kernel = run.launch->site->kernel;
    r->launch.file = short_path(run.launch->site->file);
    r->launch.line = run.launch->site->line;
    if (run.launch->caller) r->launch = where_is(run.launch->caller), r->called = true;
    r->block_dim = run.launch->block;
    r->block = run.block;
}

Report *new_report(const char *kind, Severity severity, const void *pc, const void *other_pc, int clarity) {
    if (recording && severity == ERROR) record_fault(kind, pc);
    Report *&r = by_pc[{pc, other_pc, severity, kind}];
    if (r) {
        r->count++;
        bool waits = std::find(deferred.begin(), deferred.end(), r) != deferred.end() || r == open_report;
        if (!waits || clarity <= r->clarity) return nullptr;
        Report again;
        again.count = r->count, again.when = r->when;
        *r = again;
        begin_report(r, kind, severity, clarity);
        return r;
    }
    flush_reports();
    r = open_report = new Report{};
    begin_report(r, kind, severity, clarity);
    return r;
}

void add_place(Report *report, const char *what, const void *pc, int thread) {
    Access a;
    a.what = what;
    if (pc && !report->called) a.where = where_is(pc);
    a.thread = thread;
    report->accesses.push_back(a);
}

void add_access(Report *report, const char *what, const Site *site, int thread) {
    add_place(report, what, site->pc, thread);
    if (report->variable == DYNAMIC_SHARED) {
        std::string name = dynamic_shared_name(report->accesses.back().where, report->kernel);
        if (!name.empty()) report->variable = name;
    }
}

void add_event(Report *report, const char *what, Event e) {
    add_access(report, what, site_by_id(e.site), (int)(e.thread % run.span));
    report->accesses.back().other_block = e.stamp < hb->block_begin || !run.owns(e.thread);
}

const char *verb(Kind kind) {
    static const char *const names[] = {"read", "write", "atomic", "copy", "copy"};
    return names[kind];
}

int error_count() {
    flush_reports();
    return errors;
}

const std::vector<Report *> &all_reports() {
    flush_reports();
    return reports;
}

void reset_reports() {
    flush_reports();
    for (Report *r : reports) delete r;
    reports.clear(), by_pc.clear(), by_source.clear();
    errors = 0;
}

simt_uint3 thread_of(const Report &report, int linear) {
    unsigned t = (unsigned)linear, x = report.block_dim.x ? report.block_dim.x : 1,
             y = report.block_dim.y ? report.block_dim.y : 1;
    return {t % x, t / x % y, t / (x * y)};
}

}  // namespace check
