// mutant.c: reads the catalogue and applies an edit.
#define _GNU_SOURCE
#include "mutant.h"

#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static char *trimmed(char *line) {
    line[strcspn(line, "\n")] = 0;
    return line;
}

static int field(const char *line, const char *name, char *value, size_t size) {
    const size_t n = strlen(name);
    if (strncmp(line, name, n)) return 0;
    snprintf(value, size, "%s", line + n + strspn(line + n, " "));
    return 1;
}

int mutant_read(const char *path, mutant *mutants) {
    char line[1024], base[128] = "grader/solutions";
    int n = 0;
    FILE *f = fopen(path, "r");
    while (f && fgets(line, sizeof line, f)) {
        mutant *m = n ? &mutants[n - 1] : NULL;
        trimmed(line);
        if (field(line, "base:", base, sizeof base)) continue;
        if (line[0] == '[' && n < MAX_MUTANTS) {
            memcpy(mutants[n].base, base, sizeof base);
            sscanf(line, "[%63[^]]", mutants[n++].name);
        } else if (m && strncmp(line, "todo:", 5) == 0)
            sscanf(line + 5, "%15s %31s", m->todo, m->at_todo);
        else if (m && strcmp(line, "gpu: may pass") == 0)
            m->lucky = 1;
        else if (!m || field(line, "expect:", m->expect, sizeof m->expect) ||
                 field(line, "says:", m->says, sizeof m->says))
            continue;
        else if (line[0] == '-' && m->n_from < MAX_EDIT)
            m->from[m->n_from++] = strdup(line + 1 + (line[1] == ' '));
        else if (line[0] == '+' && m->n_to < MAX_EDIT)
            m->to[m->n_to++] = strdup(line + 1 + (line[1] == ' '));
    }
    if (f) fclose(f);
    return n;
}

// ---- the edit

static const char *skip_blanks(const char *s) { return s + strspn(s, " \t"); }

static int same_line(const char *a, const char *b) {
    a = skip_blanks(a), b = skip_blanks(b);
    size_t n = strlen(a), m = strlen(b);
    while (n && isspace((unsigned char)a[n - 1])) n--;
    while (m && isspace((unsigned char)b[m - 1])) m--;
    return n == m && strncmp(a, b, n) == 0;
}

int mutant_apply(const mutant *m, const char *solution, const char *target) {
    static char lines[4000][512];
    int n = 0, matches = 0;
    FILE *in = fopen(solution, "r"), *out = fopen(target, "w");
    if (!in || !out) return -1;
    while (n < 4000 && fgets(lines[n], sizeof lines[n], in)) n++;
    fclose(in);
    for (int i = 0; i < n; i++) {
        int k = 0;
        while (k < m->n_from && i + k < n && same_line(lines[i + k], m->from[k])) k++;
        if (k < m->n_from) {
            fputs(lines[i], out);
            continue;
        }
        matches++;
        for (int j = 0; j < m->n_to; j++) fprintf(out, "%s\n", m->to[j]);
        i += k - 1;
    }
    fclose(out);
    return matches;
}
