// write.c: the file with all its changes, each chosen by a number in lab_edit, and the table of them.
//
//     dot = q[d];    becomes    { if (lab_edit < 7 || lab_edit > 8) { dot = q[d]; }
//                                 else if (lab_edit == 7) {
//                               #line 1 "edit-7"
//                               dot += q[d];
//                               #line 12 "flash.cu"
//                               } ... }
//
// Values, conditions and expressions are chosen by ?: in the same way. Where a statement comes or goes, it stands under
// an `if`.
#include "writer.h"

#include <stdlib.h>
#include <string.h>

// A place in an inner loop has hundreds: where all are compiled, so many are asked for one by one, and others passed by.
enum { SHELF = 12 };
#define SHELVES(text) "\n#ifdef LAB_SHELVES\n" text "\n#endif\n"

// The student's own text up to this byte.
static void copy_as_it_is(writer *w, size_t to) {
    if (to > w->done) fwrite(w->e->source + w->done, 1, to - w->done, w->out), w->done = to;
}

void copy_to(writer *w, size_t to) {
    for (int i = 0; i < w->e->n_swaps && w->one_instance; i++) {
        const size_t first = byte_of(w, w->e->swaps[i]), end = byte_behind(w, w->e->swaps[i]);
        if (first < w->done || end > to) continue;
        copy_as_it_is(w, first);
        fprintf(w->out, "%d", w->e->dim), w->done = end;
    }
    copy_as_it_is(w, to);
}

// From here on it is the student's text again, at its line and column.
void back_to(writer *w, size_t at) {
    int line = 1;
    size_t column = 0;
    for (size_t i = 0; i < at; i++, column++)
        if (w->e->source[i] == '\n') line++, column = (size_t)-1;
    fprintf(w->out, "\n#line %d \"%s\"\n%*s", line, w->e->path, (int)(column > 200 ? 0 : column), "");
}

// Alone on its line, with all that can be wrong with it.
void candidate(writer *w, int id, const char *before, const char *text, const char *behind) {
    fprintf(w->out, "\n#line 1 \"edit-%d\"\n%s%s%s\n", id, before, text, behind);
}

// With -DDROP_82 or a line at the head of the file, change 82 is not there. What the compiler says of its ?: is said of it:
// two types that do not go together.
void begin_candidate(writer *w, int id) { fprintf(w->out, "\n#ifndef DROP_%d\n#line 1 \"edit-%d\"\n", id, id); }
void end_candidate(writer *w) { fprintf(w->out, "\n#endif\n"); }

size_t byte_of(const writer *w, int token) { return (size_t)(w->e->u.tokens[token].at - w->e->u.text); }
size_t byte_behind(const writer *w, int token) { return byte_of(w, token) + (size_t)w->e->u.tokens[token].length; }
// With its ; if it has one.
size_t behind_statement(const writer *w, const place *p) {
    return byte_behind(w, is(&w->e->u, p->end, ";") ? p->end : p->end - 1);
}

// The changes of a place, and what they make of it.
static int list_of(writer *w, int place) {
    int n = 0;
    for (int i = 0; i < w->e->n_changes; i++) {
        const change *c = &w->e->changes[i];
        const char *text = c->place == place ? c->text : NULL;
        for (int k = 0; k < c->n_more; k++)
            if (c->more[k].place == place) text = c->more[k].text;
        if (!text) continue;
        w->ids[n] = c->id;
        w->texts[n++] = text;
    }
    return n;
}

static bool begins_shelf(int i, int n) { return n > SHELF && i % SHELF == 0; }
static bool ends_shelf(int i, int n) { return n > SHELF && (i == n - 1 || i % SHELF == SHELF - 1); }
static int last_of_shelf(const writer *w, int i, int n) { return w->ids[i + SHELF < n ? i + SHELF - 1 : n - 1]; }

static void write_statement_place(writer *w, const place *p, int n) {
    const char *as_it_is = edits_text(w->e, p->first, p->end);
    fprintf(w->out, "{ if (lab_edit < %d || lab_edit > %d) { ", w->ids[0], w->ids[n - 1]);
    copy_to(w, behind_statement(w, p));
    fprintf(w->out, " }");
    for (int i = 0; i < n; i++) {
        if (begins_shelf(i, n))
            fprintf(w->out, SHELVES("else if (lab_edit <= %d) { if (lab_edit < %d) { %s; }"), last_of_shelf(w, i, n),
                    w->ids[i], as_it_is);
        begin_candidate(w, w->ids[i]);
        fprintf(w->out, "else if (lab_edit == %d) {", w->ids[i]);
        candidate(w, w->ids[i], "", w->texts[i], ";");
        fprintf(w->out, "}");
        end_candidate(w);
        if (ends_shelf(i, n)) fprintf(w->out, SHELVES("else { %s; } }"), as_it_is);
    }
    // A number of another place, or one that is dropped, leaves the text as it is.
    fprintf(w->out, " else { %s; } }", as_it_is);
    back_to(w, w->done);
}

