// local.cpp: a local variable belongs to one thread; on a GPU its address means something else in every thread.
#include "check.h"
#include "reports.h"

namespace check {

bool report_foreign_stack(uintptr_t a, size_t, Site *site) {
    int owner = simt_stack_owner((const void *)a);
    if (owner < 0) return false;
    Report *report = new_report("foreign_local", ERROR, site->pc, nullptr);
    if (!report) return true;
    report->space = "local";
    add_access(report, verb(site->kind), site, run.thread);
    add_place(report, "owner", nullptr, owner);
    report->message =
        "The pointer leads to a local variable of another thread; threads cannot see each other's locals.";
    report->advice = "Exchange values through __shared__ memory and a __syncthreads(), or with a warp shuffle.";
    return true;
}

}  // namespace check
