// process.h: run a program that is not trusted: its output capped, its time limited, its end understood.
#ifndef LAB_PROCESS_H
#define LAB_PROCESS_H

#include <stddef.h>
#include <sys/types.h>

#include "cgroup.h"
#include "sandbox.h"

enum {
    LAB_LOG_KEPT = 64 << 10,  // bytes of output that are kept
    LAB_LOG_LIMIT = 1 << 20,  // bytes of output after which the program is killed
    LAB_PATIENCE = 5,         // on a busy machine a limit grows to at most 1 + LAB_PATIENCE times itself
};

// How a wait ended.
typedef enum {
    LAB_ANSWERED,   // bytes arrived on the done pipe
    LAB_EXITED,     // ended by itself; exit_status
    LAB_SIGNALLED,  // ended by a signal that the checker did not send; signal_number
    LAB_TIMED_OUT,  // the deadline passed; killed
    LAB_FLOODED,    // more than LAB_LOG_LIMIT bytes of output; killed
} lab_event;

typedef struct {
    pid_t pid;          // 0 once it has been reaped
    int go, done, log;  // the checker's ends; go and done are -1 for a program without protocol
    char text[LAB_LOG_KEPT + 1];
    size_t kept;
    size_t total;  // bytes of output seen
    lab_cgroup group;
    int sandboxed;   // 1: a signal is reported as an exit status, 128 + its number
    double since;    // when not 0: waiting began then, not with the call
    double starved;  // seconds without a processor until a tenth of the limit had passed; -1 before
    int spin;        // 1: poll without sleeping: waking up would be part of a measured time
    int exit_status, signal_number, ran_out;  // ran_out: the group's memory did
} lab_process;

typedef struct {
    int arena;                   // descriptor that becomes LAB_FD_ARENA; -1: a program without protocol
    size_t memory_bytes;         // limit of its address space; 0: none
    size_t data_bytes;           // limit of the memory that is its own; 0: none
    double cpu_seconds;          // limit of its processor time; 0: none
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

// Reads what the program says until it answers (`size` bytes into answer), ends, or `seconds` pass, not counting those
// that it waited for a processor.
lab_event lab_process_wait(lab_process *process, void *answer, size_t size, double seconds);

// Kills what is left of it and of its children in the same group, reaps it, closes the descriptors.
void lab_process_stop(lab_process *process);

// Stops all of its processes where they are, or lets them go on.
void lab_process_freeze(lab_process *process, int frozen);

double lab_now(void);  // seconds, monotonic

#endif
