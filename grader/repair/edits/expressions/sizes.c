// sizes.c: another size of the same struct: s.seq_q for s.seq_kv, c.heads for c.batch.
#include "edits.h"

#include <string.h>

enum { TWIN = 17, OTHER = 22 };  // ranks

static bool are_twins(const char *a, const char *b) {
    static const char *const pairs[][2] = {{"batch", "heads"},
                                           {"seq_q", "seq_kv"},
                                           {"heads", "head_dim"},
                                           {"max_seq", "head_dim"},
                                           {"head_dim", "seq_kv"}};
    for (size_t i = 0; i < sizeof pairs / sizeof *pairs; i++)
        if ((!strcmp(a, pairs[i][0]) && !strcmp(b, pairs[i][1])) ||
            (!strcmp(a, pairs[i][1]) && !strcmp(b, pairs[i][0])))
            return true;
    return false;
}

void edits_change_sizes(edits *e, int place, expression *x) {
    if (x->kind != E_MEMBER || edits_is_set(e, x) || !edits_is_whole(edits_type_of(e, x))) return;
    const value_type of = edits_type_of(e, x->a);
    const char *own = edits_text(e, x->end - 1, x->end);
    for (int i = 0; of.base == BASE_STRUCT && of.word && i < e->n_variables; i++) {
        const variable *v = &e->variables[i];
        if (!v->owner || strcmp(v->owner, of.word) || !edits_is_whole(v->type) || !strcmp(v->name, own)) continue;
        edits_replace(e, place, are_twins(own, v->name) ? TWIN : OTHER, "size", x->end - 1, x->end, "%s", v->name);
    }
}
