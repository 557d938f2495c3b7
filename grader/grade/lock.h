// lock.h: who measures is alone. Everybody who grades on this machine, in whatever run, holds one lock of the machine:
// shared with others as long as no clock runs, alone while one does. On a GPU only one runner works at a time.
//
// The lock files lie in a folder of the user's own under /tmp, which no sandbox shows. The grader holds them, never a
// program that it starts: a submission can neither hold nor keep them.
#ifndef LAB_LOCK_H
#define LAB_LOCK_H

typedef enum {
    LAB_WAIT,           // for another grader: hold nothing
    LAB_BESIDE_OTHERS,  // compile, test on the processor, count
    LAB_ON_THE_GPU,     // run on the GPU, or on all processors, untimed: no other runner is on the GPU
    LAB_TIME_THE_GPU,   // nothing else on this GPU; nothing else at all, unless there are processors to spare (below)
    LAB_TIME_THE_HOST,  // nothing else runs
} lab_way;

// Opens the locks for this process. gpu: the one that it uses, by its identity; "": none. gpus: how many this run uses.
// jobs: submissions that are graded side by side. With several GPUs, or with two processors for each job and four more,
// others compile while a GPU is timed: otherwise each timing would wait for all compilers that run. Returns 0 with a
// sentence in why.
int lab_lock_open(const char *gpu, int gpus, int jobs, char *why, unsigned long size);

// May others compile while a GPU's clock runs?
int lab_lock_builds_beside(int gpus, int jobs, long processors);

// Goes over to another way, waiting as long as it takes. Who times the host comes first; in a class those who want that
// wait for each other, and the machine is emptied once for several. The time is given back to the submission's
// deadline.
void lab_lock(lab_way way);

// A share of the machine for a process that is started now: it lasts as long as that process, whatever way this one goes.
// This one is at work, so it does not wait. Returns a descriptor, to be closed here once the other process has it, or -1.
int lab_lock_share(void);

// In a class: is the host timed for several submissions at one time? Then its timing is the last that each one does:
// while it waits for that (told so, and when it goes on) others may begin.
int lab_lock_comes_together(void);
void lab_lock_tell(void (*tell)(int waits));

void lab_lock_close(void);

#endif
