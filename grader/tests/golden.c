// golden.c: an .npy file is a magic number, a version, the length of a header, the header (a dictionary), numbers.
//
//     "\x93NUMPY" 1 0 LL  {'descr': '<f4', 'fortran_order': False, 'shape': (1, 2, 64), }  data
#include "golden.h"

#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

// The product of the numbers in "'shape': (1, 2, 64)"; 0 if there is none.
static size_t elements(const char *header) {
    const char *at = strstr(header, "'shape': (");
    size_t n = at != NULL;
    if (at) at += strlen("'shape': (");
    while (at && *at && *at != ')') {
        char *end;
        n *= strtoull(at, &end, 10);
        if (end == at) return 0;
        at = end + strspn(end, ", ");
    }
    return n;
}

static float *read_array(FILE *f, size_t *n) {
    unsigned char start[10];
    char header[1024] = "";
    if (fread(start, 1, sizeof start, f) != sizeof start || memcmp(start, "\x93NUMPY\x01", 7)) return NULL;
    const size_t length = start[8] | start[9] << 8;
    if (length >= sizeof header || fread(header, 1, length, f) != length) return NULL;
    if (!strstr(header, "'descr': '<f4'") || !strstr(header, "'fortran_order': False")) return NULL;
    *n = elements(header);
    float *x = *n ? malloc(*n * sizeof *x) : NULL;
    if (x && (fread(x, sizeof *x, *n, f) != *n || fgetc(f) != EOF)) free(x), x = NULL;
    return x;
}

float *golden_read(const char *name, size_t *n) {
    char path[512];
    snprintf(path, sizeof path, "grader/golden/%s", name);
    FILE *f = fopen(path, "rb");
    float *x = f ? read_array(f, n) : NULL;
    if (!x) fprintf(stderr, "%s: %s\n", path, f ? "not a float32 array" : "cannot be read; run from the lab's root");
    if (f) fclose(f);
    return x;
}
