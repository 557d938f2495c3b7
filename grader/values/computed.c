// computed.c: a line computes a step where all of the step's numbers are among those that its variable gets.
#include "computed.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

// Of a step's numbers: it is right; it may be, but for rounding; most; fewer meet by chance; of eight lines, one has as many.
static const double ALL = 0.998, NEARLY = 0.9, MANY = 0.7, SOME = 0.25, PART = 0.1;

// How many of its values are less.
static size_t below(const lab_line *l, double x) {
    size_t from = 0, to = l->n;
    while (from < to) {
        const size_t middle = (from + to) / 2;
        if (l->value[middle] < x)
            from = middle + 1;
        else
            to = middle;
    }
    return from;
}

static int has(const lab_line *l, double x, double tolerance) {
    return below(l, x + tolerance) > below(l, x - tolerance);
}

// A line with very many values has one near any number: how likely that is, by how many others stand around.
static double chance(const lab_line *l, double x, double tolerance) {
    enum { WIDER = 100 };
    const size_t near = below(l, x + WIDER * tolerance) - below(l, x - WIDER * tolerance);
    return near > WIDER ? 1 : near ? (double)(near - 1) / WIDER : 0;
}

// 0 and 1 stand everywhere.
static int is_plain(double x) { return fabs(x) < 1e-12 || fabs(x - 1) < 1e-9; }

// Of the numbers that it would not have by chance. maybe: it would have nearly all, and has them.
static double share_times(const lab_line *l, const lab_right *r, double factor, int *maybe) {
    static const double LIKELY = 0.8;
    double hits = 0, by_chance = 0, n = 0;
    for (size_t i = 0; i < r->n; i++) {
        if (is_plain(r->number[i])) continue;
        const double x = factor * r->number[i], tolerance = r->relative * fabs(x) + r->absolute * factor;
        n++, hits += has(l, x, tolerance), by_chance += chance(l, x, tolerance);
    }
    *maybe |= by_chance >= LIKELY * n && hits > ALL * n;
    return by_chance < LIKELY * n ? fmax(0, (hits - by_chance) / (n - by_chance)) : 0;
}

// *unscaled: it has most of them without the scale.
static double share_of(const lab_line *l, const lab_right *r, int *unscaled, int *maybe) {
    double most = 0;
    *unscaled = 0;
    for (int f = 0; f < r->factors && l->n; f++) {
        const double share = share_times(l, r, r->factor[f], maybe);
        if (share > most) most = share, *unscaled = f && f == r->unscaled;
    }
    return most;
}

// More of them, or the same, and less besides: a sum's last value is told from all that it was before. Of all with the
// scale and all without it, those with it.
static int is_better(const lab_line *l, double share, int unscaled, const lab_computed *best) {
    if (share > ALL && best->share > ALL && unscaled != best->unscaled) return !unscaled;
    return share > best->share || (share > 0 && share >= best->share && l->n < best->line->n);
}

static int by_size(const void *a, const void *b) {
    const float x = *(const float *)a, y = *(const float *)b;
    return (x > y) - (x < y);
}

// Scores may be made two, four or eight at a time, in as many lines: those of a function have them together.
static int is_made_in_parts(const lab_lines *lines, const lab_right *r, const lab_line *of) {
    lab_line all = {.n = 0};
    int parts = 0, maybe = 0, unscaled;
    size_t room = 0;
    for (int k = 0; k < lines->n; k++) room += lines->line[k].n;
    all.value = malloc((room + 1) * sizeof *all.value);
    for (int k = 0; k < lines->n && all.value; k++) {
        const lab_line *l = &lines->line[k];
        if (strcmp(l->function, of->function) || share_of(l, r, &unscaled, &maybe) < PART) continue;
        memcpy(all.value + all.n, l->value, l->n * sizeof *l->value);
        all.n += l->n, parts++;
    }
    if (parts > 1) qsort(all.value, all.n, sizeof *all.value, by_size);
    const double share = parts > 1 ? share_of(&all, r, &unscaled, &maybe) : 0;
    free(all.value);
    return share >= NEARLY;
}

