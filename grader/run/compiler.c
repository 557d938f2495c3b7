// compiler.c: the compilers of stages, and their flags.
#include "compiler.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "backend.h"

#define ADD(word) argv[n++] = (char *)(word)

// CUDA_ARCH, or what the GPU says of itself ("9.0" is sm_90), or native.
static const char *gpu_architecture(void) {
    static char name[64];
    char said[64];
    const char *arch = getenv("CUDA_ARCH");
    int major, minor;
    if (arch && *arch) return arch;
    if (*name) return name;
    if (lab_gpu_says("compute_cap", said, sizeof said) && sscanf(said, "%d.%d", &major, &minor) == 2)
        snprintf(name, sizeof name, "sm_%d%d", major, minor);
    else
        snprintf(name, sizeof name, "native");
    return name;
}

void lab_compiler_know_gpu(void) { setenv("CUDA_ARCH", gpu_architecture(), 1); }

// CUDA C: by nvcc for the GPU of this machine, or by simtcc for its processors.
static int cuda_compiler(const lab_build_options *o, char *argv[LAB_COMPILER_ARGS]) {
    static char architecture[128];
    int n = 0;
    if (lab_backend()->on_gpu) {
        // sm_90a is sm_90 with wgmma; its code runs on no other device, and the one of this machine is meant.
        if (strcmp(gpu_architecture(), "sm_90") == 0)
            snprintf(architecture, sizeof architecture, "-gencode=arch=compute_90a,code=sm_90a");
        else
            snprintf(architecture, sizeof architecture, "-arch=%.60s", gpu_architecture());
        ADD("nvcc"), ADD(architecture), ADD("-lineinfo"), ADD("-Xcompiler"), ADD("-fPIC,-Wall");
    } else {
        ADD("grader/simt/simtcc");
        if (lab_backend()->checked) ADD("--checked");
        if (!o->edits) ADD("--guest");  // which takes no #line
        if (o->once) ADD("--once");
        ADD("-fPIC"), ADD("-g1"), ADD("-Wall");
        ADD("-Wno-unknown-pragmas"), ADD("-Wno-sign-compare");
    }
    ADD("-std=c++17"), ADD("-O2");
    return n;
}

static const char *c_compiler_name(void) {
    const char *cc = getenv("CC");
    return cc && *cc ? cc : "gcc";
}

static int c_compiler(const lab_task *task, const lab_build_options *o, char *argv[LAB_COMPILER_ARGS]) {
    const int by_clang = strstr(c_compiler_name(), "clang") != NULL;
    int n = 0;
    ADD(c_compiler_name());
    // In version 5 of the debug information binutils names the probe where the line is of the file that it includes.
    ADD("-std=gnu11"), ADD("-march=native"), ADD("-gdwarf-4"), ADD("-g1"), ADD("-fPIC");
    ADD("-ffp-contract=fast"), ADD("-fno-math-errno"), ADD("-fno-trapping-math"), ADD("-fno-omit-frame-pointer");
    ADD("-Wall"), ADD("-Wextra"), ADD("-Wno-unknown-pragmas"), ADD("-fmax-errors=20"), ADD("-fdiagnostics-color=never");
    // Task 1, with which others are compared, has -O3's vectors and none of its copies of loops and functions: as fast, and
    // compiled in two thirds of the time. A file with one change, for its proof, can do without vectors, too.
    ADD(task->language == LAB_C && !by_clang ? "-O2" : "-O3");
    if (task->language == LAB_C && !by_clang && !o->edits) ADD("-ftree-vectorize"), ADD("-fvect-cost-model=dynamic");
    // gcc takes memory from malloc that a function has filled for uninitialized; clang has no such warning.
    if (!by_clang) ADD("-Wno-maybe-uninitialized");
    if (task->language == LAB_C_OPENMP) ADD("-fopenmp");
    return n;
}

// Names of standard headers, and of OpenMP without threads, are found beside the prelude.
static int tiny_compiler(const lab_build_options *o, char *argv[LAB_COMPILER_ARGS], char *word, size_t size) {
    int n = 0;
    ADD("tcc"), ADD("-std=c11"), ADD("-w"), ADD("-D_GNU_SOURCE"), ADD("-D_OPENMP=201511");
    snprintf(word, size, "-I%s/grader/repair/tcc", o->lab);
    ADD(word), ADD("-include"), ADD("prelude.h");
    return n;
}

