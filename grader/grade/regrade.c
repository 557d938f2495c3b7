// regrade.c: whom --regrade means.
#include <stdio.h>
#include <string.h>

#include "class_run.h"
#include "journal.h"
#include "table.h"

static int is_meant(const lab_arguments *all, const lab_entry *e, const char *who) {
    if (strcmp(who, "all") == 0) return 1;
    if (strcmp(who, "errors") == 0) return !lab_is_graded(all, e);
    return strcmp(who, e->folder) == 0 || strcmp(who, e->name) == 0;
}

// Two students of one name are told apart by their folders.
static int is_unclear(const lab_arguments *all, const char *who) {
    int names = 0;
    for (int i = 0; i < all->n; i++) {
        if (strcmp(who, all->entries[i].folder) == 0) names = -all->n;
        names += strcmp(who, all->entries[i].name) == 0;
    }
    return names > 1;
}

int lab_choose_again(lab_arguments *all) {
    for (int i = 0; i < all->n; i++) all->entries[i].skip = 1;
    for (int k = 0; k < all->n_regrade; k++) {
        const char *who = all->regrade[k];
        int meant = strcmp(who, "errors") == 0;
        for (int i = 0; i < all->n && !is_unclear(all, who); i++) {
            if (!is_meant(all, &all->entries[i], who)) continue;
            all->entries[i].skip = 0, meant = 1;
        }
        if (meant) continue;
        fprintf(stderr, "grade_all: --regrade %s: %s\n", lab_shown(who),
                is_unclear(all, who) ? "several submissions have that name; name the folder of one in DIR"
                                     : "no submission of this run has that name");
        return 0;
    }
    for (int i = 0; i < all->n; i++) {
        lab_entry *e = &all->entries[i];
        if (!e->skip && !lab_journal_again(all, e, all->n_again ? all->again : NULL, all->n_again))
            perror("grade_all: the journal");
    }
    return 1;
}
