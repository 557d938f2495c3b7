// engine.cpp: cp.async.bulk and its tensor form: copies between global and shared memory that one thread asks for. They are done
// early, at the instruction, or late, when no thread can go on without them; reading what has not been waited for then gives
// NaNs, since a load poisons its destination. SIMT_ORDER decides: forward early, reverse late, random by chance, and checked mode
// late.
#include "engine.h"

#include "../runtime.h"
#include "mbarrier.h"
#include "ptx.h"
#include "reduce.h"

#include <cstring>

namespace simt {

bool happens_late(Worker &w) {
    if (simt_hooks || w.order == Order::reverse) return true;
    return w.order == Order::random && next_random(w) & 1;
}

static void check_global(const BulkCopy &c, const void *p, size_t n) {
    const Allocation *a = find_allocation(p);
    if (!a || (const char *)p + n > a->base + a->size)
        stop_kernel(700, c.pc, "a bulk copy of %zu bytes at %p, which is not all inside of one allocation", n, p);
}

static void move(const BulkCopy &c, char *to, const char *from, size_t n) {
    if (c.reduction == Reduction::none)
        memcpy(to, from, n);
    else
        reduce_into(c.reduction, (simt_type)c.reduction_type, to, from, n);
}

// Calls f(shared, global, n) for each row of the box, global null where that lies outside of the tensor; rows are in pieces of
// 16 bytes, which the swizzle moves.
template <class F> static void for_each_piece(const TensorMap &m, const int32_t *at, char *shared, F f) {
    uint32_t index[5] = {};
    const uint32_t row_bytes = m.extent(0) * m.element_bytes;
    for (uintptr_t row = (uintptr_t)shared;; row += row_bytes) {
        char *global = m.base;
        bool inside = true;
        for (int i = 1; i < m.rank; i++) {
            int64_t x = (int64_t)at[i] + (int64_t)index[i] * m.step[i];
            inside &= x >= 0 && x < (int64_t)m.size[i];
            global += x * (int64_t)m.pitch[i - 1];
        }
        const uint32_t unit = m.step[0] == 1 ? 16 : m.element_bytes;
        for (uint32_t done = 0; done < row_bytes; done += unit) {
            char *here = (char *)swizzled(row + done, m.swizzle);
            for (uint32_t i = 0; i < unit; i += m.element_bytes) {
                int64_t x = at[0] + (int64_t)((done + i) / m.element_bytes) * m.step[0];
                bool in = inside && x >= 0 && x < (int64_t)m.size[0];
                f(here + i, in ? global + x * m.element_bytes : nullptr, m.element_bytes);
            }
        }
        int i = 1;
        while (i < m.rank && ++index[i] == m.extent(i)) index[i++] = 0;
        if (i >= m.rank) return;
    }
}

static void fill(const TensorMap &m, char *to) {
    static const uint16_t half_nan = 0x7fff, bfloat_nan = 0x7fff;
    static const float nan = __builtin_nanf("");
    memset(to, 0, m.element_bytes);
    if (m.nan_fill)
        memcpy(to, m.element_bytes == 4 ? (const void *)&nan : m.type ? &bfloat_nan : &half_nan, m.element_bytes);
}

static void execute(Worker &w, const BulkCopy &c) {
    switch (c.kind) {
    case CopyKind::bulk_load:
    case CopyKind::bulk_store: move(c, c.to, c.from, c.bytes); break;
    case CopyKind::tensor_load:
        for_each_piece(c.map, c.at, c.to, [&](char *shared, const char *global, uint32_t n) {
            if (global)
                memcpy(shared, global, n);
            else
                fill(c.map, shared);
        });
        break;
    case CopyKind::tensor_store:
        for_each_piece(c.map, c.at, (char *)c.from, [&](const char *shared, char *global, uint32_t n) {
            if (global) move(c, global, shared, n);
        });
    }
    w.ptx.progress++;
    if (simt_hooks) simt_hooks->engine_ends(c.id);
    if (c.mbarrier) mbarrier_complete_bytes(w, c.mbarrier, c.bytes, c.pc);
}

bool engine_step(Worker &w) {
    auto &copies = w.ptx.copies;
    if (copies.empty()) return false;
    size_t i = w.order == Order::random ? next_random(w) % copies.size() : 0;
    if (simt_hooks)  // nobody but its own wait needs a store: until then the checker sees who writes over what it reads
        while (i + 1 < copies.size() && !copies[i].mbarrier) i++;
    BulkCopy c = copies[i];
    copies.erase(copies.begin() + (long)i);
    execute(w, c);
    return true;
}

void engine_finish(Worker &w) {
    for (const BulkCopy &c : w.ptx.copies)
        if (!c.mbarrier) execute(w, c);  // a store: what it reads is still there
    w.ptx.copies.clear();
}

static BulkCopy copy_of(CopyKind kind, const void *pc) {
    BulkCopy c{};
    c.kind = kind;
    c.pc = pc;
    return c;
}

// Tells the checker what moves in global memory, a run of neighbouring bytes at a time.
static void tell_global(const BulkCopy &c) {
    const bool load = c.kind == CopyKind::bulk_load || c.kind == CopyKind::tensor_load;
    const simt_access_kind kind = load ? SIMT_LOAD : c.reduction == Reduction::none ? SIMT_STORE : SIMT_ATOMIC;
    if (c.kind == CopyKind::bulk_load || c.kind == CopyKind::bulk_store)
        return simt_hooks->engine_moves(load ? c.from : c.to, c.bytes, kind, 1, c.pc);
    const char *from = nullptr, *to = nullptr;
    int first = 1;
    auto flush = [&] {
        if (from != to) simt_hooks->engine_moves(from, (size_t)(to - from), kind, first, c.pc), first = 0;
    };
    for_each_piece(c.map, c.at, load ? c.to : (char *)c.from, [&](const char *, const char *global, uint32_t n) {
        if (!global) return;
        if (global != to) flush(), from = global;
        to = global + n;
    });
    flush();
}

static void start(BulkCopy &c) {
    Worker &w = *this_worker;
    c.thread = w.fiber->thread;
    c.group = w.ptx.bulk_group[c.thread];
    static std::atomic<uint64_t> copies_so_far;
    c.id = ++copies_so_far;
    if (simt_hooks) simt_hooks->engine_begins(c.id, c.mbarrier ? c.to : c.from, c.bytes, c.mbarrier, c.pc);
    if (simt_hooks) tell_global(c);
    if (!happens_late(w)) return execute(w, c);
    if (c.kind == CopyKind::bulk_load) memset(c.to, 0xff, c.bytes);
    if (c.kind == CopyKind::tensor_load)
        for_each_piece(c.map, c.at, c.to, [](char *to, const char *, uint32_t n) { memset(to, 0xff, n); });
    w.ptx.touched = true;
    w.ptx.copies.push_back(c);
}

static void check_bulk(const BulkCopy &c) {
    if (c.bytes % 16 || (uintptr_t)c.to % 16 || (uintptr_t)c.from % 16)
        stop_kernel(716, c.pc, "cp.async.bulk of %u bytes to %p from %p: all must be multiples of 16", c.bytes, c.to,
                    c.from);
}

static TensorMap read_map(const void *map, int rank, const void *pc) {
    TensorMap m;
    memcpy(&m, map, sizeof m);
    if (m.magic != TensorMap::mark)
        stop_kernel(719, pc,
                    "no tensor map stands at %p: pass it as `const __grid_constant__ CUtensorMap`, written by "
                    "cuTensorMapEncodeTiled",
                    map);
    if (m.rank != rank) stop_kernel(719, pc, "a copy in %d dimensions with a tensor map of %d", rank, m.rank);
    return m;
}

static void check_box(const TensorMap &m, const char *shared, const void *pc) {
    if ((uintptr_t)shared % 128)
        stop_kernel(716, pc, "the box of a tensor copy begins at %p in shared memory: it must be a multiple of 128",
                    shared);
    const Allocation *a = find_allocation(m.base);
    uint64_t last = m.element_bytes * m.size[0];
    for (int i = 1; i < m.rank; i++) last += (m.size[i] - 1) * m.pitch[i - 1];
    if (!a || m.base + last > a->base + a->size)
        stop_kernel(700, pc, "the tensor of this map has %llu bytes at %p, which are not all inside of one allocation",
                    (unsigned long long)last, m.base);
}

}  // namespace simt

