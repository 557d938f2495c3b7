// lock.c: three files that are locked in one order: whose turn it is, the machine, the GPU.
#define _GNU_SOURCE
#include "lock.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include "process.h"
#include "tool.h"

static int turn = -1, machine = -1, gpu = -1;  // descriptors: flock asks for some of one's own
static int beside_builds;                      // a GPU's clock runs while others compile

// The folder is ours and nobody else writes to it: otherwise another user could hold our locks.
static int find_folder(char path[64]) {
    struct stat st;
    snprintf(path, 64, "/tmp/attention-lab-%u", (unsigned)getuid());
    if (mkdir(path, 0700) && errno != EEXIST) return 0;
    errno = EPERM;
    return lstat(path, &st) == 0 && S_ISDIR(st.st_mode) && st.st_uid == getuid() && !(st.st_mode & 022);
}

static int open_in(const char *folder, const char *name) {
    char path[256];
    snprintf(path, sizeof path, "%s/%.120s.lock", folder, name);
    for (char *c = path + strlen(folder) + 1; *c; c++)
        if (*c == '/') *c = '_';
    return open(path, O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW, 0600);
}

int lab_lock_builds_beside(int gpus, int jobs, long processors) { return gpus > 1 || processors >= 2L * jobs + 4; }

int lab_lock_open(const char *gpu_name, int gpus, int jobs, char *why, unsigned long size) {
    char folder[64];
    lab_lock_close();
    beside_builds = lab_lock_builds_beside(gpus, jobs, sysconf(_SC_NPROCESSORS_ONLN));
    if (find_folder(folder)) {
        turn = open_in(folder, "turn"), machine = open_in(folder, "machine");
        if (*gpu_name) gpu = open_in(folder, gpu_name);
        if (turn >= 0 && machine >= 0 && (gpu >= 0 || !*gpu_name)) return 1;
    }
    snprintf(why, size, "cannot lock this machine: %s: %s", folder, strerror(errno));
    return 0;
}

static void take(int file, int how) {
    while (file >= 0 && flock(file, how) && errno == EINTR) continue;
}

// All is let go first, and the order is always the same: nobody waits for somebody who waits for him. Without `turn`,
// who shares the machine would come before who wants it alone, again and again.
void lab_lock(lab_way way) {
    const double start = lab_now();
    const int alone = way == LAB_TIME_THE_HOST || (way == LAB_TIME_THE_GPU && !beside_builds);
    take(gpu, LOCK_UN), take(machine, LOCK_UN);
    if (way == LAB_WAIT) return;
    take(turn, LOCK_EX);
    take(machine, alone ? LOCK_EX : LOCK_SH);
    take(turn, LOCK_UN);
    if (way == LAB_ON_THE_GPU || way == LAB_TIME_THE_GPU) take(gpu, LOCK_EX);
    lab_deadline_later(lab_now() - start);
}

void lab_lock_close(void) {
    int *const files[] = {&gpu, &machine, &turn};
    for (int i = 0; i < 3; i++) {
        if (*files[i] >= 0) close(*files[i]);
        *files[i] = -1;
    }
}
