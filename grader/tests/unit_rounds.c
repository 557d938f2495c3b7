// unit_rounds.c: how many rounds are timed, by a scripted clock, and how long the baselines' times are kept. Nothing here
// runs or depends on how fast the machine is. grader/measure/{clock,kept}.c.
#include "unit.h"

#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "clock.h"
#include "kept.h"

// ---- A scripted clock: what each contender's rounds "take"

typedef struct {
    double even, odd;  // seconds of even and odd rounds
    int fails_at;      // round; 0: never
} script;

typedef struct {
    const script *s;
    int draws, last;
    int fast_at[3];   // rounds that take half of the seconds
    char order[256];  // who was timed: "abab"
} scene;

static void drawn(void *context, int round) {
    scene *c = context;
    c->draws++, c->last = round;
}

static double played(void *context, int i, int round, lab_timing *t) {
    scene *c = context;
    const size_t n = strlen(c->order);
    if (n + 1 < sizeof c->order) c->order[n] = 'a' + i;
    if (c->s[i].fails_at && round == c->s[i].fails_at) t->verdict = LAB_WRONG_ANSWER;
    const double seconds = round % 2 ? c->s[i].odd : c->s[i].even;
    return round && (round == c->fast_at[0] || round == c->fast_at[1] || round == c->fast_at[2]) ? seconds / 2
                                                                                                 : seconds;
}

static const lab_budget budget = {.sure = 2, .usual = 7, .most = 30, .seconds = 1, .longest = 4, .spread = 0.02};

static scene play(const script *s, int n, lab_timing *t) {
    static lab_samples samples[4];
    scene c = {.s = s};
    const lab_timer timer = {&c, drawn, played};
    memset(samples, 0, sizeof samples), memset(t, 0, n * sizeof *t);
    lab_clock(&timer, n, &budget, samples, t);
    for (int i = 0; i < n; i++) lab_summarise(&t[i], samples[i].seconds, 1);
    return c;
}

static void a_quiet_machine_needs_the_usual_rounds(void **state) {
    const script quiet = {0.01, 0.01, 0};
    lab_timing t;
    (void)state;
    assert_int_equal(play(&quiet, 1, &t).draws, 7);
    assert_true(t.rounds == 7 && t.median_s == 0.01 && t.iqr_s == 0);
}

static void a_noisy_machine_is_timed_until_the_budget_is_used(void **state) {
    const script noisy = {0.04, 0.06, 0}, noisy_and_short = {0.001, 0.002, 0};
    lab_timing t;
    (void)state;
    play(&noisy, 1, &t);
    assert_int_equal(t.rounds, 20);  // one second
    play(&noisy_and_short, 1, &t);
    assert_int_equal(t.rounds, budget.most);
}

static void rounds_that_a_busy_machine_has_slowed_are_left_out(void **state) {
    double disturbed[] = {0.023, 0.0121, 0.031, 0.012, 0.0235, 0.0122, 0.04}, quiet[] = {0.0121, 0.012, 0.0123},
           alone[] = {0.012, 0.002, 0.0121, 0.0122}, wild[] = {1, 2, 3, 4};
    (void)state;
    assert_int_equal(lab_undisturbed(disturbed, 7, 0), 3);
    assert_true(disturbed[0] == 0.012 && disturbed[2] == 0.0122);
    assert_int_equal(lab_undisturbed(quiet, 3, 0), 3);
    assert_int_equal(lab_undisturbed(alone, 4, 0), 3);  // one fast round is no time
    assert_true(alone[0] == 0.012);
    assert_int_equal(lab_undisturbed(wild, 4, 0), 4);
}

// Seen on an H200: five of seven rounds took 8 ms more, all five the same. The three that come close to each other
// must be the fastest: two fast ones are waited for until there is a third, not left out.
static void two_fast_rounds_are_waited_for(void **state) {
    const script slowed = {0.2, 0.2, 0}, slow = {3, 3, 0};
    lab_samples samples[1] = {0};
    lab_timing t = {0};
    scene c = {.s = &slowed, .fast_at = {3, 8, 11}};
    const lab_timer timer = {&c, NULL, played};
    lab_budget b = budget;
    (void)state;
    b.settles = 1, b.usual = 3;
    lab_clock(&timer, 1, &b, samples, &t);
    assert_int_equal(t.rounds, 3);  // three that agree: nobody knows that they are slow
    b.usual = 7, samples[0] = (lab_samples){0}, t = (lab_timing){0};
    lab_clock(&timer, 1, &b, samples, &t);
    assert_int_equal(t.rounds, 12);
    assert_int_equal(lab_undisturbed(samples[0].seconds, t.rounds, 0), 3);
    assert_true(samples[0].seconds[2] == 0.1);
    c.s = &slow, c.fast_at[0] = 1, samples[0] = (lab_samples){0}, t = (lab_timing){0};
    lab_clock(&timer, 1, &b, samples, &t);
    assert_int_equal(t.rounds, 5);  // a round of 3 s: four times `longest` is the end
}

