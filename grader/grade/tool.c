// tool.c: fork, exec, wait, kill.
#define _GNU_SOURCE
#include "tool.h"

#include <fcntl.h>
#include <math.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include "child.h"
#include "process.h"

// ---- the deadline

static double deadline = INFINITY;

void lab_deadline_in(double seconds) { deadline = lab_now() + seconds; }
void lab_deadline_later(double seconds) { deadline += seconds; }
int lab_deadline_passed(void) { return lab_now() >= deadline; }

// ---- one program

static void become(char *const argv[], const char *log, int out, int seed) {
    setpgid(0, 0);
    if (!lab_child_ends_with_parent()) _exit(126);
    const int in = open("/dev/null", O_RDONLY), err = open(log, O_WRONLY | O_CREAT | O_APPEND, 0666);
    if (in < 0 || err < 0 || dup2(in, STDIN_FILENO) < 0 || dup2(err, STDERR_FILENO) < 0 ||
        dup2(out >= 0 ? out : err, STDOUT_FILENO) < 0 || (seed >= 0 && dup2(seed, 3) < 0))
        _exit(126);
    close_range(seed >= 0 ? 4 : 3, ~0u, 0);
    signal(SIGPIPE, SIG_DFL);
    execvp(argv[0], argv);
    dprintf(STDERR_FILENO, "cannot run %s\n", argv[0]);
    _exit(127);
}

static void say_late(const char *log, const char *name, double seconds) {
    const int to = open(log, O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0666);
    if (to >= 0) dprintf(to, "%s was stopped after %.0f s\n", name, seconds);
    if (to >= 0) close(to);
}

// Waits until the program has ended, or `until` has passed. It stays a zombie: its number, and its group's, is not given
// to anybody else before we have killed the group.
static int ended(pid_t pid, double until) {
    struct pollfd p = {(int)syscall(SYS_pidfd_open, pid, 0), POLLIN, 0};
    siginfo_t info = {0};
    int gone = 0;
    while (!gone) {
        gone = waitid(P_PID, pid, &info, WEXITED | WNOHANG | WNOWAIT) == 0 && info.si_pid == pid;
        const double left = until - lab_now();
        if (gone || left <= 0) break;
        poll(&p, 1, (int)(1000 * fmin(left, p.fd >= 0 ? 1 : 0.01)) + 1);  // an old kernel has no such descriptor
    }
    if (p.fd >= 0) close(p.fd);
    return gone;
}

static int run(double until, char *const argv[], const char *log, int out, int seed) {
    const double start = lab_now();
    int status = 0;
    if (start >= until) return -1;
    fflush(NULL);
    const pid_t pid = lab_child();
    if (pid == 0) become(argv, log, out, seed);
    if (pid < 0) return -1;
    setpgid(pid, pid);
    if (!ended(pid, until)) say_late(log, argv[0], lab_now() - start);
    kill(-pid, SIGKILL);
    kill(pid, SIGKILL);
    return waitpid(pid, &status, 0) == pid && WIFEXITED(status) ? WEXITSTATUS(status) : -1;
}

int lab_tool(char *const argv[], const char *log) { return run(deadline, argv, log, -1, -1); }

int lab_tool_within(double seconds, char *const argv[], const char *log) {
    return run(lab_now() + seconds, argv, log, -1, -1);
}

int lab_tool_with_seed(char *const argv[], const char *log, uint64_t seed) {
    const int fd = memfd_create("seed", MFD_CLOEXEC);
    if (fd < 0 || dprintf(fd, "%llu", (unsigned long long)seed) < 0 || lseek(fd, 0, SEEK_SET)) return -1;
    const int status = run(deadline, argv, log, -1, fd);
    close(fd);
    return status;
}

int lab_tool_text(char *const argv[], char *text, size_t size) {
    const int fd = memfd_create("text", MFD_CLOEXEC);
    const int status = fd >= 0 ? run(lab_now() + 10, argv, "/dev/null", fd, -1) : -1;
    const ssize_t n = status == 0 ? pread(fd, text, size - 1, 0) : 0;
    if (fd >= 0) close(fd);
    text[n > 0 ? n : 0] = 0;
    return *text != 0;
}

int lab_tool_line(char *const argv[], char *line, size_t size) {
    lab_tool_text(argv, line, size);
    line[strcspn(line, "\n")] = 0;
    return *line != 0;
}

json_t *lab_read_lines(const char *path) {
    json_t *array = json_array(), *o;
    FILE *f = fopen(path, "r");
    while (f && (o = json_loadf(f, JSON_DISABLE_EOF_CHECK, NULL))) json_array_append_new(array, o);
    if (f) fclose(f);
    return array;
}
