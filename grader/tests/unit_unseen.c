// unit_unseen.c: what mends every claim by chance does not hold on a shape that was drawn for this alone.
// grader/repair/unseen.c, whose calls of a student's code are answered here.
#include "unit.h"

#include <string.h>

#include "search.h"
#include "stretch.h"

static struct {
    double left, costs;  // seconds; of an attempt
    int tried;
    int largest;  // elements of a shape that was tried
} world;

static double fake_left(void) { return world.left; }

static lab_prepared *fake_prepare(const lab_case *c, uint64_t seed) { return seed ? (lab_prepared *)c : NULL; }

static void fake_free(lab_prepared *p) { (void)p; }

// Change 1 takes heads for batch, 2 is right. 3 sums no more than 128 features.
static int fake_attempt(lab_attempts *a, const lab_prepared *p, int edit, double limit) {
    const lab_case *c = (const lab_case *)p;
    (void)a;
    world.tried++, world.left -= world.costs;
    if (lab_elements(c) > world.largest) world.largest = (int)lab_elements(c);
    const int right = edit == 2 || (edit == 3 && c->shape.heads * c->shape.head_dim <= 128);
    return world.costs <= limit && (right || (edit == 1 && c->shape.batch == c->shape.heads));
}

#define lab_attempts_left fake_left
#define lab_prepare fake_prepare
#define lab_prepared_free fake_free
#define lab_attempt fake_attempt
#define lab_search_unseen search_unseen
#include "unseen.c"

enum { LARGEST_ODD = 400000 };  // elements

static const lab_edit edits[] = {{.id = 1}, {.id = 2}, {.id = 3}};
static lab_kept kept;
static lab_subject subject;

static lab_found look_at(const char *task, const char *claim, double left, double costs, const char *todo) {
    lab_found found = {.mend = {{.edit = &edits[0]}, {.edit = &edits[1]}, {.edit = &edits[2]}}, .n = 2};
    found.n += !strcmp(task, "task1");
    memset(&subject, 0, sizeof subject);
    assert_true(lab_case_find(task, claim, 1, &kept.c));
    subject.claim[0] = &kept, subject.n = subject.failed = 1, subject.todo = todo;
    subject.attempts.options.arena_bytes = 8 << 20;
    memset(&world, 0, sizeof world);
    world.left = left, world.costs = costs;
    search_unseen(&subject, 1, &found);
    return found;
}

static lab_found look(double left, double costs, const char *todo) {
    return look_at("task4", "one_head_of_64_keys", left, costs, todo);
}

static void what_mends_by_chance_fails_on_another_shape(void **state) {
    (void)state;
    const lab_found found = look(10, 0.001, NULL);
    assert_int_equal(found.n, 1);
    assert_int_equal(found.mend[0].edit->id, 2);
    assert_in_range(world.tried, 2, 3 * MOST_UNSEEN);
    assert_in_range(world.largest, 1, LARGEST_ODD);
}

static void a_piece_that_ends_too_late_fails_where_rows_are_longer(void **state) {
    (void)state;
    const lab_found found = look_at("task1", "causal_multi_head", 10, 0.001, NULL);
    assert_int_equal(found.n, 1);
    assert_int_equal(found.mend[0].edit->id, 2);
}

// Within the contract, and what no claim has.
static void odd_shapes_are_legal_and_new(void **state) {
    (void)state;
    lab_case c;
    const lab_case *row;
    int n = 0;
    for (; lab_odd_shape(n, &c); n++) {
        const int of_attention = c.op->oracle == lab_sdpa.oracle, cache = strstr(c.op->symbol, "cache") != NULL;
        if (of_attention || cache || c.op == &lab_mha) assert_int_equal(c.shape.head_dim % 8, 0);
        assert_true(!c.shape.causal || c.shape.seq_q <= c.shape.seq_kv);
        assert_true(c.op->oracle && lab_elements(&c) <= LARGEST_ODD);
        for (int i = 0; (row = lab_case_at(i)); i++)
            assert_true(row->op != c.op || memcmp(&row->shape, &c.shape, sizeof c.shape));
    }
    assert_in_range(n, 10, 40);
}

static void what_there_is_no_time_for_is_not_known(void **state) {
    (void)state;
    assert_int_equal(look(10, 0.5, NULL).n, 2);  // a call took too long
    assert_in_range(world.tried, 1, 2);
    assert_int_equal(look(10, 0.001, "4.2").n, 2);  // a probe has no such shapes
    assert_int_equal(world.tried, 0);
}

int main(void) {
    const struct CMUnitTest claims[] = {
        CLAIM(what_mends_by_chance_fails_on_another_shape),
        CLAIM(a_piece_that_ends_too_late_fails_where_rows_are_longer),
        CLAIM(odd_shapes_are_legal_and_new),
        CLAIM(what_there_is_no_time_for_is_not_known),
    };
    return cmocka_run_group_tests_name("unseen", claims, NULL, NULL);
}
