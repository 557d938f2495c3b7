// claims_held.c: a TODO's claims are shown together, and none after one that fails, until all have been explained.
#include "claims_held.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "claims.h"
#include "claims_same.h"
#include "common_cause.h"
#include "right_lines.h"

enum { MOST_HELD = 128 };

static struct {
    lab_held *claim;
    int n, waits;  // waits: one of them has failed
    int passed;    // of those that have been shown
} held;

int lab_claim_fails(const lab_result *r) {
    static const lab_verdict other[] = {LAB_PASSED, LAB_MISSING, LAB_SKIPPED, LAB_COMPILE_ERROR};
    for (size_t i = 0; i < sizeof other / sizeof *other; i++)
        if (r->verdict == other[i]) return 0;
    return 1;
}

static void show_all(void) {
    for (int i = 0; i < held.n; i++) {
        lab_show_claim(&held.claim[i].c, &held.claim[i].r);
        held.passed += held.claim[i].r.verdict == LAB_PASSED;
        if (*held.claim[i].log) lab_show_log(&held.claim[i].c, held.claim[i].log);
    }
    held.n = 0;
}

static int same_todo(const lab_case *a, const lab_case *b) {
    return a->todo && b->todo && strcmp(a->todo, b->todo) == 0;
}

void lab_hold_claim(const lab_case *c, const lab_result *r, const char *log) {
    if (!held.claim) held.claim = calloc(MOST_HELD, sizeof *held.claim);
    if (!held.waits && held.n && !same_todo(c, &held.claim[held.n - 1].c)) show_all();
    if (!held.claim || held.n == MOST_HELD) show_all();
    if (!held.claim) {
        lab_show_claim(c, r);
        return;
    }
    lab_held *h = &held.claim[held.n++];
    h->c = *c, h->r = *r;
    snprintf(h->log, sizeof h->log, "%s", log);
    if (lab_claim_fails(r) && !held.waits++) {
        lab_show_kept();
        printf("  %s%s fails; the other claims, and why ...\n", c->todo ? "TODO " : "", c->todo ? c->todo : c->claim);
    }
    if (!held.waits && !c->todo) show_all();
}

// A cause without a line, of a file without TODOs: those in which it can be, once.
static void add_place(const char *text, lab_result *r) {
    static char said[200], said_of[600];
    char place[200], cause[600], rest[280];
    const char *wrong = strstr(r->diagnosis, "; wrong: ");
    const size_t length = wrong ? (size_t)(wrong - r->diagnosis) : strlen(r->diagnosis);
    if (!text || *lab_first_todo() || lab_same_is_explained() || length >= sizeof cause) return;
    snprintf(cause, sizeof cause, "%.*s", (int)length, r->diagnosis);
    snprintf(rest, sizeof rest, "%s", wrong ? wrong : "");
    if (!lab_place_in_wrong_lines(text, cause, place, sizeof place) || (!strcmp(said, place) && strcmp(said_of, cause)))
        return;  // it says nothing new
    snprintf(said, sizeof said, "%s", place), snprintf(said_of, sizeof said_of, "%s", cause);
    snprintf(r->diagnosis, sizeof r->diagnosis, "%s; %s%s", cause, place, rest);
}

void lab_show_held(int certain, const char *text, lab_told *told) {
    if (held.waits) lab_choose_told(held.claim, held.n, held.passed > 0, certain);
    for (int i = 0; i < held.n && held.waits && !certain; i++)
        if (lab_claim_fails(&held.claim[i].r) && !held.claim[i].c.todo) add_place(text, &held.claim[i].r);
    for (int i = 0; i < held.n && held.waits; i++)
        if (held.claim[i].r.verdict != LAB_PASSED) told(&held.claim[i].c, &held.claim[i].r);
    show_all();
    free(held.claim);
    held.claim = NULL;
}
