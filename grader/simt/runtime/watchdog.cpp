// watchdog.cpp: ends kernels that do not end, and the blocks that still run when another block of their launch failed.
#include "runtime.h"

#include <algorithm>
#include <chrono>
#include <condition_variable>
#include <cstdio>
#include <ctime>
#include <pthread.h>
#include <thread>
#include <unistd.h>

namespace simt {

using Clock = std::chrono::steady_clock;

static std::mutex *watch_lock = new std::mutex;  // never destroyed: the thread outlives main
static Launch *watched;
static Worker *const *watched_workers;
static int watched_count;
static Clock::time_point started, stopped_at;
static std::vector<double> *cpu_before =
    new std::vector<double>;  // processor time of each worker when the launch began
static std::atomic<bool> expired;
static bool running;

bool timed_out() { return expired; }

static double cpu_of(const Worker &w) {
    clockid_t clock;
    timespec t{};
    if (!w.has_thread || pthread_getcpuclockid((pthread_t)w.pthread, &clock) || clock_gettime(clock, &t)) return 0;
    return t.tv_sec + 1e-9 * t.tv_nsec;
}

// The limit is of processor time, of the worker that had most: what other programs take is not the kernel's. One whose
// workers all wait gets thirty times the limit.
static bool too_late(Clock::time_point now, double limit) {
    const double wall = std::chrono::duration<double>(now - started).count();
    double most = 0;
    if (limit <= 0 || wall <= limit) return false;
    for (int i = 0; i < watched_count; i++)
        most = std::max(most, cpu_of(*watched_workers[i]) - (*cpu_before)[(size_t)i]);
    return most > 0.9 * limit || wall > 30 * limit;
}

// One look at the watched launch; returns how long to sleep.
static std::chrono::milliseconds look() {
    std::lock_guard<std::mutex> guard(*watch_lock);
    if (!watched) return std::chrono::milliseconds(100);
    auto now = Clock::now();
    double limit = config().timeout;
    if (!watched->stop && too_late(now, limit)) {
        expired = true;
        watched->stop = true;
    }
    if (!watched->stop) {
        stopped_at = now;
        return std::chrono::milliseconds(limit > 0 && limit < 1 ? 10 : 50);
    }
    for (int i = 0; i < watched_count; i++) interrupt(*watched_workers[i]);
    if (now - stopped_at > std::chrono::seconds(10)) {
        fprintf(stderr,
                "simt: error: a kernel did not end within %g s and cannot be interrupted: kernel %s launched at %s:%d "
                "(an endless loop, or a great many atomics: in checked mode each takes long)\n",
                limit, watched->info.site->kernel, watched->info.site->file, watched->info.site->line);
        _exit(86);
    }
    return std::chrono::milliseconds(2);
}

static void start_thread() {
    if (running) return;
    running = true;
    static bool registered = false;
    if (!registered)
        pthread_atfork(nullptr, nullptr, [] {
            running = false;
            watch_lock = new std::mutex;
            watched = nullptr;
        });  // a child has no watchdog yet
    registered = true;
    std::thread([] {
        for (;;) std::this_thread::sleep_for(look());
    }).detach();
}

void watch(Launch *launch, Worker *const *workers, int count) {
    std::lock_guard<std::mutex> guard(*watch_lock);
    start_thread();
    watched = launch;
    watched_workers = workers;
    watched_count = count;
    started = stopped_at = Clock::now();
    cpu_before->clear();
    for (int i = 0; i < count; i++) cpu_before->push_back(cpu_of(*workers[i]));
    expired = false;
}

void unwatch() {
    std::lock_guard<std::mutex> guard(*watch_lock);
    watched = nullptr;
}

}  // namespace simt
