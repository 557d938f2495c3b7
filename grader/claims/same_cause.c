// same_cause.c: explanations that differ in their numbers alone are the same.
#include <ctype.h>
#include <stdlib.h>
#include <string.h>

#include "common_cause.h"
#include "heuristics.h"
#include "wrong_rows.h"

static int is_number(char c) { return isdigit((unsigned char)c) || c == '.'; }

// The same words, whatever their numbers, up to what stands in brackets at the end.
int lab_same_cause(const char *a, const char *b) {
    if (strstr(a, LAB_HOWEVER_MANY)) return !strcmp(a, b);  // another number each time is another law
    while (*a && *b) {
        if (strncmp(a, " (", 2) == 0 || strncmp(b, " (", 2) == 0) break;
        if (is_number(*a) && is_number(*b)) {
            while (is_number(*a)) a++;
            while (is_number(*b)) b++;
        } else if (*a++ != *b++)
            return 0;
    }
    return (!*a || strncmp(a, " (", 2) == 0) && (!*b || strncmp(b, " (", 2) == 0);
}

int lab_is_smaller_tile(const char *a, const char *b) {
    static const char tiles[] = "(tiles of ";
    const char *x = strstr(a, tiles), *y = strstr(b, tiles);
    return x && y && lab_same_cause(a, b) && atoi(x + sizeof tiles - 1) < atoi(y + sizeof tiles - 1);
}

int lab_says_more(const char *a, const char *b) {
    if (strstr(b, LAB_SEVERAL_WALKS) && !strstr(a, LAB_SEVERAL_WALKS) && lab_same_cause(a, b)) return 1;
    if (strstr(a, LAB_NOT_IN_RIGHT_ROWS) && !strstr(b, LAB_NOT_IN_RIGHT_ROWS) && lab_same_cause(a, b)) return 1;
    if (!lab_same_cause(a, b) || !strstr(a, " (") || strstr(b, " (")) return 0;
    return strncmp(a, LAB_LEFT_ROWS, sizeof LAB_LEFT_ROWS - 1) == 0 ||
           strncmp(a, LAB_NO_KEYS_UNWRITTEN, sizeof LAB_NO_KEYS_UNWRITTEN - 1) == 0;  // in which split
}
