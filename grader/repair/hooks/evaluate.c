// evaluate.c: runs the piece of a change that stands at a hook: its text as a tree in prefix notation (edits/output/data).
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "value.h"

void simt_trap(void);  // ends the kernel: this change makes a loop endless, or would take too long

// Calls: a small claim may have more than 8000 threads, each of which meets the hook once.
enum { MOST_NODES = 4096, MOST_HOOKS = 16, CALLS = 32000, MANY_CALLS = 1000 * 1000, PATIENT = 1 << 24 };

typedef struct {
    char op, sub;  // sub: the operator of an assignment, the kind of a number or of a cast
    int slot;      // of a name; of a field: its name; of a call: the function
    int a, b, c;   // 0: none
    lab_value value;
} node;

static node nodes[MOST_NODES];
static int n_nodes;

static struct {
    const char **line;  // of each change: its first one
    int n;
    unsigned char *on, *in, *met;  // of each hook, of each function, of each hook
    unsigned char *passed;         // by calls of the file as it is
    int n_met, flags, as_it_is;    // flags: of each function
    const lab_field *fields;
    int n_fields;
    int hook[MOST_HOOKS], root[MOST_HOOKS], function[MOST_HOOKS], n_hooks;  // of the change that is chosen
    int device, calls, most_calls;
} now;

static const char *next_line(const char *at) {
    at = strchr(at, '\n');
    return at && at[1] ? at + 1 : NULL;
}

void lab_hooks_open(const char *programs, unsigned char *all[3], int n_hooks, int flags, const lab_field *fields,
                    int n_fields) {
    now.flags = flags;
    now.on = all[0], now.in = all[1], now.met = all[2], now.n_met = n_hooks;
    now.passed = malloc((size_t)n_hooks), now.fields = fields, now.n_fields = n_fields;
    for (const char *at = programs; at && *at; at = next_line(at)) {
        const int id = atoi(at);
        if (id >= now.n) {
            const int n = 2 * id + 64;
            const char **more = realloc(now.line, (size_t)n * sizeof *more);
            if (!more) return;
            memset(more + now.n, 0, (size_t)(n - now.n) * sizeof *more);
            now.line = more, now.n = n;
        }
        if (!now.line[id]) now.line[id] = at;
    }
}

static int operands(char op) {
    if (strchr("VIR", op)) return 0;
    if (strchr(".@PAn!~Cpq", op)) return 1;
    return strchr("?w", op) ? 3 : 2;
}

static int read_node(const char **at) {
    if (n_nodes >= MOST_NODES) return 0;
    const int k = n_nodes++;
    node x = {.op = *(*at)++};
    char *end;
    if (strchr("ICm", x.op)) x.sub = *(*at)++;
    if (x.op == 'R') x.sub = *(*at)++;
    if (x.op == 'I') x.value = lab_number(x.sub, (long)strtoul(*at, &end, 10)), *at = end + 1;
    if (x.op == 'R') x.value = lab_real(x.sub, strtod(*at, &end)), *at = end + 1;
    if (strchr("V.@f", x.op)) x.slot = (int)strtol(*at, &end, 10), *at = end + 1;
    const int n = x.op == 'f' ? **at - '0' : operands(x.op);
    if (x.op == 'f') (*at)++;
    if (n > 0) x.a = read_node(at);
    if (n > 1) x.b = read_node(at);
    if (n > 2) x.c = read_node(at);
    nodes[k] = x;
    return k;
}

static void end_of_as_it_is(void) {
    if (now.as_it_is && now.passed) memcpy(now.passed, now.met, (size_t)now.n_met);
    now.as_it_is = 0;
}

int lab_hooks_idle(int edit) {
    end_of_as_it_is();
    edit &= ~PATIENT;
    int idle = edit > 0 && edit < now.n && now.line[edit];
    for (const char *at = idle ? now.line[edit] : NULL; at && atoi(at) == edit; at = next_line(at)) {
        char *text;
        strtol(at, &text, 10);
        idle &= now.passed && !now.passed[strtol(text, NULL, 10)];
    }
    return idle;
}

