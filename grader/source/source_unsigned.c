// source_unsigned.c: an unsigned number is never below 0, and one that is asked for it has wrapped round:
//
//     const size_t left = max_seq - past - count;
//     if (left < 0) return false;                      never
//     for (size_t i = n - 1; i >= 0; i--)              for ever
#include "source_hints.h"
#include "source_lines.h"

#include <stdio.h>
#include <string.h>

enum { LONGEST = 80 };

// Of a name or a number. OTHER: it is not known, or has digits behind the point.
typedef enum { OTHER, SIGNED, SIGNED_64, UNSIGNED, UNSIGNED_64 } kind;

static const struct {
    const char *name;
    kind kind;
} types[] = {{"size_t", UNSIGNED_64},  {"uint64_t", UNSIGNED_64}, {"unsigned", UNSIGNED}, {"uint32_t", UNSIGNED},
             {"uint", UNSIGNED},       {"int", SIGNED},           {"int32_t", SIGNED},    {"long", SIGNED_64},
             {"ptrdiff_t", SIGNED_64}, {"ssize_t", SIGNED_64},    {"int64_t", SIGNED_64}, {"short", OTHER},
             {"char", OTHER},          {"float", OTHER},          {"double", OTHER},      {"auto", OTHER},
             {"bool", OTHER}};
enum { TYPES = sizeof types / sizeof *types };

static int is_one_of(const char *text, const char *at, const char *const words[]) {
    for (int i = 0; words[i]; i++)
        if (lab_is_word_at(text, at, words[i])) return 1;
    return 0;
}

static const char *behind_word(const char *at) {
    while (lab_is_word(*at)) at++;
    return lab_skip_blanks(at);
}

// The end of a declarator: the comma, the semicolon or the bracket behind its value.
static const char *behind_value(const char *at) {
    for (int depth = 0; *at && *at != ';' && (depth || (*at != ',' && *at != ')')); at++)
        depth += strchr("([{", *at) != NULL, depth -= strchr(")]}", *at) != NULL;
    return at;
}

// Where what is declared here ends to be known: with its block, or with the loop whose head it stands in.
static const char *end_of_scope(const char *function, const char *at) {
    const char *head = at;
    for (int depth = 0; head > function && !strchr(";{}", *head) && !(*head == '(' && !depth); head--)
        depth += *head == ')', depth -= *head == '(';
    const char *word = head;
    while (word > function && word[-1] == ' ') word--;
    if (*head != '(' || word - function < 3 || strncmp(word - 3, "for", 3)) return lab_block_end(at);
    static const char *const heads[] = {"for", "while", "if", NULL};
    const char *end = head;
    do {  // the body may be a loop itself
        end = lab_matching(strchr(end, '('));
        end = end ? lab_skip_blanks(end + 1) : "";
    } while (is_one_of(function, end, heads) && strchr(end, '('));
    return *end == '{' ? lab_matching(end) : strchr(end, ';');
}

typedef struct {
    kind kind;
    int points;         // a pointer, or an array
    const char *value;  // what it is set to there; NULL: nothing
    const char *type;
} declared;

// The declaration of a name that is seen at a place of the function; OTHER: there is none.
static declared declaration_of(const char *function, const char *place, const char *name, size_t length) {
    static const char *const more[] = {"int", "long", "const", "restrict", "unsigned", "short", "char", NULL};
    declared found = {OTHER, 0, NULL, ""};
    for (const char *at = function; at < place; at++) {
        int t = 0;
        while (t < TYPES && !lab_is_word_at(function, at, types[t].name)) t++;
        if (t == TYPES) continue;
        kind k = types[t].kind;
        const char *one = behind_word(at);
        for (; is_one_of(function, one, more); one = behind_word(one)) {
            if (!strncmp(one, "long", 4)) k = k == UNSIGNED ? UNSIGNED_64 : SIGNED_64;
            if (!strncmp(one, "short", 5) || !strncmp(one, "char", 4)) k = OTHER;
        }
        const char *const first = one;
        while (one < place) {
            int points = 0;
            for (; strchr("*& ", *one) && *one; one++) points |= *one == '*';
            const char *end = one;
            while (lab_is_word(*end)) end++;
            const char *behind = lab_skip_blanks(end);
            if (end == one || !strchr("=,;)[:", *behind) || !*behind) break;  // a parameter of another type, a function
            if ((size_t)(end - one) == length && !strncmp(one, name, length)) {
                const char *scope = end_of_scope(function, at);
                if (!scope || scope > place)
                    found = (declared){k, points || *behind == '[',
                                       *behind == '=' && behind[1] != '=' ? behind + 1 : NULL, types[t].name};
            }
            const char *stop = behind_value(behind);
            if (*stop != ',') break;
            one = lab_skip_blanks(stop + 1);
        }
        at = first - 1;
    }
    return found;
}

