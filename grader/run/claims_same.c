// claims_same.c: twenty claims that fail for one reason are not twenty things to read, nor twenty that hold beside them.
#include "claims_same.h"

#include <stdio.h>
#include <string.h>

#include "claims_text.h"

enum { MOST_TOLD = 7, MOST_AFTER = 4 };  // claims that have words of their own; where a TODO fails

static struct {
    int explained;  // a sentence above the table says why
    int told;       // claims that had words of their own
    int n, took, mixed;
    char todo[24];
    lab_case first;
    lab_result result;  // of the first
    int held;           // claims that hold, in a run where another fails
    lab_case first_held;
    lab_result of_held;
} same;

static int begins(const char *text, const char *start) { return strncmp(text, start, strlen(start)) == 0; }

int lab_says_nothing_new(const lab_result *r) {
    if (r->verdict == LAB_ILLEGAL_ACCESS) return lab_report_is_told(r);
    const lab_verdict v = r->verdict;
    return (v == LAB_WRONG_ANSWER || v == LAB_NOT_FINITE) && r->compared &&
           (!*r->diagnosis || begins(r->diagnosis, "wrong: ") || begins(r->diagnosis, "after "));
}

void lab_same_note(const char *label, const char *note) {
    same.explained |= strcmp(label, "Why") == 0 || begins(note, "one cause explains") || begins(note, "TODO ") ||
                      begins(note, "checked mode reports") || begins(note, "a guess, which explains");
}

int lab_same_is_explained(void) { return same.explained; }

int lab_same_takes(const lab_case *c, const lab_result *r, const char *todo) {
    const int enough = same.told >= (*todo ? MOST_AFTER : MOST_TOLD) && r->verdict != LAB_PASSED;
    same.took = enough || ((same.explained || *todo) && lab_says_nothing_new(r));
    if (!same.took) {
        same.told += r->verdict != LAB_PASSED;
        return 0;
    }
    if (!same.n++) same.first = *c, same.result = *r, same.mixed = 0;
    same.mixed |= r->verdict != same.result.verdict;
    snprintf(same.todo, sizeof same.todo, "%s", todo);
    return 1;
}

int lab_same_took(void) { return same.took; }

void lab_same_holds(const lab_case *c, const lab_result *r) {
    if (!same.held++) same.first_held = *c, same.of_held = *r;
}

static void print_held(void) {
    const int n = same.held;
    same.held = 0;
    if (!n) return;
    printf("    ");
    if (n == 1) {
        lab_print_line(lab_verdict_name(LAB_PASSED), &same.first_held, &same.of_held);
        putchar('\n');
    } else
        printf("%-14s %d claims\n", lab_verdict_name(LAB_PASSED), n);
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
        lab_print_diagnosis(&same.result);
    } else if (*same.todo)
        printf("%-14s %d claims, after TODO %s\n", word, n, same.todo);
    else
        printf("%-14s %d claims, the first: %s\n", word, n, same.first.claim);
}
