// unit_source_statuses.c: the status of a call that nobody reads: source_statuses.c of grader/run.
#include "unit.h"

#include <stdio.h>
#include <string.h>

#include "source_hints.h"

#define FILE_OF(body)                                                                                                  \
    "static attn_status may(int n) {\n    return n ? ATTN_OK : refused(n);\n}\n"                                       \
    "static attn_status cannot(int n) {\n    return n > 8 ? ATTN_BAD_SHAPE : ATTN_OK;\n}\n"                            \
    "attn_status all(int n) {\n    attn_status st = ATTN_OK;\n    " body "\n    return st;\n}\n"

static void a_status_that_nobody_reads_is_named(void **state) {
    (void)state;
    static const struct {
        const char *text, *says;
    } rows[] = {
        {FILE_OF("st = may(n);\n    k<<<1, 2>>>(n);\n    st = launched();"),
         "line 9: the status of may is overwritten in line 11"},
        {FILE_OF("st = may(n);\n    if (n) {\n        f();\n    }\n    st = may(2);"), "overwritten in line 13"},
        {FILE_OF("if (st == ATTN_OK) st = may(1);\n    st = may(2);"), "overwritten in line 10"},
        {FILE_OF("attn_status own = n ? ATTN_OK : ATTN_NO_MEMORY;\n    own = may(1);"),
         "line 9: the status is overwritten"},
        {FILE_OF("for (int i = 0; i < n; i++) st = may(i);"), "overwritten in the next round"},
        {FILE_OF("for (int i = 0; i < n; i++) {\n        f(i);\n        st = may(i);\n    }"),
         "line 11: the status of may"},
        {FILE_OF("for (int i = 0; i < n; i++) may(i);"), "line 9: the status that may returns is thrown away"},
        {FILE_OF("may(n);\n    st = may(n);"), "thrown away"},
        {FILE_OF("st = may(n);\n    if (st == ATTN_OK) st = may(2);"), NULL},
        {FILE_OF("st = may(n);\n    st = st ? st : may(2);"), NULL},
        {FILE_OF("if (n)\n        st = may(1);\n    else\n        st = may(2);"), NULL},
        {FILE_OF("if (n) {\n        st = may(1);\n    } else {\n        st = may(2);\n    }"), NULL},
        {FILE_OF("st = may(n);\n    ask(&st);\n    st = may(2);"), NULL},
        {FILE_OF("for (int i = 0; i < n && st == ATTN_OK; i++) st = may(i);"), NULL},
        {FILE_OF("for (int i = 0; i < n; i++) {\n        if (st != ATTN_OK) continue;\n        st = may(i);\n    }"),
         NULL},
        {FILE_OF("while (n) {\n        st = may(n);\n        break;\n    }"), NULL},
        {FILE_OF("st = n ? ATTN_OK : ATTN_NO_MEMORY;\n    if (n > 3) st = ATTN_NO_MEMORY;"), NULL},
        {FILE_OF("st = cudaGetLastError();\n    k<<<1, 2>>>(n);\n    st = launched();"), NULL},
        {FILE_OF("n = may(n);\n    n = may(2);"), NULL},  // no status
        {FILE_OF("(void)may(n);\n    cannot(n);\n    other(n);"), NULL},
        {"attn_status g(int n) {\n    return ATTN_OK;\n}\nattn_status f(int n) {\n    return g(n);\n}\n"
         "attn_status h(int n) {\n    f(n);\n    return ATTN_OK;\n}\n",
         NULL},
        {"void f(int n) {\n    may(n);\n}\n", NULL},
        {"attn_status f(void) {\n    attn_status st = may(", NULL},
        {"attn_status f(void) {\n    may(", NULL},
        {"st = may(n);", NULL},
        {") = f();", NULL},
        {"may();", NULL},
        {"(", NULL},
        {"", NULL},
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        char said[400] = "";
        const int found = lab_hint_of_statuses(rows[i].text, said, sizeof said);
        if (found != !!rows[i].says) fail_msg("%zu: %s", i, said);
        if (found) assert_says(said, rows[i].says);
    }
}

int main(void) {
    const struct CMUnitTest claims[] = {CLAIM(a_status_that_nobody_reads_is_named)};
    return cmocka_run_group_tests_name("source_statuses", claims, NULL, NULL);
}
