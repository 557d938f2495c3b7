// common_cause.c: explanations that differ in their numbers alone are the same.
#include "common_cause.h"

#include <ctype.h>
#include <stdio.h>
#include <string.h>

enum { MOST_CAUSES = 32 };

static struct {
    char text[MOST_CAUSES][400];  // as it was said first
    int said[MOST_CAUSES];
    int n, failed;
} seen;

static int is_number(char c) { return isdigit((unsigned char)c) || c == '.'; }

// The same words, whatever their numbers.
static int same(const char *a, const char *b) {
    while (*a && *b) {
        if (is_number(*a) && is_number(*b)) {
            while (is_number(*a)) a++;
            while (is_number(*b)) b++;
        } else if (*a++ != *b++)
            return 0;
    }
    return *a == *b;
}

void lab_cause_add(const lab_result *r) {
    const char *end = strstr(r->diagnosis, "; wrong: ");
    char text[sizeof seen.text[0]];
    seen.failed++;
    if (!end) return;
    snprintf(text, sizeof text, "%.*s", (int)(end - r->diagnosis), r->diagnosis);
    int i = 0;
    while (i < seen.n && !same(seen.text[i], text)) i++;
    if (i == MOST_CAUSES) return;
    if (i == seen.n) memcpy(seen.text[seen.n++], text, sizeof text);
    seen.said[i]++;
}

void lab_cause_say(char *text, size_t size) {
    int most = 0;
    for (int i = 1; i < seen.n; i++) most = seen.said[i] > seen.said[most] ? i : most;
    text[0] = 0;
    if (seen.failed < 2 || !seen.n || 2 * seen.said[most] <= seen.failed) return;
    if (seen.said[most] == seen.failed)
        snprintf(text, size, "one cause explains all %d: %s", seen.failed, seen.text[most]);
    else
        snprintf(text, size, "a guess, which explains %d of the %d: %s", seen.said[most], seen.failed, seen.text[most]);
}
