// dozens.c: CUDA: a claim with many changes, some dozens in each call of two runners (many.c). What a change does in a line,
// its neighbours do, too: where two have ended the runner, others come last.
#include <stdlib.h>

#include "narrow.h"

enum { PLACES = 1 << 12, SLICE = 126, SPOILT = 2 };

// A number of changes is tried, and not as many as the time allows, so that a busy machine finds what an idle one finds. The
// numbers are far apart: a file would have to be close to a border to get another one there.
static int most_of(double usual) {
    static const double QUICK = 0.2e-3, USUAL = 0.6e-3, SLOW = 5e-3, SLOWEST = 15e-3;  // a call of the file as it is
    return usual < QUICK ? LAB_MOST_EDITS : usual < USUAL ? 3000 : usual < SLOW ? 900 : usual < SLOWEST ? 300 : 100;
}

int lab_search_dozens(lab_attempts *a, const lab_prepared *p, lab_trying *all, int n, double limit, int must,
                      lab_narrowing *narrow) {
    unsigned char dead[PLACES] = {0}, *tried = calloc((size_t)n + 1, 1);
    int can = tried != NULL, left = most_of(a->usual);
    for (int late = 0; late < 2 && can; late++)
        for (int i = 0, k = 0; i < n && can; i = k) {
            int at[SLICE], id[SLICE], m = 0;
            char holds[SLICE];
            for (k = i; k < n && m < SLICE && left > 0; k++) {
                if (all[k].out || tried[k] || (!late && dead[all[k].edit->line % PLACES] >= SPOILT)) continue;
                left--;
                if (narrow && lab_narrow_passes_by(narrow, all[k].edit))
                    tried[k] = 1, all[k].passed = all[k].out = 1;
                else
                    id[m] = all[k].edit->id, at[m++] = k;
            }
            if (!m || !lab_attempts_go_on(a)) break;
            lab_say_aloud();
            can = lab_attempt_many(a, p, id, m, 1e6 * limit, holds) || late || i;
            for (int j = 0; j < m && can; j++) {
                lab_trying *x = &all[at[j]];
                unsigned char *here = &dead[x->edit->line % PLACES];
                tried[at[j]] = 1, x->mended += holds[j] == 1, x->out = must && holds[j] != 1;
                if (holds[j] >= LAB_LATE && *here < 255) (*here)++;
                if (holds[j] == 1 && narrow) lab_narrow_by(narrow, x->edit);
            }
        }
    for (int i = 0; i < n && can; i++) all[i].out |= !all[i].out && !tried[i];
    free(tried);
    return can;
}
