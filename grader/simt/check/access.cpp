// access.cpp: one access of one thread: which memory is it, may it be touched, and who must hear of it?
#include "check.h"
#include "order.h"

#include <algorithm>
#include <link.h>

namespace check {

// Memory of the program that kernels may read: tables and string literals (segments that are read-only, or are after
// relocation), and thread-local variables: the reference behind a file's `extern __shared__` is one.
static int find_readable(dl_phdr_info *m, size_t, void *out) {
    uintptr_t *range = (uintptr_t *)out, a = range[0];
    for (int i = 0; i < m->dlpi_phnum; i++) {
        const ElfW(Phdr) &h = m->dlpi_phdr[i];
        bool local = h.p_type == PT_TLS;
        bool readable = (h.p_type == PT_LOAD && !(h.p_flags & PF_W)) || h.p_type == PT_GNU_RELRO || local;
        uintptr_t lo = local ? (uintptr_t)m->dlpi_tls_data : m->dlpi_addr + h.p_vaddr;
        if (!readable || a - lo >= h.p_memsz) continue;
        range[0] = lo, range[1] = lo + h.p_memsz;
        return 1;
    }
    return 0;
}

static bool contains(const Region *r, uintptr_t a, size_t n) {
    return a - r->base < r->size && a + n <= r->base + r->size;
}

// The region of an access that may go on; NULL after a report, or for memory that is not checked.
static Region *locate(uintptr_t a, size_t n, Site *site) {
    Region *r = find_region(a);
    if (r && contains(r, a, n)) return site->region = r;
    uintptr_t args = (uintptr_t)run.launch->args, range[2] = {a, 0};
    if (a - args < run.launch->args_size) return nullptr;
    if (!r && site->kind == LOAD && dl_iterate_phdr(find_readable, range))
        return site->region = add_unchecked(range[0], range[1]);
    if (!r && simt_memory_kind((const void *)a) >= 2) return nullptr;  // pinned: the host's, and lawful
    if (!report_foreign_stack(a, n, site)) report_outside(a, n, site);
    return nullptr;
}

static void count_bytes(Region *r, size_t n, Kind kind) {
    if (kind == LOAD)
        r->counts.loaded += n;
    else if (kind == ATOMIC)
        r->counts.atomic += n;
    else
        r->counts.stored += n;
}

// Volatile accesses and atomics of global memory carry fences' knowledge; an atomic both gives and takes it.
static void synchronise(uintptr_t a, Site *site) {
    bool atomic = site->kind == ATOMIC;
    fence_sync(a, atomic || site->kind == LOAD, atomic || site->kind == STORE);
}

// The usual case: whole words, to be read and written before, or to be written now.
static inline bool plainly_initialised(Region *r, size_t offset, size_t n, Kind kind) {
    if ((offset | n) % 4) return false;
    for (size_t word = offset / 4; word < (offset + n) / 4; word++) {
        if (kind == STORE)
            r->init[word] |= 0x0f;
        else if ((r->init[word] & 0x0f) != 0x0f)
            return false;
    }
    return kind <= STORE;
}

static inline void access_piece(uintptr_t a, size_t n, Kind kind, uint8_t flags, const void *pc) {
    Site *site = site_of(pc, n, kind, flags);
    Region *r = site->region;
    if (!contains(r, a, n) && !(r = locate(a, n, site))) return;
    if (r->space == UNCHECKED) return;
    if ((flags & ALIGNED) && (a & (n - 1))) misaligned(a, n, site, r);
    size_t offset = a - r->base;
    if (fences_used && (kind == ATOMIC || (flags & VOLATILE))) synchronise(a, site);
    log_access(run.thread, a, site);
    if (recording) record_access(a, n);
    if (kind != LOAD && copies_pending) async_check_store(a, n, site);
    if (kind != LOAD && absent_values) absent_stored(a, n, site);
    check_races(r, offset, n, site);
    if (!plainly_initialised(r, offset, n, kind)) check_init(r, offset, n, site);
    count_bytes(r, n, kind);
}

void access_by_engine(uintptr_t a, size_t n, Kind kind, const void *pc) {
    if (stores_in_doubt) settle_stores();
    Site *site = site_of(pc, 4, kind, TOLD | ENGINE);
    for (uintptr_t end = a + n; a < end; a += 4) {
        Region *r = site->region;
        if (!contains(r, a, 4) && !(r = locate(a, 4, site))) return;
        if (r->space == UNCHECKED) return;
        if (kind != LOAD && copies_pending) async_check_store(a, 4, site);
        check_races(r, a - r->base, 4, site);
        if (!plainly_initialised(r, a - r->base, 4, kind)) check_init(r, a - r->base, 4, site);
        count_bytes(r, 4, kind);
    }
}

// Struct copies and unaligned types move in the pieces that a GPU would use: 4 bytes, or single ones.
static void access_in_pieces(uintptr_t a, size_t n, Kind kind, uint8_t flags, const void *pc) {
    size_t piece = (a | n) % 4 == 0 ? 4 : (a | n) % 2 == 0 ? 2 : 1;
    for (size_t i = 0; i < n; i += piece) access_piece(a + i, piece, kind, flags, pc);
}

void access(uintptr_t a, size_t n, Kind kind, uint8_t flags, const void *pc) {
    if (!in_kernel) return report_host_use(a, n, kind, pc);
    const bool may_be_struct =
        n >= 4 && kind <= STORE && (n == 16 || !(flags & ALIGNED)) && !(flags & (VOLATILE | TOLD));
    deepest = std::max(deepest, run.stack_lo + run.stack_size - (uintptr_t)__builtin_frame_address(0));
    if (a - run.stack_lo < run.stack_size) {
        if (any_sums_taken) touch_sums(a, n, kind, pc);
        return;
    }
    if (recording) record_settle();
    if (stores_in_doubt) settle_stores();
    if (may_be_struct && kind == LOAD) struct_begins(a, n, flags & ALIGNED, pc);
    if (flags & ALIGNED)
        access_piece(a, n, kind, flags, pc);
    else
        access_in_pieces(a, n, kind, flags, pc);
    if (may_be_struct) kind == LOAD ? struct_ends(a, n, pc) : struct_is_stored(a, n, pc);
}

}  // namespace check
