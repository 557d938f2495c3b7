// made_of_words.c: elements of a tensor as a range, in steps, or the first few of them.
#include "made_of_words.h"

#include <stdio.h>
#include <string.h>

enum { SHOWN = 3 };

// Those that `of` has and `but` has not.
static size_t members_of(const char *of, const char *but, size_t n, size_t *at) {
    size_t found = 0;
    for (size_t i = 0; i < n; i++)
        if (of[i] && !but[i]) at[found++] = i;
    return found;
}

// How many of them, from here on, are each `step` behind the one before.
static size_t even(const size_t *at, size_t n, size_t step) {
    size_t k = 1;
    while (k < n && at[k] - at[k - 1] == step) k++;
    return k;
}

// "0 .. 6, 9, 14": three of these.
static void list_runs(const size_t *at, size_t n, char *text, size_t size) {
    size_t used = 0, runs = 0;
    for (size_t k = 0; k < n && runs < SHOWN; runs++) {
        const size_t run = even(at + k, n - k, 1), shown = run > 2 ? run : 1;
        used += (size_t)snprintf(text + used, size - used, "%s%zu", runs ? ", " : "", at[k]);
        if (shown > 1) used += (size_t)snprintf(text + used, size - used, " .. %zu", at[k + shown - 1]);
        k += shown;
        if (k < n && runs == SHOWN - 1) snprintf(text + used, size - used, ", ...");
    }
}

static void list(const char *tensor, const char *of, const char *but, size_t n, int cut, char *text, size_t size) {
    size_t at[n];
    char numbers[100];
    const size_t found = members_of(of, but, n, at), used = strlen(text);
    if (!found) return;
    if (cut)
        snprintf(numbers, sizeof numbers, "%zu, ...", at[0]);
    else if (found > SHOWN && at[1] - at[0] > 1 && even(at, found, at[1] - at[0]) == found)
        snprintf(numbers, sizeof numbers, "%zu, %zu, ..., %zu", at[0], at[1], at[found - 1]);
    else
        list_runs(at, found, numbers, sizeof numbers);
    snprintf(text + used, size - used, "%s%s[%s]", used ? ", " : "", tensor, numbers);
}

void lab_made_of_add(lab_made_of_words *w, const char *tensor, const char *is, const char *must, size_t n, int cut) {
    list(tensor, is, must, n, cut, w->more, sizeof w->more);
    list(tensor, must, is, n, cut, w->less, sizeof w->less);
}

int lab_made_of_say(const lab_made_of_words *w, char *text, size_t size) {
    if (*w->more && *w->less)
        snprintf(text, size, "has %s in it, which it must not, and lacks %s", w->more, w->less);
    else if (*w->more)
        snprintf(text, size, "has %s in it, which it must not", w->more);
    else if (*w->less)
        snprintf(text, size, "lacks %s", w->less);
    return *w->more || *w->less;
}