// What both compilers take.
void lab_compile_command(const lab_task *task, const lab_build_options *o, const lab_room *room,
                         char words[LAB_COMPILER_WORDS][4400], char *argv[LAB_COMPILER_ARGS]) {
    const size_t size = sizeof words[0];
    const char *slash = strrchr(o->source, '/');
    int w = o->tiny == 1, n = w                            ? tiny_compiler(o, argv, words[0], size)
                              : task->language == LAB_CUDA ? cuda_compiler(o, argv)
                                                           : c_compiler(task, o, argv);
    for (int i = 0; o->tiles && i < 2; i++, w++) {
        snprintf(words[w], size, "-DB%c=%d", i ? 'C' : 'R', o->tiles[i]);
        ADD(words[w]);
    }
    if (o->probe) {  // its folder apart, as that may hold quotes; first, as the task's folder holds such a file, too
        snprintf(words[w], size, "-I%.*s", slash ? (int)(slash - o->source) : 1, slash ? o->source : ".");
        ADD(words[w++]);
        snprintf(words[w], size, "-DLAB_STAGE_FILE=\"%s\"", slash ? slash + 1 : o->source);
        ADD(words[w++]);
        if (o->no_steps) ADD("-DLAB_NO_STEPS");
        if (task->language != LAB_CUDA && o->tiny != 1)
            ADD("-Werror=incompatible-pointer-types");  // EXPECT relies on it
    }
    const char *const folders[] = {task->folder, "grader/core", task->headers};
    for (int i = 0; i < 3 && folders[i]; i++, w++) {
        snprintf(words[w], size, "-I%s/%s", o->lab, folders[i]);
        ADD(words[w]);
    }
    // The last one holds. OpenMP's vectors need -O1, and nvcc knows no -Og. Nobody times a probe: hardly optimised it
    // compiles in a third of the time, one of CUDA by simtcc in half of it.
    if (o->tiny == 1) {
        ADD("-c"), ADD("-o"), ADD(room->object), ADD(o->probe ? o->probe : o->source), ADD(NULL);
        return;
    }
    if (o->tiny) ADD("-fsyntax-only"), ADD("-fno-diagnostics-show-caret");
    const int by_nvcc = strcmp(argv[0], "nvcc") == 0;
    if (o->quick || (o->probe && !by_nvcc))
        ADD((task->language == LAB_C_OPENMP && o->quick < 2) || by_nvcc ? "-O1" : "-Og");
    if (o->plain) ADD("-O0"), ADD("-g");
    if (o->edits) ADD("-w"), ADD("-fmax-errors=0");
    // go<D - 8>() until D is 8: a change of its argument never comes to an end, and 900 of them take half a minute
    if (o->edits && task->language == LAB_CUDA) ADD("-ftemplate-depth=40");
    if (o->hooks) ADD("-fno-access-control");    // what changes read may be a class's own
    if (o->edits && task->language != LAB_CUDA)  // what is no C is not to be tried
        ADD("-Werror=implicit-function-declaration"), ADD("-Werror=int-conversion"),
            ADD("-Werror=incompatible-pointer-types");
    if (o->depend) ADD("-MMD"), ADD("-MP"), ADD("-MF"), ADD(room->depend), ADD("-MT"), ADD(o->output);
    ADD("-c"), ADD("-o"), ADD(room->object), ADD(o->probe ? o->probe : o->source);
    ADD(NULL);
}

// Device code of one file needs no linker of its own.
void lab_link_command(const lab_task *task, const lab_build_options *o, const lab_room *room,
                      char words[LAB_COMPILER_WORDS][4400], char *argv[LAB_COMPILER_ARGS]) {
    static const char *const options[] = {"--no-undefined", "-z", "now", "-z", "relro", "-z", "noexecstack"};
    int n = 0;
    if (task->language != LAB_CUDA)
        ADD(c_compiler_name());
    else if (lab_backend()->on_gpu)
        ADD("nvcc"), ADD("--no-device-link");
    else {
        ADD("grader/simt/simtcc");
        if (lab_backend()->checked) ADD("--checked");
    }
    ADD("-shared"), ADD("-o"), ADD(room->stage), ADD(room->object);
    if (o->hooks) ADD(o->hooks);
    if (task->language == LAB_C_OPENMP) ADD("-fopenmp");
    const int undefined_may_stay = task->language == LAB_CUDA && !lab_backend()->on_gpu;
    for (size_t i = undefined_may_stay; i < sizeof options / sizeof *options; i++) ADD("-Xlinker"), ADD(options[i]);
    snprintf(words[0], sizeof words[0], "--version-script=%s", room->exports);
    ADD("-Xlinker"), ADD(words[0]);
    // The C++ library is the runner's: to read its symbols once more takes as long as all the rest of linking.
    // Those of C's libraries are two thirds of what is left. A stage gets the versions of its functions from there; a file
    // with changes, which is only tried, does without: the runner has them.
    const int by_runner = undefined_may_stay && o->edits;
    if (undefined_may_stay) ADD("-nodefaultlibs"), ADD("-lgcc"), ADD("-lgcc_s");
    if (undefined_may_stay && !by_runner) ADD("-lc");
    if (!by_runner) ADD("-lm");
    ADD(NULL);
}
#undef ADD
