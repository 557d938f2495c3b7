// runner.c: the untrusted side. Loads one stage (a shared object made from a student's file) and calls it on request.
//
//     runner STAGE.so        descriptors: 3 requests, 4 replies, 5 the arena
//
// It knows no seed, no expected output and no verdict. Whatever the stage does to this process, it can only make it look
// worse: the checker reads the outputs and the clock itself.
#define _GNU_SOURCE
#include <dlfcn.h>
#include <stdio.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include "call.h"
#include "crash.h"
#include "memory.h"

static int read_request(lab_request *r) {
    for (size_t got = 0; got < sizeof *r;) {
        ssize_t n = read(LAB_FD_GO, (char *)r + got, sizeof *r - got);
        if (n <= 0) return 0;
        got += n;
    }
    return r->magic == LAB_MAGIC;
}

static void reply(uint32_t serial, int32_t status, uint32_t sets) {
    const lab_reply r = {LAB_MAGIC, serial, status, sets};
    fflush(NULL);  // what the stage printed reaches the log before its answer
    if (write(LAB_FD_DONE, &r, sizeof r) != sizeof r) _exit(1);
}

static void serve(void *stage, char *base) {
    for (lab_request r; read_request(&r);) {
        void *function = dlsym(stage, lab_op_get(r.op)->symbol);
        attn_status status = function ? ATTN_OK : LAB_NO_SYMBOL;
        uint32_t sets = 0;
        int device = status == ATTN_OK ? lab_memory_load(r.bytes) : 0;
        if (device) status = LAB_DEVICE + device;
        for (; status == ATTN_OK && sets < r.sets; sets++) {
            float *tensor[LAB_MAX_TENSORS];
            for (int t = 0; t < LAB_MAX_TENSORS; t++) tensor[t] = (float *)(base + r.offset[t] + sets * r.stride);
            status = lab_call_function(function, &r, tensor);
        }
        if (function && !device && (device = lab_memory_store(r.bytes))) status = LAB_DEVICE + device;
        reply(r.serial, status, sets);
    }
}

int main(int argc, char **argv) {
    struct stat arena_file;
    if (argc != 2 || fstat(LAB_FD_ARENA, &arena_file)) return 2;
    char *arena = mmap(NULL, arena_file.st_size, PROT_READ | PROT_WRITE, MAP_SHARED, LAB_FD_ARENA, 0);
    if (arena == MAP_FAILED) return 2;

    lab_crash_report_to(STDERR_FILENO);
    void *stage = dlopen(argv[1], RTLD_NOW | RTLD_LOCAL);
    if (!stage) {
        fprintf(stderr, "%s\n", dlerror());
        reply(0, LAB_NOT_LOADED, 0);
        return 1;
    }
    lab_crash_module(argv[1]);
    char *base = lab_memory_open(arena, arena_file.st_size);
    if (!base) fprintf(stderr, "no device memory for the tensors\n");
    reply(0, base ? ATTN_OK : LAB_NOT_LOADED, 0);
    if (base) serve(stage, base);
    return 0;
}
