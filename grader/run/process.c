// process.c: fork, exec, poll, reap.
#define _GNU_SOURCE
#include "process.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <math.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "child.h"
#include "protocol.h"

double lab_now(void) {
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return t.tv_sec + 1e-9 * t.tv_nsec;
}

// The child between fork and exec: its ends of the pipes become 0 .. 5, everything else closes.
static void become(const lab_process *p, char *const argv[], const lab_limits *limits, int go, int done, int log) {
    if (!lab_child_ends_with_parent()) _exit(126);  // no runner outlives its checker
    const int null = open("/dev/null", O_RDONLY);
    const int wanted[] = {null, log, log, go, done, limits->arena};
    const int n = limits->arena >= 0 ? 6 : 3;
    int high[6];
    for (int i = 0; i < n; i++)  // first out of the way, so that no dup2 overwrites a descriptor still to be moved
        if ((high[i] = fcntl(wanted[i], F_DUPFD, 16)) < 0) _exit(126);
    for (int i = 0; i < n; i++)
        if (dup2(high[i], i) < 0) _exit(126);
    if (limits->threads > 0) {
        char threads[16];
        snprintf(threads, sizeof threads, "%d", limits->threads);
        setenv("OMP_NUM_THREADS", threads, 1);
        setenv("OMP_THREAD_LIMIT", threads, 1);  // sixty threads would get more of a busy machine than a baseline's two
        setenv("OPENBLAS_NUM_THREADS", threads, 1);
    }
    setpgid(0, 0);
    lab_cgroup_enter(&p->group);
    signal(SIGPIPE, SIG_DFL);
    if (limits->directory && chdir(limits->directory)) _exit(126);
    if (!lab_limits_enter(limits)) _exit(126);
    if (limits->sandbox)
        lab_sandbox_exec(limits->sandbox, argv);
    else
        execvp(argv[0], argv);
    dprintf(STDERR_FILENO, "cannot run %s: %s\n", argv[0], strerror(errno));
    _exit(127);
}

int lab_process_start(lab_process *p, char *const argv[], const lab_limits *limits) {
    int go[2] = {-1, -1}, done[2] = {-1, -1}, log[2] = {-1, -1};
    memset(p, 0, sizeof *p);
    p->go = p->done = p->log = -1;
    signal(SIGPIPE, SIG_IGN);
    lab_slowness();  // known before the child asks for it
    if (pipe2(log, O_CLOEXEC)) return 0;
    if (limits->arena >= 0 && (pipe2(go, O_CLOEXEC) || pipe2(done, O_CLOEXEC))) return 0;
    const size_t memory = limits->data_bytes ? limits->data_bytes : lab_limits_memory(0);
    if (limits->sandbox) lab_cgroup_open(&p->group, memory, lab_limits_threads());
    fflush(NULL);
    p->pid = limits->sandbox ? lab_child_apart() : lab_child();
    if (p->pid < 0) return p->pid = 0;
    if (p->pid == 0) become(p, argv, limits, go[0], done[1], log[1]);
    setpgid(p->pid, p->pid);
    close(log[1]);
    if (limits->arena >= 0) close(go[0]), close(done[1]);
    p->sandboxed = limits->sandbox != NULL;
    p->go = go[1], p->done = done[0], p->log = log[0];
    fcntl(p->log, F_SETFL, O_NONBLOCK);
    return 1;
}

// Takes what there is in the log pipe. Returns 0 at its end.
static int drain_log(lab_process *p) {
    char buffer[4096];
    ssize_t n;
    while ((n = read(p->log, buffer, sizeof buffer)) > 0) {
        const size_t room = LAB_LOG_KEPT - p->kept, take = (size_t)n < room ? (size_t)n : room;
        memcpy(p->text + p->kept, buffer, take);
        p->kept += take;
        p->text[p->kept] = 0;
        p->total += n;
        if (p->total > LAB_LOG_LIMIT) return 1;
    }
    return n != 0;
}

static void reap(lab_process *p, int status) {
    kill(-p->pid, SIGKILL);  // children that it left behind in its group
    p->pid = 0;
    p->ran_out = lab_cgroup_ran_out(&p->group);
    p->exit_status = WIFEXITED(status) ? WEXITSTATUS(status) : -1;
    p->signal_number = WIFSIGNALED(status) ? WTERMSIG(status) : 0;
    if (p->sandboxed && p->exit_status > 128 && p->exit_status <= 128 + SIGRTMAX)
        p->signal_number = p->exit_status - 128, p->exit_status = -1;
}

// A second is enough for a program to end or to answer a signal, if it gets a processor: on a busy machine it is given ten.
enum { LOOKS = 200, MOST_LOOKS = 10 * LOOKS };  // of 5 ms
static const double ENOUGH = 1;

static int has_had_time(pid_t pid, double before, int looks) {
    lab_usage now;
    if (looks < LOOKS || looks >= MOST_LOOKS) return looks >= MOST_LOOKS;
    lab_usage_read(pid, &now);
    return now.total - before > ENOUGH || now.wants + now.on_disk == 0;
}

static double total_of(pid_t pid) {
    lab_usage now;
    lab_usage_read(pid, &now);
    return now.total;
}

