// trees.c: a block's sum or maximum in shared memory, joined by other steps than THREADS / 2, THREADS / 4, ... 1: each
// loop that comes to mind is run.
#include "trees.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "rules_out.h"

enum { THREADS = 256 };

static const struct {
    const char *text;
    int first, last, times, plus;  // half = first; then times * half + plus, as far as last; times 0: halves
} loop[] = {
    {"half = THREADS / 2, THREADS / 4, ... 1", THREADS / 2, 1, 0, 0},
    {"half = THREADS, THREADS / 2, ... 1", THREADS, 1, 0, 0},
    {"half = THREADS / 2, THREADS / 4, ... 2", THREADS / 2, 2, 0, 0},
    {"half = THREADS / 4, ... 1", THREADS / 4, 1, 0, 0},
    {"half = THREADS / 2 alone", THREADS / 2, THREADS / 2, 0, 0},
    {"half = 1 alone", 1, 1, 0, 0},
    {"half = 1, 2, 4, ... THREADS / 2", 1, THREADS / 2, 2, 0},
    {"half = 1, 2, 4, ... THREADS / 4", 1, THREADS / 4, 2, 0},
    {"half = 2, 4, ... THREADS / 2", 2, THREADS / 2, 2, 0},
    {"half = 1, 2, 3, ... THREADS / 2", 1, THREADS / 2, 1, 1},
    {"half = THREADS / 2, THREADS / 2 - 1, ... 1", THREADS / 2, 1, 1, -1},
};
enum { LOOPS = sizeof loop / sizeof *loop };

typedef enum { BELOW, FITS, MULTIPLE, OF_HALF, UP_TO, WHO } who;
static const char *const who_text[WHO] = {"t < half", "t + half < THREADS", "t % (2 * half) == 0", "t % half == 0",
                                          "t <= half"};
typedef enum { NEXT, TWICE, NEIGHBOUR, MIRRORED, SAME, PARTNER } partner;
static const char *const partner_text[PARTNER] = {"part[t + half]", "part[t + 2 * half]", "part[t + 1]",
                                                  "part[half - t]", "part[half]"};

static int joins(who w, int t, int half) {
    switch (w) {
    case BELOW: return t < half;
    case FITS: return t + half < THREADS;
    case MULTIPLE: return t % (2 * half) == 0;
    case OF_HALF: return t % half == 0;
    default: return t <= half;
    }
}

static int partner_of(partner p, int t, int half) {
    switch (p) {
    case NEXT: return t + half;
    case TWICE: return t + 2 * half;
    case NEIGHBOUR: return t + 1;
    case MIRRORED: return half - t;
    default: return half;
    }
}

static double run(int i, who w, partner p, int sums, int sets, const float *x) {
    double part[THREADS];
    for (int t = 0; t < THREADS; t++) part[t] = x[t];
    for (int half = loop[i].first; loop[i].times && loop[i].plus >= 0 ? half <= loop[i].last : half >= loop[i].last;
         half = loop[i].times ? loop[i].times * half + loop[i].plus : half / 2)
        for (int t = 0; t < THREADS; t++) {
            const int from = partner_of(p, t, half);
            if (!joins(w, t, half) || from < 0 || from >= THREADS) continue;
            part[t] = sets ? part[from] : sums ? part[t] + part[from] : fmax(part[t], part[from]);
        }
    return part[0];
}

// ---- Pieces: a few threads join so many numbers each, and then one joins what they found

static double run_pieces(int length, int apart, int sums, const float *x) {
    double all = sums ? 0 : -INFINITY;
    for (int t = 0; t < THREADS / length; t++)
        for (int j = t * apart; j < t * apart + length && j < THREADS; j++) all = sums ? all + x[j] : fmax(all, x[j]);
    return all;
}

static int is_in_all(const lab_symptom *s, int r, double all) {
    for (int t = 0; t < THREADS; t++)
        if (!(fabs(all - s->got[r * THREADS + t]) < LAB_TOLERANCE * (1 + fabs(all)))) return 0;
    return 1;
}

static int explain_pieces(const lab_symptom *s, char *text, size_t size) {
    int found = 0;
    for (int length = 2; length <= THREADS / 2; length *= 2)
        for (int way = 0; way < 3; way++) {
            const int apart = way == 0 ? 1 : way == 1 ? length - 1 : length + 1;
            int fits = way == 0 || length > 2;
            for (int r = 0; r < s->shape.seq_q && fits; r++)
                fits = is_in_all(s, r, run_pieces(length, apart, s->extra[0], s->in[1] + r * THREADS));
            if (!fits) continue;
            char said[240];
            snprintf(said, sizeof said,
                     LAB_PIECES_APART " one for each of %d threads, which are %d long and begin %d apart: piece t "
                                      "begins at %d t, so that none overlap and none is left out",
                     THREADS / length, length, apart, length);
            found |= lab_guess(s->guesses, said, text, size);
        }
    return found;
}

static int is_left(const lab_symptom *s, int i, who w, partner p, int sums, int sets) {
    for (int r = 0; r < s->shape.seq_q; r++)
        if (!is_in_all(s, r, run(i, w, p, sums, sets, s->in[1] + r * THREADS))) return 0;
    return 1;
}

// That many threads that do not wait for each other leave what half = 1, 2, 4, ... leaves. With + in place of join(op, ...)
// they leave it where the max is asked for, too: there are two mistakes then, and this is the first.
static int explain_unordered(const lab_symptom *s, int i, int sums, char *text, size_t size) {
    if (!is_left(s, i, BELOW, NEXT, sums, 0)) return 0;
    char said[300];
    snprintf(said, sizeof said,
             "matches the x of threads 0, 1, 2, 4, 8, ... alone: half goes down, THREADS / 2, THREADS / 4, ... 1, and "
             "behind each step stands a barrier, within the loop%s",
             sums && !s->extra[0] ? " (and the max is asked for, not the sum)" : "");
    return lab_guess(s->guesses, said, text, size);
}

int lab_explain_tree(const lab_symptom *s, char *text, size_t size) {
    int found = !s->cmp.not_finite && explain_pieces(s, text, size);
    for (int code = 0; code < LOOPS * WHO * PARTNER * 2 && !s->cmp.not_finite; code++) {
        const int i = code % LOOPS, sets = code / LOOPS / WHO / PARTNER;
        const who w = (who)(code / LOOPS % WHO);
        const partner p = (partner)(code / LOOPS / WHO % PARTNER);
        if (loop[i].first == 1 && loop[i].times == 2 && w == BELOW && p == NEXT && !sets) {
            found |= explain_unordered(s, i, s->extra[0], text, size);
            continue;
        }
        if (!is_left(s, i, w, p, s->extra[0], sets)) continue;
        char said[240];
        snprintf(said, sizeof said,
                 "matches %s, where threads with %s join %s%s: half = THREADS / 2, THREADS / 4, ... 1, and t < half "
                 "joins part[t + half]",
                 loop[i].text, who_text[w], partner_text[p], sets ? " in place of their own" : "");
        found |= lab_guess(s->guesses, said, text, size);
    }
    for (int i = 0; i < LOOPS && !found && !s->extra[0] && !s->cmp.not_finite; i++)
        found = loop[i].first == 1 && loop[i].times == 2 && explain_unordered(s, i, 1, text, size);
    return found;
}
