// contradicted.c: what is said of one claim, and another claim speaks against it.
#include "contradicted.h"

#include <string.h>

#include "common_cause.h"

static int begins(const char *text, const char *start) { return strncmp(text, start, strlen(start)) == 0; }

int lab_is_wrong(const lab_held *h) { return h->r.compared && h->r.verdict != LAB_PASSED; }

// What is told of together: the claims of a TODO, or those of a function.
int lab_told_together(const lab_held *a, const lab_held *b) {
    if (a->c.todo || b->c.todo) return a->c.todo && b->c.todo && strcmp(a->c.todo, b->c.todo) == 0;
    return a->c.op == b->c.op;
}

static int is_all_nan(const lab_held *h) {
    return h->r.verdict == LAB_NOT_FINITE && h->r.cmp.not_finite == h->c.op->elements(h->c.shape, 0);
}

// That the own number of splits is at fault, where a number that was asked for gives wrong results, too.
static int blames_own_number(const lab_held *held, int n, const lab_held *h, const char *sentence) {
    if (!begins(sentence, "the wrong rows are 0, as if there were no parts")) return 0;
    for (int i = 0; i < n; i++)
        if (lab_is_wrong(&held[i]) && held[i].c.op == h->c.op && held[i].c.extra[0]) return 1;
    return 0;
}

// The parts of a split, where decoding without one is wrong in numbers, too: what both do may be wrong.
static int blames_parts(const lab_held *held, int n, const char *sentence) {
    if (!begins(sentence, "the L_s in workspace do not make L")) return 0;
    for (int i = 0; i < n; i++)
        if (!held[i].c.todo && held[i].c.op == &lab_decode && held[i].r.verdict == LAB_WRONG_ANSWER) return 1;
    return 0;
}

// NaN with large scores alone: a mask with others does no harm.
static int masks_hold(const lab_held *h) {
    const lab_tried *t;
    int hold = 0;
    for (int i = 0; lab_has_large_scores(&h->c) && (t = lab_cause_tried(i)); i++) {
        if (t->c.op != h->c.op || lab_has_large_scores(&t->c)) continue;
        if (t->verdict != LAB_PASSED) return 0;
        hold |= t->c.shape.causal;
    }
    return hold;
}

// A wrong maximum, or none, does no harm where scores are small: it cancels. Where those numbers are wrong, too, a sum of 0
// or a factor may be what gives NaN.
static int is_wrong_where_small(const lab_held *held, int n, const lab_held *h) {
    for (int i = 0; i < n && lab_has_large_scores(&h->c); i++)
        if (lab_told_together(&held[i], h) && lab_is_wrong(&held[i]) && held[i].r.verdict == LAB_WRONG_ANSWER &&
            !lab_has_large_scores(&held[i].c))
            return 1;
    return 0;
}

const char *lab_said_instead(const lab_held *h, const char *sentence) {
    static const char large[] = "NaN where scores are large, and nowhere else: is what is subtracted before exp the "
                                "maximum of the same row?";
    const int masked = begins(sentence, "a guess: NaN") && strstr(sentence, "scores are masked");
    return masked && masks_hold(h) ? large : "";
}

// A guess about NaN holds if all claims that fail are as it says: here alone the numbers do not tell.
int lab_is_contradicted(const lab_held *held, int n, const lab_held *h, const char *sentence) {
    const int every_row = begins(sentence, "a guess: every row is NaN"),
              masked = strstr(sentence, "scores are masked") != 0;
    const int a_part = begins(sentence, "a guess: NaN");
    if (blames_own_number(held, n, h, sentence) || blames_parts(held, n, sentence)) return 1;
    if (begins(sentence, "exp overflows where")) return is_wrong_where_small(held, n, h);
    if (!every_row && !a_part) return 0;
    if (masked && masks_hold(h)) return 1;
    for (int i = 0; i < n; i++) {
        const lab_held *other = &held[i];
        if (every_row && (other->c.todo || (other->r.compared && !is_all_nan(other)))) return 1;
        if (!lab_is_wrong(other) || !lab_told_together(other, h)) continue;
        if (other->r.verdict != LAB_NOT_FINITE) return 1;
        if (masked && !other->c.shape.causal && !strstr(other->r.diagnosis, "scores are masked")) return 1;
    }
    return 0;
}

// Rows that seem to stand in other places, of results that are others each time.
int lab_is_by_chance(const lab_held *held, int n, const lab_held *of, const char *sentence) {
    if (!begins(sentence, "matches rows in other places") && !begins(sentence, "matches columns in other places"))
        return 0;
    for (int i = 0; i < n; i++)
        if (lab_told_together(&held[i], of) && strstr(held[i].r.diagnosis, "a second call on the same inputs gave"))
            return 1;
    return 0;
}