// The answer pipe is closed: the program is ending, or closed it itself. Wait a little for its exit status.
static lab_event ended(lab_process *p) {
    const double before = total_of(p->pid);
    int status = 0;
    for (int i = 0; !has_had_time(p->pid, before, i); i++) {
        if (waitpid(p->pid, &status, WNOHANG) == p->pid) {
            reap(p, status);
            if (p->log >= 0) drain_log(p);
            return p->signal_number ? LAB_SIGNALLED : LAB_EXITED;
        }
        const struct timespec pause = {0, 5000000};
        nanosleep(&pause, NULL);
    }
    return LAB_EXITED;
}

// A look at what the program uses, which is not taken before a twentieth of the limit has passed: a timed call is not to
// be disturbed. *pause: seconds until the next one. LAB_ANSWERED: there is time left.
static lab_event look(lab_process *p, double start, double limit, double *pause) {
    const double now = lab_now();
    lab_usage *const before = p->looked > 0 ? &p->now : &p->before;
    const double total = before->total;
    if (p->looked > 0) {
        lab_usage_read(p->pid, &p->now);
        const double passed = now - p->looked, ran = p->now.total - total;
        p->used = lab_usage_since(&p->now, &p->before);
        if (!p->now.wants && ran < 0.5 * passed) p->idle += p->now.on_disk ? passed / 4 : passed;
    } else {
        lab_usage_read(p->pid, &p->before);
        p->now = p->before, p->used = p->idle = 0;
    }
    p->looked = now;
    *pause = fmax(0.005, fmin(limit / 20, limit - fmax(p->used, p->idle)));
    if (p->used >= limit || p->idle >= limit) return LAB_TIMED_OUT;
    if (now - start <= LAB_PATIENCE * limit) return LAB_ANSWERED;
    // Threads that take turns have little each, and all together a processor.
    return p->now.total - p->before.total > 0.5 * (now - start) ? LAB_TIMED_OUT : LAB_STARVED;
}

// The answer may have come while the checker itself got no processor.
static int has_answered(const lab_process *p) {
    struct pollfd done = {p->done, POLLIN, 0};
    return p->done >= 0 && poll(&done, 1, 0) == 1 && done.revents & POLLIN;
}

lab_event lab_process_wait(lab_process *p, void *answer, size_t size, double seconds) {
    const double start = p->since > 0 ? p->since : lab_now(), limit = seconds * lab_slowness();
    double next = fmax(start, p->looked) + limit / 20, pause;
    size_t got = 0;
    int log_open = p->log >= 0;
    if (!(p->since > 0)) p->looked = p->used = p->idle = 0, next = start + limit / 20;
    for (;;) {
        double left = next - lab_now();
        if (left <= 0) {
            const lab_event event = look(p, start, limit, &pause);
            if (event != LAB_ANSWERED && !has_answered(p)) return event;
            next = lab_now() + (left = pause);
        }
        struct pollfd fds[2] = {{p->done, POLLIN, 0}, {log_open ? p->log : -1, POLLIN, 0}};
        if (poll(fds, 2, p->spin ? 0 : (int)(left * 1000) + 1) < 0 && errno != EINTR) return LAB_TIMED_OUT;
        if (fds[1].revents) {
            log_open = drain_log(p);
            if (p->total > LAB_LOG_LIMIT) return LAB_FLOODED;
            if (!log_open && p->done < 0) return ended(p);
        }
        if (fds[0].revents) {
            const ssize_t n = read(p->done, (char *)answer + got, size - got);
            if (n <= 0) return ended(p);
            if ((got += n) == size) {
                if (log_open) drain_log(p);
                return LAB_ANSWERED;
            }
        }
    }
}

void lab_process_ask_where(lab_process *p) {
    const struct timespec pause = {0, 5000000};
    if (p->pid <= 0) return;
    lab_usage_read(p->pid, &p->now);
    const pid_t leaf = p->now.leaf;
    const double before = p->now.total;
    kill(leaf, SIGXCPU);
    for (int i = 0; !has_had_time(p->pid, before, i) && !strstr(p->text, "LAB-CRASH"); i++) {
        const int gone = kill(leaf, 0) != 0;
        if (p->log >= 0) drain_log(p);
        if (gone) return;
        nanosleep(&pause, NULL);
    }
}

void lab_process_rest(const lab_process *p, double seconds) {
    const struct timespec pause = {0, 1000000};
    const double until = lab_now() + seconds;
    lab_usage now;
    for (lab_usage_read(p->pid, &now); now.wants && lab_now() < until; lab_usage_read(p->pid, &now))
        nanosleep(&pause, NULL);
}

// On a busy machine a group may not freeze in time, and the process gets a signal: then it also needs one to go on.
void lab_process_freeze(lab_process *p, int frozen) {
    if (p->pid <= 0) return;
    const int by_group = lab_cgroup_freeze(&p->group, frozen);
    if (frozen ? !by_group : !by_group || p->stopped) kill(-p->pid, frozen ? SIGSTOP : SIGCONT);
    p->stopped = frozen && (p->stopped || !by_group);
}

void lab_process_stop(lab_process *p) {
    if (p->pid > 0) {
        int status;
        kill(-p->pid, SIGKILL);
        kill(p->pid, SIGKILL);
        waitpid(p->pid, &status, 0);
        p->pid = 0;
    }
    lab_cgroup_close(&p->group);
    const int fds[] = {p->go, p->done, p->log};
    for (int i = 0; i < 3; i++)
        if (fds[i] >= 0) close(fds[i]);
    p->go = p->done = p->log = -1;
}
