// guests.cpp: where guests' code begins, what it may write, and what it may copy to the host.
//
// Whatever is loaded when simt_guests() is called is at home; code that comes later is a guest's, unless it is trusted. All
// of this stands in static memory: it is among what a guest must not write.
#include "guests.h"

#include <algorithm>
#include <cerrno>
#include <cstdarg>
#include <cstdio>
#include <cstring>
#include <link.h>
#include <pthread.h>
#include <unistd.h>
#include <unwind.h>

#include "ask.h"
#include "own.h"
#include "runtime.h"

namespace simt {

namespace {
struct Span {
    uintptr_t lo, hi;
    bool contains(const void *p, size_t n = 1) const { return (uintptr_t)p < hi && (uintptr_t)p + n > lo; }
};
struct Name {
    const char *lo, *hi;
    char text[24];
};
constexpr int MOST = 512;
}  // namespace

static bool taken;           // someone has the table
static Span home[MOST];      // segments of the modules that are no guests
static Span no_write[MOST];  // those that no guest writes, and their thread-local variables
static int n_home, n_no_write;
static Span stack;  // of the thread that calls guests, above their frames
static std::atomic<size_t> copied;
static Name names[64];
static int n_names;

static bool within(const Span *list, int n, const void *p, size_t size = 1) {
    for (int i = 0; i < n; i++)
        if (list[i].contains(p, size)) return true;
    return false;
}

static void add(Span *list, int &n, uintptr_t lo, uintptr_t hi) {
    if (n < MOST) list[n++] = {lo, hi};
}

// libstdc++ is written by code that its headers put into every program: std::cout.width(8).
static int enter_module(dl_phdr_info *m, size_t, void *only) {
    const bool inlined = m->dlpi_name && strstr(m->dlpi_name, "libstdc++");
    bool here = !only;
    for (int i = 0; only && i < m->dlpi_phnum; i++)
        here = here || (m->dlpi_phdr[i].p_type == PT_LOAD &&
                        Span{m->dlpi_addr + m->dlpi_phdr[i].p_vaddr,
                             m->dlpi_addr + m->dlpi_phdr[i].p_vaddr + m->dlpi_phdr[i].p_memsz}
                            .contains(only));
    for (int i = 0; here && i < m->dlpi_phnum; i++) {
        const auto &h = m->dlpi_phdr[i];
        const uintptr_t lo = m->dlpi_addr + h.p_vaddr, local = (uintptr_t)m->dlpi_tls_data;
        if (h.p_type == PT_LOAD) add(home, n_home, lo, lo + h.p_memsz);
        if (h.p_type == PT_LOAD && !inlined) add(no_write, n_no_write, lo, lo + h.p_memsz);
        if (h.p_type == PT_TLS && local && !inlined) add(no_write, n_no_write, local, local + h.p_memsz);
    }
    return 0;
}

bool is_guest(const void *pc) { return taken && !within(home, n_home, pc); }
bool has_guests() { return taken; }

bool guest_may_write(const void *p, size_t n) {
    if (!taken || n == 0 || ((char *)p >= (char *)&errno && (char *)p + n <= (char *)(&errno + 1))) return true;
    return !within(no_write, n_no_write, p, n) && !stack.contains(p, n) && !is_own_memory(p, n);
}

void end_guest(const void *pc, const char *format, ...) {
    char text[512];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(text, sizeof text, format, arguments);
    va_end(arguments);
    fprintf(stderr, "simt: error: %s\n", text);
    if (pc) fprintf(stderr, "  at %s\n", where(pc).c_str());
    fflush(stderr);
    _exit(SIMT_GUEST_ENDED);
}

void guest_writes(const void *p, size_t n, const void *pc, const char *what) {
    if (is_guest(pc) && !guest_may_write(p, n))
        end_guest(pc,
                  "%s writes to memory that is not the stage's: its own are its variables, its stack and what malloc "
                  "gave it",
                  what);
}

// Device memory comes to the host: a guest that takes much of it means to do the kernels' work there.
void guest_copies(size_t n, const char *function, const void *pc) {
    if (!is_guest(pc)) return;
    const size_t sum = copied += n;
    if (sum > SIMT_GUEST_COPIES || sum < n)
        end_guest(pc,
                  "the host copies %zu bytes of device memory to itself (%s), where a call may copy %d: "
                  "a CUDA stage does its work in kernels",
                  sum, function, (int)SIMT_GUEST_COPIES);
}

void guest_shares(const char *function, const void *pc) {
    if (is_guest(pc))
        end_guest(pc,
                  "the host asks for memory that it shares with the device (%s): a CUDA stage does its work in "
                  "kernels, on the tensors that it is given",
                  function);
}

void guest_has_none(const char *what, const void *pc) {
    if (is_guest(pc))
        end_guest(pc, "a CUDA stage has no %s: it launches kernels on the tensors that it is given", what);
}

std::string tensor_at(const void *p) {
    for (int i = 0; i < n_names; i++)
        if ((const char *)p >= names[i].lo && (const char *)p < names[i].hi)
            return std::string(" (tensor ") + names[i].text + ")";
    const Allocation *a = find_allocation(p);
    return a && !a->name.empty() ? " (variable " + a->name + ")" : "";
}

static _Unwind_Reason_Code look_for_guest(_Unwind_Context *frame, void *found) {
    const void *pc = (const void *)_Unwind_GetIP(frame);
    if (!is_guest((const char *)pc - 1) || !is_user_code((const char *)pc - 1)) return _URC_NO_REASON;
    *(const void **)found = pc;
    return _URC_END_OF_STACK;
}

const void *guest_that_called(const void *kernel) {
    const void *found = nullptr;
    if (taken && !is_guest(kernel) && !in_kernel()) _Unwind_Backtrace(look_for_guest, &found);
    return found;
}

static bool called_from_home(const void *pc) { return !is_guest(pc); }

static void begin() {
    if (!called_from_home(__builtin_return_address(0))) return;
    copied = 0;
    constexpr size_t arguments = 64;  // those on the stack are the guest's to change
    stack.lo = (uintptr_t)__builtin_frame_address(0) + 2 * sizeof(void *) + arguments;
}

static void trust(const void *address) {
    if (called_from_home(__builtin_return_address(0))) dl_iterate_phdr(enter_module, (void *)address);
}

static void set_names(const char *base, int n, const size_t offset[], const size_t size[], const char *const name[]) {
    if (!called_from_home(__builtin_return_address(0))) return;
    n_names = std::min(n, (int)(sizeof names / sizeof *names));
    for (int i = 0; i < n_names; i++) {
        names[i].lo = base + offset[i];
        names[i].hi = names[i].lo + size[i];
        snprintf(names[i].text, sizeof names[i].text, "%s", name[i]);
    }
}

static void find_stack() {
    pthread_attr_t attributes;
    void *low = nullptr;
    size_t size = 0;
    if (pthread_getattr_np(pthread_self(), &attributes)) return;
    pthread_attr_getstack(&attributes, &low, &size);
    pthread_attr_destroy(&attributes);
    stack.hi = (uintptr_t)low + size;
    stack.lo = stack.hi;
}

}  // namespace simt

using namespace simt;

int simt_has_guests(void) { return has_guests(); }
int simt_is_guest(const void *pc) { return is_guest(pc); }
int simt_guest_may_write(const void *p, size_t n) { return guest_may_write(p, n); }
void simt_end_guest(const void *pc, const char *what) { end_guest(pc, "%s", what); }

const simt_guest_table *simt_guests(void) {
    static simt_guest_table table = {begin, trust, set_names, nullptr};
    if (taken) return nullptr;
    table.check = simt_hooks ? simt_hooks->check : nullptr;
    ask_through_clerk();
    find_stack();
    dl_iterate_phdr(enter_module, nullptr);
    taken = true;
    return &table;
}
