// hooks.cpp: the runtime's calls, in the order of runtime/hooks.h, passed on to those they concern.
#include "gang.h"
#include "reports.h"

namespace check {

Run run;
bool in_kernel_unwatched;
uint64_t unfollowed;
// Said here, too: otherwise g++ asks __tls_get_addr where they are, at each access.
__thread bool in_kernel __attribute__((tls_model("initial-exec")));
__thread bool unwatched __attribute__((tls_model("initial-exec")));

static void on_alloc(void *p, size_t size, const char *name, const void *pc) {
    add_global(p, size, name, pc);
    if (simt_memory_kind(p) >= 2) find_region((uintptr_t)p)->shared_with_host = true;
}
static void on_free(void *p, const void *pc) { free_global(p, pc); }
static void on_host_access(const void *p, size_t n, int write, const void *pc) {
    if (write) mark_written(p, n);
    if (simt_is_guest(pc)) count_host(p, n, write ? STORE : LOAD);
    managed_synchronised();  // a copy waits, too
}

static void on_launch_begin(const simt_launch_info *launch) {
    run = Run{};
    run.launch = launch;
    run.n_threads = (int)(launch->block.x * launch->block.y * launch->block.z);
    order_begin_launch();
    shared_begin_launch();
    counts_begin_launch();
    record_begin_launch();
    sample_begin_launch();
    in_kernel = unwatched = true;
}

static void on_launch_end(void) {
    async_forget();
    settle_reports(true);
    managed_end_launch();
    sample_end_launch();
    counts_end_launch();
    record_end_launch();
    in_kernel = unwatched = false;
}

static void on_block_begin(simt_uint3 block, void *dynamic_shared) {
    run.block = block;
    order_begin_block();
    shared_begin_block(dynamic_shared, run.launch->shared_bytes);
    barriers_begin_block();
    absent_begin_block();
    if (run.blocks == 1) record_begin_block();
    unwatched = !recording;
}

// The running thread does nothing more for now.
static void on_pause(void) {
    if (recording) record_settle();
    if (stores_in_doubt) settle_stores();
    if (local_in_doubt) settle_local();
}

static void on_block_end(void) {
    on_pause();
    settle_glances();
    flush_block();
    sample_end_block();
    record_end_block();
    async_forget();
    settle_reports(false);
}

static void on_resume(int thread, const void *lo, const void *hi) {
    on_pause();
    run.thread = thread;
    run.stack_lo = (uintptr_t)lo;
    run.stack_size = (uintptr_t)hi - (uintptr_t)lo;
    order_resume(thread);
}

static void on_shared_var(void *p, size_t size, const char *name) { add_shared(p, size, name, SHARED); }

static void on_access(const void *p, size_t n, simt_access_kind told, const void *pc) {
    Kind kind = told == SIMT_CAS ? ATOMIC : (Kind)told;
    if (told == SIMT_CAS) forgive_reads((uintptr_t)p, n);
    access((uintptr_t)p, n, kind, (n <= 16 && !(n & (n - 1)) ? ALIGNED : PLAIN) | TOLD, pc);
}

static void on_move(const void *p, size_t n, simt_access_kind kind, const void *pc) {
    access((uintptr_t)p, n, (Kind)kind, PLAIN, pc);
}

static void on_arrive(simt_barrier_kind kind, uint32_t mask, const void *pc) {
    on_pause();
    barriers_arrive(kind, mask, pc);
}

static void on_barrier(simt_barrier_kind kind, int warp, uint32_t mask, const void *pc) {
    barriers_met(kind);
    if (kind == SIMT_BLOCK_BARRIER)
        flush_block(), settle_glances(), record_barrier(pc);
    else
        lanes_met(warp, mask);
    order_barrier(kind, warp, mask);
}

static void on_thread_exit(int thread) {
    on_pause();
    barriers_exit(thread);
}

static void on_release(const void *object) {
    if (stores_in_doubt) settle_stores();
    clock_release(object);
}

static void on_synchronised(void) { managed_synchronised(); }

// A copy of the engine has landed at the mbarrier: who waits first counts as its writer, and tells those that wait later.
static void on_acquire(const void *object) {
    if (stores_in_doubt) settle_stores();
    // A phase's name is the mbarrier's address, or that and 1; copies know the mbarrier alone.
    if (engine_claims((const void *)((uintptr_t)object & ~(uintptr_t)7))) clock_release(object);
    clock_acquire(object);
    proxy_acquired();
}

// Nobody has compared the counts of such a launch with a GPU's: they are not vouched for.
static int on_follows(uint32_t blocks, uint32_t threads) {
    unfollowed++;
    return gang_fits(blocks, threads);
}

static void on_gang_begins(uint32_t blocks, uint32_t cluster) {
    gang_begins(blocks, cluster);
    fences_used = true;  // within an interval there is more order than that of barriers
}

static void on_gang_enters(uint32_t rank) {
    on_pause();
    settle_glances();
    gang_enters(rank);
    run.block = simt_running_block();
    shadow_arena();
}

static void on_wide_arrives(int wide, uint32_t phase) {
    on_pause();
    gang_arrives(wide, phase);
}

static void on_unwatched(int begins) {
    in_kernel_unwatched = begins;
    if (begins) return;
    for (Region *r : global_regions())
        if (r->size) mark_written((const void *)r->base, r->size);
    forget_the_past();
}

static void on_library(const void *p, size_t n, size_t element, int write, const char *function, const void *pc) {
    if (write)
        library_writes(p, n);
    else
        library_reads(p, n, element, function, pc);
}

static void on_fence(int thread, int scope) { fence(thread, scope); }

static void on_variable(void *p, simt_variable_kind kind) {
    Region *r = find_region((uintptr_t)p);
    if (r && kind == SIMT_CONSTANT) r->space = CONSTANT;
    if (r && kind == SIMT_MANAGED) r->shared_with_host = true;
}

static void on_element(const void *p, size_t bytes) {
    Region *r = find_region((uintptr_t)p);
    if (r) r->element = bytes && ((uintptr_t)p - r->base) % bytes == 0 ? bytes : 0;
}

static const simt_hook_table table = {
    on_alloc,         on_free,           on_host_access,  on_launch_begin, on_launch_end,   on_block_begin,
    on_block_end,     on_resume,         on_shared_var,   on_access,       on_move,         on_arrive,
    on_barrier,       barriers_deadlock, on_fence,        async_issue,     async_landed,    on_thread_exit,
    barriers_returns, absent_source,     on_synchronised, report_fault,    on_variable,     &api_table,
    on_release,       on_acquire,        on_unwatched,    skip_block,      engine_begins,   engine_ends,
    product_begins,   product_ends,      products_waited, sums_taken,      sums_given_back, product_unfenced,
    proxy_fence,      on_library,        tensor_flops,    engine_moves,    broadcasts,      on_follows,
    on_gang_begins,   gang_ends,         on_gang_enters,  on_wide_arrives, gang_waited,     gang_exits,
    on_element,
};

__attribute__((constructor(201))) static void install(void) { simt_hooks = &table; }

}  // namespace check
