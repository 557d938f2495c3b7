// unit_cases.c: the case table: its names, its order, and its shapes, which keep to the contract. grader/core/cases.c.
#include "unit.h"

#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cases.h"
#include "sizes.h"
#include "stage.h"
#include "tasks.h"

// ---- names

static void every_task_has_a_dozen_claims(void **state) {
    (void)state;
    for (int t = 0; t < lab_n_tasks; t++) {
        int cases = 0;
        for (int i = 0; lab_case_at(i); i++)
            cases += !lab_case_at(i)->todo && strcmp(lab_case_at(i)->task, lab_tasks[t].id) == 0;
        assert_true(cases >= 12);
    }
}

// A claim about a TODO goes through a probe, earns no points, and stands in the order of the TODOs.
static void claims_about_todos_are_in_order(void **state) {
    (void)state;
    for (int i = 0, last = 0; lab_case_at(i); i++) {
        const lab_case *c = lab_case_at(i);
        int task, step, end = 0;
        assert_int_equal(c->todo != NULL, strcmp(c->criterion, "todo") == 0);
        assert_int_equal(c->todo != NULL, c->op->probe);
        if (!c->todo) continue;
        assert_int_equal(sscanf(c->todo, "%d.%d%n", &task, &step, &end), 2);
        assert_int_equal(end, strlen(c->todo));
        assert_int_equal(task, atoi(c->task + strlen("task")));
        assert_true(100 * task + step >= last);
        last = 100 * task + step;
    }
}

static void claims_are_unique_sentences(void **state) {
    (void)state;
    for (int i = 0; lab_case_at(i); i++) {
        const char *name = lab_case_at(i)->claim;
        for (int k = 0; k < i; k++)
            assert_false(strcmp(lab_case_at(k)->task, lab_case_at(i)->task) == 0 &&
                         strcmp(lab_case_at(k)->claim, name) == 0);
        for (const char *c = name; *c; c++)
            assert_true(islower((unsigned char)*c) || isdigit((unsigned char)*c) || *c == '_');
        assert_true(strlen(name) <= 46);  // the width of the table that students see
    }
}

static void a_case_is_found_by_task_and_claim(void **state) {
    (void)state;
    lab_case c;
    assert_true(lab_case_find("task3", "causal_mask_hides_later_keys", 1, &c));
    assert_ptr_equal(c.op, &lab_tiled);
    assert_true(lab_case_find("task1", "causal_mask_hides_later_keys", 1, &c));
    assert_ptr_equal(c.op, &lab_sdpa);
    assert_false(lab_case_find("task1", "tiles_of_one", 1, &c));
    assert_false(lab_case_find("task1", "", 1, &c));
}

// ---- shapes

// A GEMM takes any k, where attention takes head_dims that are multiples of 8. A model's shape is about other things.
static int is_legal(const lab_case *c) {
    attn_shape s = c->shape;
    if (c->op->probe) return 1;
    if (c->op == &lab_generate) return s.batch >= 1 && s.seq_q >= 1 && s.seq_q + c->tokens - 1 <= s.seq_kv;
    if (c->op == &lab_gemm_nt || c->op == &lab_gemm_nn) s.head_dim = s.head_dim >= 1 && s.head_dim <= 128 ? 8 : 0;
    return lab_shape_valid(s);
}

static void fixed_shapes_keep_to_the_contract(void **state) {
    (void)state;
    for (int i = 0; lab_case_at(i); i++)
        if (lab_case_at(i)->shape.batch && !is_legal(lab_case_at(i))) fail_msg("%s", lab_case_at(i)->claim);
}

static void drawn_shapes_keep_to_the_contract_and_differ_by_seed(void **state) {
    (void)state;
    int drawn = 0;
    for (int i = 0; lab_case_at(i); i++) {
        if (lab_case_at(i)->shape.batch) continue;
        int changes = 0, ragged = 0, square = 0;
        lab_case c, before = {0};
        for (uint64_t seed = 1; seed <= 1000; seed++, before = c) {
            assert_true(lab_case_find(lab_case_at(i)->task, lab_case_at(i)->claim, seed, &c));
            if (!is_legal(&c)) fail_msg("%s with seed %d", c.claim, (int)seed);
            assert_int_equal(c.shape.causal, lab_case_at(i)->shape.causal);
            if (c.op == &lab_mha) assert_int_equal(c.shape.seq_q, c.shape.seq_kv);
            if (c.op == &lab_tiled) assert_true(c.tiles.Br >= 1 && c.tiles.Bc >= 1);
            changes += memcmp(&c.shape, &before.shape, sizeof c.shape) != 0;
            ragged += (c.shape.seq_q > 1 ? c.shape.seq_q : c.shape.seq_kv) % 16 != 0;
            square += c.shape.seq_q == c.shape.seq_kv;
        }
        assert_true(changes > 990 && ragged > 800 && (square < 100 || c.op == &lab_mha));
        drawn++;
    }
    assert_true(drawn >= 8);
}

