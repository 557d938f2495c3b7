// unit_shares.c: work that threads share out and that is not put together again, told from what each number depends on
// (grader/values/parts.c).
#include "told.h"

static void what_is_whole_is_not_spoken_of(void **state) {
    (void)state;
    for (int j = 0; j < KEYS; j++)
        for (int t = 0; t < 2; t++) add(1, t, 1u << j, 0, t ? 12 : 3, 0, 1), add(2, t, 1u << j, 0, 15, 0, 1);
    for (int t = 0; t < 2; t++) add(3, t, 15, 0, 15, 0, 0);
    add_outputs();
    expect("");
}

static void dims_that_are_in_no_score(void **state) {
    (void)state;
    for (int t = 0; t < 2; t++)
        add(1, t, 1, 0, 1, 0, 1), add(2, t, 1, 0, 7, 0, 1), add(3, t, 1, 0, 7, 0, 0), add(8, t, 15, 15, 7, 1u << t, 0);
    expect("dim 3 of q and k is in no score (line 20, in f): a score is the sum over all dims of its query and key");
    reset(NULL);
    for (int t = 0; t < 2; t++) store(t, add(3, t, 1, 0, 5, 0, 0));
    expect("dims 1 and 3 of q and k are in no score: a score is the sum over all dims of its query and key");
}

static void dims_of_a_key_that_stay_apart(void **state) {
    (void)state;
    for (int t = 0; t < 2; t++) add(1, t, 1, 0, t ? 12 : 3, 0, 1);
    for (int t = 0; t < 2; t++) add(3, t, 1, 0, t ? 12 : 3, 0, 0);
    add_outputs();
    expect(
        "line 30, in f, takes an exponential of scores that are not whole: in line 10 thread 0 has dims 0 and 1 of a "
        "key, "
        "thread 1 has dims 2 and 3. Add the parts of a key up over these threads first, in each round, before anything "
        "else is made of them");
}

// Sums of other dims in one thread, which never become one: the dims are shared out to scores, and not to threads.
static void dims_that_scores_of_one_thread_share(void **state) {
    (void)state;
    for (int t = 0; t < 2; t++) add(1, t, 1, 0, t ? 12 : 3, 0, 1), add(2, t, 1, 0, t ? 3 : 12, 0, 1);
    for (int t = 0; t < 2; t++) add(3, t, 1, 0, t ? 12 : 3, 0, 0);
    add_outputs();
    expect(
        "line 30, in f, takes an exponential of scores that are not whole: in line 10 a score has dims 0 and 1 of a "
        "key, and in line 20 another score has dims 2 and 3 of it. Each score is the sum over all dims of its own key");
}

// In 16 bits a number does not alter with every dim.
static void dims_that_are_rounded_away(void **state) {
    (void)state;
    for (int t = 0; t < 2; t++) add(1, t, 1, 0, t ? 12 : 3, 0, 1)->told.value = 1.5f;
    for (int t = 0; t < 2; t++) add(3, t, 1, 0, t ? 12 : 3, 0, 0);
    add_outputs();
    expect("");
}

static void dims_of_keys_of_their_own(void **state) {
    (void)state;
    for (int t = 0; t < 2; t++) add(1, t, 1u << t, 0, 1u << t, 0, 1);
    for (int t = 0; t < 2; t++) add(3, t, 1u << t, 0, 1u << t, 0, 0);
    expect("line 30, in f, takes an exponential of scores that are not whole: in line 10 thread 0 has dim 0 of a key, "
           "thread 1 "
           "has dim 1. These are different keys: let each thread add up all dims of its own keys");
}

// A shuffle down: the first lane has all, and the others have to get it; where they throw theirs away nothing is said.
static void the_sum_of_one_lane(void **state) {
    (void)state;
    for (int t = 0; t < 2; t++) add(1, t, 1, 0, t ? 12 : 3, 0, 1);
    add(2, 0, 1, 0, 15, 0, 1);
    for (int t = 0; t < 2; t++) add(3, t, 1, 0, t ? 12 : 15, 0, 0);
    add_outputs();
    expect("");
    world.d.n -= COLUMNS;
    for (int t = 0; t < 2; t++) add(4, t, 1, 1, t ? 12 : 15, 1u << t, 0);
    expect("line 30, in f, takes an exponential of scores that are not whole: in line 10 thread 1 has dims 2 and 3 of "
           "a key, "
           "thread 0 has dims 0 and 1, and thread 0 alone has all. Let all these threads have the sum, before anything "
           "else "
           "is made of it");
}

