// cgroup.c: files under /sys/fs/cgroup.
#define _GNU_SOURCE
#include "cgroup.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "process.h"

static int write_to(const lab_cgroup *g, const char *file, const char *text) {
    char path[4400];
    snprintf(path, sizeof path, "%s/%s", g->path, file);
    const int fd = open(path, O_WRONLY | O_CLOEXEC);
    const int ok = fd >= 0 && write(fd, text, strlen(text)) == (ssize_t)strlen(text);
    if (fd >= 0) close(fd);
    return ok;
}

static int write_number(const lab_cgroup *g, const char *file, size_t n) {
    char text[32];
    snprintf(text, sizeof text, "%zu", n);
    return write_to(g, file, text);
}

// The number after a word ("frozen 1") in one of its files; -1 if there is none.
static long read_number(const lab_cgroup *g, const char *file, const char *word) {
    char path[4400], name[64];
    long n = -1, value;
    snprintf(path, sizeof path, "%s/%s", g->path, file);
    FILE *f = fopen(path, "re");
    while (f && fscanf(f, "%63s %ld", name, &value) == 2)
        if (strcmp(name, word) == 0) n = value;
    if (f) fclose(f);
    return n;
}

// Where the second version is mounted, and which of its groups we are in.
static int own_group(char *path, size_t size, int *is_root) {
    char line[4400], mount[4096] = "", group[4096] = "";
    FILE *f = fopen("/proc/self/mountinfo", "re");
    while (f && !*mount && fgets(line, sizeof line, f)) {
        const char *dash = strstr(line, " - cgroup2 ");
        if (!dash || sscanf(line, "%*s %*s %*s %*s %4095s", mount) != 1) *mount = 0;
    }
    if (f) fclose(f);
    f = fopen("/proc/self/cgroup", "re");
    while (f && fgets(line, sizeof line, f))
        if (strncmp(line, "0::/", 4) == 0) sscanf(line, "0::%4095s", group);
    if (f) fclose(f);
    *is_root = strcmp(group, "/") == 0;
    return *mount && *group && snprintf(path, size, "%s%s", mount, *is_root ? "" : group) < (int)size;
}

// Groups of checkers that were killed before they could remove them.
static void sweep(const char *parent) {
    DIR *d = opendir(parent);
    int pid;
    for (struct dirent *e; d && (e = readdir(d));)
        if (sscanf(e->d_name, "attention-lab-%d-", &pid) == 1 && kill(pid, 0) && errno == ESRCH)
            unlinkat(dirfd(d), e->d_name, AT_REMOVEDIR);
    if (d) closedir(d);
}

// Beside our own group, where the system has divided its resources already; otherwise inside.
void lab_cgroup_open(lab_cgroup *g, size_t memory_bytes, int processes) {
    static int number;
    char own[4096], beside[4096];
    int is_root;
    g->path[0] = 0;
    if (!own_group(own, sizeof own, &is_root)) return;
    snprintf(beside, sizeof beside, "%.*s", (int)(strrchr(own, '/') - own), own);
    const char *const parents[] = {beside, own};
    for (int i = is_root; i < 2; i++) {
        if (number == 0) sweep(parents[i]);
        snprintf(g->path, sizeof g->path, "%s/attention-lab-%d-%d", parents[i], (int)getpid(), number++);
        if (mkdir(g->path, 0755)) continue;
        write_number(g, "memory.max", memory_bytes), write_to(g, "memory.swap.max", "0");
        write_number(g, "pids.max", processes);
        return;
    }
    g->path[0] = 0;
}

void lab_cgroup_enter(const lab_cgroup *g) {
    if (*g->path) write_to(g, "cgroup.procs", "0");
}

int lab_cgroup_freeze(const lab_cgroup *g, int frozen) {
    const double until = lab_now() + 0.05;
    if (!*g->path || !write_to(g, "cgroup.freeze", frozen ? "1" : "0")) return 0;
    while (lab_now() < until)
        if (read_number(g, "cgroup.events", "frozen") == frozen) return 1;
    return 0;
}

int lab_cgroup_ran_out(const lab_cgroup *g) { return *g->path && read_number(g, "memory.events", "oom_kill") > 0; }

void lab_cgroup_close(lab_cgroup *g) {
    const struct timespec pause = {0, 1000000};
    if (!*g->path) return;
    write_to(g, "cgroup.kill", "1");
    for (int i = 0; i < 100 && rmdir(g->path) && errno == EBUSY; i++) nanosleep(&pause, NULL);
    g->path[0] = 0;
}
