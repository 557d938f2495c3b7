// api.cpp: simt_check.h, and the end of a program built with --checked: it writes SIMT_REPORT, prints SIMT_TABLE, and
// exits with status 86 after any error report.
#include "simt_check.h"
#include "check.h"
#include "kernels.h"
#include "reports.h"

#include <algorithm>
#include <cerrno>
#include <cstdio>
#include <cstdlib>
#include <fcntl.h>
#include <unistd.h>

using namespace check;

static bool managed;  // by a program that loads us and asks
static pid_t owner;

// The table's functions refuse a guest that has found their addresses.
#define REFUSED simt_is_guest(__builtin_return_address(0))

static void api_reset(void) {
    if (REFUSED) return;
    managed = true;
    reset_reports();
    counts_reset();
    sample_reset();
    join_parts();
    allocated_bytes = unfollowed = 0;
}

static int api_error_count(void) { return error_count(); }

static int api_write_json_fd(int fd) {
    std::string json = to_json();
    for (size_t done = 0; done < json.size();) {
        ssize_t n = write(fd, json.data() + done, json.size() - done);
        if (n < 0 && errno != EINTR) return -1;
        if (n > 0) done += (size_t)n;
    }
    return 0;
}

static int api_write_json(const char *path) {
    int fd = open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0644);
    if (fd < 0) return -1;
    int failed = api_write_json_fd(fd);
    return close(fd) || failed ? -1 : 0;
}

static void api_name_buffer(const void *p, const char *name) {
    if (REFUSED) return;
    if (Region *r = find_region((uintptr_t)p)) r->name = name;
}

static int api_name_range(void *p, size_t size, const char *name) {
    return !REFUSED && name_range(p, size, name) ? 0 : -1;
}

static uint64_t api_allocated(void) { return allocated_bytes; }

template <class Wanted> static int sum_buffers(simt_check_buffer_counts *out, Wanted wanted) {
    int found = -1;
    *out = simt_check_buffer_counts{};
    for (const KernelCounts *k : kernel_counts())
        for (const BufferCounts &b : k->buffers) {
            if (!wanted(b.region)) continue;
            found = 0;
            out->bytes_loaded += b.counts.loaded, out->bytes_stored += b.counts.stored;
            out->bytes_atomic += b.counts.atomic;
            out->sectors_loaded += b.counts.sectors_loaded, out->sectors_stored += b.counts.sectors_stored;
            out->unique_sectors_loaded += b.unique_sectors_loaded;
            out->unique_sectors_stored += b.unique_sectors_stored;
        }
    return found;
}

static int api_buffer(const char *name, simt_check_buffer_counts *out) {
    return sum_buffers(out, [name](const Region *r) { return !name || region_name(r) == name; });
}

static int api_buffer_at(const void *p, simt_check_buffer_counts *out) {
    return sum_buffers(out, [at = find_region((uintptr_t)p)](const Region *r) { return r == at; });
}

static void api_counts(simt_check_totals *out) {
    *out = simt_check_totals{};
    out->uneven = uneven_launches(), out->unfollowed = unfollowed;
    for (const KernelCounts *k : kernel_counts()) {
        out->broadcasts += k->broadcasts;
        out->stack = std::max(out->stack, k->stack);
        for (const auto &entry : k->sites) {
            const LineCounts &c = entry.second;
            out->sectors += c.sectors, out->ideal_sectors += c.ideal_sectors;
            out->wavefronts += c.wavefronts, out->ideal_wavefronts += c.ideal_wavefronts;
        }
    }
}

static void api_sample(int on) {
    if (!REFUSED) sample(on);
}

const simt_check_table check::api_table = {
    api_reset,     api_error_count, api_write_json, api_write_json_fd, api_name_buffer, api_name_range,
    api_allocated, api_buffer,      api_buffer_at,  api_counts,        api_sample,
};

static void finish(void) {
    if (getpid() != owner) return;  // a child that forked
    int errors = error_count();
    const char *file = getenv("SIMT_REPORT"), *table = getenv("SIMT_TABLE");
    if (file && *file && api_write_json(file)) perror(file);
    if (table && *table && *table != '0') print_table();
    if (!errors && simt_context_broke()) errors = 1;  // the runtime has said why
    if (managed || !errors) return;
    fflush(nullptr);
    fprintf(stderr, "simt: %d error%s found\n", errors, errors == 1 ? "" : "s");
    _exit(86);
}

// Registered before the program's own atexit handlers and destructors, so it runs after them.
__attribute__((constructor(202))) static void begin(void) {
    owner = getpid();
    atexit(finish);
}
