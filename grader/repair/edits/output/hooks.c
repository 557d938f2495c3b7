// hooks.c: the file whose changes are data: at each place the compiler sees one hook, and what is to stand there is read
// and run by grader/repair/hooks. So a place costs the compiler something, and a change nothing.
//
//     dot = q[d];    becomes    { if (lab_off(5)) { dot = q[d]; } else { lab_do(lab_f, 5); } }
//
// lab_f has a slot for each name that a program of this function reads: where it stands and what type it has, which the
// compiler fills in where the name is declared. What is no program is code, as in write.c.
#include "hooked.h"
#include "pieces.h"

#include <stdlib.h>
#include <string.h>

static int before_hook(const edits *e, int s) { return e->n_places + s; }
static int end_hook(const edits *e, int s) { return e->n_places + e->n_statements + s; }
static int remove_hook(const edits *e, int s) { return e->n_places + 2 * e->n_statements + s; }
static int n_hooks(const edits *e) { return e->n_places + 3 * e->n_statements; }  // and those of pieces

static bool is_code(const edits *e, int s) {
    return e->code && edits_listed(e->functions[e->statements[s].function].name, e->code);
}

static const char *program_at(hooker *h, int s, int token, const char *text) {
    edits *e = h->w.e;
    const int f = e->statements[s].function;
    if (edits_in_lambda(e, token) || is_code(e, s)) return NULL;
    return edits_program(&h->d, text, f, token);
}

static const char *program_of_place(hooker *h, int place, const char *text) {
    const place_kind kind = h->w.e->places[place].kind;
    const struct place *p = &h->w.e->places[place];
    if (p->bound) return NULL;
    if (kind == P_STATEMENT && is(&h->w.e->u, p->first, "return")) {
        const function *f = &h->w.e->functions[h->w.e->statements[p->statement].function];
        for (int i = statement_start(&h->w.e->u, f->open); i < f->open; i++)
            if (is(&h->w.e->u, i, "&")) return NULL;  // what it gives back is no copy
        if (strncmp(text, "return ", 7) || edits_in_untyped_lambda(h->w.e, p->first)) return NULL;
        text += 7;
    }
    return program_at(h, p->statement, p->first, text);
}

static const char *program_of_insertion(hooker *h, const change *c) {
    const statement *st = &h->w.e->statements[c->insert];
    return program_at(h, c->insert, c->insert_at_end ? st->end - 1 : st->first, c->inserted);
}

static void line(hooker *h, const change *c, int s, int hook, const char *program) {
    if (hook < n_hooks(h->w.e)) h->used[hook] = true;
    const int f = h->w.e->statements[s].function;
    fprintf(h->programs, "%d %d %d %d %s\n", c->id, hook, f, h->w.e->functions[f].device, program);
}

// A place whose text is no program may have a part that is one. *hook: its hook.
static const char *program_for(hooker *h, int place, const char *text, int *hook) {
    const struct place *p = &h->w.e->places[place];
    const char *program = program_of_place(h, place, text);
    *hook = place;
    if (program || edits_in_lambda(h->w.e, p->first) || is_code(h->w.e, p->statement)) return program;
    *hook = edits_piece_of(h, place, text, &program);
    return *hook < 0 ? NULL : program;
}

// Its pieces: all of them are programs, or it is none.
static void plan_change(hooker *h, change *c) {
    const edits *e = h->w.e;
    int hook = -1, *hooks = keep(&h->w.e->u, sizeof *hooks * (size_t)(c->n_more + 1));
    const char *at = c->place >= 0 ? program_for(h, c->place, c->text, &hook) : "";
    const char *inserted = c->insert >= 0 ? program_of_insertion(h, c) : "";
    const char **more = keep(&h->w.e->u, sizeof *more * (size_t)(c->n_more + 1));
    c->hooked = at && inserted && (c->remove < 0 || !is_code(e, c->remove));
    for (int k = 0; k < c->n_more && c->hooked; k++)
        c->hooked = (more[k] = program_for(h, c->more[k].place, c->more[k].text, &hooks[k])) != NULL;
    if (!c->hooked) return;
    if (c->place >= 0) line(h, c, e->places[c->place].statement, hook, at);
    for (int k = 0; k < c->n_more; k++) line(h, c, e->places[c->more[k].place].statement, hooks[k], more[k]);
    if (c->insert >= 0)
        line(h, c, c->insert, c->insert_at_end ? end_hook(e, c->insert) : before_hook(e, c->insert), inserted);
    if (c->remove >= 0) line(h, c, c->remove, remove_hook(e, c->remove), "#");
}

