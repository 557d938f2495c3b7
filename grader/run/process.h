// process.h: run a program that is not trusted: its output capped, its time limited, its end understood.
#ifndef LAB_PROCESS_H
#define LAB_PROCESS_H

#include <stddef.h>
#include <sys/types.h>

#include "cgroup.h"
#include "sandbox.h"
#include "usage.h"

enum {
    LAB_LOG_KEPT = 64 << 10,  // bytes of output that are kept
    LAB_LOG_LIMIT = 1 << 20,  // bytes of output after which the program is killed
    LAB_PATIENCE = 30,        // the machine is too busy when a limit has passed so many times
};

#define LAB_TOO_BUSY "the machine is too busy"  // begins what is said then: nobody loses points by it

// How a wait ended.
typedef enum {
    LAB_ANSWERED,   // bytes arrived on the done pipe
    LAB_EXITED,     // ended by itself; exit_status
    LAB_SIGNALLED,  // ended by a signal that the checker did not send; signal_number
    LAB_TIMED_OUT,  // its processor time is used up, or it waits for something that does not come
    LAB_STARVED,    // it got no processor: nobody's fault but the machine's
    LAB_FLOODED,    // more than LAB_LOG_LIMIT bytes of output; killed
} lab_event;

typedef struct {
    pid_t pid;          // 0 once it has been reaped
    int go, done, log;  // the checker's ends; go and done are -1 for a program without protocol
    char text[LAB_LOG_KEPT + 1];
    size_t kept;
    size_t total;  // bytes of output seen
    lab_cgroup group;
    int stopped;            // by a signal
    int sandboxed;          // 1: a signal is reported as an exit status, 128 + its number
    double since;           // when not 0: waiting began then, not with the call
    double looked;          // when it was last looked at how much it uses; 0: not yet in this wait
    double used, idle;      // seconds of a processor since the first look; seconds in which it wanted none
    lab_usage before, now;  // at the first look, at the last one
    int spin;               // 1: poll without sleeping: waking up would be part of a measured time
    int exit_status, signal_number, ran_out;  // ran_out: the group's memory did
} lab_process;

typedef struct {
    int arena;                   // descriptor that becomes LAB_FD_ARENA; -1: a program without protocol
    size_t memory_bytes;         // limit of its address space; 0: none
    size_t data_bytes;           // limit of the memory that is its own; 0: none
    double cpu_seconds;          // limit of its processor time; 0: none
    double kernel_seconds;       // after which CUDA on the CPU ends a kernel, and names its line; 0: its own limit
    int threads;                 // OMP_NUM_THREADS; 0: leave as is
    const char *directory;       // where it runs; NULL: here
    const lab_sandbox *sandbox;  // what it sees of this machine; NULL: everything
} lab_limits;

// Called in the child between fork and exec (limits.c: what a runner or a compiler may not do). Returns 0 if a
// restriction cannot be had; the child must not go on then.
int lab_limits_enter(const lab_limits *limits);

// What a stage may use of this machine: memory of its own beside an arena, and threads.
size_t lab_limits_memory(size_t arena_bytes);
int lab_limits_threads(void);

// Starts argv[0] with argv. Standard input is empty; output and error output go to process->text. Returns 0 on failure.
int lab_process_start(lab_process *process, char *const argv[], const lab_limits *limits);

// Reads what the program says until it answers (`size` bytes into answer), ends, or has used `seconds` of a processor,
// or waited as long for something else. They count on a slow machine for more (lab_slowness), and the time for which
// other programs kept the processor counts for nothing.
lab_event lab_process_wait(lab_process *process, void *answer, size_t size, double seconds);

// Asks a program that does not end where it is: SIGXCPU, which a runner answers in its log (crash.h). It ends by that.
void lab_process_ask_where(lab_process *process);

// Kills what is left of it and of its children in the same group, reaps it, closes the descriptors.
void lab_process_stop(lab_process *process);

// Waits until none of its threads wants a processor, for so many seconds at most.
void lab_process_rest(const lab_process *process, double seconds);

// Stops all of its processes where they are, or lets them go on.
void lab_process_freeze(lab_process *process, int frozen);

double lab_now(void);  // seconds, monotonic

#endif
