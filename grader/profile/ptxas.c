// ptxas.c: the lines of ptxas -v that begin a kernel, and the two that describe it.
//
//     ptxas info    : Compiling entry function '_Z7softmaxPfPKfi' for 'sm_90'
//     ptxas info    : Function properties for _Z7softmaxPfPKfi
//         0 bytes stack frame, 0 bytes spill stores, 0 bytes spill loads
//     ptxas info    : Used 30 registers, used 1 barriers, 32 bytes smem
//
// Properties of other functions (one that was not inlined) come before "Used" too, and are not the kernel's.
#include "ptxas.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "text.h"

// The number in front of `unit` in a line, as in "32 bytes smem"; 0 if it is not there: ptxas leaves out what is zero.
static double number_before(const char *line, const char *unit) {
    const char *at = strstr(line, unit);
    if (!at || at == line) return 0;
    while (at > line && at[-1] == ' ') at--;
    while (at > line && at[-1] >= '0' && at[-1] <= '9') at--;
    return atof(at);
}

// The text between the first two quotes from `from` on.
static const char *quoted(const char *from, char *text, size_t size) {
    const char *start = strchr(from, '\''), *end = start ? strchr(start + 1, '\'') : NULL;
    text[0] = 0;
    if (!end) return NULL;
    snprintf(text, size, "%.*s", (int)(end - start - 1), start + 1);
    return end + 1;
}

static void begin_kernel(lab_kernel *k, const char *line, char *mangled, size_t size, char *arch, size_t arch_size) {
    char name[LAB_KERNEL_NAME];
    const char *rest = quoted(line, mangled, size);
    if (rest) quoted(rest, arch, arch_size);
    lab_clean_text(arch);
    lab_kernel_name(mangled, name, sizeof name);
    lab_kernel_init(k, name);
}

int lab_ptxas_parse(const char *log, lab_kernel kernels[LAB_MAX_KERNELS], char *arch, size_t size) {
    char line[4096], mangled[4096] = "";
    int n = 0, own = 0;  // own: the next line of properties is the kernel's
    arch[0] = 0;
    for (const char *p = log; *p; p += strcspn(p, "\n"), p += *p == '\n') {
        snprintf(line, sizeof line, "%.*s", (int)strcspn(p, "\n"), p);
        const char *properties = strstr(line, "Function properties for ");
        if (strstr(line, "Compiling entry function '")) {
            if (n == LAB_MAX_KERNELS) break;
            begin_kernel(&kernels[n++], line, mangled, sizeof mangled, arch, size);
        } else if (properties && n) {
            own = strcmp(properties + strlen("Function properties for "), mangled) == 0;
        } else if (own && strstr(line, "bytes stack frame")) {
            kernels[n - 1].value[LAB_STACK_BYTES] = number_before(line, "bytes stack frame");
            kernels[n - 1].value[LAB_SPILL_BYTES] =
                number_before(line, "bytes spill stores") + number_before(line, "bytes spill loads");
            own = 0;
        } else if (n && strstr(line, ": Used ") && strstr(line, " registers")) {
            kernels[n - 1].value[LAB_REGISTERS] = number_before(line, " registers");
            kernels[n - 1].value[LAB_SHARED_BYTES] = number_before(line, "bytes smem");
        }
    }
    return n;
}
