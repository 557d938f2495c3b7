// unit_rank.c: of two changes that mend the likelier one, where a statement is to stand, why a change mends, and what a
// compiler's message drops: rank.c, whereto.c, reason.c and dropped.c of grader/repair.
#include "unit.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "whereto.h"
#include "rank.h"
#include "search.h"
#include "untried.h"

static lab_edit replaced(const char *kind, const char *whole, const char *was, const char *now) {
    lab_edit e = {.rank = 20, .line = 3};
    snprintf(e.kind, sizeof e.kind, "%s", kind), snprintf(e.whole, sizeof e.whole, "%s", whole);
    snprintf(e.was, sizeof e.was, "%s", was), snprintf(e.now, sizeof e.now, "%s", now);
    return e;
}

static lab_edit placed(const char *kind, const char *whole, const char *was, const char *now) {
    lab_edit e = replaced(kind, whole, was, now);
    e.column = (int)(strstr(whole, was) - whole) + 1;
    return e;
}

// ---- rank.c

static void before(lab_edit first, lab_edit second) {
    if (lab_edit_rank(&first, "1.2") >= lab_edit_rank(&second, "1.2"))
        fail_msg("%s > %s: %d, not before %s > %s: %d", first.was, first.now, lab_edit_rank(&first, "1.2"), second.was,
                 second.now, lab_edit_rank(&second, "1.2"));
}

static void the_likelier_change_comes_first(void **state) {
    (void)state;
    const lab_edit plain = replaced("operator", "x = a - b;", "a", "b");
    lab_edit other = plain;
    before(plain, replaced("comparison", "c < n", "<", "<="));  // a loop that runs one further
    before(plain, replaced("one off", "c < n", "n", "n + 1"));  // and so does this
    before(replaced("comparison", "if (n > most) return;", ">", ">="),
           replaced("one off", "if (n > most) return;", "most", "most - 1"));
    before(plain, replaced("constant", "x = a - b;", "b", "0"));  // x - 0 is x
    lab_edit factor = replaced("constant", "x = a * 2;", "2", "1"),
             summand = replaced("constant", "x = a + 2;", "2", "1");
    factor.column = summand.column = 9, before(summand, factor);  // x * 1 is x
    before(replaced("operator", "for (; a && b;)", "!=", "=="), replaced("operator", "for (; a && b;)", "&&", "||"));
    before(plain, replaced("name", "x = a - b;", "a", "a_longer"));  // what writes less
    before(replaced("rounded up", "n / 32", "n / 32", "(n + 31) / 32"), replaced("operator", "n / 32", "n", "n + 31 "));
    before(plain, replaced("index", "l = 0.0f;", "l", "o"));  // that it is set to 0 there is the mistake
    before(replaced("axis", "Bs[ty][tx] = load(tx, ty);", "tx", "ty"),
           replaced("exchanged", "Bs[ty][tx] = load(tx, ty);", "ty][tx", "tx][ty"));
    lab_edit bound = placed("name", "for (int i = t; i < BM * BK; i += NT) {", "BK", "BM"),
             divisor = placed("habit", "const int r = i / BM, l = i % BK;", "i / BM", "i / BK");
    bound.rank = 1, divisor.rank = 8, before(divisor, bound);  // what is loaded twice passes
    before(replaced("left out", "if (a && b && c)", "a && b", "b"),
           replaced("left out", "if (a && b && c)", "&&", "||"));
    lab_edit constants = replaced("habit", "for (int h = t / 32; h < n; h += 32)", "32", "16"), names = constants;
    strcpy(constants.also, "7"), strcpy(names.also, "7"), strcpy(names.was, "NT"), before(names, constants);
    constants = names, constants.each = 2, before(names, constants);                // some of those in both
    lab_edit nested = placed("call", "x = 1.0f / row_max(l);", "l", "row_sum(l)"),  // a sum of a maximum is none
        another = placed("function", "x = 1.0f / row_max(l);", "row_max", "row_sum"),
             around = placed("call", "x = 1.0f / row_max(l);", "row_max(l)", "row_sum(row_max(l))");
    nested.rank = around.rank = 12, another.rank = 26, before(another, nested), before(another, around);
    nested = placed("call", "x = 1.0f / l;", "l", "row_sum(l)"), nested.rank = 12, before(nested, another);
    other.shared = 1, before(plain, other);
    other = plain, strcpy(other.also, "7"), before(plain, other);
    other = plain, strcpy(other.todo, "1.3");
    lab_edit own = plain;
    strcpy(own.todo, "1.2"), before(own, other);
    other = replaced("barrier", "", "", "__syncthreads();");
    lab_edit behind = other;
    strcpy(other.end_of, "the loop of line 2"), before(behind, other);
}

