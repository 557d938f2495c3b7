// shown.h: what a page of claims prints, caught for a test.
#ifndef LAB_TESTS_SHOWN_H
#define LAB_TESTS_SHOWN_H

#include <stdio.h>
#include <sys/wait.h>
#include <unistd.h>

#include "claims.h"

static lab_case claim_of(const char *name, const char *todo) {
    return (lab_case){.task = "task4", .claim = name, .criterion = "tiles", .todo = todo, .op = &lab_flash};
}

static lab_result result_of(lab_verdict verdict, const char *diagnosis) {
    lab_result r = {.verdict = verdict, .compared = verdict == LAB_WRONG_ANSWER || verdict == LAB_PASSED};
    snprintf(r.diagnosis, sizeof r.diagnosis, "%s", diagnosis);
    return r;
}

// What a page has shown stays for the life of a program: each page has its own. Returns what it prints.
static const char *page(void (*print)(void)) {
    static char text[4000];
    int ends[2];
    if (pipe(ends)) fail();
    fflush(stdout);
    const pid_t child = fork();
    if (!child) {
        dup2(ends[1], STDOUT_FILENO);
        print();
        fflush(stdout);
        _exit(0);
    }
    close(ends[1]);
    size_t used = 0;
    for (ssize_t n; used + 1 < sizeof text && (n = read(ends[0], text + used, sizeof text - 1 - used)) > 0;)
        used += (size_t)n;
    text[used] = 0;
    close(ends[0]);
    waitpid(child, NULL, 0);
    return text;
}

static void shows(const char *name, const char *todo, lab_verdict verdict, const char *diagnosis) {
    const lab_case c = claim_of(name, todo);
    const lab_result r = result_of(verdict, diagnosis);
    lab_show_claim(&c, &r);
}

#endif
