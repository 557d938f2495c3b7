// workers.cpp: the OS threads that run a launch's blocks. The calling thread is worker 0; the others sleep between launches.
// Blocks are handed out in the order of SIMT_ORDER.
#include "runtime.h"

#include <condition_variable>
#include <pthread.h>
#include <thread>

namespace simt {

namespace {
// The OS threads beside the caller's. Never destroyed: they sleep until the process ends.
struct Pool {
    std::vector<Worker *> workers;  // [0] is the caller's
    std::mutex lock;
    std::condition_variable wake, idle;
    Launch *launch = nullptr;
    uint64_t round = 0;
    int wanted = 0, busy = 0;
};
}  // namespace
static Pool *pool = new Pool;

static Worker *new_worker() {
    Worker *w = new Worker;
    w->fibers.resize(max_block_threads + prefetch_ahead);
    return w;
}

// Block number i of the launch in the configured order; for random a walk i -> (i * step + start) mod n that hits each.
static uint64_t block_number(const Launch &l, uint64_t i) {
    if (config().order == Order::forward) return i;
    if (config().order == Order::reverse) return l.blocks - 1 - i;
    uint64_t step = (config().seed * 0x9e3779b97f4a7c15u + 0x7f4a7c15u) % l.blocks;
    auto gcd = [](uint64_t a, uint64_t b) {
        while (b) {
            uint64_t r = a % b;
            a = b;
            b = r;
        }
        return a;
    };
    while (gcd(step ? step : l.blocks, l.blocks) != 1) step++;
    return (uint64_t)(((unsigned __int128)i * step + config().seed) % l.blocks);
}

static void run_blocks(Worker &w, Launch &l) {
    install_handlers();
    this_worker = &w;
    w.launch = &l;
    w.order = config().order;
    w.pthread = (unsigned long)pthread_self();
    w.has_thread = true;
    int threads = (int)(l.info.block.x * l.info.block.y * l.info.block.z);
    bool have_stacks = w.stacks.reserve((threads + 127) / 128 * 128);
    if (!have_stacks && !l.stop.exchange(true)) {
        l.fault.error = 2;
        l.fault.text =
            "no memory for the threads' stacks (each OS thread needs 256 MB of address space; fewer: SIMT_THREADS)";
    }
    const simt_uint3 grid = l.info.grid;
    const bool alone = gang_size(l) == 1;
    for (uint64_t i; !l.stop.load(std::memory_order_relaxed) && (i = l.next++) < l.blocks;) {
        uint64_t b = block_number(l, i);
        if (!alone) {
            run_gang(w, l, b);
            continue;
        }
        if (simt_hooks && simt_hooks->skip_block(b)) continue;
        output_begin_block(w, b);
        run_block(w, {(unsigned)(b % grid.x), (unsigned)(b / grid.x % grid.y), (unsigned)(b / grid.x / grid.y)});
    }
    w.launch = nullptr;
    this_worker = nullptr;
}

static void worker_main(Worker *w, int number) {
    uint64_t seen = 0;
    for (;;) {
        std::unique_lock<std::mutex> guard(pool->lock);
        pool->wake.wait(guard, [&] { return pool->round != seen && pool->launch && number < pool->wanted; });
        seen = pool->round;
        Launch *l = pool->launch;
        guard.unlock();
        run_blocks(*w, *l);
        guard.lock();
        if (--pool->busy == 0) pool->idle.notify_all();
    }
}

static void grow_pool(int count) {
    static bool registered;
    if (!registered) pthread_atfork(nullptr, nullptr, [] { pool = new Pool; });  // the child has none of the threads
    registered = true;
    while ((int)pool->workers.size() < count) {
        int number = (int)pool->workers.size();
        pool->workers.push_back(new_worker());
        if (number > 0) std::thread(worker_main, pool->workers.back(), number).detach();
    }
}

void run_on_workers(Launch &l, int count) {
    grow_pool(count);
    watch(&l, pool->workers.data(), count);
    if (count > 1) {
        std::lock_guard<std::mutex> guard(pool->lock);
        pool->launch = &l;
        pool->wanted = count;
        pool->busy = count - 1;
        pool->round++;
        pool->wake.notify_all();
    }
    run_blocks(*pool->workers[0], l);
    if (count > 1) {
        std::unique_lock<std::mutex> guard(pool->lock);
        pool->idle.wait(guard, [] { return pool->busy == 0; });
        pool->launch = nullptr;
    }
    unwatch();
    output_flush(l, pool->workers.data(), count);
}

}  // namespace simt
