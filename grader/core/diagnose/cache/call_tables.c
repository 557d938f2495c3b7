// call_tables.c: conditions that were written in place of TODO 6.1's. Each is made of parts (of which sequences, which
// number, next to S), and all of them are tried that differ from the right one in a part or two.
#include <stdio.h>

#include "call_row.h"

typedef enum { NONE, ONE, MORE, OR_ONE, COUNT_ONE, ONLY_MORE, N_NEXT } next_to;  // what S has to be besides
typedef enum { AT_LEAST_1, MORE_THAN_1, ALWAYS, TOGETHER, SAME, N_PASTS } pasts;

typedef struct {
    whose fresh, old;
    next_to fresh_S, old_S;
    pasts past;
    int decode_first, exchanged;
} kinds;

static int with_S(next_to n, int holds, const call *c) {
    switch (n) {
    case NONE: return holds;
    case ONE: return holds && c->S == 1;
    case MORE: return holds && c->S > 1;
    case OR_ONE: return holds || c->S == 1;
    case ONLY_MORE: return c->S > 1;
    default: return holds && lab_int_at(c->count, 0) == 1;
    }
}

static int kind_by(const kinds *k, const call *c) {
    int zero[32], enough[32], sum = 0;
    // Behind past lies count, and then 0, for a loop that ends at S.
    for (int b = 0; b < 32; b++) {
        const int past = b < 2 * c->B ? lab_int_at(c->past, (size_t)b) : 0;
        zero[b] = past == 0, sum += b < c->B ? past : 0;
        enough[b] = k->past == SAME ? past > 0 && past == lab_int_at(c->past, 0) : past > (k->past == MORE_THAN_1);
    }
    const int old = k->past == ALWAYS ? 1 : k->past == TOGETHER ? sum >= c->B : holds_of(k->old, c->B, c->S, enough);
    const int prefill = with_S(k->fresh_S, holds_of(k->fresh, c->B, c->S, zero), c), decode = with_S(k->old_S, old, c);
    const int kind = k->decode_first ? (decode ? 2 : prefill) : prefill ? 1 : 2 * decode;
    return k->exchanged && kind ? 3 - kind : kind;
}

// The same other sequences in both conditions are one mistake: a loop, or none.
static int same_loop(const kinds *k) { return k->fresh == k->old && k->fresh != ALL; }

static int parts_of(const kinds *k) {
    return (k->fresh != ALL) + (k->old != ALL) - same_loop(k) + (k->fresh_S != NONE) + (k->old_S != ONE) +
           (k->past != AT_LEAST_1) + k->exchanged;
}

static const char *const of_loop[N_WHOSE] = {
    [ANY] = "any sequence in place of all: each of them has to be like that",
    [FIRST] = "past[0] alone: every sequence has a past of its own",
    [LAST] = "the last past alone: what a loop finds must stay found in its later rounds",
    [REST] = "past[0] left out: the loop begins at b = 0",
    [NOT_LAST] = "the last past left out: the loop ends at b = B - 1",
    [BY_S] = "a loop that ends at S: past has B numbers, one for each sequence"};
static const char *const whose_past[N_WHOSE] = {[ANY] = "any past is %s: it takes all of them",
                                                [FIRST] = "past[0] is %s: it takes all of them",
                                                [LAST] = "the last past is %s: it takes all of them",
                                                [REST] = "past[1] and those behind it are %s: past[0] belongs to it",
                                                [NOT_LAST] = "every past but the last is %s: that one belongs to it",
                                                [BY_S] = "the first S numbers of past are %s: there are B of them"};
static const char *const fresh_next_to[N_NEXT] = {[ONE] = "PREFILL only where S is 1: S says nothing of it",
                                                  [MORE] = "PREFILL only where S is more than 1: a prompt may have "
                                                           "one token",
                                                  [OR_ONE] = "PREFILL wherever S is 1: it takes a past of 0",
                                                  [COUNT_ONE] = "PREFILL only where count[0] is 1: a prompt has any",
                                                  [ONLY_MORE] = "PREFILL wherever S is more than 1, and nowhere else: "
                                                                "S alone does not tell, it takes a past of 0 in every "
                                                                "sequence"};
static const char *const old_next_to[N_NEXT] = {[NONE] = "DECODE whatever S is: it takes S = 1",
                                                [MORE] = "DECODE where S is more than 1: it takes S = 1",
                                                [OR_ONE] = "DECODE where S is 1 or the past says so: it takes both",
                                                [COUNT_ONE] = "DECODE where count[0] is 1: it takes S = 1",
                                                [ONLY_MORE] = "DECODE wherever S is more than 1: it takes S = 1, and "
                                                              "a past in every sequence"};
