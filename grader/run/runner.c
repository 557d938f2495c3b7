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

static void serve(void *stage, char *arena) {
    for (lab_request r; read_request(&r);) {
        void *function = dlsym(stage, lab_op_get(r.op)->symbol);
        attn_status status = function ? ATTN_OK : LAB_NO_SYMBOL;
        uint32_t sets = 0;
        for (; status == ATTN_OK && sets < r.sets; sets++) {
            float *tensor[LAB_MAX_TENSORS];
            for (int t = 0; t < LAB_MAX_TENSORS; t++) tensor[t] = (float *)(arena + r.offset[t] + sets * r.stride);
            status = lab_call_function(function, &r, tensor);
        }
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
    reply(0, ATTN_OK, 0);
    serve(stage, arena);
    return 0;
}
