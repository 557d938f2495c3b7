// source_shadow.c: a type where none belongs: `float l = l * fix + sum;` within a loop makes another l, and the one that
// was meant stays as it was.
#include "source_hints.h"
#include "source_lines.h"

#include <stdio.h>
#include <string.h>

enum { MOST = 256, LONGEST = 31 };

typedef struct {
    const char *at;  // where it is declared
    char name[LONGEST + 1];
    int depth;  // of braces
} declared;

typedef struct {
    declared list[MOST];
    int n;
} scope;

static const char *const types[] = {"float", "double", "int", "size_t", "long", "unsigned", "auto", NULL};

static const char *behind_blanks(const char *at) { return at + strspn(at, " \t\n"); }

// Behind "float " or "const float " at this place; NULL: no type stands there.
static const char *behind_type(const char *at) {
    if (!strncmp(at, "const ", 6)) at += 6;
    for (int i = 0; types[i]; i++) {
        const size_t n = strlen(types[i]);
        if (!strncmp(at, types[i], n) && at[n] == ' ') return behind_blanks(at + n);
    }
    return NULL;
}

static int begins_statement(const char *text, const char *at) {
    if (at > text && lab_is_word(at[-1])) return 0;
    while (at > text && strchr(" \n\t", at[-1])) at--;
    return at > text && strchr(";{}", at[-1]);
}

// The comma, semicolon or bracket that ends what stands here.
static const char *end_of(const char *at) {
    for (int depth = 0; *at && *at != ';' && (depth > 0 || !strchr(",)", *at)); at++)
        depth += *at && strchr("([{", *at) != NULL, depth -= *at && strchr(")]}", *at) != NULL;
    return at;
}

// The name as a variable, not as a field.
static int names(const char *from, const char *to, const char *name) {
    const size_t n = strlen(name);
    for (const char *at = from; at + n <= to; at++)
        if (!memcmp(at, name, n) && !lab_is_word(at[-1]) && !lab_is_word(at[n]) && at[-1] != '.' && at[-1] != '>' &&
            at[n] != '(')
            return 1;
    return 0;
}

// Is the name read from here on? What a statement sets or adds to it alone, `sum += x;`, reads nothing else.
static int is_read(const char *from, const char *to, const char *name) {
    const size_t n = strlen(name);
    for (const char *at = from; at + n <= to; at++) {
        if (!names(at, at + n, name)) continue;
        const char *before = at - 1, *op = behind_blanks(at + n);
        while (strchr(" \n\t", *before)) before--;
        const int sets = (*op == '=' && op[1] != '=') || (strchr("+-*/", *op) && op[1] == '=');
        if (!sets || !strchr(";{})", *before)) return 1;
        at = end_of(op);  // `sum = max(sum, x)` reads it for itself
        if (*at != ';') return 1;
    }
    return 0;
}

static const declared *known(const scope *s, const char *name) {
    for (int i = s->n - 1; i >= 0; i--)
        if (!strcmp(s->list[i].name, name)) return &s->list[i];
    return NULL;
}

static void declare(scope *s, const char *at, const char *end, int depth) {
    if (s->n == MOST || end == at || end - at > LONGEST) return;
    declared *d = &s->list[s->n++];
    d->at = at, d->depth = depth;
    snprintf(d->name, sizeof d->name, "%.*s", (int)(end - at), at);
}

// NAME = value at this place, of a declaration. Returns 1 with its sentence if it hides the one that is meant.
static int hides(const char *text, const scope *s, const char *at, const char *name_end, int depth, char *sentence,
                 size_t size) {
    char name[LONGEST + 1];
    snprintf(name, sizeof name, "%.*s", (int)(name_end - at), at);
    const declared *outer = known(s, name);
    const char *value = behind_blanks(name_end), *end = end_of(value);
    if (!outer || outer->depth >= depth || *value != '=' || value[1] == '=') return 0;
    const int line = lab_line_of(text, at), there = lab_line_of(text, outer->at);
    const int reads_itself = names(value + 1, end, name) && !strstr(value, "sizeof");
    if (!reads_itself && is_read(end, lab_block_end(end), name)) return 0;
    const char *first = behind_blanks(outer->at + strlen(name));
    const size_t n = (size_t)(end - value);  // both begin alike: then nothing is left to set
    const int again = !reads_itself && end_of(first) - first == (ptrdiff_t)n && !memcmp(first, value, n);
    snprintf(sentence, size,
             again ? "line %d declares another %s, which ends with its block and nobody reads: the %s of "
                     "line %d stays as it was. Leave the line out, and that one is set"
             : reads_itself
                 ? "line %d declares another %s, whose value is made of itself, before it has one: the %s of "
                   "line %d stays as it was. Without the type in front, that one is set"
                 : "line %d declares another %s, which nobody reads: the %s of line %d stays as it was. "
                   "Without the type in front, that one is set",
             line, name, name, there);
    return 1;
}

// The parameters of the function that begins here: the names before a comma or the closing bracket.
static void parameters(scope *s, const char *open, const char *close) {
    for (const char *at = open + 1; at <= close; at++) {
        if (at < close && *at != ',') continue;
        const char *start = at;
        while (start > open && lab_is_word(start[-1])) start--;
        declare(s, start, at, 0);
    }
}

int lab_hint_of_shadow(const char *text, int from, int to, char *sentence, size_t size) {
    static scope s;
    const char *start = lab_line_at(text, from), *behind = lab_line_at(text, to + 1);
    int depth = 0;
    s.n = 0;
    if (start) start = lab_function_of(text, start);
    for (const char *at = start; at && *at && (!behind || at < behind); at++) {
        if (*at == '{' && !depth) {
            const char *close = at, *open;
            while (close > text && *close != ')' && *close != ';' && *close != '}') close--;
            for (open = close; *close == ')' && open > text && *open != '(' && *open != ';';) open--;
            s.n = 0;
            if (*open == '(') parameters(&s, open, close);
        }
        depth += *at == '{', depth -= *at == '}';
        if (depth < 0) depth = 0;
        while (*at == '}' && s.n && s.list[s.n - 1].depth > depth) s.n--;
        const char *name = depth && begins_statement(text, at) ? behind_type(at) : NULL;
        while (name && lab_is_word(*name)) {
            const char *end = name;
            while (lab_is_word(*end)) end++;
            if (end - name <= LONGEST && hides(text, &s, name, end, depth, sentence, size)) return 1;
            declare(&s, name, end, depth);
            name = end_of(end);
            name = *name == ',' ? behind_blanks(name + 1) : NULL;
        }
    }
    return 0;
}
