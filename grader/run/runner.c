// runner.c: the untrusted side. Loads one stage (a shared object made from a student's file) and calls it on request.
//
//     runner STAGE.so [DRIVER.so TASK4.so TASK5.so MODEL [unsplit]]     descriptors: 3 requests, 4 replies, 5 arena
//
// It knows no seed, no expected output and no verdict. The checker reads the outputs and the clock itself, so a stage
// that attacks this process can only lose.
#define _GNU_SOURCE
#include <dlfcn.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/time.h>
#include <time.h>
#include <unistd.h>

#include "call.h"
#include "counts.h"
#include "crash.h"
#include "memory.h"
#include "pipeline.h"
#include "give_up.h"
#include "tries.h"

enum { FENCE = 1 << 20 };  // bytes before and behind the arena that nobody may touch

// Before a timed step the runner polls instead of sleeping: waking up takes as long as a kernel. It takes less than one of
// the emulator's.
static int read_request(lab_request *r) {
    const int step = r->steps & (LAB_FILL | LAB_CAPTURE) && !(r->steps & LAB_RUN);
    const int prepared = step && !dlsym(RTLD_DEFAULT, "simt_try_on");
    struct pollfd go = {LAB_FD_GO, POLLIN, 0};
    for (int turn = 0; prepared && turn < 20000 && poll(&go, 1, 0) == 0; turn++) {}
    for (size_t got = 0; got < sizeof *r;) {
        ssize_t n = read(LAB_FD_GO, (char *)r + got, sizeof *r - got);
        if (n <= 0) return 0;
        got += n;
    }
    return r->magic == LAB_MAGIC;
}

static void send_reply(const lab_reply *r) {
    fflush(NULL);  // what the stage printed reaches the log before its answer
    if (write(LAB_FD_DONE, r, sizeof *r) != sizeof *r) _exit(1);
}

static void reply(uint32_t serial, int32_t status, uint32_t sets) {
    const lab_reply r = {.magic = LAB_MAGIC, .serial = serial, .status = status, .sets = sets};
    send_reply(&r);
}

// A generated token of every sequence, while the rest is still to come.
static void emit(void *context, int step, const int *tokens, int n) {
    lab_reply r = {.magic = LAB_MAGIC, .serial = *(const uint32_t *)context, .sets = step, .more = 1};
    for (int i = 0; i < n && i < LAB_MAX_STREAMS; i++) r.token[i] = tokens[i];
    send_reply(&r);
}

static attn_status call_one(void *const function[2], lab_request *r, float *const tensor[LAB_MAX_TENSORS]) {
    lab_counts_call();
    return r->pipeline ? lab_pipeline_call(function[0], r, tensor, emit, &r->serial)
                       : lab_call_function(function, r, tensor);
}

// One change of a file is tried, which the checker says and not the file: nothing is graded, and two calls of the system
// are saved.
static int trying;
static void hide(int hidden) {
    if (!trying) lab_memory_hide(hidden);
}

// The calls themselves, one per set, up to the first that does not return ATTN_OK.
static attn_status call_sets(void *const function[2], lab_request *r, uint32_t *returned) {
    attn_status status = ATTN_OK;
    hide(1);
    for (*returned = 0; status == ATTN_OK && *returned < r->sets; ++*returned) {
        float *tensor[LAB_MAX_TENSORS];
        const int unlinked = r->link && *returned ? lab_memory_link(r, *returned) : 0;
        if (unlinked) {
            status = LAB_DEVICE + unlinked;
            break;
        }
        for (int t = 0; t < LAB_MAX_TENSORS; t++)
            tensor[t] = (float *)(lab_memory_base() + r->offset[t] + *returned * r->stride);
        status = lab_guarded_call ? lab_guarded_call(call_one, function, r, tensor) : call_one(function, r, tensor);
    }
    hide(0);
    return status;
}

static int device_status(int error) { return error ? LAB_DEVICE + error : ATTN_OK; }

