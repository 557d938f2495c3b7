// common_cause.c: what explains all claims, or most of them.
#include "common_cause.h"

#include <stdio.h>
#include <string.h>

#include "cause_claims.h"
#include "cause_shapes.h"
#include "cause_silent.h"
#include "wrong_rows.h"

// ---- One cause

static int explains(const char *cause, int i) {
    if (lab_cause_is_refuted(cause, lab_seen.tried[i].c.op)) return 0;
    if (lab_cause_is_hidden(cause, &lab_seen.tried[i].c)) return 1;
    for (int k = 0; k < lab_seen.fits[i].n; k++)
        if (lab_same_cause(lab_seen.fits[i].text[k], cause) ||
            (strncmp(lab_seen.fits[i].text[k], LAB_ROWS_OF_0, sizeof LAB_ROWS_OF_0 - 1) == 0 &&
             lab_cause_is_lost(cause, &lab_seen.tried[i].c)))
            return 1;
    return 0;
}

// Of a claim of large scores few rows may be wrong, and too few numbers to tell by: that nothing of it fits this cause is
// nothing against it.
static int speaks(const char *cause, int i) {
    const lab_case *c = &lab_seen.tried[i].c;
    const int has_large = !lab_seen.all_large && lab_has_large_scores(c);
    const int is_silent = has_large || lab_cause_is_silent(cause, c, &lab_seen.fits[i]);
    return lab_cause_counts(i) && !lab_cause_is_mute(i) && (!is_silent || explains(cause, i));
}

// A number of them that is as large as it gets; a sentence that something matches goes before a sign.
static const char *best_cause(int *most, int *failed, int *built_on) {
    const char *best = NULL;
    *most = *failed = *built_on = 0;
    for (int i = 0; i < lab_seen.n; i++) {
        *built_on += lab_seen.tried[i].verdict != LAB_PASSED && lab_wrong_part(lab_seen.tried[i].c.op);
        for (int k = 0; k < lab_seen.fits[i].n && lab_cause_counts(i); k++) {
            const char *cause = lab_seen.fits[i].text[k];
            int said = 0;
            for (int j = 0; j < lab_seen.n; j++)
                said += lab_cause_counts(j) && !lab_cause_is_mute(j) && explains(cause, j);
            const int matches = strncmp(cause, "matches", 7) == 0, matched = best && strncmp(best, "matches", 7) == 0;
            if (said > *most || (best && said == *most &&
                                 (matches > matched || lab_is_smaller_tile(cause, best) || lab_says_more(cause, best))))
                *most = said, best = cause;
        }
    }
    for (int i = 0; i < lab_seen.n; i++)
        *failed += best ? speaks(best, i) : lab_cause_counts(i) && !lab_cause_is_mute(i);
    return best;
}

// The known mistake that most claims match, if it is more than one and half of them; *most: how many.
static const char *best_match(int failed, int *most) {
    const char *best = NULL;
    int claims = 1;
    for (int i = 0; i < lab_seen.n; i++)
        for (int k = 0; k < lab_seen.fits[i].n && lab_cause_counts(i); k++) {
            int said = 0;
            if (strncmp(lab_seen.fits[i].text[k], "matches", 7)) continue;
            for (int j = 0; j < lab_seen.n; j++)
                said += lab_cause_counts(j) && !lab_cause_is_mute(j) && explains(lab_seen.fits[i].text[k], j);
            if (said > claims) claims = said, best = lab_seen.fits[i].text[k];
        }
    if (2 * claims < failed) return NULL;
    if (best) *most = claims;
    return best;
}

static const char *part_that_fails(void) {
    for (int i = 0; i < lab_seen.n; i++) {
        const lab_op *part = lab_seen.tried[i].verdict != LAB_PASSED ? lab_wrong_part(lab_seen.tried[i].c.op) : NULL;
        if (part) return part->symbol;
    }
    return "";
}

// Another function that fails on its own, beside the one that is to be mended first; NULL: there is none.
static const char *other_part(const char *first) {
    for (int i = 0; i < lab_seen.n; i++) {
        const lab_op *op = lab_seen.tried[i].c.op;
        if (lab_cause_counts(i) && strcmp(op->symbol, first) && !op->uses[0]) return op->symbol;
    }
    return NULL;
}

// A model around the layer says nothing of it, and the layer is all that the file has.
static int is_the_file(void) {
    for (int i = 0; i < lab_seen.n; i++)
        if (!lab_seen.tried[i].c.op->pipeline) return 0;
    return lab_seen.n > 0;
}

// What all claims of the first wrong part match; NULL: nothing.
static const char *cause_of_part(void) {
    const lab_op *part = NULL;
    for (int i = 0; i < lab_seen.n && !part; i++)
        if (lab_seen.tried[i].verdict != LAB_PASSED) part = lab_wrong_part(lab_seen.tried[i].c.op);
    for (int i = 0; i < lab_seen.n; i++) {
        if (lab_seen.tried[i].c.op != part || !lab_cause_counts(i)) continue;
        for (int k = 0; k < lab_seen.fits[i].n; k++) {
            int all = strncmp(lab_seen.fits[i].text[k], "matches", 7) == 0 ||
                      strncmp(lab_seen.fits[i].text[k], "its columns sum to 1", 20) == 0 ||
                      strncmp(lab_seen.fits[i].text[k], "exp overflows where", 19) == 0;
            for (int j = 0; j < lab_seen.n; j++)
                all &= lab_seen.tried[j].c.op != part || !lab_cause_counts(j) || lab_cause_is_mute(j) ||
                       explains(lab_seen.fits[i].text[k], j);
            if (all) return lab_seen.fits[i].text[k];
        }
    }
    return NULL;
}