static const char *const other_pasts[N_PASTS] = {
    [MORE_THAN_1] = "DECODE only where every past is more than 1: a past of 1 is enough",
    [ALWAYS] = "DECODE without a look at past: it takes a past in every sequence",
    [TOGETHER] = "DECODE where the past of all sequences together is large enough: each of them needs one",
    [SAME] = "DECODE only where all sequences have the same past: each may have its own"};

static void say_kinds(const kinds *k, char *text, size_t size) {
    char part[6][200], where[120];
    int n = 0;
    if (k->exchanged) snprintf(part[n++], sizeof part[0], "PREFILL and DECODE exchanged");
    if (same_loop(k)) snprintf(part[n++], sizeof part[0], "%s", of_loop[k->fresh]);
    if (k->fresh != ALL && !same_loop(k)) {
        snprintf(where, sizeof where, whose_past[k->fresh], "0");
        snprintf(part[n++], sizeof part[0], "PREFILL where %s", where);
    }
    if (k->fresh_S != NONE) snprintf(part[n++], sizeof part[0], "%s", fresh_next_to[k->fresh_S]);
    if (k->past != AT_LEAST_1) snprintf(part[n++], sizeof part[0], "%s", other_pasts[k->past]);
    if (k->old != ALL && !same_loop(k)) {
        snprintf(where, sizeof where, whose_past[k->old], "at least 1");
        snprintf(part[n++], sizeof part[0], "DECODE where %s", where);
    }
    if (k->old_S != ONE) snprintf(part[n++], sizeof part[0], "%s", old_next_to[k->old_S]);
    int used = snprintf(text, size, "matches %s", part[0]);
    for (int i = 1; i < n; i++) used += snprintf(text + used, size - (size_t)used, ", and %s", part[i]);
}

// for each b: if (past[b] == 0) return PREFILL, if (S == 1) return DECODE. Of one sequence that is right.
static int returns_early(const lab_symptom *s, int rows) {
    int equal = 0;
    for (int row = 0; row < rows; row++) {
        const call c = call_at(s, row);
        int fresh = 0;
        for (int b = 0; b < c.B; b++) fresh |= lab_int_at(c.past, (size_t)b) == 0;
        const int kind = c.S > 1 ? fresh : lab_int_at(c.past, 0) == 0 ? 1 : 2;
        equal += kind == (int)s->got[row];
    }
    return equal == rows;
}

// All of them with one part that differs, then with two. A batch of one does not tell sequences apart: what fits it is
// kept for the other claim to choose from.
int lab_explain_kinds(const lab_symptom *s, int rows, char *text, size_t size) {
    static const next_to likely[N_NEXT] = {ONE, NONE, MORE, OR_ONE, COUNT_ONE, ONLY_MORE};
    int found = 0;
    if (s->shape.batch > 16 || s->cmp.not_finite) return 0;
    if (returns_early(s, rows))
        found = lab_guess(s->guesses,
                          "matches a loop that returns at the first sequence that is either: look at all of them first",
                          text, size);
    for (int parts = 1; parts <= 2 && (!found || s->shape.batch == 1); parts++)
        for (int i = 0; i < N_WHOSE * N_WHOSE * N_NEXT * N_NEXT * N_PASTS * 4; i++) {
            const int w = i / 4, p = w / N_PASTS, q = p / N_NEXT, r = q / N_NEXT, old_S = likely[p % N_NEXT];
            const kinds k = {(whose)(r / N_WHOSE),
                             (whose)(r % N_WHOSE),
                             (next_to)(q % N_NEXT),
                             (next_to)old_S,
                             (pasts)(w % N_PASTS),
                             i % 2,
                             i / 2 % 2};
            // The order alone is no mistake, and whose past it is says nothing where nobody looks at it.
            if (parts_of(&k) != parts) continue;
            if (parts == 2 && (k.past == TOGETHER || k.past == SAME || k.old_S == COUNT_ONE)) continue;  // by chance
            if (k.old != ALL && (k.past == ALWAYS || k.past == TOGETHER)) continue;
            int equal = 0;
            for (int row = 0; row < rows; row++) {
                const call c = call_at(s, row);
                equal += kind_by(&k, &c) == (int)s->got[row];
            }
            char said[240];
            if (equal < rows) continue;
            say_kinds(&k, said, sizeof said);
            found |= lab_guess(s->guesses, said, text, size);
        }
    return found;
}