void lab_hooks_choose(int edit) {
    now.most_calls = edit & PATIENT ? MANY_CALLS : CALLS;
    edit &= ~PATIENT;
    for (int i = 0; i < now.n_hooks; i++)
        now.on[now.hook[i]] = 0, memset(now.in + now.function[i] * now.flags, 0, (size_t)now.flags);
    now.n_hooks = 0, n_nodes = 1, now.calls = now.device = 0;
    end_of_as_it_is();
    now.as_it_is = !edit;
    if (!edit) memset(now.met, 0, (size_t)now.n_met);
    for (const char *at = edit > 0 && edit < now.n ? now.line[edit] : NULL; at && atoi(at) == edit;
         at = next_line(at)) {
        char *text;
        strtol(at, &text, 10);
        const int hook = (int)strtol(text, &text, 10);
        const int function = (int)strtol(text, &text, 10);
        now.device |= strtol(text, &text, 10) != 0;
        const char *program = text + 1;
        if (now.n_hooks == MOST_HOOKS) return;
        unsigned char *const read = now.in + function * now.flags;
        const int first = n_nodes;
        now.on[hook] = 1;
        now.root[now.n_hooks] = *program == '#' ? 0 : read_node(&program);  // #: it goes
        *read |= now.root[now.n_hooks] != 0;
        for (int k = first; k < n_nodes; k++)
            if (nodes[k].op == 'V') read[1 + nodes[k].slot] = 1;
        now.function[now.n_hooks] = function;
        now.hook[now.n_hooks++] = hook;
    }
}

static lab_value run(int k, const lab_slot *frame);
static lab_place place(int k, const lab_slot *frame);

static lab_place no_place(lab_value v) { return (lab_place){v.type, NULL}; }

static lab_place field_of(const lab_type *owner, char *at, int name) {
    for (int i = 0; i < now.n_fields && at; i++)
        if (now.fields[i].owner == owner && now.fields[i].name == name)
            return (lab_place){now.fields[i].type, at + now.fields[i].offset};
    return no_place(lab_number('v', 0));
}

static lab_place follow(lab_value v) {
    if ((v.type->kind != 'p' && v.type->kind != 'a') || v.type->of->kind == 'v') return no_place(lab_number('v', 0));
    return (lab_place){v.type->of, v.p};
}

static lab_place assign(const node *x, const lab_slot *frame) {
    const lab_value from = run(x->b, frame);
    const lab_place to = place(x->a, frame);
    if (to.at) lab_store(to.type, to.at, x->sub == '=' ? from : lab_binary(x->sub, lab_load(to.type, to.at), from));
    return to;
}

// x++ as a value is what x was.
static lab_value step(const node *x, const lab_slot *frame) {
    const lab_place at = place(x->a, frame);
    if (!at.at) return run(x->a, frame);
    const lab_value was = lab_load(at.type, at.at);
    lab_store(at.type, at.at, lab_binary(x->op == 'p' ? '+' : '-', was, lab_number('i', 1)));
    return was;
}

static lab_value call(const node *x, const lab_slot *frame) {
    const lab_value a = run(x->a, frame), b = x->b ? run(x->b, frame) : a, c = x->c ? run(x->c, frame) : a;
    const float f = lab_convert(a, 'f').f, g = lab_convert(b, 'f').f;
    const char kind = a.type->kind == 'd' ? 'd' : 'f';
    const double d = lab_convert(a, 'd').d;
    switch (x->slot) {
    case 0: return lab_real('f', fmaxf(f, g));
    case 1: return lab_real('f', fminf(f, g));
    case 2: return lab_real('f', expf(f));
    case 3: return lab_real('f', exp2f(f));
    case 4: return lab_real('f', logf(f));
    case 5: return lab_real('f', log2f(f));
    case 6: return lab_real('f', sqrtf(f));
    case 7: return lab_real('f', 1 / sqrtf(f));
    case 8: return lab_real('f', fabsf(f));
    case 9: return lab_real('f', fmaf(f, g, lab_convert(c, 'f').f));
    case 10: return lab_real('f', f / g);
    case 11: return kind == 'f' ? lab_real('f', expf(f)) : lab_real('d', exp(d));
    case 12: return kind == 'f' ? lab_real('f', sqrtf(f)) : lab_real('d', sqrt(d));
    case 13: return kind == 'f' ? lab_real('f', logf(f)) : lab_real('d', log(d));
    default: break;
    }
    const lab_value sum = lab_binary('+', a, b);  // of the type that both have in common
    const int less = lab_is_true(lab_binary('<', a, b));
    return lab_convert(less == (x->slot == 14) ? b : a, sum.type->kind);
}

