// runtime.h: the runtime's own header: a launch, the OS thread that runs its blocks, and who tells what to whom.
//
//     launch.cpp  from the line to the workers (limits.cpp, workers.cpp)     block.cpp  runs the fibers of one block
//     warp.cpp    collectives of one warp      memory.cpp  device memory      fault.cpp  what ends a kernel early
#ifndef SIMT_RUNTIME_H
#define SIMT_RUNTIME_H

#include <atomic>
#include <mutex>
#include <string>
#include <vector>

#include "abi.h"
#include "config.h"
#include "fiber.h"
#include "gang.h"
#include "hooks.h"
#include "intrinsics.h"
#include "own.h"
#include "ptx/state.h"

#pragma GCC visibility push(hidden)
namespace simt {

// The model device (device.cpp reports the same numbers).
constexpr int warp_size = 32;
constexpr int multiprocessors = 132;
constexpr unsigned max_block_threads = 1024;
constexpr int prefetch_ahead = 2;            // threads: a switch fetches the stack of one to come
constexpr size_t shared_default = 48 << 10;  // static, and dynamic without opt-in
constexpr size_t shared_opt_in = 227 << 10;  // cudaFuncAttributeMaxDynamicSharedMemorySize

// Why a kernel ended early. The first fault of a launch is kept.
struct Fault {
    int error = 0;           // cudaError_t
    std::string text;        // what happened, in words
    bool in_thread = false;  // block, thread and pcs are known
    simt_uint3 block{}, thread{};
    std::vector<const void *> pcs;  // innermost first; return addresses, or the faulting instruction + 1
    std::string detail;             // further lines
    bool reported = false;          // the checker has said it better
};

struct Launch {
    simt_launch_info info;
    const void *fn;
    void (*thunk)(void *);
    void *ctx;
    uint64_t blocks;
    GangRequest request;            // which blocks run at the same time
    uint64_t id;                    // 1, 2, 3, ...
    std::atomic<uint64_t> next{0};  // block to hand out
    std::atomic<bool> stop{false};  // a fault happened: workers leave
    std::mutex fault_lock;
    Fault fault;
};

struct SharedVariable {
    const void *key;
    char *address;
    uint32_t generation;  // of the block it was made for
};

// One OS thread that runs blocks, and the block it runs. Warp masks have bit i for lane i.
struct Worker : OwnObject {
    Fiber *fiber = nullptr;  // running
    std::vector<Fiber, Own<Fiber>> fibers;
    std::vector<AsyncQueue> async;  // of each fiber
    bool async_used = false;        // in this block
    Launch *launch = nullptr;
    void *main_sp = nullptr;  // the stack that run_block left
    simt_uint3 block_idx{};
    int threads = 0, warps = 0;
    int live = 0, at_barrier = 0;
    uint32_t ready[32]{}, alive[32]{}, waiting[32]{}, converging[32]{};
    uint32_t ready_warps = 0;  // bit w: ready[w] != 0
    int predicates = 0;        // true ones among the threads that wait at the barrier
    int barrier_count = 0;     // ... at the last barrier
    bool barrier_all = false;
    Order order = Order::forward;
    uint64_t random = 1;
    volatile int no_abandon = 0;  // > 0: holds a lock; the block may not be given up here

    char *arena = nullptr;    // shared memory: static part, red zone, dynamic part
    size_t static_used = 0;   // bytes of the arena, red zones included
    size_t static_bytes = 0;  // sum of the variables' sizes
    uint32_t generation = 0;
    SharedVariable shared[256]{};

