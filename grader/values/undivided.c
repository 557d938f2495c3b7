// undivided.c: of a softmax, columns that are left as exponentials, while others of the row have been divided by its sum.
#include "who.h"

// 1: the row has both. Of its columns the undivided depend on themselves and on the maximum alone.
static int sort_out(const lab_depends *d, number row, lab_set *divided, lab_set *left) {
    const int n = d->count[LAB_OF_KEYS];
    memset(divided, 0, sizeof *divided), memset(left, 0, sizeof *left);
    for (int c = 0; c < n; c++) {
        const int of = size_of(&row[c], LAB_OF_KEYS);
        if (of < n && !(of <= 2 && lab_set_has(&row[c].of[LAB_OF_KEYS], c))) return 0;
        (of < n ? left : divided)->word[c / 64] |= (uint64_t)1 << c % 64;
    }
    return lab_set_size(divided) && lab_set_size(left);
}

static number first_of(const lab_depends *d, number row, const lab_set *of) {
    int c = 0;
    while (!lab_set_has(of, c)) c++;
    return stored(d, &row[c]);
}

int lab_undivided(const lab_depends *d, char *text, size_t size) {
    const int n = d->count[LAB_OF_KEYS];
    lab_set divided, left;
    char those[80], others[80];
    if (d->count[LAB_OF_VALUES] || n < 3) return 0;
    for (size_t at = 0; at + (size_t)n <= d->n_output; at += (size_t)n) {
        const number row = &d->output[at];
        if (!sort_out(d, row, &divided, &left)) continue;
        const number by = first_of(d, row, &divided), store = first_of(d, row, &left);
        if (!by || !store || by->told.id == store->told.id) return 0;
        words(d->one, &left, those, sizeof those), words(d->one, &divided, others, sizeof others);
        snprintf(text, size,
                 "line %d, in %s, divides %s of a row alone: %s stay what line %d has stored, exp(s - m) that nobody "
                 "divides by the row's sum",
                 line_of(d, by)->line, line_of(d, by)->function, others, those, line_of(d, store)->line);
        return 1;
    }
    return 0;
}
