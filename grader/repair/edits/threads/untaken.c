// untaken.c: the number of a block's head, which a kernel takes and never reads, and a number of heads that a count lacks.
//
//     head = blockIdx.y, ... row = S + query * sk;          S + (head * sq + query) * sk
//     softmax(scores, scores, s.seq_q, s.seq_kv)            heads * s.seq_q, where heads = s.batch * s.heads
#include "edits.h"

#include <string.h>

enum { HEAD = 4, OTHER = 9, COUNT = 8 };  // ranks

static bool is_of_block(const edits *e, const variable *v) {
    for (int i = v->value; i > 0 && i < v->value_end; i++)
        if (is(&e->u, i, "blockIdx")) return true;
    return false;
}

static bool is_plain_int(const variable *v) { return v->type.base == BASE_INT && !v->type.pointers; }

// query * sk in the offset of a pointer, or in a subscript: a row of one head.
static void row_of_head(edits *e, int place, const expression *x) {
    for (int i = 0; i < e->n_variables; i++) {
        const variable *head = &e->variables[i];
        if (!is_plain_int(head) || head->is_loop || !edits_sees(e, head, x->first) || !is_of_block(e, head) ||
            !edits_is_unread(e, head))
            continue;
        for (int k = 0; k < e->n_variables; k++) {
            const variable *rows = &e->variables[k];
            if (rows->is_parameter && is_plain_int(rows) && edits_sees(e, rows, x->first))
                edits_replace(e, place, edits_is_unread(e, rows) ? HEAD : OTHER, "unread", x->first, x->end,
                              "((size_t)%s * %s + %s)", head->name, rows->name, edits_text_of(e, x));
        }
    }
}

// n = s.batch * s.heads
static bool counts_heads(const edits *e, const variable *v) {
    bool batch = false, heads = false;
    for (int i = v->value; i > 0 && i < v->value_end; i++) {
        batch |= is(&e->u, i, "batch"), heads |= is(&e->u, i, "heads");
        if (is(&e->u, i, "seq_q") || is(&e->u, i, "seq_kv")) return false;
    }
    return batch && heads;
}

// An argument that is the rows of one head, in a call that does not say how many heads there are.
static void rows_of_all(edits *e, int place, const expression *call) {
    const char *last = "";
    for (const expression *a = call->arguments; a; a = a->next) {
        last = a->end - a->first == 3 ? edits_text(e, a->end - 1, a->end) : "";
        for (int i = 0; i < e->n_variables && !strcmp(last, "seq_q"); i++) {
            const variable *v = &e->variables[i];
            if (!is_plain_int(v) || !edits_sees(e, v, a->first) || !counts_heads(e, v)) continue;
            for (const expression *other = call->arguments; other; other = other->next)
                if (is(&e->u, other->first, v->name)) return;
            edits_replace(e, place, COUNT, "habit", a->first, a->end, "%s * %s", v->name, edits_text_of(e, a));
        }
    }
}

void edits_change_untaken(edits *e, int place, const expression *x) {
    const expression *up = x->parent;
    if (x->kind == E_CALL) rows_of_all(e, place, x);
    while (up && (up->kind == E_CAST || up->kind == E_PAREN)) up = up->parent;
    if (x->kind == E_NAME && is_operator(e, up, "*") &&
        e->functions[e->statements[e->places[place].statement].function].kernel)
        row_of_head(e, place, x);
}
