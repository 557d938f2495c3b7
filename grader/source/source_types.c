// source_types.c: a number that is declared whole and gets one that is not: what is behind its point is lost.
#include "source_types.h"
#include "source_calls.h"
#include "source_hints.h"
#include "source_lines.h"

#include <stdio.h>
#include <string.h>

static const char *const whole[] = {"int", "long", "unsigned", "size_t", "short", "char", NULL};

static int begins_word(const char *text, const char *at) { return at == text || !lab_is_word(at[-1]); }

// A type for whole numbers at this place: how long its name is. 0: it is none.
size_t lab_whole_type_at(const char *text, const char *at) {
    for (int i = 0; whole[i]; i++) {
        const size_t n = strlen(whole[i]);
        if (begins_word(text, at) && !strncmp(at, whole[i], n) && at[n] == ' ') return n;
    }
    return 0;
}

// The end of what stands at this place, before the comma or semicolon behind it.
static const char *end_of(const char *at) {
    for (int depth = 0; *at && *at != ';' && *at != '{' && (depth > 0 || (*at != ',' && *at != ')')); at++)
        depth += *at == '(' || *at == '[', depth -= *at == ')' || *at == ']';
    return at;
}

static const char *within(const char *at, const char *end, const char *word) {
    const size_t n = strlen(word);
    for (; at + n <= end; at++)
        if (!memcmp(at, word, n) && !lab_is_word(at[-1])) return at;
    return NULL;
}

// The function in it whose result is no whole number, where nobody rounds it or asks for a whole one.
static const char *fraction_in(const char *at, const char *end) {
    static const char *const makes[] = {"sqrtf(", "sqrt(",   "rsqrtf(", "rsqrt(", "expf(",
                                        "exp(",   "__expf(", "exp2f(",  NULL};
    static const char *const rounds[] = {"int)", "int(", "size_t)", "long)", "unsigned)", "ceil", "floor", "round",
                                         "rint", ">",    "<",       "==",    "?",         "&&",   NULL};
    for (int i = 0; rounds[i]; i++) {
        const size_t n = strlen(rounds[i]);
        for (const char *c = at; c + n <= end; c++)
            if (!memcmp(c, rounds[i], n)) return NULL;
    }
    for (int i = 0; makes[i]; i++)
        if (within(at, end, makes[i])) return makes[i];
    return NULL;
}

// Of `float *a, b[4], c = 1;`, behind the type: where the last name of that type ends.
static const char *end_of_names(const char *at) {
    for (;;) {
        at += strcspn(at, ",;{)=");
        if (*at != ',') return at;
        const char *name = at + 1 + strspn(at + 1, " *"), *behind = name;
        while (lab_is_word(*behind)) behind++;
        if (behind == name || !strchr("[,;=", *(behind + strspn(behind, " ")))) return at;  // a parameter with its type
        at = behind;
    }
}

// `= p[...]`, and nothing else, where p is declared as floats in this function.
int lab_is_element_of_floats(const char *text, const char *at, const char *end) {
    const char *value = at + strspn(at, " "), *open = value, *function = lab_function_of(text, at);
    while (lab_is_word(*open)) open++;
    const size_t n = (size_t)(open - value);
    if (*open != '[' || !n || end[-1] != ']' || memchr(open + 1, '[', (size_t)(end - open - 1))) return 0;
    for (const char *c = function; (c = strstr(c, "float ")) && c < value; c++) {
        const char *name = c + strlen("float "), *stop = end_of_names(name);
        if (!begins_word(text, c)) continue;
        for (; name < stop; name++)
            if (!strncmp(name, value, n) && !lab_is_word(name[n]) && !lab_is_word(name[-1]) &&
                (name[-1] == '*' || name[n] == '['))
                return 1;
    }
    return 0;
}

// `= sum_of(x, buf)` or `= m.at(r, c)`, and nothing else, where the file has a function `float sum_of(` or `float at(`.
static int is_call_of_floats(const char *text, const char *at, const char *end, char name[32]) {
    const char *value = at + strspn(at, " "), *behind = value;
    while (lab_is_word(*behind)) behind++;
    if (*behind == '.' || !strncmp(behind, "->", 2)) {
        value = behind += *behind == '.' ? 1 : 2;
        while (lab_is_word(*behind)) behind++;
    }
    const char *open = *behind == '<' ? behind + strcspn(behind, ">(;") + 1 : behind;
    const size_t n = (size_t)(behind - value);
    if (!n || n >= 24 || open >= end || *open != '(' || lab_matching(open) != end - 1) return 0;
    snprintf(name, 32, "float %.*s(", (int)n, value);
    for (const char *c = text; (c = strstr(c, name)); c++)
        if (begins_word(text, c)) return snprintf(name, 32, "%.*s()", (int)n, value) > 0;
    return 0;
}

