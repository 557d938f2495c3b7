// source_alike.c: who computes the same number as its neighbour. A name is what the line before it sets it to, or what the
// first call hands over, a field what is stored in it; what the text does not give away is not guessed:
//
//     const int warp = threadIdx.x / 32;            32 threads
//     me.row = blockIdx.x * 4 + (me.t >> 3);         8 threads, with me.t = threadIdx.x
#include "source_alike.h"

#include <ctype.h>
#include <stdio.h>
#include <string.h>

#include "source_calls.h"
#include "source_constants.h"
#include "source_lines.h"

enum { LONGEST = LAB_LONGEST_WORD, DEEPEST = 5 };

typedef struct {
    const char *from, *to;
} span;

static int alike(const char *text, span of, int depth);

static int least(int a, int b) { return a < b ? a : b; }

static long number(const char *text, span of) {
    const lab_number there = {.text = text, .place = of.from};
    return lab_number_of(&there, of.from, of.to);
}

// ---- Names

// Behind a name and its fields: me.t, p->t.
static const char *behind_name(const char *at) {
    for (;;) {
        while (lab_is_word(*at)) at++;
        const int arrow = !strncmp(at, "->", 2);
        if (!(arrow || *at == '.') || !lab_is_word(at[1 + arrow])) return at;
        at += 1 + arrow;
    }
}

// What the name is set to in its function, by the last line before this place.
static int value_of(const char *text, const char *before, const char *name, span *value) {
    const char *function = lab_function_of(text, before), *last = NULL;
    const size_t n = strlen(name);
    for (const char *at = function; (at = strstr(at, name)) && at < before; at += n) {
        const char *sign = at + n + strspn(at + n, " ");
        if (at > text && (lab_is_word(at[-1]) || strchr(".>", at[-1]))) continue;
        if (*sign == '=' && sign[1] != '=') last = sign + 1;
    }
    if (!last) return 0;
    *value = (span){last, last};
    for (int deep = 0; *value->to && (deep || !strchr(",;)}", *value->to)); value->to++)
        deep += strchr("([{", *value->to) != NULL, deep -= strchr(")]}", *value->to) != NULL;
    return value->to <= before;
}

// What a name is made of: a value in the text, or an argument, which is copied.
static int origin_of(const char *text, const char *at, const char *name, span *value) {
    if (value_of(text, at, name, value)) return 1;
    char copied[LONGEST];
    const char *function = lab_function_of(text, at), *end;
    const int i = strpbrk(name, ".>") ? -1 : lab_parameter_of(function, name);
    const char *call = i < 0 ? NULL : lab_argument_of(text, function, i, copied);
    const char *open = call ? strchr(call, '(') : NULL, *launch = call ? strstr(call, ">>>") : NULL;
    if (call && launch && !memchr(call, ';', (size_t)(launch - call))) open = launch + 3;
    if (!open) return 0;
    value->from = lab_in_list(open + 1, lab_behind_bracket(open) - 1, i, &end);
    value->to = end;
    return value->from != NULL;
}

static int of_name(const char *text, const char *at, const char *end, int depth) {
    char name[LONGEST];
    span value;
    if (!lab_copy_word(at, end, name) || !strcmp(name, "threadIdx.y") || !strcmp(name, "threadIdx.z")) return LAB_WARP;
    if (!strcmp(name, "threadIdx.x") || !strcmp(name, "threadIdx")) return 1;
    if (!depth || isdigit((unsigned char)*name) || *end == '(' || !origin_of(text, at, name, &value)) return LAB_WARP;
    return alike(text, value, depth - 1);
}

// ---- Expressions

static int is_end_of_factor(char c) { return !lab_is_of_name(c) && c != '('; }

// Of what stands before this place, so many threads have the same: of x / 8 eight times as many.
static int divided(const char *text, int n, const char *at, const char *to) {
    for (at = lab_skip_blanks(at); at < to; at = lab_skip_blanks(at)) {
        const int shift = !strncmp(at, ">>", 2);
        if (!shift && !strchr("/%&", *at)) break;
        if (*at == '&' && at[1] == '&') break;
        const char *from = lab_skip_blanks(at + 1 + shift), *end = from + (*from == '~');
        end = *end == '(' ? lab_behind_bracket(end) : end;
        while (end < to && !is_end_of_factor(*end)) end++;
        const long by = number(text, (span){from + (*from == '~'), end});
        if (shift)
            n = by < 0 || by > 4 ? LAB_WARP : n << by;
        else if (*at == '/')
            n = by < 1 || by > LAB_WARP ? LAB_WARP : (int)by * n;
        else if (*at == '&' && *from == '~')
            n = by < 0 || by + 1 > LAB_WARP ? LAB_WARP : (int)by + 1;
        else if (*at == '&' && by > 0)
            n = (int)(by & -by) > n ? least((int)(by & -by), LAB_WARP) : n;
        n = least(n, LAB_WARP);
        at = end;
    }
    return n;
}