void lab_computed_find(const lab_lines *lines, const lab_right right[LAB_N_STEPS], lab_computed found[LAB_N_STEPS]) {
    memset(found, 0, LAB_N_STEPS * sizeof *found);
    for (int k = 0; k < lines->n; k++) {
        const lab_line *l = &lines->line[k];
        int maybe = 0, of_raw, unscaled;
        const double of_scores = share_of(l, &right[LAB_STEP_SCORES], &of_raw, &maybe);
        found[LAB_STEP_SCORES].maybe |= maybe;
        for (int s = 0; s < LAB_N_STEPS; s++) {
            if (s == LAB_STEP_MAXIMA && (of_scores > MANY || maybe)) continue;  // each maximum is one of the scores
            const double share = s ? share_of(l, &right[s], &unscaled, &found[s].maybe) : of_scores;
            if (!s) unscaled = of_raw;
            if (is_better(l, share, unscaled, &found[s]))
                found[s].line = l, found[s].share = share, found[s].unscaled = unscaled;
        }
    }
    lab_computed *scores = &found[LAB_STEP_SCORES];
    if (scores->line && scores->share < NEARLY && !scores->maybe)
        scores->maybe = is_made_in_parts(lines, &right[LAB_STEP_SCORES], scores->line);
}

static const char *const names[] = {
    "the scores", "the maxima over all keys", "the sums of exp(s - m)", "the sums of exp(s - m) V", "the probabilities",
    "the outputs"};

static int is_step(const lab_right *r) { return r->n && !r->given; }

static int is_right(const lab_right *r, const lab_computed *f) { return is_step(r) && f->line && f->share > ALL; }

// What stands before the outputs, and is wrong: the one that the file comes closer to.
static int of_both(const lab_right right[], const lab_computed found[]) {
    const double share = found[LAB_STEP_PROBABILITIES].share;
    const int divides_first = share > SOME && share > found[LAB_STEP_WEIGHTED].share;
    const int step = divides_first ? LAB_STEP_PROBABILITIES : LAB_STEP_WEIGHTED;
    return right[step].n ? step : LAB_STEP_OUTPUTS;
}

// No line has the scores with the scale, and no exponential of them is right: the scale may be missing altogether.
static int lacks_scale(const lab_right right[], const lab_computed found[]) {
    static const int of_exponentials[] = {LAB_STEP_SUMS, LAB_STEP_WEIGHTED, LAB_STEP_PROBABILITIES, LAB_STEP_OUTPUTS};
    int has = 0;
    for (int i = 0; i < 4; i++) {
        const lab_computed *f = &found[of_exponentials[i]];
        has |= right[of_exponentials[i]].n && (f->share > SOME || f->maybe);
    }
    const lab_computed *scores = &found[LAB_STEP_SCORES], *maxima = &found[LAB_STEP_MAXIMA];
    if (is_right(&right[LAB_STEP_MAXIMA], maxima) && !maxima->unscaled) return 0;  // of scores that a call is handed
    return is_right(&right[LAB_STEP_SCORES], scores) && scores->unscaled && !has;
}

// The exponentials may be known to lack the scale, too; otherwise the sentence asks.
static void say_unscaled(const lab_right right[], const lab_computed found[], char *text, size_t size) {
    const lab_computed *scores = &found[LAB_STEP_SCORES], *sums = &found[LAB_STEP_UNSCALED_SUMS];
    const size_t used =
        (size_t)snprintf(text, size, "q . k (line %d, in %s) is right", scores->line->line, scores->line->function);
    if (is_right(&right[LAB_STEP_UNSCALED_SUMS], sums))
        snprintf(text + used, size - used,
                 ", and the sums of exp(s - m) (line %d, in %s) are those of q . k as it is: the scores are q . k / "
                 "sqrt(D), and no line divides before the exponentials",
                 sums->line->line, sums->line->function);
    else
        snprintf(text + used, size - used,
                 "; the scores are q . k / sqrt(D), which no line has: do the exponentials take q . k times 1/sqrt(D)? "
                 "The sums of exp(s - m) are not right");
}