static void write_value_place(writer *w, const place *p, int n) {
    const bool condition = p->kind == P_CONDITION;
    const char *cast = p->kind == P_VOID ? "(void)" : condition ? "!!" : p->cast ? p->cast : "";
    const char *as_it_is = format(&w->e->u, "%s(%s)", cast, edits_text(w->e, p->first, p->end));
    fprintf(w->out, "(lab_edit < %d || lab_edit > %d ? %s(", w->ids[0], w->ids[n - 1], cast);
    copy_to(w, byte_behind(w, p->end - 1));
    fprintf(w->out, ")");
    for (int i = 0; i < n; i++) {
        if (begins_shelf(i, n))
            fprintf(w->out, SHELVES(" : lab_edit <= %d ? (lab_edit < %d ? %s"), last_of_shelf(w, i, n), w->ids[i],
                    as_it_is);
        begin_candidate(w, w->ids[i]);
        fprintf(w->out, " : lab_edit == %d ?", w->ids[i]);
        candidate(w, w->ids[i], format(&w->e->u, "%s(", cast), w->texts[i], ")");
        end_candidate(w);
        if (ends_shelf(i, n)) fprintf(w->out, SHELVES(" : %s)"), as_it_is);
    }
    fprintf(w->out, " : %s)", as_it_is);
    back_to(w, w->done);
}

static void write_place(writer *w, int k) {
    const place *p = &w->e->places[k];
    const int n = list_of(w, k);
    if (!n) return;
    copy_to(w, byte_of(w, p->first));
    if (p->kind == P_STATEMENT)
        write_statement_place(w, p, n);
    else
        write_value_place(w, p, n);
}

static bool is_inserted(const change *c, int s, bool at_end) { return c->insert == s && c->insert_at_end == at_end; }

// What comes before the statement, or before the } at its end.
static bool write_insertions(writer *w, int s, bool at_end) {
    int n = 0;
    for (int i = 0; i < w->e->n_changes; i++)
        if (is_inserted(&w->e->changes[i], s, at_end)) w->ids[n++] = w->e->changes[i].id;
    for (int i = 0, k = 0; i < w->e->n_changes; i++) {
        const change *c = &w->e->changes[i];
        if (!is_inserted(c, s, at_end)) continue;
        if (begins_shelf(k, n)) {
            if (!k) fprintf(w->out, SHELVES("if (lab_edit >= %d && lab_edit <= %d) {"), w->ids[0], w->ids[n - 1]);
            fprintf(w->out, SHELVES("if (lab_edit >= %d && lab_edit <= %d) {"), w->ids[k], last_of_shelf(w, k, n));
        }
        begin_candidate(w, c->id);
        fprintf(w->out, "if (lab_edit == %d) {", c->id);
        candidate(w, c->id, "", c->inserted, "");
        fprintf(w->out, "}");
        end_candidate(w);
        if (ends_shelf(k++, n)) fprintf(w->out, k == n ? SHELVES("}}") : SHELVES("}"));
    }
    return n > 0;
}

static bool write_removals(writer *w, int s) {
    bool any = false;
    for (int i = 0; i < w->e->n_changes; i++) {
        const change *c = &w->e->changes[i];
        if (c->remove != s) continue;
        fprintf(w->out, any ? " && lab_edit != %d" : "if (lab_edit != %d", c->id);
        any = true;
    }
    if (any) fprintf(w->out, ") ");
    return any;
}

// They begin and end in the order of the text, places stand within them.
static void write_around(writer *w, int s, bool begins) {
    const statement *st = &w->e->statements[s];
    if (begins) {
        copy_to(w, st->begin);
        const bool pragma = st->begin != byte_of(w, st->first);
        if (pragma) fprintf(w->out, "\n");
        if (!st->listed) fprintf(w->out, "{ ");
        const bool any = write_insertions(w, s, false);
        const bool removed = write_removals(w, s);
        if (removed) fprintf(w->out, "{ ");
        if (any || removed || pragma) back_to(w, st->begin);
    } else {
        int i = 0;
        copy_to(w, byte_behind(w, st->end - 1));
        while (i < w->e->n_changes && w->e->changes[i].remove != s) i++;
        if (i < w->e->n_changes) fprintf(w->out, " }");
        if (!st->listed) fprintf(w->out, " }");
    }
}

void mark_needed(writer *w) {
    const edits *e = w->e;
    for (int i = 0; i < e->n_changes; i++) {
        const change *c = &e->changes[i];
        if (c->insert >= 0 && !c->insert_at_end) w->needed[c->insert] = true;
        if (c->remove >= 0) w->needed[c->remove] = true;
    }
}

