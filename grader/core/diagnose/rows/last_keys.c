// last_keys.c: wrong rows that are attention to their last keys alone, and the law by which the first ones are left out.
#include "heuristics.h"
#include "kept_scores.h"
#include "online_steps.h"
#include "rules_out.h"
#include "seen_keys.h"

#include <stdio.h>

// The first key of all rows; -1: they differ.
static int same_first(const lab_wrong_rows *w, const lab_key_range k[LAB_MOST_ROWS]) {
    for (int i = 1; i < w->n; i++)
        if (k[i].first != k[0].first) return -1;
    return k[0].first;
}

// How many keys every row has; 0: they differ, or rows that see as many do not tell.
static int same_count(const lab_wrong_rows *w, const lab_key_range k[LAB_MOST_ROWS]) {
    int apart = 0;
    for (int i = 1; i < w->n; i++) {
        if (k[i].end - k[i].first != k[0].end - k[0].first) return 0;
        apart |= k[i].end != k[0].end;
    }
    return apart || w->shape.seq_q == 1 ? k[0].end - k[0].first : 0;
}

// Rows begin where tiles do: the largest that all of them have in common.
static int common_tile(const lab_wrong_rows *w, const lab_key_range k[LAB_MOST_ROWS]) {
    int tile = k[0].first;
    for (int i = 1; i < w->n; i++)
        for (int other = k[i].first, rest; other; other = rest) rest = tile % other, tile = other;
    return tile;
}

// Rows that begin at other keys, and each before its largest score: there its maximum grew for the last time.
static int begin_where_it_grew(const lab_wrong_rows *w, const lab_key_range k[LAB_MOST_ROWS]) {
    int apart = 0;
    for (int i = 0; i < w->n; i++) {
        const lab_kept_row *row = lab_kept_row_of(w, &w->row[i], w->row[i].query);
        int largest = 0;
        for (int j = 1; row && j < w->row[i].seen; j++)
            if (row->score[j] > row->score[largest]) largest = j;
        if (!row || largest < k[i].first) return 0;
        apart |= k[i].first != k[0].first && w->row[i].seen == w->row[0].seen;
    }
    return apart;
}

static void say_window(int keys, char *text, size_t size) {
    snprintf(text, size,
             LAB_WINDOW " %d keys, up to the last one that each query sees: query i sees all keys from key 0 on", keys);
}

// Rows of which each begins at its own number: as many keys as the mask leaves the first of them.
#define OWN_WINDOW                                                                                                     \
    LAB_WINDOW " seq_kv - seq_q + 1 keys that begins at key i: under the mask query i sees all keys from key 0 on, "   \
               "up to key "                                                                                            \
               "i + (seq_kv - seq_q)"

int lab_explain_last_keys(const lab_wrong_rows *w, const lab_key_range k[LAB_MOST_ROWS], char *text, size_t size) {
    const int shift = w->shape.seq_kv - w->shape.seq_q, first = same_first(w, k), count = same_count(w, k);
    int least = w->row[0].seen;
    for (int i = 1; i < w->n; i++) least = w->row[i].seen < least ? w->row[i].seen : least;
    if (shift > 0 && first == shift)
        lab_guess(w->guesses,
                  "matches attention without the first seq_kv - seq_q keys: query i sees all keys from key 0 on, and "
                  "where causal up to key i + (seq_kv - seq_q)",
                  text, size);
    if (shift > 0 && first == shift && w->shape.seq_q > 1) return 1;
    char sentence[240];
    if (first == 1 && least > 2)
        snprintf(sentence, sizeof sentence, "%s", LAB_WITHOUT_FIRST_KEY);
    else if (first > 0 && 2 * first < least)  // tiles of one size of which the last alone is left begin later
        snprintf(sentence, sizeof sentence,
                 "matches attention without the first %d keys: the walk over the keys begins with key 0", first);
    else if (w->shape.causal && count == shift + 1 && w->shape.seq_q > 1)
        snprintf(sentence, sizeof sentence, OWN_WINDOW);
    else if (w->shape.causal && count > 1 && w->shape.seq_q > 1)
        say_window(count, sentence, sizeof sentence);
    else if (begin_where_it_grew(w, k))
        snprintf(sentence, sizeof sentence, "%s", lab_missed_step[BEGUN_ANEW]);
    else if (common_tile(w, k) > 3 || (w->row[0].tile && common_tile(w, k) % w->row[0].tile == 0))
        snprintf(sentence, sizeof sentence,
                 "matches attention to the last %d keys only (row %d): what earlier tiles gave is lost; are m, l and O "
                 "kept from tile to tile?",
                 k[0].end - k[0].first, w->row[0].query);
    else
        snprintf(sentence, sizeof sentence,
                 "matches attention to the last %d keys only (row %d, which sees %d): does the walk begin with key 0, "
                 "and is what it gave kept?",
                 k[0].end - k[0].first, w->row[0].query, w->row[0].seen);
    lab_guess(w->guesses, sentence, text, size);
    if (w->shape.causal && count > 1 && w->shape.seq_q == 1) {  // it may be one, and other claims tell
        say_window(count, sentence, sizeof sentence);
        lab_guess(w->guesses, sentence, text, size);
    }
    return 1;
}