// A minus between two numbers, outside of brackets, and nothing that chooses.
static int subtracts(const char *from, const char *to) {
    int minus = 0, depth = 0;
    for (const char *c = from; c < to; c++) {
        depth += strchr("([", *c) != NULL, depth -= strchr(")]", *c) != NULL;
        if (*c == '?' || *c == '<' || (*c == '>' && c[-1] != '-')) return 0;
        const char *before = c;
        while (before > from && before[-1] == ' ') before--;
        minus |= !depth && *c == '-' && c[1] != '>' && c[1] != '-' && before > from &&
                 (lab_is_word(before[-1]) || strchr(")]", before[-1]));
    }
    return minus;
}

// A part of a sum: a number, a name, x[i], t.field; *end: behind it.
static declared part_at(const char *function, const char *at, const char **end) {
    static const char *const fields[] = {"batch",   "heads", "seq_q", "seq_kv", "head_dim",
                                         "max_seq", "seq",   "past",  "count",  NULL};
    static const char *const grids[] = {"threadIdx", "blockIdx", "blockDim", "gridDim", NULL};
    declared d = {SIGNED, 0, NULL, ""};
    const char *name = at;
    while (lab_is_word(*at)) at++;
    const int is_number = *name >= '0' && *name <= '9', is_field = *at == '.' || (*at == '-' && at[1] == '>');
    if (is_number && (*at == '.' || strspn(name, "0123456789") < (size_t)(at - name))) d.kind = OTHER;
    if (!is_number && !is_field) {
        d = declaration_of(function, name, name, (size_t)(at - name));
        if (d.points != (*at == '[') || *at == '(') d.kind = OTHER;
    } else if (is_field) {
        const char *field = at + (*at == '.' ? 1 : 2);
        const int of_grid = is_one_of(function, name, grids);
        if (of_grid) d.kind = UNSIGNED, d.type = "unsigned";
        if (!of_grid && !is_one_of(function, field, fields)) d.kind = OTHER;
        for (at = field; lab_is_word(*at);) at++;
    }
    for (int depth = 0; *at && (*at == '[' || depth); at++) depth += *at == '[', depth -= *at == ']';
    *end = at;
    return d;
}

// The part of a sum of whole numbers that makes it unsigned. NULL: none does, or some part is not known.
static const char *makes_unsigned(const char *function, const char *from, const char *to, const char **end,
                                  declared *is) {
    const char *found = NULL, *behind;
    int wide = 0;  // a signed number of 64 bits holds what an unsigned one of 32 does
    for (const char *at = from; at < to; at = behind) {
        behind = at + 1;
        if (strchr(" \n+-*()", *at)) continue;
        if (!lab_is_word(*at)) return NULL;
        const declared d = part_at(function, at, &behind);
        if (d.kind == OTHER) return NULL;
        wide |= d.kind == SIGNED_64;
        if (d.kind >= UNSIGNED && (!found || d.kind > is->kind)) found = at, *end = behind, *is = d;
    }
    return found && (is->kind == UNSIGNED_64 || !wide) ? found : NULL;
}

