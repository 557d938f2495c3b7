// broken_names.c: what is wrong with a name that the compiler does not know.
#include "broken_names.h"

#include <stdio.h>
#include <string.h>

#include "source_calls.h"
#include "source_hints.h"
#include "source_lines.h"

static int has(const char *line, const char *sign) {
    const char *at = line ? strstr(line, sign) : NULL;
    return at && at < line + strcspn(line, "\n");
}

// Letters to leave out, to put in or to exchange, to make one word of the other; `most` + 1 if it takes more.
static int distance(const char *a, size_t n, const char *b, size_t m, int most) {
    if (!n || !m) return (int)(n + m) > most ? most + 1 : (int)(n + m);
    if (*a == *b) return distance(a + 1, n - 1, b + 1, m - 1, most);
    if (!most) return 1;
    const int skip = distance(a + 1, n - 1, b, m, most - 1), put = distance(a, n, b + 1, m - 1, most - 1),
              other = distance(a + 1, n - 1, b + 1, m - 1, most - 1);
    const int least = skip < put ? skip : put;
    return 1 + (least < other ? least : other);
}

// C takes a function that nobody has declared for one of another file, and leaves it to the linker.
static int is_linkers(const char *error) { return has(error, "undefined reference"); }

// The name that nobody has declared, or "".
static void name_unknown(const char *error, char name[64]) {
    *name = 0;
    if (has(error, "undeclared") || has(error, "not declared in this scope") || has(error, "is undefined") ||
        is_linkers(error))
        sscanf(error + strcspn(error, "`'\"\n"), "%*[`'\"]%63[A-Za-z0-9_]", name);
}

// Behind a type for numbers?
static int is_declared_at(const char *text, const char *at) {
    static const char *const types[] = {"float ", "double ", "int ", "size_t ", "bool ", "auto "};
    for (size_t i = 0; i < sizeof types / sizeof *types; i++) {
        const size_t n = strlen(types[i]);
        if ((size_t)(at - text) >= n && strncmp(at - n, types[i], n) == 0) return 1;
    }
    return 0;
}

// for (int c = 0; c < n; c++); x[c] = 0;
static int behind_empty_loop(const char *text, const char *error, int line, char *sentence, size_t size) {
    char name[64];
    const char *here = lab_line_at(text, line), *end = here ? here + strcspn(here, "\n") : NULL;
    const char *loop = here ? strstr(here, "for (") : NULL, *behind = loop ? lab_behind_bracket(loop + 4) : NULL;
    name_unknown(error, name);
    if (!*name || !behind || behind >= end || *lab_skip_blanks(behind) != ';') return 0;
    if (!lab_has_word(loop, behind, name)) return 0;
    snprintf(sentence, size, "line %d: the ; right behind for (...) ends the loop, and %s with it: take it away", line,
             name);
    return 1;
}

// A name of C's libraries, and the file does not include its header.
static int not_included(const char *text, const char *error, char *sentence, size_t size) {
    static const struct {
        const char *name, *header, *other;
    } of[] = {
        {"INFINITY", "math.h", "cmath"},          {"NAN", "math.h", "cmath"},        {"FLT_MAX", "float.h", "cfloat"},
        {"INT_MAX", "limits.h", "climits"},       {"malloc", "stdlib.h", "cstdlib"}, {"free", "stdlib.h", "cstdlib"},
        {"memcpy", "string.h", "cstring"},        {"memset", "string.h", "cstring"}, {"printf", "stdio.h", "cstdio"},
        {"omp_get_thread_num", "omp.h", "omp.h"},
    };
    char name[64], include[2][32];
    name_unknown(error, name);
    for (size_t i = 0; i < sizeof of / sizeof *of; i++) {
        if (strcmp(name, of[i].name)) continue;
        snprintf(include[0], sizeof include[0], "<%s>", of[i].header);
        snprintf(include[1], sizeof include[1], "<%s>", of[i].other);
        if (strstr(text, include[0]) || strstr(text, include[1])) return 0;
        return snprintf(sentence, size, "%s is declared in %s, which this file does not include: #include %s", name,
                        include[0], include[0]) > 0;
    }
    return 0;
}

// The name is declared in the same function, in braces that end before this line, or further down.
static int out_of_scope(const char *text, const char *error, int line, char *sentence, size_t size) {
    char name[64];
    const char *here = lab_line_at(text, line), *function = here ? lab_function_of(text, here) : NULL;
    name_unknown(error, name);
    const size_t n = strlen(name);
    int at = 0;
    for (const char *c = function; c && n && (c = strstr(c, name)) && lab_function_of(text, c) == function; c += n) {
        if (lab_is_word(c[n]) || !is_declared_at(text, c)) continue;
        const int found = lab_line_of(text, c);
        if (found < line || (found > line && !at)) at = found;
    }
    if (!at) return 0;
    const char *head = lab_line_at(text, at);
    if (at < line && lab_hint_of_braces(text, at, line, sentence, size) == LAB_HINT_CAUSE) return 1;
    snprintf(sentence, size,
             at > line ? "%s is declared in line %d, behind its use in line %d: declare it above"
             : lab_has_word(head, head + strcspn(head, "(\n"), "for")
                 ? "%s belongs to the for of line %d alone, and line %d stands behind that: are its braces { } missing?"
                 : "%s is declared in line %d, in braces that end before line %d: declare it above them",
             name, at, line);
    return 1;
}

typedef struct {
    const char *name;
    size_t letters;
    int most;  // changes: more make it another name
} nearest;

static void take_nearer(nearest *best, const char *name, size_t letters, const char *unknown, size_t length) {
    if (best->most <= 0 || (letters == length && strncmp(name, unknown, length) == 0)) return;
    const int d = distance(name, letters, unknown, length, best->most);
    if (d <= best->most) best->name = name, best->letters = letters, best->most = d - 1;
}

// gcc asks "did you mean" itself where it knows a name. Of a function that C's libraries have, the linker does not.
static int near_name(const char *text, const char *error, char *sentence, size_t size) {
    static const char *const library[] = {"expf",   "exp2f",  "logf",   "sqrtf", "fmaxf", "fminf",
                                          "fabsf",  "powf",   "fmaf",   "exp",   "sqrt",  "malloc",
                                          "calloc", "memcpy", "memset", "free",  "printf"};
    char name[64];
    if (has(error, "did you mean")) return 0;
    name_unknown(error, name);
    const size_t length = strlen(name);
    nearest best = {.most = length < 3 ? 0 : length < 6 ? 1 : 2};
    for (const char *c = text; *c && best.most > 0; c++) {
        size_t n = 0;
        if (!lab_is_word(*c) || (c > text && lab_is_word(c[-1]))) continue;
        while (lab_is_word(c[n])) n++;
        take_nearer(&best, c, n, name, length);
    }
    for (size_t i = 0; is_linkers(error) && i < sizeof library / sizeof *library; i++)
        take_nearer(&best, library[i], strlen(library[i]), name, length);
    if (best.name)
        return snprintf(sentence, size, "nobody knows %s: is %.*s meant?", name, (int)best.letters, best.name) > 0;
    return is_linkers(error) && snprintf(sentence, size,
                                         "there is no function %s, neither in this file nor in what it "
                                         "includes: is the name misspelt?",
                                         name) > 0;
}

int lab_broken_name(const char *text, const char *error, int line, char *sentence, size_t size) {
    return (line && behind_empty_loop(text, error, line, sentence, size)) ||
           not_included(text, error, sentence, size) || (line && out_of_scope(text, error, line, sentence, size)) ||
           near_name(text, error, sentence, size);
}
