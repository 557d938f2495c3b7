// unit_rank.c: of two changes that mend the likelier one, and what only hides a mistake. grader/repair/rank.c.
#include "edit.h"

#include "rank.h"
#include "search.h"

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
    lab_edit behind_loop = replaced("statement", "return m;", "", "m = row_max(m);"),
             once = placed("reducer", "m = fmaxf(m, s[c]);", "m", "row_max(m)"),
             each_round = placed("reducer", "for (;;) m = fmaxf(m, s[c]);", "m", "row_max(m)");
    behind_loop.rank = 12, once.rank = each_round.rank = 1;
    before(once, behind_loop), before(behind_loop, each_round);
    lab_edit whole = placed("operator", "if (4 * c + 4 < D) t[c] = k[c];", "<", "<="),  // four of them end at D
        half = placed("habit", "if (4 * c + 4 < D) t[c] = k[c];", "4", "2");
    whole.rank = 10, half.rank = 12, before(whole, half);
    whole = placed("operator", "if (c + 1 < n) l += p[c];", "<", "<="), whole.rank = 10, before(half, whole);
    before(replaced("comparison", "if (n > most) return;", ">", ">="),
           replaced("one off", "if (n > most) return;", "most", "most - 1"));
    before(plain, replaced("constant", "x = a - b;", "b", "0"));  // x - 0 is x
    lab_edit chosen = placed("constant", "a = m == -INFINITY ? 1 : b;", "1", "0"),
             asked = placed("constant", "a = m == -INFINITY ? 1 : b;", "-INFINITY", "0.0f");
    chosen.rank = 12, asked.rank = 16, before(chosen, asked);
    lab_edit flag = placed("constant", "int failed = 1;", "1", "0"),
             status = placed("negation", "return failed ? ATTN_NO_MEMORY : ATTN_OK;", "failed", "!failed"),
             arms = placed("exchanged", "return failed ? ATTN_NO_MEMORY : ATTN_OK;", "ATTN_NO_MEMORY : ATTN_OK",
                           "ATTN_OK : ATTN_NO_MEMORY");
    before(flag, status), before(flag, arms);
    before(replaced("name", "x = a - b;", "a", "c"), replaced("never", "if (wide) {", "wide", "0"));
    lab_edit half_of = placed("name", "p = l > 0 ? p / seen : 0;", "seen", "l"),
             both_of = placed("exchanged", "p = l > 0 ? p / seen : 0;", "l > 0 ? p / seen", "seen > 0 ? p / l");
    half_of.rank = 36, both_of.rank = 22, before(half_of, both_of);  // what it asks for is right
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
    before(replaced("name", "x = expf(m - top);", "top", "m_new"),  // what is read, rather than a copy of it before
           replaced("statement", "x = expf(m - top);", "", "top = m_new;"));
    other.shared = 1, before(plain, other);
    other = plain, strcpy(other.also, "7"), before(plain, other);
    other = plain, strcpy(other.todo, "1.3");
    lab_edit own = plain;
    strcpy(own.todo, "1.2"), before(own, other);
    strcpy(other.todo, LAB_NO_TODO), before(own, other),
        before(plain, other);  // in a file without comments all are its own
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
    assert_true(lab_hides(&e));
    e = replaced("function", "n = least(t->Br > 0 ? t->Br : 48, Sk)", "least", "round_up");
    assert_true(lab_hides(&e));
    e = replaced("first", "const float old = j0 > Bc ? shrink * o[d] : 0.0f;", "Bc", "0");  // it asks for a round
    assert_false(lab_hides(&e));
    e = replaced("operator", "a = j0 % t->Bc == 0 ? 0.0f : a;", "==", "!="), assert_false(lab_hides(&e));
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
    lab_edit tiles = replaced("rounded up", "const int tiles = n / Br;", "n / Br", "(n + Br - 1) / Br"), habit = tiles;
    tiles.rank = habit.rank = 39, tiles.shared = habit.shared = 1, strcpy(habit.kind, "habit");  // behind the likeliest
    assert_true(lab_edit_rank(&tiles, NULL) < LAB_LAST_SAID && lab_edit_rank(&habit, NULL) >= LAB_LAST_SAID);
    lab_edit scale = threads, wide = threads;  // an argument of the kernel, and a grid of two dimensions
    strcpy(scale.whole, "f<<<B, 32>>>(x, 32 * H);"), scale.column = 1 + 16;
    strcpy(wide.whole, "f<<<dim3(B, 32 * H), 32>>>(x);"), wide.column = 1 + 12;
    assert_int_equal(lab_starts_fewer(&scale), 0), assert_int_equal(lab_starts_fewer(&wide), 0);
    strcpy(wide.whole, "f<<<dim3(B, 2), 32 * H, 0>>>(x);"), wide.column = 1 + 16;
    assert_int_equal(lab_starts_fewer(&wide), 1);
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
    const lab_edit loop = replaced("", "", "for (int w = 32 / 2; w; w /= 2) x += w;", "");
    lab_edit never = loop,
             within = loop;  // a loop that can go has no round with that; what its body has is another matter
    strcpy(never.kind, "operator"), strcpy(never.was, "/"), strcpy(never.now, "%"), never.column += 16;
    within = never, within.column += 20;
    assert_int_equal(lab_switches_off(&never, &loop), 1), assert_int_equal(lab_switches_off(&within, &loop), 0);
    lab_edit idle = replaced("statement", "l += p;", "l += p;", ""),
             past = replaced("before line 3", "p /= l;", "p /= l;", "p /= l;");
    past.line = 4;
    assert_int_equal(lab_switches_off(&past, &idle), 1);  // what it is moved past can go
    idle.line = 2;
    assert_int_equal(lab_switches_off(&past, &idle), 0);
    lab_edit unmoved = replaced("statement", "o /= l;", "o /= l;", ""),
             moved = replaced("before line 3", "", "if (l > 0) o /= l;", "if (l > 0) o /= l;");
    assert_int_equal(lab_switches_off(&moved, &unmoved), 1);  // what does nothing there can go
    unmoved.line = moved.line + 1;
    assert_int_equal(lab_switches_off(&moved, &unmoved), 0);
    unmoved = replaced("statement", "__syncthreads();", "__syncthreads();", "");
    moved = replaced("before line 3", "", "__syncthreads();", "__syncthreads();");
    assert_int_equal(lab_switches_off(&moved, &unmoved), 0);
}