// `= l`, and nothing else, where the declaration of l next to it says `float l`.
int lab_is_a_float(const char *text, const char *at, const char *end, char name[32]) {
    const char *value = at + strspn(at, " "), *function = lab_function_of(text, at);
    const size_t n = (size_t)(end - value);
    if (!function || !n || n >= 32 || (*value >= '0' && *value <= '9')) return 0;
    for (const char *c = value; c < end; c++)
        if (!lab_is_word(*c)) return 0;
    snprintf(name, 32, "%.*s", (int)n, value);
    for (const char *c = value - 1; c > function; c--) {
        if (c[-1] != ' ' || strncmp(c, value, n) || lab_is_word(c[n])) continue;
        const char *type = c - 1;
        while (type > function && lab_is_word(type[-1])) type--;
        if (type == c - 1 || !strncmp(type, "return ", 7)) continue;  // it is read there
        return (!strncmp(type, "float ", 6) || !strncmp(type, "double ", 7)) && c[n] != '[' && c[n] != '(';
    }
    return 0;
}

// `s[c] + q[d] * k[d]`: one of them is such an element, and nothing makes it whole.
static int adds_elements(const char *text, const char *at, const char *end) {
    int open = 0;
    for (const char *c = at; c < end; c++) {  // within the brackets of an element anything may stand
        open += (*c == '[') - (*c == ']');
        if (!open && strchr("()?<>=&|%", *c)) return 0;
    }
    for (const char *c = at, *first = at; c < end; c++) {
        if (*c == '[') open++;
        if (*c == ']' && !--open && lab_is_element_of_floats(text, first, c + 1)) return 1;
        if (!open && strchr("+-*/", *c)) first = c + 1;
    }
    return 0;
}

static int begins_statement(const char *text, const char *at) {
    while (at > text && strchr(" \n\t", at[-1])) at--;
    return at == text || strchr(";{})", at[-1]);
}

// The bracket of the `for` in whose head this place stands. NULL: it stands in none.
static const char *head_around(const char *text, const char *at) {
    const char *function = lab_function_of(text, at);
    for (const char *c = at; c > function && !strchr("{}\n", *c); c--)
        if (lab_is_word_at(text, c, "for") && *lab_skip_blanks(c + 3) == '(' && at < lab_behind_bracket(strchr(c, '(')))
            return strchr(c, '(');
    return NULL;
}

// Where what is declared at this place is known no more.
static const char *end_of_scope(const char *text, const char *at) {
    const char *head = head_around(text, at);
    return head ? lab_end_of_statement(lab_behind_bracket(head)) : lab_block_end(at);
}

// Of `NAME = value`, `NAME += value` or `NAME *= value` behind its declaration, as far as that is known.
static const char *set_behind(const char *text, const char *from, const char *name, const char **made) {
    const char *function = lab_function_of(text, from), *scope = end_of_scope(text, from);
    const size_t n = strlen(name);
    for (const char *at = from; (at = strstr(at, name)) && at < scope; at += n) {
        if (!begins_word(text, at) || lab_is_word(at[n])) continue;
        if (lab_function_of(text, at) != function) return NULL;
        const char *op = at + n + strspn(at + n, " ");
        const size_t length = *op == '=' && op[1] != '=' ? 1 : *op && strchr("+-*", *op) && op[1] == '=' ? 2 : 0;
        const char *value = op + length, *end = end_of(value);
        if (!length || !begins_statement(text, at)) continue;
        if ((*made = fraction_in(value, end))) return at;
        char given[32];
        if (adds_elements(text, value, end) || lab_is_a_float(text, value, end, given)) return *made = "", at;
    }
    return NULL;
}

