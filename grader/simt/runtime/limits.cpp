// limits.cpp: the launches that a GPU would refuse: what a kernel may have, and the sentence when it asks for more.
#include "../include/simt/api.h"
#include "runtime.h"

#include <cstdarg>
#include <cstdio>

namespace simt {

// Per kernel: what cudaFuncSetAttribute allowed, and the error of the last refused argument.
static OwnMap<const void *, size_t> &opt_ins() {
    static auto *map = own_new<OwnMap<const void *, size_t>>();
    return *map;
}
void allow_shared(const void *fn, size_t bytes) { opt_ins()[fn] = bytes; }
size_t allowed_shared(const void *fn) {
    auto it = opt_ins().find(fn);
    return it == opt_ins().end() ? shared_default : std::max(shared_default, it->second);
}

// Clusters of up to 16 blocks, where every device of this architecture has 8.
static OwnMap<const void *, bool> &wide_clusters() {
    static auto *map = own_new<OwnMap<const void *, bool>>();
    return *map;
}
void allow_wide_clusters(const void *fn, bool allow) { wide_clusters()[fn] = allow; }
static unsigned allowed_cluster(const void *fn) {
    auto it = wide_clusters().find(fn);
    return it != wide_clusters().end() && it->second ? 16 : 8;
}

static OwnMap<const void *, unsigned> &launch_bounds() {
    static auto *map = own_new<OwnMap<const void *, unsigned>>();
    return *map;
}
unsigned allowed_threads(const void *fn) {
    auto it = launch_bounds().find(fn);
    return it == launch_bounds().end() ? (unsigned)max_block_threads : it->second;
}

static bool refuse(const simt_site *site, int error, const char *format, ...) __attribute__((format(printf, 3, 4)));
static bool refuse(const simt_site *site, int error, const char *format, ...) {
    char text[512];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(text, sizeof text, format, arguments);
    va_end(arguments);
    const void *caller = guest_that_called(site);
    const std::string at = caller ? where(caller) : std::string(site->file) + ":" + std::to_string(site->line);
    complain("error: launch of %s refused at %s: %s\n  -> %s", site->kernel, at.c_str(), text, error_name(error));
    set_error(error);
    return false;
}

// CUDA 13 answers every refused configuration with cudaErrorInvalidValue (CUDA 12: cudaErrorInvalidConfiguration).
bool acceptable(const simt_site *s, const void *fn, simt_uint3 g, simt_uint3 b, size_t shared) {
    uint64_t threads = (uint64_t)b.x * b.y * b.z;
    if (b.x == 0 || b.y == 0 || b.z == 0 || b.x > 1024 || b.y > 1024 || b.z > 64 || threads > max_block_threads)
        return refuse(s, 1, "a block of (%u,%u,%u) = %llu threads; at most 1024 threads, at least 1, z at most 64", b.x,
                      b.y, b.z, (unsigned long long)threads);
    if (threads > allowed_threads(fn))
        return refuse(s, 1,
                      "a block of (%u,%u,%u) = %llu threads; the kernel's __launch_bounds__ says at most %u: launch "
                      "smaller blocks, or raise its bound",
                      b.x, b.y, b.z, (unsigned long long)threads, allowed_threads(fn));
    if (g.x == 0 || g.y == 0 || g.z == 0 || g.x > 0x7fffffff || g.y > 65535 || g.z > 65535)
        return refuse(s, 1, "a grid of (%u,%u,%u) blocks; each at least 1, x at most 2^31-1, y and z at most 65535%s",
                      g.x, g.y, g.z,
                      g.x && g.y && g.z ? ""
                                        : "; a number of blocks is 0: is a quotient rounded down, or is what it is "
                                          "made of 0?");
    if (shared > shared_opt_in)
        return refuse(s, 1, "%zu bytes of dynamic shared memory; a block can have at most %zu", shared, shared_opt_in);
    if (shared > allowed_shared(fn))
        return refuse(s, 1,
                      "%zu bytes of dynamic shared memory; above %zu the kernel needs cudaFuncSetAttribute(kernel, "
                      "cudaFuncAttributeMaxDynamicSharedMemorySize, bytes)",
                      shared, allowed_shared(fn));
    return true;
}

bool acceptable_gang(const simt_site *s, const void *fn, simt_uint3 g, simt_uint3 b, size_t shared,
                     const GangRequest &r) {
    const simt_uint3 &c = r.cluster;
    if (!c.x || !c.y || !c.z || (uint64_t)c.x * c.y * c.z > allowed_cluster(fn) || g.x % c.x || g.y % c.y || g.z % c.z)
        return refuse(s, 912,
                      "clusters of (%u,%u,%u) blocks in a grid of (%u,%u,%u): at most 8 blocks (16 where "
                      "cudaFuncAttributeNonPortableClusterSizeAllowed is set), and the grid a multiple",
                      c.x, c.y, c.z, g.x, g.y, g.z);
    int at_once = 0;
    cudaOccupancyMaxActiveBlocksPerMultiprocessor(&at_once, nullptr, (int)(b.x * b.y * b.z), shared);
    if (r.cooperative && (uint64_t)g.x * g.y * g.z > (uint64_t)at_once * multiprocessors)
        return refuse(s, 720,
                      "a cooperative launch of %llu blocks: all must run at the same time, and there is room for %d",
                      (unsigned long long)g.x * g.y * g.z, at_once * multiprocessors);
    return true;
}

}  // namespace simt

using namespace simt;

void simt_launch_bounds(const void *fn, unsigned threads) {
    std::lock_guard<std::recursive_mutex> guard(api_lock);
    if (threads)
        launch_bounds()[fn] = std::min(threads, (unsigned)max_block_threads);
    else
        launch_bounds().erase(fn);
}