// "a (line 3, in f), b (line 5, in g) and c (...)"
static void list_right(const lab_computed found[], const int steps[], int n, char *text, size_t size) {
    size_t used = 0;
    for (int i = 0; i < n && used < size; i++) {
        const lab_line *l = found[steps[i]].line;
        used += (size_t)snprintf(text + used, size - used, "%s%s (line %d, in %s)",
                                 !i           ? ""
                                 : i == n - 1 ? " and "
                                              : ", ",
                                 names[steps[i]], l->line, l->function);
    }
}

void lab_computed_say(const lab_right right[LAB_N_STEPS], const lab_computed found[LAB_N_STEPS], char *text,
                      size_t size) {
    char list[500] = "";
    int n = 0, steps[LAB_N_STEPS], wrong = -1, either_is_right = 0;
    if (lacks_scale(right, found)) {
        say_unscaled(right, found, text, size);
        return;
    }
    for (int s = 0; s <= LAB_STEP_OUTPUTS && wrong < 0; s++) {
        // Who divides at the end has no probabilities, and who divides first has no sums that wait for it.
        const int either = s == LAB_STEP_WEIGHTED || s == LAB_STEP_PROBABILITIES;
        // A sum of exp(s - m) that is right has the right m, though no line may have that alone.
        const int follows = s == LAB_STEP_MAXIMA && is_right(&right[LAB_STEP_SUMS], &found[LAB_STEP_SUMS]);
        // Where no line has maxima alone, they may be among others.
        const int may_be =
            found[s].maybe || found[s].share >= NEARLY || (s == LAB_STEP_MAXIMA && found[s].share <= SOME);
        either_is_right |= either && (is_right(&right[s], &found[s]) || may_be);
        if (is_right(&right[s], &found[s]))
            steps[n++] = s;
        else if (is_step(&right[s]) && !either && !follows && !may_be)
            wrong = s;
    }
    if (wrong == LAB_STEP_OUTPUTS && !either_is_right) wrong = of_both(right, found);
    list_right(found, steps, n, list, sizeof list);
    const lab_computed *f = wrong >= 0 ? &found[wrong] : NULL;
    text[0] = 0;
    if (!f && !n) return;
    if (!f)
        snprintf(text, size, "%s are right%s", list,
                 is_right(&right[LAB_STEP_OUTPUTS], &found[LAB_STEP_OUTPUTS])
                     ? ": what is wrong is where the outputs are stored, or what is stored there later"
                     : "");  // nearly all outputs are, where few rows are wrong
    else if (wrong == LAB_STEP_SCORES && f->share <= SOME)
        snprintf(text, size,
                 LAB_NO_SCORES
                 "look at the lines that load and multiply q and k, and at those that add up their products");
    else if (f->share > SOME)
        snprintf(text, size, "%s%s%s are not: line %d, in %s, has %.0f %% of them", list, n ? " are right; " : "",
                 names[wrong], f->line->line, f->line->function, 100 * f->share);
    else
        snprintf(text, size, "%s%s%s are not: no line has them", list, n ? " are right; " : "", names[wrong]);
}

void lab_computed_doubt(const char *cause, lab_computed found[LAB_N_STEPS]) {
    if (strstr(cause, "own max")) found[LAB_STEP_MAXIMA] = (lab_computed){.line = NULL};
}

void lab_computed_leave_line_out(char *note) {
    char *line = strstr(note, " are not: line ");
    if (line && strstr(note, " are right; "))
        strcpy(line, " are not");
    else if (line)
        *note = 0;
}
