// given_back.c: what of the handout is not in a student's file, or not where it was, and the file with it.
#define _GNU_SOURCE
#include "given_back.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "given_text.h"

typedef struct {
    lab_text skeleton, own;
    int *in_own, *in_skeleton;  // by a line's number, the number of the same line in the other file, in order; -1: none
} pairs;

// The longest common subsequence of the lines that are not empty.
static int pair_lines(pairs *p) {
    const int n = p->skeleton.n, m = p->own.n;
    p->in_own = malloc((size_t)(n + 1) * sizeof *p->in_own), p->in_skeleton = malloc((size_t)(m + 1) * sizeof(int));
    int(*longest)[m + 1] = calloc((size_t)(n + 1), sizeof *longest);
    for (int i = 0; p->in_own && i < n; i++) p->in_own[i] = -1;
    for (int k = 0; p->in_skeleton && k < m; k++) p->in_skeleton[k] = -1;
    if (!p->in_own || !p->in_skeleton || !longest) {
        free(longest);
        return 0;
    }
    for (int i = n - 1; i >= 0; i--)
        for (int k = m - 1; k >= 0; k--) {
            const int same = *p->own.line[k] && !strcmp(p->skeleton.line[i], p->own.line[k]);
            const int more = longest[i + 1][k] > longest[i][k + 1] ? longest[i + 1][k] : longest[i][k + 1];
            longest[i][k] = same && longest[i + 1][k + 1] + 1 > more ? longest[i + 1][k + 1] + 1 : more;
        }
    for (int i = 0, k = 0; i < n && k < m;) {
        const int same = *p->own.line[k] && !strcmp(p->skeleton.line[i], p->own.line[k]);
        if (same && longest[i][k] == longest[i + 1][k + 1] + 1)
            p->in_own[i] = k, p->in_skeleton[k] = i, i++, k++;
        else if (longest[i + 1][k] > longest[i][k + 1])  // rather a line of the student's own than a lost one
            i++;
        else
            k++;
    }
    free(longest);
    return 1;
}

// return 0.0f; is there to be replaced.
static int is_stub(const char *line) { return !strncmp(line, "return ", 7) && line[7] >= '0' && line[7] <= '9'; }

static int is_given(const pairs *p, int i) {
    const char *line = p->skeleton.line[i];
    return strlen(line) >= LAB_LEAST_LETTERS && !strstr(line, "TODO") && !lab_is_switch(line) && i > 0 &&
           *line != '#' && !is_stub(line) && !p->skeleton.todo[i - 1];
}

// The own line that stands where line i of the skeleton did, behind `last` and before `next`. -1: there is none.
static int altered(const pairs *p, int i, int last, int next) {
    int alone = -1, n = 0;
    for (int k = last + 1; k < next; k++) {
        if (!*p->own.line[k] || p->in_skeleton[k] >= 0) continue;
        if (lab_are_alike(p->skeleton.line[i], p->own.line[k])) return k;
        alone = k, n++;
    }
    const int single = i + 1 < p->skeleton.n && p->in_own[i - 1] >= 0 && p->in_own[i + 1] >= 0;
    return n == 1 && single ? alone : -1;
}

// A barrier elsewhere is the student's own.
static int moved(const pairs *p, int i) {
    if (!strncmp(p->skeleton.line[i], "__sync", 6)) return -1;
    for (int k = 0; k < p->own.n; k++)
        if (p->in_skeleton[k] < 0 && !strcmp(p->own.line[k], p->skeleton.line[i])) return k;
    return -1;
}

static int is_end(const char *line) { return !strcmp(line, "}"); }

// The line that begins the block which line `end` ends; -1: there is none.
static int begin_of(const lab_text *t, int end) {
    for (int k = end, depth = 0; k >= 0; k--)
        for (const char *c = t->line[k] + strlen(t->line[k]); c-- > t->line[k];) {
            depth += (*c == '}') - (*c == '{');
            if (*c == '{' && !depth) return k;
        }
    return -1;
}

// The line that ends the block which line `begin` begins; -1: it does not stand alone there.
static int end_of(const lab_text *t, int begin) {
    int depth = 1;
    for (int k = begin + 1; k < t->n; k++)
        for (const char *c = t->line[k]; *c; c++) {
            depth += (*c == '{') - (*c == '}');
            if (!depth) return is_end(t->line[k]) ? k : -1;
        }
    return -1;
}

