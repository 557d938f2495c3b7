// fields_set.c: a struct begins as a copy, one of its fields is set, and a variable is called like another one.
//
//     extent right = e;  right.cols = e.cols - cols;       right.rows = rows;  and in the same struct right.cols
#include "edits.h"

#include <string.h>

enum { FIELD = 14 };  // rank

// v.field = ... : any field, or that of this name.
static bool sets_at(const edits *e, const variable *v, int i, const char *field) {
    const unit *u = &e->u;
    return is(u, i, v->name) && is(u, i + 1, ".") && (!field || is(u, i + 2, field)) && is(u, i + 3, "=") &&
           !is(u, i + 4, "=") && edits_sees(e, v, i);
}

static int first_set(const edits *e, const variable *v, const char *field) {
    for (int i = v->from; i < v->to; i++)
        if (sets_at(e, v, i, field)) return i;
    return -1;
}

static int statement_at(const edits *e, int token) {
    for (int s = 0; s < e->n_statements; s++)
        if (e->statements[s].kind == S_EXPRESSION && e->statements[s].listed && e->statements[s].first <= token &&
            token < e->statements[s].end)
            return s;
    return -1;
}

// Local variables called like the fields of v's struct.
static void name_fields(edits *e, const variable *v, int s) {
    for (int i = 0; i < e->n_variables; i++) {
        const variable *f = &e->variables[i];
        if (!f->owner || strcmp(f->owner, v->type.word) || first_set(e, v, f->name) >= 0) continue;
        const int token = e->statements[s].first;
        const variable *own = edits_visible(e, f->name, (int)strlen(f->name), token);
        if (own && !own->owner && !own->is_global && edits_alike(own->type, f->type))
            edits_insert(e, s, false, FIELD, "statement", format(&e->u, "%s.%s = %s;", v->name, f->name, f->name));
    }
}

void edits_change_fields_set(edits *e) {
    for (int i = 0; i < e->n_variables; i++) {
        const variable *v = &e->variables[i];
        const bool copy = v->type.base == BASE_STRUCT && !v->type.pointers && !v->owner && !v->is_global &&
                          !v->is_parameter && v->value > 0 && v->value_end == v->value + 1;
        const int set = copy ? first_set(e, v, NULL) : -1, s = set >= 0 ? statement_at(e, set) : -1;
        if (s >= 0 && edits_wanted(e, s)) name_fields(e, v, s);
    }
}
