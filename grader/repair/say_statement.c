// say_statement.c: in words what a change does to a whole statement: barriers, what moves, what is done less or more often.
#include "say_statement.h"

#include <stdio.h>
#include <string.h>

#include "rank.h"
#include "whereto.h"

static int starts(const char *text, const char *with) { return strncmp(text, with, strlen(with)) == 0; }

static int is(const char *a, const char *b) { return strcmp(a, b) == 0; }

// Another condition before a barrier mends what its `if` does: some threads of the block do not reach it.
static int is_before_barrier(const lab_edit *e) {
    return starts(e->whole, "if") && strstr(e->whole, "__syncthreads") && *e->was && !starts(e->was, "__syncthreads");
}

int lab_say_barrier(const lab_repair_ask *ask, const lab_edit *e, const char *lines, char *text, size_t size) {
    const int comes = starts(e->now, "__syncthreads"),
              within = lab_is_always(e) ? lab_barrier_within(ask->source, e->line) : 0;
    char where[80], apart[120];
    if (comes && *e->end_of)
        snprintf(text, size,
                 "a barrier is missing at the end of %s, before its closing brace. With __syncthreads() there,",
                 e->end_of);
    else if (comes && !*e->was)
        lab_say_line(ask->source, e->line, where, sizeof where),
            lab_say_kept_apart(ask->source, e->line, apart, sizeof apart),
            snprintf(text, size, "a barrier is missing before %s%s. With __syncthreads() there,", where, apart);
    else if (is_before_barrier(e) && !*e->end_of)
        snprintf(text, size,
                 "%s, in %s, is a barrier that some threads of the block do not reach:\n%s\nWithout the if,", lines,
                 e->function, e->whole);
    else if (within && !*e->end_of)
        snprintf(text, size,
                 "%s, in %s:\n%s\nThe barrier of line %d stands within it, and some threads of the block do not go "
                 "there. All of them have to reach it: it belongs behind the if. Without the `if (%s)`, too,",
                 lines, e->function, e->whole, within, e->was);
    else
        return 0;
    return 1;
}

// A statement that stands elsewhere with the change.
void lab_say_moved(const lab_repair_ask *ask, const lab_edit *e, const char *lines, char *text, size_t size) {
    char where[160];
    lab_say_place(ask->source, e, where, sizeof where);
    const int condition = starts(e->was, "__syncthreads") ? lab_in_condition(ask->source, e) : 0;
    if (condition)
        snprintf(text, size,
                 "%s, in %s, is a barrier within the if of line %d, and some threads of the block do not go there:\n"
                 "%s\nAll of them have to reach it. With it %s,",
                 lines, e->function, condition, e->was, where);
    else
        snprintf(text, size, "%s, in %s, stands in the wrong place:\n%s\nWith it %s,", lines, e->function, e->was,
                 where);
}

// for (int i = col; i < D; i += 32) S(i), in place of S(col)
static void say_around(const lab_edit *e, const char *lines, char *text, size_t size) {
    char i[32] = "", name[64] = "";
    sscanf(e->now, "for (%*s %31s = %63[^;];", i, name);
    snprintf(text, size,
             "%s, in %s, is done for one %s of each thread, and there may be more of them than threads:\n%s\n"
             "With `%.*s` %s, and %s in place of %s in it,",
             lines, e->function, starts(name, "threadIdx.") ? "element" : name, e->whole, (int)strcspn(e->now, ")") + 1,
             e->now, starts(e->whole, "if (") ? "in place of its if" : "around it", i, name);
}

// if (from == 0) begin(...), in place of begin(...)
static void say_first_round(const lab_edit *e, const char *lines, char *text, size_t size) {
    const char *open = strchr(e->now, '('), *close = strchr(e->now, ')');
    snprintf(text, size,
             "%s, in %s, is done again in each round of a loop that it does not depend on, and what the rounds before "
             "made is lost:\n%s\nIt belongs before that loop. Done where %.*s alone,",
             lines, e->function, e->whole, (int)(close - open - 1), open + 1);
}

