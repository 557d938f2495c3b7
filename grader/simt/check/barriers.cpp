// barriers.cpp: __syncthreads() must be reached by all threads of the block, at the same place in the source.
#include "gang.h"
#include "reports.h"

#include <algorithm>
#include <map>

namespace check {

struct Stop {
    const void *pc;
    simt_barrier_kind kind;
    bool exited;
    bool returned;  // by a `return;`
};                  // where a thread stands
static PerBlock<Stop[MAX_THREADS]> at;
static PerBlock<int> n_exited, n_returned;

void barriers_begin_block() {
    std::fill_n(*at, run.n_threads, Stop{});
    n_exited = 0, n_returned = 0;
}

void barriers_arrive(simt_barrier_kind kind, uint32_t, const void *pc) { at[run.thread] = {pc, kind, false, false}; }

void barriers_returns(int thread) { at[thread].returned = true; }

void barriers_exit(int thread) {
    n_exited++;
    n_returned += at[thread].returned;
    at[thread] = {nullptr, SIMT_BLOCK_BARRIER, true, at[thread].returned};
}

int barriers_returned() { return n_returned; }

// "0-15, 32": which threads are meant.
static std::string ranges(const std::vector<int> &v) {
    std::string s;
    for (size_t i = 0, j; i < v.size(); i = j + 1) {
        for (j = i; j + 1 < v.size() && v[j + 1] == v[j] + 1; j++) {}
        s += (s.empty() ? "" : ", ") + std::to_string(v[i]) + (j > i ? "-" + std::to_string(v[j]) : "");
    }
    return s;
}

// One entry for each place where threads of the block are: its first thread, and in the message all of them.
static void list_places(Report *report) {
    std::map<std::string, std::vector<int>> groups;
    for (int t = 0; t < run.n_threads; t++) {
        std::string what = at[t].exited                       ? (at[t].returned ? "exited" : "ended")
                           : at[t].kind == SIMT_BLOCK_BARRIER ? "waits"
                                                              : "waits in its warp";
        groups[what + "|" + (at[t].exited ? "" : place(where_is(at[t].pc)))].push_back(t);
    }
    std::vector<const std::vector<int> *> in_order;
    for (auto &g : groups) in_order.push_back(&g.second);
    std::sort(in_order.begin(), in_order.end(), [](auto *a, auto *b) { return (*a)[0] < (*b)[0]; });
    for (auto *threads : in_order) {
        int t = (*threads)[0];
        const char *what = at[t].exited ? "exited" : "waits";
        add_place(report, what, at[t].pc, t);
        report->message +=
            (report->message.empty() ? "Threads " : ", threads ") + ranges(*threads) +
            (at[t].returned ? " have returned"
             : at[t].exited ? " have come to the end of the kernel"
             : at[t].kind == SIMT_BLOCK_BARRIER
                 ? " wait in the __syncthreads() of line " + std::to_string(report->accesses.back().where.line)
             : at[t].kind == SIMT_PARTIAL_BARRIER
                 ? " wait in line " + std::to_string(report->accesses.back().where.line) + " for " + simt_waits_for(t)
                 : " wait for other lanes in line " + std::to_string(report->accesses.back().where.line));
    }
    report->message += " (numbered in the block, threadIdx.x fastest).";
}

static const char *const ADVICE =
    "Every thread of the block must reach the same __syncthreads(): move it out of the branch, "
    "and put the condition around the work, not around the barrier.";

static void report_divergence(const void *first, const void *second) {
    Report *report = new_report("divergent_barrier", ERROR, first, second);
    if (!report) return;
    list_places(report);
    report->advice = ADVICE;
}

static void report_early_exit(const void *pc) {
    Report *report = new_report("early_exit", WARNING, pc, nullptr);
    if (!report) return;
    list_places(report);
    report->message += " Since Volta a barrier does not wait for threads that have returned; before, it was an error.";
    report->advice = ADVICE;
}

// The compiler may copy a barrier (a loop's first turn): copies come from one line.
static bool same_place(const void *a, const void *b) {
    static std::map<std::pair<const void *, const void *>, bool> known;
    auto found = known.find({a, b});
    if (found != known.end()) return found->second;
    return known[{a, b}] = place(where_is(a)) == place(where_is(b));
}

void barriers_met(simt_barrier_kind kind) {
    if (kind != SIMT_BLOCK_BARRIER) return;
    const void *first = nullptr;
    for (int t = 0; t < run.n_threads; t++) {
        if (at[t].exited || at[t].pc == first) continue;
        if (first && !same_place(first, at[t].pc)) return report_divergence(first, at[t].pc);
        if (!first) first = at[t].pc;
    }
    if (n_exited > n_returned)  // they ran past it: it stands in a branch or a loop that they left out
        report_divergence(first, nullptr);
    else if (n_exited)
        report_early_exit(first);
}

void barriers_deadlock() {
    const void *first = nullptr, *second = nullptr;
    for (int t = 0; t < run.n_threads; t++) {
        if (at[t].exited) continue;
        if (!first)
            first = at[t].pc;
        else if (at[t].pc != first)
            second = at[t].pc;
    }
    const bool partial = std::any_of(*at, *at + run.n_threads,
                                     [](const Stop &s) { return !s.exited && s.kind == SIMT_PARTIAL_BARRIER; });
    Report *report = new_report("deadlock", ERROR, first, second);
    if (report) {
        list_places(report);
        report->advice =
            partial ? "A named barrier opens when as many threads have come as its count says; an mbarrier's phase "
                      "ends when all its "
                      "arrivals and all expected bytes have come; a barrier of several blocks waits for all of their "
                      "threads. Count "
                      "who comes."
                    : "A warp operation waits for every lane that its mask names, and __syncthreads() for every thread "
                      "of the block: let all of them reach it, or name only those that do in the mask.";
    }
    flush_reports();
}

}  // namespace check
