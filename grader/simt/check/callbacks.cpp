// callbacks.cpp: what the compiler's instrumentation calls. Student code is compiled with -fsanitize=thread and
// -fsanitize=bounds but linked with these functions in place of the sanitizers' runtimes.
#include "check.h"
#include "order.h"
#include "quiet.h"

#include <cstring>

using namespace check;

#define PC __builtin_return_address(0)

namespace check {
void report_index(const char *file, uint32_t line, const char *type, long index, const void *pc,
                  const char *function = nullptr);
void report_local(const char *file, uint32_t line, Kind kind, const void *pc);  // bounds.cpp
}  // namespace check

extern "C" {

#define QUICK_READ_WRITE(N)                                                                                            \
    void __tsan_read##N(void *p) {                                                                                     \
        if (!quiet_access<N, LOAD>((uintptr_t)p, PC)) access((uintptr_t)p, N, LOAD, ALIGNED, PC);                      \
    }                                                                                                                  \
    void __tsan_write##N(void *p) {                                                                                    \
        if (!quiet_access<N, STORE>((uintptr_t)p, PC)) access((uintptr_t)p, N, STORE, ALIGNED, PC);                    \
    }
QUICK_READ_WRITE(4)
QUICK_READ_WRITE(8)
void __tsan_read16(void *p) {
    if (!quiet_access<16, LOAD>((uintptr_t)p, PC)) access((uintptr_t)p, 16, LOAD, ALIGNED, PC);
}
void __tsan_write16(void *p) {
    if (!quiet_access<16, STORE>((uintptr_t)p, PC)) return access((uintptr_t)p, 16, STORE, ALIGNED, PC);
    struct_stored = {PC, (uintptr_t)p, 16, run.id()};
}

#define READ_WRITE(N, NAME, FLAGS)                                                                                     \
    void __tsan_##NAME##read##N(void *p) { access((uintptr_t)p, N, LOAD, FLAGS, PC); }                                 \
    void __tsan_##NAME##write##N(void *p) { access((uintptr_t)p, N, STORE, FLAGS, PC); }
#define BOTH(N, NAME, FLAGS)                                                                                           \
    void __tsan_##NAME##read_write##N(void *p) {                                                                       \
        access((uintptr_t)p, N, LOAD, FLAGS, PC);                                                                      \
        access((uintptr_t)p, N, STORE, FLAGS, PC);                                                                     \
    }
READ_WRITE(1, , ALIGNED)
READ_WRITE(2, , ALIGNED)
#define ALL_OTHERS(N)                                                                                                  \
    READ_WRITE(N, volatile_, ALIGNED | VOLATILE)                                                                       \
    READ_WRITE(N, unaligned_, PLAIN)                                                                                   \
    READ_WRITE(N, unaligned_volatile_, VOLATILE)                                                                       \
    BOTH(N, , ALIGNED)                                                                                                 \
    BOTH(N, unaligned_, PLAIN)
ALL_OTHERS(1)
ALL_OTHERS(2)
ALL_OTHERS(4)
ALL_OTHERS(8)
ALL_OTHERS(16)

void __tsan_read_range(void *p, size_t n) { access((uintptr_t)p, n, LOAD, PLAIN, PC); }
void __tsan_write_range(void *p, size_t n) { access((uintptr_t)p, n, STORE, PLAIN, PC); }
void __tsan_init(void) {}
void __tsan_func_entry(void *) {}
void __tsan_func_exit(void) {}
void __tsan_vptr_update(void **p, void *) { access((uintptr_t)p, sizeof *p, STORE, ALIGNED, PC); }
void __tsan_vptr_read(void **) {}
void __tsan_atomic_thread_fence(int) {
    if (check::in_kernel) fence(run.thread, 1);
}
void __tsan_atomic_signal_fence(int) {}

// std::atomic and __atomic builtins. A release order is a fence before the access.
#define AT(p, T, order)                                                                                                \
    do {                                                                                                               \
        if (check::in_kernel && (order) >= __ATOMIC_RELEASE) fence(run.thread, 1);                                     \
        access((uintptr_t)(p), sizeof(T), ATOMIC, ALIGNED, PC);                                                        \
    } while (0)
#define FETCH(N, T, OP)                                                                                                \
    T __tsan_atomic##N##_fetch_##OP(volatile T *p, T v, int order) {                                                   \
        AT(p, T, order);                                                                                               \
        return __atomic_fetch_##OP(p, v, __ATOMIC_SEQ_CST);                                                            \
    }
