// workshop.c: the file with the changes that are being tried, as a stage and as a probe, each compiled when it is needed.
#include "workshop.h"

#include <stdio.h>

#include "early.h"

void lab_workshop_name(const lab_repair_ask *ask, lab_workshop *w, int probe) {
    snprintf(w->object[probe], sizeof w->object[probe], "%.4200s.edits%s.so", ask->stage, probe ? ".probe" : "");
    for (int i = 0; ask->runner[i] && i < 7 && (!i || !probe); i++) w->runner[probe][i] = ask->runner[i];
    w->runner[probe][1] = w->object[probe];
}

int lab_workshop_ready(const lab_repair_ask *ask, lab_workshop *w, int probe) {
    if (!w->tried[probe]++) {
        lab_workshop_name(ask, w, probe);
        const double before = lab_attempts_left();
        w->compiled[probe] = lab_candidates_compile(ask, &w->candidates, probe, w->object[probe]);
        const double took = w->candidates.took > 0 ? w->candidates.took : before - lab_attempts_left();
        if (w->candidates.most && !w->candidates.hooks) w->candidates.rate = took / w->candidates.most;
    }
    return w->compiled[probe];
}

// C: what may be needed of the changes that are left by the sieve, when they have been tried.
void lab_workshop_early(const lab_repair_ask *ask, const lab_workshop *w, int probe) {
    lab_early_drop();
    if (!w->candidates.sieved || !w->candidates.n) return;
    if (probe)
        lab_early_begin(LAB_EARLY_STAGE, ask, &w->candidates, 0, 0);
    else
        lab_early_begin(LAB_EARLY_ALONE, ask, &w->candidates, w->candidates.edit[0].id, 0);
}

// Otherwise it is compiled with what the probe's claims have left: in a moment.
int lab_workshop_whole(const lab_repair_ask *ask, lab_workshop *w, const lab_found *found) {
    lab_workshop_name(ask, w, 0);
    if (lab_early_take(LAB_EARLY_STAGE, 0, 0, w->object[0])) w->tried[0] = w->compiled[0] = 1;
    return lab_workshop_keep(&w->candidates, found) && lab_workshop_ready(ask, w, 0);
}

int lab_workshop_keep(lab_candidates *c, const lab_found *found) {
    int ids[LAB_MOST_FOUND];
    for (int i = 0; i < found->n; i++) ids[i] = found->mend[i].edit->id;
    return lab_candidates_keep(c, ids, found->n);
}
