// rest_of_shares.c: task 5, keys that are shared out among warps or threads in equal parts, rounded down: the last ones are
// in nobody's share. So it is where the last, ragged tile of keys is left out. In splits each has such a rest of its own.
//
//     19 keys, 8 warps, 19 / 8 = 2 each    | 0 1 | 2 3 | ... | 14 15 |  16 17 18: nobody's
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "heuristics.h"
#include "splits.h"
#include "wrong_rows.h"

typedef struct {
    const lab_symptom *s;
    int n, way;              // of the splits, and how they share out
    double *score, *so_far;  // of a head's keys; of its dims
    int few;                 // splits of fewer keys are left out, and of the others nothing is
} cache;

static void score_keys(const cache *c, size_t head, int length) {
    const size_t D = c->s->shape.head_dim;
    const float *q = c->s->in[1] + head * D, *k = c->s->in[2] + head * c->s->shape.seq_kv * D;
    double top = -INFINITY;
    for (int j = 0; j < length; j++, k += D) {
        c->score[j] = 0;
        for (size_t d = 0; d < D; d++) c->score[j] += (double)q[d] * k[d];
        top = fmax(top, c->score[j]);
    }
    for (int j = 0; j < length; j++) c->score[j] = (c->score[j] - top) / sqrt((double)D);
}

// Does the head's output lack the rest of each split, that of whole groups of `workers` keys? *lost: how many keys; *kept:
// some split that loses keys has others.
static int lacks_rest(const cache *c, size_t head, int length, int workers, int *lost, int *kept) {
    const size_t D = c->s->shape.head_dim;
    const float *v = c->s->in[3] + head * c->s->shape.seq_kv * D, *got = c->s->got + head * D;
    double l = 0;
    for (size_t d = 0; d < D; d++) c->so_far[d] = 0;
    for (int i = 0; i < c->n; i++) {
        const int first = lab_split_begins(c->way, length, i, c->n),
                  end = lab_split_begins(c->way, length, i + 1, c->n);
        const int keys = end - first,
                  whole = c->few ? (keys < workers ? first : end) : first + keys / workers * workers;
        for (int j = first; j < whole; j++) {
            const double weight = exp(c->score[j]);
            for (size_t d = 0; d < D; d++) c->so_far[d] += weight * v[(size_t)j * D + d];
            l += weight;
        }
        *lost += end - whole;
        *kept |= whole > first && end > whole;
    }
    for (size_t d = 0; d < D; d++) {
        const double due = l > 0 ? c->so_far[d] / l : 0;
        if (!(fabs(got[d] - due) < LAB_TOLERANCE * (1 + fabs(due)))) return 0;
    }
    return 1;
}

// Rows that are wrong, the others are right either way. *zeros: of no row any key is left, which a NaN gives, too. *kept: as
// above.
static int fits(const cache *c, int workers, int *zeros, int *kept) {
    const size_t heads = (size_t)c->s->shape.batch * c->s->shape.heads, D = c->s->shape.head_dim;
    int lost = 0, wrong = 0;
    *zeros = 1, *kept = 0;
    for (size_t head = 0; head < heads; head++) {
        const int length = lab_int_at(c->s->in[4], head / c->s->shape.heads);
        int bad = 0, of_head = 0;
        for (size_t d = 0; d < D && !bad; d++) bad = lab_element_bad(c->s, head * D + d, 0);
        if (!length && !bad) continue;
        score_keys(c, head, length);
        if (!lacks_rest(c, head, length, workers, &of_head, kept)) return 0;
        lost += of_head, wrong += bad;
        for (size_t d = 0; d < D && length; d++) *zeros &= c->s->got[head * D + d] == 0;
    }
    return lost && wrong;
}

// In words: sentences that differ in their numbers alone are taken for one.
static const char *const group[] = {
    "two", "four", "eight", "sixteen", "thirty-two", "sixty-four", "a hundred and twenty-eight"};
enum { GROUPS = sizeof group / sizeof *group, OWN_COUNTS = 7, WARPS = 32 };

static const char of_one_key[] = "matches splits with a single key whose parts are left out, and a part counts "
                                 "whenever its split has a key: what is "
                                 "taken for empty? With one key l is 1, and L_s is its score";

int lab_explain_rest_of_shares(const lab_symptom *s, char *text, size_t size) {
    static const int counts[OWN_COUNTS] = {8, 4, 16, 2, 32, 64, 1};  // where the student chooses
    const int asked = s->op->scratch ? s->extra[0] : 1;
    double *const room = malloc((s->shape.seq_kv + s->shape.head_dim) * sizeof *room);
    char sentence[240], aside[240] = "";
    int known = 0;
    for (int i = GROUPS; i >= 0 && room; i--) {
        const int few = i == GROUPS, g = few ? 0 : i;
        int found = 0, zeros = 0, kept = 0;
        for (int k = 0; k < (asked ? 1 : OWN_COUNTS) && !found; k++)
            for (int way = 0; way < LAB_SPLIT_WAYS && !found; way++) {
                const cache c = {s, asked ? asked : counts[k], way, room, room + s->shape.seq_kv, few};
                found = (way == 0 || c.n > 1) && fits(&c, 2 << g, &zeros, &kept);
            }
        if (!found || (zeros && 2 << g > WARPS)) continue;
        snprintf(sentence, sizeof sentence,
                 few ? of_one_key
                     : "matches the keys behind the last whole group of %s left out: are they shared out in so many "
                       "equal parts, rounded down, or is the last, ragged tile not visited?",
                 group[g]);
        if (zeros || (few ? asked == 1 : !kept && asked != 1))  // it is said only where other claims tell
            lab_guess(s->guesses, sentence, aside, sizeof aside);
        else
            known |= lab_guess(s->guesses, sentence, text, size);
    }
    free(room);
    return known;
}
