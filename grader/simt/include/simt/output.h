// output.h: printf, fprintf and the like, assert, malloc and free. By an assembler name each call goes to the runtime, which tells
// kernels from host code; std::printf and the like go the same way. In checked builds memcpy and memset too.
//
// The declarations stand before the C library's: the first one of a function names its symbol, for every compiler.
#ifndef SIMT_OUTPUT_H
#define SIMT_OUTPUT_H

struct _IO_FILE;

// GCC knows them with void * in place of FILE *; as they are here it makes no fwrite of an fprintf.
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wbuiltin-declaration-mismatch"
extern "C" {
int printf(const char *__restrict format, ...) __asm__("simt_printf");
int vprintf(const char *__restrict format, __builtin_va_list arguments) __asm__("simt_vprintf");
int puts(const char *text) __asm__("simt_puts");
int putchar(int c) __asm__("simt_putchar");
int fprintf(struct _IO_FILE *__restrict to, const char *__restrict format, ...) __asm__("simt_fprintf");
int vfprintf(struct _IO_FILE *__restrict to, const char *__restrict format,
             __builtin_va_list arguments) __asm__("simt_vfprintf");
int fputs(const char *__restrict text, struct _IO_FILE *__restrict to) __asm__("simt_fputs");
int fputc(int c, struct _IO_FILE *to) __asm__("simt_fputc");
int putc(int c, struct _IO_FILE *to) __asm__("simt_fputc");
__SIZE_TYPE__ fwrite(const void *__restrict from, __SIZE_TYPE__ size, __SIZE_TYPE__ n,
                     struct _IO_FILE *__restrict to) __asm__("simt_fwrite");
void *malloc(__SIZE_TYPE__ n) noexcept(true) __asm__("simt_malloc");
void free(void *p) noexcept(true) __asm__("simt_free");
void __assert_fail(const char *expression, const char *file, unsigned line,
                   const char *function) noexcept(true) __asm__("simt_assert_fail");
#ifdef SIMT_CHECKED
#define SIMT_SEEN(name) __asm__(#name)
#else
#define SIMT_SEEN(name)
#endif
void *memcpy(void *__restrict dst, const void *__restrict src, __SIZE_TYPE__ n) noexcept(true) SIMT_SEEN(simt_memcpy);
void *memmove(void *dst, const void *src, __SIZE_TYPE__ n) noexcept(true) SIMT_SEEN(simt_memmove);
void *memset(void *dst, int value, __SIZE_TYPE__ n) noexcept(true) SIMT_SEEN(simt_memset);
int memcmp(const void *p, const void *q, __SIZE_TYPE__ n) noexcept(true);
// The built-in ones, which std::copy calls, become moves where the length is a constant, after the compiler has put its
// calls of the checker in: nobody would see them. A header that still names one has been made to (rewrite/guest.c).
#define __builtin_memcpy memcpy
#define __builtin_memmove memmove
#define __builtin_memset memset
#define __builtin_memcmp memcmp
}

#pragma GCC diagnostic pop

// glibc's inline putchar would go around the runtime.
#include <features.h>
#undef __USE_EXTERN_INLINES

// Bessel functions, elliptic integrals and the like, which no kernel has, are a fifth of the work of a small file: not here.
#if defined(__cplusplus) && __has_include(<bits/c++config.h>)
#include <bits/c++config.h>
#undef _GLIBCXX_USE_STD_SPEC_FUNCS
#endif

#include <assert.h>
#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#endif
