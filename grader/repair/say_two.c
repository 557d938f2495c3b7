// say_two.c: a change in two places, in words.
#include "say_two.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { SHORT = 6, NEAR = 6 };  // what is shorter is no statement; lines between one statement and the next

// Of a change in two places, "a ... b", what stands in place k; 0: it is in one place.
static int part(const char *text, int k, char *out, size_t size) {
    const char *gap = strstr(text, " ... ");
    if (!gap) return 0;
    snprintf(out, size, "%.*s", k ? (int)size : (int)(gap - text), k ? gap + 5 : text);
    return 1;
}

// Two long calls that change places, and may have been cut off: their names tell which is meant.
static void shorten(char was[2][160], char now[2][160]) {
    enum { LONG = 40 };
    const size_t first = strlen(was[1]), second = strlen(now[1]);
    if (first < LONG || second < LONG || strncmp(now[0], was[1], first) || strncmp(now[1], was[0], second)) return;
    for (int k = 0; k < 2; k++) {
        char *open = strchr(was[k], '(');
        if (!open || open - was[k] > LONG) return;
        memcpy(open, "(...)", sizeof "(...)");
    }
    strcpy(now[0], was[1]), strcpy(now[1], was[0]);
}

// The same text, of which one may have been cut off.
static int begins_alike(const char *a, const char *b) {
    const size_t n = strlen(a), m = strlen(b), least = n < m ? n : m;
    return least >= SHORT && !strncmp(a, b, least);
}

// Two statements, one right behind the other, that change places. Of long ones the second of `now` may be missing.
static int say_order(const lab_edit *e, char was[2][160], char now[2][160], char *text, size_t size) {
    const int other = atoi(e->also);
    if (strcmp(e->kind, "exchanged") || !*e->also || strchr(e->also, ',') || strncmp(e->whole, was[0], strlen(was[0])))
        return 0;
    if (other - e->line > NEAR || strlen(e->whole) > strlen(was[0]) + 1 || !begins_alike(now[0], was[1]) ||
        (*now[1] && !begins_alike(now[1], was[0])))
        return 0;
    // Between lines of the file stands one of words (claims_show.c).
    char behind[180] = "";
    const int is_cut = strcmp(now[0], was[1]) || strlen(e->was) > LAB_FRAGMENT - 8;
    if (!is_cut) snprintf(behind, sizeof behind, "and\n%s;\n", was[1]);
    snprintf(text, size, "lines %d and %d, in %s, stand in the wrong order:\n%s\n%sWith line %d first,", e->line, other,
             e->function, e->whole, behind, other);
    return 1;
}

// Two places, in which something else changes. Returns 0 if it is one.
int lab_say_two(const lab_edit *e, const char *lines, char *text, size_t size) {
    char was[2][160], now[2][160], in[2][40] = {"", ""};
    int two = 1;
    for (int k = 0; k < 2; k++) {
        if (!part(e->was, k, was[k], sizeof *was)) return 0;
        two &= part(e->now, k, now[k], sizeof *now);
    }
    if (!two) snprintf(now[0], sizeof *now, "%s", e->now), *now[1] = 0;
    if (say_order(e, was, now, text, size)) return 1;
    if (!two) return 0;
    shorten(was, now);
    if (*e->also) snprintf(in[0], sizeof in[0], " in line %d", e->line);
    if (*e->also) snprintf(in[1], sizeof in[1], " in line %.20s", e->also);
    if (!*e->also && !strcmp(was[0], was[1]) && !strcmp(now[0], now[1])) {
        snprintf(text, size, "%s, in %s:\n%s\nWith %s in place of %s, both times,", lines, e->function, e->whole,
                 now[0], was[0]);
        return 1;
    }
    snprintf(text, size, "%s, in %s:\n%s\nWith %s in place of %s%s, and %s in place of %s%s,", lines, e->function,
             e->whole, now[0], was[0], in[0], now[1], was[1], in[1]);
    return 1;
}
