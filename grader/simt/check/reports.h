// reports.h: one report: what both the JSON and the text are derived from.
#ifndef SIMT_CHECK_REPORTS_H
#define SIMT_CHECK_REPORTS_H

#include "check.h"

#pragma GCC visibility push(hidden)
namespace check {

struct Where {
    std::string file;  // relative to the working directory where it lies below it; empty: unknown
    int line = 0;
    std::string function;
};

enum Severity : uint8_t { ERROR, WARNING };

struct Access {
    std::string what;  // read, write, atomic, copy, waits, exited, allocated, freed
    Where where;
    int thread = -1;  // linear; -1: none (the host)
    bool other_block = false;
};

struct Report {
    std::string kind;
    Severity severity;
    std::string kernel;  // empty: host code
    Where launch;
    bool called = false;  // launch: the guest's call that led there. Accesses have no lines: they are not the guest's
    simt_uint3 block_dim, block;
    std::string variable, space;
    std::string subscript;  // "[2][5]"; empty for a scalar
    long index = 0;  // of the element, counted in elements of the access's size; for a warning or barrier: unused
    std::string allocated;  // file:line of the cudaMalloc
    std::vector<Access> accesses;
    std::string message, advice;
    uint64_t count = 1;
    // Printed at once, or when the block ends (a race: there may be a clearer pair of threads at the same lines), or
    // when the launch ends (a read without value: a race may explain it).
    enum { AT_ONCE, AT_BLOCK_END, AT_LAUNCH_END } when = AT_ONCE;
    int clarity = 0;
};

// The report to fill in, or NULL when these places have been reported (then it is counted). One that has not been
// printed and is less clear is filled in anew.
Report *new_report(const char *kind, Severity severity, const void *pc, const void *other_pc, int clarity = 0);
void add_access(Report *report, const char *what, const Site *site, int thread);
void add_place(Report *report, const char *what, const void *pc, int thread);
void add_event(Report *report, const char *what, Event e);  // who did it: perhaps another block's thread
const char *verb(Kind kind);
void explain_race(Report *report, Event past, const Site *site, bool shared);  // advice.cpp
void advise_together(const std::vector<Report *> &reports);                    // what several of them say together
void flush_reports();
void settle_reports(bool launch_ends);  // at the end of a block or launch
void reset_reports();
int error_count();
const std::vector<Report *> &all_reports();
simt_uint3 thread_of(const Report &report, int linear);

// names.cpp
void name_memory(Report *report, const Region *r, long offset, size_t element);
std::string region_name(const Region *r);
std::string allocation_place(const Region *r);
std::string array_indexed_at(const std::string &file, int line);
std::string dynamic_shared_name(const Where &near, const std::string &kernel);

// symbolize.cpp. A pc is a return address: the call is before it.
std::vector<Where> frames_of(const void *pc);  // the student's frames, innermost first
Where where_is(const void *pc);
std::string short_path(const std::string &path);
std::string place(const Where &where);  // file:line
const std::string &source_line(const std::string &file, int line);
int source_lines(const std::string &file);  // how many it has

// text.cpp, json.cpp, table.cpp
void print_text(const Report &report);
std::string to_json();
void print_table();

}  // namespace check
#pragma GCC visibility pop
#endif
