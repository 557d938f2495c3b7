// first_todo.c: the first TODO whose claims fail. What is built on it says nothing of its own.
#include <stdio.h>
#include <string.h>

#include "common_cause.h"
#include "refuted.h"

// The first TODO whose claims fail, whether it is known why, and what fits every one of its claims that fail.
static struct {
    char todo[8];
    const lab_op *op;  // of its first claim that fails
    int explained, failed;
    lab_guesses fits;
} first;

static int has_sentence(const lab_result *r) {
    const int nan = strncmp(r->diagnosis, "NaN", 3) == 0 && strncmp(r->diagnosis, "NaN: dims", 9) != 0;
    return strncmp(r->diagnosis, "wrong: ", 7) != 0 && !nan && strncmp(r->diagnosis, "a guess: ", 9) != 0 &&
           strncmp(r->diagnosis, "after", 5) != 0;
}

// A report about the student's code is not compared with anything, and yet it is wrong.
static int is_reported(lab_verdict v) {
    return v == LAB_ILLEGAL_ACCESS || v == LAB_INPUT_MODIFIED || v == LAB_RACE || v == LAB_GPU_HANG ||
           v == LAB_LAUNCH_FAILURE || v == LAB_CRASH || v == LAB_TIMEOUT;
}

// Something was written outside of the tensors, and nobody knows in which line: that is no cause yet.
static int is_without_line(const lab_result *r) {
    return r->verdict == LAB_ILLEGAL_ACCESS && strncmp(r->diagnosis, "wrote ", 6) == 0 &&
           !strstr(r->diagnosis, "; line ");
}

void lab_cause_todo(const lab_case *c, const lab_result *r) {
    if (r->verdict == LAB_PASSED || r->verdict == LAB_MISSING || r->verdict == LAB_SKIPPED) return;
    if (!r->compared && !is_reported(r->verdict)) return;
    if (!*first.todo) snprintf(first.todo, sizeof first.todo, "%s", c->todo), first.op = c->op;
    if (strcmp(first.todo, c->todo)) return;
    if (!r->compared && !r->guesses.n) {  // there are no numbers that could fit
        first.explained |= *r->diagnosis && !is_without_line(r);
        return;
    }
    first.explained |= has_sentence(r);
    lab_guesses own = r->guesses;
    char text[sizeof own.text[0]], none[2] = "";
    const char *const end = strstr(r->diagnosis, "; wrong: ");
    snprintf(text, sizeof text, "%.*s", end ? (int)(end - r->diagnosis) : 0, r->diagnosis);
    if (*text) lab_guess(&own, text, none, sizeof none);
    int matches = 0;
    for (int i = 0; i < own.n; i++) matches |= strncmp(own.text[i], "matches", 7) == 0;
    if (r->verdict == LAB_NOT_FINITE && !matches) return;  // NaN fits anything
    if (!first.failed++) first.fits = own;
    for (int i = 0; i < first.fits.n; i++) {
        int too = 0;
        for (int k = 0; k < own.n; k++) too |= lab_same_cause(first.fits.text[i], own.text[k]);
        if (!too) memmove(first.fits.text[i], first.fits.text[--first.fits.n], sizeof text), i--;
    }
}

int lab_first_todo_calls(const lab_op *op) {
    for (int i = 0; first.op && i < LAB_MOST_USED && first.op->uses[i]; i++)
        if (first.op->uses[i] == op) return 1;
    return 0;
}

int lab_first_todo_follows(void) { return first.op && lab_wrong_part(first.op); }

int lab_cause_known(void) { return first.explained && !lab_first_todo_follows(); }

const char *lab_first_todo(void) { return lab_first_todo_follows() ? "" : first.todo; }

static int is_weak(const char *text) {
    static const char *const starts[] = {"NaN", "a guess", "perhaps", "after", "wrong: "};
    for (size_t i = 0; i < sizeof starts / sizeof *starts; i++)
        if (strncmp(text, starts[i], strlen(starts[i])) == 0) return 1;
    return 0;
}

const char *lab_first_todo_matches(void) {
    if (lab_first_todo_follows()) return NULL;
    for (int i = 0; i < first.fits.n; i++)
        if (strncmp(first.fits.text[i], "matches", 7) == 0 && !lab_is_refuted(first.todo, first.fits.text[i]))
            return first.fits.text[i];
    for (int i = 0; i < first.fits.n; i++)  // what is seen in all of them
        if (!is_weak(first.fits.text[i]) && !lab_is_refuted(first.todo, first.fits.text[i])) return first.fits.text[i];
    return NULL;
}
