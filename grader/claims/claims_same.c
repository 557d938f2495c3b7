// claims_same.c: twenty claims that fail for one reason are not twenty things to read, nor twenty that hold beside them.
#include "claims_same.h"

#include <stdio.h>
#include <string.h>

#include "claims_text.h"
#include "common_cause.h"

// Claims that have words of their own: where nothing says why, where a TODO fails, and where it is known why. Of those
// that say where it is wrong, and no more, two are enough.
enum { MOST_TOLD = 4, MOST_AFTER = 2, MOST_KNOWN = 1, ENOUGH = 2 };

static struct {
    int explained;  // a sentence above the table says why
    int certain;    // and it is no guess
    int told;       // claims that had words of their own
    int n, took, mixed;
    char todo[40];
    lab_case first;
    lab_result result;  // of the first
    int held;           // claims that hold
    double largest;     // max_err of them
    lab_case first_held;
    lab_result of_held;
} same;

static int begins(const char *text, const char *start) { return strncmp(text, start, strlen(start)) == 0; }

int lab_says_nothing_new(const lab_result *r) {
    if (lab_is_told(r)) return 1;
    const lab_verdict v = r->verdict;
    return (v == LAB_WRONG_ANSWER || v == LAB_NOT_FINITE) && r->compared &&
           (!*r->diagnosis || begins(r->diagnosis, "wrong: ") || begins(r->diagnosis, "after "));
}

void lab_same_note(const char *label, const char *note) {
    same.certain |= strcmp(label, "Why") == 0 || begins(note, "one cause would explain") || begins(note, "TODO ") ||
                    begins(note, "checked mode reports");
    same.explained |= same.certain || begins(note, "a guess, which explains");
}

int lab_same_is_explained(void) { return same.explained; }

int lab_same_is_certain(void) { return same.certain; }

int lab_same_takes(const lab_case *c, const lab_result *r, const char *todo, int wrongs) {
    const int most = same.certain ? (*todo ? 0 : MOST_KNOWN) : *todo ? MOST_AFTER : MOST_TOLD;
    const int enough = same.told >= most && r->verdict != LAB_PASSED;
    const int reported = *todo && lab_cause_known() && !r->compared && r->verdict != LAB_RACE;  // each race is told
    const int known = *todo || (same.told && same.explained);
    same.took = enough || reported || ((known || same.told >= ENOUGH) && lab_says_nothing_new(r));
    if (!same.took) {
        same.told += r->verdict != LAB_PASSED;
        return 0;
    }
    if (!same.n++) same.first = *c, same.result = *r, same.mixed = 0;
    same.mixed |= r->verdict != same.result.verdict;
    snprintf(same.todo, sizeof same.todo, "%s%s", todo, wrongs > 1 ? " and others" : "");
    return 1;
}

int lab_same_took(void) { return same.took; }

void lab_same_holds(const lab_case *c, const lab_result *r) {
    if (!same.held++) same.first_held = *c, same.of_held = *r, same.largest = 0;
    if (r->compared && r->cmp.max_err > same.largest) same.largest = r->cmp.max_err;
}

static void print_held(void) {
    const int n = same.held;
    same.held = 0;
    if (!n) return;
    printf("    ");
    if (n == 1) {
        lab_print_line(lab_verdict_name(LAB_PASSED), &same.first_held, &same.of_held);
        putchar('\n');
        return;
    }
    lab_print_word(lab_verdict_name(LAB_PASSED), 1);
    printf(" %d claims", n);
    if (same.largest > 0) printf(", max_err up to %.2g", same.largest);
    putchar('\n');
}

void lab_same_print(void) {
    const int n = same.n;
    same.n = 0;
    print_held();
    if (!n) return;
    const char *word = same.mixed ? "FAILED" : lab_verdict_name(same.result.verdict);
    printf("    ");
    if (n == 1) {
        lab_print_line(word, &same.first, &same.result);
        if (*same.todo)
            printf("%s  after TODO %s\n",
                   strlen(same.first.claim) + strlen(same.todo) < 46 ? "" : "\n                 ", same.todo);
        else if (same.certain && same.told)
            putchar('\n');
        else
            lab_print_diagnosis(&same.result);
    } else if (*same.todo)
        printf("%-14s %d claims, after TODO %s\n", word, n, same.todo);
    else
        printf("%-14s %d claims, the first: %s\n", word, n, same.first.claim);
}
