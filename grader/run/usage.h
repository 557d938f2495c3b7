// usage.h: what a program and its children use of the machine, as /proc tells it.
#ifndef LAB_USAGE_H
#define LAB_USAGE_H

#include <sys/types.h>

enum { LAB_MOST_THREADS = 512 };  // further ones are not looked at one by one

typedef struct {
    struct {
        pid_t id;
        double seconds;  // of a processor
    } thread[LAB_MOST_THREADS];
    int n;
    int wants;     // threads that run, or would run if a processor were free
    int on_disk;   // threads that wait for the system, as when memory is swapped
    double total;  // seconds of all threads, those that have ended included
    pid_t leaf;    // the innermost process: what a sandbox was made for
} lab_usage;

void lab_usage_read(pid_t pid, lab_usage *usage);

// Seconds of a processor since `before`, of the thread that had most. Threads side by side are not added up, so that the
// number says on many processors what it says on one.
double lab_usage_since(const lab_usage *now, const lab_usage *before);

// How many times longer this machine takes for a loop than the one on which the lab's limits were chosen: 1 or more.
// Measured once; kept in build/.speed.HOST. LAB_SLOWNESS=3 says it: for tests of what has to be found, however long it takes.
double lab_slowness(void);

#endif
