// intrinsics.h: what the device-side headers (include/simt/*.h, mma.h, cooperative_groups.h) call. Plain C.
//
// Every one of these is called from an always_inline wrapper, so that its return address is a line of the student's.
#ifndef SIMT_INTRINSICS_H
#define SIMT_INTRINSICS_H

#include <stddef.h>
#include <stdint.h>

#include "abi.h"

#ifdef __cplusplus
extern "C" {
#endif

// __syncthreads, and with the count, the conjunction or the disjunction of the threads' predicates.
void simt_syncthreads(void);
typedef enum { SIMT_SYNC_COUNT, SIMT_SYNC_AND, SIMT_SYNC_OR } simt_sync_op;
int simt_syncthreads_op(simt_sync_op op, int predicate);

// Warp collectives. value: up to 8 bytes, as bits. argument: source lane, delta or lane mask. width: 1, 2, 4, ... 32.
// MATCH_ALL returns the mask in the low half and the predicate in bit 32.
typedef enum {
    SIMT_SYNCWARP,
    SIMT_SHFL,
    SIMT_SHFL_UP,
    SIMT_SHFL_DOWN,
    SIMT_SHFL_XOR,
    SIMT_BALLOT,
    SIMT_MATCH_ANY,
    SIMT_MATCH_ALL,
    SIMT_REDUCE_ADD,
    SIMT_REDUCE_MIN_S,
    SIMT_REDUCE_MAX_S,
    SIMT_REDUCE_MIN_U,
    SIMT_REDUCE_MAX_U,
    SIMT_REDUCE_AND,
    SIMT_REDUCE_OR,
    SIMT_REDUCE_XOR,
    SIMT_WMMA,
    SIMT_TOGETHER,  // an instruction of inline PTX, see ptx/together.h
} simt_warp_op;
uint64_t simt_warp(simt_warp_op op, uint32_t mask, uint64_t value, int argument, int width);
// The lanes that wait at this line once no lane of the warp can run on without it. (The line, not the return address: a
// compiler may make several copies of one call.)
uint32_t simt_activemask(const char *file, int line);

// Atomics: one access, whatever the type; values as bits in the low part of 64.
typedef enum {
    SIMT_ATOMIC_ADD,
    SIMT_ATOMIC_MIN,
    SIMT_ATOMIC_MAX,
    SIMT_ATOMIC_EXCH,
    SIMT_ATOMIC_CAS,
    SIMT_ATOMIC_AND,
    SIMT_ATOMIC_OR,
    SIMT_ATOMIC_XOR,
    SIMT_ATOMIC_INC,
    SIMT_ATOMIC_DEC
} simt_atomic_op;
typedef enum {
    SIMT_I32,
    SIMT_U32,
    SIMT_I64,
    SIMT_U64,
    SIMT_F32,
    SIMT_F64,
    SIMT_U16,
    SIMT_F16,
    SIMT_BF16,
    SIMT_F16X2,
    SIMT_BF16X2,
    SIMT_TF32,
    SIMT_S8,
    SIMT_U8
} simt_type;
uint64_t simt_atomic(simt_atomic_op op, simt_type type, void *p, uint64_t value, uint64_t compare);
void simt_fence(int scope);  // 0 block, 1 device, 2 system

// cp.async: n is 4, 8 or 16; the last zero_fill of them are written as zero and not read.
void simt_async_copy(void *dst, const void *src, size_t n, size_t zero_fill);
void simt_async_commit(void);
void simt_async_wait(unsigned newest_groups_left);

// wmma (wmma.cpp): each lane owns a 32nd of a tile, row by row: of 16 x 16 elements row lane / 2, columns 8 (lane % 2) ...
typedef struct {
    simt_type type;
    int rows, columns, column_major;  // in memory
} simt_wmma_tile;
void simt_wmma_load(void *elements, const void *p, unsigned ld, simt_wmma_tile tile);
void simt_wmma_store(void *p, const void *elements, unsigned ld, simt_wmma_tile tile);
typedef struct {
    void *d;
    const void *a, *b, *c;  // this lane's elements
    simt_type type_a, type_b, type_c, type_d;
    int m, n, k, saturate;
} simt_wmma_operands;
void simt_wmma_mma(const simt_wmma_operands *mine);

// Where a pointer points: 1 global, 2 shared, 3 local, 4 constant, 0 none of them.
int simt_address_space(const void *p);

// gang.cpp: the barriers of the cluster (grid 0) and of the grid (1); other blocks' shared memory.
void simt_wide_arrive(int grid);
void simt_wide_wait(int grid);
int simt_is_cooperative(void);
uint32_t simt_cluster_rank(void);
simt_uint3 simt_cluster_dim(void);
void *simt_map_shared(void *p, uint32_t rank);
int simt_rank_of_shared(const void *p);

// Shared memory as instructions see it, a window of 32-bit addresses (ptx/window.cpp).
uint32_t simt_shared_address(const void *p);
void *simt_shared_pointer(uint32_t address);

void simt_returns(void);  // checked mode: this thread leaves its kernel by a return, not at the end
int simt_on_device(void) __attribute__((const));  // is this a kernel's thread? A function does not change sides

void simt_nanosleep(unsigned ns);
long long simt_clock(void);                 // cycles of a 1.98 GHz clock
unsigned long long simt_globaltimer(void);  // ns
void simt_trap(void) __attribute__((noreturn));

// What printf, assert, malloc and free become in a .cu file: inside a kernel CUDA's, elsewhere the C library's.
int simt_printf(const char *format, ...) __attribute__((format(printf, 1, 2)));
int simt_vprintf(const char *format, __builtin_va_list arguments);
int simt_puts(const char *text);
int simt_putchar(int c);
int simt_vfprintf(struct _IO_FILE *to, const char *format, __builtin_va_list arguments);
int simt_fprintf(struct _IO_FILE *to, const char *format, ...) __attribute__((format(printf, 2, 3)));
int simt_fputs(const char *text, struct _IO_FILE *to);
int simt_fputc(int c, struct _IO_FILE *to);
size_t simt_fwrite(const void *from, size_t size, size_t n, struct _IO_FILE *to);
void simt_assert_fail(const char *expression, const char *file, unsigned line, const char *function)
    __attribute__((noreturn));
void *simt_malloc(size_t n);
void simt_free(void *p);
void *simt_new(size_t n);
void *simt_new_array(size_t n);
void simt_delete(void *p);
void simt_delete_sized(void *p, size_t n);
void simt_delete_array(void *p);
void simt_delete_array_sized(void *p, size_t n);
void *simt_memcpy(void *dst, const void *src, size_t n);
void *simt_memmove(void *dst, const void *src, size_t n);
void *simt_memset(void *dst, int value, size_t n);

#ifdef __cplusplus
}
#endif
#endif
