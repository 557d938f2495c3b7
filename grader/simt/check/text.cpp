// text.cpp: a report as a student reads it on the terminal.
#include "reports.h"

#include <cstdio>

namespace check {

static std::string triple(simt_uint3 v) {
    return "(" + std::to_string(v.x) + "," + std::to_string(v.y) + "," + std::to_string(v.z) + ")";
}

static std::string trim(const std::string &s) {
    size_t from = s.find_first_not_of(" \t"), to = s.find_last_not_of(" \t\r");
    return from == std::string::npos ? "" : s.substr(from, to - from + 1);
}

static std::string title(const Report &r) {
    static const struct {
        const char *kind, *title;
    } titles[] = {
        {"race", "data race"},
        {"out_of_bounds", "access out of bounds"},
        {"index_out_of_bounds", "index out of bounds"},
        {"use_after_free", "use of freed memory"},
        {"uninitialised_read", "read of memory that was never written"},
        {"misaligned_access", "misaligned access"},
        {"null_pointer", "null pointer"},
        {"host_pointer", "host pointer in a kernel"},
        {"device_pointer_on_host", "device pointer in host code"},
        {"foreign_local", "another thread's local variable"},
        {"divergent_barrier", "__syncthreads() in divergent code"},
        {"early_exit", "__syncthreads() after some threads have returned"},
        {"deadlock", "threads wait for each other for ever"},
        {"async_missing_wait", "asynchronous copy used before the wait"},
        {"async_source_overwritten", "source of an asynchronous copy overwritten"},
        {"tile_overwritten", "tile overwritten while wgmma reads it"},
        {"sums_before_wait", "sums of wgmma used before the wait"},
        {"missing_wgmma_fence", "wgmma without a wgmma.fence"},
        {"missing_proxy_fence", "shared memory read past its stores: no fence.proxy.async"},
        {"managed_in_flight", "managed memory used by the host before it has waited"},
        {"shuffle_source", "shuffle from a lane that is not there"},
        {"absent_value", "value of a lane that is not there"},
        {"other_block_not_begun", "another block's shared memory used before it is known to run"},
        {"fault", "the kernel crashed"},
    };
    for (const auto &t : titles)
        if (r.kind == t.kind) return t.title;
    return r.kind;
}

// What happened to which memory, in one line.
static std::string headline(const Report &r) {
    std::string s = title(r);
    if (r.variable.empty()) return s;
    s += std::string(": ") + (r.space.empty() ? "" : r.space + " ") + r.variable + r.subscript;
    if (!r.allocated.empty()) s += " (cudaMalloc at " + r.allocated + ")";
    return s;
}

static void print_access(const Report &r, const Access &a) {
    std::string who = a.thread < 0 ? "" : "thread " + triple(thread_of(r, a.thread));
    if (a.other_block) who = "another block's " + who;
    fprintf(stderr, "    %-9s %s", a.what.c_str(), who.c_str());
    if (!a.where.file.empty()) fprintf(stderr, "%s%s", who.empty() ? "" : "  ", place(a.where).c_str());
    if (!a.where.function.empty()) fprintf(stderr, " in %s", a.where.function.c_str());
    fputc('\n', stderr);
    std::string line = trim(source_line(a.where.file, a.where.line));
    if (!line.empty()) fprintf(stderr, "    %6d |  %s\n", a.where.line, line.c_str());
}

void print_text(const Report &r) {
    fflush(stdout);
    fprintf(stderr, "simt: %s: %s\n", r.severity == ERROR ? "error" : "warning", headline(r).c_str());
    if (!r.kernel.empty())
        fprintf(stderr, "    kernel %s, %s at %s, block %s\n", r.kernel.c_str(), r.called ? "called" : "launched",
                place(r.launch).c_str(), triple(r.block).c_str());
    for (const Access &a : r.accesses) print_access(r, a);
    if (!r.message.empty()) fprintf(stderr, "    %s\n", r.message.c_str());
    if (!r.advice.empty()) fprintf(stderr, "    What to do: %s\n", r.advice.c_str());
}

}  // namespace check