// Is it made smaller between these places: n--, --n, n -= ...?
static int shrinks(const char *from, const char *to, const char *name, size_t length) {
    for (const char *at = from; at < to && *at; at++) {
        if (strncmp(at, name, length) || lab_is_word(at[length]) || (at > from && lab_is_word(at[-1]))) continue;
        const char *behind = at + length + strspn(at + length, " ");
        if (!strncmp(behind, "--", 2) || !strncmp(behind, "-=", 2) || (at > from + 1 && !strncmp(at - 2, "--", 2)))
            return 1;
    }
    return 0;
}

// What is compared in front of this place.
static const char *operand_before(const char *function, const char *to) {
    const char *at = to;
    for (int depth = 0; at > function; at--) {
        const char c = at[-1];
        const int arrow = c == '>' && at - 1 > function && at[-2] == '-';
        if (!depth && (strchr("(;{},=?:!&|<", c) || (c == '>' && !arrow))) break;
        depth += c == ')' || c == ']', depth -= c == '(' || c == '[';
    }
    at = lab_skip_blanks(at);
    return lab_is_word_at(function, at, "return") ? behind_word(at) : at;
}

#define WRAPS ": a difference below 0 wraps round to a huge number"
#define INSTEAD ". Compare sums in place of it, a + b > c for c - a - b < 0, or take an int"

// A comparison with 0 whose sign stands here, as < or >=.
static int explain(const char *text, const char *sign, char *sentence, size_t size) {
    const int loops = *sign == '>';
    const char *function = lab_function_of(text, sign), *to = sign, *end;
    while (to > function && strchr(" \n", to[-1])) to--;
    const char *from = operand_before(function, to), *before = from, *behind = strchr(sign, '0') + 1;
    if (from >= to || from == text) return 0;
    behind = lab_skip_blanks(behind);
    while (before > function && strchr(" \n", before[-1])) before--;
    if (!strchr(");&|?,:", *behind) || !*behind) return 0;
    if (loops && (strchr("&|", *behind) || strchr("&|", before[-1]))) return 0;  // there is another condition
    declared is = {OTHER, 0, NULL, ""};
    const char *part = makes_unsigned(function, from, to, &end, &is);
    const int line = lab_line_of(text, sign), n = (int)(to - from);
    const char *a = part && *is.type == 'u' && !strchr(is.type, '_') ? "" : "a ";
    if (!part) return 0;
    if (part == from && end == to) {
        const int made = is.value && subtracts(is.value, behind_value(is.value));
        if (loops && shrinks(behind, lab_block_end(behind), from, (size_t)n))
            return snprintf(
                       sentence, size,
                       "line %d: %.*s is %s%s, which is always >= 0: behind 0 it wraps round to a huge number, and "
                       "the loop goes on. Take an int",
                       line, n, from, a, is.type) > 0;
        if (!made && (loops || !shrinks(function, from, from, (size_t)n))) return 0;
        return snprintf(sentence, size, "line %d: %.*s is %s%s, which is never below 0" WRAPS INSTEAD, line, n, from, a,
                        is.type) > 0;
    }
    if (!subtracts(from, to) || n > LONGEST) return 0;
    return snprintf(sentence, size, "line %d: %.*s is never below 0, as %.*s is %s%s" WRAPS INSTEAD, line, n, from,
                    (int)(end - part), part, a, is.type) > 0;
}

int lab_hint_of_unsigned(const char *text, int from, int to, char *sentence, size_t size) {
    const char *start = lab_line_at(text, from), *last = lab_line_at(text, to + 1);
    for (const char *at = start; at && *at && (!last || at < last); at++) {
        const int below = *at == '<' && at[1] != '<' && at[1] != '=', above = *at == '>' && at[1] == '=';
        if ((!below && !above) || at == text || strchr("<>-", at[-1])) continue;
        const char *zero = lab_skip_blanks(at + 1 + above);
        if (*zero != '0' || lab_is_word(zero[1]) || zero[1] == '.') continue;
        if (explain(text, at, sentence, size)) return 1;
    }
    return 0;
}