// The null stage's request: 0.1 ms, and a scheduler's 4 ms.
static void what_is_next_to_nothing_need_not_be_the_same_within_microseconds(void **state) {
    double null[] = {0.000102, 0.00411, 0.000131, 0.000118, 0.00412, 0.00413};
    (void)state;
    assert_true(!lab_settled(null, 6, 0) && lab_settled(null, 6, -1e-3));
    assert_int_equal(lab_undisturbed(null, 6, -1e-3), 3);
    assert_true(null[2] == 0.000131);
}

static void a_slow_call_has_the_rounds_that_it_can_afford(void **state) {
    const script slow = {1.3, 1.3, 0}, slower = {60, 60, 0};
    lab_timing t;
    (void)state;
    play(&slow, 1, &t);
    assert_int_equal(t.rounds, 3);  // a fourth would end after 5.2 s
    play(&slower, 1, &t);
    assert_int_equal(t.rounds, budget.sure);
}

static void contenders_take_turns_and_each_stops_for_itself(void **state) {
    const script two[] = {{0.01, 0.01, 0}, {60, 60, 0}};
    lab_timing t[2];
    (void)state;
    const scene c = play(two, 2, t);
    assert_string_equal(c.order, "ababaaaaa");
    assert_true(c.draws == 7 && c.last == 6);  // one draw a round, for both
}

static void who_is_wrong_once_has_no_time(void **state) {
    const script two[] = {{0.01, 0.01, 0}, {0.01, 0.01, 3}};
    lab_timing t[2];
    (void)state;
    const scene c = play(two, 2, t);
    assert_string_equal(c.order, "ababababaaa");
    assert_true(t[0].rounds == 7 && t[1].rounds == 0);
    assert_int_equal(t[1].verdict, LAB_WRONG_ANSWER);
}

// ---- What is kept of the baselines

static void keep(lab_kept *k, const char *point, double seconds) {
    const lab_timing t = {.rounds = 7, .median_s = seconds};
    const lab_timing null = {.rounds = 1, .median_s = 1e-4 * seconds * seconds};
    json_t *o = json_object();
    lab_kept_set(o, "null, one call", &null);
    lab_kept_set(o, "task 2", &t);
    lab_kept_put(k, point, o);
}

static lab_kept opened(void) {
    lab_kept k;
    lab_kept_open(&k, "build/tests/kept", getenv("LAB_BUILD") ? getenv("LAB_BUILD") : "build", "tree", 0);
    return k;
}

static void baselines_are_kept_until_the_machine_drifts(void **state) {
    lab_timing t;
    int checks = 0;
    (void)state;
    mkdir("build/tests", 0777);
    lab_kept k = opened();
    unlink(k.path), lab_kept_close(&k);
    for (int run = 1; run <= 16; run++) {
        k = opened();
        if (run == 1) json_object_clear(json_object_get(k.all, "points")), keep(&k, "a", 1), keep(&k, "b", 2);
        assert_true(lab_kept_get(lab_kept_find(&k, "a"), "task 2", &t) && t.median_s == 1 && t.rounds == 7);
        checks += k.check;
        lab_kept_close(&k);
    }
    assert_int_equal(checks, 2);
    k = opened();
    keep(&k, "a", 1.02);
    assert_non_null(lab_kept_find(&k, "b"));
    keep(&k, "a", 1.06);
    assert_null(lab_kept_find(&k, "b"));
    assert_non_null(lab_kept_find(&k, "a"));
    lab_kept_close(&k);
}

int main(void) {
    const struct CMUnitTest claims[] = {
        CLAIM(a_quiet_machine_needs_the_usual_rounds),
        CLAIM(a_noisy_machine_is_timed_until_the_budget_is_used),
        CLAIM(rounds_that_a_busy_machine_has_slowed_are_left_out),
        CLAIM(two_fast_rounds_are_waited_for),
        CLAIM(what_is_next_to_nothing_need_not_be_the_same_within_microseconds),
        CLAIM(a_slow_call_has_the_rounds_that_it_can_afford),
        CLAIM(contenders_take_turns_and_each_stops_for_itself),
        CLAIM(who_is_wrong_once_has_no_time),
        CLAIM(baselines_are_kept_until_the_machine_drifts),
    };
    return cmocka_run_group_tests_name("rounds", claims, NULL, NULL);
}
