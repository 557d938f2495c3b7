// printf.cpp: printf, assert, malloc and memcpy as kernels call them. The headers redirect the names here; outside of a
// kernel they are the C library's.
//
// What a kernel prints is kept per block and comes out on stdout when the kernel ends, blocks in order; beyond SIMT_PRINTF
// bytes it is counted, not kept.
#include "api.h"

#include <algorithm>
#include <cassert>
#include <cstdarg>
#include <cstdio>
#include <cstdlib>
#include <cstring>

namespace simt {

// Output of the running launch: per worker, chunks with their block's number.
struct Chunk {
    uint64_t block;
    std::string text;
};
static std::mutex chunks_lock;
static std::vector<Chunk> &chunks() {
    static auto *list = new std::vector<Chunk>;
    return *list;
}
static std::atomic<size_t> kept_bytes, dropped_lines;

static void collect(Worker &w) {
    if (w.output.empty()) return;
    std::lock_guard<std::mutex> guard(chunks_lock);
    chunks().push_back({w.output_block, w.output});
    w.output.clear();
}

void output_begin_block(Worker &w, uint64_t block) {
    collect(w);
    w.output_block = block;
}

void output_flush(Launch &launch, Worker *const *workers, int count) {
    for (int i = 0; i < count; i++) collect(*workers[i]);
    auto &list = chunks();
    std::stable_sort(list.begin(), list.end(), [](const Chunk &a, const Chunk &b) { return a.block < b.block; });
    for (const Chunk &c : list) fwrite(c.text.data(), 1, c.text.size(), stdout);
    if (!list.empty()) fflush(stdout);
    list.clear();
    if (dropped_lines)
        complain(
            "kernel %s printed more than %zu bytes: %zu more printf calls are not shown (SIMT_PRINTF sets the limit)",
            launch.info.site->kernel, config().printf_limit, (size_t)dropped_lines);
    kept_bytes = dropped_lines = 0;
}

// The limit was met before: nothing need be formatted. A guest that prints so much is ended.
static bool is_full() {
    if (kept_bytes <= config().printf_limit) return false;
    dropped_lines++;
    return true;
}

static int print(Worker &w, const char *text, size_t n) {
    if (kept_bytes.fetch_add(n) + n > config().printf_limit) {
        if (has_guests())
            end_guest(nullptr, "a kernel printed more than %zu KiB: a stage never prints", config().printf_limit >> 10);
        dropped_lines++;
        return (int)n;
    }
    w.no_abandon = w.no_abandon + 1;  // std::string may hold malloc's lock
    w.output.append(text, n);
    w.no_abandon = w.no_abandon - 1;
    return (int)n;
}

// %n writes.
static bool counts_characters(const char *format) {
    for (const char *p = format; (p = strchr(p, '%')); p += *p != 0) {
        p += 1 + strspn(p + 1, "0123456789.-+ #'*$hlLqjzt");
        if (*p == 'n') return true;
    }
    return false;
}

static int print_formatted(Worker &w, const char *format, va_list arguments) {
    if (is_full()) return 0;
    if (has_guests() && counts_characters(format))
        stop_kernel(719, __builtin_return_address(0), "printf with %%n, which CUDA does not have");
    char text[2048];
    int n = vsnprintf(text, sizeof text, format, arguments);
    return n < 0 ? n : print(w, text, std::min<size_t>((size_t)n, sizeof text - 1));
}

// Kernels' malloc: device memory, as much as cudaLimitMallocHeapSize.
static std::atomic<size_t> heap_used;

}  // namespace simt

using namespace simt;

int simt_vprintf(const char *format, va_list arguments) {
    if (in_kernel()) return print_formatted(*this_worker, format, arguments);
    if (has_guests() && counts_characters(format)) end_guest(nullptr, "printf with %%n writes to memory");
    return vprintf(format, arguments);
}

int simt_printf(const char *format, ...) {
    va_list arguments;
    va_start(arguments, format);
    int n = simt_vprintf(format, arguments);
    va_end(arguments);
    return n;
}

int simt_puts(const char *text) { return in_kernel() ? simt_printf("%s\n", text) : puts(text); }

int simt_putchar(int c) {
    char text[1] = {(char)c};
    return in_kernel() ? (print(*this_worker, text, 1), c) : putchar(c);
}

