// source_launch.c: a kernel with an array in dynamic shared memory, and a launch that asks for none.
#include "source_hints.h"
#include "source_lines.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

// The third argument between <<< and >>>, without blanks: "" if there are two, NULL if it is no launch.
static const char *bytes_of(const char *line, char bytes[64]) {
    const char *c = strstr(line, "<<<"), *end = c ? strstr(c, ">>>") : NULL;
    int depth = 0, argument = 0;
    size_t n = 0;
    if (!end || c > line + strcspn(line, "\n")) return NULL;
    for (c += 3; c < end; c++) {
        depth += (strchr("([{", *c) != NULL) - (strchr(")]}", *c) != NULL);
        if (*c == ',' && !depth)
            argument++;
        else if (argument == 2 && !strchr(" \t\n", *c) && n < 63)
            bytes[n++] = *c;
    }
    bytes[n] = 0;
    return bytes;
}

int lab_hint_of_launch(const char *text, const char *report, char *sentence, size_t size) {
    static const char launched[] = "launched at ";
    char bytes[64];
    const char *at = strstr(report, launched), *colon = at ? strchr(at, ':') : NULL;
    const char *line = colon ? lab_line_at(text, atoi(colon + 1)) : NULL;
    if (strncmp(report, "host pointer in a kernel", 24) || !line || !strstr(text, "extern __shared__")) return 0;
    if (!bytes_of(line, bytes) || (*bytes && strcmp(bytes, "0"))) return 0;
    snprintf(sentence, size,
             "line %d launches the kernel with no dynamic shared memory, where its extern __shared__ array lies: the "
             "third argument between <<< and >>> is its size in bytes",
             atoi(colon + 1));
    return 1;
}
