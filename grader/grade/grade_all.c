// grade_all.c: the instructor's command. Started by the launcher grader/grade_all, which builds what it needs.
#define _GNU_SOURCE
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "arguments.h"
#include "backend.h"
#include "claims_text.h"
#include "class_run.h"
#include "collect.h"
#include "compiler.h"
#include "exporting.h"
#include "journal.h"
#include "manual.h"
#include "reuse.h"
#include "rubric.h"
#include "sandbox.h"
#include "slurm.h"

static lab_arguments all;

// Files of this tree are the user's own, or the lab's.
static int are_all_own(void) {
    char root[4096];
    const size_t n = getcwd(root, sizeof root) ? strlen(root) : 0;
    int own = n > 0;
    for (int i = 0; i < all.n; i++) {
        const char *path = all.entries[i].path;
        own = own && strncmp(path, root, n) == 0 && (path[n] == '/' || !path[n]);
    }
    return own;
}

// Strangers' code runs in a sandbox, or not at all. Returns 0 when there is none and nobody has allowed to do without.
static int choose_sandbox(void) {
    char why[512];
    const int missing = lab_sandbox_missing(why, sizeof why);
    lab_sandbox_want(!missing);
    all.grading.sandboxed = !missing;
    if (!missing) return 1;
    if (!all.unsafe && !are_all_own()) {
        fprintf(stderr,
                "grade_all: %s. Without a sandbox a submission runs with your rights: it can read and change what "
                "you can. To do so all the same: --unsafe-no-sandbox\n",
                why);
        return 0;
    }
    char text[600];
    snprintf(text, sizeof text, "No sandbox (%s): what is graded runs with your rights", why);
    lab_print_wrapped(text, 2, 0, 0);
    return 1;
}

int main(int argc, char **argv) {
    char why[512];
    const int wrong = lab_read_arguments(argc, argv, &all);
    if (wrong) return wrong;
    const char *root = getenv("LAB_ROOT");
    if (root && chdir(root)) {
        perror(root);
        return 2;
    }
    lab_grading *g = &all.grading;
    g->out = all.out;
    if (!(g->rubric = lab_rubric_load("grader/rubric.json", why, sizeof why))) {
        fprintf(stderr, "grade_all: %s\n", why);
        return 2;
    }
    const int task = all.slurm.entry >= 0, away = all.slurm.wanted && !task;
    if (!all.rescore && !away && !choose_sandbox()) return 2;
    if (!away && lab_backend()->on_gpu) g->n_gpus = lab_gpus(g->gpu), lab_compiler_know_gpu();
    if (!all.rescore && !task && !lab_journal_begin(&all, why, sizeof why)) {
        fprintf(stderr, "grade_all: %s\n", why);
        return 2;
    }
    if (all.n_regrade && !lab_choose_again(&all)) return 2;
    if (g->reuse && !all.resume && !all.rescore && !all.n_regrade) lab_reuse_forget(all.out);
    if (!away) g->machine = lab_machine(g->bench, all.out);
    if (task) return lab_slurm_task(&all);
    if (all.n > 1 && !all.rescore) lab_manual_template(&all);
    int failed = away ? lab_slurm_class(&all) : lab_run_class(&all);
    if (failed < 0) return 2;
    failed += lab_manual_apply(&all);
    if (all.n > 1) failed += !lab_collect(&all);
    failed += !lab_export(&all);
    return failed ? 1 : 0;
}