// A FILE is a struct: one of a guest's own making would take what a kernel writes, and nobody counts that.
static void refuse_in_kernel() {
    if (has_guests() && in_kernel())
        stop_kernel(719, __builtin_return_address(0), "a stream of C in a kernel, which has printf alone");
}

int simt_vfprintf(FILE *to, const char *format, va_list arguments) {
    refuse_in_kernel();
    if (has_guests() && counts_characters(format)) end_guest(nullptr, "printf with %%n writes to memory");
    return vfprintf(to, format, arguments);
}

int simt_fprintf(FILE *to, const char *format, ...) {
    va_list arguments;
    va_start(arguments, format);
    int n = simt_vfprintf(to, format, arguments);
    va_end(arguments);
    return n;
}

int simt_fputs(const char *text, FILE *to) { return refuse_in_kernel(), fputs(text, to); }
int simt_fputc(int c, FILE *to) { return refuse_in_kernel(), fputc(c, to); }
size_t simt_fwrite(const void *from, size_t size, size_t n, FILE *to) {
    return refuse_in_kernel(), fwrite(from, size, n, to);
}

void simt_assert_fail(const char *expression, const char *file, unsigned line, const char *function) {
    if (!in_kernel()) __assert_fail(expression, file, line, function);
    Worker &w = *this_worker;
    const simt_uint3 &b = w.block_idx, &t = w.fiber->idx;
    fprintf(stderr, "%s:%u: %s: block: [%u,%u,%u], thread: [%u,%u,%u] Assertion `%s` failed.\n", file, line, function,
            b.x, b.y, b.z, t.x, t.y, t.z, expression);
    stop_kernel(710, __builtin_return_address(0), "assertion `%s` failed", expression);
}

static void *from_heap(size_t n, const void *pc) {
    Worker &w = *this_worker;
    if (n == 0 || heap_used.fetch_add(n) + n > device_heap_limit()) {
        heap_used -= n;
        return nullptr;
    }
    w.no_abandon = w.no_abandon + 1;
    void *p = device_allocate(n, MemoryKind::device, pc);
    w.no_abandon = w.no_abandon - 1;
    return p;
}

void *simt_malloc(size_t n) { return in_kernel() ? from_heap(n, __builtin_return_address(0)) : malloc(n); }

// Checked builds redirect operator new and delete here; others take host memory, which does no harm unseen.
void *simt_new(size_t n) { return in_kernel() ? from_heap(n, __builtin_return_address(0)) : operator new(n); }
void *simt_new_array(size_t n) { return in_kernel() ? from_heap(n, __builtin_return_address(0)) : operator new(n); }
void simt_delete(void *p) { in_device_space(p) ? simt_free(p) : operator delete(p); }
void simt_delete_sized(void *p, size_t) { simt_delete(p); }
void simt_delete_array(void *p) { simt_delete(p); }
void simt_delete_array_sized(void *p, size_t) { simt_delete(p); }

void simt_free(void *p) {
    if (!in_device_space(p)) return free(p);
    Worker *w = in_kernel() ? this_worker : nullptr;
    if (w) w->no_abandon = w->no_abandon + 1;
    {
        std::lock_guard<std::recursive_mutex> guard(memory_lock);
        const Allocation *a = find_allocation(p);
        if (w && a)
            heap_used -= a->size, device_release(p, MemoryKind::device, __builtin_return_address(0));
        else
            complain("free(%p): %s", p,
                     a ? "device memory that host code cannot free with free()" : "no device allocation");
    }
    if (w) w->no_abandon = w->no_abandon - 1;
}

// Instrumentation does not see inside of these; checked builds redirect them here.
static void seen(const void *p, size_t n, simt_access_kind kind, const void *pc) {
    if (simt_hooks && n) simt_hooks->move(p, n, kind, pc);
}

void *simt_memcpy(void *dst, const void *src, size_t n) {
    seen(src, n, SIMT_LOAD, __builtin_return_address(0));
    seen(dst, n, SIMT_STORE, __builtin_return_address(0));
    return memcpy(dst, src, n);
}

void *simt_memmove(void *dst, const void *src, size_t n) {
    seen(src, n, SIMT_LOAD, __builtin_return_address(0));
    seen(dst, n, SIMT_STORE, __builtin_return_address(0));
    return memmove(dst, src, n);
}

void *simt_memset(void *dst, int value, size_t n) {
    seen(dst, n, SIMT_STORE, __builtin_return_address(0));
    return memset(dst, value, n);
}
