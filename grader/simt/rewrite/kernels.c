// kernels.c: finds the __global__ functions, and gives a twin to those whose name alone does not say how to launch them:
// templates, overloads, and those with default values.
//
//     template <class T> __global__ void scale(T *x, T by) { ... }
//     template <class T> auto simt_kernel_scale(T *x, T by) -> void (*)(T *x, T by);       // the twin, never defined
//
// A launch scale<<<g, b>>>(p, 2.f) asks decltype(simt_kernel_scale(p, 2.f)) for the kernel's type; C++ deduces T just as
// for the call itself. With the type known, static_cast<type>(scale) is the address of scale<float>: the same one that
// cudaFuncSetAttribute(scale<float>, ...) was given.
#include "rewrite.h"

#include <string.h>

typedef struct {
    int start;         // first token of the declaration
    int template_end;  // the > of template <...>, or -1
    int name;
    int open;  // ( of the parameters
    int body;  // { or ;
} declaration;

// The name is what stands before the parameter list; __attribute__((...)) and alignas(...) have parentheses too.
static bool read_declaration(const unit *u, int global, declaration *d) {
    static const char *const not_names[] = {"__attribute__",     "alignas",          "decltype",
                                            "__launch_bounds__", "__cluster_dims__", NULL};
    d->start = statement_start(u, global);
    d->template_end = -1;
    if (is(u, d->start, "template")) {
        if (!is(u, d->start + 1, "<") || is(u, d->start + 2, ">"))
            return false;  // an explicit instantiation or specialization: its primary template has the twin
        d->template_end = angle_close(u, d->start + 1);
        if (d->template_end < 0) return false;
    }
    d->open = -1;
    for (int i = global + 1; i < u->token_count && !is(u, i, ";") && u->tokens[i].bracket != '{'; i++) {
        if (u->tokens[i].bracket != '(') continue;
        if (u->tokens[i].match < 0) return false;
        if (is_name(u, i - 1) && !is_any(u, i - 1, not_names)) {
            d->open = i;
            break;
        }
        i = u->tokens[i].match;
    }
    if (d->open < 0) return false;
    d->name = d->open - 1;
    d->body = u->tokens[d->open].match + 1;
    while (d->body < u->token_count && !is(u, d->body, ";") && u->tokens[d->body].bracket != '{')
        d->body = skip_group(u, d->body);
    return d->body < u->token_count && !is(u, d->name - 1, "::");
}

int kernel_body(const unit *u, int global) {
    declaration d;
    return read_declaration(u, global, &d) ? d.body : -1;
}

static bool same_name(const unit *u, int i, const char *name) {
    return (size_t)u->tokens[i].length == strlen(name) && !strncmp(u->tokens[i].at, name, strlen(name));
}

static kernel *lookup(const unit *u, int name) {
    for (int i = 0; i < u->kernel_count; i++)
        if (same_name(u, name, u->kernels[i].name)) return &u->kernels[i];
    return NULL;
}

const kernel *find_kernel(const unit *u, int name) {
    const kernel *k = lookup(u, name);
    return k && (k->is_template || k->has_defaults || k->declarations > 1) ? k : NULL;
}

const kernel *known_kernel(const unit *u, int name) { return lookup(u, name); }

// __cluster_dims__(2, 1, 1): every launch of the kernel asks for such clusters.
static void read_cluster(unit *u, const declaration *d, kernel *k) {
    for (int i = d->start; i < d->name; i++) {
        if (!is(u, i, "__cluster_dims__") || u->tokens[i + 1].bracket != '(' || u->tokens[i + 1].match < i) continue;
        int close = u->tokens[i + 1].match;
        k->cluster = format(u, "dim3(%s)", text_between(u, i + 2, close - 1));
        for (int t = i; t <= close; t++) blank(u, t);
    }
}

// The parameters without their default values: a function type has none.
static const char *parameter_types(unit *u, int open) {
    const char *list = "";
    int close = u->tokens[open].match, from = open + 1, equals = -1;
    for (int i = from; i <= close; i = i == close ? i + 1 : skip_group(u, i)) {
        if (is(u, i, "<") && angle_close(u, i) > 0 && angle_close(u, i) < close)
            i = angle_close(u, i);
        else if (is(u, i, "=") && equals < 0)
            equals = i;
        if (i != close && !is(u, i, ",")) continue;
        list = format(u, "%s%s%s", list, *list ? ", " : "", text_between(u, from, (equals < 0 ? i : equals) - 1));
        from = i + 1;
        equals = -1;
    }
    return list;
}

