// stage.h: a student's stage, alive in a runner of its own, as the checker holds it.
#ifndef LAB_STAGE_H
#define LAB_STAGE_H

#include "ops.h"
#include "process.h"
#include "protocol.h"
#include "verdict.h"

typedef struct {
    char *const *runner;  // command of the runner, the stage's path appended; lives as long as the stage
    const char *stage;    // path of the shared object
    int threads;          // OMP_NUM_THREADS; 0: as many as the machine has
    size_t arena_bytes;   // room for the largest call
    double load_seconds;
    double call_seconds;  // that its calls will get, as a rule; 0: as many
    int trying;           // 1: many changes of a file are tried (grader/repair): why a call fails is not asked
    int mends;            // 1: simt mends its own context after a fault (SIMT_TRYING): the runner lives on
    int trusted;          // 1: a baseline in Python, the lab's own: it needs more than a sandbox shows
} lab_stage_options;

typedef struct {
    lab_stage_options options;
    lab_process process;
    char *arena;  // mapped here and there
    size_t arena_bytes;
    int arena_fd;
    uint32_t serial;
    uint32_t edit;  // the change that holds in the next calls; 0: none
    int alive;
    int faulted;          // the last call ended in a device error
    char where[256];      // in the student's file the last call hung; "": not known
    char memory[256];     // of a guarded runner: what it did to which memory before it crashed; "": not known
    size_t memory_bytes;  // the size of that memory
    void (*on_token)(void *context, int step, const int32_t token[LAB_MAX_STREAMS]);  // of a model, as tokens come
    void *context;
} lab_stage;

// Where the tensors of a call stand: each between two guard bands, sets one after the other. A band has room for a tile
// of 64 rows of the largest head: who reads a whole tile at a tensor's end reads NaN there, not the next tensor.
typedef struct {
    uint64_t offset[LAB_MAX_TENSORS], stride;
    size_t bytes;  // of the whole arena
} lab_layout;

enum { LAB_GUARD_BYTES = 64 * 128 * 4 };

lab_layout lab_layout_of(const lab_op *op, attn_shape shape, int sets);

// A request for these steps, with tensors where lab_layout_of has them.
lab_request lab_request_of(const lab_op *op, attn_shape shape, int sets, uint32_t steps);

// Starts the runner. LAB_PASSED, or LOAD_ERROR, EARLY_EXIT, CRASH, TIMEOUT, ... with a sentence in why.
lab_verdict lab_stage_open(lab_stage *stage, const lab_stage_options *options, char *why, size_t size);

// Asks for one call per set. LAB_PASSED means only that the calls came back; status is what the stage returned.
lab_verdict lab_stage_call(lab_stage *stage, lab_request *request, double seconds, attn_status *status, char *why,
                           size_t size);

// The same in two steps: two runners may be at work at once. lab_stage_ask returns 0 where nobody listens any more.
int lab_stage_ask(lab_stage *stage, lab_request *request);
lab_verdict lab_stage_answer(lab_stage *stage, double seconds, attn_status *status, char *why, size_t size);

// stage_end.c: the runner has ended or is killed: its verdict and a sentence.
lab_verdict lab_judge_end(lab_stage *stage, lab_event event, double seconds, char *why, size_t size);

// What is said of a call that did not end. where: a place in the student's file, or "".
void lab_say_late(char *text, size_t size, double seconds, const char *where, int waits);

// Is there a device that answers? A runner asks for it before it loads any stage, and here there is none to load: what
// it says is not a student's word. Returns 0 with a sentence in why. Always 1 where the runner's device is a processor.
int lab_device_works(const char *runner, char *why, size_t size);

void lab_stage_close(lab_stage *stage);

#endif
