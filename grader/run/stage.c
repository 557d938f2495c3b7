// stage.c: the checker's end of the protocol.
#define _GNU_SOURCE
#include "stage.h"

#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "backend.h"
#include "device.h"
#include "text.h"

static const double KERNEL_SHARE = 0.6;   // of a call's time is one kernel's
static const double DEVICE_SECONDS = 20;  // for a device to say that it is there

lab_layout lab_layout_of(const lab_op *op, attn_shape shape, int sets) {
    lab_layout layout = {{0}, 0, 0};
    size_t at = LAB_GUARD_BYTES;
    for (int t = 0; t < op->n_tensors; t++) {
        const size_t bytes = op->elements(shape, t) * sizeof(float);
        layout.offset[t] = at;
        at += (bytes + 255) / 256 * 256 + LAB_GUARD_BYTES;  // tensors start on 256 bytes, as cudaMalloc's do
    }
    layout.stride = at - LAB_GUARD_BYTES;  // the guard after a set is the guard before the next
    layout.bytes = layout.stride * sets + LAB_GUARD_BYTES;
    return layout;
}

lab_request lab_request_of(const lab_op *op, attn_shape shape, int sets, uint32_t steps) {
    const lab_layout layout = lab_layout_of(op, shape, sets);
    lab_request r = {.sets = sets,
                     .steps = steps,
                     .shape = shape,
                     .laid_out = shape,
                     .probe = op->probe,
                     .pipeline = op->pipeline,
                     .n_tensors = op->n_tensors,
                     .lengths = op->lengths,
                     .scratch = op->scratch,
                     .bytes = layout.bytes,
                     .stride = layout.stride};
    snprintf(r.op, sizeof r.op, "%s", op->name);
    snprintf(r.symbol[0], sizeof r.symbol[0], "%s", op->symbol);
    snprintf(r.symbol[1], sizeof r.symbol[1], "%s", op->second ? op->second : "");
    for (int t = 0; t < op->n_tensors; t++) {
        snprintf(r.tensor[t], sizeof r.tensor[t], "%s", op->tensors[t]);
        r.elements[t] = op->elements(shape, t);
    }
    memcpy(r.offset, layout.offset, sizeof r.offset);
    return r;
}

// A sealed memfd: the runner can neither shrink it under the checker's feet nor grow it.
static int make_arena(lab_stage *s, size_t bytes) {
    s->arena_fd = memfd_create("lab-arena", MFD_CLOEXEC | MFD_ALLOW_SEALING);
    if (s->arena_fd < 0 || ftruncate(s->arena_fd, bytes)) return 0;
    if (fcntl(s->arena_fd, F_ADD_SEALS, F_SEAL_SHRINK | F_SEAL_GROW | F_SEAL_SEAL)) return 0;
    s->arena = mmap(NULL, bytes, PROT_READ | PROT_WRITE, MAP_SHARED, s->arena_fd, 0);
    s->arena_bytes = bytes;
    return s->arena != MAP_FAILED;
}

static lab_verdict await_reply(lab_stage *s, double seconds, attn_status *status, char *why, size_t size) {
    lab_reply reply;
    s->process.since = lab_now();  // the limit is of the call, not of each token
    s->process.looked = 0;
    do {
        const lab_event event = lab_process_wait(&s->process, &reply, sizeof reply, seconds);
        if (event != LAB_ANSWERED) s->process.since = 0;
        if (event != LAB_ANSWERED) return lab_judge_end(s, event, seconds, why, size);
        if (reply.magic != LAB_MAGIC || reply.serial != s->serial) {
            s->alive = 0;
            snprintf(why, size, "wrote to a descriptor that is not its own: the lab got something that is no answer");
            return LAB_EARLY_EXIT;
        }
        if (reply.more && s->on_token) s->on_token(s->context, reply.sets, reply.token);
    } while (reply.more);
    s->process.since = 0;
    *status = reply.status;
    s->faulted = reply.status >= LAB_DEVICE && reply.status < LAB_DEVICE + 1000;
    // A broken CUDA context stays broken: the next call gets a new process.
    if (s->faulted && !s->options.mends) s->alive = 0;
    return LAB_PASSED;
}

// A runner sees itself, what its command names (the stage, a model's files), and CUDA on the CPU, which stands beside
// it.
static void show_runner(lab_sandbox *s, char *const command[], char *simt, size_t size) {
    const char *slash = strrchr(command[0], '/');
    snprintf(simt, size, "%.*s/../simt", slash ? (int)(slash - command[0]) : 1, slash ? command[0] : ".");
    lab_sandbox_show(s, simt);
    for (int i = 1; command[i]; i++) lab_sandbox_show(s, command[i]);
    s->gpu = lab_backend()->on_gpu;
}

// The loader names the stage by its path; where the lab keeps it is nobody's business.
static void say_without_folder(char *text, const char *path) {
    const char *slash = strrchr(path, '/');
    const size_t folder = slash ? slash + 1 - path : 0;
    for (char *at = text; folder && (at = strstr(at, path)); at++) memmove(at, at + folder, strlen(at + folder) + 1);
}

