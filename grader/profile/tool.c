// tool.c: finding a program, reading a file.
#include "tool.h"

#include <glob.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static int is_program(const char *path) { return access(path, X_OK) == 0; }

static int find_in_path(const char *name, char *path, size_t size) {
    const char *folders = getenv("PATH");
    while (folders && *folders) {
        const size_t n = strcspn(folders, ":");
        snprintf(path, size, "%.*s/%s", (int)n, folders, name);
        if (n && is_program(path)) return 1;
        folders += n + (folders[n] == ':');
    }
    return 0;
}

int lab_tool_find(const char *name, const char *variable, char *path, size_t size) {
    static const char *const usual[] = {"/usr/local/cuda/bin/%s", "/opt/nvidia/nsight-compute/*/%s",
                                        "/usr/local/cuda/compute-sanitizer/%s"};
    const char *asked = getenv(variable);
    if (asked && *asked) {
        snprintf(path, size, "%s", asked);
        return is_program(path);
    }
    if (find_in_path(name, path, size)) return 1;
    for (size_t i = 0; i < sizeof usual / sizeof *usual; i++) {
        char pattern[256];
        glob_t found;
        snprintf(pattern, sizeof pattern, usual[i], name);
        const int ok = glob(pattern, 0, NULL, &found) == 0;
        if (ok) snprintf(path, size, "%s", found.gl_pathv[found.gl_pathc - 1]);  // the newest of several versions
        if (ok) globfree(&found);
        if (ok && is_program(path)) return 1;
    }
    return 0;
}

int lab_has_gpu(void) {
    glob_t found;
    const int ok = glob("/dev/nvidia[0-9]*", 0, NULL, &found) == 0;
    if (ok) globfree(&found);
    return ok || access("/dev/dxg", F_OK) == 0;  // the second is WSL2's
}

char *lab_read_text(const char *path) {
    enum { MOST = 16 << 20 };
    FILE *f = fopen(path, "r");
    char *text = f ? malloc(MOST + 1) : NULL;
    if (text) text[fread(text, 1, MOST, f)] = 0;
    if (f) fclose(f);
    return text;
}