static void keys_that_are_added_up(void **state) {
    (void)state;
    for (int t = 0; t < 3; t++) add(1, t, 1u << t, 0, 1u << t, 0, 1);
    add(2, 0, 7, 0, 7, 0, 1);
    expect(
        "line 20, in f, adds up what threads have of different keys: in line 10 thread 0 has dim 0 of key 0, and "
        "thread 1 has "
        "dim 1 of key 1. Each thread has keys of its own: let it go over all dims itself, and add up nothing over the "
        "threads");
    world.number[3].told.value = world.number[1].told.value;  // it is the larger one of them
    add(1, 3, 8, 0, 8, 0, 1);
    expect("");
}

static void columns_that_are_added_up(void **state) {
    (void)state;
    for (int t = 0; t < 2; t++) add(1, t, 15, t ? 12 : 3, 15, 1u << t, 0);
    add(2, 0, 15, 15, 15, 3, 0);
    expect(
        "line 20, in f, adds up what threads have of different columns: in line 10 thread 0 has keys 0 and 1 of column "
        "0, and "
        "thread 1 has keys 2 and 3 of column 1. Each thread has columns of its own: let it go over all of them itself, "
        "and add up nothing over the threads");
}

static void a_part_that_is_stored(void **state) {
    (void)state;
    for (int t = 0; t < 2; t++) add(1, t, 15, t ? 12 : 3, 15, 1u << t, 0);
    for (int t = 0; t < 2; t++) store(t, add(8, t, 15, t ? 12 : 3, 15, 1u << t, 0));
    expect("line 80, in f, stores a part as if it were all: in line 10 thread 0 has keys 0 and 1, and thread 1 has "
           "keys 2 and 3. "
           "Each thread has columns of its own: let it go over all of these itself");
}

// x and y of a vector: thread 1 has both columns, too, and told that of thread 0 first.
static void parts_of_vectors(void **state) {
    (void)state;
    for (int t = 0; t < 2; t++)
        for (int c = 0; c < 2; c++) add(1, t, 15, t ? 12 : 3, 15, 1u << c, 0);
    for (int c = 0; c < 2; c++) store(c, add(8, 0, 15, 3, 15, 1u << c, 0));
    expect("line 80, in f, stores a part as if it were all: in line 10 thread 0 has keys 0 and 1, and thread 1 has "
           "keys 2 and 3. Add up what all these threads have, before it is stored");
}

static void parts_of_one_column(void **state) {
    (void)state;
    for (int t = 0; t < 2; t++) add(1, t, 15, t ? 12 : 3, 15, 1, 0);
    for (int c = 0; c < 2; c++) add(2, 0, 15, 3, 15, 1u << c, 0), store(c, add(8, 0, 15, 3, 15, 1u << c, 0));
    expect("line 80, in f, stores a part as if it were all: in line 10 thread 0 has keys 0 and 1, and thread 1 has "
           "keys 2 and 3. "
           "Add up what all these threads have, before it is stored");
}

static void keys_that_nobody_has(void **state) {
    (void)state;
    for (int t = 0; t < 2; t++) add(1, t, 15, 1u << t, 15, 1, 0);
    for (int c = 0; c < 2; c++) store(c, add(8, 0, 15, 1, 15, 1, 0));
    expect("line 10, in f: thread 0 has key 0, thread 1 has key 1, and no thread has keys 2 and 3 (of 4)");
}

