// turned_masks.c: rows that are attention to the keys that a mask leaves them which is turned: upside down, with query and key
// exchanged, or hiding what it should show.
#include "heuristics.h"
#include "seen_keys.h"

#include <stdio.h>

// The first query sees all keys, and each one behind it one fewer.
static int is_upside_down(const lab_wrong_rows *w, const lab_key_range k[LAB_MOST_ROWS]) {
    for (int i = 0; i < w->n; i++) {
        const int end = w->row[i].keys - w->row[i].query;
        if (end < k[i].end || end > k[i].most) return 0;
    }
    return 1;
}

// i - j <= shift in place of j - i <= shift. *hiding: how many of the rows lose keys by that.
static int is_exchanged(const lab_wrong_rows *w, const lab_key_range k[LAB_MOST_ROWS], int *hiding) {
    *hiding = 0;
    for (int i = 0; i < w->n; i++) {
        const int first = w->row[i].query - (w->shape.seq_kv - w->shape.seq_q);
        if (k[i].first != (first > 0 ? first : 0)) return 0;
        *hiding += first > 0;
    }
    return 1;
}

// j < i in place of j > i + shift: key j is hidden from the queries behind it.
static int is_from_own(const lab_wrong_rows *w, const lab_key_range k[LAB_MOST_ROWS]) {
    int hiding = 0;
    for (int i = 0; i < w->n; i++) {
        if (k[i].first != w->row[i].query) return 0;
        hiding += k[i].first > 0;
    }
    return hiding > 1;
}

#define FROM_OWN                                                                                                       \
    "matches a mask with query and key exchanged: it hides key j from the queries behind it, so that query i sees "    \
    "the "                                                                                                             \
    "keys from i on, and not those up to i + (seq_kv - seq_q)"

static int is_inverted(const lab_wrong_rows *w, const lab_key_range k[LAB_MOST_ROWS]) {
    for (int i = 0; i < w->n; i++)
        if (k[i].first < w->row[i].seen - 1 || k[i].first > w->row[i].seen) return 0;
    return 1;
}

#define EXCHANGED                                                                                                      \
    "matches a mask in which query and key are exchanged: it hides the keys before i - (seq_kv - seq_q), and query i " \
    "sees key j if j <= i + (seq_kv - seq_q)"

void lab_guess_exchanged_mask(const lab_wrong_rows *w) {
    lab_key_range k[LAB_MOST_ROWS];
    char aside[240] = "";
    int hiding;
    if (w->shape.seq_kv < 2 * w->shape.seq_q - 1 || !lab_key_ranges(w, LAB_LAST_OF_ALL, k)) return;
    if (is_exchanged(w, k, &hiding)) lab_guess(w->guesses, EXCHANGED, aside, sizeof aside);
}

int lab_explain_turned_mask(const lab_wrong_rows *w, char *text, size_t size) {
    lab_key_range k[LAB_MOST_ROWS];
    int hiding;
    if (!w->shape.causal) return 0;
    if (w->n > 1 && lab_key_ranges(w, LAB_ANY_FIRST, k) && is_upside_down(w, k))
        return snprintf(text, size,
                        "matches a mask turned upside down, in which query i sees seq_kv - i keys: the last query sees "
                        "all keys, and each one before it one fewer") > 0;
    if (!lab_key_ranges(w, LAB_LAST_OF_ALL, k)) return 0;
    const int from_own = w->n > 1 && is_from_own(w, k);
    if (from_own && w->shape.seq_kv != w->shape.seq_q) return snprintf(text, size, FROM_OWN) > 0;
    if (from_own) lab_guess(w->guesses, FROM_OWN, text, size);  // both fit a square
    if (w->n > 1 && is_exchanged(w, k, &hiding) && hiding) return snprintf(text, size, EXCHANGED) > 0;
    return is_inverted(w, k) &&
           snprintf(text, size, "matches a mask the wrong way round: it hides the keys that the query may see") > 0;
}
