// limits.c: resource limits and inherited state.
#define _GNU_SOURCE
#include "process.h"

#include <signal.h>
#include <stdlib.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

#include "protocol.h"

static int limit(int resource, rlim_t soft, rlim_t hard) {
    const struct rlimit r = {soft, hard};
    return setrlimit(resource, &r) == 0;
}

int lab_limits_enter(const lab_limits *limits) {
    const int first_closed = limits->arena >= 0 ? LAB_FD_ARENA + 1 : STDERR_FILENO + 1;
    int ok = limit(RLIMIT_CORE, 0, 0);
    if (limits->cpu_seconds > 0)
        ok = ok && limit(RLIMIT_CPU, (rlim_t)limits->cpu_seconds + 1, (rlim_t)limits->cpu_seconds + 2);
    if (limits->memory_bytes) ok = ok && limit(RLIMIT_AS, limits->memory_bytes, limits->memory_bytes);
    ok = ok && prctl(PR_SET_PDEATHSIG, SIGKILL) == 0;   // no runner outlives its checker
    ok = ok && close_range(first_closed, ~0u, 0) == 0;  // nothing of the checker's is inherited
    // What the checker was told through its environment (the seed) is not the child's business.
    ok = ok && unsetenv("LAB_SEED") == 0 && unsetenv("LAB_RESULTS") == 0;
    // A kernel that never ends is stopped by the emulator, which knows its line, before the checker's clock stops it
    // all.
    ok = ok && setenv("SIMT_TIMEOUT", "6", 0) == 0;
    umask(022);  // the next program may be another user
    // The compiler's messages are searched for the first error: they come in one language.
    ok = ok && setenv("LC_ALL", "C", 1) == 0;
    return ok;
}
