// check.h: what the files of checked mode share. A kernel's access travels
//   callbacks.cpp -> access.cpp -> {bounds, init, races, async}.cpp -> reports.cpp -> {text, json}.cpp
//                              \-> counts.cpp -> warps.cpp (lanes matched into warp instructions) -> json.cpp
// and the runtime's hooks arrive through hooks.cpp.
#ifndef SIMT_CHECK_INTERNAL_H
#define SIMT_CHECK_INTERNAL_H

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "hooks.h"
#include "own.h"
#include "per_block.h"

#pragma GCC visibility push(hidden)  // fewer detours: this code runs once per access
namespace check {

// What is counted stands where no guest writes (own.h).
template <class T> using Listed = std::vector<T, simt::Own<T>>;

constexpr int MAX_THREADS = 1024, WARP = 32, MAX_WARPS = MAX_THREADS / WARP;

// ---- sites.cpp: where in the code an access comes from ------------------------------------------
// COPYING: a cp.async between issue and wait. COPIED: the same after its wait.
enum Kind : uint8_t { LOAD, STORE, ATOMIC, COPYING, COPIED };
// ALIGNED: its type says so. TOLD: by the runtime, not by instrumentation. ENGINE: wgmma or the copy
// engine does it, until somebody waits.
// STRONG: PTX's relaxed, acquire and release, and C++'s atomic loads and stores: two of these are no race in shared memory either.
enum Flags : uint8_t { PLAIN = 0, ALIGNED = 1, VOLATILE = 2, TOLD = 4, ENGINE = 8, STRONG = VOLATILE | TOLD };

struct Region;
struct Site : simt::OwnObject {
    const void *pc;
    uint32_t id;
    uint8_t size;
    Kind kind;
    uint8_t flags;
    bool seed;       // of a read: some thread went on from it to an atomicCAS of the same word (races.cpp)
    Region *region;  // where its last access went: the next one probably goes there too
};
constexpr uint32_t MAX_SITES = 65535;   // an id fits in the 16 bits that a log record has for it
constexpr size_t SITE_SLOTS = 1 << 18;  // a hash table four times as large: short probes
struct SiteSlot {
    uint64_t key;
    Site *site;
};
extern SiteSlot site_table[SITE_SLOTS];
Site *find_site(size_t slot, uint64_t key);  // probes on, or makes the site
Site *site_by_id(uint32_t id);
uint32_t site_count();

inline Site *site_of(const void *pc, size_t size, Kind kind, uint8_t flags) {
    uint64_t key = (uint64_t)(uintptr_t)pc | (uint64_t)size << 48 | (uint64_t)kind << 56 | (uint64_t)flags << 60;
    size_t slot = (key * 0x9E3779B97F4A7C15u) >> 46;
    return site_table[slot].key == key ? site_table[slot].site : find_site(slot, key);
}

// ---- shadow.cpp: memory and its shadow ----------------------------------------------------------
enum Space : uint8_t { GLOBAL, CONSTANT, SHARED, DYNAMIC, UNCHECKED };  // UNCHECKED: arguments, read-only data

// One past access: who, where in the code, and when (see order.h). stamp 0: none.
struct Event {
    uint32_t stamp;
    uint32_t site : 16, thread : 16;  // thread: its number in the gang (gang.h)
};
// The past of 4 bytes (or of 1, where code uses bytes and halves). Two of each, from different warps where possible,
// are enough to catch every later conflict: see races.cpp.
struct Cell {
    Event write, other_write, read, other_read;
};

constexpr uint8_t SPLIT = 0x80;  // in Region::init: this word's past is kept byte by byte

struct Counts {  // of one launch, bytes and 32-byte sectors
    uint64_t loaded, stored, atomic, sectors_loaded, sectors_stored;
};
struct Region : simt::OwnObject {
    uintptr_t base;
    size_t size;  // 0 while it must not be touched (freed; shared memory of another kernel)
    size_t full_size;
    Region *whole;  // of a part that name_range has made: the allocation, whose shadow it shares; else NULL
    size_t whole_size;
    size_t element;  // of the structs for which a kernel takes it; 0: numbers, or unknown
    Space space;
    bool shared_with_host;  // managed memory (managed.cpp)
    bool in_flight;         // and a kernel has written to it since the host last waited for the device
    std::string name;       // of a variable; empty: cudaMalloc
    std::string own_name;   // where name_range has given another: what it was before
    bool renamed;
    const void *alloc_pc, *free_pc;
    Cell *cells;       // one per 4 bytes
    Cell *byte_cells;  // one per byte; used where a word is SPLIT
    uint8_t *init;     // per word: low 4 bits: which bytes have been written; SPLIT
    Counts counts;
    Listed<uint64_t> sectors_seen[2];  // bit per sector: loaded, stored in this launch
};
Region *find_region(uintptr_t a);                  // the live or freed region that holds a
Region *nearest_region(uintptr_t a, bool shared);  // by distance to its ends; NULL: there is none
const Listed<Region *> &global_regions();
void forget_the_past();  // between launches: all cells are empty again
void add_global(void *p, size_t size, const char *name, const void *pc);
void free_global(void *p, const void *pc);
bool name_range(void *p, size_t size, const char *name);  // a region of its own, until join_parts
void join_parts();
extern size_t allocated_bytes;  // by cudaMalloc and its like, freed or not
Region *add_unchecked(uintptr_t lo, uintptr_t hi);
void shared_begin_launch();
void shared_begin_block(void *dynamic_shared, size_t bytes);
void add_shared(void *p, size_t size, const char *name, Space space);
void shadow_arena();                                             // of the block that runs now
bool in_shared_memory(uintptr_t a);                              // of any block
size_t static_shared_bytes();                                    // of the running kernel, as far as used
constexpr const char *DYNAMIC_SHARED = "dynamic shared memory";  // its name until the source is known
void split_word(Region *r, size_t word);
void mark_written(const void *p, size_t n);  // by the host

// ---- hooks.cpp: what runs now -------------------------------------------------------------------
struct Run {
    const simt_launch_info *launch;
    simt_uint3 block;
    int n_threads, thread;
    uintptr_t stack_lo;
    size_t stack_size;
    // Of blocks that run at the same time (gang.h): which one this is, and what its threads are called.
    uint32_t blocks = 1, rank = 0, first = 0, span = 1 << 16;
    uint32_t id() const { return first + (uint32_t)thread; }
    bool owns(uint32_t id) const { return id - first < span; }
};
extern Run run;
extern uint64_t unfollowed;       // launches since the last reset of blocks that run at the same time
extern bool in_kernel_unwatched;  // a kernel that the checker does not follow
extern __thread bool in_kernel __attribute__((tls_model("initial-exec")));  // of this OS thread
extern __thread bool unwatched __attribute__((tls_model("initial-exec")));  // in a kernel, and nobody records it

// ---- access.cpp, async.cpp, bounds.cpp, init.cpp, races.cpp, local.cpp --------------------------
void access(uintptr_t a, size_t n, Kind kind, uint8_t flags, const void *pc);
void async_issue(void *dst, const void *src, size_t n, size_t zero_fill, int group, const void *pc);
void async_landed(int thread, int groups_done);
void async_forget();                                                      // the block is over
void async_check_store(uintptr_t a, size_t n, Site *site);                // into the source of a copy under way?
void access_by_engine(uintptr_t a, size_t n, Kind kind, const void *pc);  // not by a thread of a warp
// engine.cpp: bulk and tensor copies.
struct Report;
void engine_forget();
void engine_begins(uint64_t id, const void *shared, size_t n, const void *mbarrier, const void *pc);
void engine_ends(uint64_t id);
void engine_moves(const void *p, size_t n, simt_access_kind kind, int first, const void *pc);
bool engine_claims(const void *mbarrier);  // did anything land there?
bool engine_explains(uintptr_t a, Kind kind, Report *report);
void engine_check_store(uintptr_t a, size_t n, Site *site);
// products.cpp: wgmma's products under way.
void products_forget();
void product_begins(uint64_t id, const void *const *pieces, size_t n, size_t counted, const void *pc);
void product_ends(uint64_t id);
void products_waited(int warp);
void product_unfenced(int sums_changed, const void *pc);
void products_check_store(uintptr_t a, size_t n, Site *site);
void sums_taken(int thread, uint32_t *const *at, int n, const void *pc);
void sums_given_back(int thread, uint32_t *const *at, int n);
extern bool any_sums_taken;
extern bool local_in_doubt;
void settle_local();
void touch_sums(uintptr_t a, size_t n, Kind kind, const void *pc);  // on the running thread's stack
// proxies.cpp: ordinary stores, and who reads on the other way.
void proxy_fence(int thread);
void proxy_acquired();  // the running thread has waited for others at an mbarrier or a named barrier
void proxies_check(uintptr_t a, size_t n, const void *pc,
                   bool writes);  // wgmma or the copy engine reads (writes) there
void report_pending(uintptr_t a, Region *r, Site *site, Event copy);
void report_outside(uintptr_t a, size_t n, Site *site);         // may not return
void misaligned(uintptr_t a, size_t n, Site *site, Region *r);  // may not return
void report_host_use(uintptr_t a, size_t n, Kind kind, const void *pc);
void report_fault(const void *address, const void *pc, const char *what);
extern bool copies_pending;  // any cp.async in this block
bool report_foreign_stack(uintptr_t a, size_t n, Site *site);
// managed.cpp
void managed_end_launch();
void managed_synchronised();
void library_writes(const void *p, size_t n);
void managed_host_use(Region *r, uintptr_t a, size_t n, Kind kind, const void *pc);
bool written_unseen(const Region *r, size_t offset, size_t n);
void check_init(Region *r, size_t offset, size_t n, Site *site);
// padding.cpp: structs that are copied whole.
struct Moved {
    const void *pc;
    uintptr_t a;
    size_t n;
    uint32_t thread;
};
extern Moved struct_stored;  // the last thing stored that may have been a struct
extern bool gaps_carried;    // some copy has taken bytes without a value along
void struct_begins(uintptr_t a, size_t n, bool maybe_a_vector, const void *pc);
void struct_ends(uintptr_t a, size_t n, const void *pc);
void struct_is_stored(uintptr_t a, size_t n, const void *pc);
void library_reads(const void *p, size_t n, size_t element, const char *function, const void *pc);
void check_races(Region *r, size_t offset, size_t n, Site *site);
extern bool stores_in_doubt;  // see races.cpp
void settle_stores();
void settle_glances();                      // a block's interval ends
void forgive_reads(uintptr_t a, size_t n);  // the running thread compares and swaps there
void set_pending(Region *r, size_t offset, size_t n, Event e);

// ---- barriers.cpp -------------------------------------------------------------------------------
void barriers_begin_block();
void barriers_arrive(simt_barrier_kind kind, uint32_t mask, const void *pc);
void barriers_met(simt_barrier_kind kind);
void barriers_returns(int thread);
void barriers_exit(int thread);
int barriers_returned();  // threads of this block that have left the kernel by a `return;` so far
void barriers_deadlock();

// ---- absent.cpp: what lanes shuffle out of lanes that are not there ----------------------------------
void absent_source(int warp, int lane, int source, int named, simt_warp_op op, int argument, const void *pc);
void absent_begin_block();
extern bool absent_values;                              // some lane of this block has got one, and nothing was reported
void absent_stored(uintptr_t a, size_t n, Site *site);  // perhaps: right before the store
void settle_absent();

// ---- warps.cpp: the accesses of a warp's lanes, matched into the instructions that a GPU would ex
constexpr uint64_t ADDRESS = ((uint64_t)1 << 48) - 1;  // a record: address, and above it the site's id
struct Log {
    uint64_t *records;
    size_t n, room;
};  // of one lane since its warp last met
extern PerBlock<Log[MAX_THREADS]> logs;
void make_room(Log &log);
inline void log_access(int thread, uintptr_t a, const Site *site) {
    Log &log = logs[thread];
    if (log.n == log.room) make_room(log);
    log.records[log.n++] = (a & ADDRESS) | (uint64_t)site->id << 48;
}
void flush_block();
void lanes_met(int warp, uint32_t mask);

struct Cost {  // sectors of global memory, or wavefronts of shared memory; and the least of them
    int taken, least;
};

// ---- record.cpp: SIMT_RECORD=FILE: what one block of each launch did, request by request ------------
extern bool recording;  // the running block is the one
void record_begin_launch();
void record_begin_block();
void record_end_block();
void record_end_launch();
void record_access(uintptr_t a, size_t n);  // right after log_access
void record_settle();                       // what was stored now stands in memory
void record_barrier(const void *pc);
// Lane i's access is number record[i] of its log.
void record_request(int warp, const Site *site, const uintptr_t *address, const int *lane, const size_t *record, int n,
                    Cost cost);
void record_fault(const char *kind, const void *pc);  // what the running thread did last is reported

// ---- sample.cpp: of a large launch a few blocks are run and stand for all ---------------------------
void sample(bool on);
void sample_reset();
uint64_t uneven_launches();  // since then
void sample_begin_launch();
int skip_block(uint64_t number);
void sample_end_block();
void sample_end_launch();  // before counts_end_launch

// ---- api.cpp ------------------------------------------------------------------------------------
extern const simt_check_table api_table;

// ---- counts.cpp, kernels.cpp --------------------------------------------------------------------
struct LineCounts {  // of one place in the code; an "ideal" is the least that moves the same bytes
    uint64_t requests, lanes, sectors, ideal_sectors, wavefronts, ideal_wavefronts;
};
// One warp instruction: n lanes, lane[i] accesses address[i].
Cost count_request(Site *site, const uintptr_t *address, const int *lane, int n);
uint64_t count_sectors(Region *r, Kind kind, uintptr_t a, size_t n);
void count_bulk(Region *r, const Site *site, uintptr_t a, size_t n, bool first);  // by the copy engine
void count_core_matrix(const Site *site, const void *const *pieces);              // 8 of wgmma's
void count_host(const void *p, size_t n, Kind kind);  // cudaMemcpy, cudaMemset: between launches
void tensor_flops(uint64_t flops);
void broadcasts(uint64_t wavefronts);  // not of shared memory: of a shuffle, of constant memory
extern size_t deepest;                 // in this launch: the most of a stack that a thread had in use at an access
LineCounts &line_counts(const Site *site, bool shared);
extern bool counts_truncated;  // in this launch: a log was full: lanes were counted before they met
void counts_begin_launch();
void counts_end_launch();
void counts_scale(uint64_t by, uint64_t over);  // what this launch has counted by lines
void counts_reset();

}  // namespace check
#pragma GCC visibility pop
#endif
