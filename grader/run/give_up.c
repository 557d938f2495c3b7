// give_up.c: the list, as filters of libseccomp.
#define _GNU_SOURCE
#include "give_up.h"

#include <errno.h>
#include <sched.h>
#include <stddef.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <unistd.h>

#include <seccomp.h>

// clang-format off
static const char *const given_up[] = {
    // programs and processes
    "execve", "execveat", "fork", "vfork",
    // other processes
    "ptrace", "process_vm_readv", "process_vm_writev", "process_madvise", "process_mrelease", "pidfd_open",
    "pidfd_getfd", "pidfd_send_signal", "kcmp", "kill", "tkill", "rt_sigqueueinfo", "rt_tgsigqueueinfo", "setpgid",
    "setsid", "setpriority",
    "sched_setscheduler", "sched_setparam", "sched_setattr", "ioprio_set", "migrate_pages", "move_pages",
    // the network, and what the kernel does on someone's behalf
    "socket", "socketpair", "connect", "bind", "listen", "accept", "accept4", "io_uring_setup", "io_uring_enter",
    "io_uring_register", "perf_event_open", "bpf", "userfaultfd", "fanotify_init", "add_key", "request_key", "keyctl",
    "uselib", "modify_ldt", "iopl", "ioperm",
    // other views of the system
    "unshare", "setns", "mount", "umount2", "pivot_root", "chroot", "open_tree", "move_mount", "fsopen", "fsmount",
    "fsconfig", "fspick", "mount_setattr", "name_to_handle_at", "open_by_handle_at", "quotactl", "swapon", "swapoff",
    "reboot", "kexec_load", "init_module", "finit_module", "delete_module", "syslog", "acct", "personality",
    "lookup_dcookie",
    "clock_settime", "clock_adjtime", "settimeofday", "adjtimex", "sethostname", "setdomainname", "vhangup",
    "landlock_create_ruleset", "cachestat", "setuid", "setgid", "setresuid", "setresgid", "setgroups", "capset",
};
// What CUDA's driver may ask for while it runs, and no stage on a processor does.
static const char *const given_up_later[] = {
    "memfd_create", "memfd_secret", "shmget", "shmat", "semget", "msgget", "mq_open", "remap_file_pages", "inotify_init",
    "inotify_init1", "signalfd", "signalfd4", "timer_create", "timerfd_create", "vmsplice", "splice", "tee", "arch_prctl",
    "set_tid_address", "seccomp",
};
// clang-format on

#define EXECUTABLE SCMP_A2(SCMP_CMP_MASKED_EQ, PROT_EXEC, PROT_EXEC)

static int forbid(scmp_filter_ctx filter, int error, int call, unsigned n, struct scmp_arg_cmp when) {
    return seccomp_rule_add(filter, SCMP_ACT_ERRNO(error), call, n, when) == 0;
}

static int forbid_names(scmp_filter_ctx filter, const char *const names[], size_t n) {
    for (size_t i = 0; i < n; i++) {
        const int number = seccomp_syscall_resolve_name(names[i]);
        if (number == __NR_SCMP_ERROR || number < 0) continue;  // not a call of this machine
        if (!forbid(filter, EPERM, number, 0, (struct scmp_arg_cmp){0})) return 0;
    }
    return 1;
}
#define FORBID(names) forbid_names(filter, names, sizeof names / sizeof *names)

static int forbid_calls(scmp_filter_ctx filter) {
    // Threads, but no processes. clone3 hides its flags in memory: without it the C library takes clone.
    return FORBID(given_up) &&
           forbid(filter, EPERM, SCMP_SYS(clone), 1, SCMP_A0(SCMP_CMP_MASKED_EQ, CLONE_THREAD, 0)) &&
           forbid(filter, ENOSYS, SCMP_SYS(clone3), 0, (struct scmp_arg_cmp){0}) &&
           // A thread may choose its own processors (clang's OpenMP ends the process if it cannot), but no other's.
           forbid(filter, EPERM, SCMP_SYS(sched_setaffinity), 1, SCMP_A0(SCMP_CMP_NE, 0)) &&
           // abort() and raise() send a signal to a thread of this process; to no other one.
           forbid(filter, EPERM, SCMP_SYS(tgkill), 1, SCMP_A0(SCMP_CMP_NE, (scmp_datum_t)getpid()));
}

// What is left of prctl names a thread.
static int forbid_code(scmp_filter_ctx filter) {
    return FORBID(given_up_later) && forbid(filter, EPERM, SCMP_SYS(mmap), 1, EXECUTABLE) &&
           forbid(filter, EPERM, SCMP_SYS(mprotect), 1, EXECUTABLE) &&
           forbid(filter, EPERM, SCMP_SYS(pkey_mprotect), 1, EXECUTABLE) &&
           forbid(filter, EPERM, SCMP_SYS(prctl), 1, SCMP_A0(SCMP_CMP_NE, PR_SET_NAME));
}

// A call by another system's numbers (32 bits, x32) would pass by the names above: it ends the process.
static int load(int (*rules)(scmp_filter_ctx filter)) {
    scmp_filter_ctx filter = seccomp_init(SCMP_ACT_ALLOW);
    const int ok = filter && seccomp_attr_set(filter, SCMP_FLTATR_ACT_BADARCH, SCMP_ACT_KILL_PROCESS) == 0 &&
                   rules(filter) && seccomp_load(filter) == 0;
    seccomp_release(filter);
    return ok;
}

int lab_give_up_calls(void) { return load(forbid_calls); }

int lab_give_up_new_code(void) { return load(forbid_code); }
