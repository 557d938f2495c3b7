// unit_queries.c: what a query has of another one, and keys that a causal mask hides from it, or does not
// (grader/values/parts_queries.c).
#include "told.h"

// Two queries; of the second one all is 0 but its number.
static lab_number *of_query(lab_number *x, uint64_t queries) {
    x->of[LAB_OF_QUERIES].word[0] = queries;
    return x;
}

static void queries_that_meet(void **state) {
    (void)state;
    static lab_number output[2];
    static char moved[2];
    world.d.count[LAB_OF_QUERIES] = 2, world.d.count[LAB_OF_COLUMNS] = 1;
    world.d.output = output, world.d.moved = moved, moved[1] = 0;
    of_query(add(3, 0, 15, 15, 15, 1, 0), 1), of_query(add(4, 0, 15, 0, 15, 0, 0), 2);
    output[0] = *of_query(add(8, 1, 15, 15, 15, 1, 0), 1), output[1] = *of_query(add(8, 0, 15, 15, 15, 1, 0), 3);
    expect("");  // a maximum that both have moves it by rounding alone
    moved[1] = 1;
    expect(
        "line 80, in f: thread 0 makes the output of query 1 with numbers of query 0: line 30 (x) has query 0 there, "
        "and line 40 (x) query 1. Scores, m, l and O of a query are made of that query alone");
}

static void rows(const uint64_t has[3], lab_number output[3], int causal) {
    reset(NULL);
    world.d.count[LAB_OF_QUERIES] = 3, world.d.count[LAB_OF_COLUMNS] = 1;
    world.d.output = output, world.d.n_output = 3, world.d.causal = causal, world.d.total = NULL;
    for (int i = 0; i < 3; i++) output[i] = *of_query(add(8, i, has[i], has[i], 15, 1, 0), 1u << i);
}

static void keys_that_a_mask_hides(void **state) {
    (void)state;
    static lab_number output[3];
    rows((uint64_t[]){3, 7, 15}, output, 1);
    expect("");
    rows((uint64_t[]){3, 15, 15}, output, 1);
    expect("line 80, in f, adds key 3 to the output of query 1, which sees keys 0 .. 2 alone: a query i sees the keys "
           "j <= i + seq_kv - seq_q");
    rows((uint64_t[]){3, 15, 15}, output, 1);
    world.d.n = 0;
    of_query(add(2, 1, 8, 0, 15, 0, 1), 2), of_query(add(3, 1, 4, 0, 15, 0, 1), 2);
    of_query(add(8, 1, 15, 15, 15, 1, 0), 2);
    expect("line 80, in f, adds key 3 to the output of query 1, which sees keys 0 .. 2 alone: a query i sees the keys "
           "j <= i + seq_kv - seq_q. The score that line 20 has for key 3 is to be -INFINITY");
    rows((uint64_t[]){3, 3, 15}, output, 1);
    expect("line 80, in f, never adds key 2 to the output of query 1, which sees keys 0 .. 2: a query i sees the keys "
           "j <= i + seq_kv - seq_q");
    rows((uint64_t[]){1, 3, 7}, output, 0);
    expect("which is not causal, query 0 sees key 0 alone, and query 2 keys 0 .. 2 (of 4): keys are hidden as under a "
           "causal mask. Without one every query sees all keys");
}

int main(void) {
    const struct CMUnitTest claims[] = {
        cmocka_unit_test_setup(queries_that_meet, reset),
        cmocka_unit_test_setup(keys_that_a_mask_hides, reset),
    };
    return cmocka_run_group_tests(claims, NULL, NULL);
}