static char said[sizeof lab_seen.fits->text[0]];

int lab_cause_is_said(void) { return *said != 0; }

int lab_cause_was_said(const char *cause) { return *said && lab_same_cause(said, cause); }

int lab_cause_matched(char *text, size_t size) {
    int most, failed, built_on;
    const char *cause = lab_first_todo_matches();
    text[0] = 0;
    if (cause)
        snprintf(text, size, "TODO %s: %s", lab_first_todo(), cause);
    else if (!*lab_first_todo() && (cause = best_cause(&most, &failed, &built_on)) &&
             strncmp(cause, "matches", 7) == 0 && most == failed)
        lab_cause_say(text, size);
    if (*text) snprintf(said, sizeof said, "%s", cause);
    return *text != 0;
}

int lab_cause_matches(char *text, size_t size) {
    char before[sizeof said];
    memcpy(before, said, sizeof said);
    const int matches = lab_cause_matched(text, size);
    memcpy(said, before, sizeof said);
    return matches;
}

static int mute_failures(void) {
    int n = 0;
    for (int i = 0; i < lab_seen.n; i++) n += lab_cause_counts(i) && lab_cause_is_mute(i);
    return n;
}

// How many elements one claim has is not said of all.
static const char *without_number(const char *cause) {
    const char *words = cause + strspn(cause, "0123456789");
    return words > cause && strncmp(words, " elements ", 10) == 0 ? words + 1 : cause;
}

// Of a function that many TODOs make, numbers do not tell what is wrong in the one that fails.
static int is_made_of_todos(void) {
    for (int i = 0; i < lab_seen.n; i++) {
        const lab_op *op = lab_seen.tried[i].c.op;
        if (lab_cause_counts(i) && op != &lab_split_heads && op != &lab_merge_heads) return 1;
    }
    return 0;
}

void lab_cause_say(char *text, size_t size) {
    int most, failed, built_on;
    text[0] = 0;
    if (lab_cause_known()) return;  // said once
    const char *cause = best_cause(&most, &failed, &built_on);
    if (cause && lab_cause_was_said(cause)) return;
    if (cause && strncmp(cause, "matches", 7) != 0) {  // what fits says more than a sign of many claims
        const char *fits = best_match(failed, &most);
        cause = fits ? fits : cause;
    }
    if (cause && lab_cause_names_nothing(cause)) cause = NULL;
    // What follows from it fits some claims by chance.
    if (*lab_first_todo() && (most < failed || is_made_of_todos())) cause = NULL;
    const int all = lab_cause_failures(), others = all - failed - built_on;  // of large scores, or NaN
    char rest[160] = "", count[80];
    snprintf(count, sizeof count, "all %d", all);
    if (others)
        snprintf(count, sizeof count, "%d of %d (the %s numbers do not tell)", all - others, all,
                 others > 1 ? "others'" : "other's");
    if (built_on) snprintf(rest, sizeof rest, " (%d of them about what may use %s)", built_on, part_that_fails());
    const int fits_all = cause && most == failed && (strncmp(cause, "matches", 7) == 0 || !mute_failures());
    if (fits_all && failed + built_on > 1)
        snprintf(text, size, "one cause would explain %s%s: %s", count, rest, without_number(cause));
    else if (cause && failed > 1 && 5 * most >= 4 * failed) {
        if (built_on) snprintf(rest, sizeof rest, " (%d more are about what may use %s)", built_on, part_that_fails());
        snprintf(text, size, "a guess, which explains %d of the %d%s: %s", most, all - built_on, rest,
                 without_number(cause));
    }
    if (cause) lab_agree_on_size(cause, text, size);
    if (*text)
        snprintf(said, sizeof said, "%s", cause);
    else if (built_on && !*lab_first_todo()) {
        const char *own = cause_of_part();
        if (!own && is_the_file()) return;
        const char *other = own ? NULL : other_part(part_that_fails());
        snprintf(text, size, "%s%s%s %s wrong: %s%smend %s first; %d claim%s about what may use %s fail%s, too",
                 part_that_fails(), other ? " and " : "", other ? other : "", other ? "are" : "is", own ? own : "",
                 own ? "; " : "", other ? "them" : "it", built_on, built_on > 1 ? "s" : "", other ? "them" : "it",
                 built_on > 1 ? "" : "s");
    }
}

// ---- Where it fails, and where it does not

// A launch that was refused says itself what is too large.
static int is_refused(const lab_tried *t) { return t->verdict == LAB_LAUNCH_FAILURE; }

// The function whose claims fail, and no other's do; NULL: there are several, or none, or it is known without.
static const lab_op *only_wrong(void) {
    const lab_op *op = NULL;
    for (int i = 0; i < lab_seen.n; i++) {
        if (!lab_cause_counts(i)) continue;
        if (is_refused(&lab_seen.tried[i]) || (op && op != lab_seen.tried[i].c.op)) return NULL;
        op = lab_seen.tried[i].c.op;
    }
    return op;
}

void lab_cause_where(char *text, size_t size) {
    // Of what many TODOs make, sizes do not tell which of its lines is wrong in the one that fails.
    const int is_narrower = *lab_first_todo() && is_made_of_todos();
    const lab_op *op = lab_cause_known() || is_narrower ? NULL : only_wrong();
    text[0] = 0;
    if (op) lab_where_it_fails(op, lab_seen.tried, lab_seen.n, text, size);
}
