// kernel.c: names of kernels.
#include "kernel.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "text.h"

// libstdc++'s, as <cxxabi.h> declares it for C++.
extern char *__cxa_demangle(const char *mangled, char *buffer, size_t *length, int *status);

void lab_kernel_init(lab_kernel *kernel, const char *name) {
    snprintf(kernel->name, sizeof kernel->name, "%s", name);
    for (int f = 0; f < LAB_N_FIELDS; f++) kernel->value[f] = NAN;
}

lab_kernel *lab_kernel_find(lab_kernel *kernels, int n, const char *name) {
    for (int i = 0; i < n; i++)
        if (strcmp(kernels[i].name, name) == 0) return &kernels[i];
    return NULL;
}

static int starts(const char *text, const char *start) { return strncmp(text, start, strlen(start)) == 0; }

void lab_kernel_name(const char *name, char *text, size_t size) {
    static const char *const dropped[] = {"(anonymous namespace)::", "(int)", "(bool)"};
    char *plain = starts(name, "_Z") ? __cxa_demangle(name, NULL, NULL, NULL) : NULL;
    const char *p = plain ? plain : name;
    size_t used = 0;
    int depth = 0;  // of template brackets: a '(' inside of them opens a cast, outside of them the parameters
    if (starts(p, "void ")) p += strlen("void ");
    while (*p && used + 1 < size) {
        size_t skip = 0;
        for (size_t i = 0; i < sizeof dropped / sizeof *dropped; i++)
            if (starts(p, dropped[i])) skip = strlen(dropped[i]);
        if (starts(p, " >")) skip = 1;
        if (skip) {
            p += skip;
            continue;
        }
        if (*p == '(' && !depth) break;
        depth += (*p == '<') - (*p == '>');
        text[used++] = *p++;
    }
    text[used] = 0;
    free(plain);
    lab_clean_text(text);
}