static void another_tile_and_a_right_helper_turned_round_hide_mistakes(void **state) {
    (void)state;
    lab_edit e = replaced("exchanged", "static int imin(int a, int b) { return a < b ? a : b; }", "a : b", "b : a");
    strcpy(e.function, "imin"), e.shared = 1;
    assert_true(lab_hides(&e));
    strcpy(e.function, "imax"), assert_false(lab_hides(&e));  // it is wrong as it is
    e = replaced("operator", "static int most(int x, int y) { return x > y ? x : y; }", ">", "<");
    strcpy(e.function, "upper_max"), e.shared = 1;
    assert_true(lab_hides(&e));
    e = replaced("left out", "const int Bc = min(t.Bc ? t.Bc : 64, Sk);", "min(t.Bc ? t.Bc : 64, Sk)", "Sk");
    assert_false(lab_hides(&e));
    e.shared = 1, assert_true(lab_hides(&e));
    e = replaced("rounded up", "const int tiles = Sk / Bc;", "Sk / Bc", "(Sk + Bc - 1) / Bc");
    e.shared = 1, assert_false(lab_hides(&e));
}

static void what_only_hides_a_mistake_is_known(void **state) {
    (void)state;
    const struct {
        int (*is)(const lab_edit *e);
        lab_edit yes, no;
    } rows[] = {
        {lab_only_goes_on, replaced("call", "nk = min(a, b);", "min", "max"),
         replaced("call", "max(a, b)", "max", "min")},
        {lab_only_goes_on, replaced("left out", "nk = min(a, b);", "min(a, b)", "a"),
         replaced("left out", "nk = a + b;", "a + b", "a")},
        {lab_only_goes_on, replaced("", "", "if (j > last) break;", ""), replaced("", "", "if (j > last) s = 0;", "")},
        {lab_spoils_sum, replaced("assignment", "l += e;", "+=", "*="), replaced("assignment", "l += e;", "+=", "=")},
        {lab_spoils_sum, replaced("assignment", "l *= e;", "*=", "+="), replaced("assignment", "l *= e;", "*=", "/=")},
        {lab_spoils_sum, replaced("before line 2", "", "l += e;", "l += e;"),
         replaced("before line 9", "", "l += e;", "l += e;")},
        {lab_reads_columns, replaced("exchanged", "Bs[ty][tx] = x;", "ty][tx", "tx][ty"),
         replaced("exchanged", "Bs[tx][ty] = x;", "tx][ty", "ty][tx")},
        {lab_reads_columns, replaced("exchanged", "Bs[ty][tx] = x;", "ty][tx", "tx][ty"),
         replaced("exchanged", "sum += Bs[ty][tx];", "ty][tx", "tx][ty")},
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
        if (!rows[i].is(&rows[i].yes) || rows[i].is(&rows[i].no)) fail_msg("row %zu", i);
    lab_edit fewer = replaced("left out", "f<<<B * H, 32>>>(x);", "B * H", "B"), threads = fewer;
    strcpy(threads.whole, "f<<<B, 32 * H>>>(x);"), strcpy(threads.was, "32 * H"), strcpy(threads.now, "32");
    fewer.column = 1 + 5, threads.column = 1 + 8;
    assert_int_equal(lab_starts_fewer(&fewer), 0), assert_int_equal(lab_starts_fewer(&threads), 1);
    const lab_edit goes = replaced("", "", "if (a == b) continue;", ""),
                   turned = replaced("comparison", "", "==", "!=");
    lab_edit elsewhere = turned;
    elsewhere.line = 8;
    const lab_edit other = {.line = goes.line, .column = 14, .was = "32", .now = "64", .whole = "return go<32>(O)"};
    lab_edit asked = other, returned = other;
    strcpy(asked.whole, "if (D <= 32) return go<32>(O)"), returned = asked, asked.column = 11, returned.column = 24;
    assert_int_equal(lab_switches_off(&other, &goes), 0);  // what is returned is another matter
    assert_int_equal(lab_switches_off(&returned, &goes), 0), assert_int_equal(lab_switches_off(&asked, &goes), 1);
    assert_int_equal(lab_switches_off(&turned, &goes), 1), assert_int_equal(lab_switches_off(&elsewhere, &goes), 0);
    const lab_edit always = placed("always", "k0 + T <= k", "k0 + T <= k", "1"),
                   less = placed("operator", "k0 + T <= k", "+", "-"),
                   more = placed("one off", "k0 + T <= k", "k0", "0");
    assert_int_equal(lab_switches_off(&less, &always), 1), assert_int_equal(lab_switches_off(&more, &always), 0);
    lab_edit idle = replaced("statement", "l += p;", "l += p;", ""),
             past = replaced("before line 3", "p /= l;", "p /= l;", "p /= l;");
    past.line = 4;
    assert_int_equal(lab_switches_off(&past, &idle), 1);  // what it is moved past can go
    idle.line = 2;
    assert_int_equal(lab_switches_off(&past, &idle), 0);
}

// ---- reason.c

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

// ---- whereto.c

static char path[] = "/tmp/lab-unit-rank-XXXXXX";

static void write_file(const char *text) {
    FILE *f = fopen(path, "w");
    assert_non_null(f);
    fputs(text, f), fclose(f);
}

static void a_place_is_named_by_what_stands_there(void **state) {
    (void)state;
    char words[200];
    write_file("void f() {\n    while (n) {\n        if (t < n) {  // some\n            add();\n            wait();\n"
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
    unlink(path);
}

// ---- say.c

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
    strcpy(e.also, "9");
    lab_say_edit(&ask, &e, text, sizeof text);
    assert_says(text, "With call->append(...) in place of call->decode(...) in line");
    assert_says(text, "and call->decode(...) in place of call->append(...) in line 9,");
}

// ---- dropped.c

enum { EDITS = 4 };

static int dropped_by(const char *log, int dropped[EDITS]) {
    lab_edit edits[EDITS] = {{.id = 1, .line = 3}, {.id = 2, .line = 5}, {.id = 3, .line = 5}, {.id = 4, .line = 9}};
    lab_candidates c = {.edit = edits, .n = EDITS};
    strcpy(edits[3].also, "7,5");
    const int n = lab_candidates_drop(&c, "/x/flash.cu", log);
    for (int i = 0; i < EDITS; i++) dropped[i] = edits[i].dropped;
    return n;
}

// tcc ends at its first error: what alters the same words in the same way will not compile, either; another kind may.
static void what_goes_with_a_change_is_of_its_place_and_kind(void **state) {
    (void)state;
    lab_edit edits[EDITS] = {{.id = 1, .line = 5, .column = 4, .kind = "name", .was = "p", .now = "q"},
                             {.id = 2, .line = 5, .column = 4, .kind = "name", .was = "p", .now = "r"},
                             {.id = 3, .line = 5, .column = 9, .kind = "name", .was = "p", .now = "q"},
                             {.id = 4, .line = 5, .column = 4, .kind = "operator", .was = "p", .now = "-p"}};
    lab_candidates c = {.edit = edits, .n = EDITS};
    static const char log[] = "/room/edit-2:1: error: lvalue expected\n";
    assert_int_equal(lab_candidates_drop_named(&c, log, LAB_ALONE), 1);
    assert_true(!edits[0].dropped && edits[1].dropped);
    assert_int_equal(lab_candidates_drop_named(&c, log, LAB_ITS_KIND), 1);
    assert_true(edits[0].dropped && !edits[2].dropped && !edits[3].dropped);
    assert_int_equal(lab_candidates_drop_named(&c, log, LAB_ITS_LINE), 2);
    strcpy(edits[0].was, ""), strcpy(edits[1].was, ""), edits[0].dropped = edits[1].dropped = 0;
    assert_int_equal(lab_candidates_drop_named(&c, log, LAB_ITS_KIND), 1);  // what comes there is all kinds of things
}

static void what_does_not_compile_is_dropped_and_nothing_else(void **state) {
    (void)state;
    int d[EDITS];
    assert_int_equal(dropped_by("edit-2:1:4: error: 'c' undeclared\n/x/flash.cu:3:1: error: y\n", d), 1);
    assert_true(!d[0] && d[1] && !d[2] && !d[3]);
    // two changes of a line that do not go together: all of that line, as no change is named
    assert_int_equal(dropped_by("/x/flash.cu: In function 'f':\n/x/flash.cu:5:22: error: void value\n", d), 3);
    assert_true(!d[0] && d[1] && d[2] && d[3]);
    assert_int_equal(dropped_by("/x/flash.cu:5:22: warning: unused\n", d), 0);
    assert_int_equal(dropped_by("in /x/flash.cu:5:22: error: quoted\n", d), 0);
}

// What no change is tried on does not pass with one, and counts where claims are counted.
static void claims_without_an_oracle_are_counted(void **state) {
    (void)state;
    static const lab_op model = {.name = "model"};
    lab_edit e = placed("name", "x = a;", "a", "b");
    lab_found found = {.mend = {{.edit = &e}}, .n = 1, .tried = 8, .all = 1, .ends = 1};
    static lab_subject s;
    char text[1000];
    s.failed = 8;
    const lab_repair_ask ask = {.source = path};
    lab_say_found(&ask, &found, &s, text, sizeof text);
    assert_non_null(strstr(text, "every claim passes"));
    for (int i = 0; i < 2; i++) lab_untried_keep(&(lab_case){.claim = "tokens", .op = &model}, 1);
    lab_untried_keep(&(lab_case){.claim = "tokens", .op = &model}, 0);
    lab_say_found(&ask, &found, &s, text, sizeof text);
    assert_non_null(strstr(text, "8 of the 10 claims that fail pass (the others were not tried)"));
}

static void two_lines_that_do_not_agree_are_both_named(void **state) {
    (void)state;
    lab_edit one = placed("share", "b[j] = B[tx * 2 + j];", "tx * 2 + j", "tx + j * 16"),
             other = placed("share", "C[tx + j * 16] = c[j];", "tx + j * 16", "tx * 2 + j");
    lab_found found = {.mend = {{.edit = &other}, {.edit = &one}}, .n = 2, .tried = 1, .all = 1, .ends = 1};
    static lab_subject s;
    char text[1000];
    other.line = 9, s.failed = 1;
    lab_repair_ask ask = {.source = path, .known = 1};  // where a known mistake fits, two other lines say nothing
    lab_say_found(&ask, &found, &s, text, sizeof text);
    assert_string_equal(text,
                        "line 3 has tx * 2 + j where line 9 has tx + j * 16: they do not agree. With one of them in "
                        "both lines, every claim passes.");
    strcpy(other.now, "tx"), lab_say_found(&ask, &found, &s, text, sizeof text);
    assert_string_equal(text, "");
}

int main(void) {
    const int f = mkstemp(path);
    if (f >= 0) close(f);
    const struct CMUnitTest claims[] = {
        CLAIM(the_likelier_change_comes_first),
        CLAIM(another_tile_and_a_right_helper_turned_round_hide_mistakes),
        CLAIM(what_only_hides_a_mistake_is_known),
        CLAIM(a_reason_is_given_where_the_text_proves_it),
        CLAIM(a_place_is_named_by_what_stands_there),
        CLAIM(what_goes_with_a_change_is_of_its_place_and_kind),
        CLAIM(a_number_that_becomes_0_is_left_out),
        CLAIM(long_calls_that_change_places_are_said_by_name),
        CLAIM(what_does_not_compile_is_dropped_and_nothing_else),
        CLAIM(two_lines_that_do_not_agree_are_both_named),
        CLAIM(claims_without_an_oracle_are_counted),
    };
    return cmocka_run_group_tests(claims, NULL, NULL);
}
