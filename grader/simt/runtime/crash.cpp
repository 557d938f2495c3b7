// crash.cpp: signals. A fault in a kernel becomes CUDA's error: the handler notes what and where, then returns onto the
// stack that run_block left, so that the fibers are dropped and the program goes on. A fault in host code that touched
// device memory gets an explanation, then takes its usual course.
#include "runtime.h"

#include <cerrno>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <pthread.h>
#include <ucontext.h>
#include <unistd.h>

namespace simt {

const int interrupt_signal = SIGURG;
static const int handled[] = {SIGSEGV, SIGBUS, SIGFPE, SIGILL};
static struct sigaction previous[NSIG];

#if defined(__x86_64__)
static uintptr_t register_pc(const ucontext_t *c) { return (uintptr_t)c->uc_mcontext.gregs[REG_RIP]; }
static uintptr_t register_sp(const ucontext_t *c) { return (uintptr_t)c->uc_mcontext.gregs[REG_RSP]; }
static uintptr_t frame_pointer(const ucontext_t *c) { return (uintptr_t)c->uc_mcontext.gregs[REG_RBP]; }
static uintptr_t caller_of_entry(const ucontext_t *c) {
    return *(const uintptr_t *)register_sp(c);
}  // just called: the return address
static void continue_at(ucontext_t *c, void *pc, void *sp) {
    c->uc_mcontext.gregs[REG_RIP] = (greg_t)pc;
    c->uc_mcontext.gregs[REG_RSP] = (greg_t)sp;
}
// The linker's jump into a library, [endbr64] [bnd] jmp *address: it has no line.
static bool in_stub(const ucontext_t *c) {
    const unsigned char *at = (const unsigned char *)register_pc(c);
    if (!memcmp(at, "\xf3\x0f\x1e\xfa", 4)) at += 4;
    at += *at == 0xf2;
    return at[0] == 0xff && at[1] == 0x25;
}
#else
static uintptr_t register_pc(const ucontext_t *c) { return c->uc_mcontext.pc; }
static uintptr_t register_sp(const ucontext_t *c) { return c->uc_mcontext.sp; }
static uintptr_t frame_pointer(const ucontext_t *c) { return c->uc_mcontext.regs[29]; }
static uintptr_t caller_of_entry(const ucontext_t *c) { return c->uc_mcontext.regs[30]; }
static void continue_at(ucontext_t *c, void *pc, void *sp) {
    c->uc_mcontext.pc = (uintptr_t)pc;
    c->uc_mcontext.sp = (uintptr_t)sp;
}
static bool in_stub(const ucontext_t *) { return false; }
#endif

// The student's frames: the interrupted one and its callers, along the frame pointers, within the fiber's stack.
static std::vector<const void *> user_frames(Worker &w, ucontext_t *context, bool wild_call = false) {
    std::vector<const void *> frames;
    uintptr_t pc = wild_call ? caller_of_entry(context) : register_pc(context) + 1, fp = frame_pointer(context);
    const char *top = w.stacks.low(w.fiber->thread) + stack_bytes;
    for (int depth = 0; depth < 64 && frames.size() < 4; depth++) {
        if (is_user_code((void *)(pc - 1))) frames.push_back((void *)pc);
        if (!w.stacks.contains((void *)fp) || (const char *)fp + 16 > top || fp % 8) break;
        const uintptr_t *frame = (const uintptr_t *)fp;
        pc = frame[1];
        if (!pc || frame[0] <= fp) break;
        fp = frame[0];
    }
    return frames;
}

// Makes the interrupted fiber continue where run_block waits.
static void leave_kernel(Worker &w, ucontext_t *context) {
    w.launch->stop.store(true);
    continue_at(context, (void *)&simt_switch_tail, w.main_sp);
}

static void note_fault(Worker &w, Fault fault) {
    fault.in_thread = true;
    fault.block = w.block_idx;
    fault.thread = w.fiber->idx;
    std::lock_guard<std::mutex> lock(w.launch->fault_lock);
    if (!w.launch->fault.error) w.launch->fault = std::move(fault);
}

static const char *memory_words(const char *a) {
    if (a < (const char *)65536) return "null pointer";
    if (was_freed(a)) return "use of device memory after cudaFree";
    if (in_device_space(a)) return "access outside of every device allocation";
    return "wild pointer";
}

// Which CUDA error this signal is, and in words.
static Fault classify(Worker &w, int signal, siginfo_t *info, uintptr_t pc) {
    Fault f;
    char *a = (char *)info->si_addr;
    char text[200];
    bool guard_page = w.stacks.contains(a) && (size_t)(a - w.stacks.low(w.stacks.owner(a))) < page_bytes;
    if (signal == SIGFPE) {
        f.error = 719;
        f.text = "integer division by zero (a GPU would go on with an arbitrary value)";
    } else if (signal == SIGILL) {
        f.error = 715;
        // Under clang++ an access outside of a local array, by -fsanitize=local-bounds, is one.
        f.text = "illegal instruction (an index outside of a local array, or the end of a function without return?)";
    } else if (guard_page && w.stacks.owner(a) == w.fiber->thread + 1) {  // stacks grow down: it is above this one
        f.error = 700;
        f.text = "an index past the end of a local array, beyond all of the thread's memory";
    } else if (guard_page) {
        f.error = 714;
        snprintf(text, sizeof text, "stack overflow: deep recursion, or local arrays over the %zu KB of a thread",
                 stack_bytes >> 10);
        f.text = text;
    } else if ((uintptr_t)a == pc) {
        f.error = 718;
        f.text = "call through a wild function pointer";
    } else if (info->si_code == SI_KERNEL || (signal == SIGBUS && info->si_code == BUS_ADRALN)) {
        f.error = 716;
        f.text = "misaligned vector access (float4 needs 16 bytes) or wild pointer";
    } else {
        f.error = 700;
        snprintf(text, sizeof text, "%s: address %p", memory_words(a), (void *)a);
        f.text = text;
    }
    return f;
}

static void kernel_fault(Worker &w, int signal, siginfo_t *info, ucontext_t *context) {
    uintptr_t pc = register_pc(context);
    Fault fault = classify(w, signal, info, pc);
    fault.pcs = user_frames(w, context, fault.error == 718);
    fault.reported = simt_hooks != nullptr;
    if (simt_hooks)
        simt_hooks->fault(info->si_addr, (void *)(fault.pcs.empty() ? pc : (uintptr_t)fault.pcs[0] - 1),
                          fault.text.c_str());
    bool must_exit = w.no_abandon > 0;
    note_fault(w, std::move(fault));
    if (must_exit) {  // it holds a lock of the runtime: the program cannot go on
        report(*w.launch);
        _exit(86);
    }
    leave_kernel(w, context);
}

// The student's line that host code stands in: the fault may lie in a function of the C library that it called.
static void *host_line(const ucontext_t *context) {
    const uintptr_t sp = register_sp(context), deepest = sp + (256 << 10);
    uintptr_t fp = frame_pointer(context);
    void *pc = (void *)(register_pc(context) + 1);
    if (is_user_code((char *)pc - 1)) return pc;
    if (is_user_code((void *)caller_of_entry(context))) return (void *)caller_of_entry(context);
    for (int depth = 0; depth < 16 && fp >= sp && fp < deepest && fp % 8 == 0; depth++) {
        const uintptr_t *frame = (const uintptr_t *)fp;
        if (is_user_code((void *)frame[1])) return (void *)frame[1];
        if (frame[0] <= fp) break;
        fp = frame[0];
    }
    return pc;
}

static void host_fault(int signal, siginfo_t *info, ucontext_t *context) {
    alarm(10);  // the lines below are not safe in a handler; if they hang, end
    if (signal == SIGSEGV && (in_device_space(info->si_addr) || in_variable_pages(info->si_addr))) {
        void *pc = host_line(context);
        static const char what[] = "the host touched device memory";
        static const char advice[] = "only kernels may: pass the pointer to one, or copy the data with cudaMemcpy";
        complain("error: %s%s at %s\n  %s", what, tensor_at(info->si_addr).c_str(), where(pc).c_str(), advice);
        if (has_guests()) _exit(86);
    }
    if (signal == SIGSEGV && !this_worker && is_runtime_code((void *)register_pc(context))) {
        void *caller = (void *)caller_of_entry(context);  // threadIdx and the like may have no frame of their own
        if (!is_user_code(caller)) caller = ((void **)frame_pointer(context))[1];
        complain("error: device code ran on the host at %s\n  a kernel was called as a function: launch it with "
                 "<<<grid, block>>>",
                 where(caller).c_str());
    }
    if (signal == SIGILL && simt_hooks && is_user_code((void *)register_pc(context)))
        complain("error: illegal instruction at %s\n  an index outside of an array, or the end of a function without "
                 "return?",
                 where((void *)(register_pc(context) + 1)).c_str());
    alarm(0);
    sigaction(signal, &previous[signal], nullptr);  // returning runs the instruction again, now with the old handler
}

static void on_signal(int signal, siginfo_t *info, void *argument) {
    int saved = errno;
    ucontext_t *context = (ucontext_t *)argument;
    Worker *w = this_worker;
    bool on_fiber =
        w && w->fiber && (w->stacks.contains((void *)register_sp(context)) || w->stacks.contains(info->si_addr));
    if (on_fiber)
        kernel_fault(*w, signal, info, context);
    else
        host_fault(signal, info, context);
    errno = saved;
}

// Another thread wants this one out of its kernel, and asks until it is out: obeyed only where no lock can be held.
static void on_interrupt(int, siginfo_t *, void *argument) {
    int saved = errno;
    ucontext_t *context = (ucontext_t *)argument;
    Worker *w = this_worker;
    if (w && w->fiber && w->launch && w->launch->stop.load() && w->no_abandon == 0 &&
        w->stacks.contains((void *)register_sp(context)) && is_user_code((void *)register_pc(context)) &&
        !in_stub(context)) {
        if (timed_out()) {
            Fault fault = timeout_fault();
            fault.pcs = user_frames(*w, context);
            note_fault(*w, std::move(fault));
        }
        leave_kernel(*w, context);
    }
    errno = saved;
}

// Once per process for the actions, once per OS thread for the stack they run on.
void install_handlers() {
    static thread_local bool done;
    if (done) return;
    done = true;
    stack_t stack{};
    stack.ss_size = 128 << 10;
    stack.ss_sp = malloc(stack.ss_size);
    stack_t old;
    if (sigaltstack(nullptr, &old) == 0 && (old.ss_flags & SS_DISABLE))
        sigaltstack(&stack, nullptr);
    else
        free(stack.ss_sp);
    static std::once_flag once;
    std::call_once(once, [] {
        is_user_code((void *)&on_signal);  // its look-ups are made now, not in a handler
        struct sigaction action {};
        sigemptyset(&action.sa_mask);
        action.sa_flags = SA_SIGINFO | SA_ONSTACK | SA_RESTART;
        action.sa_sigaction = on_signal;
        for (int s : handled) sigaction(s, &action, &previous[s]);
        action.sa_sigaction = on_interrupt;
        sigaction(interrupt_signal, &action, nullptr);
    });
}

void interrupt(Worker &w) {
    if (w.has_thread) pthread_kill((pthread_t)w.pthread, interrupt_signal);
}

}  // namespace simt
