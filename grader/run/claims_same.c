// claims_same.c: twenty claims that fail for one reason are not twenty things to read.
#include "claims_same.h"

#include <stdio.h>
#include <string.h>

#include "claims_text.h"

static struct {
    int explained;  // a sentence above the table says why
    int n, took, mixed;
    char todo[24];
    lab_case first;
    lab_result result;  // of the first
} same;

static int begins(const char *text, const char *start) { return strncmp(text, start, strlen(start)) == 0; }

int lab_says_nothing_new(const lab_result *r) {
    if (r->verdict == LAB_ILLEGAL_ACCESS) return lab_report_is_told(r);
    const lab_verdict v = r->verdict;
    return (v == LAB_WRONG_ANSWER || v == LAB_NOT_FINITE) && r->compared &&
           (!*r->diagnosis || begins(r->diagnosis, "wrong: ") || begins(r->diagnosis, "after "));
}

void lab_same_note(const char *label, const char *note) {
    same.explained |= strcmp(label, "Why") == 0 || begins(note, "one cause explains");
}

int lab_same_takes(const lab_case *c, const lab_result *r, const char *todo) {
    same.took = (same.explained || *todo) && lab_says_nothing_new(r);
    if (!same.took) return 0;
    if (!same.n++) same.first = *c, same.result = *r, same.mixed = 0;
    same.mixed |= r->verdict != same.result.verdict;
    snprintf(same.todo, sizeof same.todo, "%s", todo);
    return 1;
}

int lab_same_took(void) { return same.took; }

void lab_same_print(void) {
    const int n = same.n;
    same.n = 0;
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
