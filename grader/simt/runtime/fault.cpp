// fault.cpp: how a kernel ends early. The first fault of a launch is kept, the fibers of all its blocks are abandoned
// (their frames are dropped, as a GPU drops them), and the host thread prints what happened and sets CUDA's error.
#include "ptx/mbarrier.h"
#include "runtime.h"

#include <cstdarg>
#include <cstdio>
#include <map>

namespace simt {

// Leaves the fiber for the stack that run_block left. Never comes back.
[[noreturn]] static void abandon(Worker &w) {
    void *dropped;
    simt_switch(&dropped, w.main_sp);
    __builtin_unreachable();
}

void stop_kernel_with(Fault fault) {
    Worker &w = *this_worker;
    if (w.fiber) {
        fault.in_thread = true;
        fault.block = w.block_idx;
        fault.thread = w.fiber->idx;
    }
    {
        std::lock_guard<std::mutex> lock(w.launch->fault_lock);
        if (!w.launch->fault.error) w.launch->fault = std::move(fault);
    }
    w.launch->stop.store(true);
    fault.~Fault();  // abandon() runs no destructors
    abandon(w);
}

void stop_kernel(int error, const void *pc, const char *format, ...) {
    char text[1024];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(text, sizeof text, format, arguments);
    va_end(arguments);
    Fault fault;
    fault.error = error;
    fault.text = text;
    fault.pcs.push_back(pc);
    stop_kernel_with(std::move(fault));
}

Fault timeout_fault() {
    Fault fault;
    fault.error = 702;
    char text[200];
    snprintf(text, sizeof text,
             "the kernel did not end within %g s (an endless loop, or a thread that spins on another. "
             "SIMT_TIMEOUT=0 lets it run)",
             config().timeout);
    fault.text = text;
    return fault;
}

void leave_stopped(Worker &w) {
    if (!timed_out()) abandon(w);
    Fault fault = timeout_fault();
    fault.pcs.push_back(w.fiber->site);
    stop_kernel_with(std::move(fault));
}

// "0-3,7" for sorted numbers.
static std::string ranges(const std::vector<int> &v) {
    std::string s;
    for (size_t i = 0, j; i < v.size(); i = j + 1) {
        for (j = i; j + 1 < v.size() && v[j + 1] == v[j] + 1;) j++;
        s += (s.empty() ? "" : ",") + std::to_string(v[i]) + (j > i ? "-" + std::to_string(v[j]) : "");
    }
    return s;
}

void deadlock(Worker &w) {
    if (simt_hooks) simt_hooks->deadlock();
    Fault fault;
    fault.error = 702;
    fault.reported = simt_hooks != nullptr;
    fault.text = "deadlock: no thread of the block can go on (a GPU would hang)";
    std::map<std::pair<State, const void *>, std::vector<int>> groups;
    for (int i = 0; i < w.threads; i++) groups[{w.fibers[(size_t)i].state, w.fibers[(size_t)i].site}].push_back(i);
    for (auto &[key, threads] : groups) {
        const char *what = key.first == State::done              ? "have returned from the kernel"
                           : key.first == State::block_barrier   ? "wait in __syncthreads at "
                           : key.first == State::fresh           ? "have not started"
                           : key.first == State::named_barrier   ? "wait at "
                           : key.first == State::mbarrier        ? "wait at "
                           : key.first == State::cluster_barrier ? "wait for the other blocks of the cluster at "
                           : key.first == State::grid_barrier    ? "wait in grid.sync() at "
                                                                 : "wait for lanes of their warp at ";
        bool waits = key.first != State::done && key.first != State::fresh;
        fault.detail += "  threads " + ranges(threads) + " " + what + (waits ? where(key.second) : "");
        if (key.first == State::named_barrier || key.first == State::mbarrier)
            fault.detail += " for " + waits_for(w, threads[0]);
        fault.detail += "\n";
    }
    stop_kernel_with(std::move(fault));
}

void report(const Launch &launch) {
    const Fault &f = launch.fault;
    if (f.reported || config().trying) return;
    const simt_site *site = launch.info.site;
    std::string text = "error: " + f.text;
    const void *caller = guest_that_called(launch.fn);
    if (caller) text += std::string(", in kernel ") + site->kernel + ", called at " + where(caller);
    for (size_t i = 0; i < f.pcs.size() && !caller; i++) {
        std::string line = where(f.pcs[i]);
        // What launches a kernel is simt's own, and no call of the student's: often a lambda of nobody.
        static const std::string launcher = " in a lambda";
        const bool of_launcher =
            line.size() > launcher.size() && !line.compare(line.size() - launcher.size(), launcher.size(), launcher);
        if (i == 0 || (line.find("no line known") == std::string::npos &&
                       line.find(" in simt::") == std::string::npos && !of_launcher))
            text += (i ? "\n    called from " : " at ") + line;
    }
    char line[512];
    text += "\n  in ";
    if (f.in_thread) {
        snprintf(line, sizeof line, "thread (%u,%u,%u) of block (%u,%u,%u) of ", f.thread.x, f.thread.y, f.thread.z,
                 f.block.x, f.block.y, f.block.z);
        text += line;
    }
    const simt_uint3 &g = launch.info.grid, &b = launch.info.block;
    snprintf(line, sizeof line, "kernel %s <<<(%u,%u,%u), (%u,%u,%u)>>>", site->kernel, g.x, g.y, g.z, b.x, b.y, b.z);
    text += line;
    snprintf(line, sizeof line, " launched at %s:%d", site->file, site->line);
    if (!caller) text += line;
    if (!f.detail.empty() && !caller) text += "\n" + f.detail.substr(0, f.detail.size() - 1);
    complain("%s\n  -> %s", text.c_str(), error_name(f.error));
}

}  // namespace simt

using namespace simt;

void simt_stop_kernel(int cuda_error) {
    Fault fault;
    fault.error = cuda_error;
    fault.reported = true;
    stop_kernel_with(std::move(fault));
}

void simt_trap(void) { stop_kernel(719, __builtin_return_address(0), "__trap()"); }
