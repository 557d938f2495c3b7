// indirect.cpp: may a guest call this address? Its own functions, where they begin: in the middle of an instruction there may be
// another one. And functions of the libraries by their very names: not those of the C library, which can do anything, nor what
// has no name, simt's reset among it.
#include "check.h"

#include <algorithm>
#include <cstring>

#include <dlfcn.h>
#include <link.h>

extern "C" {
// Where the guest's function begins that was called last, [0], and the next byte, [1].
__attribute__((visibility("hidden"))) uintptr_t simt_guest_code[2];
__attribute__((visibility("hidden"))) void simt_indirect_call(const void *target, const void *pc);
}

// A module's table of its functions, for unwinding: where each begins, in rising order, as offsets from the table.
struct FrameTable {
    uint8_t version, frame_encoding, count_encoding, table_encoding;
    int32_t frames;
    uint32_t count;
    struct {
        int32_t begin, description;
    } rows[];
};
constexpr uint8_t COUNT_U4 = 0x03, FROM_TABLE_S4 = 0x3b;

static bool begins_function(const FrameTable *table, uintptr_t target) {
    if (!table || table->count_encoding != COUNT_U4 || table->table_encoding != FROM_TABLE_S4) return false;
    const auto end = table->rows + table->count;
    const auto row = std::lower_bound(table->rows, end, (int64_t)(target - (uintptr_t)table),
                                      [](const auto &r, int64_t wanted) { return r.begin < wanted; });
    return row != end && (uintptr_t)table + row->begin == target;
}

static int find_code(dl_phdr_info *m, size_t, void *target) {
    bool here = false;
    const FrameTable *table = nullptr;
    for (int i = 0; i < m->dlpi_phnum; i++) {
        const auto &h = m->dlpi_phdr[i];
        const uintptr_t lo = m->dlpi_addr + h.p_vaddr;
        here |= h.p_type == PT_LOAD && h.p_flags & PF_X && (uintptr_t)target - lo < h.p_memsz;
        if (h.p_type == PT_GNU_EH_FRAME) table = (const FrameTable *)lo;
    }
    if (!here || !begins_function(table, (uintptr_t)target)) return 0;
    simt_guest_code[0] = (uintptr_t)target, simt_guest_code[1] = (uintptr_t)target + 1;
    return 1;
}

// Functions of the mathematical library have several bodies, one for each processor, and those have no names; nor have
// those that the lab's model hands to task 6 (grader/model).
static bool has_a_name(const void *target) {
    Dl_info at, libc, libm;
    if (!dladdr(target, &at)) return false;
    if (at.dli_fname && strstr(at.dli_fname, "/model/model_simt")) return true;
    if (dladdr(dlsym(RTLD_DEFAULT, "tgamma"), &libm) && at.dli_fbase == libm.dli_fbase) return true;
    if (check::in_kernel) return false;
    return at.dli_saddr == target && (!dladdr(dlsym(RTLD_DEFAULT, "abort"), &libc) || at.dli_fbase != libc.dli_fbase);
}

void simt_indirect_call(const void *target, const void *pc) {
    if (!simt_is_guest(pc)) return;  // nobody is
    if (simt_is_guest(target) ? dl_iterate_phdr(find_code, (void *)target) : has_a_name(target)) return;
    simt_end_guest(pc, "a call through a pointer leads to an address that is no function of the stage's");
}
