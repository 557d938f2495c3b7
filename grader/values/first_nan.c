// first_nan.c: NaN spreads from number to number, so that the outputs do not tell where it comes from. Of the numbers that the
// lines told, in order, the first that is NaN was made of none that is: of two that are infinite, or of 0 and 0.
#include "first_nan.h"

#include <ctype.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

enum { LONGEST = 120 };

typedef struct {
    const char *at;
    int n;
} part;

static part trimmed(const char *from, const char *to) {
    while (from < to && isspace((unsigned char)*from)) from++;
    while (from < to && isspace((unsigned char)to[-1])) to--;
    return (part){from, (int)(to - from)};
}

static int is_letter(char c) { return isalnum((unsigned char)c) || c == '_'; }

static const char *line_of(const char *source, int line) {
    for (; source && line > 1; line--) source = (source = strchr(source, '\n')) ? source + 1 : NULL;
    return source;
}

// The first of these characters outside of brackets, `end` if there is none.
static const char *outside(const char *s, const char *end, const char *any) {
    for (int depth = 0; s < end; s++) {
        if (!depth && strchr(any, *s)) return s;
        depth += strchr("([{", *s) != NULL;
        depth -= strchr(")]}", *s) != NULL;
        if (depth < 0) return s;
    }
    return end;
}

// What a variable gets, or what is returned: behind its name and =. Length 0: it is not found.
static part value_of(const char *source, const lab_line *l) {
    const size_t n = strlen(l->name);
    const int returns = !strcmp(l->name, "return");
    const char *s = line_of(source, l->line), *end = s ? s + strcspn(s, ";") : NULL;
    for (const char *at = s; at && (at = strstr(at, l->name)) && at < end; at++) {
        const char *value = at + n + strspn(at + n, " ");
        if ((at > source && (is_letter(at[-1]) || at[-1] == '.')) || is_letter(at[n])) continue;
        if (!returns) value += strchr("+-*/", *value) != NULL;
        if (!returns && (*value != '=' || value[1] == '=')) continue;
        value += !returns;
        const part v = trimmed(value, outside(value, end, ","));
        return v.n <= LONGEST ? v : (part){NULL, 0};
    }
    return (part){NULL, 0};
}

// What a variable of this name had last, before i, in the same thread and function. An element may be another one: NaN.
static double last_of(const lab_lines *lines, const lab_told *list, int i, part name) {
    const lab_line *here = &lines->line[list[i].id - 1];
    for (int k = i - 1; k >= 0 && name.n && !memchr(name.at, '[', (size_t)name.n); k--) {
        if (list[k].where != list[i].where || list[k].id < 1 || list[k].id > lines->n) continue;
        const lab_line *l = &lines->line[list[k].id - 1];
        if (!strcmp(l->function, here->function) && strlen(l->name) == (size_t)name.n &&
            !memcmp(l->name, name.at, (size_t)name.n))
            return list[k].value;
    }
    return NAN;
}

// expf(a - b), where one of them is known to be infinite.
static int say_difference(const lab_lines *lines, const lab_told *list, int i, part v, char *why, size_t size) {
    const char *end = v.at + v.n;
    for (const char *e = v.at; e < end && (e = strstr(e, "exp")) && e < end; e++) {
        const char *open = e;
        while (open < end && (is_letter(*open))) open++;
        if (open >= end || *open != '(' || (e > v.at && is_letter(e[-1]) && e[-1] != '_')) continue;
        const char *minus = outside(open + 1, end, "-"), *close = outside(minus + (minus < end), end, ")");
        if (minus >= end || *minus != '-') continue;
        const part a = trimmed(open + 1, minus), b = trimmed(minus + 1, close);
        const double x = last_of(lines, list, i, a), y = last_of(lines, list, i, b);
        if ((!isinf(x) && !isinf(y)) || (x != y && !isnan(x) && !isnan(y))) continue;
        const char *sign = (isinf(x) ? x : y) < 0 ? "-" : "";
        const char *weight = *sign ? ": what has no keys has the weight 0" : "";
        if (x == y)
            snprintf(why, size, "%.*s and %.*s are both %sINFINITY there, and their difference is no number%s", a.n,
                     a.at, b.n, b.at, sign, weight);
        else
            snprintf(why, size, "%.*s is %sINFINITY there, and where %.*s is, too, their difference is no number%s",
                     isinf(x) ? a.n : b.n, isinf(x) ? a.at : b.at, sign, isinf(x) ? b.n : a.n, isinf(x) ? b.at : a.at,
                     weight);
        return 1;
    }
    return 0;
}

// a / b, where b was 0, or a * b, where one of them was infinite.
static int say_factor(const lab_lines *lines, const lab_told *list, int i, part v, char *why, size_t size) {
    const char *end = v.at + v.n;
    for (const char *op = v.at; op < end && (op = outside(op, end, "*/")) < end && strchr("*/", *op); op++) {
        const part a = trimmed(v.at, op), b = trimmed(op + 1, outside(op + 1, end, "*/+-"));
        const double x = last_of(lines, list, i, a), y = last_of(lines, list, i, b);
        if (*op == '/' && y == 0) return snprintf(why, size, "%.*s is 0 there, and 0 / 0 is no number", b.n, b.at);
        if (*op == '*' && (isinf(x) || isinf(y)))
            return snprintf(why, size, "%.*s is infinite there, and what is 0 times that is no number",
                            isinf(x) ? a.n : b.n, isinf(x) ? a.at : b.at);
    }
    return 0;
}

int lab_first_nan(const lab_lines *lines, const lab_told *list, int n, const char *source, char *text, size_t size) {
    char why[300];
    int i = 0;
    text[0] = 0;
    while (i < n && !isnan(list[i].value)) i++;
    if (i >= n || !source || list[i].id < 1 || list[i].id > lines->n) return 0;
    const lab_line *l = &lines->line[list[i].id - 1];
    const part v = value_of(source, l);
    if (!v.n ||
        (!say_difference(lines, list, i, v, why, sizeof why) && !say_factor(lines, list, i, v, why, sizeof why)))
        return 0;
    const int returns = !strcmp(l->name, "return");
    snprintf(text, size, "line %d, in %s: %s%s%.*s is the first number of the call that is NaN: %s", l->line,
             l->function, returns ? "" : l->name, returns ? "" : " = ", v.n, v.at, why);
    return 1;
}
