// stored.c: numbers that are stored in a cache at other places: in which steps do they lie there?
#include "stored.h"

#include <stdio.h>
#include <stdlib.h>

int lab_by_value(const void *a, const void *b) {
    const float x = ((const lab_numbered *)a)->value, y = ((const lab_numbered *)b)->value;
    return (x > y) - (x < y);
}

// What is in the cache now and was not before. Free slots hold NaN before, which is read as 0.
static int changed_places(const lab_symptom *s, size_t n, lab_numbered *p) {
    int found = 0;
    for (size_t i = 0; i < n; i++)
        if (lab_is_finite(s->got[i]) && s->got[i] != (lab_is_finite(s->in[1][i]) ? s->in[1][i] : 0))
            p[found++] = (lab_numbered){s->got[i], (long)i};
    qsort(p, (size_t)found, sizeof *p, lab_by_value);
    return found;
}

static size_t number_of(const lab_stored *t, const size_t i[4]) {
    return ((i[0] * t->extent[1] + i[1]) * t->extent[2] + i[2]) * t->extent[3] + i[3];
}

static int next(const lab_stored *t, size_t i[4]) {
    for (int a = 3; a >= 0; i[a--] = 0)
        if (++i[a] < t->extent[a]) return 1;
    return 0;
}

// The step that nearly all neighbours along this axis make. Returns 0 if they do not agree, or few are found: by chance.
static int step_of(const lab_stored *t, const long *at, int axis, long *step) {
    size_t i[4] = {0}, apart = 1;
    int all = 0, pairs = 0, equal = 0;
    for (int a = 3; a > axis; a--) apart *= t->extent[a];
    do {
        const size_t k = number_of(t, i);
        if (i[axis] + 1 == t->extent[axis] || !++all || at[k] < 0 || at[k + apart] < 0) continue;
        const long here = at[k + apart] - at[k];
        if (!pairs++) *step = here;
        equal += here == *step;
    } while (next(t, i));
    return pairs > all / 10 && 10 * equal >= 9 * pairs;
}

const char *lab_step_named(const lab_stored *t, long step, char text[24]) {
    for (int i = 0; i < LAB_STORED_NAMES && t->name[i].text; i++)
        if (t->name[i].value == step) return t->name[i].text;
    snprintf(text, 24, "%ld", step);
    return text;
}

// The innermost step that is another one: those around it often follow from it. The first place counts where none is.
static int say(const lab_symptom *s, const lab_stored *t, const long *at, char *text, size_t size) {
    static const char *const what[] = {"sequences", "heads", "tokens", "the numbers of a token"};
    char why[240] = "", is[24], must[24];
    long step[4], first = -1;
    for (int a = 3; a >= t->from; a--) {
        step[a] = t->step[a];
        if (t->extent[a] > 1 && !step_of(t, at, a, &step[a])) return 0;
        if (step[a] != t->step[a] && !*why)
            snprintf(why, sizeof why, "matches %s that are stored %s numbers apart: they are %s apart", what[a],
                     lab_step_named(t, step[a], is), lab_step_named(t, t->step[a], must));
    }
    // Heads where sequences belong, and sequences where heads do: numbers do not tell which of the two places it is.
    if (!t->from && t->extent[0] > 1 && t->extent[1] > 1 && step[0] != step[1] && step[0] == t->step[1] &&
        step[1] == t->step[0])
        snprintf(why, sizeof why,
                 "matches b and h that change places in one of the two offsets, where a number is read or where it is "
                 "stored");
    size_t i[4] = {0};
    do {
        const long k = at[number_of(t, i)];
        if (k < 0) continue;
        first = k;
        for (int a = t->from; a < 4; a++) first -= (long)i[a] * step[a];
    } while (first < 0 && next(t, i));
    if (!*why && !t->from && first >= 0 && first != t->first)
        snprintf(why, sizeof why, "matches a first number that is stored at number %s: it belongs to number %s",
                 lab_step_named(t, first, is), lab_step_named(t, t->first, must));
    return *why && lab_guess(s->guesses, why, text, size);
}

// Each number lies where it belongs, and in later or earlier slots too: in how many, and which is the last?
static int say_copies(const lab_symptom *s, const lab_stored *t, const long *at, const lab_numbered *p, int changed,
                      char *text, size_t size) {
    const size_t n = t->extent[0] * t->extent[1] * t->extent[2] * t->extent[3];
    size_t i[4] = {0};
    long low = 0, high = 0;
    size_t others = 0;  // two tokens may have a number in common
    if (t->from || t->extent[2] != 1 || changed <= (int)n || (size_t)changed % n) return 0;
    do {
        const size_t k = number_of(t, i);
        long due = t->first, lowest = 0, highest = 0, copies = 0;
        for (int a = 0; a < 4; a++) due += (long)i[a] * t->step[a];
        for (const lab_numbered *q = p; q < p + changed; q++) {
            const long away = q->at - due;
            if (q->value != t->from_tensor[k]) continue;
            if (away % t->step[2]) continue;
            lowest = away < lowest ? away : lowest, highest = away > highest ? away : highest, copies++;
        }
        if (!k) low = lowest, high = highest;
        if (at[k] < 0) return 0;
        others += copies != (long)(changed / n) || lowest != low || highest != high;
    } while (next(t, i));
    if (10 * others > n) return 0;
    const long slot = t->first / t->step[2];
    char why[240];
    snprintf(why, sizeof why,
             "matches a token that is stored in %ld slots, from %ld to %ld: it has one, slot %ld, and every other one "
             "stays as it is",
             (long)(changed / n), slot + low / t->step[2], slot + high / t->step[2], slot);
    return lab_guess(s->guesses, why, text, size);
}

int lab_explain_stored(const lab_symptom *s, const lab_stored *t, char *text, size_t size) {
    const size_t n = t->extent[0] * t->extent[1] * t->extent[2] * t->extent[3];
    lab_numbered *p = malloc(t->cache * sizeof *p);
    long *at = malloc(n * sizeof *at);
    int found = 0, known = 0;
    if (p && at && n <= LAB_MOST_PLACES) {
        const int changed = changed_places(s, t->cache, p);
        for (size_t k = 0; k < n; k++) {
            const lab_numbered key = {t->from_tensor[k], 0},
                               *it = bsearch(&key, p, (size_t)changed, sizeof *p, lab_by_value);
            at[k] = it ? it->at : -1, found += it != NULL;
        }
        known = found > 1 && (say_copies(s, t, at, p, changed, text, size) || say(s, t, at, text, size));
    }
    free(p), free(at);
    return known;
}