using namespace simt;

void simt_bulk_load(void *to, const void *from, uint32_t bytes, void *mbarrier) {
    BulkCopy c = copy_of(CopyKind::bulk_load, __builtin_return_address(0));
    c.to = (char *)to, c.from = (const char *)from, c.bytes = bytes, c.mbarrier = mbarrier;
    check_bulk(c);
    if (simt_address_space(from) != 2) check_global(c, from, bytes);
    start(c);
}

void simt_bulk_store(void *to, const void *from, uint32_t bytes, int reduction, simt_type type) {
    BulkCopy c = copy_of(CopyKind::bulk_store, __builtin_return_address(0));
    c.to = (char *)to, c.from = (const char *)from, c.bytes = bytes;
    c.reduction = (Reduction)reduction, c.reduction_type = (uint8_t)type;
    check_bulk(c);
    check_global(c, to, bytes);
    start(c);
}

void simt_tensor_load(void *to, const void *map, int rank, const int32_t *at, void *mbarrier) {
    BulkCopy c = copy_of(CopyKind::tensor_load, __builtin_return_address(0));
    c.map = read_map(map, rank, c.pc);
    c.to = (char *)to, c.bytes = c.map.box_bytes(), c.mbarrier = mbarrier;
    memcpy(c.at, at, (size_t)rank * 4);
    check_box(c.map, c.to, c.pc);
    start(c);
}

