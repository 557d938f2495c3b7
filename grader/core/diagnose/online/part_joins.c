// part_joins.c: parts of the keys that warps, or groups of lanes, go through side by side: each is right, and they are
// joined by a wrong rule. Block after block of `block` keys goes to one part after the other, or each part has its keys side
// by side; where the keys are shared out to splits, each of them does so by itself.
#include "wrong_rows.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "join_rules.h"

enum { MOST_PARTS = 128, MOST_SPLITS = 64, MOST_KEYS = 4096, MOST_DIMS = 256, FIRST_DIMS = 4 };

// Of splits it is that, too.
#define NOT_FINISHED                                                                                                   \
    "matches O_s that are sums: is each O_s divided by its own l? What joins them weighs finished outputs by exp(L_s " \
    "- L)"

// How the keys of a split fall into parts. block 0: side by side, as many as fit, rounded up; -1: from n * i / parts on.
typedef struct {
    int parts, block;
} division;

typedef struct {
    const lab_wrong_row *r;
    const double *score;
    int D, dims;  // so many of D are computed
} row;

typedef struct {
    int n;
    double m[MOST_PARTS], l[MOST_PARTS], o[MOST_PARTS][MOST_DIMS];
} parts;

int lab_part_of(int parts, int block, int n, int j) {
    if (block > 0) return j / block % parts;
    if (block == 0) return j / ((n + parts - 1) / parts);
    int i = (int)((long)j * parts / n);
    while ((long)n * (i + 1) / parts <= j) i++;
    return i;
}

// Of the keys first .. end - 1. Returns 0 where each part has one key at most: that says little of a rule.
static int sums_of(const row *a, division d, int first, int end, parts *p) {
    int place[MOST_PARTS];
    p->n = 0;
    for (int i = 0; i < d.parts; i++) place[i] = -1;
    for (int j = first; j < end; j++) {
        int *at = &place[lab_part_of(d.parts, d.block, end - first, j - first)];
        if (*at < 0) *at = p->n, p->m[p->n++] = -INFINITY;
        if (a->score[j] > p->m[*at]) p->m[*at] = a->score[j];
    }
    for (int i = 0; i < p->n; i++) p->l[i] = 0, memset(p->o[i], 0, a->dims * sizeof **p->o);
    for (int j = first; j < end; j++) {
        const int at = place[lab_part_of(d.parts, d.block, end - first, j - first)];
        const double w = exp(a->score[j] - p->m[at]);
        p->l[at] += w;
        for (int c = 0; c < a->dims; c++) p->o[at][c] += w * a->r->v[(size_t)j * a->D + c];
    }
    return p->n < end - first;
}

// ---- A row

// Where split s of n begins: equal shares, rounded up; length * s / n; or one key more for each of the first ones.
int lab_split_begins(int way, int length, int s, int n) {
    const int each = (length + n - 1) / n, more = length % n;
    if (way == 0) return each * s < length ? each * s : length;
    return way == 1 ? (int)((long)length * s / n) : length / n * s + (s < more ? s : more);
}

typedef struct {
    int splits, way;
} shares;

// o[x]: the row as join x, of those that may be, makes it of all splits, which are then put together rightly. Returns 0 where
// no split tells.
static int joined(const row *a, division d, shares t, const int may_be[N_JOINS], double o[N_JOINS][MOST_DIMS]) {
    static _Thread_local parts p;
    double top = -INFINITY, sum[N_JOINS], of_o[MOST_PARTS], of_l[MOST_PARTS];
    int tells = 0;
    for (join x = 0; x < N_JOINS; x++) sum[x] = 0, memset(o[x], 0, a->dims * sizeof **o);
    for (int j = 0; j < a->r->seen; j++) top = fmax(top, a->score[j]);
    for (int s = 0; s < t.splits; s++) {
        const int first = lab_split_begins(t.way, a->r->seen, s, t.splits),
                  end = lab_split_begins(t.way, a->r->seen, s + 1, t.splits);
        if (first >= end) continue;
        tells |= (sums_of(a, d, first, end, &p) || t.splits > 1) && p.n > 1;
        const double max = lab_join_max(p.m, p.n);
        for (join x = 0; x < N_JOINS; x++) {
            double divisor, l = 0;
            if (!may_be[x]) continue;
            lab_join_factors(x, p.n, p.m, p.l, of_o, of_l, &divisor);
            for (int i = 0; i < p.n; i++) l += of_l[i] * p.l[i];
            const double weight = exp((x == UNSCALED_L_OF_FIRST ? p.m[0] : max) - top) * l;  // exp(L_s - top)
            sum[x] += weight;
            for (int i = 0; i < p.n; i++)
                for (int c = 0; c < a->dims; c++)
                    o[x][c] += weight * of_o[i] * p.o[i][c] / (divisor != 0 ? divisor : l);
        }
    }
    for (join x = 0; x < N_JOINS; x++)
        for (int c = 0; c < a->dims; c++) o[x][c] /= sum[x];
    return tells;
}

// Returns 1 where a split of the row has several parts.
static int strike_out(const row *a, division d, shares t, int may_be[N_JOINS]) {
    static _Thread_local double o[N_JOINS][MOST_DIMS];
    const lab_wrong_row *r = a->r;
    const int tells = joined(a, d, t, may_be, o);
    for (join x = 0; x < N_JOINS; x++)
        for (int c = 0; c < a->dims && may_be[x]; c++)
            may_be[x] = fabs(o[x][c] - r->got[c]) < r->near * (1 + fabs(r->got[c]));
    return tells;
}

