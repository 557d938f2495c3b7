// managed.cpp: memory that host and kernels share (cudaMallocManaged, __managed__). The host's accesses are seen where simtcc
// --checked compiled them, so a kernel's write must not meet them before the host has waited for the device.
#include "check.h"
#include "reports.h"

#include <algorithm>

namespace check {

static bool any_in_flight;

void managed_end_launch() {
    for (Region *r : global_regions())
        if (r->shared_with_host && r->counts.stored + r->counts.atomic) r->in_flight = any_in_flight = true;
}

// By a function that returns before its work is done.
void library_writes(const void *p, size_t n) {
    mark_written(p, n);
    Region *r = find_region((uintptr_t)p);
    if (r && r->shared_with_host) r->in_flight = any_in_flight = true;
}

void managed_synchronised() {
    if (!any_in_flight) return;
    for (Region *r : global_regions()) r->in_flight = false;
    any_in_flight = false;
}

// The host's own code at an address of managed memory.
void managed_host_use(Region *r, uintptr_t a, size_t n, Kind kind, const void *pc) {
    if (kind != LOAD) mark_written((const void *)a, n);
    if (!r->in_flight) return;
    Report *report = new_report("managed_in_flight", ERROR, pc, nullptr);
    if (!report) return;
    name_memory(report, r, (long)(a - r->base), n);
    add_place(report, verb(kind), pc, -1);
    report->message =
        "A kernel that writes this managed memory may still be running: a launch does not wait for its end.";
    report->advice = "Call cudaDeviceSynchronize() between the launch and the host's access.";
    flush_reports();
}

// Code that nobody watches (a library, a .c file) writes managed memory, too: what is not as cudaMallocManaged gave it out
// has been written.
bool written_unseen(const Region *r, size_t offset, size_t n) {
    const unsigned char *p = (const unsigned char *)r->base + offset;
    return r->shared_with_host && std::any_of(p, p + n, [](unsigned char c) { return c != 0xff; });
}

}  // namespace check
