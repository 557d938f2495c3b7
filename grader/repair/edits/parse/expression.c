// expression.c: an expression as a tree, by precedence. Where a cast, a call of a template or a product could be
// meant, the likelier is taken: a wrong guess makes changes that do not compile, and harms nothing else.
#include "edits.h"

#include <ctype.h>
#include <string.h>

typedef struct {
    edits *e;
    unit *u;
    int i, end;
    bool failed;
} parser;

static expression *parse_assignment(parser *p);

static expression *node(parser *p, expression_kind kind, int first, expression *a, expression *b) {
    expression *x = keep(p->u, sizeof *x);
    *x = (expression){.kind = kind, .first = first, .end = p->i, .op = -1, .op_end = -1, .a = a, .b = b};
    return x;
}

static bool at(const parser *p, const char *text) { return p->i < p->end && is(p->u, p->i, text); }

static bool is_type_word(const unit *u, int i) {
    static const char *const words[] = {"const",    "volatile", "unsigned",  "signed", "int",    "long",   "short",
                                        "char",     "float",    "double",    "void",   "size_t", "bool",   "int32_t",
                                        "uint32_t", "int64_t",  "uint64_t",  "float2", "float4", "int4",   "struct",
                                        "half",     "__half",   "half2",     "uint4",  "int2",   "int8_t", "uint8_t",
                                        "uint16_t", "ssize_t",  "ptrdiff_t", NULL};
    return is_any(u, i, words);
}

// ( at i: does a type stand in it, and an operand behind it?
static bool is_cast(const parser *p) {
    const unit *u = p->u;
    const int open = p->i, close = u->tokens[open].match;
    if (close < 0 || close + 1 >= p->end || close == open + 1) return false;
    bool word = false, star = false;
    int names = 0;
    for (int k = open + 1; k < close; k++) {
        word |= is_type_word(u, k);
        star |= is(u, k, "*");
        names += is_name(u, k);
        if (!is_name(u, k) && !is(u, k, "*") && !is(u, k, "::") && !is(u, k, "&")) return false;
    }
    const bool pointer = names == 1 && is(u, close - 1, "*");  // (vec *) is no product
    const bool operand = is_name(u, close + 1) || u->tokens[close + 1].kind != TOKEN_PUNCTUATION ||
                         is(u, close + 1, "(") || ((word || pointer) && edits_operator(u, close + 1)) ||
                         is(u, close + 1, "{");
    return operand && (word || (names == 1 && (star ? is(u, close - 1, "*") : !is(u, close + 1, "("))));
}

static expression *parse_list(parser *p, int close) {
    expression *first = NULL, **last = &first;
    const int end = p->end;
    p->end = close;
    while (p->i < close && !p->failed) {
        expression *x = parse_assignment(p);
        *last = x, last = &x->next;
        if (p->i < close && !is(p->u, p->i, ",")) p->failed = true;
        p->i++;
    }
    p->end = end;
    p->i = close + 1;
    return first;
}

// (pair){x, y}, (pair){.m = x, .l = y}, pair{x, y}: what is in the braces. Where that is no list of numbers, nothing of it
// is read.
static expression *parse_literal(parser *p, int first, int close) {
    const unit *u = p->u;
    const int end = p->end;
    expression *list = NULL, **last = &list;
    p->end = close, p->i++;
    while (p->i < close && !p->failed) {
        if (at(p, ".") && is(u, p->i + 2, "=")) p->i += 3;
        expression *x = parse_assignment(p);
        *last = x, last = &x->next;
        if (p->i < close && !is(u, p->i, ",")) p->failed = true;
        p->i++;
    }
    if (p->failed) list = NULL;
    p->end = end, p->failed = false, p->i = close + 1;
    expression *literal = node(p, E_OPAQUE, first, NULL, NULL);
    literal->arguments = list;
    return literal;
}

