// source_idle.c: what comes to nothing, whatever the numbers are: an exponential of a difference that is 0 by the lines
// before it, a result that goes nowhere.
//
//     m = m_new;                        fmaxf(m, s[c]);
//     fix = expf(m - m_new);
#include "source_hints.h"
#include "source_lines.h"
#include "source_set_before.h"

#include <stdio.h>
#include <string.h>

enum { LONGEST = 60 };  // characters of an operand

static const char *const makes[] = {"expf(", "exp(", "__expf(", "exp2f(", "weight(", NULL};
static const char *const gives[] = {
    "fmaxf(", "fmax(", "fminf(", "max(", "min(", "expf(", "sqrtf(", "__shfl_xor_sync(", "__shfl_down_sync(", NULL};

static const char *closing(const char *open) {
    int depth = 0;
    for (const char *at = open; *at && *at != ';'; at++) {
        depth += *at == '(', depth -= *at == ')';
        if (!depth) return at;
    }
    return NULL;
}

static size_t name_at(const char *text, const char *at, const char *const names[]) {
    for (int i = 0; names[i] && (at == text || !lab_is_word(at[-1])); i++)
        if (!strncmp(at, names[i], strlen(names[i]))) return strlen(names[i]);
    return 0;
}

// Without blanks; 0: it is too long, or neither a name with its subscripts nor the larger of two of them.
static int operand(const char *from, const char *to, char out[LONGEST + 1]) {
    static const char *const larger[] = {"fmaxf(", "fmax(", "max(", NULL};
    from = lab_skip_blanks(from);
    const int of_two = name_at(from, from, larger) > 0;
    int n = 0, depth = 0;
    for (; from < to; from++) {
        if (*from == ' ' || *from == '\n') continue;
        depth += *from == '[', depth -= *from == ']';
        const int plain = lab_is_word(*from) || strchr(".[]>*", *from) || (*from == '-' && from[1] == '>') ||
                          depth > 0 || (of_two && strchr("(,)", *from));
        if (!plain || (*from == '(' && !of_two) || n == LONGEST) return 0;
        out[n++] = *from;
    }
    out[n] = 0;
    return n > 0;
}

// a - b between these places; of weight(a, b) the two, of (a - b) * c those in brackets.
static int difference(const char *from, const char *to, char a[LONGEST + 1], char b[LONGEST + 1]) {
    const char *open = lab_skip_blanks(from), *close = *open == '(' ? closing(open) : NULL;
    if (close && close < to && *lab_skip_blanks(close + 1) == '*') return difference(open + 1, close, a, b);
    int depth = 0;
    for (const char *at = from; at < to; at++) {
        depth += *at == '(' || *at == '[', depth -= *at == ')' || *at == ']';
        if (!depth && (*at == ',' || (*at == '-' && at[1] != '>')))
            return operand(from, at, a) && operand(at + 1, to, b);
    }
    return 0;
}

// "if (x > m) {" before m = x: of the new maximum itself the exponential is 1, and may be written as one.
static int is_new_maximum(const char *text, const char *set, const char *m, const char *x) {
    char asked[2 * LONGEST + 8], question[2 * LONGEST + 8];
    const char *open = set, *close, *from;
    while (open > text && strchr(" \n\t{", open[-1])) open--;
    if (open == text || open[-1] != ')') return 0;
    for (close = --open, from = open; from > text && strncmp(from, "if", 2) && !strchr(";{}", *from);) from--;
    if (strncmp(from, "if", 2)) return 0;
    int n = 0;
    for (; from <= close && n < (int)sizeof question - 1; from++)
        if (!strchr(" \n\t", *from)) question[n++] = *from;
    question[n] = 0;
    snprintf(asked, sizeof asked, "if(%s>%s)", x, m);
    return !strcmp(question, asked);
}

// "fmaxf(NAME, X)" or the other way round, alone as a value.
static int is_larger_of(const char *value, const char *name, const char *x) {
    static const char *const larger[] = {"fmaxf(", "fmax(", "max(", NULL};
    const size_t n = name_at(value, value, larger);
    const char *close = n ? closing(value + n - 1) : NULL, *comma = value + n;
    char a[LONGEST + 1], b[LONGEST + 1];
    if (!close || *lab_skip_blanks(close + 1) != ';') return 0;
    for (int depth = 0; comma < close && (*comma != ',' || depth); comma++)
        depth += *comma == '(' || *comma == '[', depth -= *comma == ')' || *comma == ']';
    if (!operand(value + n, comma, a) || comma == close || !operand(comma + 1, close, b)) return 0;
    return (!strcmp(a, name) && !strcmp(b, x)) || (!strcmp(a, x) && !strcmp(b, name));
}

