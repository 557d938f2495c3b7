// unit_say.c: the words in which a change is said: where a statement is to stand, and why it mends. grader/repair:
// whereto.c, reason.c, say.c, say_statement.c, say_two.c.
#include "edit.h"

#include <stdlib.h>
#include <unistd.h>

#include "rank.h"
#include "say_two.h"
#include "whereto.h"

static char path[] = "/tmp/lab-unit-say-XXXXXX";

static void a_place_is_named_by_what_stands_there(void **state) {
    (void)state;
    char words[200];
    write_file(path,
               "void f() {\n    while (n) {\n        if (t < n) {  // some\n            add();\n            wait();\n"
               "        }\n        n = n / 2;\n    }\n    { a(); }\n}\n");
    lab_edit e = replaced("before line 7", "", "wait();", "wait();");
    e.line = 5, lab_say_place(path, &e, words, sizeof words);
    assert_string_equal(words, "behind the closing brace of line 6, before line 7");
    assert_int_equal(lab_in_condition(path, &e), 3);
    strcpy(e.kind, "before line 4"), lab_say_place(path, &e, words, sizeof words);
    assert_string_equal(words, "before line 4 (add();)");
    assert_int_equal(lab_in_condition(path, &e), 0);
    e.line = 7, strcpy(e.kind, "before line 9"), lab_say_place(path, &e, words, sizeof words);
    assert_string_equal(words, "behind the closing brace of line 8, before line 9");
    assert_int_equal(lab_in_condition(path, &e), 0);  // it stands in a loop
    strcpy(e.kind, "behind line 8"), lab_say_place(path, &e, words, sizeof words);
    assert_string_equal(words, "behind line 8");
    lab_say_line(path, 4, words, sizeof words), assert_string_equal(words, "line 4 (add();)");
    lab_say_line(path, 6, words, sizeof words), assert_string_equal(words, "line 6");
    lab_say_line(path, 99, words, sizeof words), assert_string_equal(words, "line 99");
}

static void a_reason_is_given_where_the_text_proves_it(void **state) {
    (void)state;
    const struct {
        lab_edit e;
        const char *says;
    } rows[] = {
        {replaced("term", "w = expf(lse[i]);", "lse[i]", "lse[i] - top"), "exp overflows"},
        {replaced("term", "w = f(lse[i]);", "lse[i]", "lse[i] - top"), ""},
        {replaced("term", "w = expf(lse[i]);", "lse[i]", "lse[i] + top"), ""},
        {replaced("bytes", "memset(o, 0, D);", "D", "D * sizeof(float)"), "memset counts bytes"},
        {replaced("bytes", "my_memset(o, 0, D);", "D", "D * sizeof(float)"), ""},
        {replaced("assignment", "l = e;", "=", "+="), "what stood there before is lost"},
        {replaced("assignment", "l += e;", "+=", "="), "added to what stands there already"},
        {placed("operator", "for (int i = 0; i < n - 1; i++) x;", "<", "<="), "the loop ends one too early"},
        {placed("operator", "for (int i = 0; i <= n; i++) x;", "<=", "<"), "the loop goes one too far"},
        {placed("operator", "if (i < n) x;", "<", "<="), ""},
        {replaced("constant", "float m = 0.0f;", "0.0f", "-INFINITY"), "where all numbers are below 0"},
        {replaced("constant", "s[c] = 0.0f;", "0.0f", "-INFINITY"), ""},
        {replaced("rounded up", "n / 32", "n / 32", "(n + 31) / 32"), "rounded down"},
        {replaced("rounded up", "n / 32 + 1", "n / 32 + 1", "(n + 32 - 1) / 32"), "one too many where the quotient"},
        {replaced("rounded up", "(n + 31 - 1) / 31", "(n + 31 - 1) / 31", "(n + 31 + 31 - 1) / 31"), ""},
        {placed("constant", "for (e = 0; e < D / 32; e++) x;", "32", "32.0f"),
         "Adding 32 - 1 before the division rounds it up"},
        {placed("constant", "x = D + 32;", "32", "32.0f"), ""},
        {replaced("name", "x = a;", "a", "b"), ""},
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        char text[120];
        lab_say_reason(&rows[i].e, text, sizeof text);
        if (!*rows[i].says) assert_string_equal(text, "");
        assert_says(text, rows[i].says);
    }
}

static void a_number_that_becomes_0_is_left_out(void **state) {
    (void)state;
    static const struct {
        const char *whole, *was, *says;
    } rows[] = {
        {"c = f(W + 1, n);", "1", "Without + 1,"},        {"c = p * W + w - 1;", "1", "Without - 1,"},
        {"c = n + 1 * m;", "1", "With 0 in place of 1,"}, {"c = -1 + n;", "1", "With 0 in place of 1,"},
        {"c = n * 1;", "1", "With 0 in place of 1,"},
    };
    const lab_repair_ask ask = {.source = "/x/none.c"};
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        char text[600];
        lab_edit e = placed("constant", rows[i].whole, rows[i].was, "0");
        lab_say_edit(&ask, &e, text, sizeof text);
        assert_says(text, rows[i].says);
    }
}

