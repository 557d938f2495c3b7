// source_constants.c: whole numbers that a file's text gives away. What it does not give away is not guessed.
#include "source_constants.h"

#include <ctype.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include "source_calls.h"
#include "source_lines.h"

enum { LONGEST = LAB_LONGEST_WORD, DEEPEST = 5, MOST_LOOKS = 500, MOST_BITS = 30 };

static const long UNKNOWN = -1, LARGEST = 1L << MOST_BITS;

typedef struct {
    const lab_number *of;
    const char *at, *to;
    int depth;  // names that are made of names
} reader;

static int looks;

void lab_constants_begin(void) { looks = 0; }

static long read_sum(reader *r);

static long number(const lab_number *of, const char *from, const char *to, int depth) {
    reader r = {.of = of, .at = from, .to = to, .depth = depth};
    if (!depth) return UNKNOWN;
    const long n = read_sum(&r);
    return lab_skip_blanks(r.at) < to || n > LARGEST ? UNKNOWN : n;
}

// ---- Names

// The template of a function that begins here: template <int N> before it.
static const char *template_of(const char *text, const char *function, const char **end) {
    const char *at = function;
    while (at > text && !strchr(";}", at[-1])) at--;
    const char *open = strstr(at, "template"), *list = open && open < function ? strchr(open, '<') : NULL;
    *end = list && list < function ? memchr(list, '>', (size_t)(function - list)) : NULL;
    return *end ? list + 1 : NULL;
}

// Which one of the list it is, from 0 on: "int N" or "int N = 8". -1: none.
static int place_in_list(const char *from, const char *to, const char *name) {
    const char *end, *at;
    for (int i = 0; from < to && (at = lab_in_list(from, to, i, &end)); i++)
        if (lab_has_word(at, end, name)) return i;
    return -1;
}

static int is_parameter(const char *text, const char *place, const char *name) {
    const char *function = lab_function_of(text, place), *end, *list = template_of(text, function, &end);
    if (!lab_is_word(*function)) return 0;  // above all functions: #define ROWS (BR / 16)
    return lab_parameter_of(function, name) >= 0 || (list && place_in_list(list, end, name) >= 0);
}

// The end of what follows "NAME = " or "#define NAME ". NULL: the name is not set here. other: it is, but not as a constant.
static const char *value_at(const char *text, const char *at, const char *name, const char **value, int *other) {
    const char *behind = at + strlen(name);
    if (!lab_is_word_at(text, at, name)) return NULL;
    if (at - text >= 8 && !strncmp(at - 8, "#define ", 8)) {
        *value = behind;
        return behind + strcspn(behind, "\n");
    }
    behind = lab_skip_blanks(behind);
    *other = (strchr("+-*/%&|^", *behind) && *behind && behind[1] == '=') || !strncmp(behind, "<<=", 3) ||
             !strncmp(behind, ">>=", 3) || !strncmp(behind, "++", 2) || !strncmp(behind, "--", 2) ||
             (at - text >= 2 && (!strncmp(at - 2, "++", 2) || !strncmp(at - 2, "--", 2)));
    if (*behind != '=' || behind[1] == '=') return NULL;
    *value = behind + 1;
    int depth = 0;
    for (behind++; *behind && (depth || !strchr(",;}", *behind)); behind++)
        depth += *behind == '(', depth -= *behind == ')';
    return behind;
}

// The one value that the file, or the function, gives to the name.
static long of_name(const reader *r, const char *name) {
    const char *text = r->of->text, *value = NULL, *end, *only = NULL, *only_end = NULL;
    if (r->of->name && !strcmp(name, r->of->name)) return r->of->value;
    if (!strcmp(name, "warpSize")) return 32;
    if (looks++ >= MOST_LOOKS || is_parameter(text, r->of->place, name)) return UNKNOWN;
    for (const char *at = text; (at = strstr(at, name)); at++) {
        int other = 0;
        if ((end = value_at(text, at, name, &value, &other)) == NULL && !other) continue;
        if (only || other) return UNKNOWN;
        only = value, only_end = end;
    }
    const lab_number there = {.text = text, .place = only};
    return only ? number(&there, only, only_end, r->depth - 1) : UNKNOWN;
}

// ---- blockDim.x

// How many threads in x a launch asks for that stands behind this <<<.
static long threads_of(const char *text, const char *open, int depth) {
    const char *close = strstr(open, ">>>"), *end, *from = close ? lab_in_list(open + 3, close, 1, &end) : NULL;
    const lab_number of = {.text = text, .place = open};
    char name[LONGEST], made[LONGEST + 8] = "dim3 ";
    if (!from) return UNKNOWN;
    from = lab_skip_blanks(from);
    const char *list = NULL, *first;
    if (!strncmp(from, "dim3(", 5))
        list = from + 4;
    else if (lab_copy_word(from, end, name) && lab_function_of(text, open)) {
        strcat(made, name), strcat(made, "(");
        first = strstr(lab_function_of(text, open), made);
        if (first && first < open) list = first + strlen(made) - 1;
    }
    if (list) from = lab_in_list(list + 1, lab_behind_bracket(list) - 1, 0, &end);
    return from ? number(&of, from, end, depth) : UNKNOWN;
}