static void what_a_thread_had_and_has_no_longer(void **state) {
    (void)state;
    add(1, 0, 15, 3, 15, 1, 0), add(1, 0, 15, 5, 15, 1, 0), add(1, 1, 15, 8, 15, 1, 0);
    for (int c = 0; c < 2; c++) store(c, add(8, 0, 15, 5, 15, 1, 0));
    expect("line 10, in f, loses what it had: thread 0 has keys 0 and 1 there, and in the end no longer key 1");
    world.number[0].of[LAB_OF_VALUES].word[0] = 10;  // another tile: it is not added up in that line
    expect("line 80, in f, stores a part as if it were all: in line 10 thread 0 has keys 0 and 2, and thread 1 has "
           "key 3. Add up what all these threads have, before it is stored");
    add(1, 1, 15, 5, 15, 1, 0);  // it had key 3 in another round
    expect("line 10, in f, loses what it had: thread 0 has keys 1 and 3 there, and in the end no longer keys 1 and 3");
}

// Both have columns of their own, and one has all keys: they do not share the keys out.
static void keys_that_one_thread_lacks(void **state) {
    (void)state;
    for (int t = 0; t < 2; t++) add(1, t, 15, t ? 15 : 12, 15, 1u << t, 0);
    for (int t = 0; t < 2; t++) store(t, add(8, t, 15, t ? 15 : 12, 15, 1u << t, 0));
    expect("");
    for (int t = 0; t < 2; t++) world.number[t].of[LAB_OF_COLUMNS].word[0] = 1;  // nor the same column
    expect("");
}

static void keys_whose_weight_is_nothing(void **state) {
    (void)state;
    add(1, 0, 15, 0, 15, 0, 1)->told.value = 50;
    for (int t = 0; t < 2; t++) add(2, t, 15, t ? 12 : 3, 15, 1, 0);
    for (int c = 0; c < 2; c++) store(c, add(8, 0, 15, 3, 15, 1, 0));
    expect("");
}

static void a_part_of_the_sum(void **state) {
    (void)state;
    for (int t = 0; t < 2; t++) add(1, t, t ? 12 : 3, 0, 15, 0, 0);
    add_outputs();
    expect("");
    for (int c = 0; c < 2; c++) world.total[c] = 2;
    expect("line 80, in f, divides by a part of the sum of exp(s - m): in line 10 thread 0 has keys 0 and 1, and "
           "thread 1 has keys "
           "2 and 3. Add up what all these threads have, before anything is divided by it");
    for (int c = 0; c < 2; c++) world.total[c] = 3;  // another number is wrong
    expect("");
}

// A softmax of two rows: each column is an exponential, and one thread a column divides two of the four.
static void columns_that_nobody_divides_are_not_a_part_of_a_sum(void **state) {
    (void)state;
    static lab_number output[2 * KEYS];
    world.d.count[LAB_OF_VALUES] = world.d.count[LAB_OF_DIMS] = world.d.count[LAB_OF_COLUMNS] = 0;
    world.d.one = "column", world.d.output = output, world.d.n_output = 2 * KEYS, world.d.total = NULL;
    for (int row = 0; row < 2; row++) {
        for (int c = 0; c < KEYS; c++) output[row * KEYS + c] = *add(4, c % 2, 1u << c | 1, 0, 0, 0, 0);
        add(5, 0, 15, 0, 0, 0, 0);
        for (int c = 0; c < 2; c++) output[row * KEYS + c] = *add(6, c, 15, 0, 0, 0, 0);
    }
    expect("line 60, in f, divides columns 0 and 1 of a row alone: columns 2 and 3 stay what line 40 has stored, "
           "exp(s - m) that nobody divides by the row's sum");
}

// Of a tree, the line that joins what two threads have, and not what the third one has; what no line joins is stored.
static void a_line_that_joins_some_of_the_threads(void **state) {
    (void)state;
    static lab_number output[KEYS];
    world.d.count[LAB_OF_VALUES] = world.d.count[LAB_OF_DIMS] = world.d.count[LAB_OF_COLUMNS] = 0;
    world.d.one = "column", world.d.output = output, world.d.n_output = KEYS, world.d.total = NULL;
    for (int t = 0; t < 3; t++) add(1, t, t == 2 ? 10 : 8 | 1u << 2 * t, 0, 0, 0, 0);
    const lab_number *sum = add(2, 0, 13, 0, 0, 0, 0);
    for (int c = 0; c < KEYS; c++) output[c] = *sum, output[c].told = add(8, 0, 13, 0, 0, 0, 0)->told;
    expect(
        "line 20, in f, joins what the threads have, and leaves some of it out: in line 10 thread 1 has column 2, and "
        "thread 2 has column 1, which is not in it. Whose numbers does it take, and where does its loop begin and "
        "end?");
}