static lab_value load(lab_place p) { return p.at ? lab_load(p.type, p.at) : lab_number('v', 0); }

// Where it stands; only what has a place in C has one.
static lab_place place(int k, const lab_slot *frame) {
    const node *x = &nodes[k];
    const lab_slot *s;
    switch (x->op) {
    case 'V': s = &frame[x->slot]; return s->type ? (lab_place){s->type, (char *)s->at} : no_place(lab_number('v', 0));
    case '.': {
        const lab_place of = place(x->a, frame);
        return field_of(of.type, of.at, x->slot);
    }
    case '@': {
        const lab_value of = run(x->a, frame);
        return of.type->kind == 'p' || of.type->kind == 'a' ? field_of(of.type->of, of.p, x->slot)
                                                            : no_place(lab_number('v', 0));
    }
    case 'P': return follow(run(x->a, frame));
    case '[': {
        const lab_value a = run(x->a, frame);
        return follow(lab_binary('+', a, run(x->b, frame)));
    }
    case 'm': return assign(x, frame);
    case ',': run(x->a, frame); return place(x->b, frame);
    case '?':
    case 'w': return place(lab_is_true(run(x->a, frame)) ? x->b : x->c, frame);
    default: return no_place(run(k, frame));
    }
}

static lab_value address(lab_place of) {
    static lab_type pointer[8];  // few are alive at a time
    static int next;
    if (!of.at) return lab_number('v', 0);
    lab_type *type = &pointer[next++ % 8];
    *type = (lab_type){'p', 8, of.type};
    return (lab_value){.type = type, .p = of.at};
}

static lab_value run(int k, const lab_slot *frame) {
    const node *x = &nodes[k];
    const lab_slot *s;
    switch (x->op) {
    case 'V':
        s = &frame[x->slot];
        if (s->at && s->type) return lab_load(s->type, s->at);
        return s->type && s->type->kind != 'x' ? lab_load(s->type, &s->value) : lab_number('v', 0);
    case 'I':
    case 'R': return x->value;
    case '.':
    case '@':
    case 'P':
    case '[':
    case 'm': return load(place(k, frame));
    case 'A': return address(place(x->a, frame));
    case 'C': return lab_convert(run(x->a, frame), x->sub);
    case 'T': return lab_as(run(x->a, frame).type, run(x->b, frame));
    case 'n':
    case '!':
    case '~': return lab_unary(x->op, run(x->a, frame));
    case 'p':
    case 'q': return step(x, frame);
    case ',': run(x->a, frame); return run(x->b, frame);
    case '?':
    case 'w': return run(lab_is_true(run(x->a, frame)) ? x->b : x->c, frame);
    case 'a': return lab_number('b', lab_is_true(run(x->a, frame)) && lab_is_true(run(x->b, frame)));
    case 'o': return lab_number('b', lab_is_true(run(x->a, frame)) || lab_is_true(run(x->b, frame)));
    case 'f': return call(x, frame);
    default: {
        const lab_value a = run(x->a, frame);
        return lab_binary(x->op, a, run(x->b, frame));
    }
    }
}

void lab_evaluate(const lab_slot *frame, int hook, void *result, const lab_type *type) {
    lab_value v = {.type = NULL};
    if (++now.calls > now.most_calls && now.device) simt_trap();
    for (int i = 0; i < now.n_hooks; i++)
        if (now.hook[i] == hook && now.root[i]) v = run(now.root[i], frame);
    if (!result) return;
    memset(result, 0, (size_t)type->size);
    if (v.type) lab_store(type, result, v);
}
