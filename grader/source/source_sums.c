// source_sums.c: a sum that is set to 0 again in each round of the loop that adds to it.
#include "source_hints.h"
#include "source_lines.h"

#include <stdio.h>
#include <string.h>

// The name that the statement begins with which has its operator here: of "out[x] += ..." out, of "*l += ..." l.
static int name_of(const char *text, const char *op, char name[32]) {
    const char *start = op;
    while (start > text && !strchr(";{})\n", start[-1])) start--;
    while (start < op && !lab_is_word(*start)) start++;
    int n = 0;
    while (start + n < op && lab_is_word(start[n])) n++;
    snprintf(name, 32, "%.*s", n < 32 ? n : 0, start);
    return n > 0 && n < 32;
}

static int is_zero(const char *value) {
    const size_t n = strspn(value, " 0.f");
    return value[n] == ';' && strchr(value, '0') && strchr(value, '0') < value + n;
}

static int is_plain(const char *op) { return op[1] != '=' && !strchr("=!<>+-*/%&|^", op[-1]); }

int lab_hint_of_clearing(const char *text, int from, int to, char *sentence, size_t size) {
    const char *start = lab_line_at(text, from), *behind = lab_line_at(text, to + 1);
    const char *end = behind ? behind : text + strlen(text);
    for (const char *add = start; add && (add = strstr(add, "+=")) && add < end; add += 2) {
        char sum[32], name[32];
        const char *cleared = NULL;
        int stored = 0;  // as something else than 0: that may be what overwrites it
        if (!name_of(text, add, sum)) continue;
        for (const char *op = start + 1; (op = strchr(op, '=')) && op < end; op++) {
            if (!is_plain(op) || !name_of(text, op, name)) continue;
            const char *last = op;
            while (last[-1] == ' ') last--;
            const int its = strcmp(name, sum) == 0, element = last[-1] == ']';
            if (its && is_zero(op + 1) && op < add) cleared = op;
            stored |= (its || element) && !is_zero(op + 1);
        }
        if (!cleared || stored) continue;
        snprintf(sentence, size,
                 "line %d sets %s to 0 again before each one is added. Set it to 0 once, before the loop over what "
                 "is added",
                 lab_line_of(text, cleared), sum);
        return 1;
    }
    return 0;
}
