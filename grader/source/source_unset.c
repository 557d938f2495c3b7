// source_unset.c: a number that is declared without a value and added to before it has one:
//
//     float sum;                                   float sum[4][4];
//     for (...) sum += a[i] * b[i];                sum[a][b] += x * y;
#include "source_hints.h"
#include "source_lines.h"

#include <stdio.h>
#include <string.h>

enum { LONGEST = 31 };

static const char *behind_blanks(const char *at) { return at + strspn(at, " \t\n"); }

// Behind the type of a declaration that begins here; NULL: there is none.
static const char *behind_type(const char *text, const char *at) {
    static const char *const types[] = {"float", "double", "int", "long", "size_t", "unsigned", "vec", NULL};
    const char *before = at;
    while (before > text && strchr(" \t\n", before[-1])) before--;
    if (before == at || before == text || !strchr(";{}", before[-1])) return NULL;
    for (int i = 0; types[i]; i++) {
        const size_t n = strlen(types[i]);
        if (!strncmp(at, types[i], n) && at[n] == ' ') return behind_blanks(at + n);
    }
    return NULL;
}

static const char *behind_subscripts(const char *at) {
    for (at = behind_blanks(at); *at == '['; at = behind_blanks(at)) {
        int depth = 0;
        do depth += *at == '[', depth -= *at == ']';
        while (*at && *at++ && depth);
    }
    return at;
}

// The comma or semicolon behind a value.
static const char *end_of_value(const char *at) {
    for (int depth = 0; *at && *at != ';' && (depth > 0 || *at != ','); at++)
        depth += strchr("([{", *at) != NULL, depth -= strchr(")]}", *at) != NULL;
    return at;
}

// The first place from here to the block's end that has the name, and is no field.
static const char *first_use(const char *from, const char *name) {
    const size_t n = strlen(name);
    const char *end = lab_block_end(from);
    for (const char *at = from; at + n <= end; at++)
        if (!strncmp(at, name, n) && !lab_is_word(at[n]) && !lab_is_word(at[-1]) && at[-1] != '.' && at[-1] != '>')
            return at;
    return NULL;
}

int lab_hint_of_unset(const char *text, int from, int to, char *sentence, size_t size) {
    const char *start = lab_line_at(text, from), *behind = lab_line_at(text, to + 1);
    for (const char *at = start; at && *at && (!behind || at < behind); at++) {
        const char *name = behind_type(text, at);
        while (name && lab_is_word(*name)) {
            const char *name_end = name, *end;
            while (lab_is_word(*name_end)) name_end++;
            char own[LONGEST + 1];
            snprintf(own, sizeof own, "%.*s", (int)(name_end - name), name);
            end = behind_subscripts(name_end);
            const int has_value = *end == '=';
            if (has_value) end = end_of_value(end);
            if (*end != ',' && *end != ';') break;
            const char *use = !has_value && name_end - name <= LONGEST ? first_use(end, own) : NULL;
            const char *sign = use ? behind_subscripts(use + strlen(own)) : NULL;
            if (use && *sign && strchr("+-", *sign) && sign[1] == '=') {
                snprintf(sentence, size,
                         "line %d: %s is added to, and line %d has declared it without a value: it must begin %s",
                         lab_line_of(text, use), own, lab_line_of(text, name),
                         *behind_blanks(name_end) == '[' ? "as = {}, all 0" : "at 0");
                return LAB_HINT_CAUSE;
            }
            name = *end == ',' ? behind_blanks(end + 1) : NULL;
        }
    }
    return LAB_HINT_NONE;
}
