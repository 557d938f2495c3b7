// cases.c: finds a claim among the tables of all tasks, and draws what is to be drawn.
#include "cases.h"

#include <string.h>

#include "tasks.h"

const lab_case *lab_case_at(int i) {
    for (int t = 0; t < 2 * lab_n_tasks; t++)
        for (const lab_case *c = t % 2 ? lab_tasks[t / 2].cases : lab_tasks[t / 2].todos; c->claim; c++)
            if (i-- == 0) return c;
    return NULL;
}

const lab_op *lab_op_find(const char *name) {
    const lab_case *c;
    for (int i = 0; (c = lab_case_at(i)); i++)
        if (strcmp(c->op->name, name) == 0) return c->op;
    return NULL;
}

static int between(uint64_t key, int index, int low, int high) {
    return low + (int)(lab_bits(key, index) % (uint64_t)(high - low + 1));
}

// Small enough for a float64 oracle, odd enough for every edge: lengths up to 160, any legal head_dim.
static void draw_shape(lab_case *c, uint64_t seed) {
    const uint64_t key = lab_key(seed, c->claim, 0, ~0u);
    const int causal = c->shape.causal;
    c->shape = (attn_shape){.batch = between(key, 0, 1, 3),
                            .heads = between(key, 1, 1, 4),
                            .seq_q = between(key, 2, 1, 160),
                            .head_dim = 8 * between(key, 3, 1, 16),
                            .causal = causal};
    c->shape.seq_kv = c->shape.seq_q + between(key, 4, 0, c->shape.seq_q == 1 ? 224 : 64);
    if (c->op->draw) c->op->draw(key, &c->shape, c->extra);
}

int lab_case_find(const char *task, const char *claim, uint64_t seed, lab_case *found) {
    const lab_case *c;
    for (int i = 0; (c = lab_case_at(i)); i++)
        if (strcmp(c->task, task) == 0 && strcmp(c->claim, claim) == 0) {
            *found = *c;
            if (found->shape.batch == 0) draw_shape(found, seed);
            if (found->tokens) found->shape.heads = found->tokens;
            return 1;
        }
    return 0;
}
