// source_fields.c: a struct of the file, one field of which is read, and set nowhere.
#include "source_hints.h"
#include "source_lines.h"

#include <stdio.h>
#include <string.h>

enum { MOST_FIELDS = 32 };

// Behind ".name" or "->name" at a dot or arrow; NULL: that is another one.
static const char *behind_field(const char *at, const char *name) {
    const size_t n = strlen(name);
    at += *at == '.' ? 1 : 2;
    return strncmp(at, name, n) || lab_is_word(at[n]) ? NULL : at + n;
}

static const char *next_access(const char *at) {
    const char *dot = strchr(at, '.'), *arrow = strstr(at, "->");
    return !dot || (arrow && arrow < dot) ? arrow : dot;
}

// "p.x += n", "p.x++": it goes on from what it was.
static int moves(const char *behind) {
    behind += strspn(behind, " ");
    return (*behind && strchr("+-*/%&|^", *behind) && behind[1] == '=') || !strncmp(behind, "++", 2) ||
           !strncmp(behind, "--", 2);
}

// A number may begin at 0, and count; a pointer may not.
static int sets(const char *behind, int pointer) {
    const char *is = behind + strspn(behind, " ");
    return (*is == '=' && is[1] != '=') || (!pointer && moves(behind));
}

// In front of "of" of "of->b": &of.b may be set by who gets it, ++of->b is.
static int is_given_or_counted(const char *text, const char *of) {
    if (of > text && of[-1] == '&') return 1;
    return of > text + 1 && (!strncmp(of - 2, "++", 2) || !strncmp(of - 2, "--", 2));
}

// Is the field set between from and to? *read: where it is moved or read, in the whole text.
static int is_set(const char *text, const char *from, const char *to, const char *field, const char **read) {
    const int pointer = *field == '*';
    field += pointer;
    int found = 0;
    *read = NULL;
    for (const char *at = text; (at = next_access(at)); at++) {
        const char *behind = behind_field(at, field);
        if (!behind) continue;
        const char *of = at;
        while (of > text && lab_is_word(of[-1])) of--;
        if (sets(behind, pointer) || is_given_or_counted(text, of))
            found |= at >= from && at < to;
        else if (of < at && (!*read || (moves(behind) && !moves(behind_field(*read, field)))))
            *read = at;
    }
    return found;
}

// The fields of "typedef struct { ... } NAME;": of "int i0, *at;" i0 and *at. Returns how many.
static int fields_of(const char *open, const char *close, char field[MOST_FIELDS][32]) {
    int n = 0;
    for (const char *c = open; c < close && n < MOST_FIELDS; c++) {
        const char *name = c, *last = c;
        if (*c != ',' && *c != ';') continue;
        while (last > open && last[-1] == ' ') last--;
        if (last[-1] == ']') return 0;  // an array is set in other ways
        for (name = last; name > open && lab_is_word(name[-1]);) name--;
        const int pointer = name > open && name[-1] == '*';
        if (last > name && last - name < 31)
            snprintf(field[n++], 32, "%.*s", (int)(last - name) + pointer, name - pointer);
    }
    return n;
}

static const char *back_over_space(const char *text, const char *p) {
    while (p > text && isspace((unsigned char)p[-1])) p--;
    return p;
}

// NAME x = {1, 2}, or (NAME){1, 2}: fields are set without their names.
static int is_set_by_place(const char *text, const char *name) {
    for (const char *open = text; (open = strchr(open, '{')); open++) {
        const char *value = open + 1, *stop = back_over_space(text, open), *start = stop;
        while (isspace((unsigned char)*value)) value++;
        if (stop == text || !strchr("=)", stop[-1]) || strchr(".0}", *value)) continue;
        while (start > text && !strchr(stop[-1] == ')' ? "(" : ";{}", start[-1])) start--;
        const int literal = stop[-1] == ')';  // and no parameter of a function
        if (lab_has_word(start, stop, name) && (!literal || stop - 1 - start == (long)strlen(name))) return 1;
    }
    return 0;
}

int lab_hint_of_fields(const char *text, int from, int to, char *sentence, size_t size) {
    const char *start = lab_line_at(text, from), *behind = lab_line_at(text, to + 1), *end = text + strlen(text);
    if (!start) return 0;
    for (const char *at = text; (at = strstr(at, "typedef struct {")); at++) {
        char field[MOST_FIELDS][32], name[32];
        const char *open = strchr(at, '{') + 1, *close = strchr(open, '}'), *read;
        if (!close || sscanf(close + 1, " %31[A-Za-z0-9_]", name) != 1 || is_set_by_place(text, name)) continue;
        const int n = fields_of(open, close, field);
        int here = 0;
        for (int i = 0; i < n; i++) here |= is_set(text, start, behind ? behind : end, field[i], &read);
        for (int i = 0; i < n && here; i++) {
            if (is_set(text, text, end, field[i], &read) || !read) continue;
            const char *const called = field[i] + (*field[i] == '*');
            snprintf(sentence, size,
                     moves(behind_field(read, called))
                         ? "line %1$d moves %2$s of the struct %3$s, and no line has set it: a pointer begins with ="
                         : "no line sets %2$s of the struct %3$s, which line %1$d reads: set it where the other fields "
                           "of %3$s are set",
                     lab_line_of(text, read), called, name);
            return 1;
        }
    }
    return 0;
}
