// cause_size.c: " (tiles of 32 keys)" or the like, at the end of a cause. The size that is said is that of all claims, or
// none is.
#include <stdio.h>
#include <string.h>

#include "common_cause.h"

static const char *size_of(const char *cause) {
    static const char *const words[] = {"tiles of ", " pieces)", "pieces of ", " parts)"};
    const char *at = strrchr(cause, '(');
    for (size_t i = 0; i < sizeof words / sizeof *words && at > cause; i++)
        if (strstr(at, words[i]) && at[strlen(at) - 1] == ')') return at - 1;
    return "";
}

static int has_another(const char *a, const char *b) {
    const char *size = size_of(a), *other = size_of(b);
    return lab_same_cause(a, b) && *size && *other && strcmp(size, other) != 0;
}

// Does claim i fit it with another size alone?
static int differs(const char *cause, int i) {
    const lab_guesses *fits = lab_cause_fits(i);
    int others = 0;
    for (int k = 0; fits && k < fits->n; k++) {
        if (strcmp(fits->text[k], cause) == 0) return 0;
        others |= has_another(fits->text[k], cause);
    }
    return others;
}

static int is_of_all(const char *cause) {
    for (int i = 0; lab_cause_tried(i); i++)
        if (differs(cause, i)) return 0;
    return 1;
}

void lab_agree_on_size(const char *cause, char *text, size_t size) {
    const char *of_all = "";
    for (int i = 0; lab_cause_tried(i) && !*of_all; i++) {
        const lab_guesses *fits = lab_cause_fits(i);
        for (int k = 0; fits && k < fits->n && !*of_all; k++)
            if (lab_same_cause(fits->text[k], cause) && is_of_all(fits->text[k])) of_all = size_of(fits->text[k]);
    }
    const size_t used = strlen(text) - strlen(size_of(text));
    if (used < strlen(text)) snprintf(text + used, size - used, "%s", of_all);
}