static void long_calls_that_change_places_are_said_by_name(void **state) {
    (void)state;
    static const char append[] = "call->append(cache.K, cache.V, cache.lengths, work.K, work.V, cache.size, stream)";
    static const char decode[] = "call->decode(work.O, work.Q, cache.K, cache.V, cache.lengths, cache.size, stream)";
    const lab_repair_ask ask = {.source = "/x/none.c"};
    char text[900];
    lab_edit e = placed("exchanged", decode, "", "");
    char both[2][400];  // longer than there is room for
    snprintf(both[0], sizeof *both, "%s ... %s", decode, append);
    snprintf(both[1], sizeof *both, "%s ... %s", append, decode);
    memcpy(e.was, both[0], sizeof e.was - 1), memcpy(e.now, both[1], sizeof e.now - 1);
    strcpy(e.also, "9"), strcpy(e.whole, "status = call->decode(work.O, work.Q)");
    lab_say_edit(&ask, &e, text, sizeof text);
    assert_says(text, "With call->append(...) in place of call->decode(...) in line");
    assert_says(text, "and call->decode(...) in place of call->append(...) in line 9,");
}

static void a_slip_that_one_line_has_twice_is_said_once(void **state) {
    (void)state;
    char text[500];
    lab_edit e = replaced("both", "r = n / size, d = n % size;", "size ... size", "D ... D");
    strcpy(e.function, "load");
    assert_true(lab_say_two(&e, "line 3", text, sizeof text));
    assert_string_equal(text, "line 3, in load:\nr = n / size, d = n % size;\nWith D in place of size, both times,");
    strcpy(e.also, "4");
    assert_true(lab_say_two(&e, "lines 3 and 4", text, sizeof text));
    assert_says(text, "With D in place of size in line 3, and D in place of size in line 4,");
}

static void two_statements_are_said_to_stand_in_the_wrong_order(void **state) {
    (void)state;
    char text[500];
    lab_edit e = replaced("exchanged", "grow(lengths);", "grow(lengths) ... store(k, lengths)",
                          "store(k, lengths) ... grow(lengths)");
    e.line = 4, strcpy(e.also, "5"), strcpy(e.function, "append");
    assert_true(lab_say_two(&e, "lines 4 and 5", text, sizeof text));
    assert_string_equal(text,
                        "lines 4 and 5, in append, stand in the wrong order:\ngrow(lengths);\nand\nstore(k, lengths);\n"
                        "With line 5 first,");
    strcpy(e.whole, "x = grow(lengths);");
    assert_true(lab_say_two(&e, "lines 4 and 5", text, sizeof text));
    assert_null(strstr(text, "wrong order"));
    // The second one is so long that what follows it is cut off.
    char store[2 * LAB_FRAGMENT];
    memset(store, 'k', sizeof store - 1), store[sizeof store - 1] = 0;
    strcpy(e.whole, "grow(lengths);");
    snprintf(e.was, sizeof e.was, "grow(lengths) ... %.*s", LAB_FRAGMENT - 20, store);
    snprintf(e.now, sizeof e.now, "%.*s", LAB_FRAGMENT - 1, store);
    assert_true(lab_say_two(&e, "lines 4 and 5", text, sizeof text));
    assert_says(text, "lines 4 and 5, in append, stand in the wrong order:\ngrow(lengths);\nWith line 5 first,");
}

static void an_if_around_a_barrier_and_a_loop_around_a_statement_are_said(void **state) {
    (void)state;
    char text[700];
    write_file(
        path,
        "void f() {\n    if (n > 0) {\n        add();\n        __syncthreads();\n    }\n    if (m) {\n        add();\n"
        "    }\n    __syncthreads();\n}\n");
    const lab_repair_ask ask = {.source = path};
    lab_edit e = placed("always", "if (n > 0) {", "n > 0", "true");
    e.line = 2, strcpy(e.function, "f"), lab_say_edit(&ask, &e, text, sizeof text);
    assert_says(text, "The barrier of line 4 stands within it");
    e.line = 6, lab_say_edit(&ask, &e, text, sizeof text);
    assert_null(strstr(text, "barrier"));
    e = placed("never", "if (n > 0) {", "n > 0", "0"), e.line = 2, strcpy(e.function, "f");
    lab_say_edit(&ask, &e, text, sizeof text);
    assert_says(text, "With what its else does in all cases,");
    e = replaced("around", "if (d < D) o[d] = x[d];", "if (d < D) o[d] = x[d];",
                 "for (int i = d; i < D; i += 32) o[i] = x[i];");
    lab_say_edit(&ask, &e, text, sizeof text);
    assert_says(text, "With `for (int i = d; i < D; i += 32)` in place of its if, and i in place of d in it,");
    e = replaced("before rest", "for (; j + 4 <= n; j += 4) {", "for (; j + 4 <= n; j += 4) { s[j] = 0; }", "");
    lab_say_edit(&ask, &e, text, sizeof text);
    assert_says(text, "something in this loop is wrong:");
    assert_null(strstr(text, "Without for"));
}

