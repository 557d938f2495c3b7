// protocol.h: what crosses between the checker (trusted) and a runner (untrusted).
//
// The two share one sealed memfd, the arena. The checker lays out tensors in it and writes a request to the go pipe;
// the runner calls the stage and writes a reply to the done pipe. A reply says only that the call came back. The
// checker reads the output in the arena and judges it.
//
// A request names its steps. A test asks for all at once; a clock asks for one step at a time, so that it times the run
// alone and not the copies between host and device.
#ifndef LAB_PROTOCOL_H
#define LAB_PROTOCOL_H

#include <stdint.h>

#include "shape.h"
#include "sizes.h"

enum { LAB_MOST_PARTS = 16 };
enum { LAB_FD_GO = 3, LAB_FD_DONE = 4, LAB_FD_ARENA = 5 };  // the only descriptors a runner gets, besides 0, 1, 2

#define LAB_MAGIC 0x4c41424eu

enum {             // steps, done in this order
    LAB_LOAD = 1,  // the arena's tensors are brought to where the stage sees them
    // Instead of LAB_LOAD. With LAB_RUN: inputs are made there from `key`, the output is poisoned, caches are flushed.
    // Without: memory is got, and that is rehearsed with its keys.
    LAB_FILL = 2,
    // CUDA: the calls are recorded in a graph and not run; a LAB_RUN replays it until a LAB_FILL comes without LAB_RUN
    LAB_CAPTURE = 4,
    LAB_RUN = 8,     // the calls, waiting for all of their work, and digests of the outputs
    LAB_STORE = 16,  // output (LAB_STORE_ALL: every tensor) is brought back into the arena
    LAB_STORE_ALL = 32,
    LAB_COUNT = 64,    // simt's checked mode: memory traffic of the run is left in the arena, at `counts`
    LAB_FREE = 128,    // memory is given back
    LAB_SAMPLE = 256,  // with LAB_COUNT: a launch runs a few of its blocks, which count for all; outputs are wrong then
    // Each set has a change of its own (grader/repair): a lab_try for each stands in the arena at `counts`. A processor may
    // be busy with each for `busy_us`; who crashes or takes longer does not end the others. On a device (simt's) a set is
    // brought there and back for its call, and one that does not meet its change is not called (LAB_TRY_IDLE).
    LAB_TRIES = 512,
    LAB_TEST = LAB_LOAD | LAB_RUN | LAB_STORE | LAB_STORE_ALL,
};

// Names come from the table of operations (core/ops.h), which the runner does not hold: an oracle stands in each row.
typedef struct {
    uint32_t magic;
    uint32_t serial;  // the reply repeats it
    uint32_t sets;    // the stage is called once per set of tensors; set i stands i * stride bytes further on
    uint32_t steps;
    char op[24];         // "sdpa": how the function is called (call.c)
    char symbol[2][48];  // "attn_sdpa"; and a second function that it calls, or ""
    attn_shape shape;
    attn_shape
        laid_out;      // the same; where a runner tries shapes that are refused (refused.h) the tensors lie by this one
    int32_t extra[2];  // task 3: Br, Bc; task 5: n_splits; a probe's own
    uint32_t probe;    // 1: the function has a probe's arguments
    uint32_t pipeline;  // 1: the driver of a model calls it
    uint32_t n_tensors;
    uint32_t lengths;  // LAB_FILL: the tensor whose elements are all extra[1], int32; 0: none
    uint32_t scratch;  // working memory: LAB_FILL poisons it only before the window; 0: none
    // LAB_FILL in the window: a GPU has so many microseconds to do before the first call; 0: none. LAB_TRIES: for each
    uint32_t busy_us;
    char tensor[LAB_MAX_TENSORS][20];  // their names, for reports
    uint32_t edit;  // of a file with many changes behind a switch (grader/repair): which of them holds; 0: none
    uint64_t elements[LAB_MAX_TENSORS];
    uint64_t bytes;  // of the arena that the tensors of all sets take
    uint64_t stride;
    uint64_t offset[LAB_MAX_TENSORS];  // of the tensors of set 0 in the arena, in bytes; tensor 0 is the output
    uint64_t key[LAB_MAX_TENSORS];  // LAB_FILL: element i of set s of tensor t, which has n, is lab_fill_quick's number
                                    // s * n + i under key[t]; 0: none, it stays as it is
    uint64_t link;                  // LAB_FILL: key of what links the calls (inputs.h), and of the digests; 0: none
    uint64_t notes;                 // LAB_RUN: where in the arena: the digests of all outputs, then `seen` of each set
    uint64_t counts;                // LAB_COUNT: where in the arena, in bytes
    // Where in the arena the lines of a file tell what they compute (grader/values), and for how many numbers there is
    // room; 0: nowhere.
    uint64_t values, n_values;
    struct {
        uint64_t set, first, n;
    } large;  // LAB_FILL: these elements of tensor 1, a query, are LAB_LARGE_TIMES as large; n 0: none
    struct {
        uint64_t tensor, set, first, n;
    } part[LAB_MOST_PARTS];  // LAB_STORE: elements of a tensor; n 0: none
} lab_request;

