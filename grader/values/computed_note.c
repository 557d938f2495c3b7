// computed_note.c: the claim that fails and tells most, line by line: a fact that holds in any style, or which steps are right.
#include "computed.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "first_nan.h"
#include "judged.h"
#include "mixed.h"
#include "output_line.h"
#include "subtracted.h"
#include "todo.h"

// Numbers that stand in vectors are not seen in C.
static int hides_numbers(const char *source) {
    static const char *const words[] = {"vector_size", "_mm_", "_mm256", "_mm512"};
    char *text = lab_todo_read(source);
    int hides = 0;
    for (size_t i = 0; text && i < sizeof words / sizeof *words; i++) hides |= strstr(text, words[i]) != NULL;
    free(text);
    return hides;
}

static int can_tell(const lab_repair_ask *ask) {
    return lab_judged_telling() && ask->edits && ask->source && !hides_numbers(ask->source);
}

void lab_computed_ahead(const lab_repair_ask *ask) {
    if (can_tell(ask)) lab_lines_ahead(ask);
}

void lab_computed_drop(void) { lab_lines_drop(); }

typedef struct {
    char fact[LAB_MIXED_SIZE];
    int all_0;      // the output
    int unwritten;  // some of it: what never ran is no wrong step
    const lab_line *stored;
    char *source;
} looked;

static void look_for_nan(lab_teller *teller, const lab_trial *t, const lab_lines *lines, looked *l) {
    const lab_told *list;
    const int n = lab_lines_again(teller, t, &list);
    if (n > 0) lab_first_nan(lines, list, n, l->source, l->fact, sizeof l->fact);
}

// What must not meet, what is subtracted, and where NaN begins: facts in any style, of which the first is said.
static void look(lab_teller *teller, const lab_trial *t, const lab_lines *lines, void *seen) {
    looked *l = seen;
    const float *const O = lab_lines_output(teller, t);
    l->all_0 = 1;
    for (size_t i = 0; i < t->op->elements(t->c->shape, 0); i++) {
        const uint32_t poison = LAB_POISON;
        l->all_0 &= O[i] == 0, l->unwritten |= !memcmp(&O[i], &poison, sizeof poison);
    }
    l->stored = l->all_0 ? NULL : lab_output_line(lines, O, t->op->elements(t->c->shape, 0));
    lab_mixed_look(teller, t, lines, l->fact);
    if (!*l->fact) lab_subtracted_look(teller, t, lines, l->fact);
    if (!*l->fact) look_for_nan(teller, t, lines, l);
}

// Where no key counts, the lines that make the scores may be right, and never run.
static void ask_whether_run(char *text, size_t size) {
    if (strncmp(text, LAB_NO_SCORES, sizeof LAB_NO_SCORES - 1)) return;
    snprintf(text, size,
             "the output is 0 everywhere, and no line has a score: are the lines that multiply q and k run at all? "
             "Look at where the loop over the keys begins and ends");
}

// No line has the right outputs, but one has those that the call leaves.
static void name_stored(const lab_line *stored, char *text, size_t size) {
    char *no_line = strstr(text, LAB_NO_OUTPUTS);
    if (!no_line || !stored) return;
    const size_t used = (size_t)(no_line - text);
    snprintf(no_line, size - used, LAB_OUTPUTS "line %d, in %s, makes those that the call leaves (%s)", stored->line,
             stored->function, stored->name);
}

int lab_computed_note(const lab_repair_ask *ask, double seconds, const char *cause, char *note, size_t size) {
    const lab_case *c = lab_judged_telling();
    char text[700] = "";
    looked seen = {.source = NULL};
    note[0] = 0;
    if (!can_tell(ask)) return 0;
    seen.source = lab_todo_read(ask->source);
    lab_trial t = {.c = c, .op = c->op, .layout = lab_layout_of(c->op, c->shape, 1)};
    lab_right right[LAB_N_STEPS];
    lab_computed found[LAB_N_STEPS];
    lab_lines lines = {0};
    memset(right, 0, sizeof right);
    const int ready = lab_trial_prepare(&t, ask->seed), steps = ready && lab_right_numbers(&t, right);
    if (ready && lab_lines_tell(ask, &t, seconds, &lines, look, &seen) && steps && !*seen.fact && !seen.unwritten) {
        lab_computed_find(&lines, right, found);
        lab_computed_doubt(cause, found);
        lab_computed_say(right, found, text, sizeof text);
        if (seen.all_0) ask_whether_run(text, sizeof text);
        name_stored(seen.stored, text, sizeof text);
    }
    if (*seen.fact) snprintf(note, size, "in %s: %s", c->claim, seen.fact);
    if (*text) snprintf(note, size, "line by line, in %s: %s", c->claim, text);
    free(seen.source);
    lab_lines_free(&lines), lab_right_free(right), lab_trial_discard(&t);
    return *note != 0;
}