#define CAS(N, T, STRENGTH)                                                                                            \
    int __tsan_atomic##N##_compare_exchange_##STRENGTH(volatile T *p, T *expected, T v, int order, int) {              \
        if (check::in_kernel) forgive_reads((uintptr_t)p, sizeof(T));                                                  \
        AT(p, T, order);                                                                                               \
        return __atomic_compare_exchange_n(p, expected, v, 0, __ATOMIC_SEQ_CST, __ATOMIC_SEQ_CST);                     \
    }
#define ATOMICS(N, T)                                                                                                  \
    T __tsan_atomic##N##_load(const volatile T *p, int order) {                                                        \
        (void)order;                                                                                                   \
        access((uintptr_t)p, sizeof(T), LOAD, ALIGNED | STRONG, PC);                                                   \
        return __atomic_load_n(p, __ATOMIC_SEQ_CST);                                                                   \
    }                                                                                                                  \
    void __tsan_atomic##N##_store(volatile T *p, T v, int order) {                                                     \
        if (check::in_kernel && (order) >= __ATOMIC_RELEASE) fence(run.thread, 1);                                     \
        access((uintptr_t)p, sizeof(T), STORE, ALIGNED | STRONG, PC);                                                  \
        __atomic_store_n(p, v, __ATOMIC_SEQ_CST);                                                                      \
    }                                                                                                                  \
    T __tsan_atomic##N##_exchange(volatile T *p, T v, int order) {                                                     \
        AT(p, T, order);                                                                                               \
        return __atomic_exchange_n(p, v, __ATOMIC_SEQ_CST);                                                            \
    }                                                                                                                  \
    FETCH(N, T, add)                                                                                                   \
    FETCH(N, T, sub)                                                                                                   \
    FETCH(N, T, and) FETCH(N, T, or) FETCH(N, T, xor) FETCH(N, T, nand) CAS(N, T, strong) CAS(N, T, weak)
ATOMICS(8, uint8_t)
ATOMICS(16, uint16_t)
ATOMICS(32, uint32_t)
ATOMICS(64, uint64_t)

// -fsanitize=bounds: the layout of its arguments is the sanitizer's ABI.
typedef struct {
    const char *file;
    uint32_t line, column;
} ubsan_location;
typedef struct {
    uint16_t kind, info;
    char name[];
} ubsan_type;
typedef struct {
    ubsan_location at;
    ubsan_type *array, *index;
} ubsan_out_of_bounds;

// info: bit 0: the type is signed; above it: log2 of its width in bits.
static void out_of_bounds(const ubsan_out_of_bounds *d, uintptr_t index, const void *pc) {
    bool narrow = d->index->info >> 1 <= 5, is_signed = d->index->info & 1;
    long i = narrow ? is_signed ? (long)(int)index : (long)(unsigned)index : (long)index;
    report_index(d->at.file, d->at.line, d->array->name, i, pc);
}
void __ubsan_handle_out_of_bounds(ubsan_out_of_bounds *d, uintptr_t i) { out_of_bounds(d, i, PC); }
// include/simt/shown.h: type is "const char* simt::pretty_type() [with T = Row]".
void simt_index_outside(const char *file, int line, const char *function, const char *type, size_t elements,
                        long index) {
    const char *name = strstr(type, "T = "), *end = name ? strrchr(name, ']') : nullptr;
    std::string array = end ? std::string(name + 4, end) : "array";
    report_index(file, (uint32_t)line, (array + " [" + std::to_string(elements) + "]").c_str(), index, PC, function);
}
void __ubsan_handle_out_of_bounds_abort(ubsan_out_of_bounds *d, uintptr_t i) { out_of_bounds(d, i, PC); }

// -fsanitize=object-size: an access through a pointer whose object the compiler knows, and that is not inside of it. Objects that are
// no local ones have a shadow, which tells more.
typedef struct {
    ubsan_location at;
    ubsan_type *type;
    uint8_t log_alignment, kind;  // 0: a load, 1: a store
} ubsan_mismatch;
static void outside_object(const ubsan_mismatch *d, uintptr_t a, const void *pc) {
    if (in_kernel && a - run.stack_lo < run.stack_size)
        report_local(d->at.file, d->at.line, d->kind == 1 ? STORE : LOAD, pc);
}
void __ubsan_handle_type_mismatch_v1(ubsan_mismatch *d, uintptr_t a) { outside_object(d, a, PC); }
void __ubsan_handle_type_mismatch_v1_abort(ubsan_mismatch *d, uintptr_t a) { outside_object(d, a, PC); }
}
