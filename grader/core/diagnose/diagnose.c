// diagnose.c: what is wrong with an output, and where. What: the operation's row knows. Where: the smallest box that holds
// the bad elements.
#include "heuristics.h"
#include "joined.h"
#include "pointwise.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

enum { LONGEST_AXIS = 1024, LONGEST_PERIOD = 64, PERIODS = 3 };

typedef struct {
    size_t extent[4];  // batch, heads, rows, columns
    size_t low[4], high[4];
    unsigned char is_bad[2][LONGEST_AXIS];  // rows, columns
} box;

void lab_place(const lab_op *op, attn_shape shape, size_t i, size_t place[4]) {
    size_t extent[4];
    lab_op_extent(op, shape, extent);
    for (int a = 3; a >= 0; a--) place[a] = i % extent[a], i /= extent[a];
}

int lab_element_bad(const lab_symptom *s, size_t i, int unwritten_only) {
    uint32_t bits;
    memcpy(&bits, s->got + i, sizeof bits);
    if (unwritten_only) return bits == LAB_POISON;
    return !(lab_is_finite(s->got[i]) && fabs((double)s->got[i] - s->want[i]) < LAB_TOLERANCE);
}

// Of every `period` the indexes from first to last, and no others, over the whole axis?
static int repeats(const unsigned char *is_bad, size_t n, size_t period, size_t *first, size_t *last) {
    *first = period, *last = 0;
    for (size_t i = 0; i < period; i++)
        if (is_bad[i]) *first = *first < i ? *first : i, *last = i;
    for (size_t i = 0; i < n; i++)
        if (is_bad[i] != (i % period >= *first && i % period <= *last)) return 0;
    return *first < period;
}

// "columns 4..7 of each 8": what a thread, a lane or a tile has of a row repeats.
static int describe_repeats(const box *b, int axis, const char *name, const char *plural, char *text, size_t size) {
    const size_t n = b->extent[axis], used = strlen(text);
    const char *comma = used ? ", " : "";
    size_t first, last;
    if (n > LONGEST_AXIS) return 0;
    for (size_t period = 2; period <= LONGEST_PERIOD && period * PERIODS <= n; period++) {
        if (!repeats(b->is_bad[axis - 2], n, period, &first, &last)) continue;
        if (first == 0 && last == period - 1) return 0;
        if (first == last)
            snprintf(text + used, size - used, "%s%s %zu of each %zu", comma, name, first, period);
        else
            snprintf(text + used, size - used, "%s%s %zu..%zu of each %zu", comma, plural, first, last, period);
        return 1;
    }
    return 0;
}

// "rows 5..9", "row 5", or "rows 5.." when the range runs to the end of the axis; nothing when it is the whole axis.
static void describe_axis(const box *b, int axis, const char *name, const char *plural, char *text, size_t size) {
    const size_t low = b->low[axis], high = b->high[axis], end = b->extent[axis] - 1;
    size_t used = strlen(text);
    if (b->extent[axis] == 1) return;
    if (axis >= 2 && low < high && describe_repeats(b, axis, name, plural, text, size)) return;
    if (low == 0 && high == end) return;
    const char *comma = used ? ", " : "";
    if (low == high)
        snprintf(text + used, size - used, "%s%s %zu", comma, name, low);
    else if (high == end)
        snprintf(text + used, size - used, "%s%s %zu..", comma, plural, low);
    else
        snprintf(text + used, size - used, "%s%s %zu..%zu", comma, plural, low, high);
}

// Writes a phrase such as "rows 96..127 of every head" for the bad (or unwritten) elements.
static void locate(const lab_symptom *s, int unwritten_only, char *text, size_t size) {
    const size_t n = s->op->elements(s->shape, 0);
    size_t bad = 0;
    box b = {.low = {n, n, n, n}};
    lab_op_extent(s->op, s->shape, b.extent);
    for (size_t i = 0; i < n; i++) {
        if (!lab_element_bad(s, i, unwritten_only)) continue;
        bad++;
        size_t place[4];
        lab_place(s->op, s->shape, i, place);
        for (int a = 0; a < 4; a++) {
            b.low[a] = place[a] < b.low[a] ? place[a] : b.low[a];
            b.high[a] = place[a] > b.high[a] ? place[a] : b.high[a];
        }
        for (int a = 2; a < 4; a++)
            if (place[a] < LONGEST_AXIS) b.is_bad[a - 2][place[a]] = 1;
    }
    if (size) text[0] = 0;
    if (bad == 0) return;
    describe_axis(&b, 0, "batch", "batches", text, size);
    describe_axis(&b, 1, "head", "heads", text, size);
    describe_axis(&b, 2, "row", "rows", text, size);
    describe_axis(&b, 3, "column", "columns", text, size);
    const size_t used = strlen(text);
    if (used && b.extent[1] > 1 && b.low[1] == 0 && b.high[1] == b.extent[1] - 1)
        snprintf(text + used, size - used, " of every head");
    if (!used) snprintf(text, size, bad == n ? "every element" : "scattered over the whole output");
}

int lab_guess(lab_guesses *g, const char *sentence, char *text, size_t size) {
    if (!*text) snprintf(text, size, "%s", sentence);
    for (int i = 0; g && i < g->n; i++)
        if (strcmp(g->text[i], sentence) == 0) return 1;
    if (g && g->n < LAB_MOST_GUESSES) snprintf(g->text[g->n++], sizeof g->text[0], "%s", sentence);
    return 1;
}

