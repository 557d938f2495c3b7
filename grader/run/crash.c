// crash.c: the runner's half, an async-signal-safe crash report.
#define _GNU_SOURCE
#include "crash.h"

#include <execinfo.h>
#include <link.h>
#include <signal.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <ucontext.h>
#include <unistd.h>

static int report_fd = 2;
static uintptr_t base, low, high;  // the stage in memory

static int find_module(struct dl_phdr_info *info, size_t size, void *path) {
    (void)size;
    if (strcmp(info->dlpi_name, path)) return 0;
    base = low = high = info->dlpi_addr;
    for (int i = 0; i < info->dlpi_phnum; i++)
        if (info->dlpi_phdr[i].p_type == PT_LOAD) {
            const uintptr_t end = base + info->dlpi_phdr[i].p_vaddr + info->dlpi_phdr[i].p_memsz;
            high = end > high ? end : high;
        }
    return 1;
}

void lab_crash_module(const char *path) { dl_iterate_phdr(find_module, (void *)path); }

static char *put_number(char *to, uintptr_t x, unsigned radix) {
    char digits[24];
    int n = 0;
    do digits[n++] = "0123456789abcdef"[x % radix];
    while ((x /= radix));
    while (n) *to++ = digits[--n];
    return to;
}

int lab_crash_in_stage(const void *code) { return (uintptr_t)code >= low && (uintptr_t)code < high; }

uint32_t lab_crash_nan_of(const void *code) {
    const uintptr_t offset = (uintptr_t)code - base - 1;
    return LAB_NAN | (lab_crash_in_stage(code) && offset <= LAB_NAN_PLACE ? (uint32_t)offset : 0);
}

int (*lab_crash_ask)(const void *address, int writes, lab_crash_memory *memory);

static uintptr_t stack_top, stack_limit;

// Below what the stack may take, and not further than an array reaches.
static int is_below_stack(const void *address) {
    const uintptr_t at = (uintptr_t)address, bottom = stack_top - stack_limit;
    return stack_limit && at < bottom + 65536 && at > bottom - ((uintptr_t)1 << 30);
}

static void note_stack(void) {
    struct rlimit limit;
    stack_top = (uintptr_t)&limit;
    if (getrlimit(RLIMIT_STACK, &limit) == 0 && limit.rlim_cur < (rlim_t)1 << 30) stack_limit = limit.rlim_cur;
}

// " kind writes caller size past" of what lay at the address, if somebody knows.
static char *put_memory(char *to, const void *address, int writes) {
    lab_crash_memory m;
    if (address && is_below_stack(address)) {
        *to++ = ' ';
        return put_number(to, LAB_MEMORY_STACK, 10);
    }
    if (!lab_crash_ask || !lab_crash_ask(address, writes, &m)) return to;
    const uintptr_t numbers[] = {m.kind, m.writes, (uintptr_t)m.caller - base - 1, m.size, m.past};
    for (size_t i = 0; i < sizeof numbers / sizeof *numbers; i++) {
        *to++ = ' ';
        to = put_number(to, numbers[i], i == 2 ? 16 : 10);
    }
    if (m.tensor) *to++ = ' ';
    for (const char *c = m.tensor; c && *c; c++) *to++ = *c;
    return to;
}

static void on_signal(int sig, siginfo_t *info, void *context) {
    void *frames[32];
    uintptr_t pc = 0;
    int writes = 0;
#if defined(__x86_64__)
    pc = ((ucontext_t *)context)->uc_mcontext.gregs[REG_RIP];
    writes = ((ucontext_t *)context)->uc_mcontext.gregs[REG_ERR] >> 1 & 1;
#elif defined(__aarch64__)
    pc = ((ucontext_t *)context)->uc_mcontext.pc;
#endif
    // The fault may lie in a library function that the stage called: take the innermost frame in the stage.
    if (!(pc >= low && pc < high)) {
        const int n = backtrace(frames, 32);
        for (int i = 0; i < n; i++)
            if ((uintptr_t)frames[i] >= low && (uintptr_t)frames[i] < high) {
                pc = (uintptr_t)frames[i] - 1;
                break;
            }
    }
    char line[256] = "\nLAB-CRASH ", *end = line + strlen(line);
    end = put_number(end, sig, 10);
    *end++ = ' ';
    end = put_number(end, pc >= low && pc < high ? pc - base : 0, 16);
    end = put_memory(end, sig == SIGSEGV || sig == SIGBUS ? info->si_addr : NULL, writes);
    *end++ = '\n';
    if (write(report_fd, line, end - line) < 0) _exit(1);
    signal(sig, SIG_DFL);
    raise(sig);
}

void lab_crash_report_to(int fd) {
    static char stack[64 << 10];
    void *warm_up[1];
    backtrace(warm_up, 1);  // loads libgcc now: a signal handler may not
    report_fd = fd;
    note_stack();
    const stack_t alternate = {.ss_sp = stack, .ss_size = sizeof stack};
    sigaltstack(&alternate, NULL);  // a stack overflow leaves no room on the ordinary one
    struct sigaction action = {.sa_sigaction = on_signal, .sa_flags = SA_SIGINFO | SA_ONSTACK | SA_RESETHAND};
    const int signals[] = {SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGABRT, SIGXCPU};
    for (size_t i = 0; i < sizeof signals / sizeof *signals; i++) sigaction(signals[i], &action, NULL);
}