static void write_programs(hooker *h) {
    fclose(h->programs);
    fprintf(h->w.out, "static const char lab_programs[] = \"\"");
    size_t n = 0;
    for (const char *at = h->lines; *at; at++) {
        if (n++ % 4000 == 0) fprintf(h->w.out, n > 1 ? "\"\n\"" : "\n\"");
        if (*at == '\n')
            fputs("\\n", h->w.out);
        else
            fputc(*at, h->w.out);
    }
    fprintf(h->w.out, "%s;\nstatic __attribute__((unused)) unsigned char lab_on[%d], lab_met[%d], lab_in[%d];\n",
            n ? "\"" : "", n_hooks(h->w.e) + h->n_pieces + 1, n_hooks(h->w.e) + h->n_pieces + 1,
            h->flags * h->w.e->n_functions + 1);
}

static void write_statement(hooker *h, int k) {
    writer *w = &h->w;
    const place *p = &w->e->places[k];
    if (h->used[k]) fprintf(w->out, "{ if (lab_off(%d)) { ", k);
    edits_copy_with_pieces(h, p->first, p->end);
    copy_to(w, behind_statement(w, p));
    if (!h->used[k]) return;
    fprintf(w->out,
            is(&w->e->u, p->first, "return") ? " } else { return lab_any{lab_f, %d}; } }"
                                             : " } else { lab_do(lab_f, %d); } }",
            k);
    back_to(w, w->done);
}

static void write_value(hooker *h, int k, const char *first) {
    writer *w = &h->w;
    const place *p = &w->e->places[k];
    const bool nothing = p->kind == P_VOID;
    const char *cast = nothing ? "(void)" : p->kind == P_CONDITION ? "!!" : p->cast ? p->cast : "";
    fprintf(w->out, h->used[k] ? "(%slab_off(%d) ? %s(" : "(%s", first, k, cast);
    edits_copy_with_pieces(h, p->first, p->end);
    copy_to(w, byte_behind(w, p->end - 1));
    if (h->used[k]) fprintf(w->out, nothing ? ") : lab_do(lab_f, %d)" : ") : lab_any{lab_f, %d}", k);
    fprintf(w->out, ")");
    back_to(w, w->done);
}

static const char as_statement[] = "%sif (lab_in[%d]) lab_f[%d] = lab_at(%s); ";
static const char within_value[] = "%s(lab_in[%d] ? (lab_f[%d] = lab_at(%s), 0) : 0), ";

// Where a change reads that name: in an inner loop all of them would take longer than the loop.
static const char *fillings(hooker *h, int function, int statement, int loop, const char *form) {
    const char *list = "";
    for (int i = 0, k = 0; i < h->d.n_slots; i++) {
        const slot *s = &h->d.slots[i];
        if (s->function != function) continue;
        if (s->statement == statement && s->loop == loop)
            list = format(&h->w.e->u, form, list, function * h->flags + 1 + k, k, s->name);
        k++;
    }
    return list;
}

static void count_flags(hooker *h) {
    for (int f = 0; f < h->w.e->n_functions; f++)
        if (h->flags < h->d.numbers[f] + 1) h->flags = h->d.numbers[f] + 1;
}

static void write_place(hooker *h, int k) {
    writer *w = &h->w;
    const place *p = &w->e->places[k];
    const statement *st = &w->e->statements[p->statement];
    const bool loops = p->kind == P_CONDITION && st->kind == S_LOOP;
    const char *first = loops ? fillings(h, st->function, -1, p->statement, within_value) : "";
    if (!h->used[k] && !*first && !edits_has_pieces(h, p->first, p->end)) return;
    copy_to(w, byte_of(w, p->first));
    if (p->kind == P_STATEMENT)
        write_statement(h, k);
    else
        write_value(h, k, first);
}

static bool write_insertion(hooker *h, int s, bool at_end) {
    const int hook = at_end ? end_hook(h->w.e, s) : before_hook(h->w.e, s);
    if (h->used[hook]) fprintf(h->w.out, "if (!lab_off(%d)) lab_do(lab_f, %d); ", hook, hook);
    return h->used[hook];
}

// EACH(n, rows * D) { ... }: its variable is filled in where the body s begins.
static const char *filling_of_macro(hooker *h, int s) {
    const edits *e = h->w.e;
    const int loop = e->statements[s].parent;
    if (loop < 0 || e->statements[loop].body != s || !edits_loops_by_macro(e, loop)) return "";
    return fillings(h, e->statements[s].function, -1, loop, as_statement);
}