// What is not written, or not before it is read, follows from a mistake that the claim of a TODO may know.
static int matches(const lab_symptom *s, char *why, size_t size) {
    return s->op->probe && s->op->diagnose && s->op->diagnose(s, why, size) && strncmp(why, "matches", 7) == 0;
}

static const char *as_text(float x, char text[32]) {
    if (x == (float)LAB_HIDDEN || x == (float)LAB_NO_KEYS) return "-INFINITY";  // the probes' numbers for it
    snprintf(text, 32, "%.5g", x);
    return text;
}

// Two elements or more that should be another number, and all of those are 0.
static int is_all_zero(const lab_symptom *s) {
    const size_t n = s->op->elements(s->shape, 0);
    size_t zero = 0;
    for (size_t i = 0; i < n; i++) {
        if (!(fabs(s->want[i]) > LAB_TOLERANCE)) continue;
        if (s->got[i] != 0) return 0;
        zero++;
    }
    return zero > 1;
}

// All elements are whole numbers, not all the same one, as where nobody has written any, and they should not be.
static int is_whole(const lab_symptom *s) {
    const size_t n = s->op->elements(s->shape, 0);
    size_t other = 0, due = 0;
    for (size_t i = 0; i < n; i++) {
        if (s->got[i] != rintf(s->got[i])) return 0;
        other += s->got[i] != s->got[0], due += fabs(s->want[i] - rint(s->want[i])) > LAB_TOLERANCE;
    }
    return other > 3 && 2 * due > n;
}

// Of a TODO that nothing explains: a number to think about.
static void show_first(const lab_symptom *s, char *text, size_t size) {
    size_t i = s->cmp.first_bad, at[4];
    const size_t used = strlen(text);
    if (!s->op->probe || i >= s->op->elements(s->shape, 0) || s->cmp.not_finite) return;
    lab_place(s->op, s->shape, i, at);
    char got[32], want[32];
    snprintf(text + used, size - used, "; first row %zu, column %zu: %s, and it must be %s", at[2], at[3],
             as_text(s->got[i], got), as_text(s->want[i], want));
}

const char *lab_where_wrong(const char *diagnosis) {
    if (strncmp(diagnosis, "wrong: ", 7) == 0) return diagnosis;
    const char *end = strstr(diagnosis, "; wrong: ");
    return end ? end + 2 : NULL;
}

void lab_diagnose(const lab_symptom *s, char *text, size_t size) {
    char where[160], why[320] = "";
    text[0] = 0;
    if (s->cmp.verdict == LAB_PASSED) return;
    if (s->cmp.unwritten) {
        const int known = matches(s, why, sizeof why);
        locate(s, 1, where, sizeof where);
        const int asked = s->op->diagnose != NULL;  // not where a TODO says it all (grader/claims/claims.c)
        if (!known && asked && !lab_explain_displaced(s, why, sizeof why)) lab_explain_unwritten(s, why, sizeof why);
        if (!known && !*why && !lab_explain_left_unwritten(s, why, sizeof why))
            lab_explain_left_columns(s, why, sizeof why);
        snprintf(text, size, "%s%s%zu element%s never written: %s%s%s", known ? why : "", known ? "; " : "",
                 s->cmp.unwritten, s->cmp.unwritten == 1 ? " was" : "s were", where, known || !*why ? "" : "; ",
                 known ? "" : why);
        return;
    }
    if (s->cmp.used) {
        locate(s, 0, where, sizeof where);
        if (matches(s, why, sizeof why) || lab_explain_used(s, why, sizeof why)) {
            snprintf(text, size, "%s; wrong: %s", why, where);
            return;
        }
        snprintf(text, size, "%zu element%s computed from %s: set it before you read it or add to it%s; wrong: %s",
                 s->cmp.used, s->cmp.used == 1 ? " was" : "s were",
                 s->op->scratch ? "memory that your code had not written (the output or the working memory)"
                                : "what the output held before the call",
                 s->op->scratch ? ", or does the loop that fills it leave out a part?" : "", where);
        return;
    }
    int known = s->op->diagnose && s->op->diagnose(s, why, sizeof why);
    const int weak = !known || strncmp(why, "perhaps", 7) == 0 || strncmp(why, "holds the right numbers of", 26) == 0;
    if (weak && !s->op->pipeline && s->cmp.not_finite == 0) {
        char moved[sizeof why];
        if (lab_explain_displaced(s, moved, sizeof moved)) known = 1, memcpy(why, moved, sizeof why);
    }
    if (!known) known = lab_explain_left_columns(s, why, sizeof why);
    if (!known && is_all_zero(s))
        known =
            snprintf(why, sizeof why, "every element is 0: nothing is added up, or the sum is not what is stored") > 0;
    if (!known && is_whole(s))
        known = snprintf(why, sizeof why, "every element is a whole number: is it kept in an int?") > 0;
    locate(s, 0, where, sizeof where);
    if (known && s->op->says_where)
        snprintf(text, size, "%s", why);
    else
        snprintf(text, size, "%s%swrong: %s", why, known ? "; " : "", where);
    if (!known) show_first(s, text, size);
}
