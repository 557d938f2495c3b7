// limits.c: resource limits and inherited state.
#define _GNU_SOURCE
#include "process.h"

#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

#include "protocol.h"

static int limit(int resource, rlim_t soft, rlim_t hard) {
    const struct rlimit r = {soft, hard};
    return setrlimit(resource, &r) == 0;
}

// Compilers' outputs and what a stage leaves in /tmp; a stack of which a program without end soon sees the end.
enum { FILE_BYTES = 256 << 20, STACK_BYTES = 64 << 20, FILES = 4096 };

// CUDA on the CPU and OpenBLAS keep stacks and buffers for each processor.
size_t lab_limits_memory(size_t arena_bytes) {
    return ((size_t)4 << 30) + sysconf(_SC_NPROCESSORS_ONLN) * ((size_t)512 << 20) + 2 * arena_bytes;
}

int lab_limits_threads(void) { return 256 + 4 * (int)sysconf(_SC_NPROCESSORS_ONLN); }

// Never more than there is already.
static int lower(int resource, rlim_t to) {
    struct rlimit r;
    if (getrlimit(resource, &r)) return 0;
    if (r.rlim_cur > to) r.rlim_cur = to;
    if (r.rlim_max > to && resource != RLIMIT_STACK) r.rlim_max = to;
    return setrlimit(resource, &r) == 0;
}

static int limit_resources(const lab_limits *limits) {
    int ok = lower(RLIMIT_FSIZE, FILE_BYTES) && lower(RLIMIT_STACK, STACK_BYTES) && lower(RLIMIT_NOFILE, FILES);
    if (limits->data_bytes) ok = ok && lower(RLIMIT_DATA, limits->data_bytes);
    // The system counts the processes of a user. In root's sandboxes each program is a user of its own.
    if (limits->sandbox && getuid() == 0) ok = ok && lower(RLIMIT_NPROC, lab_limits_threads());
    return ok;
}

int lab_limits_enter(const lab_limits *limits) {
    const int first_closed = limits->arena >= 0 ? LAB_FD_ARENA + 1 : STDERR_FILENO + 1;
    const rlim_t cpu = (rlim_t)(limits->cpu_seconds * lab_slowness());
    char seconds[32];
    int ok = limit(RLIMIT_CORE, 0, 0);
    if (limits->cpu_seconds > 0) ok = ok && limit(RLIMIT_CPU, cpu + 1, cpu + 2);
    if (limits->sandbox || limits->data_bytes) ok = ok && limit_resources(limits);
    if (limits->memory_bytes) ok = ok && limit(RLIMIT_AS, limits->memory_bytes, limits->memory_bytes);
    ok = ok && close_range(first_closed, ~0u, 0) == 0;  // nothing of the checker's is inherited
    // What the checker was told through its environment (the seed) is not the child's business.
    ok = ok && unsetenv("LAB_SEED") == 0 && unsetenv("LAB_RESULTS") == 0;
    // A kernel that never ends is stopped by the emulator, which knows its line, before the checker's clock stops it
    // all.
    snprintf(seconds, sizeof seconds, "%.2f", limits->kernel_seconds * lab_slowness());
    if (limits->kernel_seconds > 0) ok = ok && setenv("SIMT_TIMEOUT", seconds, 0) == 0;
    umask(022);  // the next program may be another user
    // The compiler's messages are searched for the first error: they come in one language.
    ok = ok && setenv("LC_ALL", "C", 1) == 0;
    return ok;
}