// *no_device: so the runner says.
static lab_verdict open_stage(lab_stage *s, const lab_stage_options *options, int *no_device, char *why, size_t size) {
    *no_device = 0;
    memset(s, 0, sizeof *s);
    s->options = *options;
    s->arena_fd = -1;
    s->arena = MAP_FAILED;
    s->process.go = s->process.done = s->process.log = -1;
    if (!make_arena(s, options->arena_bytes)) {
        snprintf(why, size, "no memory for %zu MiB of tensors", options->arena_bytes >> 20);
        return LAB_GRADER_ERROR;
    }
    const double call = options->call_seconds > 0 ? options->call_seconds : options->load_seconds;
    lab_limits limits = {.arena = s->arena_fd, .threads = options->threads, .kernel_seconds = KERNEL_SHARE * call};
    lab_sandbox sandbox = {.n_shown = 0};
    char simt[4200];
    if (!options->trusted && lab_sandbox_wanted()) {
        show_runner(&sandbox, options->runner, simt, sizeof simt);
        limits.sandbox = &sandbox;
    }
    if (!options->trusted && !lab_backend()->on_gpu) limits.data_bytes = lab_limits_memory(options->arena_bytes);
    if (!lab_process_start(&s->process, options->runner, &limits)) {
        snprintf(why, size, "cannot start a process");
        return LAB_GRADER_ERROR;
    }
    attn_status status = ATTN_OK;
    const lab_verdict v = await_reply(s, options->load_seconds, &status, why, size);
    if (v != LAB_PASSED) return v;
    if (status != ATTN_OK) {
        lab_process_wait(&s->process, NULL, 0, 0.2);
        say_without_folder(s->process.text, options->stage);
        *no_device = status == LAB_NO_DEVICE;
        snprintf(why, size, "%s%.300s", *no_device ? "" : "cannot be loaded: ", s->process.text);
        lab_clean_text(why);
        return *no_device ? LAB_GRADER_ERROR : LAB_LOAD_ERROR;
    }
    s->alive = 1;
    return LAB_PASSED;
}

int lab_device_works(const char *runner, char *why, size_t size) {
    char *const command[] = {(char *)runner, "none.so", NULL};
    const lab_stage_options options = {
        .runner = command, .stage = command[1], .arena_bytes = 4096, .load_seconds = DEVICE_SECONDS};
    static lab_stage other;
    int no_device;
    const lab_verdict v = open_stage(&other, &options, &no_device, why, size);
    lab_stage_close(&other);
    if (v == LAB_TIMEOUT && !lab_backend()->on_gpu) return 1;  // only a busy processor
    if (v == LAB_TIMEOUT) snprintf(why, size, "there is no CUDA device that works (it does not answer)");
    return v != LAB_TIMEOUT && v != LAB_GRADER_ERROR;
}

// A GPU that has gone leaves errors like those of a wrong kernel, or no answer at all. What the student's code alone
// can have caused (known to device.c) needs no question.
static int device_is_lost(const lab_stage *s, lab_verdict v, attn_status status, const char *during, char *why,
                          size_t size) {
    char said[512];
    const int failed = v == LAB_TIMEOUT || (v == LAB_PASSED && lab_device_may_be_lost(status));
    if (!failed || s->options.trusted || s->options.trying || lab_device_works(s->options.runner[0], said, sizeof said))
        return 0;
    snprintf(why, size, "the GPU was lost during this %s: %s", during, said);
    return 1;
}

lab_verdict lab_stage_open(lab_stage *s, const lab_stage_options *options, char *why, size_t size) {
    char said[512];
    int no_device;
    lab_verdict v = open_stage(s, options, &no_device, why, size);
    // C++ runs code of a stage's while it is loaded, which can forge that answer. A runner with nothing to load cannot.
    if (no_device && lab_device_works(options->runner[0], said, sizeof said)) {
        lab_stage_close(s);
        v = open_stage(s, options, &no_device, why, size);
        if (no_device) snprintf(why, size, "says while it is loaded that there is no device, and there is one");
        if (no_device) return LAB_LOAD_ERROR;
    }
    const int lost = v == LAB_TIMEOUT && device_is_lost(s, v, ATTN_OK, "start", why, size);
    return lost ? LAB_GRADER_ERROR : v;
}

int lab_stage_ask(lab_stage *s, lab_request *request) {
    request->magic = LAB_MAGIC;
    request->serial = ++s->serial;
    request->edit = s->edit;
    return write(s->process.go, request, sizeof *request) == (ssize_t)sizeof *request;
}

lab_verdict lab_stage_answer(lab_stage *s, double seconds, attn_status *status, char *why, size_t size) {
    const lab_verdict v = await_reply(s, seconds, status, why, size);
    return device_is_lost(s, v, *status, "call", why, size) ? LAB_GRADER_ERROR : v;
}

lab_verdict lab_stage_call(lab_stage *s, lab_request *request, double seconds, attn_status *status, char *why,
                           size_t size) {
    if (!lab_stage_ask(s, request))
        return lab_judge_end(s, lab_process_wait(&s->process, NULL, 0, 0.5), 0.5, why, size);
    return lab_stage_answer(s, seconds, status, why, size);
}

void lab_stage_close(lab_stage *s) {
    if (!s->options.runner) return;  // never opened: its descriptors are zeros, not its own
    lab_process_stop(&s->process);
    if (s->arena != MAP_FAILED) munmap(s->arena, s->arena_bytes);
    if (s->arena_fd >= 0) close(s->arena_fd);
    s->arena = MAP_FAILED;
    s->arena_fd = -1;
    s->alive = 0;
}
