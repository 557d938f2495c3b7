// values.c: the file that tells what its lines compute: each number that a variable gets, or that a function returns, is
// passed on to lab_saw().
//
//     m = fmaxf(m, s[c]);    becomes    lab_saw(7, (m = fmaxf(m, s[c])));
//     a = join(a, b);        becomes    ([&](auto lab_x) { lab_saw(8, lab_x.m); lab_saw(9, lab_x.l); return lab_x; }(
//                                           (a = join(a, b))));      where a is a struct with floats m and l
//
// It lists them, with tabs between: id, line, function, and the variable, or return.
#include "writer.h"

#include <stdlib.h>
#include <string.h>

typedef struct {
    int first, end;  // tokens
    int line;
    const char *function, *name;
    const char *of;  // a struct, whose floats are passed on, each by an id of its own; NULL: it is a number
} told;

typedef struct {
    told *list;
    int n;
} all_told;

static bool is_side_by_side(value_type t) {
    return t.base == BASE_STRUCT && t.word && (!strcmp(t.word, "float4") || !strcmp(t.word, "float2"));
}

// Or several of them side by side.
static bool is_number(value_type t) {
    return !t.pointers && (t.base == BASE_FLOAT || t.base == BASE_UNKNOWN || is_side_by_side(t));
}

// A number, or numbers side by side, that a field of a struct has: float m, float acc[4].
static bool is_told_field(const edits *e, const variable *v, const char *of) {
    const bool is_array = v->type.pointers == 1 && is(&e->u, v->declared + 1, "[");
    return v->owner && !strcmp(v->owner, of) && v->from > v->to &&
           (v->type.base == BASE_FLOAT || is_side_by_side(v->type)) && (!v->type.pointers || is_array) &&
           !(v->declared > 1 && is(&e->u, v->declared - 2, "static"));
}

// Of a struct of the file with floats that everybody may read: its name.
static const char *state_of(const edits *e, value_type t) {
    const unit *u = &e->u;
    bool defined = false, hidden = false, has = false;
    if (!e->cuda || t.base != BASE_STRUCT || t.pointers || !t.word) return NULL;
    for (int i = 1; i < u->token_count; i++) {
        defined |= is(u, i, t.word) && is(u, i - 1, "struct");
        hidden |= is(u, i, "private") || is(u, i, "protected");
    }
    for (int i = 0; i < e->n_variables; i++) has |= is_told_field(e, &e->variables[i], t.word);
    return defined && !hidden && has ? t.word : NULL;
}

static void add(edits *e, all_told *all, int place, int first, int end, const char *name, value_type type) {
    const int f = e->statements[e->places[place].statement].function;
    const char *of = is_number(type) ? NULL : state_of(e, type);
    if (is(&e->u, first, "{") || (!is_number(type) && !of)) return;
    edits_grow(&e->u, (void **)&all->list, sizeof *all->list, all->n);
    all->list[all->n++] = (told){first, end, e->u.tokens[first].line, e->functions[f].name, name, of};
}

static void add_assigned(edits *e, all_told *all, int place, expression *x) {
    if (!x) return;
    if (x->kind == E_ASSIGN && (is_number(edits_type_of(e, x->a)) || is(&e->u, x->op, "=")))
        add(e, all, place, x->first, x->end, edits_text_of(e, x->a), edits_type_of(e, x->a));
    add_assigned(e, all, place, x->a), add_assigned(e, all, place, x->b);
    for (expression *c = x->c; c; c = c->next) add_assigned(e, all, place, c);
    for (expression *c = x->arguments; c; c = c->next) add_assigned(e, all, place, c);
}

// float &operator()(int r, int c): what it returns is to be written to.
static bool returns_reference(const unit *u, const function *f) {
    enum { LONGEST = 4 };  // operator()(
    int name = f->open - 1;
    for (int i = name; i > 0 && i > f->open - LONGEST; i--)
        if (is(u, i, "operator")) name = i;
    return is(u, name - 1, "&");
}