// ---- All rows

// One part that is left out, or alone, is a part only where keys go to each part in turn again: otherwise it is where a walk
// begins or ends.
static int is_of_some_parts(join x) { return x == FIRST_ALONE || x == LAST_LEFT_OUT || x == FIRST_LEFT_OUT; }

static int goes_round(const lab_wrong_rows *w, division d, int splits) {
    int longest = 0;
    for (int i = 0; i < w->n; i++) longest = w->row[i].seen > longest ? w->row[i].seen : longest;
    return d.block > 0 && longest > 2 * d.block * d.parts * splits;
}

static int any(const int may_be[N_JOINS]) {
    int n = 0;
    for (join x = 0; x < N_JOINS; x++) n += may_be[x];
    return n;
}

// A few dims tell of most joins that it is another one.
static void all_rows(const lab_wrong_rows *w, double *const score[], division d, shares t, int may_be[N_JOINS]) {
    const int D = w->shape.head_dim, few = D < FIRST_DIMS ? D : FIRST_DIMS;
    int tells = 0;
    for (join x = 0; x < N_JOINS; x++) may_be[x] = 1;
    for (int dims = few; dims && any(may_be); dims = dims < D ? D : 0)
        for (int i = 0; i < w->n && any(may_be); i++) {
            const row a = {&w->row[i], score[i], D, dims};
            const shares own = {w->row[i].parts ? w->row[i].parts : t.splits, t.way};
            tells |= strike_out(&a, d, own, may_be);
        }
    for (join x = 0; x < N_JOINS; x++) may_be[x] &= tells;
}

static void say(join x, division d, int splits, char *text, size_t room) {
    const int used = snprintf(text, room, "%s", lab_join_text(x));
    if (x == NOT_DIVIDED) return;  // in whatever parts
    const char *within = splits > 1 ? ", within each split" : "";
    if (used >= (int)room) return;
    if (d.block == 1)
        snprintf(text + used, room - used, " (%d parts, part i has the keys i, i + %d, ...%s)", d.parts, d.parts,
                 within);
    else if (d.block > 1)
        snprintf(text + used, room - used, " (%d parts, which take %d keys each in turn%s)", d.parts, d.block, within);
    else
        snprintf(text + used, room - used, " (%d parts of keys that lie side by side%s)", d.parts, within);
}

// Keys of the longest share of a row.
static int longest_share(const lab_wrong_rows *w, shares t) {
    int longest = 0;
    for (int i = 0; i < w->n; i++) {
        const int splits = w->row[i].parts ? w->row[i].parts : t.splits, keys = (w->row[i].seen + splits - 1) / splits;
        longest = keys > longest ? keys : longest;
    }
    return longest;
}

// A share that is one part tells nothing, and one with fewer keys than half of the parts take in turn falls into the same
// parts as with half as many.
static int try_divisions(const lab_wrong_rows *w, double *const score[], shares t, char *text, size_t room) {
    const int keys = longest_share(w, t);
    for (int block = 1; block >= -1; block = block == 128 ? 0 : block > 0 ? 2 * block : block - 1)
        for (int n = 2, may = 1; n <= MOST_PARTS; n *= 2) {
            int may_be[N_JOINS], found = 0;
            char said[240];
            if (keys <= block || (!may && keys <= (block > 0 ? block : 1) * (n / 2))) break;
            all_rows(w, score, (division){n, block}, t, may_be);
            may = any(may_be);
            const int splits = w->row[0].parts ? w->row[0].parts : t.splits;
            for (join x = 0; x < N_JOINS; x++) {
                if (!may_be[x] || (is_of_some_parts(x) && !goes_round(w, (division){n, block}, splits))) continue;
                if (x == NOT_DIVIDED && splits > 1) lab_guess(w->guesses, NOT_FINISHED, text, room);
                say(x, (division){n, block}, splits, said, sizeof said);
                found = lab_guess(w->guesses, said, text, room);
            }
            if (found) return 1;
        }
    return 0;
}

int lab_explain_part_joins(const lab_wrong_rows *w, char *text, size_t room) {
    double *score[LAB_MOST_ROWS] = {NULL};
    int ok = lab_are_enough(w) && w->shape.head_dim <= MOST_DIMS, found = 0;
    for (int i = 0; i < w->n && ok; i++) {
        ok = w->row[i].seen <= MOST_KEYS && w->row[i].parts <= MOST_SPLITS;
        ok = ok && (score[i] = malloc((w->row[i].keys + 1) * sizeof **score));
        if (ok) lab_row_scores(&w->row[i], w->shape.head_dim, score[i]);
    }
    // How many splits there are is not known where it is the student's number.
    const int most = w->shape.seq_q > 1 || w->row[0].parts ? 1 : MOST_SPLITS / 2;
    for (int splits = 1; splits <= most && ok && !found; splits++)
        for (int way = 0; way < (splits > 1 || w->row[0].parts > 1 ? LAB_SPLIT_WAYS : 1) && !found; way++)
            found = try_divisions(w, score, (shares){splits, way}, text, room);
    for (int i = 0; i < w->n; i++) free(score[i]);
    return found;
}
