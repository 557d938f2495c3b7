// joint.c: a file with many mutants, and objects that are one of them.
#define _GNU_SOURCE
#include "joint.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

enum { NO_MUTANT = 0x4d755461 };  // "aTuM": not to be found by chance

// ---- the joint file

// In the lab's style a function begins with a line that ends with `) {`, and ends with a line that is `}`.
static int opens(const char *line) {
    const size_t n = strcspn(line, "\n");
    return n > 3 && strncmp(line + n - 3, ") {", 3) == 0;
}

static void write_lines(const mutant_text *text, int from, int to, FILE *out) {
    for (int i = from; i < to; i++) fputs(text->line[i], out);
}

// Lines open + 1 to close - 1 are the body; at[i] is the line at which mutant i changes something.
static void write_body(const mutant_text *text, int open, int close, const mutant *mutants, int n, const int at[],
                       FILE *out) {
    int some = 0;
    for (int i = 0; i < n; i++) {
        if (at[i] <= open || at[i] >= close) continue;
        fprintf(out, "%sif (joint_mutant == %d) {\n", some++ ? "} else " : "", i + 1);
        write_lines(text, open + 1, at[i], out);
        for (int k = 0; k < mutants[i].n_to; k++) fprintf(out, "%s\n", mutants[i].to[k]);
        write_lines(text, at[i] + mutants[i].n_from, close, out);
    }
    if (some) fprintf(out, "} else {\n");
    write_lines(text, open + 1, close, out);
    if (some) fprintf(out, "}\n");
}

int joint_write(const mutant *mutants, int n, const char *solution, const char *target, int wanted[]) {
    static mutant_text text;
    int at[MAX_MUTANTS], joined = 0, open = -1;
    FILE *out = mutant_read_text(solution, &text) ? fopen(target, "w") : NULL;
    if (!out) return -1;
    for (int i = 0; i < n; i++) at[i] = wanted[i] && mutant_find(&mutants[i], &text, &at[i]) == 1 ? at[i] : -1;
    memset(wanted, 0, n * sizeof *wanted);
    fprintf(out, "static __attribute__((unused)) volatile int joint_mutant = %d;\n", NO_MUTANT);
    for (int i = 0; i < text.n; i++) {
        if (open < 0) {
            fputs(text.line[i], out);
            if (opens(text.line[i])) open = i;
        } else if (strcmp(text.line[i], "}\n") == 0) {
            for (int k = 0; k < n; k++) {
                if (at[k] < i && at[k] + mutants[k].n_from > i) at[k] = -1;  // more than a body
                if (at[k] > open && at[k] < i) wanted[k] = 1, joined++;
            }
            write_body(&text, open, i, mutants, n, at, out);
            fputs(text.line[i], out);
            open = -1;
        }
    }
    return fclose(out) == 0 ? joined : -1;
}

// ---- its objects

int joint_choose(const char *object, int i, const char *copy) {
    static const int none = NO_MUTANT;
    const int mutant = i + 1;
    struct stat st;
    FILE *in = fopen(object, "r"), *out = fopen(copy, "w");
    char *bytes = in && fstat(fileno(in), &st) == 0 ? malloc(st.st_size) : NULL;
    int ok = bytes && out && fread(bytes, 1, st.st_size, in) == (size_t)st.st_size;
    char *place = ok ? memmem(bytes, st.st_size, &none, sizeof none) : NULL;
    ok = place && !memmem(place + 1, bytes + st.st_size - place - 1, &none, sizeof none);
    if (ok) memcpy(place, &mutant, sizeof mutant);
    ok = ok && fwrite(bytes, 1, st.st_size, out) == (size_t)st.st_size;
    if (in) fclose(in);
    if (out) ok = fclose(out) == 0 && ok;
    free(bytes);
    return ok && chmod(copy, 0755) == 0;
}