static void what_a_missing_barrier_keeps_apart_is_said(void **state) {
    (void)state;
    static const struct {
        const char *before, *behind, *says;
    } rows[] = {
        {"m = red[0];", "red[w] = l;", "line 5 (int k = 0;): line 4 reads red, and line 6 stores to it. With"},
        {"red[w] = m;", "m = red[k] == l;", "line 5 (int k = 0;): line 4 stores to red, and line 6 reads it. With"},
        {"m = all(m, red);", "l = all(l, red);", "line 4 hands red over, and so does line 6. With"},
        {"m = red[0], a = ids[0];", "red[w] = l, ids[w] = a;", "line 5 (int k = 0;). With"},  // which one is it?
        {"top = red[0];", "l = top;", "line 4 stores to top, and line 6 reads it. With"},
        {"top = red[0];", "red[w] = l, m = top;", "line 5 (int k = 0;). With"},
        {"m = all(m, red);", "red[w] = l;", "line 5 (int k = 0;). With"},
        {"float *x = ids; __syncthreads(); m = red[0];", "red[w] = l;",
         "line 5 (int k = 0;). With"},  // what is x[...]?
        {"m = red[0];", "l = red[1];", "line 5 (int k = 0;). With"},
        {"m = red[0];", "__syncthreads(); red[w] = l;", "line 5 (int k = 0;). With"},
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        char text[700], file[400];
        snprintf(file, sizeof file,
                 "__global__ void f(int w) {\n    __shared__ float red[4], top, ids[N / 4];\n    red[w] = 0, "
                 "__syncthreads();\n    %s\n    int k = 0;\n    %s\n}\n",
                 rows[i].before, rows[i].behind);
        write_file(path, file);
        const lab_repair_ask ask = {.source = path};
        lab_edit e = replaced("barrier", "", "", "__syncthreads();");
        e.line = 5, lab_say_edit(&ask, &e, text, sizeof text);
        assert_says(text, rows[i].says);
    }
}

static void what_begins_again_and_a_score_without_a_key_are_said(void **state) {
    (void)state;
    char text[700];
    const lab_repair_ask ask = {.source = path};
    lab_edit e = replaced("first round", "begin(&w[r], dim);", "begin(&w[r], dim)", "if (from == 0) begin(&w[r], dim)");
    lab_say_edit(&ask, &e, text, sizeof text);
    assert_says(text, "It belongs before that loop. Done where from == 0 alone,");
    e = replaced("no key", "for (;;) s += x;", "for (;;) s += x;", "if (tid < n) for (;;) s += x; else s = -INFINITY;");
    lab_say_edit(&ask, &e, text, sizeof text);
    assert_says(text, "With `if (tid < n)` before it and `else s = -INFINITY;` behind it,");
    e = replaced("own maximum", "m = max_of(m);", "m = max_of(m);",
                 "const float own = m; m = max_of(m); if (own < m) l *= expf(own - m);");
    lab_say_edit(&ask, &e, text, sizeof text);
    assert_says(text, "makes m the maximum of all, and l still counts from that of its own:");
    assert_says(text, "With `const float own = m;` before it and `if (own < m) l *= expf(own - m);` behind it,");
}

int main(void) {
    const int f = mkstemp(path);
    if (f >= 0) close(f);
    const struct CMUnitTest claims[] = {
        CLAIM(a_place_is_named_by_what_stands_there),
        CLAIM(a_reason_is_given_where_the_text_proves_it),
        CLAIM(a_number_that_becomes_0_is_left_out),
        CLAIM(long_calls_that_change_places_are_said_by_name),
        CLAIM(a_slip_that_one_line_has_twice_is_said_once),
        CLAIM(two_statements_are_said_to_stand_in_the_wrong_order),
        CLAIM(an_if_around_a_barrier_and_a_loop_around_a_statement_are_said),
        CLAIM(what_a_missing_barrier_keeps_apart_is_said),
        CLAIM(what_begins_again_and_a_score_without_a_key_are_said),
    };
    const int failed = cmocka_run_group_tests_name("say", claims, NULL, NULL);
    unlink(path);
    return failed;
}
