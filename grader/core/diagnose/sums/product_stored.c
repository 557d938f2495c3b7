// product_stored.c: a product whose elements are right and stored in other steps: C[r][c] at r * m + c, or column by
// column; matrix g of a batch at g * m * k.
#include "heuristics.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

enum { MOST_ELEMENTS = 1 << 16, FEWEST = 8 };

// 1 if all that is written is what belongs to elements which those steps bring there. Of many numbers some are alike by
// chance: what has moved is a good part.
static int are_steps(const lab_symptom *s, size_t batch, size_t row, size_t column, char *explained) {
    const size_t m = s->shape.seq_q, n = s->shape.seq_kv, all = s->op->elements(s->shape, 0);
    size_t moved = 0, written = 0;
    for (size_t i = 0; i < all; i++) written += !(explained[i] = lab_element_bad(s, i, 1) != 0);  // never written
    for (size_t e = 0; e < all; e++) {
        const size_t at = e / n / m * batch + e / n % m * row + e % n * column;
        if (at >= all || !(fabs(s->got[at] - s->want[e]) < LAB_TOLERANCE)) continue;
        explained[at] = 1, moved += at != e;
    }
    for (size_t i = 0; i < all; i++)
        if (!explained[i]) return 0;
    return moved >= FEWEST && moved >= written / 8;
}

int lab_explain_product_stored(const lab_symptom *s, char *text, size_t size) {
    const size_t m = s->shape.seq_q, n = s->shape.seq_kv, k = s->shape.head_dim, all = s->op->elements(s->shape, 0);
    const struct {
        size_t row, column;
        const char *as;
    } steps[] = {{m, 1, "r * m + c"},
                 {k, 1, "r * k + c"},
                 {1, m, "c * m + r, column by column"},
                 {1, n, "c * n + r, column by column"}};
    const struct {
        size_t every;
        const char *as;
    } begins[] = {{m * k, "m * k"}, {n * k, "n * k"}, {m, "m"}, {n, "n"}, {k, "k"}, {1, "1"}, {0, "0"}};
    if (all > MOST_ELEMENTS) return 0;
    char *const explained = malloc(all), sentence[160];
    int known = 0;
    for (size_t i = 0; explained && !known && i < sizeof steps / sizeof *steps; i++) {
        known = (steps[i].row != n || steps[i].column != 1) &&
                are_steps(s, m * n, steps[i].row, steps[i].column, explained);
        if (!known) continue;
        snprintf(sentence, sizeof sentence,
                 "matches C[r][c] stored at %s: a row of C has n elements, so it stands at r * n + c", steps[i].as);
        lab_guess(s->guesses, sentence, text, size);
    }
    for (size_t i = 0; explained && !known && i < sizeof begins / sizeof *begins; i++) {
        if (begins[i].every == m * n || !are_steps(s, begins[i].every, n, 1, explained)) continue;
        snprintf(
            sentence, sizeof sentence,
            "matches matrices of C that are stored every %s numbers: each has m * n, so matrix g begins at g * m * n",
            begins[i].as);
        known = lab_guess(s->guesses, sentence, text, size);
    }
    free(explained);
    return known;
}
