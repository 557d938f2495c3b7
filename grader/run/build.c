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
#include "expect.h"
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

// Only attn_* (of a probe: lab_probe_*) leave the shared object: a student's own memcpy or clock_gettime stays the
// student's.
static int write_version_script(const char *path, const char *exported) {
    FILE *f = fopen(path, "w");
    if (!f) return 0;
    fprintf(f, "{ global: %s*; local: *; };\n", exported);
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

// What both compilers take. words: room for the arguments that are put together here.
static void compile_command(const lab_task *task, const lab_build_options *o, char words[8][4200],
                            char *argv[MAX_ARGS]) {
    const size_t size = sizeof words[0];
    const char *slash = strrchr(o->source, '/');
    int n = task->language == LAB_CUDA ? cuda_command(argv) : c_command(task, argv), w = 0;
    for (int i = 0; o->tiles && i < 2; i++, w++) {
        snprintf(words[w], size, "-DB%c=%d", i ? 'C' : 'R', o->tiles[i]);
        ADD(words[w]);
    }
    if (o->probe) {  // the folder apart from the name, as it may hold quotes; first, as the lab's own holds such a file, too
        snprintf(words[w], size, "-I%.*s", slash ? (int)(slash - o->source) : 1, slash ? o->source : ".");
        ADD(words[w++]);
        snprintf(words[w], size, "-DLAB_STAGE_FILE=\"%s\"", slash ? slash + 1 : o->source);
        ADD(words[w++]);
        if (task->language != LAB_CUDA) ADD("-Werror=incompatible-pointer-types");  // EXPECT relies on it
    }
    const char *const folders[] = {task->folder, "grader/core", task->headers};
    for (int i = 0; i < 3 && folders[i]; i++, w++) {
        snprintf(words[w], size, "-I%s/%s", o->lab, folders[i]);
        ADD(words[w]);
    }
    if (o->depend) ADD("-MMD"), ADD("-MP"), ADD("-MF"), ADD(o->depend), ADD("-MT"), ADD(o->output);
    snprintf(words[w], size, "--version-script=%s.exports", o->output);
    ADD("-o"), ADD(o->output), ADD(o->probe ? o->probe : o->source), ADD("-Xlinker"), ADD(words[w]), ADD("-lm");
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

// Runs the compiler, and reads its end.
static lab_verdict compile(char *const argv[], const lab_build_options *o, lab_process *p, char *message, size_t size) {
    const lab_limits limits = {.arena = -1, .cpu_seconds = o->seconds, .memory_bytes = (size_t)4 << 30};
    if (!lab_process_start(p, argv, &limits)) {
        snprintf(message, size, "cannot start %s", argv[0]);
        return LAB_GRADER_ERROR;
    }
    const lab_event event = lab_process_wait(p, NULL, 0, o->seconds);
    lab_process_stop(p);
    if (event == LAB_EXITED && p->exit_status == 0) return LAB_PASSED;
    if (event == LAB_TIMED_OUT || event == LAB_SIGNALLED) {
        snprintf(message, size, "the compiler did not finish within %g s", o->seconds);
        return LAB_COMPILE_TIMEOUT;
    }
    if (event == LAB_EXITED && p->exit_status == 127) {
        snprintf(message, size, "%s", p->text);
        return LAB_GRADER_ERROR;
    }
    if (disk_is_full(o->output)) {
        snprintf(message, size, "cannot write %s: %s", o->output, strerror(ENOSPC));
        return LAB_GRADER_ERROR;
    }
    if (!o->probe || !lab_expected(o->probe, p->text, o->source, message, size))
        first_error(p->text, o->source, message, size);
    return LAB_COMPILE_ERROR;
}

lab_verdict lab_build(const lab_task *task, const lab_build_options *o, char *message, size_t size, char *log,
                      size_t log_size) {
    char words[8][4200], exports[4200], *argv[MAX_ARGS];
    message[0] = 0;
    if (log_size) log[0] = 0;
    lab_verdict v = inspect(o->source, message, size);
    if (v != LAB_PASSED) return v;
    snprintf(exports, sizeof exports, "%s.exports", o->output);
    if (!write_version_script(exports, o->probe ? "lab_probe_" : "attn_")) {
        snprintf(message, size, "cannot write %s: %s", exports, strerror(errno));
        return LAB_GRADER_ERROR;
    }
    lab_process *p = calloc(1, sizeof *p);
    compile_command(task, o, words, argv);
    v = p ? compile(argv, o, p, message, size) : LAB_GRADER_ERROR;
    if (p && log_size) snprintf(log, log_size, "%s", p->text);
    unlink(exports);
    free(p);
    return v;
}

int lab_build_probe(const lab_task *task, lab_build_options o) {
    char probe[4200], reason[4200], message[1024] = "there is no probe";
    snprintf(probe, sizeof probe, "%s/grader/probes/%s%s", o.lab, task->id, strrchr(task->file, '.'));
    snprintf(reason, sizeof reason, "%s.txt", o.output);
    unlink(o.output), unlink(reason);
    o.probe = probe;
    if (access(probe, R_OK) == 0 && lab_build(task, &o, message, sizeof message, NULL, 0) == LAB_PASSED) return 1;
    FILE *f = fopen(reason, "w");
    if (!f) return 0;
    fprintf(f, "%s\n", message);
    return fclose(f) == 0;
}