// m = -INFINITY; m = fmaxf(m, x); expf(x - m): m is the largest of one number.
static int is_of_one_number(const char *text, const char *at, const char *x, const char *m, char *sentence,
                            size_t size) {
    const char *raised = lab_set_before(text, at, m, NULL), *value = raised ? raised + strlen(m) : NULL;
    if (!value || strncmp(value, " = ", 3) || !is_larger_of(value + 3, m, x)) return 0;
    const char *begun = lab_set_before(text, raised, m, NULL);
    if (!begun || strncmp(begun + strlen(m), " = -INFINITY", 12)) return 0;
    snprintf(sentence, size,
             "line %d: %s - %s is always 0, and its exponential 1, as line %d makes %s the larger of -INFINITY and %s: "
             "the largest of one number, where that of all of them is meant. Go over all of them first, and then take "
             "the exponentials. A sum of them, too, has to have all",
             lab_line_of(text, at), x, m, lab_line_of(text, raised), m, x);
    return 1;
}

static int is_nothing(const char *text, const char *at, size_t n, char *sentence, size_t size) {
    char a[LONGEST + 1], b[LONGEST + 1];
    const char *close = closing(at + n - 1);
    if (!close || !difference(at + n, close, a, b)) return 0;
    if (is_of_one_number(text, at, a, b, sentence, size)) return 1;
    const char *first = strcmp(a, b) ? lab_set_before(text, at, a, b) : lab_set_before(text, at, a, NULL);
    const char *set = a;
    if (strcmp(a, b) && !first) first = lab_set_before(text, at, set = b, a);
    if (strcmp(a, b) && (!first || is_new_maximum(text, first, b, a))) return 0;
    char where[120] = "";
    if (first) snprintf(where, sizeof where, ", as line %d has set %s before", lab_line_of(text, first), set);
    snprintf(sentence, size,
             "line %d: %.*s is always 1%s. It takes the old value and the new one: compute it before the old one is "
             "overwritten, or keep that under a name of its own",
             lab_line_of(text, at), (int)(close + 1 - at), at, where);
    return 1;
}

// Behind this a statement begins: ; { } else, or the ) of for, if or while.
static int begins_statement(const char *text, const char *at) {
    static const char *const heads[] = {"for", "if", "while", NULL};
    int depth = 0;
    if (at == text) return 0;
    if (strchr(";{}", at[-1])) return 1;
    if (at - text > 4 && !strncmp(at - 4, "else", 4)) return !lab_is_word(at[-5]);
    if (at[-1] != ')') return 0;
    do {
        at--;
        depth += *at == ')', depth -= *at == '(';
    } while (depth && at > text);
    while (at > text && at[-1] == ' ') at--;
    for (int i = 0; heads[i]; i++) {
        const size_t n = strlen(heads[i]);
        if ((size_t)(at - text) > n && !strncmp(at - n, heads[i], n) && !lab_is_word(at[-n - 1])) return 1;
    }
    return 0;
}

static int goes_nowhere(const char *text, const char *at, size_t n, char *sentence, size_t size) {
    const char *close = closing(at + n - 1), *before = at;
    while (before > text && strchr(" \n\t", before[-1])) before--;
    if (!close || close[1] != ';' || !begins_statement(text, before)) return 0;
    snprintf(sentence, size,
             "line %d: what %.*s gives goes nowhere: the call changes none of its arguments, its result must be stored",
             lab_line_of(text, at), (int)(close + 1 - at), at);
    return 1;
}

// m[r] = m[r]; at its sign. In front of it a statement begins, so that no declaration is meant.
static int is_itself(const char *text, const char *sign, char *sentence, size_t size) {
    const char *end = sign, *value = lab_skip_blanks(sign + 1);
    if (sign[1] == '=' || strchr("=!<>+-*/%&|^", sign[-1])) return 0;
    while (end > text && end[-1] == ' ') end--;
    const char *first = end;
    while (first > text && !strchr(";{}),\n", first[-1])) first--;
    first = lab_skip_blanks(first);
    const size_t n = (size_t)(end - first);
    if (first >= end || strncmp(value, first, n) || *lab_skip_blanks(value + n) != ';') return 0;
    snprintf(sentence, size, "line %d sets %.*s to itself, which changes nothing: what is it to become?",
             lab_line_of(text, sign), n < LONGEST ? (int)n : LONGEST, first);
    return 1;
}

int lab_hint_of_idle(const char *text, int from, int to, char *sentence, size_t size) {
    const char *start = lab_line_at(text, from), *behind = lab_line_at(text, to + 1);
    for (const char *at = start; at && *at && (!behind || at < behind); at++) {
        const size_t makes_1 = name_at(text, at, makes), result = name_at(text, at, gives);
        if (makes_1 && is_nothing(text, at, makes_1, sentence, size)) return 1;
        if (result && goes_nowhere(text, at, result, sentence, size)) return 1;
        if (*at == '=' && at > text && is_itself(text, at, sentence, size)) return 1;
    }
    return 0;
}