// if (tid < n) for (...) ... else s = -INFINITY;  in place of the loop
static void say_no_key(const lab_edit *e, const char *lines, char *text, size_t size) {
    const char *last = e->now;
    for (const char *next = last; next; next = strstr(next + 1, " else ")) last = next;
    snprintf(text, size,
             "%s, in %s, is done by threads that have no key, too:\n%s\nTheir score is to be -INFINITY. With `%.*s` "
             "before it and `%s` behind it,",
             lines, e->function, e->was, (int)(strchr(e->now, ')') + 1 - e->now), e->now, last + 1);
}

// const float own = m; m = max_of(m); if (own < m) l *= expf(own - m);  in place of m = max_of(m)
static void say_own_maximum(const lab_edit *e, const char *lines, char *text, size_t size) {
    const char *first = strstr(e->now, "; "), *last = strstr(e->now, "if (own < ");
    const int name = (int)strcspn(last + 10, ")");
    const char *sum = last + 10 + name + 2;
    snprintf(text, size,
             "%s, in %s, makes %.*s the maximum of all, and %.*s still counts from that of its own:\n%s\n"
             "With `%.*s` before it and `%s` behind it,",
             lines, e->function, name, last + 10, (int)strcspn(sum, " "), sum, e->was, (int)(first + 1 - e->now),
             e->now, last);
}

static void say_divided(const lab_edit *e, const char *lines, char *text, size_t size) {
    snprintf(text, size, "%s, in %s, keeps threads away from what all of them do together:\n%s\nWithout the if,", lines,
             e->function, e->whole);
}

// Several statements, the last ones of an if or a loop: "together FIRST-LAST behind LINE".
static void say_together(const lab_edit *e, char *text, size_t size) {
    const int loops = starts(e->was, "for") || starts(e->was, "while");
    int first = 0, last = 0, end = 0;
    sscanf(e->kind, "together %d-%d behind %d", &first, &last, &end);
    snprintf(text, size,
             "lines %d to %d, in %s, stand in the wrong place: all lanes of a warp exchange numbers there, %s of line "
             "%d. With them behind its closing brace in line %d,",
             first, last, e->function,
             loops ? "once each has all of its own, and not in each round of the loop" : "and not all come to the if",
             e->line, end);
}

// if (...) { a; b; } else b;  in place of if (...) { a; } else b;
static void say_both_cases(const lab_repair_ask *ask, const lab_edit *e, char *text, size_t size) {
    char line[80];
    lab_say_line(ask->source, e->line, line, sizeof line);
    snprintf(text, size, "%s, in %s, has an else, and what that does is to be done in both cases. Without the else,",
             line, e->function);
}

// l = 0; for (...) l += p[c];  where l has its value already
static void say_recomputed(const lab_edit *e, const char *lines, char *text, size_t size) {
    const char *equals = strstr(e->was, " =");
    snprintf(text, size, "%s, in %s, %s anew what %.*s holds already:\n%s\nWithout %s,", lines, e->function,
             *e->also ? "make" : "makes", equals ? (int)(equals - e->was) : 0, e->was, e->was,
             *e->also ? "them" : "it");
}

int lab_say_kind(const lab_repair_ask *ask, const lab_edit *e, const char *lines, char *text, size_t size) {
    if (is(e->kind, "in both cases"))
        say_both_cases(ask, e, text, size);
    else if (*e->end_of)
        return 0;
    else if (is(e->kind, "divided"))
        say_divided(e, lines, text, size);
    else if (is(e->kind, "recomputed"))
        say_recomputed(e, lines, text, size);
    else if (starts(e->kind, "together "))
        say_together(e, text, size);
    else if (is(e->kind, "around"))
        say_around(e, lines, text, size);
    else if (is(e->kind, "own maximum"))
        say_own_maximum(e, lines, text, size);
    else if (is(e->kind, "first round"))
        say_first_round(e, lines, text, size);
    else if (is(e->kind, "before rest"))
        snprintf(text, size,
                 "%s, in %s: something in this loop is wrong:\n%s\nWithout the loop, whose work the one behind it then "
                 "does, too,",
                 lines, e->function, e->whole);
    else if (is(e->kind, "no key"))
        say_no_key(e, lines, text, size);
    else
        return 0;
    return 1;
}
