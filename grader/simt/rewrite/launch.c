// launch.c: kernel launches.
//
//     scale<float> <<<grid, block, bytes>>> (p, 2.f)
//     simt::kernel({"scale<float>", "a.cu", 7}, scale<float>).on(grid, block, bytes)(p, 2.f)
//
// Where the kernel has a twin (kernels.c), `scale` in the second line becomes static_cast<decltype(twin(p, 2.f))>(scale),
// and where it has default values, [](auto &...a) { scale(a...); } comes along to fill them in.
// include/simt/launch.h has the C++ behind it.
#include "rewrite.h"

static const char *const keywords[] = {"if", "while", "for", "switch", "return", "else", "do", "case", NULL};

// The expression before <<< is a postfix expression: names, ::, template arguments, calls, subscripts, members.
// Its first token; -1 when there is none.
static int callee_start(const unit *u, int launch) {
    int i = launch - 1, first = -1;
    while (i >= 0) {
        if (is(u, i, ">")) {
            i = angle_open(u, i) - 1;
            if (!is_name(u, i)) return -1;
        }
        const token *t = &u->tokens[i];
        if (t->bracket == ')' || t->bracket == ']') {
            if (t->match < 0) return -1;
            int before = t->match - 1;
            first = t->match;
            // if (x) (f)<<<...>>>(): a condition is no part of the expression
            if (is(u, before, ")") && u->tokens[before].match > 0 && is_any(u, u->tokens[before].match - 1, keywords))
                return first;
            if ((!is_name(u, before) || is_any(u, before, keywords)) && !is(u, before, ")") && !is(u, before, "]") &&
                !is(u, before, ">"))
                return first;
            i = before;
            continue;
        }
        if (!is_name(u, i) || is_any(u, i, keywords)) return first;
        first = i--;
        if (is(u, i, "template")) first = i--;
        if (is(u, i, "::")) {
            first = i--;
            if (!is_name(u, i) && !is(u, i, ">")) return first;  // ::kernel
        } else if (is(u, i, ".") || is(u, i, "->")) {
            first = i--;
        } else {
            return first;
        }
    }
    return first;
}

// The > > > that ends the configuration begins the last one of the statement that a ( follows: earlier ones close
// template arguments, as in <<<f<g<h<1>>>(), 1>>>(p). -1: none.
static int launch_end(const unit *u, int launch) {
    int end = -1;
    for (int i = launch + 3; i < u->token_count; i = skip_group(u, i)) {
        if (is(u, i, ";") || launch_open(u, i) || (u->tokens[i].bracket && u->tokens[i].match < i)) break;
        if (launch_close(u, i) && u->tokens[i + 3 < u->token_count ? i + 3 : i].bracket == '(') end = i;
    }
    return end;
}

// A lambda may not be written twice: its two copies would be of two types.
static bool has_lambda(const unit *u, int open) {
    for (int i = open + 1; i < u->tokens[open].match; i++)
        if (u->tokens[i].bracket == '[' && !is_name(u, i - 1) && !is(u, i - 1, ")") && !is(u, i - 1, "]") &&
            u->tokens[i - 1].kind != TOKEN_STRING)
            return true;
    return false;
}

// The expression [first, last] with the name of the kernel's twin in place of the kernel's. NULL: the kernel has none.
static const char *twin_of(unit *u, int first, int last, const kernel **k) {
    while (u->tokens[first].bracket == '(' && u->tokens[first].match == last) {  // (scale<float, 4>), from a macro
        first++;
        last--;
    }
    int name = is(u, last, ">") ? angle_open(u, last) - 1 : last;
    if (!is_name(u, name) || !find_kernel(u, name) || is(u, name - 1, ".") || is(u, name - 1, "->")) return NULL;
    *k = find_kernel(u, name);
    const char *scope = name > first ? text_between(u, first, name - 1) : "";
    return format(u, "%ssimt_kernel_%s", scope, text_between(u, name, last));
}

// The kernel that the expression [first, last] names; NULL: none of this file's.
static const kernel *kernel_at(const unit *u, int first, int last) {
    while (u->tokens[first].bracket == '(' && u->tokens[first].match == last) first++, last--;
    int name = is(u, last, ">") ? angle_open(u, last) - 1 : last;
    return is_name(u, name) ? known_kernel(u, name) : NULL;
}

