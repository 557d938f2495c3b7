// launch.cpp: a kernel launch, from the student's line to its end: limits.cpp says whether a GPU would take it, workers.cpp runs
// its blocks. The launch is synchronous: it returns when the kernel has ended.
#include "capture.h"
#include "runtime.h"

#include <algorithm>
#include <cstdio>

const simt_hook_table *simt_hooks;

namespace simt {

std::recursive_mutex api_lock;
static uint64_t launches;
static thread_local std::string bad_argument;  // of the next launch: a sentence, where one is a host pointer
static thread_local GangRequest next_request;

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
