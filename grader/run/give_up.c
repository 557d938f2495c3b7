// give_up.c: the list, as a filter of libseccomp.
#define _GNU_SOURCE
#include "give_up.h"

#include <errno.h>
#include <sched.h>
#include <stddef.h>
#include <unistd.h>

#include <seccomp.h>

// clang-format off
static const char *const given_up[] = {
    // other processes
    "ptrace", "process_vm_readv", "process_vm_writev", "process_madvise", "pidfd_open", "pidfd_getfd",
    "pidfd_send_signal", "kill", "tkill", "rt_sigqueueinfo", "rt_tgsigqueueinfo", "setpgid", "setsid", "setpriority",
    "sched_setscheduler", "sched_setattr",
    // the network, and what the kernel does on someone's behalf
    "socket", "connect", "bind", "listen", "accept", "accept4", "io_uring_setup", "io_uring_enter",
    "io_uring_register", "perf_event_open", "bpf", "userfaultfd", "fanotify_init", "add_key", "request_key", "keyctl",
    // other views of the system
    "unshare", "setns", "mount", "umount2", "pivot_root", "chroot", "open_tree", "move_mount", "fsopen", "fsmount",
    "name_to_handle_at", "open_by_handle_at", "quotactl", "swapon", "reboot", "kexec_load", "init_module",
    "finit_module", "syslog", "acct", "personality",
};
static const char *const programs[] = {"execve", "execveat", "fork", "vfork", "socketpair"};
// clang-format on

static int forbid_all(scmp_filter_ctx filter, const char *const names[], size_t n) {
    for (size_t i = 0; i < n; i++) {
        const int number = seccomp_syscall_resolve_name(names[i]);
        if (number == __NR_SCMP_ERROR) continue;  // not a call of this machine
        if (seccomp_rule_add(filter, SCMP_ACT_ERRNO(EPERM), number, 0)) return 0;
    }
    return 1;
}

// Threads, but no processes. clone3 hides its flags in memory: without it the C library takes clone.
static int forbid_programs(scmp_filter_ctx filter) {
    return forbid_all(filter, programs, sizeof programs / sizeof *programs) &&
           seccomp_rule_add(filter, SCMP_ACT_ERRNO(EPERM), SCMP_SYS(clone), 1,
                            SCMP_A0(SCMP_CMP_MASKED_EQ, CLONE_THREAD, 0)) == 0 &&
           seccomp_rule_add(filter, SCMP_ACT_ERRNO(ENOSYS), SCMP_SYS(clone3), 0) == 0;
}

static int forbid(scmp_filter_ctx filter) {
    if (!forbid_all(filter, given_up, sizeof given_up / sizeof *given_up)) return 0;
    // A thread may choose its own processors (clang's OpenMP ends the process if it cannot), but no other's.
    if (seccomp_rule_add(filter, SCMP_ACT_ERRNO(EPERM), SCMP_SYS(sched_setaffinity), 1, SCMP_A0(SCMP_CMP_NE, 0)))
        return 0;
    // abort() and raise() send a signal to a thread of this process; to no other one.
    return seccomp_rule_add(filter, SCMP_ACT_ERRNO(EPERM), SCMP_SYS(tgkill), 1,
                            SCMP_A0(SCMP_CMP_NE, (scmp_datum_t)getpid())) == 0;
}

int lab_give_up_calls(int programs_too) {
    scmp_filter_ctx filter = seccomp_init(SCMP_ACT_ALLOW);
    const int ok = filter && forbid(filter) && (!programs_too || forbid_programs(filter)) && seccomp_load(filter) == 0;
    seccomp_release(filter);
    return ok;
}
