// carried.c: rows that go on with the sums of a row done before: m, l and O were not set anew for the next tile of
// queries. Such a row lies between its own right result and what stands in the other one.
#include "wrong_rows.h"

#include <math.h>
#include <stdio.h>

enum { MOST_PARTNERS = 2, LEAST_KEYS = 8, LEAST_DIMS = 8 };

// got = want + t (other - want), 0 < t < 1
static int lies_between(const lab_wrong_row *r, const float *other, int D) {
    double rd = 0, dd = 0, far = 0;
    for (int c = 0; c < D; c++) {
        const double d = other[c] - r->want[c], moved = r->got[c] - r->want[c];
        rd += moved * d, dd += d * d, far = fmax(far, fabs(moved));
    }
    const double t = rd / dd;
    if (!(t > 0.02 && t < 0.999) || far < 20 * LAB_TOLERANCE) return 0;
    for (int c = 0; c < D; c++)
        if (!(fabs(r->got[c] - r->want[c] - t * (other[c] - r->want[c])) < LAB_TOLERANCE / 2)) return 0;
    return 1;
}

// The row whose sums it goes on with; -1: there is none, or too many to tell.
static long partner(const lab_symptom *s, const lab_wrong_row *r) {
    const int D = s->shape.head_dim;
    const long rows = (long)s->shape.batch * s->shape.heads * s->shape.seq_q;
    long found = -1;
    int n = 0;
    for (long p = 0; p < rows && n <= MOST_PARTNERS; p++)
        if (s->got + p * D != r->got && lies_between(r, s->got + p * D, D)) found = p, n++;
    return n <= MOST_PARTNERS ? found : -1;
}

int lab_explain_carried(const lab_symptom *s, const lab_wrong_rows *w, char *text, size_t size) {
    const int D = s->shape.head_dim, Sq = s->shape.seq_q;
    const lab_wrong_row *told = NULL;
    long last = -1;
    int n = 0;
    if (w->n < 2 || D < LEAST_DIMS) return 0;
    for (int i = 0; i < w->n; i++) {
        if (Sq == 1 && w->row[i].seen < LEAST_KEYS) continue;  // a short sequence among others
        last = w->row[i].seen < LEAST_KEYS ? -1 : partner(s, told = &w->row[i]);
        if (last < 0) return 0;
        n++;
    }
    if (n < 2) return 0;
    if (Sq == 1)
        return snprintf(text, size,
                        LAB_CARRIED " (head b * heads + h = %d with those of %ld): where the next query begins, m is "
                                    "-INFINITY, l is 0 and O is 0",
                        told->head, last) > 0;
    snprintf(text, size,
             LAB_CARRIED " (row %d with those of row %ld%s): where a tile of queries begins, m is -INFINITY, l is 0 "
                         "and O is 0",
             w->row[w->n - 1].query, last % Sq, last / Sq == w->row[w->n - 1].head ? "" : " of another head");
    return 1;
}
