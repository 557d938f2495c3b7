// threads.c: a file that fails with two threads and is right with one has a race: no change of a value mends that.
#define _GNU_SOURCE
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "edits_list.h"
#include "judged.h"
#include "search.h"

enum { CLAIMS = 4, TRIES = 8, ALONE = 3, MOST_LINES = 4 };  // of each claim: with two threads, with one
static const double SECONDS = 3;

static int holds(lab_attempts *a, lab_prepared *p, int times) {
    for (int i = 0; i < times; i++)
        if (!lab_attempt(a, p, 0, SECONDS)) return 0;
    return 1;
}

int lab_threads_race(lab_subject *s, uint64_t seed) {
    lab_attempts alone = {.options = s->attempts.options};
    int fails = 0, right = 1;
    alone.options.threads = 1;
    for (int k = 0; k < s->failed && k < CLAIMS && right; k++) {
        lab_prepared *p = lab_prepare(&s->claim[k]->c, seed);
        right = p && holds(&alone, p, ALONE);
        fails |= right && !holds(&s->attempts, p, TRIES);
        lab_prepared_free(p);
    }
    lab_attempts_close(&alone);
    return right && fails;
}

enum { OWN, SUM, RESULT, MEMORY, STATIC, SLOT, USES };

typedef struct {
    char text[USES][300];  // "x (line 51) and d (line 53)"
    int n[USES];
} shared_names;

static int use_of(const char *word) {
    static const char *const words[USES] = {"own", "sum", "result", "memory", "static", "slot"};
    int use = USES - 1;
    while (use > OWN && (!word || strcmp(word, words[use]))) use--;
    return use;
}

// Lines of name, line and what becomes of it, with tabs between.
static void list_names(char *rows, shared_names *list) {
    char last[USES][100] = {{0}};
    memset(list, 0, sizeof *list);
    for (char *row; (row = strsep(&rows, "\n")) && *row;) {
        const char *name = strsep(&row, "\t"), *line = row ? strsep(&row, "\t") : NULL;
        const int use = use_of(row);
        char *to = list->text[use];
        const size_t used = strlen(to), room = sizeof list->text[use] - used;
        if (*last[use]) snprintf(to + used, room, "%s%s", used ? ", " : "", last[use]);
        snprintf(last[use], sizeof last[use], "%s (line %s)", name, line ? line : "?");
        list->n[use]++;
    }
    for (int use = 0; use < USES; use++) {
        char *to = list->text[use];
        const size_t used = strlen(to);
        snprintf(to + used, sizeof list->text[use] - used, "%s%s", used ? " and " : "", last[use]);
    }
}

// The lines that ask how many threads there are, or which one this is: "lines 71 and 72". 0: there are none.
static int lines_by_thread(const char *source, char *text, size_t size) {
    char *row = NULL;
    size_t room = 0, used = 0;
    int line = 1, n = 0, last = 0;
    FILE *f = fopen(source, "r");
    text[0] = 0;
    for (; f && n < MOST_LINES && getline(&row, &room, f) >= 0; line++) {
        const char *at = strstr(row, "omp_get_"), *comment = strstr(row, "//");
        if (!at || (comment && comment < at) || used >= size) continue;
        if (last) used += (size_t)snprintf(text + used, size - used, "%s%d", n > 1 ? ", " : "", last);
        last = line, n++;
    }
    if (last) snprintf(text + used, size - used, "%s%d", n > 1 ? " and " : "", last);
    if (f) fclose(f);
    free(row);
    return n;
}

// What is allocated before the region: said only where threads have been seen in each other's way.
static void memory_of_all(const lab_repair_ask *ask, char *text, size_t size) {
    char *rows = lab_edits_list(ask, "--shared", ".", NULL);
    shared_names list;
    if (!rows) return;
    list_names(rows, &list);
    const int n = list.n[MEMORY];
    if (list.n[SLOT])
        snprintf(text, size,
                 "all threads work in %s, which begin%s at the same place for each of them. The other parts of that "
                 "memory begin where the number of the thread says: so must %s, and the memory must have room for all.",
                 list.text[SLOT], list.n[SLOT] > 1 ? "" : "s", list.n[SLOT] > 1 ? "these" : "this one");
    else if (n)
        snprintf(text, size,
                 "all threads work in %s, which %s allocated before the parallel region. What a thread writes there, "
                 "another one reads: allocate %s within the region, so that each has its own.",
                 list.text[MEMORY], n > 1 ? "are" : "is", n > 1 ? "them" : "it");
}