static expression *parse_primary(parser *p) {
    const unit *u = p->u;
    const int first = p->i;
    if (p->i >= p->end) {
        p->failed = true;
        return node(p, E_OPAQUE, first, NULL, NULL);
    }
    const token *t = &u->tokens[first];
    if (t->bracket == '(' && t->match > first) {
        p->i++;
        expression *inside = parse_list(p, t->match);
        return node(p, inside && !inside->next ? E_PAREN : E_OPAQUE, first, inside, NULL);
    }
    if (t->bracket == '{' && t->match > first && (first && is(u, first - 1, ")")))
        return parse_literal(p, first, t->match);
    if (t->bracket) {  // a list in braces, a lambda
        while (p->i < p->end && u->tokens[p->i].bracket && u->tokens[p->i].match > p->i)
            p->i = u->tokens[p->i].match + 1;
        p->failed |= p->i == first;
        return node(p, E_OPAQUE, first, NULL, NULL);
    }
    p->i++;
    if (t->kind == TOKEN_NAME) {
        while (at(p, "::") && is_name(u, p->i + 1)) p->i += 2;
        const int angle = at(p, "<") && !launch_open(u, p->i) ? angle_close(u, p->i) : -1;
        const bool call = angle > 0 && (is(u, angle + 1, "(") || launch_open(u, angle + 1));
        if (call && angle < p->end && !adjacent(u, p->i, "<<")) {
            bool arguments = true;
            for (int k = p->i + 1; k < angle; k++)
                arguments &= is_name(u, k) || u->tokens[k].kind == TOKEN_NUMBER || is(u, k, ",") || is(u, k, "*") ||
                             is(u, k, "::");
            if (arguments) p->i = angle + 1;
        }
        if (at(p, "{") && u->tokens[p->i].match < p->end && u->tokens[p->i].match > p->i)
            return parse_literal(p, first, u->tokens[p->i].match);
        return node(p, E_NAME, first, NULL, NULL);
    }
    p->failed |= t->kind == TOKEN_PUNCTUATION;
    return node(p, t->kind == TOKEN_NUMBER ? E_NUMBER : E_OPAQUE, first, NULL, NULL);
}

static int launch_end(const parser *p) {
    for (int k = p->i + 3; k < p->end; k++) {
        if (p->u->tokens[k].bracket && p->u->tokens[k].match > k)
            k = p->u->tokens[k].match;
        else if (launch_close(p->u, k) && is(p->u, k + 3, "("))
            return k;
    }
    return -1;
}

static expression *parse_call(parser *p, expression *x) {
    const int first = x->first, launch = launch_open(p->u, p->i) ? launch_end(p) : -1;
    expression *configuration = NULL;
    if (launch > 0) {
        p->i += 3;
        configuration = parse_list(p, launch);
        p->i = launch + 3;
    }
    const int open = p->i;
    p->i++;
    expression *arguments = parse_list(p, p->u->tokens[open].match);
    expression *call = node(p, E_CALL, first, x, NULL);
    call->op = open, call->op_end = open + 1;
    call->arguments = arguments;
    call->c = configuration;
    return call;
}

static expression *parse_postfix(parser *p) {
    const unit *u = p->u;
    expression *x = parse_primary(p);
    while (p->i < p->end && !p->failed) {
        const int op = p->i, match = u->tokens[op].match;
        if ((is(u, op, "(") && match > op) || (launch_open(u, op) && launch_end(p) > 0)) {
            x = parse_call(p, x);
        } else if (is(u, op, "[") && match > op) {
            p->i++;
            expression *index = parse_list(p, match);
            p->failed |= !index || index->next;
            x = node(p, E_INDEX, x->first, x, index);
            x->op = op, x->op_end = op + 1;
        } else if ((is(u, op, ".") || is(u, op, "->")) && is_name(u, op + 1)) {
            p->i += 2;
            x = node(p, E_MEMBER, x->first, x, NULL);
            x->op = op, x->op_end = op + 1;
        } else if (adjacent(u, op, "++") || adjacent(u, op, "--")) {
            p->i += 2;
            x = node(p, E_POSTFIX, x->first, x, NULL);
            x->op = op, x->op_end = op + 2;
        } else {
            break;
        }
    }
    return x;
}

