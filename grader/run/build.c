// build.c: compile one stage, with limits, and keep what the compiler says.
#define _GNU_SOURCE
#include "build.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/statvfs.h>
#include <unistd.h>

#include "backend.h"
#include "process.h"
#include "text.h"

enum { MAX_SOURCE_BYTES = 1 << 20, MAX_ARGS = 48, LEAST_ROOM = 1 << 20 };

// A regular file of a sane size, not a link: its content is then the compiler's business.
static lab_verdict inspect(const char *path, char *message, size_t size) {
    struct stat st;
    if (lstat(path, &st)) {
        snprintf(message, size, "there is no file %s", path);
        return LAB_MISSING;
    }
    if (!S_ISREG(st.st_mode)) {
        snprintf(message, size, "%s is %s: it must be a regular file", path,
                 S_ISDIR(st.st_mode)   ? "a folder"
                 : S_ISLNK(st.st_mode) ? "a link"
                                       : "a special file");
        return LAB_FORBIDDEN_FILE;
    }
    if (st.st_size == 0) {
        snprintf(message, size, "%s is empty", path);
        return LAB_MISSING;
    }
    if (st.st_size > MAX_SOURCE_BYTES) {
        snprintf(message, size, "%s is larger than %d KiB", path, MAX_SOURCE_BYTES >> 10);
        return LAB_FORBIDDEN_FILE;
    }
    return LAB_PASSED;
}

// Only attn_* leave the shared object: a student's own memcpy or clock_gettime stays the student's.
static int write_version_script(const char *path) {
    FILE *f = fopen(path, "w");
    if (!f) return 0;
    fputs("{ global: attn_*; local: *; };\n", f);
    return fclose(f) == 0;
}

#define ADD(word) argv[n++] = (char *)(word)

// CUDA_ARCH, or what the first GPU says of itself ("9.0" is sm_90), or native.
static const char *gpu_architecture(void) {
    static char name[64];
    const char *arch = getenv("CUDA_ARCH");
    int major, minor;
    if (arch && *arch) return arch;
    if (*name) return name;
    FILE *f = popen("nvidia-smi --query-gpu=compute_cap --format=csv,noheader 2>/dev/null", "r");
    if (f && fscanf(f, "%d.%d", &major, &minor) == 2)
        snprintf(name, sizeof name, "sm_%d%d", major, minor);
    else
        snprintf(name, sizeof name, "native");
    if (f) pclose(f);
    return name;
}

// CUDA C: by nvcc for the GPU of this machine, or by simtcc for its processors.
static int cuda_command(char *argv[MAX_ARGS]) {
    static char architecture[80];
    int n = 0;
    if (strcmp(lab_backend(), "cuda") == 0) {
        snprintf(architecture, sizeof architecture, "-arch=%.60s", gpu_architecture());
        ADD("nvcc"), ADD(architecture), ADD("-lineinfo"), ADD("-Xcompiler"), ADD("-fPIC,-Wall"), ADD("-Xlinker");
        ADD("--no-undefined");
    } else {
        ADD("grader/simt/simtcc");
        if (lab_checked()) ADD("--checked");
        ADD("-fPIC"), ADD("-g"), ADD("-Wall");
        ADD("-Wno-unknown-pragmas"), ADD("-Wno-sign-compare");
    }
    ADD("-std=c++17"), ADD("-O2"), ADD("-shared");
    return n;
}

static int c_command(const lab_task *task, char *argv[MAX_ARGS]) {
    const char *cc = getenv("CC");
    int n = 0;
    ADD(cc && *cc ? cc : "gcc");
    ADD("-std=gnu11"), ADD("-O3"), ADD("-march=native"), ADD("-g"), ADD("-fPIC"), ADD("-shared");
    ADD("-ffp-contract=fast"), ADD("-fno-math-errno"), ADD("-fno-trapping-math"), ADD("-fno-omit-frame-pointer");
    ADD("-Wall"), ADD("-Wextra"), ADD("-Wno-unknown-pragmas"), ADD("-fmax-errors=20"), ADD("-fdiagnostics-color=never");
    if (task->language == LAB_C_OPENMP) ADD("-fopenmp");
    ADD("-Wl,--no-undefined"), ADD("-Wl,-z,now");
    return n;
}

