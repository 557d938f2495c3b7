// compiler.c: the compilers of stages, and their flags.
#include "compiler.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "backend.h"

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
static int cuda_command(char *argv[LAB_COMPILER_ARGS]) {
    static char architecture[128];
    int n = 0;
    if (lab_backend()->on_gpu) {
        // sm_90a is sm_90 with wgmma; its code runs on no other device, and the one of this machine is meant.
        if (strcmp(gpu_architecture(), "sm_90") == 0)
            snprintf(architecture, sizeof architecture, "-gencode=arch=compute_90a,code=sm_90a");
        else
            snprintf(architecture, sizeof architecture, "-arch=%.60s", gpu_architecture());
        ADD("nvcc"), ADD(architecture), ADD("-lineinfo"), ADD("-Xcompiler"), ADD("-fPIC,-Wall"), ADD("-Xlinker");
        ADD("--no-undefined");
    } else {
        ADD("grader/simt/simtcc");
        if (lab_backend()->checked) ADD("--checked");
        ADD("-fPIC"), ADD("-g"), ADD("-Wall");
        ADD("-Wno-unknown-pragmas"), ADD("-Wno-sign-compare");
    }
    ADD("-std=c++17"), ADD("-O2"), ADD("-shared");
    return n;
}

static int c_command(const lab_task *task, char *argv[LAB_COMPILER_ARGS]) {
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
void lab_compile_command(const lab_task *task, const lab_build_options *o, const lab_room *room, char words[8][4400],
                         char *argv[LAB_COMPILER_ARGS]) {
    const size_t size = sizeof words[0];
    const char *slash = strrchr(o->source, '/');
    int n = task->language == LAB_CUDA ? cuda_command(argv) : c_command(task, argv), w = 0;
    for (int i = 0; o->tiles && i < 2; i++, w++) {
        snprintf(words[w], size, "-DB%c=%d", i ? 'C' : 'R', o->tiles[i]);
        ADD(words[w]);
    }
    if (o->probe) {  // its folder apart, as that may hold quotes; first, as the task's folder holds such a file, too
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
    if (o->depend) ADD("-MMD"), ADD("-MP"), ADD("-MF"), ADD(room->depend), ADD("-MT"), ADD(o->output);
    snprintf(words[w], size, "--version-script=%s", room->exports);
    ADD("-o"), ADD(room->object), ADD(o->probe ? o->probe : o->source), ADD("-Xlinker"), ADD(words[w]), ADD("-lm");
    ADD(NULL);
}
#undef ADD