// An assignment, a number that is returned, or float x = ...: the name before the sign.
static void add_place(edits *e, all_told *all, int place) {
    const struct place *p = &e->places[place];
    const statement *s = &e->statements[p->statement];
    const function *f = &e->functions[s->function];
    if (s->fixed || f->constant || p->of_macro) return;
    if (p->kind == P_STATEMENT && s->kind == S_RETURN && p->tree && !returns_reference(&e->u, f))
        add(e, all, place, p->tree->first, p->tree->end, "return", f->result);
    if (p->kind == P_VALUE && !p->bound && p->first >= 2 && is(&e->u, p->first - 1, "=") &&
        is_name(&e->u, p->first - 2)) {
        const char *name = edits_text(e, p->first - 2, p->first - 1);
        const variable *v = edits_visible(e, name, (int)strlen(name), p->end);
        if (v && !is(&e->u, p->first - 3, "&")) add(e, all, place, p->first, p->end, name, v->type);
    }
    add_assigned(e, all, place, p->tree);
}

// The = of a statement, outside of its brackets; 0: it has none.
static int assigns(const unit *u, int first, int end) {
    for (int i = first; i < end; i = skip_group(u, i))
        if (is(u, i, "=") && !adjacent(u, i, "==") && !strchr("<>!=", *u->tokens[i - 1].at)) return i;
    return 0;
}

static bool has_lambda(const unit *u, int first, int end) {
    for (int i = first; i < end; i++)
        if (edits_lambda(u, i)) return true;
    return false;
}

// m = fold(s, [](float a, float b) { ... }): the statement is no place, for those of the lambda's body lie in it.
static void add_with_lambda(edits *e, all_told *all, const statement *s) {
    const unit *u = &e->u;
    const int end = s->end - is(u, s->end - 1, ";"), sign = assigns(u, s->first, end);
    bool declares = false, real = false;
    if (s->fixed || !sign || e->functions[s->function].constant || !has_lambda(u, sign, end)) return;
    for (int i = s->first; i + 1 < sign; i++) {
        declares |= is_name(u, i) && (is_name(u, i + 1) || is(u, i + 1, "*") || is(u, i + 1, "&"));
        real |= is(u, i, "float") && is_name(u, i + 1) && i + 2 == sign;
    }
    for (int i = sign; i < end && declares; i = skip_group(u, i)) real &= !is(u, i, ",");
    if (declares && !real) return;
    const int left = sign - (strchr("+-*/", *u->tokens[sign - 1].at) != NULL);
    edits_grow(&e->u, (void **)&all->list, sizeof *all->list, all->n);
    all->list[all->n++] = (told){declares ? sign + 1 : s->first,
                                 end,
                                 u->tokens[s->first].line,
                                 e->functions[s->function].name,
                                 edits_text(e, declares ? sign - 1 : s->first, left),
                                 NULL};
}

static int by_place(const void *a, const void *b) {
    const told *x = a, *y = b;
    return x->first != y->first ? x->first - y->first : y->end - x->end;
}

