// hint_text.h: a kernel's text with a few lines of its own, and what a hint of grader/run says of it.
#ifndef LAB_TESTS_HINT_TEXT_H
#define LAB_TESTS_HINT_TEXT_H

#include "unit.h"

#include <stdio.h>
#include <string.h>

#include "source_hints.h"

typedef int hint(const char *text, int from, int to, char *sentence, size_t size);

// The lines begin in line 4. says: a part of the sentence, of that level; NULL: there is none.
static inline void expect_of(hint *of, lab_hint level, const char *body, const char *says) {
    static const char head[] =
        "static __global__ void f(float *o, const float *s, const float *v, int n, float e, float fix) {\n"
        "    const int t = threadIdx.x;\n    float l = 0, m = s[0];\n";
    char text[1000], said[500] = "";
    snprintf(text, sizeof text, "%s    %s\n}\n", head, body);
    const int found = of(text, 1, 99, said, sizeof said);
    if (found != (says ? (int)level : LAB_HINT_NONE)) fail_msg("%s: %s", body, found ? said : "nothing");
    if (found) assert_says(said, says);
}

static inline void expect(hint *of, const char *body, const char *says) { expect_of(of, LAB_HINT_CAUSE, body, says); }

#endif