typedef struct
{  // LAB_COUNT: traffic of one tensor of set 0; behind the tensors: all else in global memory, then shared
    uint64_t bytes_loaded, bytes_stored, sectors, bank_conflicts;
} lab_traffic;

typedef struct {  // LAB_TRIES
    uint32_t edit;
    int32_t status;  // written by the runner: what the call returned, or one of those here
} lab_try;
// The table lies at the arena's begin; behind it and behind each set lie pages that a call may not touch.
enum { LAB_TRIES_BEGIN = 8192, LAB_TRIES_APART = 8192 };
enum { LAB_TRY_WAITS = -1, LAB_TRY_RUNS = -2, LAB_TRY_CRASHED = -3, LAB_TRY_LATE = -4, LAB_TRY_IDLE = -5 };
// What a function has returned, which may be any number: `ATTN_OK - 1` is none of these.
#define LAB_TRY_RETURNED(status) ((status) < 0 && (status) >= LAB_TRY_IDLE ? LAB_TRY_CRASHED : (status))

enum { LAB_MAX_STREAMS = 16 };  // sequences that generate side by side

typedef struct {
    uint32_t magic;
    uint32_t serial;  // 0: the greeting after loading the stage
    int32_t status;   // attn_status of the first call that did not return ATTN_OK, or one of those below
    uint32_t sets;    // how many calls returned; of a token: which one it is, from 0
    uint32_t more;    // 1: this is a token of every sequence (of a model), and the reply proper is still to come
    int32_t token[LAB_MAX_STREAMS];
} lab_reply;

// Statuses that are not a stage's: LAB_DEVICE + n is cudaError_t n, found when the device was waited for. LAB_NOT_PASSED_ON
// + 2 n + m: function n of attn_functions (task6.h) failed, and the layer lost its status (m = 0) or made another of it.
enum { LAB_NO_SYMBOL = 1000, LAB_NOT_LOADED = 1001, LAB_NO_DEVICE = 1003 };
// LAB_NEITHER_REFUSED + n: a call that is neither prefill nor decode was not refused: n = 0: S = 2 behind a past; 1: S = 1,
// where one sequence has a past and another has none.
enum { LAB_NEITHER_REFUSED = 1310, LAB_N_NEITHER = 2 };
// LAB_KINDS_ASKED + n: a call was refused that the layer has to take, or taken, and it was asked which calls it takes for
// what (core/call_rows.h): n has a digit to the base 3 for each.
enum { LAB_KINDS_ASKED = 1 << 28 };
// LAB_ROOM_ASKED + n: a call was refused for want of room that there is, or taken without room, and the layer was asked for
// which calls it finds room (core/room_rows.h): n has a digit to the base 2 for each.
enum { LAB_ROOM_ASKED = 1 << 27, LAB_N_ROOM_ASKED = 1 << 17 };
// LAB_FULL_NOT_REFUSED + b: a new token was not refused where sequence b alone has no room for it.
enum { LAB_FULL_NOT_REFUSED = 1320 };
// LAB_NOT_REFUSED_SIZES + n: sizes number n of refused.c were not refused.
// LAB_REFUSED_CALL + n: the layer refused, with ATTN_BAD_SHAPE, a call with past[0] = n (0: a prefill) that it has to take.
enum { LAB_NOT_REFUSED_SIZES = 1200, LAB_REFUSED_CALL = 10000 };
// LAB_REFUSED_LATE + n: function n of attn_functions was called, and then the call of the layer was refused for want of
// room; or none was, and lengths or K and V of the cache have changed.
// LAB_REFUSED_BY_FLASH: flash refused the shape that the layer gave it in a call that the layer has to take.
enum { LAB_REFUSED_BY_FLASH = 1308 };
enum { LAB_REFUSED_LATE = 1300, LAB_REFUSED_AND_COUNTED = 1306, LAB_REFUSED_AND_STORED = 1307 };
enum { LAB_NOT_PASSED_ON = 1100, LAB_N_PASSED_ON = 6, LAB_DEVICE = 2000 };

#endif
