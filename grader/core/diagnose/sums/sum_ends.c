// sum_ends.c: of the loops of a sum, two that end where the other one should, or one that ends where another one does.
#include <stdio.h>

#include "sum_reading.h"

int lab_sum_ends(lab_sum_problem *p, char *text, size_t size) {
    const lab_sum *x = p->right;
    const size_t *n = x->count;
    char sentence[240];
    p->factor = 1;
    for (int a = LAB_ROW; a <= LAB_TERM; a++)
        for (int b = LAB_ROW; b <= LAB_TERM; b++) {
            lab_reading both = lab_right_reading(x), one = both;
            if (a == b || n[a] == n[b] || !x->end[a] || !x->end[b]) continue;
            both.end[LAB_ROW] = a == LAB_ROW ? n[b] : b == LAB_ROW ? n[a] : 0;
            both.end[LAB_COLUMN] = a == LAB_COLUMN ? n[b] : b == LAB_COLUMN ? n[a] : 0;
            both.to = a == LAB_TERM ? n[b] : b == LAB_TERM ? n[a] : both.to;
            if (a < b && lab_reading_fits(p, &both)) {
                snprintf(sentence, sizeof sentence,
                         "matches loops whose ends are exchanged: %s runs to %s, and %s to %s", x->index[a], x->end[a],
                         x->index[b], x->end[b]);
                return lab_sum_say(p, sentence, text, size);
            }
            if (a == LAB_TERM || n[b] > n[a]) continue;
            one.end[a] = n[b];
            if (!lab_reading_fits(p, &one)) continue;
            snprintf(sentence, sizeof sentence, "matches a loop over %s < %s: it runs to %s", x->index[a], x->end[b],
                     x->end[a]);
            return lab_sum_say(p, sentence, text, size);
        }
    return 0;
}
