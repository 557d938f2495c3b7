// usage.c: threads of a process and of its children.
#define _GNU_SOURCE
#include "usage.h"

#include <dirent.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

// The name of a thread, which may contain anything, ends with the last parenthesis of the line.
static void read_thread(pid_t pid, pid_t thread, lab_usage *u) {
    char path[64], line[512], state = 0;
    unsigned long user = 0, system = 0;
    snprintf(path, sizeof path, "/proc/%d/task/%d/stat", (int)pid, (int)thread);
    FILE *f = fopen(path, "r");
    if (!f) return;
    const char *end = fgets(line, sizeof line, f) ? strrchr(line, ')') : NULL;
    fclose(f);
    if (!end || sscanf(end + 1, " %c %*d %*d %*d %*d %*d %*u %*u %*u %*u %*u %lu %lu", &state, &user, &system) != 3)
        return;
    u->wants += state == 'R';
    u->on_disk += state == 'D';
    if (u->n == LAB_MOST_THREADS) return;
    u->thread[u->n].id = thread;
    u->thread[u->n++].seconds = (double)(user + system) / sysconf(_SC_CLK_TCK);
}

static void read_process(pid_t pid, lab_usage *u) {
    char path[300];
    int child;
    clockid_t clock;
    struct timespec used = {0};
    if (clock_getcpuclockid(pid, &clock) == 0) clock_gettime(clock, &used);
    u->total += used.tv_sec + 1e-9 * used.tv_nsec;
    u->leaf = pid;
    snprintf(path, sizeof path, "/proc/%d/task", (int)pid);
    DIR *tasks = opendir(path);
    for (struct dirent *task; tasks && (task = readdir(tasks));) {
        if (*task->d_name == '.') continue;
        read_thread(pid, atoi(task->d_name), u);
        snprintf(path, sizeof path, "/proc/%d/task/%.20s/children", (int)pid, task->d_name);
        FILE *f = fopen(path, "r");
        while (f && fscanf(f, "%d", &child) == 1) read_process(child, u);
        if (f) fclose(f);
    }
    if (tasks) closedir(tasks);
}

void lab_usage_read(pid_t pid, lab_usage *u) {
    u->n = u->wants = u->on_disk = 0;
    u->total = 0, u->leaf = pid;
    if (pid > 0) read_process(pid, u);
}

static double seconds_of(const lab_usage *u, pid_t thread) {
    for (int i = 0; i < u->n; i++)
        if (u->thread[i].id == thread) return u->thread[i].seconds;
    return 0;
}

double lab_usage_since(const lab_usage *now, const lab_usage *before) {
    // Whoever starts a thread after the other is not better off.
    double most = (now->total - before->total) / (double)sysconf(_SC_NPROCESSORS_ONLN);
    for (int i = 0; i < now->n; i++) most = fmax(most, now->thread[i].seconds - seconds_of(before, now->thread[i].id));
    return most;
}

// ---- How fast is this machine?

enum { LOOP = 4 << 20, TURNS = 5, KEPT_TOO_SLOW = 20 };
static const double ABOUT_THE_SAME = 1.2;
static const double LOOP_SECONDS = 0.010;  // of the machine on which the limits were chosen

static double processor_now(void) {
    struct timespec t;
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &t);
    return t.tv_sec + 1e-9 * t.tv_nsec;
}

// Integers, floats and a table that fits into any first cache, each waiting for the one before.
static double loop_seconds(void) {
    float table[1024];
    volatile float sink = 0;
    volatile unsigned seed = 1;
    double best = INFINITY;
    for (int i = 0; i < 1024; i++) table[i] = (float)(i * seed);
    for (int turn = 0; turn < TURNS; turn++) {
        const double start = processor_now();
        unsigned x = seed;
        float sum = 0;
        for (int i = 0; i < LOOP; i++) {
            x = x * 1664525u + 1013904223u;
            sum = sum * 0.5f + table[x >> 22];
        }
        sink = sink + sum;
        best = fmin(best, processor_now() - start);
    }
    return best;
}

double lab_slowness(void) {
    static double slowness;
    char path[160], host[96] = "";
    if (slowness > 0) return slowness;
    const char *given = getenv("LAB_SLOWNESS");
    if (given && (slowness = fmin(strtod(given, NULL), KEPT_TOO_SLOW)) >= 1) return slowness;
    gethostname(host, sizeof host - 1);
    snprintf(path, sizeof path, "build/.speed.%s", host);
    FILE *f = fopen(path, "r");
    const int kept = f && fscanf(f, "%lf", &slowness) == 1 && slowness >= 1 && slowness <= KEPT_TOO_SLOW;
    if (f) fclose(f);
    if (kept) return slowness;
    const double ratio = loop_seconds() / LOOP_SECONDS;
    slowness = ratio < ABOUT_THE_SAME ? 1 : fmin(ratio, KEPT_TOO_SLOW);
    f = fopen(path, "w");
    if (f) fprintf(f, "%.3f\n", slowness), fclose(f);
    return slowness;
}