// all.m = fmaxf(all.m, m[w]); and twice weight(all.m, m[w]): in all three the two can change places.
static void what_two_lines_mend_leaves_the_third_as_it_is(void **state) {
    (void)state;
    lab_edit three = replaced("exchanged", "all.m = fmaxf(all.m, m[w]);", "all.m, m[w]", "m[w], all.m"), two = three;
    three.line = 183, two.line = 185, two.id = three.id + 1;
    snprintf(three.also, sizeof three.also, "185,186"), snprintf(two.also, sizeof two.also, "186");
    lab_found found = {.n = 2, .mend = {{&three, 1, 0}, {&two, 1, 0}}};
    lab_search_undisguise(&found, NULL);
    assert_int_equal(found.n, 1);
    assert_ptr_equal(found.mend[0].edit, &two);
    snprintf(two.also, sizeof two.also, "187");
    found = (lab_found){.n = 2, .mend = {{&three, 1, 0}, {&two, 1, 0}}};
    lab_search_undisguise(&found, NULL);
    assert_int_equal(found.n, 2);
}

static void a_limit_is_left_out_in_the_header_of_its_loop(void **state) {
    (void)state;
    static const char loop[] = "for (int e = 0; e < n - 1; ++e) o[e] += v[e * T];";
    lab_edit limit = placed("left out", loop, "n - 1", "n"), factor = placed("left out", loop, "e * T", "e");
    assert_true(lab_leaves_limit_out(&limit)), assert_false(lab_leaves_limit_out(&factor));
    limit = placed("left out", "const int n = min(T, all - i);", "min(T, all - i)", "T");
    assert_true(lab_leaves_limit_out(&limit));
}

int main(void) {
    const struct CMUnitTest claims[] = {
        CLAIM(the_likelier_change_comes_first),
        CLAIM(a_limit_is_left_out_in_the_header_of_its_loop),
        CLAIM(another_tile_and_a_right_helper_turned_round_hide_mistakes),
        CLAIM(what_only_hides_a_mistake_is_known),
        CLAIM(what_two_lines_mend_leaves_the_third_as_it_is),
    };
    return cmocka_run_group_tests(claims, NULL, NULL);
}
