// untried.c: the claims that the lab's program did not come to before it was ended. Without them all claims of a criterion
// might hold, and give its points.
#include <stdio.h>
#include <string.h>

#include "claims.h"
#include "grade.h"
#include "journal_lines.h"
#include "tool.h"

static int has_case(const json_t *cases, const char *name) {
    size_t i;
    json_t *c;
    json_array_foreach(cases, i, c) if (strcmp(lab_text_of(c, "name"), name) == 0) return 1;
    return 0;
}

void lab_add_untried(const lab_graded *s, const lab_task *t, json_t *cases) {
    static lab_result r;
    const lab_case *row;
    lab_case c;
    r.verdict = LAB_GRADER_ERROR;
    if (lab_deadline_passed())
        snprintf(r.diagnosis, sizeof r.diagnosis, "not tried: the %.0f s for this submission are over (--deadline)",
                 s->g->deadline);
    else
        snprintf(r.diagnosis, sizeof r.diagnosis, "not tried: the program that runs the claims has ended, see log.txt");
    for (int i = 0; (row = lab_case_at(i)); i++)
        if (strcmp(row->task, t->id) == 0 && !row->todo && !has_case(cases, row->claim) &&
            lab_case_find(t->id, row->claim, lab_seed_of(s, t), &c))
            json_array_append_new(cases, lab_claim_json(&c, &r));
}