static void compile_command(const lab_task *task, const lab_build_options *o, const char *exports, char *include[3],
                            char *argv[MAX_ARGS]) {
    static char tiles[2][32];
    int n = task->language == LAB_CUDA ? cuda_command(argv) : c_command(task, argv);
    for (int i = 0; o->tiles && i < 2; i++) {
        snprintf(tiles[i], sizeof tiles[i], "-DB%c=%d", i ? 'C' : 'R', o->tiles[i]);
        ADD(tiles[i]);
    }
    ADD(include[0]), ADD(include[1]), ADD(include[2]);
    if (o->depend) ADD("-MMD"), ADD("-MP"), ADD("-MF"), ADD(o->depend), ADD("-MT"), ADD(o->output);
    ADD("-o"), ADD(o->output), ADD(o->source), ADD("-Xlinker"), ADD(exports), ADD("-lm");
    ADD(NULL);
}
#undef ADD

// The first line that reports an error, or the first line at all. Warnings may come before it.
static void first_error(const char *log, const char *source, char *message, size_t size) {
    static const char *const signs[] = {": error: ", ": fatal error: ", "undefined reference"};
    const char *line = NULL, *slash = strrchr(source, '/'), *name = slash ? slash + 1 : source;
    for (size_t i = 0; i < sizeof signs / sizeof *signs; i++) {
        const char *at = strstr(log, signs[i]);
        if (at && (!line || at < line)) line = at;
    }
    if (!line) line = log;
    while (line > log && line[-1] != '\n') line--;
    // The path is the lab's business, the file's name the student's.
    const char *end = line + strcspn(line, "\n"), *file = strstr(line, name);
    if (file && file < end && file[strlen(name)] == ':') line = file;
    snprintf(message, size, "%.*s", (int)(end - line), line);
    lab_clean_text(message);
}

// Without room for its output or its temporary files a compiler fails, and that is not the student's error.
static int disk_is_full(const char *output) {
    const char *temporary = getenv("TMPDIR"), *slash = strrchr(output, '/');
    struct statvfs disk;
    char folder[4096];
    snprintf(folder, sizeof folder, "%.*s", slash ? (int)(slash + 1 - output) : 1, slash ? output : ".");
    return (statvfs(folder, &disk) == 0 && disk.f_bavail * disk.f_frsize < LEAST_ROOM) ||
           (statvfs(temporary && *temporary ? temporary : "/tmp", &disk) == 0 &&
            disk.f_bavail * disk.f_frsize < LEAST_ROOM);
}

lab_verdict lab_build(const lab_task *task, const lab_build_options *o, char *message, size_t size, char *log,
                      size_t log_size) {
    message[0] = 0;
    if (log_size) log[0] = 0;
    lab_verdict v = inspect(o->source, message, size);
    if (v != LAB_PASSED) return v;

    char *include[3] = {NULL, NULL, NULL}, *exports = NULL, *option = NULL, *argv[MAX_ARGS];
    lab_process *p = malloc(sizeof *p);
    v = LAB_GRADER_ERROR;
    const int ready = p && asprintf(&include[0], "-I%s/%s", o->lab, task->folder) > 0 &&
                      asprintf(&include[1], "-I%s/grader/core", o->lab) > 0 &&
                      asprintf(&include[2], "-I%s/%s", o->lab, task->headers ? task->headers : "grader/core") > 0 &&
                      asprintf(&exports, "%s.exports", o->output) > 0 &&
                      asprintf(&option, "--version-script=%s", exports) > 0;
    const lab_limits limits = {.arena = -1, .cpu_seconds = o->seconds, .memory_bytes = (size_t)4 << 30};
    if (!ready || !write_version_script(exports)) {
        snprintf(message, size, "cannot write %s: %s", exports ? exports : o->output, strerror(errno));
    } else {
        compile_command(task, o, option, include, argv);
        if (!lab_process_start(p, argv, &limits))
            snprintf(message, size, "cannot start %s", argv[0]);
        else {
            const lab_event event = lab_process_wait(p, NULL, 0, o->seconds);
            if (event == LAB_EXITED && p->exit_status == 0)
                v = LAB_PASSED;
            else if (event == LAB_EXITED && p->exit_status == 127)
                snprintf(message, size, "%s", p->text);
            else if (event == LAB_TIMED_OUT || event == LAB_SIGNALLED) {
                v = LAB_COMPILE_TIMEOUT;
                snprintf(message, size, "the compiler did not finish within %g s", o->seconds);
            } else if (disk_is_full(o->output)) {
                snprintf(message, size, "cannot write %s: %s", o->output, strerror(ENOSPC));
            } else {
                v = LAB_COMPILE_ERROR;
                first_error(p->text, o->source, message, size);
            }
            if (log_size) snprintf(log, log_size, "%s", p->text);
            lab_process_stop(p);
        }
        unlink(exports);
    }
    free(p), free(include[0]), free(include[1]), free(include[2]), free(exports), free(option);
    return v;
}
