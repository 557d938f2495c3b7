// bounds.cpp: accesses that are outside of everything: past the ends of buffers and shared arrays, freed memory, null
// and host pointers, misaligned vectors, array indices that the compiler knows to be wrong, host code at device memory.
#include "check.h"
#include "guests.h"
#include "reports.h"

#include <cstring>
#include <unistd.h>

namespace check {

enum { CUDA_ILLEGAL_ADDRESS = 700, CUDA_MISALIGNED = 716 };
constexpr uintptr_t NEAR = 256;  // the red zone around a cudaMalloc'd buffer: the access hits nothing else, so go on
static uintptr_t reported;       // a fault at this address is no news
bool local_in_doubt;

[[noreturn]] static void stop(int cuda_error) {
    flush_reports();
    simt_stop_kernel(cuda_error);
}

static bool inside(simt_range range, uintptr_t a) { return a - (uintptr_t)range.lo < (uintptr_t)(range.hi - range.lo); }

static std::string bytes(uintptr_t n) { return std::to_string(n) + (n == 1 ? " byte" : " bytes"); }

// Where a lies, seen from the region that it misses.
static std::string relation(uintptr_t a, size_t n, const Region *r) {
    uintptr_t end = r->base + r->full_size;
    std::string of = " of its " + bytes(r->full_size) + ".";
    if (a < r->base) return "The address is " + bytes(r->base - a) + " before the start" + of;
    if (a == end) return "The address is right behind the last" + of;
    if (a > end) return "The address is " + bytes(a - end) + " past the end" + of;
    return "The access begins inside but its last " + bytes(a + n - end) + " are past the end" + of;
}

static void report_near(uintptr_t a, size_t n, Site *site, Region *r) {
    bool freed = !r->size && a - r->base < r->full_size;
    Report *report = new_report(freed ? "use_after_free" : "out_of_bounds", ERROR, site->pc, nullptr);
    if (!report) return;
    name_memory(report, r, (long)(a - r->base), site->size);
    add_access(report, verb(site->kind), site, run.thread);
    if (freed) {
        add_place(report, "freed", r->free_pc, -1);
        report->message = "The buffer was freed before this kernel was launched.";
        report->advice = "Call cudaFree after the last kernel that uses the buffer.";
        return;
    }
    report->message = relation(a, n, r);
    report->advice = r->space == DYNAMIC  ? "Launch with more shared memory (third launch argument), or use less of it."
                     : r->space == SHARED ? "Check the index against the array's declared size."
                     : a < r->base        ? "The index is negative: check what the first threads compute."
                                   : "Guard the access: threads past the end must not touch the array (if (i < n)).";
}

static void report_pointer(uintptr_t a, Site *site) {
    bool null = a < 65536;
    Report *report = new_report(null ? "null_pointer" : "host_pointer", ERROR, site->pc, nullptr);
    if (report) {
        add_access(report, verb(site->kind), site, run.thread);
        report->message = null ? "The kernel uses a null pointer." : "The kernel uses an address of host memory.";
        report->advice = null ? "Check that cudaMalloc succeeded and that the pointer was passed to the kernel."
                              : "Pass a pointer from cudaMalloc, filled by cudaMemcpy.";
    }
    if (null || site->kind != LOAD) stop(CUDA_ILLEGAL_ADDRESS);  // the program goes on, with its memory as it was
}

// Another block's shared memory, where it has no variable yet.
static void report_not_begun(Site *site) {
    Report *report = new_report("other_block_not_begun", ERROR, site->pc, nullptr);
    if (!report) return;
    add_access(report, verb(site->kind), site, run.thread);
    report->message = "This is the shared memory of another block of the cluster, and nothing says that it has begun.";
    report->advice =
        "Put cluster.sync() (barrier.cluster.arrive and .wait) before the first use of another block's shared "
        "memory, where all threads of the cluster reach it; one more before any of its blocks ends.";
}

void report_outside(uintptr_t a, size_t n, Site *site) {
    reported = a;
    if (in_shared_memory(a) && !inside(simt_shared_memory(), a) && !find_region(a)) return report_not_begun(site);
    bool shared = in_shared_memory(a), device = inside(simt_device_memory(), a);
    Region *r = nearest_region(a, shared);
    uintptr_t end = r ? r->base + r->full_size : 0;
    bool near = r && (a + NEAR > r->base && a < end + NEAR);
    if (!shared && !device && !near) return report_pointer(a, site);
    if (!r) {  // nothing is allocated, and yet the address is the device's
        report_pointer(a, site);
        stop(CUDA_ILLEGAL_ADDRESS);
    }
    report_near(a, n, site, r);
    if (!shared && !near) stop(CUDA_ILLEGAL_ADDRESS);
}

// What 16 bytes at half of that may be: a struct of two doubles, as g++ tells it, or a float4. The processor knows.
static struct {
    uintptr_t a;
    Site *site;
    Region *region;
    int thread;
} half_aligned;

static void report_misaligned(uintptr_t a, size_t n, Site *site, Region *r) {
    half_aligned.site = nullptr;
    if (Report *report = new_report("misaligned_access", ERROR, site->pc, nullptr)) {
        name_memory(report, r, (long)(a - r->base), 1);
        add_access(report, verb(site->kind), site, run.thread);
        report->message = "This " + std::to_string(n) + "-byte access needs an address that is a multiple of " +
                          std::to_string(n) + "; this one is " + bytes(a % n) +
                          " past one (the index above counts bytes).";
        report->advice =
            "Vector types (float2, float4) need aligned data: start rows at multiples of the vector, or load "
            "single elements at the edge.";
    }
    flush_reports();
}

void misaligned(uintptr_t a, size_t n, Site *site, Region *r) {
    if (n == 16 && a % 8 == 0) {
        half_aligned = {a, site, r, run.thread};
        return;
    }
    report_misaligned(a, n, site, r);
    stop(CUDA_MISALIGNED);
}

// A stage's host code keeps to its own memory: what it would change otherwise is simt's word about it.
static void confine_guest(uintptr_t a, size_t n, Kind kind, const void *pc) {
    if (kind == LOAD || simt_guest_may_write((const void *)a, n) || !simt_is_guest(pc)) return;
    simt_end_guest(pc,
                   "the host writes to memory that is not the stage's: its own are its variables, its stack, and what "
                   "malloc gave it");
}

void report_host_use(uintptr_t a, size_t n, Kind kind, const void *pc) {
    if (in_kernel_unwatched) return;
    static simt_range device = simt_device_memory();
    if (!device.lo) device = simt_device_memory();
    if (!inside(device, a)) return confine_guest(a, n, kind, pc);
    Region *r = find_region(a);
    if (r && r->shared_with_host) return managed_host_use(r, a, n, kind, pc);
    Report *report = new_report("device_pointer_on_host", ERROR, pc, nullptr);
    if (!report) return;
    if (r) name_memory(report, r, (long)(a - r->base), n);
    add_place(report, verb(kind), pc, -1);
    report->message = "Host code uses a pointer to device memory.";
    report->advice = "Copy the data with cudaMemcpy and use the copy.";
    flush_reports();
    if (simt_is_guest(pc)) _exit(SIMT_GUEST_ENDED);
}

// 'float [8]' (g++) and 'float[8]' (clang) -> float[8]
static std::string without_spaces(const char *type) {
    std::string s;
    for (const char *c = type; *c; c++)
        if (*c != '\'' && !(*c == ' ' && c[1] == '[')) s += *c;
    return s;
}

// -fsanitize=bounds: an index outside of the array's type. The program would go on to overwrite other locals: stop
// here.
void report_index(const char *file, uint32_t line, const char *type, long index, const void *pc, const char *function) {
    local_in_doubt = false;
    if (Report *report = new_report("index_out_of_bounds", ERROR, pc, nullptr)) {
        Access a{"index",
                 {short_path(file), (int)line, function ? function : where_is(pc).function},
                 in_kernel ? run.thread : -1,
                 false};
        report->variable = array_indexed_at(a.where.file, a.where.line);
        report->index = index;
        report->subscript = "[" + std::to_string(index) + "]";
        report->accesses.push_back(a);
        report->message =
            "The array's type is " + without_spaces(type) + ": index " + std::to_string(index) + " is outside.";
        report->advice = "Check the index against the array's declared size.";
    }
    if (in_kernel) stop(CUDA_ILLEGAL_ADDRESS);
    flush_reports();
}

// A pointer into the thread's own stack has left the object that it was taken from. Of a[i] += x the compiler tells the load before
// the index, which has a name: so a load waits for what its thread does next.
static struct {
    const char *file;
    uint32_t line;
    const void *pc;
} stray_load;

static void tell_local(const char *file, uint32_t line, Kind kind, const void *pc) {
    Report *report = new_report("index_out_of_bounds", ERROR, pc, nullptr);
    if (!report) return;
    report->accesses.push_back({verb(kind), {short_path(file), (int)line, where_is(pc).function}, run.thread, false});
    report->message =
        "The pointer leads to a local array or variable of this thread, and the access is not inside of it.";
    report->advice = "Check the index against the array's declared size.";
}

void settle_local() {
    local_in_doubt = false;
    tell_local(stray_load.file, stray_load.line, LOAD, stray_load.pc);
}

void report_local(const char *file, uint32_t line, Kind kind, const void *pc) {
    if (kind == LOAD) {
        if (!local_in_doubt) stray_load = {file, line, pc};
        local_in_doubt = true;
        return;
    }
    if (local_in_doubt) settle_local();
    tell_local(file, line, kind, pc);
    stop(CUDA_ILLEGAL_ADDRESS);
}

void report_fault(const void *address, const void *pc, const char *what) {
    if ((uintptr_t)address == reported && reported) return flush_reports();
    const uintptr_t behind = (uintptr_t)pc - (half_aligned.site ? (uintptr_t)half_aligned.site->pc : 0);
    if (half_aligned.site && half_aligned.thread == run.thread && behind < 256)
        return report_misaligned(half_aligned.a, 16, half_aligned.site, half_aligned.region);
    Report *report = new_report("fault", ERROR, pc, nullptr);
    if (!report) return;
    add_place(report, "fault", (const char *)pc + 1, run.thread);
    report->message = what;
    flush_reports();
}

}  // namespace check
