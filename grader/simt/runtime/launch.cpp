// launch.cpp: a kernel launch: checks what a GPU would refuse, runs the blocks on a few OS threads, reports faults.
//
// The launch is synchronous: it returns when the kernel has ended. The calling thread is worker 0; the others sleep
// between launches. Blocks are handed out in the order of SIMT_ORDER.
#include "../include/simt/api.h"
#include "capture.h"
#include "runtime.h"

#include <condition_variable>
#include <cstdarg>
#include <cstdio>
#include <pthread.h>
#include <thread>

const simt_hook_table *simt_hooks;

namespace simt {

std::recursive_mutex api_lock;

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
static uint64_t launches;

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

static void run_on_workers(Launch &l, int count) {
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

// Per kernel: what cudaFuncSetAttribute allowed, and the error of the last refused argument.
static OwnMap<const void *, size_t> &opt_ins() {
    static auto *map = own_new<OwnMap<const void *, size_t>>();
    return *map;
}
void allow_shared(const void *fn, size_t bytes) { opt_ins()[fn] = bytes; }
size_t allowed_shared(const void *fn) {
    auto it = opt_ins().find(fn);
    return it == opt_ins().end() ? shared_default : std::max(shared_default, it->second);
}

// Clusters of up to 16 blocks, where every device of this architecture has 8.
static OwnMap<const void *, bool> &wide_clusters() {
    static auto *map = own_new<OwnMap<const void *, bool>>();
    return *map;
}
void allow_wide_clusters(const void *fn, bool allow) { wide_clusters()[fn] = allow; }
static unsigned allowed_cluster(const void *fn) {
    auto it = wide_clusters().find(fn);
    return it != wide_clusters().end() && it->second ? 16 : 8;
}

static OwnMap<const void *, unsigned> &launch_bounds() {
    static auto *map = own_new<OwnMap<const void *, unsigned>>();
    return *map;
}
unsigned allowed_threads(const void *fn) {
    auto it = launch_bounds().find(fn);
    return it == launch_bounds().end() ? (unsigned)max_block_threads : it->second;
}

static thread_local std::string bad_argument;
static thread_local GangRequest next_request;

static bool refuse(const simt_site *site, int error, const char *format, ...) __attribute__((format(printf, 3, 4)));
static bool refuse(const simt_site *site, int error, const char *format, ...) {
    char text[512];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(text, sizeof text, format, arguments);
    va_end(arguments);
    const void *caller = guest_that_called(site);
    const std::string at = caller ? where(caller) : std::string(site->file) + ":" + std::to_string(site->line);
    complain("error: launch of %s refused at %s: %s\n  -> %s", site->kernel, at.c_str(), text, error_name(error));
    set_error(error);
    return false;
}

// CUDA 13 answers every refused configuration with cudaErrorInvalidValue (CUDA 12: cudaErrorInvalidConfiguration).
static bool acceptable(const simt_site *s, const void *fn, simt_uint3 g, simt_uint3 b, size_t shared) {
    uint64_t threads = (uint64_t)b.x * b.y * b.z;
    if (b.x == 0 || b.y == 0 || b.z == 0 || b.x > 1024 || b.y > 1024 || b.z > 64 || threads > max_block_threads)
        return refuse(s, 1, "a block of (%u,%u,%u) = %llu threads; at most 1024 threads, at least 1, z at most 64", b.x,
                      b.y, b.z, (unsigned long long)threads);
    if (threads > allowed_threads(fn))
        return refuse(s, 1,
                      "a block of (%u,%u,%u) = %llu threads; the kernel's __launch_bounds__ says at most %u: launch "
                      "smaller blocks, or raise its bound",
                      b.x, b.y, b.z, (unsigned long long)threads, allowed_threads(fn));
    if (g.x == 0 || g.y == 0 || g.z == 0 || g.x > 0x7fffffff || g.y > 65535 || g.z > 65535)
        return refuse(s, 1, "a grid of (%u,%u,%u) blocks; each at least 1, x at most 2^31-1, y and z at most 65535",
                      g.x, g.y, g.z);
    if (shared > shared_opt_in)
        return refuse(s, 1, "%zu bytes of dynamic shared memory; a block can have at most %zu", shared, shared_opt_in);
    if (shared > allowed_shared(fn))
        return refuse(s, 1,
                      "%zu bytes of dynamic shared memory; above %zu the kernel needs cudaFuncSetAttribute(kernel, "
                      "cudaFuncAttributeMaxDynamicSharedMemorySize, bytes)",
                      shared, allowed_shared(fn));
    return true;
}

static bool acceptable_gang(const simt_site *s, const void *fn, simt_uint3 g, simt_uint3 b, size_t shared,
                            const GangRequest &r) {
    const simt_uint3 &c = r.cluster;
    if (!c.x || !c.y || !c.z || (uint64_t)c.x * c.y * c.z > allowed_cluster(fn) || g.x % c.x || g.y % c.y || g.z % c.z)
        return refuse(s, 912,
                      "clusters of (%u,%u,%u) blocks in a grid of (%u,%u,%u): at most 8 blocks (16 where "
                      "cudaFuncAttributeNonPortableClusterSizeAllowed is set), and the grid a multiple",
                      c.x, c.y, c.z, g.x, g.y, g.z);
    int at_once = 0;
    cudaOccupancyMaxActiveBlocksPerMultiprocessor(&at_once, nullptr, (int)(b.x * b.y * b.z), shared);
    if (r.cooperative && (uint64_t)g.x * g.y * g.z > (uint64_t)at_once * multiprocessors)
        return refuse(s, 720,
                      "a cooperative launch of %llu blocks: all must run at the same time, and there is room for %d",
                      (unsigned long long)g.x * g.y * g.z, at_once * multiprocessors);
    return true;
}

// So many threads at the same time are beyond the checker: it says so, and their launch is as in fast mode.
static void execute(Launch &l);
static void execute_unwatched(Launch &l) {
    const simt_hook_table *hooks = simt_hooks;
    complain(
        "note: kernel %s runs unchecked: %u blocks of %u threads run at the same time, and checked mode follows at "
        "most 512 blocks and 65536 threads; launch a smaller grid to have it checked",
        l.info.site->kernel, gang_size(l), l.info.block.x * l.info.block.y * l.info.block.z);
    hooks->unwatched(1);
    simt_hooks = nullptr;
    execute(l);
    simt_hooks = hooks;
    hooks->unwatched(0);
}

static void execute(Launch &l) {
    const bool gang = simt_hooks && gang_size(l) > 1;
    if (gang && !simt_hooks->follows(gang_size(l), (uint32_t)(l.info.block.x * l.info.block.y * l.info.block.z)))
        return execute_unwatched(l);
    int count = simt_hooks ? 1 : (int)std::min<uint64_t>((uint64_t)config().threads, l.blocks);
    memory_open();
    if (simt_hooks) simt_hooks->launch_begin(&l.info);
    run_on_workers(l, count);
    if (simt_hooks) simt_hooks->launch_end();
    memory_close();
    if (l.fault.error) {
        report(l);
        set_sticky(l.fault.error);
    }
}

static void start(const simt_site &site, const void *fn, simt_uint3 grid, simt_uint3 block, size_t shared_bytes,
                  void (*thunk)(void *ctx), void *ctx, size_t ctx_size, const GangRequest &request,
                  const std::string &bad) {
    Launch l;
    l.info = {&site, grid, block, shared_bytes, ctx, ctx_size, simt_hooks ? guest_that_called(fn) : nullptr};
    l.fn = fn;
    l.thunk = thunk;
    l.ctx = ctx;
    l.request = request;
    l.blocks = (uint64_t)grid.x * grid.y * grid.z / gang_size(l);
    l.id = ++launches;
    if (!bad.empty() && !simt_hooks) {
        l.fault.error = 700;
        l.fault.text = bad;
        report(l);
        set_sticky(700);
        return;
    }
    execute(l);
}

}  // namespace simt

using namespace simt;

void simt_launch_together(simt_uint3 cluster, int cooperative) { next_request = {cluster, cooperative != 0}; }

void simt_pointer_argument(int position, const void *p) {
    if (!p || in_device_space(p) || find_allocation(p)) return;
    char text[200];
    snprintf(text, sizeof text, "argument %d is a host pointer (%p); pass one from cudaMalloc", position, p);
    bad_argument = text;
}

void simt_launch_bounds(const void *fn, unsigned threads) {
    std::lock_guard<std::recursive_mutex> guard(api_lock);
    if (threads)
        launch_bounds()[fn] = std::min(threads, (unsigned)max_block_threads);
    else
        launch_bounds().erase(fn);
}

void simt_pointer_element(const void *p, size_t bytes) {
    if (p && simt_hooks) simt_hooks->element(p, bytes);
}

void simt_launch(const simt_site *site, const void *fn, simt_uint3 grid, simt_uint3 block, size_t shared_bytes,
                 void *stream, void (*thunk)(void *ctx), void *ctx, size_t ctx_size) {
    if (in_kernel())
        stop_kernel(719, __builtin_return_address(0),
                    "a kernel launches kernel %s: dynamic parallelism is not supported by simt", site->kernel);
    std::lock_guard<std::recursive_mutex> guard(api_lock);
    std::string bad;
    bad.swap(bad_argument);
    const GangRequest request = next_request;
    next_request = GangRequest();
    if (set_error(sticky_error()) || !acceptable(site, fn, grid, block, shared_bytes)) return;
    if (!acceptable_gang(site, fn, grid, block, shared_bytes, request)) return;
    const std::string arguments((const char *)ctx, ctx_size);
    const simt_site at = *site;
    const bool is_captured = captured((cudaStream_t)stream, [=] {
        std::string copy = arguments;
        start(at, fn, grid, block, shared_bytes, thunk, copy.data(), ctx_size, request, bad);
    });
    if (!is_captured && !refused_while_capturing((cudaStream_t)stream))
        start(*site, fn, grid, block, shared_bytes, thunk, ctx, ctx_size, request, bad);
}
