// unit_factors.c: how many times each key counts in a sum: twice, with a factor of its own, or in a logarithm of a part
// (grader/values: parts_counted.c, parts_factors.c).
#include <math.h>

#include "told.h"

static void keys_that_count_twice(void **state) {
    (void)state;
    for (int t = 0; t < 2; t++) grow(add(1, t, 15, 3, 15, 1u << t, 0), 1, 1, 0, 0);
    for (int t = 0; t < 2; t++) grow(add(2, t, 15, 7, 15, 1u << t, 0), 1, 1, 2, 0);
    for (int t = 0; t < 2; t++) {
        lab_number *x = add(8, t, 15, 15, 15, 1u << t, 0);
        grow(x, 1, 1, 2, 2), store(t, x);
    }
    expect("line 20, in f, adds keys 2 and 3 up 2 times, and keys 0 and 1 once");
    for (int k = 0; k < ROOM * KEYS; k++) world.gain[k] *= 0.2f;  // none of them counts once
    expect("line 20, in f, lets keys 2 and 3 count 2 times as much as keys 0 and 1: in one sum each key counts "
           "exp(s - m), and that times the same factor, or none");
    for (int t = 0; t < 2; t++) grow(&world.number[4 + t], 2, 2, 4, 3);  // it is another factor
    expect("");
    for (int t = 0; t < 2; t++) grow(&world.number[4 + t], 3, 3, 3, 3);  // no key counts more than another one
    expect("");
}

// Warp 0 has keys 0 and 1, and warp 1 keys 2 and 3. What is there is to be multiplied by its own factor, not by the other's.
static void keys_with_a_factor_too_many(void **state) {
    (void)state;
    add(5, 0, 15, 0, 15, 0, 0)->told.value = 0.7f;
    for (int t = 0; t < 2; t++) {
        grow(add(1, t, 15, 3, 15, 1u << t, 0), 1, 1, 0, 0);
        lab_number *x = add(2, t, 15, 15, 15, 1u << t, 0), *out = add(8, t, 15, 15, 15, 1u << t, 0);
        grow(x, 1, 1, 1, 1), grow(out, 1, 1, 1, 1), store(t, out);
        for (int k = 0; k < 2; k++)
            world.gain[(x - world.number) * KEYS + k] *= 0.7f, world.gain[(out - world.number) * KEYS + k] *= 0.7f;
    }
    expect("line 20, in f, adds up what belongs to different maxima: in thread 0, keys 0 and 1 against keys 2 and 3, "
           "exp(s - m) counts x times (line 50) as much. In one sum each key counts exp(s - m) with the same m: what "
           "is there already, and what comes, are multiplied by exp(their m - the new m), each by its own and once");
    world.number[0].told.value = 0.6f;  // no line has that factor
    expect("line 20, in f, adds up what belongs to different maxima: in thread 0, keys 0 and 1 against keys 2 and 3, "
           "exp(s - m) counts 0.7 times as much. In one sum each key counts exp(s - m) with the same m: what "
           "is there already, and what comes, are multiplied by exp(their m - the new m), each by its own and once");
    for (size_t k = 0; k < world.d.n; k++) world.gain[k * KEYS + 1] *= 1.3f, world.gain[k * KEYS + 3] *= 1.1f;
    expect("");                                                  // each key has another one's score
    for (int k = 0; k < ROOM * KEYS; k++) world.gain[k] = 0.5f;  // all count alike
    expect("");
}

// Two splits or one: L_s is the logarithm of the sum of exp(s) of all keys that its block has.
static void logarithms_of_a_part(void **state) {
    (void)state;
    static float mass[1] = {2};
    world.d.mass = mass, world.d.splits = 1;
    for (int t = 0; t < 2; t++) add(3, t, t ? 12 : 3, 0, 15, 0, 0)->told.value = 2 + logf(0.5f);
    add_outputs();
    expect("line 30, in f, takes the logarithm of a part of the sum: thread 0 has keys 0 and 1 there, and the output "
           "of its block has keys 0 .. 3 (line 80). L_s is m + log(l) of all keys of the split: make it behind what "
           "joins m and l");
    add(4, 0, 15, 0, 15, 0, 0)->told.value = 2;  // the parts' logarithms are joined
    expect("");
    for (int t = 0; t < 2; t++) world.number[t].of[LAB_OF_KEYS].word[0] = 15, world.number[t].told.value = 2 + logf(2);
    expect("");
    world.d.n--;
    expect("line 30, in f, takes the logarithm of a sum in which each key counts 2 times: 2 threads, or groups of "
           "them, have all of keys 0 .. 3. Share these out among them, so that each key is added up once");
    world.d.splits = 0;  // nobody asks for L
    expect("");
    world.d.splits = 1, world.d.n = 0;
    add(3, 0, 1, 0, 15, 0, 1)->told.value = 2 + logf(0.25f), add_outputs();
    expect("line 30, in f, has one key's score in place of L_s: thread 0 has key 0 there, as m has without log(l), or "
           "log(l) of that key alone, and the output of its block has keys 0 .. 3 (line 80). L_s is m + log(l) of all "
           "keys of the split");
    add(3, 1, 2, 0, 15, 0, 1);  // of each key: it is a score
    expect("");
}

// Another block leaves the L_s of its own keys, and what joins the splits reads it.
static void a_logarithm_that_is_handed_over(void **state) {
    (void)state;
    static float mass[1] = {2};
    world.d.mass = mass, world.d.splits = 2;
    add(4, 1024, 3, 0, 15, 0, 0)->told.value = 2 + logf(0.5f), add(5, 1024, 3, 3, 15, 1, 0);
    add(3, 0, 3, 0, 15, 0, 0)->told.value = 2 + logf(0.5f), add_outputs();
    expect("line 30, in f, takes the logarithm of a part of the sum: thread 0 has keys 0 and 1 there, and the output "
           "of its block has keys 0 .. 3 (line 80). L_s is m + log(l) of all keys of the split: make it behind what "
           "joins m and l");
    for (int i = 3; i < 5; i++) snprintf(world.line[i].function, sizeof world.line[i].function, "split");
    expect("");
}

int main(void) {
    const struct CMUnitTest claims[] = {
        cmocka_unit_test_setup(keys_that_count_twice, reset),
        cmocka_unit_test_setup(keys_with_a_factor_too_many, reset),
        cmocka_unit_test_setup(logarithms_of_a_part, reset),
        cmocka_unit_test_setup(a_logarithm_that_is_handed_over, reset),
    };
    return cmocka_run_group_tests(claims, NULL, NULL);
}
