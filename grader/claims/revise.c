// revise.c: the sentence of a claim that earlier ones contradict, or that builds on what is wrong itself, goes.
#include <stdio.h>
#include <string.h>

#include "common_cause.h"

static const char after[] = "after", as_in[] = "NaN here, too, as in";  // what is said in place of a sentence

int lab_cause_is_revised(const lab_result *r) {
    return strncmp(r->diagnosis, after, sizeof after - 1) == 0 || strncmp(r->diagnosis, as_in, sizeof as_in - 1) == 0;
}

static int is_causal(const lab_case *c) { return c->shape.causal; }

static void replace_sentence(lab_result *r, const char *where, const char *words, const char *name) {
    char text[sizeof r->diagnosis];
    snprintf(text, sizeof text, "%.60s %.60s; %.400s", words, name, where);
    memcpy(r->diagnosis, text, sizeof text);
    r->guesses.n = 0;
}

// A TODO that puts others together.
static int is_whole(const lab_case *c) {
    const char *in = c->op->tensors[1];
    return c->op->n_tensors > 3 && in && (strcmp(in, "Q") == 0 || strcmp(in, "X") == 0);
}

void lab_cause_revise(const lab_case *c, lab_result *r, int calls) {
    static const struct {
        const char *start;
        int (*only)(const lab_case *c);
    } signs[] = {{"exp overflows where", lab_has_large_scores}, {"a guess: NaN where scores are masked", is_causal}};
    char *end = strstr(r->diagnosis, "; wrong: ");
    const char *where = end ? end + 2 : strncmp(r->diagnosis, "wrong: ", 7) == 0 ? r->diagnosis : NULL;
    if (c->todo && !where && strstr(r->diagnosis, " never written: ")) where = r->diagnosis;
    if (where && *lab_first_todo() && (!c->todo || is_whole(c) || calls) && !lab_first_todo_calls(c->op) &&
        strcmp(lab_first_todo(), c->todo ? c->todo : "") != 0 &&
        (c->todo || lab_cause_known() || (end && strncmp(r->diagnosis, "matches", 7) != 0))) {
        char todo[16];
        snprintf(todo, sizeof todo, "TODO %s", lab_first_todo());
        replace_sentence(r, where, after, todo);
        return;
    }
    if (c->todo) return;
    const lab_op *part = end ? lab_wrong_part(c->op) : NULL;
    const lab_tried *t;
    for (int i = 0; part && (t = lab_cause_tried(i)); i++)
        if (t->c.op == part && t->verdict != LAB_PASSED && !lab_has_large_scores(&t->c)) {
            replace_sentence(r, end + 2, after, part->symbol);
            return;
        }
    for (size_t s = 0; s < sizeof signs / sizeof *signs && end; s++) {
        if (strncmp(r->diagnosis, signs[s].start, strlen(signs[s].start))) continue;
        for (int i = 0; (t = lab_cause_tried(i)); i++)
            if (t->c.op == c->op && t->verdict == LAB_NOT_FINITE && !signs[s].only(&t->c)) {
                replace_sentence(r, end + 2, as_in, t->c.claim);
                return;
            }
    }
}
