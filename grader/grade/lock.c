// lock.c: three files that are locked in one order: the GPU, who comes first, the machine.
#define _GNU_SOURCE
#include "lock.h"

#include <errno.h>
#include <fcntl.h>
#include <math.h>
#include <stdio.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include "process.h"
#include "tool.h"

enum { FEW_JOBS = 4, LONGEST_WAIT = 120 };

static int first = -1, machine = -1, gpu = -1;  // descriptors: flock asks for some of one's own
static int beside_builds;                       // a GPU's clock runs while others compile
static int together;                            // those who want the machine alone wait for each other
static void (*told)(int waits);

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

int lab_lock_comes_together(void) { return together; }

void lab_lock_tell(void (*tell)(int waits)) { told = tell; }

int lab_lock_builds_beside(int gpus, int jobs, long processors) { return gpus > 1 || processors >= 2L * jobs + 4; }

int lab_lock_open(const char *gpu_name, int gpus, int jobs, char *why, unsigned long size) {
    char folder[64];
    lab_lock_close();
    together = jobs >= FEW_JOBS;
    beside_builds = lab_lock_builds_beside(gpus, jobs, sysconf(_SC_NPROCESSORS_ONLN));
    if (find_folder(folder)) {
        first = open_in(folder, "first"), machine = open_in(folder, "machine");
        if (*gpu_name) gpu = open_in(folder, gpu_name);
        if (first >= 0 && machine >= 0 && (gpu >= 0 || !*gpu_name)) return 1;
    }
    snprintf(why, size, "cannot lock this machine: %s: %s", folder, strerror(errno));
    return 0;
}

static void take(int file, int how) {
    while (file >= 0 && flock(file, how) && errno == EINTR) continue;
}

// Has nobody the machine (then it is ours from now on), or has somebody, who times the host, all of it?
static int is_time(void) {
    if (flock(machine, LOCK_EX | LOCK_NB) == 0 || flock(machine, LOCK_SH | LOCK_NB)) return 1;
    flock(machine, LOCK_UN);
    return 0;
}

// Who wants the machine alone, while others are at work, stops them all. So several come at one time: when it is empty,
// as it is when the run starts nobody else (class_run.c), or else when the minute comes. A machine that is emptied once
// serves them one after the other.
static void wait_for_company(void) {
    double left = LONGEST_WAIT;
    while (left > 0.2 && !is_time()) {
        left = LONGEST_WAIT - fmod(lab_now(), LONGEST_WAIT);
        usleep((useconds_t)(1e6 * fmin(left, 0.2)));
    }
}

// All is let go first, and the order is always the same: nobody waits for somebody who waits for him. Who waits for a
// GPU does not hold the machine: it is empty when those who work have ended, not those who queue, too. Who wants the
// machine alone holds `first`, shared, while he waits and while he has it: who would share it waits for that. Otherwise
// those who share it would come before him, again and again.
void lab_lock(lab_way way) {
    const double start = lab_now();
    const int alone = way == LAB_TIME_THE_HOST || (way == LAB_TIME_THE_GPU && !beside_builds);
    take(gpu, LOCK_UN), take(machine, LOCK_UN), take(first, LOCK_UN);
    if (way == LAB_WAIT) return;
    if (way == LAB_ON_THE_GPU || way == LAB_TIME_THE_GPU) take(gpu, LOCK_EX);
    const int waits = way == LAB_TIME_THE_HOST && together;
    if (waits && told) told(1);
    if (waits) wait_for_company();
    take(first, alone ? LOCK_SH : LOCK_EX);
    if (!alone) take(first, LOCK_UN);
    take(machine, alone ? LOCK_EX : LOCK_SH);
    if (waits && told) told(0);
    lab_deadline_later(lab_now() - start);
}

int lab_lock_share(void) {
    char folder[64];
    const int file = machine >= 0 && find_folder(folder) ? open_in(folder, "machine") : -1;
    take(file, LOCK_SH);
    return file;
}

void lab_lock_close(void) {
    int *const files[] = {&gpu, &machine, &first};
    for (int i = 0; i < 3; i++) {
        if (*files[i] >= 0) close(*files[i]);
        *files[i] = -1;
    }
}