// What a round of a parallel loop leaves for the next one cannot be each thread's own: another loop is to be shared out.
static void memory_of_rounds(const lab_repair_ask *ask, char *text, size_t size) {
    enum { NAME, DECLARED, FILLED, LOOP, READ, AROUND, FIELDS };
    char *rows = lab_edits_list(ask, "--carried", ".", NULL), *row = rows ? strsep(&rows, "\n") : NULL;
    const char *field[FIELDS];
    for (int i = 0; i < FIELDS; i++)
        if (!(field[i] = row ? strsep(&row, "\t") : NULL)) return;
    const int by_line = *field[AROUND] >= '0' && *field[AROUND] <= '9';
    snprintf(text, size,
             "all threads work in %s (line %s), which line %s fills before the parallel loop of line %s, and line %s "
             "reads behind it. A round of that loop goes on with what the one before has left in %s: its rounds cannot "
             "be shared out. Share out %s %s in their place%s%s%s.",
             field[NAME], field[DECLARED], field[FILLED], field[LOOP], field[READ], field[NAME],
             by_line ? "those of the loop of line" : "the calls of", field[AROUND],
             by_line ? ", and give each thread memory of its own for " : ": each has memory of its own",
             by_line ? field[NAME] : "", by_line ? ", within that loop" : "");
}

int lab_threads_in_memory(const lab_repair_ask *ask) {
    const char *rows = lab_edits_list(ask, "--shared", ".", NULL);
    return rows && strstr(rows, "\tmemory");
}

int lab_threads_carry(const lab_repair_ask *ask) {
    const char *rows = lab_edits_list(ask, "--carried", ".", NULL);
    return rows && *rows;
}

void lab_threads_say(const lab_repair_ask *ask, char *text, size_t size) {
    char shared[700], lines[60];
    lab_threads_shared(ask, shared, sizeof shared);
    if (!*shared) memory_of_rounds(ask, shared, sizeof shared);
    if (!*shared) memory_of_all(ask, shared, sizeof shared);
    const int n = *shared ? 0 : lines_by_thread(ask->source, lines, sizeof lines);
    if (n)
        snprintf(
            text, size,
            "with one thread (OMP_NUM_THREADS=1) what failed passes. Line%s %s ask%s for the number of threads, or "
            "of this one: %sdo the parts of all threads make up the whole, with what is left over when it is "
            "divided? %s",
            n > 1 ? "s" : "", lines, n > 1 ? "" : "s",
            lab_judged_unwritten() ? "elements are written by none of them: " : "",
            lab_judged_unwritten() ? "" : "And does no thread write to memory of another one?");
    else
        snprintf(text, size, "with one thread (OMP_NUM_THREADS=1) what failed passes: %s",
                 *shared ? shared
                         : "threads of a parallel region write to memory that they share. What each of them works in "
                           "must be its own, declared or allocated within the region.");
}

void lab_threads_shared(const lab_repair_ask *ask, char *text, size_t size) {
    char *rows = lab_edits_list(ask, "--shared", ".", NULL);
    text[0] = 0;
    if (!rows) return;
    shared_names list;
    list_names(rows, &list);
    if (list.n[STATIC]) {
        snprintf(text, size,
                 "all threads write to %s, of which there is one for all of them, as %s outside of the functions, or "
                 "static: declare it in the function that works in it, so that each thread has its own.",
                 list.text[STATIC], list.n[STATIC] > 1 ? "they stand" : "it stands");
        return;
    }
    const int use = list.n[OWN] ? OWN : list.n[SUM] ? SUM : RESULT, n = list.n[use];
    static const char *const cures[] = {
        ": declare %s within, or add private(...) to the pragma.",
        ": two that add to %s at the same time lose one summand, so add reduction(+ : ...) to the pragma, or "
        "#pragma omp atomic above the line.",
        ", and read behind it: %s stays shared, so protect the line, with #pragma omp atomic write or #pragma omp "
        "critical above it."};
    char cure[200];
    snprintf(cure, sizeof cure, cures[use], n > 1 ? "them" : "it");
    if (n)
        snprintf(text, size, "all threads set %s, which %s declared outside of the parallel region%s", list.text[use],
                 n > 1 ? "are" : "is", cure);
}