// What one change has broken is not for the next one to hear: cudaPeekAtLastError() does not clear it.
static void forget_error(void) {
    int (*const last)(void) = (int (*)(void))dlsym(RTLD_DEFAULT, "cudaGetLastError");
    if (last) last();
    void (*const mend)(void) = (void (*)(void))dlsym(RTLD_DEFAULT, "simt_try_on");
    if (mend) mend();
}

// Of dozens of changes, which are tried once more alone, the host may touch device memory: to forbid it takes longer.
static void hold_open(int open) {
    void (*const hold)(int) = (void (*)(int))dlsym(RTLD_DEFAULT, "simt_hold_open");
    if (hold) hold(open);
}

// A change with which a call does not end takes the runner along as soon as its own time is up, and not that of dozens.
enum { TICK_US = 1000 };
static struct {
    volatile lab_try *try;  // NULL: none
    double since, seconds;  // of the processor
} under_way;

static double used(void) {
    struct timespec t;
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

static void on_tick(int signal_number) {
    (void)signal_number;
    if (!under_way.try || used() - under_way.since < under_way.seconds) return;
    under_way.try->status = LAB_TRY_LATE;
    _exit(1);
}

static void tick_each(int us) {
    const struct sigaction tick = {.sa_handler = on_tick, .sa_flags = SA_ONSTACK | SA_RESTART};
    const struct itimerval t = {{0, us}, {0, us}};
    if (us) sigaction(SIGALRM, &tick, NULL);
    setitimer(ITIMER_REAL, &t, NULL);
}

// Each of them on the same tensors, brought to the device anew. What an earlier change has broken is mended before.
static attn_status try_on_device(void *const function[2], void *stage, char *arena, lab_request *r) {
    void (*const set_edit)(int) = (void (*)(int))dlsym(stage, "lab_set_edit");
    int (*const is_idle)(int) = (int (*)(int))dlsym(stage, "lab_edit_idle");
    volatile lab_try *const all = (volatile lab_try *)(arena + r->counts);
    float *tensor[LAB_MAX_TENSORS];
    int known = 0;  // what the file as it is meets
    under_way.seconds = 1e-6 * r->busy_us;
    tick_each(TICK_US), hold_open(1);
    for (uint32_t i = 0; i < r->sets; i++) {
        const uint64_t at = LAB_TRIES_BEGIN + i * r->stride;
        const int edit = (int)all[i].edit;
        if (all[i].status != LAB_TRY_WAITS) continue;
        all[i].status = known && is_idle && is_idle(edit) ? LAB_TRY_IDLE : LAB_TRY_RUNS;
        if (all[i].status == LAB_TRY_IDLE) continue;
        set_edit(edit), forget_error();
        int status = device_status(lab_memory_bring(at, r->bytes, 0));
        for (int t = 0; t < LAB_MAX_TENSORS; t++)
            tensor[t] = (float *)(lab_memory_base() + r->offset[t] - LAB_TRIES_BEGIN);
        under_way.since = used(), under_way.try = &all[i];
        if (!status) status = call_one(function, r, tensor);
        const int waited = lab_memory_wait();
        under_way.try = NULL;
        if (waited) status = device_status(waited);
        if (!waited && status < LAB_DEVICE) lab_memory_bring(at, r->bytes, 1);
        all[i].status = LAB_TRY_RETURNED(status);
        known |= !edit;
    }
    tick_each(0), hold_open(0);
    return ATTN_OK;
}

static attn_status serve_one(void *stage, char *arena, lab_request *r, uint32_t *returned) {
    const int second = *r->symbol[1] != 0;
    void *const function[2] = {dlsym(stage, r->symbol[0]), second ? dlsym(stage, r->symbol[1]) : NULL};
    attn_status status = function[0] && (!second || function[1]) ? ATTN_OK : LAB_NO_SYMBOL;
    if (status) return status;
    void (*set_edit)(int) = (void (*)(int))dlsym(stage, "lab_set_edit");  // stages that are graded have none
    trying = r->edit != 0;
    if (set_edit && r->steps & LAB_TRIES && lab_memory_base() != arena) return try_on_device(function, stage, arena, r);
    if (set_edit && r->steps & LAB_TRIES) return lab_tries_call(function, set_edit, arena, r);
    lab_tries_end();
    if (set_edit) set_edit((int)r->edit), forget_error();
    void (*const set_values)(void *, int) =
        r->values ? (void (*)(void *, int))dlsym(stage, "lab_set_values") : NULL;  // nor have they this
    if (set_values) *(int *)(arena + r->values) = 0, set_values(arena + r->values, (int)r->n_values);
    if (r->steps & LAB_LOAD) status = device_status(lab_memory_load(r));
    if (!status && r->steps & LAB_FILL) status = device_status(lab_memory_fill(r));
    if (!status && r->steps & LAB_CAPTURE) {
        const int strict = r->steps & LAB_LOAD;
        int error = lab_memory_record(1, strict);
        if (!error) status = call_sets(function, r, returned), error = lab_memory_record(0, strict);
        if (!error && strict) error = lab_memory_untouched(r);
        if (!status || (error && status == ATTN_CUDA_ERROR)) status = device_status(error);
    }
    if (!status && r->steps & LAB_RUN) lab_counts_begin(lab_memory_base(), r);  // names the tensors for reports, too
    if (!status && r->steps & LAB_RUN) {
        int error = 0;
        if (lab_memory_recorded()) {
            lab_memory_hide(1);
            lab_counts_call();
            error = lab_memory_replay();
            lab_memory_hide(0);
        } else
            status = call_sets(function, r, returned);
        // also after a refusal: otherwise a broken context shows up in a later call
        const int waited = lab_memory_wait();
        if (!waited && !error && !status && r->notes) error = lab_memory_notes(r);
        if (waited || error) status = device_status(waited ? waited : error);
    }
    if (status < LAB_DEVICE && r->steps & LAB_COUNT) lab_counts_end(arena, r);
    if (status < LAB_DEVICE && r->steps & LAB_STORE) {
        const int error = lab_memory_store(r);
        if (error) status = device_status(error);
    }
    if (r->steps & LAB_FREE) lab_memory_free();
    return status;
}

int main(int argc, char **argv) {
    struct stat arena_file;
    if (argc < 2 || fstat(LAB_FD_ARENA, &arena_file)) return 2;
    // Around it nothing lies that a stage could damage.
    char *around =
        mmap(NULL, arena_file.st_size + 2 * FENCE, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    if (around == MAP_FAILED) return 2;
    char *arena =
        mmap(around + FENCE, arena_file.st_size, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_FIXED, LAB_FD_ARENA, 0);
    if (arena == MAP_FAILED) return 2;
    close(LAB_FD_ARENA);  // the mapping stays

    lab_crash_report_to(STDERR_FILENO);
    // CUDA's driver starts with calls that are given up then.
    const int opened = lab_memory_open(arena, arena_file.st_size);
    if (opened) {  // the lab's trouble, not the stage's: its code has not run yet
        fprintf(stderr, "there is no CUDA device that works (error %d)\n", opened);
        reply(0, LAB_NO_DEVICE, 0);
        return 1;
    }
    lab_counts_open();
    if (!lab_give_up_calls()) return 2;
    lab_counts_call();  // C++ may run code of the stage's while it is loaded
    void *stage = dlopen(argv[1], RTLD_NOW | RTLD_LOCAL);
    if (!stage) {
        fprintf(stderr, "%s\n", dlerror());
        reply(0, LAB_NOT_LOADED, 0);
        return 1;
    }
    lab_crash_module(argv[1]);
    const int ready = argc == 2 || lab_pipeline_open(stage, argv + 2);
    if (!lab_memory_makes_code() && !lab_give_up_new_code()) return 2;
    reply(0, ready ? ATTN_OK : LAB_NOT_LOADED, 0);
    for (lab_request r = {0}; ready && read_request(&r);) {
        uint32_t returned = 0;
        const attn_status status = serve_one(stage, arena, &r, &returned);
        reply(r.serial, status, returned);
    }
    return 0;
}