// A softmax of one row: each thread has the maximum and the sum of its own columns, and one has a single column.
static void maxima_that_are_not_joined(void **state) {
    (void)state;
    static lab_number output[KEYS];
    world.d.count[LAB_OF_VALUES] = world.d.count[LAB_OF_DIMS] = world.d.count[LAB_OF_COLUMNS] = 0;
    world.d.one = "column", world.d.output = output, world.d.n_output = KEYS, world.d.total = NULL;
    for (int t = 0; t < 2; t++) add(1, t, t ? 2 : 5, 0, 0, 0, 0);
    for (int c = 0; c < KEYS; c++) output[c] = *add(8, c % 2, c % 2 ? 2 : 5, 0, 0, 0, 0);
    expect("line 80, in f, stores a part as if it were all: in line 10 thread 0 has columns 0 and 2, and thread 1 has "
           "column 1. Add up what all these threads have, before it is stored. The row's maximum, which is to be found "
           "before that, is in none of it, either: no column is in what both threads have");
    const uint64_t has[][2] = {{13, 10}, {9, 10}};  // with the row's largest, column 3
    static const char *const says[] = {
        "line 80, in f, stores a part as if it were all: in line 10 thread 0 has columns 0 and 2, and thread 1 has "
        "column 1. Add up what all these threads have, before it is stored",
        "line 10, in f: thread 0 has column 0, thread 1 has column 1, and no thread has column 2 (of 4)"};
    for (int k = 0; k < 2; k++) {
        for (int t = 0; t < 2; t++) world.number[t].of[LAB_OF_KEYS].word[0] = has[k][t];
        for (int c = 0; c < KEYS; c++)
            output[c].of[LAB_OF_KEYS].word[0] = world.number[2 + c].of[LAB_OF_KEYS].word[0] = has[k][c % 2];
        expect(says[k]);
    }
}

int main(void) {
    const struct CMUnitTest claims[] = {
        cmocka_unit_test_setup(what_is_whole_is_not_spoken_of, reset),
        cmocka_unit_test_setup(dims_that_are_in_no_score, reset),
        cmocka_unit_test_setup(dims_of_a_key_that_stay_apart, reset),
        cmocka_unit_test_setup(dims_that_scores_of_one_thread_share, reset),
        cmocka_unit_test_setup(dims_that_are_rounded_away, reset),
        cmocka_unit_test_setup(dims_of_keys_of_their_own, reset),
        cmocka_unit_test_setup(the_sum_of_one_lane, reset),
        cmocka_unit_test_setup(keys_that_are_added_up, reset),
        cmocka_unit_test_setup(columns_that_are_added_up, reset),
        cmocka_unit_test_setup(a_part_that_is_stored, reset),
        cmocka_unit_test_setup(parts_of_vectors, reset),
        cmocka_unit_test_setup(parts_of_one_column, reset),
        cmocka_unit_test_setup(keys_that_nobody_has, reset),
        cmocka_unit_test_setup(what_a_thread_had_and_has_no_longer, reset),
        cmocka_unit_test_setup(keys_that_one_thread_lacks, reset),
        cmocka_unit_test_setup(keys_whose_weight_is_nothing, reset),
        cmocka_unit_test_setup(a_part_of_the_sum, reset),
        cmocka_unit_test_setup(a_line_that_joins_some_of_the_threads, reset),
        cmocka_unit_test_setup(maxima_that_are_not_joined, reset),
        cmocka_unit_test_setup(columns_that_nobody_divides_are_not_a_part_of_a_sum, reset),
    };
    return cmocka_run_group_tests(claims, NULL, NULL);
}
