// reason.c: why a change mends, where its own text proves it. A wrong reason is worse than none.
#include "rank.h"

#include <ctype.h>
#include <stdio.h>
#include <string.h>

static int is(const char *a, const char *b) { return strcmp(a, b) == 0; }

static int ends(const char *text, const char *with) {
    const size_t n = strlen(text), m = strlen(with);
    return n >= m && is(text + n - m, with);
}

// exp(x) becomes exp(x - top): with small numbers both are right.
static int takes_maximum_off(const lab_edit *e) {
    static const char *const functions[] = {"exp(", "expf(", "exp2f(", "__expf("};
    const size_t n = strlen(e->was);
    char call[LAB_FRAGMENT + 16];
    if (!n || strncmp(e->now, e->was, n) || strncmp(e->now + n, " - ", 3)) return 0;
    for (size_t i = 0; i < sizeof functions / sizeof *functions; i++) {
        snprintf(call, sizeof call, "%s%s)", functions[i], e->was);
        if (strstr(e->whole, call)) return 1;
    }
    return 0;
}

// The function of the line that counts in bytes, and is given a number without one.
static const char *counts_bytes(const lab_edit *e) {
    static const char *const functions[] = {"memset", "memcpy", "malloc", "cudaMemsetAsync", "cudaMemcpyAsync"};
    if (!strstr(e->now, "sizeof") || strstr(e->was, "sizeof")) return NULL;
    for (size_t i = 0; i < sizeof functions / sizeof *functions; i++) {
        const char *at = strstr(e->whole, functions[i]);
        if (at && (at == e->whole || !(isalnum((unsigned char)at[-1]) || at[-1] == '_')) &&
            at[strlen(functions[i])] == '(')
            return functions[i];
    }
    return NULL;
}

// The second part of a for, where a loop ends: does the change stand in it?
static int ends_loop(const lab_edit *e) {
    const char *first = strncmp(e->whole, "for (", 5) ? NULL : strchr(e->whole, ';');
    const char *second = first ? strchr(first + 1, ';') : NULL;
    const int at = e->column - 1 - e->indent;
    return second && at > first - e->whole && at < second - e->whole;
}

// 32.0f in place of 32 behind "D / ": the quotient is one of whole numbers no more.
static int makes_fraction(const lab_edit *e) {
    const size_t n = strlen(e->was);
    const int at = e->column - 1 - e->indent;
    if (!n || strspn(e->was, "0123456789") != n || strncmp(e->now, e->was, n) || e->now[n] != '.') return 0;
    return at > 2 && (size_t)at < strlen(e->whole) && !strncmp(e->whole + at - 2, "/ ", 2);
}

void lab_say_reason(const lab_edit *e, char *text, size_t size) {
    const char *bytes = counts_bytes(e);
    text[0] = 0;
    if (takes_maximum_off(e))
        snprintf(text, size, "Without it exp overflows, or all of them are 0, where the numbers are large.");
    else if (bytes)
        snprintf(text, size, "%s counts bytes.", bytes);
    else if (is(e->was, "=") && is(e->now, "+="))
        snprintf(text, size, "As it is, what stood there before is lost.");
    else if (is(e->was, "+=") && is(e->now, "="))
        snprintf(text, size, "As it is, the value is added to what stands there already.");
    else if (is(e->was, "<") && is(e->now, "<=") && ends_loop(e))
        snprintf(text, size, "As it is, the loop ends one too early.");
    else if (is(e->was, "<=") && is(e->now, "<") && ends_loop(e))
        snprintf(text, size, "As it is, the loop goes one too far.");
    else if (is(e->now, "-INFINITY") && !strncmp(e->whole, "float ", 6) && strspn(e->was, "0.f") == strlen(e->was))
        snprintf(text, size, "A maximum that begins with 0 is wrong where all numbers are below 0.");
    else if (is(e->kind, "once"))
        snprintf(text, size, "As it is, each round multiplies by it once more: once, before the loop, is meant.");
    else if (makes_fraction(e))
        snprintf(text, size,
                 "A quotient of whole numbers is rounded down. Adding %s - 1 before the division rounds it up, whole.",
                 e->was);
    else if (is(e->kind, "shared out"))
        snprintf(text, size, "What is shared out is what the parts are cut off at; the quotient is rounded up.");
    else if (is(e->kind, "rounded up") && ends(e->was, " + 1"))
        snprintf(text, size, "As it is, there is one too many where the quotient has no rest.");
    else if (is(e->kind, "rounded up") && strchr(e->was, '/') && !strstr(e->was, "- 1)"))
        snprintf(text, size, "A quotient of whole numbers is rounded down: the last, partial one is left out.");
}