// Otherwise the runner would ask a right answer to refuse sizes that it is not asked to refuse.
static void nothing_that_is_drawn_asks_for_refusals(void **state) {
    (void)state;
    const lab_case *c;
    for (int i = 0; (c = lab_case_at(i)); i++)
        for (uint64_t seed = 0; seed < 500 && c->shape.batch == 0; seed++) {
            lab_case drawn;
            assert_true(lab_case_find(c->task, c->claim, seed, &drawn));
            if (drawn.extra[1] == LAB_REFUSES && c->extra[1] != LAB_REFUSES)
                fail_msg("%s, seed %d", c->claim, (int)seed);
        }
}

static void a_seed_draws_the_same_shape_again(void **state) {
    (void)state;
    lab_case a, b;
    for (uint64_t seed = 0; seed < 10; seed++) {
        assert_true(lab_case_find("task3", "tiles_of_a_secret_shape", seed, &a));
        assert_true(lab_case_find("task3", "tiles_of_a_secret_shape", seed, &b));
        assert_memory_equal(&a.shape, &b.shape, sizeof a.shape);
        assert_memory_equal(a.extra, b.extra, sizeof a.extra);
    }
}

static void the_edges_are_among_the_cases(void **state) {
    (void)state;
    const int dims[] = {32, 64, 80, 96, 128};
    for (int t = 0; t < lab_n_tasks; t++) {
        if (strcmp(lab_tasks[t].id, "task5") >= 0) continue;  // one query, or a layer: their edges are lengths
        int one = 0, prime = 0, both_masks[2] = {0}, rectangular = 0, large = 0, large_enough = 0;
        for (size_t d = 0; d < sizeof dims / sizeof *dims; d++) {
            int found = 0;
            for (int i = 0; lab_case_at(i); i++)
                found |=
                    strcmp(lab_case_at(i)->task, lab_tasks[t].id) == 0 && lab_case_at(i)->shape.head_dim == dims[d];
            if (!found) fail_msg("%s has no head_dim %d", lab_tasks[t].id, dims[d]);
        }
        for (int i = 0; lab_case_at(i); i++) {
            const lab_case *c = lab_case_at(i);
            if (strcmp(c->task, lab_tasks[t].id) || c->op->elements != lab_sdpa.elements) continue;
            both_masks[c->shape.causal]++;
            one += c->shape.seq_q == 1, prime += c->shape.seq_q == 97, large += c->kind == LAB_LARGE;
            rectangular += c->shape.causal && c->shape.seq_q < c->shape.seq_kv;
            large_enough += c->shape.seq_q >= 512;
        }
        assert_true(one && prime && both_masks[0] && both_masks[1] && rectangular && large && large_enough);
    }
}

static void tensors_of_a_call_do_not_touch(void **state) {
    (void)state;
    for (int i = 0; lab_case_at(i); i++) {
        lab_case c;
        assert_true(lab_case_find(lab_case_at(i)->task, lab_case_at(i)->claim, 1, &c));
        const lab_layout l = lab_layout_of(c.op, c.shape, 3);
        size_t end = 0;
        for (int t = 0; t < c.op->n_tensors; t++) {
            assert_true(l.offset[t] >= end + LAB_GUARD_BYTES && l.offset[t] % 256 == 0);
            end = l.offset[t] + c.op->elements(c.shape, t) * sizeof(float);
        }
        assert_true(l.stride + l.offset[0] >= end + LAB_GUARD_BYTES && l.bytes >= 2 * l.stride + end + LAB_GUARD_BYTES);
    }
}

int main(void) {
    const struct CMUnitTest claims[] = {
        CLAIM(every_task_has_a_dozen_claims),     CLAIM(claims_about_todos_are_in_order),
        CLAIM(claims_are_unique_sentences),       CLAIM(a_case_is_found_by_task_and_claim),
        CLAIM(fixed_shapes_keep_to_the_contract), CLAIM(drawn_shapes_keep_to_the_contract_and_differ_by_seed),
        CLAIM(a_seed_draws_the_same_shape_again), CLAIM(nothing_that_is_drawn_asks_for_refusals),
        CLAIM(the_edges_are_among_the_cases),     CLAIM(tensors_of_a_call_do_not_touch),
    };
    return cmocka_run_group_tests_name("cases", claims, NULL, NULL);
}
