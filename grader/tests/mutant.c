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
        else if (m && strcmp(line, "gpu: other words") == 0)
            m->other_words = 1;
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

int mutant_read_text(const char *path, mutant_text *text) {
    FILE *in = fopen(path, "r");
    text->n = 0;
    if (!in) return 0;
    while (text->n < MAX_LINES && fgets(text->line[text->n], sizeof text->line[0], in)) text->n++;
    return fclose(in) == 0;
}

static int matches_at(const mutant *m, const mutant_text *text, int i) {
    int k = 0;
    while (k < m->n_from && i + k < text->n && same_line(text->line[i + k], m->from[k])) k++;
    return k == m->n_from;
}

int mutant_find(const mutant *m, const mutant_text *text, int *at) {
    int matches = 0;
    for (int i = 0; m->n_from && i < text->n; i++) {
        if (!matches_at(m, text, i)) continue;
        matches++, *at = i;
        i += m->n_from - 1;
    }
    return matches;
}

int mutant_apply(const mutant *m, const char *solution, const char *target) {
    static mutant_text text;
    int at = -1;
    FILE *out = fopen(target, "w");
    if (!out || !mutant_read_text(solution, &text)) return -1;
    const int matches = mutant_find(m, &text, &at);
    for (int i = 0; i < text.n; i++) {
        for (int k = 0; i == at && k < m->n_to; k++) fprintf(out, "%s\n", m->to[k]);
        if (at < 0 || i < at || i >= at + m->n_from) fputs(text.line[i], out);
    }
    fclose(out);
    return matches;
}
