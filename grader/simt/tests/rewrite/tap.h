// tap.h: a test program prints `ok N - claim` or `not ok N - claim`, and exits 1 after any of the latter.
#ifndef TAP_H
#define TAP_H

#include <stdio.h>

static int tap_tests, tap_failures;

static inline void ok(bool holds, const char *claim) {
    printf("%sok %d - %s\n", holds ? "" : "not ", ++tap_tests, claim);
    tap_failures += !holds;
}

#endif