    PtxState ptx;          // of the running block
    Gang *gang = nullptr;  // of the running block; null: it runs alone
    uint32_t gang_rank = 0;
    int gave_way = 0;               // how often a thread did, of about one round of all threads
    int rounds_given_way = 0;       // since a late copy
    void *parked = nullptr;         // the stack on which this block waits for its turn
    std::vector<Worker *> members;  // for the other blocks of a gang
    Stacks stacks;
    std::string output;  // printf of the current block, see printf.cpp
    uint64_t output_block = 0;
    unsigned long pthread = 0;
    bool has_thread = false;
};

// The worker of this OS thread while it runs blocks, else null. Initial-exec: one instruction, also after dlopen.
extern __thread Worker *this_worker __attribute__((tls_model("initial-exec")));

inline bool in_kernel() { return this_worker && this_worker->fiber; }

// block.cpp
void run_block(Worker &w, simt_uint3 block_idx);
void prepare_block(Worker &w, simt_uint3 block_idx);
void run_prepared(Worker &w);
void suspend(Worker &w);   // the running fiber is no longer ready: run others until it is again
void give_way(Worker &w);  // it stays ready, but let another go first
void make_ready(Worker &w, int warp, uint32_t lanes);
uint64_t next_random(Worker &w);
void poll(Worker &w);  // an atomic or a fence: give way once in a while, for threads that spin
// barrier.cpp
void wait_for_block(const void *site);  // __syncthreads
// limits.cpp: false, and a sentence, where a GPU would refuse the launch
bool acceptable(const simt_site *s, const void *fn, simt_uint3 grid, simt_uint3 block, size_t shared);
bool acceptable_gang(const simt_site *s, const void *fn, simt_uint3 grid, simt_uint3 block, size_t shared,
                     const GangRequest &request);
// workers.cpp
void run_on_workers(Launch &l, int count);  // until all blocks have run
// async.cpp
void async_reset(Worker &w);  // a new block begins
// warp.cpp
void complete_after_exit(Worker &w, int warp);  // a lane has returned: do the others still wait for it?
bool release_converged(Worker &w, int warp);
void wmma_multiply(Worker &w, int warp, uint32_t mask);
// shared.cpp
void shared_reset(Worker &w);
bool holds_shared(const Worker &w, const void *p);
char *dynamic_shared_of(const Worker &w);
// fault.cpp: ends the running kernel; does not return
[[noreturn]] void stop_kernel(int error, const void *pc, const char *format, ...) __attribute__((format(printf, 3, 4)));
[[noreturn]] void stop_kernel_with(Fault fault);
[[noreturn]] void deadlock(Worker &w);
[[noreturn]] void leave_stopped(Worker &w);  // another thread ended the launch (stop is set)
void report(const Launch &launch);           // prints the fault
// crash.cpp
void install_handlers();
void interrupt(Worker &w);  // makes a running fiber leave the kernel, from another thread
extern const int interrupt_signal;
// watchdog.cpp
void watch(Launch *launch, Worker *const *workers, int count);
void unwatch();
bool timed_out();
Fault timeout_fault();
// printf.cpp
void output_begin_block(Worker &w, uint64_t block);
void output_flush(Launch &launch, Worker *const *workers, int count);
// where.cpp: "file.cu:12 in name" for a return address; skips the frames of simt's and the system's headers
std::string where(const void *pc);
bool is_user_code(const void *pc);  // neither simt's nor a system library's
bool is_runtime_code(const void *pc);
// errors.cpp
int set_error(int error);   // keeps it for cudaGetLastError; returns it
int set_sticky(int error);  // the context is broken: every later call returns it
int sticky_error();
const char *error_name(int error);
// memory.cpp
enum class MemoryKind { device, managed, pinned, variable };
struct Allocation {
    char *base;
    size_t size;
    char *pages;  // what was mapped for it
    size_t pages_size;
    MemoryKind kind;
    std::string name;  // of a variable
};
void *device_allocate(size_t size, MemoryKind kind, const void *pc);
const Allocation *find_allocation(const void *p);  // the live one that holds p, or null
bool was_freed(const void *p);
bool in_device_space(const void *p);
bool in_variable_pages(const void *p);
void memory_open();             // kernels and the API may touch device memory ...
void memory_close();            // ... host code may not
bool memory_closes_by_bytes();  // it is closed, and a part of it may be opened

// The same for as long as it lives, for a copy from or to these two ranges. n = 0: there is no such range.
class MemoryEnds {
public:
    MemoryEnds(const void *a, size_t n_a, const void *b, size_t n_b);
    ~MemoryEnds();

private:
    const void *end[2];
    size_t bytes[2];
    bool narrow;
};

extern std::recursive_mutex api_lock;
// Of what memory.cpp keeps. A launch holds the other one until its kernel has ended, and that may call malloc on any worker.
extern std::recursive_mutex memory_lock;

// guests.cpp: code that the program does not trust (guests.h). Without any, all of these say: go on.
bool has_guests();
bool is_guest(const void *pc);
bool guest_may_write(const void *p, size_t n);
void guest_writes(const void *p, size_t n, const void *pc, const char *what);  // ends the process where it may not
void guest_copies(size_t n, const char *function, const void *pc);             // device memory, to the host
void guest_shares(const char *function, const void *pc);
void guest_has_none(const char *what, const void *pc);  // of what a stage has no need
[[noreturn]] void end_guest(const void *pc, const char *format, ...) __attribute__((format(printf, 2, 3)));
// The guest's call that led to this launch of a kernel that is no guest's: its line is what the guest's author can mend.
const void *guest_that_called(const void *kernel);  // NULL: none did, or the kernel is a guest's itself
std::string tensor_at(const void *p);               // " (tensor K)", or ""

}  // namespace simt
#pragma GCC visibility pop
#endif
