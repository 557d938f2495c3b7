// source_reductions.c: a directive that says how lanes or threads put a number together, and the loop below it that puts
// it together in another way, or is not said to do so at all.
//
//     #pragma omp simd reduction(+ : max)       for (...) max = fmaxf(max, s[c]);       reduction(max : max)
//     #pragma omp simd                          for (...) sum += s[c];                  reduction(+ : sum)
#include "source_hints.h"
#include "source_lines.h"

#include <stdio.h>
#include <string.h>

enum { NAME = 40 };

typedef struct {
    const char *from, *to;  // the loop's header and body
} span;

// Where the statement ends: for (...) for (...) { ... }, if (...) x = y;
static const char *end_of(const char *at) {
    for (at = lab_skip_blanks(at); *at; at = lab_skip_blanks(at)) {
        const char *open = *at == '{' ? at : strncmp(at, "for", 3) && strncmp(at, "if", 2) ? NULL : strchr(at, '(');
        const char *close = open ? lab_matching(open) : NULL;
        if (open && !close) return NULL;
        if (*at == '{') return close + 1;
        if (!open) return strchr(at, ';');
        at = close + 1;
    }
    return NULL;
}

// The loop below the directive; 0: none, or more directives in it.
static int loop_below(const char *directive, span *loop) {
    const char *line = strchr(directive, '\n'), *end;
    while (line && *lab_skip_blanks(line) == '#') line = strchr(lab_skip_blanks(line), '\n');
    loop->from = line ? lab_skip_blanks(line) : "";
    if (strncmp(loop->from, "for", 3) || !(end = end_of(loop->from))) return 0;
    loop->to = end;
    return !memchr(loop->from, '#', (size_t)(end - loop->from));
}

// A word of its own, and no field or element.
static int is_name_at(const char *at, const char *name) {
    const size_t n = strlen(name);
    return !strncmp(at, name, n) && !lab_is_word(at[n]) && !lab_is_word(at[-1]) && at[-1] != '.' && at[-1] != '>';
}

static int is_declared_in(const span *s, const char *name) {
    static const char *const types[] = {"float ", "double ", "int ", "long ", "size_t ", "auto ", ", "};
    for (const char *at = s->from; at < s->to; at++)
        for (size_t i = 0; i < sizeof types / sizeof *types && is_name_at(at, name); i++)
            if ((size_t)(at - s->from) >= strlen(types[i]) &&
                !strncmp(at - strlen(types[i]), types[i], strlen(types[i])) &&
                (*types[i] != ',' || strchr("=;", *lab_skip_blanks(at + strlen(name)))))
                return 1;
    return 0;
}

// How the loop puts `name` together: "+", "max" or "min"; NULL: in no such way, or in several.
static const char *way_of(const span *s, const char *name) {
    const char *way = NULL;
    for (const char *at = s->from; at < s->to; at++) {
        const char *behind = lab_skip_blanks(at + strlen(name)), *end = strchr(at, ';'), *its = NULL;
        if (!is_name_at(at, name) || !end) continue;
        if (!strncmp(behind, "+=", 2) || !strncmp(behind, "-=", 2))
            its = "+";
        else if (*behind == '=' && behind[1] != '=') {
            const char *value = lab_skip_blanks(behind + 1), *back = at;
            const int largest = !strncmp(value, "fmax", 4), least = !strncmp(value, "fmin", 4);
            while (back > s->from && !strchr(";{}", back[-1])) back--;
            const int asks = lab_has_word(back, at, name) && strstr(back, "if") && strstr(back, "if") < at;
            if (largest || least)
                its = lab_has_word(value, end, name) ? (largest ? "max" : "min") : NULL;
            else if (asks || (lab_has_word(value, end, name) && memchr(value, '?', (size_t)(end - value))))
                its = strstr(name, "min") ? "min" : "max";
            else if (lab_has_word(value, end, name) && memchr(value, '+', (size_t)(end - value)))
                its = "+";
            if (!its) return NULL;
        } else
            continue;
        if (way && strcmp(way, its)) return NULL;
        way = its;
    }
    return way;
}

// The clause `reduction(sign : names)`: 1, and what stands in it.
static int clause(const char *directive, const char *end, char sign[8], char names[NAME * 3]) {
    const char *at = strstr(directive, "reduction");
    return at && at < end && sscanf(at, "reduction ( %7[^: ] : %119[^)]", sign, names) == 2;
}

// The first name that the loop adds to, and that is not declared in it.
static int find_sum(const span *s, char name[NAME]) {
    for (const char *at = s->from; at + 2 < s->to; at++) {
        if (strncmp(at, "+=", 2)) continue;
        const char *end = at, *start;
        while (end > s->from && end[-1] == ' ') end--;
        for (start = end; start > s->from && lab_is_word(start[-1]);) start--;
        const char *before = start;
        while (before > s->from && strchr(" \t\n", before[-1])) before--;
        if (start == end || end - start >= NAME || !strchr("){};", before[-1])) continue;
        if (lab_matching(s->from + 3 + strspn(s->from + 3, " ")) > at) continue;  // the loop's own step
        snprintf(name, NAME, "%.*s", (int)(end - start), start);
        if (!is_declared_in(s, name)) return 1;
    }
    return 0;
}

int lab_hint_of_reductions(const char *text, char *sentence, size_t size) {
    static const char start[] = "#pragma omp ";
    for (const char *at = text; (at = strstr(at, start)); at++) {
        const char *end = strchr(at, '\n'), *simd = strstr(at, "simd");
        char sign[8], names[NAME * 3], name[NAME];
        span loop;
        if (!end || !loop_below(at, &loop)) continue;
        if (clause(at, end, sign, names)) {
            if (sscanf(names, " %39[A-Za-z0-9_]", name) != 1 || strchr(names, ',')) continue;
            const char *way = way_of(&loop, name);
            if (!way || !strcmp(way, sign) || (*way == '+' && *sign == '-')) continue;
            snprintf(sentence, size,
                     "line %d: reduction(%s : %s) %s what the lanes have found, and the loop below %s: it is "
                     "reduction(%s : %s)",
                     lab_line_of(text, at), sign, name,
                     *sign == '+'   ? "adds up"
                     : *sign == '*' ? "multiplies"
                                    : "takes one of",
                     *way == '+'                    ? "adds"
                     : *way == 'm' && way[1] == 'a' ? "looks for the largest"
                                                    : "looks for the smallest",
                     way, name);
            return 1;
        }
        if (!simd || simd > end || !find_sum(&loop, name)) continue;
        snprintf(
            sentence, size,
            "line %d: without reduction(+ : %s) this directive says that no round of the loop waits for another one, "
            "and each adds to %s: name it in such a clause",
            lab_line_of(text, at), name, name);
        return 1;
    }
    return 0;
}
