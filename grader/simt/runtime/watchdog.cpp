// watchdog.cpp: ends kernels that do not end, and the blocks that still run when another block of their launch failed.
#include "runtime.h"

#include <chrono>
#include <condition_variable>
#include <cstdio>
#include <ctime>
#include <pthread.h>
#include <thread>
#include <unistd.h>

namespace simt {

using Clock = std::chrono::steady_clock;

static std::mutex *lock = new std::mutex;  // never destroyed: the thread outlives main
static Launch *watched;
static Worker *const *watched_workers;
static int watched_count;
static Clock::time_point started, stopped_at;
static double cpu_before;  // processor time of this process when the launch began
static std::atomic<bool> expired;
static bool running;

bool timed_out() { return expired; }

static double cpu_now() {
    timespec t;
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
    return t.tv_sec + 1e-9 * t.tv_nsec;
}

// On a busy machine a kernel waits for a processor: that is not the kernel's time. A kernel that sleeps gets four times
// the limit.
static bool too_late(Clock::time_point now, double limit) {
    const double wall = std::chrono::duration<double>(now - started).count();
    return limit > 0 && wall > limit && (cpu_now() - cpu_before > 0.7 * limit || wall > 4 * limit);
}

// One look at the watched launch; returns how long to sleep.
static std::chrono::milliseconds look() {
    std::lock_guard<std::mutex> guard(*lock);
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
        fprintf(stderr, "simt: kernel %s launched at %s:%d does not end and cannot be interrupted\n",
                watched->info.site->kernel, watched->info.site->file, watched->info.site->line);
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
            lock = new std::mutex;
            watched = nullptr;
        });  // a child has no watchdog yet
    registered = true;
    std::thread([] {
        for (;;) std::this_thread::sleep_for(look());
    }).detach();
}

void watch(Launch *launch, Worker *const *workers, int count) {
    std::lock_guard<std::mutex> guard(*lock);
    start_thread();
    watched = launch;
    watched_workers = workers;
    watched_count = count;
    started = stopped_at = Clock::now();
    cpu_before = cpu_now();
    expired = false;
}

void unwatch() {
    std::lock_guard<std::mutex> guard(*lock);
    watched = nullptr;
}

}  // namespace simt