static void rewrite_launch(unit *u, int launch) {
    int first = callee_start(u, launch), end = launch_end(u, launch);
    if (first < 0) {
        error_at_token(u, launch, "no kernel stands before <<<");
        return;
    }
    if (end < 0) {
        error_at_token(u, launch, "a kernel launch needs >>> and an argument list: kernel<<<grid, block>>>(...)");
        return;
    }
    if (u->tokens[launch].scope == SCOPE_DEVICE) {
        error_at_token(u, first,
                       "a kernel launch inside a kernel (dynamic parallelism) cannot run on the CPU: launch "
                       "from host code, or put it under #ifdef __CUDACC__");
        return;
    }
    int open = end + 3, close = u->tokens[open].match;
    const token *t = &u->tokens[first];
    const kernel *k = NULL;
    const char *callee = text_between(u, first, launch - 1), *twin = twin_of(u, first, launch - 1, &k);
    const char *site =
        format(u, "kernel(simt_site{%s, %s, %d}, ", string_literal(u, callee), u->files[t->file].name, t->line);
    if (close < 0) twin = NULL;
    if (twin && has_lambda(u, open)) {
        insert_before(u, first,
                      format(u,
                             "simt::deduced_%s[](auto &&...simt_a) { return static_cast<decltype(%s("
                             "simt_a...))>(",
                             site, twin));
        insert_after(u, launch - 1, "); }");
    } else if (twin) {
        const char *arguments = text_between(u, open, close);
        insert_before(u, first, format(u, "simt::%sstatic_cast<decltype(%s%s)>(", site, twin, arguments));
        insert_after(u, launch - 1, ")");
        if (k->has_defaults) insert_after(u, launch - 1, format(u, ", [](auto &...simt_a) { %s(simt_a...); }", callee));
    } else {
        insert_before(u, first, format(u, "simt::%s", site));
    }
    replace(u, launch, ").");
    replace(u, launch + 1, "on");
    replace(u, launch + 2, "(");
    const kernel *named = kernel_at(u, first, launch - 1);
    replace(u, end, named && named->cluster ? format(u, ").clusters(%s)", named->cluster) : ")");
    replace(u, end + 1, "");
    replace(u, end + 2, "");
}

// (void *)kernel: the cast would hide the kernel's type, by which its arguments are read.
static void uncast(unit *u, int i) {
    static const char *const words[] = {"const", "void", "*", NULL};
    int from = i, last = -1;
    if (u->tokens[i].bracket == '(')
        from = i + 1, last = u->tokens[i].match;
    else if (is(u, i, "reinterpret_cast") && is(u, i + 1, "<"))
        from = i + 2, last = angle_close(u, i + 1);
    bool cast = last > from && is(u, last - 1, "*");
    for (int k = from; k < last; k++) cast &= is_any(u, k, words);
    for (int k = i; cast && k <= last; k++) blank(u, k);
}

// cudaLaunchCooperativeKernel((void *)kernel, ...)
static void uncast_kernel(unit *u, int open) {
    for (int i = open + 1; i < u->tokens[open].match; i = skip_group(u, i)) uncast(u, i);
}

// `params.func = (void *)kernel` at func, and the first member of `cudaKernelNodeParams params = {(void *)kernel, ...}` at
// the type. Only a kernel's cast goes: other structs have a `func`, too.
static void uncast_node(unit *u, int i) {
    int at = -1;
    if (is(u, i, "func") && (is(u, i - 1, ".") || is(u, i - 1, "->")) && is(u, i + 1, "="))
        at = i + 2;
    else if (is(u, i, "cudaKernelNodeParams") && is_name(u, i + 1))
        at = is(u, i + 2, "=") && is(u, i + 3, "{") ? i + 4 : is(u, i + 2, "{") ? i + 3 : -1;
    for (int k = at; k > 0 && k < u->token_count && !is(u, k, ";") && !is(u, k, ","); k++)
        if (is_name(u, k) && known_kernel(u, k)) {
            uncast(u, at);
            return;
        }
}

// scale(p, 2.f); as a statement: to a compiler of C++ a call like any other, which would run on the host.
static void refuse_call(unit *u, int i) {
    static const char *const before[] = {";", "{", "}", ")", "else", "do", NULL};
    const scope_kind scope = u->tokens[i].scope;
    if ((scope != SCOPE_HOST && scope != SCOPE_DEVICE) || !is_any(u, i - 1, before)) return;
    const kernel *k = is_name(u, i) ? known_kernel(u, i) : NULL;
    if (!k || k->declarations > 1 || !is(u, i + 1, "(") || u->tokens[i + 1].match < 0) return;
    if (is(u, u->tokens[i + 1].match + 1, ";"))
        error_at_token(u, i, "%s is a kernel: it is launched, %s<<<blocks, threads, bytes, stream>>>(...), not called",
                       text_between(u, i, i), text_between(u, i, i));
}

void rewrite_launches(unit *u) {
    static const char *const by_pointers[] = {"cudaLaunchKernel", "cudaLaunchCooperativeKernel", "cudaLaunchKernelExC",
                                              NULL};
    for (int i = 0; i + 2 < u->token_count; i++)
        if (launch_open(u, i)) {
            rewrite_launch(u, i);
            i += 2;
        } else if (is_any(u, i, by_pointers) && is(u, i + 1, "(") && u->tokens[i + 1].match > i) {
            uncast_kernel(u, i + 1);
        } else if (i > 0) {
            uncast_node(u, i);
            refuse_call(u, i);
        }
}