void simt_tensor_store(const void *map, int rank, const int32_t *at, const void *from, int reduction) {
    static const simt_type types[] = {SIMT_F16, SIMT_BF16, SIMT_F32, SIMT_F64, SIMT_I32,
                                      SIMT_U32, SIMT_I64,  SIMT_U64, SIMT_U16};
    BulkCopy c = copy_of(CopyKind::tensor_store, __builtin_return_address(0));
    c.map = read_map(map, rank, c.pc);
    c.from = (const char *)from, c.bytes = c.map.box_bytes();
    c.reduction = (Reduction)reduction, c.reduction_type = (uint8_t)types[c.map.type % 9];
    memcpy(c.at, at, (size_t)rank * 4);
    check_box(c.map, c.from, c.pc);
    for (int i = 0; i < rank; i++)  // a load's may be: zeros are read there
        if (at[i] < 0)
            stop_kernel(715, c.pc, "a tensor store whose coordinate %d of %d is %d: none may be below 0", i, rank,
                        at[i]);
    start(c);
}

void simt_bulk_commit(void) {
    Worker &w = *this_worker;
    w.ptx.touched = true;
    w.ptx.bulk_group[w.fiber->thread]++;
}

// Reading and writing are one step here, so that both kinds of wait wait for it.
void simt_bulk_wait(uint32_t newest_groups_left) {
    Worker &w = *this_worker;
    int thread = w.fiber->thread, done = w.ptx.bulk_group[thread] - (int)newest_groups_left;
    auto &copies = w.ptx.copies;
    for (size_t i = 0; i < copies.size();) {
        if (copies[i].thread != thread || copies[i].mbarrier || copies[i].group >= done) {
            i++;
            continue;
        }
        BulkCopy c = copies[i];
        copies.erase(copies.begin() + (long)i);
        execute(w, c);
    }
}
