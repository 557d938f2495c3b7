// config.cpp: reads the SIMT_* environment.
#include "config.h"

#include <cstdarg>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <sched.h>

namespace simt {

// A thread of 1024 fibers needs 2048 mappings (a guard page each); Linux gives a process 65530.
constexpr int max_threads = 24;

static size_t bytes(const char *name, size_t fallback) {
    const char *text = getenv(name);
    if (!text || !*text) return fallback;
    char *end;
    double value = strtod(text, &end);
    double unit = *end == 'G' || *end == 'g'   ? 1 << 30
                  : *end == 'M' || *end == 'm' ? 1 << 20
                  : *end == 'K' || *end == 'k' ? 1 << 10
                                               : 1;
    if (end == text || value < 0) {
        fprintf(stderr, "simt: %s=%s is no number of bytes; using %zu\n", name, text, fallback);
        return fallback;
    }
    return (size_t)(value * unit);
}

static bool flag(const char *name, bool fallback) {
    const char *text = getenv(name);
    return text && *text ? strcmp(text, "0") != 0 : fallback;
}

static int processors() {
    cpu_set_t set;
    int count = sched_getaffinity(0, sizeof set, &set) == 0 ? CPU_COUNT(&set) : 1;
    return count < 2 ? 2 : count;  // with one, a block that waits for another would wait for ever
}

static void read_order(Config &c) {
    const char *text = getenv("SIMT_ORDER");
    c.order = Order::forward;
    if (!text || !*text || !strcmp(text, "forward")) return;
    if (!strcmp(text, "reverse")) {
        c.order = Order::reverse;
    } else if (!strncmp(text, "random", 6) && (text[6] == ':' || text[6] == 0)) {
        c.order = Order::random;
        c.seed = text[6] ? strtoull(text + 7, nullptr, 0) : 1;
    } else {
        fprintf(stderr, "simt: SIMT_ORDER=%s is unknown (forward, reverse or random:SEED); using forward\n", text);
    }
}

static Config read_environment() {
    Config c{};
    int threads = (int)bytes("SIMT_THREADS", 0);
    c.threads = threads > 0 ? threads : processors();
    if (c.threads > max_threads) c.threads = max_threads;
    read_order(c);
    const char *timeout = getenv("SIMT_TIMEOUT");
    c.timeout = timeout && *timeout ? atof(timeout) : 60;
    c.memory = bytes("SIMT_MEMORY", (size_t)4 << 30);
    c.printf_limit = bytes("SIMT_PRINTF", (size_t)1 << 20);
    c.guard = flag("SIMT_GUARD", true);
    c.guards_last = flag("SIMT_GUARD_PAGES", true);
    c.poison = flag("SIMT_POISON", true);
    c.trying = flag("SIMT_TRYING", false);
    c.quiet = flag("SIMT_QUIET", false);
    return c;
}

const Config &config() {
    static const Config c = read_environment();
    return c;
}

void complain(const char *format, ...) {
    if (config().quiet) return;
    va_list arguments;
    va_start(arguments, format);
    fputs("simt: ", stderr);
    vfprintf(stderr, format, arguments);
    fputc('\n', stderr);
    va_end(arguments);
}

}  // namespace simt