// Own lines from a on, before b, that say something.
static int is_between(const pairs *p, int a, int b) {
    while (a < b && !*p->own.line[a]) a++;
    return a < b;
}

// The } of the skeleton's line i stands elsewhere: lines have come into its block, or have left it. *begin: its first one.
static int ends_elsewhere(const pairs *p, int i, int *begin) {
    *begin = is_end(p->skeleton.line[i]) ? begin_of(&p->skeleton, i) : -1;
    return *begin >= 0 && p->in_own[*begin] >= 0 ? end_of(&p->own, p->in_own[*begin]) : -1;
}

// Lines of one statement, which were taken out together.
static int last_of_statement(const pairs *p, int i) {
    while (i + 1 < p->skeleton.n && p->in_own[i + 1] < 0 &&
           !strchr(";{}", p->skeleton.line[i][strlen(p->skeleton.line[i]) - 1]) && *p->skeleton.line[i + 1])
        i++;
    return i;
}

// The file without its line `without`, and with these lines of the skeleton behind its line `behind`; from 0 on, -1: none.
static int write_back(const pairs *p, const char *source, const char *output, int behind, int without, int from,
                      int to) {
    FILE *in = fopen(source, "r"), *out = in ? fopen(output, "w") : NULL;
    char *row = NULL;
    size_t room = 0;
    for (int k = -1; out && (k < 0 || getline(&row, &room, in) >= 0); k++) {
        if (k >= 0 && k != without) fputs(row, out);
        for (int i = from; k == behind && i <= to; i++) fprintf(out, "%s\n", p->skeleton.line[i]);
    }
    free(row);
    if (in) fclose(in);
    return out && fclose(out) == 0;
}

// Behind which own line does line i of the skeleton belong? What a TODO before it asked for stands before it, too.
static int place_of(const pairs *p, int i, int last, int next) {
    for (int j = i - 1; j >= 0 && p->in_own[j] < 0; j--)
        if (p->skeleton.todo[j]) return next - 1;
    return last;
}

static int put_back(const pairs *p, const char *source, int wanted, const char *output, lab_given *g) {
    int last = -1, n = 0;
    for (int i = 0; i < p->skeleton.n; i++) {
        if (p->in_own[i] >= 0) last = p->in_own[i];
        int next = p->own.n, to = i, begin;
        const int end = p->in_own[i] < 0 ? ends_elsewhere(p, i, &begin) : -1;
        if (p->in_own[i] >= 0 || (end < 0 && !is_given(p, i))) continue;
        for (int j = i + 1; j < p->skeleton.n && next == p->own.n; j++)
            if (p->in_own[j] >= 0) next = p->in_own[j];
        const int from = end >= 0 ? end : moved(p, i), other = from < 0 ? altered(p, i, last, next) : -1;
        g->kind = end >= 0     ? LAB_GIVEN_ENDS
                  : from >= 0  ? LAB_GIVEN_MOVED
                  : other >= 0 ? LAB_GIVEN_ALTERED
                               : LAB_GIVEN_MISSING;
        const int place = other >= 0 ? other : place_of(p, i, last, next);
        if (end >= 0 && !is_between(p, place + 1, end) && !is_between(p, end + 1, place + 1)) continue;
        g->line = 1 + (from >= 0 ? from : place), g->behind = 1 + place;
        snprintf(g->given, sizeof g->given, "%s", p->skeleton.line[end >= 0 ? begin : i]);
        if (g->kind == LAB_GIVEN_MISSING) to = last_of_statement(p, i);
        if (n++ == wanted) return write_back(p, source, output, place, from >= 0 ? from : other, i, to);
        i = to;
    }
    return 0;
}

int lab_given_back(const lab_task *task, const char *source, int i, const char *output, lab_given *g) {
    pairs p = {.skeleton = lab_text_of_skeleton(task, source), .own = lab_text_read(source)};
    const int done = lab_is_handout(&p.skeleton, &p.own) && pair_lines(&p) && put_back(&p, source, i, output, g);
    free(p.in_own), free(p.in_skeleton);
    lab_text_discard(&p.skeleton), lab_text_discard(&p.own);
    return done;
}