static int alike(const char *text, span of, int depth) {
    int all = LAB_WARP;
    for (const char *at = of.from; at < of.to;) {
        const char *end = at + 1;
        int n = LAB_WARP;
        if (*at == '(') {
            end = lab_behind_bracket(at);
            n = alike(text, (span){at + 1, least((int)(end - at), (int)(of.to - at)) - 1 + at}, depth);
        } else if (lab_is_word(*at)) {
            end = behind_name(at);
            n = of_name(text, at, end, depth);
        }
        all = least(all, n < LAB_WARP ? divided(text, n, end, of.to) : n);
        at = end;
    }
    return all;
}

int lab_threads_alike(const char *text, const char *from, const char *to) {
    lab_constants_begin();
    return alike(text, (span){from, to}, DEEPEST);
}

// ---- Conditions

static span bare(span s) {
    while (s.from < s.to && strchr(" \n(", *s.from)) s.from++;
    while (s.to > s.from && strchr(" \n)", s.to[-1])) s.to--;
    if (!strncmp(s.from, "int)", 4) || !strncmp(s.from, "unsigned)", 9)) s.from = strchr(s.from, ')') + 1;
    return s;
}

// threadIdx.x itself, by whatever name.
static int is_thread(const char *text, span of, int depth) {
    char name[LONGEST];
    span value;
    of = bare(of);
    if (!depth || of.from >= of.to || behind_name(of.from) < of.to || !lab_copy_word(of.from, of.to, name)) return 0;
    return !strcmp(name, "threadIdx.x") ||
           (origin_of(text, of.from, name, &value) && is_thread(text, value, depth - 1));
}

// A number of whole warps: 64, WARP, WARPS * 32.
static int is_of_warps(const char *text, span of) {
    of = bare(of);
    const long n = number(text, of);
    if (n >= 0 || memchr(of.from, '+', (size_t)(of.to - of.from)) || memchr(of.from, '-', (size_t)(of.to - of.from)) ||
        memchr(of.from, '/', (size_t)(of.to - of.from)))
        return n >= 0 && n % LAB_WARP == 0;
    for (const char *at = of.from, *end; at < of.to; at = end + 1) {
        end = memchr(at, '*', (size_t)(of.to - at));
        if (!end) end = of.to;
        const long factor = number(text, bare((span){at, end}));
        if (factor > 0 && factor % LAB_WARP == 0) return 1;
    }
    return 0;
}

// A comparison of the thread's number with one of whole warps: t < 32, t >= 64, 32 > t.
static int splits_warps(const char *text, span of) {
    for (const char *at = of.from; at + 1 < of.to; at++) {
        if ((*at != '<' && *at != '>') || at[1] == *at || at[-1] == *at || at[-1] == '-') continue;
        const int same = at[1] == '=';
        const span left = {of.from, at}, right = {at + 1 + same, of.to};
        if (is_thread(text, left, DEEPEST)) return same != (*at == '<') && is_of_warps(text, right) ? 0 : 1;
        if (is_thread(text, right, DEEPEST)) return same != (*at == '>') && is_of_warps(text, left) ? 0 : 1;
    }
    return 1;
}

int lab_threads_that_agree(const char *text, const char *from, const char *to) {
    int all = LAB_WARP, deep = 0;
    lab_constants_begin();
    for (const char *at = from, *part = from; at <= to; at++) {
        deep += *at == '(' && at < to, deep -= *at == ')' && at < to;
        const int ends = at == to || (!deep && (!strncmp(at, "&&", 2) || !strncmp(at, "||", 2)));
        if (!ends) continue;
        const int n = alike(text, (span){part, at}, DEEPEST);
        if (n < LAB_WARP && splits_warps(text, (span){part, at})) all = least(all, n);
        part = at + 2;
    }
    return all;
}