static void write_head(writer *w) {
    FILE *out = w->out;
    fprintf(out, "typedef struct { int id, where; float value; } lab_value;\n"
                 "static __attribute__((unused)) lab_value *lab_values;\n"
                 "static __attribute__((unused)) int lab_room;\n");
    if (w->e->cuda) fprintf(out, "extern \"C\" ");
    fprintf(out, "__attribute__((visibility(\"default\"))) void lab_set_values(void *at, int room);\n"
                 "void lab_set_values(void *at, int room) { lab_values = (lab_value *)at, lab_room = room; }\n");
    if (w->e->cuda)
        fprintf(out,
                "static inline __host__ __device__ int lab_where() {\n"  // x, y and z: simt/runtime/abi.h
                "    if (!simt_on_device()) return -1;\n"
                "    const unsigned long t = simt_thread_idx(), b = simt_block_idx(), n = simt_block_dim(),\n"
                "                        g = simt_grid_dim(), low = 0xffffffff;\n"
                "    const unsigned long block =\n"
                "        (b & low) + (g & low) * ((b >> 32 & 0xffff) + (g >> 32 & 0xffff) * (b >> 48));\n"
                "    return (int)(((t & low) + (n & low) * ((t >> 32 & 0xffff) + (n >> 32 & 0xffff) * (t >> 48))) |\n"
                "                 (block & 0xffff) << 10);\n"
                "}\n"
                "template <class T> static inline __host__ __device__ T lab_saw(int, T x) { return x; }\n"
                "static inline __host__ __device__ float lab_saw(int id, float x) {\n"
                "    if (lab_values && lab_values[0].id < lab_room) {\n"
                "        lab_value *at = &lab_values[++lab_values[0].id];\n"
                "        at->id = id, at->where = lab_where(), at->value = x;\n"
                "    }\n"
                "    return x;\n"
                "}\n"
                "static inline __host__ __device__ double lab_saw(int id, double x) {\n"
                "    return lab_saw(id, (float)x), x;\n"
                "}\n"
                "static inline __host__ __device__ float2 lab_saw(int id, float2 x) {\n"
                "    return lab_saw(id, x.x), lab_saw(id, x.y), x;\n"
                "}\n"
                "static inline __host__ __device__ float4 lab_saw(int id, float4 x) {\n"
                "    return lab_saw(id, x.x), lab_saw(id, x.y), lab_saw(id, x.z), lab_saw(id, x.w), x;\n"
                "}\n");
    else
        fprintf(out, "static inline void lab_saw_one(int id, float x) {\n"
                     "    if (lab_values && lab_values[0].id < lab_room) {\n"
                     "        lab_value *at = &lab_values[++lab_values[0].id];\n"
                     "        at->id = id, at->where = -1, at->value = x;\n"
                     "    }\n"
                     "}\n"
                     "#define lab_saw(id, x) __extension__({ __typeof__(x) lab_x = (x); \\\n"
                     "    if (_Generic(lab_x, float: 1, double: 1, default: 0)) \\\n"
                     "        lab_saw_one(id, _Generic(lab_x, float: *(float *)(void *)&lab_x, \\\n"
                     "            double: (float)*(double *)(void *)&lab_x, default: 0.0f)); lab_x; })\n");
    fprintf(out, "#line 1 \"%s\"\n", w->e->path);
}

// field: of a struct, or "".
static void list(const told *t, int id, const char *field, FILE *said) {
    const char *dot = *field && strcmp(t->name, "return") ? "." : "";
    fprintf(said, "%d\t%d\t%s\t%s%s%s\n", id, t->line, t->function, t->name, dot, *dot ? field : "");
}

// What stands before the value. Returns the next id.
static int open_told(writer *w, const told *t, int id, FILE *said) {
    if (!t->of) return list(t, id, "", said), fprintf(w->out, "lab_saw(%d, (", id), id + 1;
    fprintf(w->out, "([&](auto lab_x) { ");
    for (int i = 0; i < w->e->n_variables; i++) {
        const variable *v = &w->e->variables[i];
        if (!is_told_field(w->e, v, t->of)) continue;
        list(t, id, v->name, said);
        if (v->type.pointers)
            fprintf(w->out, "for (auto lab_v : lab_x.%s) lab_saw(%d, lab_v); ", v->name, id++);
        else
            fprintf(w->out, "lab_saw(%d, lab_x.%s); ", id++, v->name);
    }
    fprintf(w->out, "return lab_x; }((");
    return id;
}

bool edits_write_values(edits *e, const char *path, FILE *said) {
    writer w = {.e = e, .out = fopen(path, "w")};
    all_told all = {0};
    if (!w.out) return false;
    for (int p = 0; p < e->n_places; p++) add_place(e, &all, p);
    for (int i = 0; i < e->n_statements && e->cuda; i++) {
        const statement_kind kind = e->statements[i].kind;
        if (kind == S_EXPRESSION || kind == S_DECLARATION || kind == S_OTHER)
            add_with_lambda(e, &all, &e->statements[i]);
    }
    qsort(all.list, (size_t)all.n, sizeof *all.list, by_place);
    write_head(&w);
    for (int i = 0, next = 0, id = 1; i < e->u.token_count; i++) {
        for (int k = next - 1; k >= 0; k--)
            if (all.list[k].end == i)
                copy_to(&w, byte_behind(&w, i - 1)), fprintf(w.out, all.list[k].of ? ")))" : "))");
        for (; next < all.n && all.list[next].first == i; next++) {
            copy_to(&w, byte_of(&w, i));
            id = open_told(&w, &all.list[next], id, said);
        }
    }
    copy_to(&w, e->size);
    return !(ferror(w.out) | fclose(w.out));
}