static void begin_blocks(hooker *h, int token) {
    for (int s = 0; s < h->w.e->n_statements; s++) {
        const statement *st = &h->w.e->statements[s];
        const char *fill = st->kind == S_BLOCK && st->first == token - 1 ? filling_of_macro(h, s) : "";
        if (!*fill) continue;
        copy_to(&h->w, byte_of(&h->w, token));
        fprintf(h->w.out, "%s", fill);
        back_to(&h->w, h->w.done);
    }
}

// One that is a single statement stands in braces.
static void need_bodies(hooker *h) {
    for (int s = 0; s < h->w.e->n_statements; s++)
        if (h->w.e->statements[s].kind != S_BLOCK && *filling_of_macro(h, s)) h->w.needed[s] = true;
}

static void write_around(hooker *h, int s, bool begins) {
    writer *w = &h->w;
    const statement *st = &w->e->statements[s];
    const int removal = remove_hook(w->e, s);
    if (begins) {
        copy_to(w, st->begin);
        const bool pragma = st->begin != byte_of(w, st->first);
        if (pragma) fprintf(w->out, "\n");
        if (!st->listed) fprintf(w->out, "{ %s", st->kind == S_BLOCK ? "" : filling_of_macro(h, s));
        const bool any = write_insertion(h, s, false);
        if (h->used[removal]) fprintf(w->out, "if (lab_off(%d)) { ", removal);
        if (any || h->used[removal] || pragma) back_to(w, st->begin);
    } else {
        copy_to(w, byte_behind(w, st->end - 1));
        if (h->used[removal]) fprintf(w->out, " }");
        if (!st->listed) fprintf(w->out, " }");
    }
}

static void fill_slots(hooker *h, int s) {
    const statement *st = &h->w.e->statements[s];
    const char *list = st->kind == S_DECLARATION ? fillings(h, st->function, s, -1, as_statement) : "";
    if (!*list) return;
    copy_to(&h->w, byte_behind(&h->w, st->end - 1));
    fprintf(h->w.out, " %s", list);
    back_to(&h->w, h->w.done);
}

static void begin_function(hooker *h, int f) {
    writer *w = &h->w;
    if (w->e->functions[f].constant) return;
    const int n = h->d.numbers[f];
    copy_to(w, byte_behind(w, w->e->functions[f].body));
    fprintf(w->out, " lab_slot lab_f[%d]; if (lab_in[%d]) { __builtin_memset((void *)lab_f, 0, sizeof lab_f); %s}",
            n ? n : 1, f * h->flags, fillings(h, f, -1, -1, as_statement));
    back_to(w, w->done);
}

static void write_body(hooker *h) {
    writer *w = &h->w;
    const edits *e = w->e;
    for (int i = 0; i < e->u.token_count; i++) {
        for (int s = e->n_statements - 1; s >= 0; s--)
            if (e->statements[s].end == i) {
                if (w->needed[s]) write_around(h, s, false);
                fill_slots(h, s);
            }
        for (int f = 0; f < e->n_functions; f++)
            if (e->functions[f].body == i - 1) begin_function(h, f);
        for (int s = 0; s < e->n_statements; s++)
            if (e->statements[s].kind == S_BLOCK && e->statements[s].end == i + 1 && h->used[end_hook(e, s)]) {
                copy_to(w, byte_of(w, i));
                if (write_insertion(h, s, true)) back_to(w, w->done);
            }
        begin_blocks(h, i);
        for (int s = 0; s < e->n_statements; s++)
            if (e->statements[s].first == i && w->needed[s]) write_around(h, s, true);
        for (int p = 0; p < e->n_places; p++)
            if (e->places[p].first == i) write_place(h, p);
    }
    copy_to(w, e->size);
}

bool edits_write_hooked(edits *e, const char *path) {
    hooker h = {.w = {.e = e, .out = fopen(path, "w"), .one_instance = true}, .d = {.e = e}};
    unit *u = &e->u;
    h.w.needed = keep(u, sizeof *h.w.needed * (size_t)(e->n_statements + 1));
    h.used = keep(u, (size_t)n_hooks(e) + 1);
    h.d.numbers = keep(u, sizeof *h.d.numbers * (size_t)(e->n_functions + 1));
    h.programs = open_memstream(&h.lines, &h.n_lines);
    if (!h.w.out || !h.programs) return false;
    for (int i = 0; i < e->n_changes; i++) plan_change(&h, &e->changes[i]);
    count_flags(&h);
    mark_needed(&h.w);
    need_bodies(&h);
    fputs(hooks_head, h.w.out);
    write_programs(&h);
    fprintf(h.w.out, "#line 1 \"%s\"\n", e->path);
    write_body(&h);
    hooks_write_tail(&h);
    free(h.lines);
    return !(ferror(h.w.out) | fclose(h.w.out));
}