// The smallest block of the kernels in which this function is called, or of itself.
static long of_block(const char *text, const char *place, int depth) {
    const char *function = lab_function_of(text, place), *own = strchr(function, '{');
    char name[LONGEST];
    long least = UNKNOWN;
    if (!depth || looks++ >= MOST_LOOKS || !own || !lab_name_of_function(function, name)) return UNKNOWN;
    for (const char *at = text; (at = strstr(at, name)); at++) {
        const char *open = at + strlen(name);
        if (!lab_is_word_at(text, at, name) || (at >= function && at < own)) continue;
        const char *close = *open == '<' && open[1] != '<' ? strchr(open, '>') : NULL;  // f<true>(x)
        if (close) open = close + 1;
        if (*open != '(' && strncmp(open, "<<<", 3)) continue;
        const char *behind = *open == '(' ? lab_matching(open) : NULL;
        if (*open == '(' && lab_function_of(text, at) == at) continue;
        if (behind && behind[1] == ';' && at > text && strchr(" *", at[-1]) && lab_is_word(at[-2]) &&
            !lab_is_word_at(text, at - 7, "return"))
            continue;  // it is declared
        const long n = *open == '<' ? threads_of(text, open, depth - 1) : of_block(text, at, depth - 1);
        if (n == UNKNOWN) return UNKNOWN;
        if (least == UNKNOWN || n < least) least = n;
    }
    return least;
}

// ---- Expressions

static int takes(reader *r, const char *sign) {
    const char *at = lab_skip_blanks(r->at);
    if (at >= r->to || strncmp(at, sign, strlen(sign))) return 0;
    r->at = at + strlen(sign);
    return 1;
}

static long read_value(reader *r) {
    char name[LONGEST];
    if (takes(r, "(")) {
        while (takes(r, "int)") || takes(r, "unsigned)") || takes(r, "unsigned int)") || takes(r, "size_t)"))
            return read_value(r);
        const long n = read_sum(r);
        return takes(r, ")") ? n : UNKNOWN;
    }
    const char *at = lab_skip_blanks(r->at), *end = at;
    if (at < r->to && isdigit((unsigned char)*at)) {
        char *behind;
        const unsigned long n = strtoul(at, &behind, 0);
        for (r->at = behind; *r->at && strchr("uUlL", *r->at);) r->at++;
        return n > (unsigned long)LARGEST || lab_is_of_name(*r->at) ? UNKNOWN : (long)n;
    }
    if (r->of->name && strchr(r->of->name, '.') && takes(r, r->of->name)) return r->of->value;
    if (takes(r, "blockDim.x")) return of_block(r->of->text, r->of->place, r->depth - 1);
    while (end < r->to && lab_is_word(*end)) end++;
    if (end == at || !lab_copy_word(at, end, name) || (end < r->to && *end && strchr(".[(", *end))) return UNKNOWN;
    r->at = end;
    return takes(r, "::") ? read_value(r) : takes(r, "->") ? UNKNOWN : of_name(r, name);
}

static long read_product(reader *r) {
    long n = read_value(r);
    for (;;) {
        const int by = takes(r, "*") ? '*' : takes(r, "/") ? '/' : takes(r, "%") ? '%' : 0;
        if (!by) return n;
        const long m = read_value(r);
        if (n < 0 || m < 0 || (by != '*' && !m) || (by == '*' && m && n > LARGEST / m)) return UNKNOWN;
        n = by == '*' ? n * m : by == '/' ? n / m : n % m;
    }
}

static long read_terms(reader *r) {
    long n = read_product(r);
    for (;;) {
        const int by = takes(r, "+") ? 1 : takes(r, "-") ? -1 : 0;
        if (!by) return n;
        const long m = read_product(r);
        if (n < 0 || m < 0 || n + by * m < 0 || n + by * m > LARGEST) return UNKNOWN;
        n += by * m;
    }
}

static long read_sum(reader *r) {
    long n = read_terms(r);
    for (;;) {
        const int by = takes(r, "<<") ? 1 : takes(r, ">>") ? -1 : 0;
        if (!by) return n;
        const long m = read_terms(r);
        if (n < 0 || m < 0 || m > MOST_BITS || (by > 0 && n > LARGEST >> m)) return UNKNOWN;
        n = by > 0 ? n << m : n >> m;
    }
}

long lab_number_of(const lab_number *of, const char *from, const char *to) { return number(of, from, to, DEEPEST); }

// ---- Parameters

long lab_number_of_parameter(const char *text, const char *place, const char *name, const char **call) {
    const char *function = lab_function_of(text, place), *own = strchr(function, '{'), *end;
    const char *list = template_of(text, function, &end);
    const int i = lab_parameter_of(function, name), t = list ? place_in_list(list, end, name) : -1;
    char its[LONGEST], value[LONGEST];
    long most = UNKNOWN;
    if ((i < 0 && t < 0) || !own || !lab_name_of_function(function, its)) return UNKNOWN;
    for (const char *at = text; looks++ < MOST_LOOKS && at; at++) {
        const char *from = value;
        if (i >= 0) {
            if (!(at = lab_argument_of(at, function, i, value))) break;
            end = value + strlen(value);
        } else {
            if (!(at = strstr(at, its))) break;
            const char *open = at + strlen(its), *close = *open == '<' && open[1] != '<' ? strchr(open, '>') : NULL;
            if (!close || !lab_is_word_at(text, at, its)) continue;
            if (!(from = lab_in_list(open + 1, close, t, &end))) continue;
        }
        const lab_number there = {.text = text, .place = at};
        const long n = lab_number_of(&there, from, end);
        if (n > most) most = n, *call = at;
    }
    return most;
}
