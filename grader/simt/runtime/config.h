// config.h: what the environment says. Read once, when the runtime is first used.
#ifndef SIMT_CONFIG_H
#define SIMT_CONFIG_H

#include <cstddef>
#include <cstdint>

#pragma GCC visibility push(hidden)
namespace simt {

enum class Order { forward, reverse, random };

struct Config {
    int threads;  // SIMT_THREADS: OS threads that run blocks; default: the processors this process may use, at most 24
    Order order;  // SIMT_ORDER: forward (default), reverse, random:SEED; who goes first among threads and blocks
    uint64_t seed;        //
    double timeout;       // SIMT_TIMEOUT: seconds that one kernel may run, default 60; 0: for ever
    size_t memory;        // SIMT_MEMORY: bytes of device memory (suffix K, M, G), default 4G
    size_t printf_limit;  // SIMT_PRINTF: bytes that the printf of one kernel may print, default 1M
    bool guard;           // SIMT_GUARD=0: do not stop host code that touches device memory
    bool guards_last;     // SIMT_GUARD_PAGES=0: as on Linux before 6.13, a call for each allocation
    bool poison;          // SIMT_POISON=0: do not fill fresh memory with 0xff (NaN)
    bool trying;  // SIMT_TRYING=1: many kernels are tried, simt_try_on() mends what one broke, and nobody reads why
    bool quiet;   // SIMT_QUIET=1: no explanations on stderr, error codes alone
};

const Config &config();

// Prints "simt: ..." on stderr, for a human; nothing when SIMT_QUIET is set.
void complain(const char *format, ...) __attribute__((format(printf, 1, 2)));

}  // namespace simt
#pragma GCC visibility pop
#endif