static expression *parse_unary(parser *p) {
    const unit *u = p->u;
    const int first = p->i;
    if (at(p, "(") && is_cast(p)) {
        p->i = u->tokens[first].match + 1;
        expression *a = parse_unary(p), *x = node(p, E_CAST, first, a, NULL);
        x->op = first, x->op_end = u->tokens[first].match + 1;
        return x;
    }
    static const char *const prefixes[] = {"++", "--", "-", "+", "!", "~", "*", "&", NULL};
    const char *op = p->i < p->end ? edits_operator_text(u, p->i) : "";
    for (int k = 0; prefixes[k]; k++)
        if (!strcmp(op, prefixes[k]) || (!strcmp(op, "&&") && !strcmp(prefixes[k], "&"))) {
            p->i += edits_operator(u, p->i);
            expression *a = parse_unary(p), *x = node(p, E_UNARY, first, a, NULL);
            x->op = first, x->op_end = a->first;
            return x;
        }
    if (at(p, "sizeof")) {
        p->i++;
        if (at(p, "("))
            p->i = skip_group(u, p->i);
        else
            parse_unary(p);
        return node(p, E_OPAQUE, first, NULL, NULL);
    }
    return parse_postfix(p);
}

static expression *parse_binary(parser *p, int least) {
    expression *x = parse_unary(p);
    while (p->i < p->end && !p->failed) {
        const int op = p->i, level = edits_precedence(edits_operator_text(p->u, op));
        if (level < least || !level) break;
        p->i += edits_operator(p->u, op);
        const int op_end = p->i;
        expression *b = parse_binary(p, level + 1);
        x = node(p, E_BINARY, x->first, x, b);
        x->op = op, x->op_end = op_end;
    }
    return x;
}

static expression *parse_assignment(parser *p) {
    expression *x = parse_binary(p, 1);
    if (p->i >= p->end || p->failed) return x;
    const char *op = edits_operator_text(p->u, p->i);
    const int at_op = p->i, op_end = p->i + edits_operator(p->u, p->i);
    if (!strcmp(op, "?")) {
        p->i = op_end;
        expression *b = parse_assignment(p);
        p->failed |= !at(p, ":");
        p->i++;
        expression *c = p->failed ? b : parse_assignment(p);
        x = node(p, E_TERNARY, x->first, x, b);
        x->c = c;
    } else if (edits_assigns(p->u, p->i)) {
        p->i = op_end;
        expression *b = parse_assignment(p);
        x = node(p, E_ASSIGN, x->first, x, b);
    } else {
        return x;
    }
    x->op = at_op, x->op_end = op_end;
    return x;
}

static void set_parents(expression *x, expression *parent) {
    if (!x) return;
    x->parent = parent;
    set_parents(x->a, x), set_parents(x->b, x);
    for (expression *c = x->c; c; c = c->next) set_parents(c, x);
    for (expression *c = x->arguments; c; c = c->next)
        set_parents(c, x->kind == E_OPAQUE ? NULL : x);  // a number of a literal is a value of its own
}

expression *edits_parse(edits *e, int first, int end) {
    parser p = {.e = e, .u = &e->u, .i = first, .end = end};
    expression *x = parse_assignment(&p);
    while (!p.failed && p.i < end && is(p.u, p.i, ",")) {
        const int op = p.i++;
        expression *b = parse_assignment(&p);
        x = node(&p, E_COMMA, first, x, b);
        x->op = op, x->op_end = op + 1;
    }
    if (p.failed || p.i != end) return NULL;
    set_parents(x, NULL);
    return x;
}