// `= fmaxf(m, s)` where one of the two is a float: the larger of two whole numbers is whole.
static int is_larger_of_floats(const char *text, const char *at, const char *end, char name[32]) {
    const char *value = at + strspn(at, " ");
    if (strncmp(value, "fmaxf(", 6) || lab_matching(value + 5) != end - 1) return 0;
    for (const char *c = value + 6; c < end; c = end_of(c) + 1) {
        const char *stop = end_of(c);
        while (*c == ' ') c++;
        if (lab_is_a_float(text, c, stop, name) || lab_is_element_of_floats(text, c, stop))
            return snprintf(name, 32, "what fmaxf() gives") > 0;
        if (*stop != ',') return 0;
    }
    return 0;
}

// `n << 23`, not `<<<`.
static int is_shift(const char *text, const char *at) {
    return !strncmp(at, "<<", 2) && at[2] != '<' && (at == text || at[-1] != '<');
}

// Is it an index, the other side of a %, shifted, or what a loop counts by? Then it is meant to be whole.
int lab_is_meant_whole(const char *text, const char *from, const char *name) {
    const char *function = lab_function_of(text, from);
    const size_t n = strlen(name);
    for (const char *at = from; (at = strstr(at, name)); at += n) {
        if (!begins_word(text, at) || lab_is_word(at[n])) continue;
        if (lab_function_of(text, at) != function) return 0;
        const char *before = at, *behind = at + n + strspn(at + n, " "), *row = at;
        while (before > text && before[-1] == ' ') before--;
        while (row > text && row[-1] != '\n') row--;
        int open = 0;
        for (const char *c = row; c < at; c++) open += *c == '[', open -= *c == ']';
        if (open > 0 || *behind == '%' || (before > text && before[-1] == '%')) return 1;
        for (const char *c = row; *c && *c != '\n'; c++)
            if (is_shift(text, c) || lab_is_word_at(text, c, "ldexpf") || lab_is_word_at(text, c, "ldexp")) return 1;
        if (head_around(text, at)) return 1;
    }
    return 0;
}

int lab_hint_of_types(const char *text, int from, int to, char *sentence, size_t size) {
    const char *start = lab_line_at(text, from), *behind = lab_line_at(text, to + 1);
    for (const char *at = start; at && *at && (!behind || at < behind); at++) {
        const size_t n = lab_whole_type_at(text, at);
        const char *first = at + n + strspn(at + n, " "), *end = first;
        char name[32];
        while (lab_is_word(*end)) end++;
        if (!n || end == first || end - first >= (int)sizeof name) continue;
        snprintf(name, sizeof name, "%.*s", (int)(end - first), first);
        const char *value = end + strspn(end, " "), *made = NULL, *set = at;
        if (*value == '(' || *value == '[') continue;  // a function, an array
        if (*value == '=' && value[1] != '=') made = fraction_in(value + 1, end_of(value + 1));
        const int element =
            *value == '=' && value[1] != '=' && lab_is_element_of_floats(text, value + 1, end_of(value + 1));
        if (element && !lab_is_meant_whole(text, end, name)) {
            snprintf(
                sentence, size,
                "line %d: %s is declared as %.*s, and gets an element of floats: what is behind the point is lost, "
                "it must be a float",
                lab_line_of(text, at), name, (int)n, at);
            return 1;
        }
        char given[32];
        if (*value == '=' &&
            (lab_is_a_float(text, value + 1, end_of(value + 1), given) ||
             is_larger_of_floats(text, value + 1, end_of(value + 1), given) ||
             is_call_of_floats(text, value + 1, end_of(value + 1), given)) &&
            !lab_is_meant_whole(text, end, name))
            return snprintf(sentence, size,
                            "line %d: %s is declared as %.*s, and gets %s, a float: what is behind the point is lost, "
                            "it must be a float",
                            lab_line_of(text, at), name, (int)n, at, given) > 0;
        if (!made) set = set_behind(text, end, name, &made);
        if (!made || !set || lab_is_meant_whole(text, end, name)) continue;
        char where[40] = "";
        if (lab_line_of(text, set) != lab_line_of(text, at))
            snprintf(where, sizeof where, " in line %d", lab_line_of(text, set));
        if (!*made)
            return snprintf(sentence, size,
                            "line %d: %s is declared as %.*s, and gets floats%s: what is behind the point is lost, it "
                            "must be a float",
                            lab_line_of(text, at), name, (int)n, at, where) > 0;
        snprintf(sentence, size,
                 "line %d: %s is declared as %.*s, and gets what %.*s() gives%s: what is behind the point is lost, it "
                 "must be a float",
                 lab_line_of(text, at), name, (int)n, at, (int)strcspn(made, "("), made, where);
        return 1;
    }
    return 0;
}