// template <class T, int n = 2, class... More> in its own body: <T, n, More...>. NULL: a parameter has no name.
static const char *own_arguments(unit *u, const declaration *d) {
    static const char *const types[] = {"int", "long", "short", "char", NULL};
    if (d->template_end < 0) return "";
    const char *list = "";
    for (int i = d->start + 2, from = i, name = -1, equals = -1; i <= d->template_end;
         i = i == d->template_end ? i + 1 : skip_group(u, i)) {
        if (is(u, i, "<") && angle_close(u, i) > 0 && angle_close(u, i) < d->template_end)
            i = angle_close(u, i);
        else if (is(u, i, "="))
            equals = i;
        else if (is_name(u, i) && equals < 0)
            name = i;
        if (i != d->template_end && !is(u, i, ",")) continue;
        if (name <= from || is_any(u, name, types)) return NULL;
        const char *dots = is(u, name - 1, "...") ? "..." : "";
        list = format(u, "%s%s%s%s", list, *list ? ", " : "<", text_between(u, name, name), dots);
        from = i + 1;
        name = equals = -1;
    }
    return format(u, "%s>", list);
}

// __launch_bounds__(n): the body names a variable that tells the runtime, before main, how many threads a block may have.
// Each instance of a template has its own: only there is the value of n known.
static void add_bounds(unit *u, const declaration *d) {
    const char *own = own_arguments(u, d);
    for (int i = d->start; own && i < d->open; i++) {
        if (!is(u, i, "__launch_bounds__") || u->tokens[i + 1].bracket != '(' || u->tokens[i + 1].match < i) continue;
        insert_after(u, d->body,
                     format(u, " static_cast<void>(&simt::bounded<void (*)(%s), %s%s, simt::most_threads(%s)>::here);",
                            parameter_types(u, d->open), text_between(u, d->name, d->name), own,
                            text_between(u, i + 2, u->tokens[i + 1].match - 1)));
        return;
    }
}

static void add_kernel(unit *u, const declaration *d) {
    kernel *k = lookup(u, d->name);
    if (!k) {
        if (!(u->kernel_count & (u->kernel_count - 1))) {
            size_t size = sizeof *k * (size_t)u->kernel_count;
            u->kernels = keep_more(u, u->kernels, size, size ? 2 * size : sizeof *k);
        }
        k = &u->kernels[u->kernel_count++];
        *k = (kernel){.name = text_between(u, d->name, d->name)};
    }
    read_cluster(u, d, k);
    k->declarations++;
    k->is_template |= d->template_end > 0;
    for (int i = d->open + 1; i < u->tokens[d->open].match; i = skip_group(u, i)) k->has_defaults |= is(u, i, "=");
}

static void add_twin(unit *u, const declaration *d) {
    const char *head = d->template_end > 0 ? text_between(u, d->start, d->template_end) : "";
    const char *twin = format(u, " %s auto simt_kernel_%s%s -> void (*)(%s);", head, text_between(u, d->name, d->name),
                              text_between(u, d->open, u->tokens[d->open].match), parameter_types(u, d->open));
    insert_after(u, is(u, d->body, ";") ? d->body : u->tokens[d->body].match, twin);
}

// using tools::scale; must bring the twin along.
static void follow_using(unit *u, int i) {
    int last = i;
    while (last < u->token_count && (is_name(u, last) || is(u, last, "::"))) last++;
    if (last - i >= 4 && is(u, last, ";") && find_kernel(u, last - 1) && is(u, last - 2, "::"))
        insert_after(u, last,
                     format(u, " using %ssimt_kernel_%s;", text_between(u, i + 1, last - 2),
                            text_between(u, last - 1, last - 1)));
}

// void scale(int n) { ... } on the host beside __global__ void scale(float *x): an overload as well.
static void count_host_functions(unit *u) {
    for (int i = 0; i < u->token_count; i++)
        if (is_name(u, i) && u->tokens[i].scope == SCOPE_NAMESPACE && is(u, i + 1, "(") && is_name(u, i - 1)) {
            kernel *k = lookup(u, i);
            bool counted = false;
            for (int j = k ? statement_start(u, i) : i; j < i; j++) counted |= is(u, j, "__global__");
            if (k && !counted) k->declarations++;
        }
}

void rewrite_kernels(unit *u) {
    declaration d;
    for (int i = 0; i < u->token_count; i++)
        if (is(u, i, "__global__") && read_declaration(u, i, &d)) {
            add_kernel(u, &d);
            if (u->tokens[d.body].bracket == '{' && u->tokens[d.body].match > 0) add_bounds(u, &d);
        }
    count_host_functions(u);
    for (int i = 0; i < u->token_count; i++) {
        if (is(u, i, "__global__") && read_declaration(u, i, &d) && find_kernel(u, d.name) &&
            (is(u, d.body, ";") || u->tokens[d.body].match > 0))
            add_twin(u, &d);
        else if (is(u, i, "using"))
            follow_using(u, i);
    }
}