// typedef float vec __attribute__((vector_size(16))); is the token such a type's name?
static bool is_vector_type(const edits *e, int token) {
    const unit *u = &e->u;
    for (int i = 0; i < u->token_count; i++) {
        if (!is(u, i, "vector_size") && !is(u, i, "__vector_size__")) continue;
        int begin = i, end = i;
        while (begin > 0 && !is(u, begin, "__attribute__")) begin--;
        while (end + 1 < u->token_count && !is(u, end, ";")) end++;
        if (edits_same(u, token, begin - 1, 1) || edits_same(u, token, end - 1, 1)) return true;
    }
    return false;
}

// A function of the file's own, and not of the contract, that returns a status.
static bool may_be_open(const edits *e, const function *f) {
    for (int i = statement_start(&e->u, f->open); i < f->open; i++)
        if (is(&e->u, i, "attn_status")) return strncmp(f->name, "attn_", 5) != 0;
    return false;
}

// tcc knows no vectors. A function with them answers as one that is not written yet, where it may: the handout then takes
// the plain way (TODO 3.12). Another one is no C for it.
static void write_vectors(writer *w, int brace) {
    const edits *e = w->e;
    for (int f = 0; f < e->n_functions && !e->cuda; f++) {
        const function *of = &e->functions[f];
        bool uses = false;
        for (int i = of->open; of->body == brace && i < of->end && !uses; i++)
            uses = is_name(&e->u, i) && is_vector_type(e, i);
        if (!uses) continue;
        copy_to(w, byte_behind(w, brace));
        fprintf(w->out, may_be_open(e, of) ? " LAB_OPEN" : " LAB_NO_C");
    }
}

static void write_body(writer *w) {
    const edits *e = w->e;
    for (int i = 0; i < e->u.token_count; i++) {
        for (int s = e->n_statements - 1; s >= 0; s--)  // what ends here: the inner ones are the later ones
            if (e->statements[s].end == i && w->needed[s]) write_around(w, s, false);
        for (int s = 0; s < e->n_statements; s++) {
            const statement *st = &e->statements[s];
            if (st->kind == S_BLOCK && st->end == i + 1) {
                copy_to(w, byte_of(w, i));
                if (write_insertions(w, s, true)) back_to(w, w->done);
            }
        }
        for (int s = 0; s < e->n_statements; s++)
            if (e->statements[s].first == i && w->needed[s]) write_around(w, s, true);
        for (int p = 0; p < e->n_places; p++)
            if (e->places[p].first == i) write_place(w, p);
        if (is(&e->u, i, "{")) write_vectors(w, i);
    }
    copy_to(w, e->size);
}

static void write_head(writer *w) {
    // simt's prelude is there for -O2 only. What follows is compiled and run hundreds of times: -O0 compiles as fast, but
    // for 40 ms, and runs half as fast.
    if (w->e->cuda) fprintf(w->out, "#pragma GCC optimize(\"O0\")\n");
    // Kernels of checked mode read no memory of the host: with LAB_EDIT one change is chosen for good, and otherwise
    // checked mode does not see who reads the number.
    fprintf(w->out,
            "#ifndef LAB_ANEW\n#define LAB_ANEW\n#define LAB_OPEN\n#define LAB_NO_C\n#endif\n"  // see tcc/prelude.h
            "#ifdef LAB_EDIT\nenum { lab_edit = LAB_EDIT };\n#else\n"
            "static __attribute__((unused)) int lab_chosen;\n"
            "#ifdef SIMT_CHECKED\n"
            "static __host__ __device__ __attribute__((unused, noinline, no_sanitize_thread)) int "
            "lab_which(void) { return lab_chosen; }\n"
            "#define lab_edit lab_which()\n"
            "#else\n#define lab_edit lab_chosen\n#endif\n");
    if (w->e->cuda) fprintf(w->out, "extern \"C\" ");
    fprintf(w->out, "__attribute__((visibility(\"default\"))) void lab_set_edit(int edit);\n");
    fprintf(w->out, "void lab_set_edit(int edit) { lab_chosen = edit; LAB_ANEW }\n#endif\n#line 1 \"%s\"\n",
            w->e->path);
}

bool edits_write(edits *e, const char *source, const char *table) {
    writer w = {.e = e, .out = fopen(source, "w")};
    w.ids = keep(&e->u, sizeof *w.ids * (size_t)(e->n_changes + 1));
    w.texts = keep(&e->u, sizeof *w.texts * (size_t)(e->n_changes + 1));
    w.needed = keep(&e->u, sizeof *w.needed * (size_t)(e->n_statements + 1));
    FILE *f = fopen(table, "w");
    if (!w.out || !f) return false;
    mark_needed(&w);
    write_head(&w);
    write_body(&w);
    edits_write_table(e, f);
    return !(ferror(w.out) | fclose(w.out) | ferror(f) | fclose(f));
}
