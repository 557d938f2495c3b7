// unused.c: a number that lines compute and none reads; an array that none writes; a number that begins with 0, 1 or
// -INFINITY and that no line changes. For `edits SOURCE --idle .`: unread, unset and still, the name and a line.
#include "edits.h"

#include <ctype.h>
#include <string.h>

typedef struct {
    int reads, writes;  // how many of each
    int read, write;    // the first token that reads it; the last one that writes it
    bool unknown;       // what is done with it cannot be told
} uses;

static bool is_member(const unit *u, int i) { return is(u, i - 1, ".") || is(u, i - 1, "->"); }

static bool begins_statement(const unit *u, int i) {
    static const char *const before[] = {";", "{", "}", ")", "else", NULL};
    for (int k = 0; before[k]; k++)
        if (is(u, i - 1, before[k])) return true;
    return false;
}

static bool is_array(const edits *e, const variable *v) {
    if (is(&e->u, v->declared + 1, "[")) return true;
    for (int i = v->value; i < v->value_end; i++)
        if (is(&e->u, i, "malloc") || is(&e->u, i, "calloc")) return v->type.pointers == 1;
    return false;
}

static bool changes(const unit *u, int k) {
    return edits_assigns(u, k) || adjacent(u, k, "++") || adjacent(u, k, "--");
}

// (first ? a : b)++
static bool is_one_of_two(const unit *u, int i) {
    if (!is(u, i - 1, "?") && !is(u, i - 1, ":")) return false;
    while (!is(u, i, ")") && !is(u, i, ";") && i + 1 < u->token_count) i++;
    return changes(u, i + 1);
}

// f(x), where f takes a reference, or may: a lambda, std::swap.
static bool may_be_changed_by_call(const edits *e, int i) {
    const unit *u = &e->u;
    int open = i - 1, depth = 0;
    if ((!is(u, i - 1, "(") && !is(u, i - 1, ",")) || (!is(u, i + 1, ",") && !is(u, i + 1, ")"))) return false;
    while (open > 0 && (depth || !is(u, open, "(")) && !is(u, open, ";"))
        depth += is(u, open, ")") - is(u, open, "("), open--;
    const token *name = &u->tokens[open - 1];
    for (int f = 0; f < e->n_functions; f++) {
        const function *of = &e->functions[f];
        if (!is(u, open - 1, of->name)) continue;
        for (int k = of->open; k < of->body; k++)
            if (is(u, k, "&")) return true;
        return false;
    }
    static const char *const known[] = {"swap", "exchange", "tie", NULL};
    for (int k = 0; known[k]; k++)
        if (is(u, open - 1, known[k])) return true;
    for (int k = 0; k + 1 < u->token_count; k++)
        if (is(u, k, "auto") && u->tokens[k + 1].length == name->length &&
            !memcmp(u->tokens[k + 1].at, name->at, (size_t)name->length))
            return true;
    return false;
}

// float &x = y: another name for it.
static bool is_bound(const unit *u, int i) { return is(u, i - 1, "=") && is(u, i - 3, "&"); }

// (float4 *)x[i], reinterpret_cast<float4 *>(x[i]): what it leads to may be set.
static bool is_cast(const unit *u, int i) {
    return (is(u, i - 1, ")") && is(u, i - 2, "*")) || (is(u, i - 1, "(") && is(u, i - 2, ">"));
}

// What the token i, the variable's name, does with it.
static void look(const edits *e, int i, bool array, uses *found) {
    const unit *u = &e->u;
    int k = i + 1;
    while (is(u, k, "[")) k = u->tokens[k].match + 1;
    const bool freed = is(u, i - 1, "(") && is(u, i - 2, "free");
    const bool stepped = adjacent(u, i - 2, "++") || adjacent(u, i - 2, "--");
    const bool address = is(u, i - 1, "&") && !is(u, i - 2, "&") && !is_name(u, i - 2) && !is(u, i - 2, ")");
    if (freed) return;
    if (address || is(u, k, ".") || is(u, i - 1, "sizeof") || (array && k == i + 1) || edits_in_macro(e, i) ||
        is_one_of_two(u, i) || is_bound(u, i) || is_cast(u, i) || (e->cuda && may_be_changed_by_call(e, i))) {
        found->unknown = true;
    } else if (changes(u, k) || stepped) {
        found->writes++, found->write = i;
        if (!begins_statement(u, stepped ? i - 2 : i) && !found->reads++) found->read = i;
    } else if (!found->reads++)
        found->read = i;
}

// Where a statement changes it, what the statement reads of it is its own business.
static int behind_update(const unit *u, int i) {
    int k = i + 1;
    if (!begins_statement(u, i)) return i;
    while (is(u, k, "[")) k = u->tokens[k].match + 1;
    if (!edits_assigns(u, k)) return i;
    while (!is(u, k + 1, ";") && !is(u, k + 1, "}") && k + 1 < u->token_count) k++;
    return k;
}

static uses uses_of(const edits *e, const variable *v, bool array) {
    uses found = {0};
    for (int i = v->declared + 1; i < v->to; i++) {
        if (!is(&e->u, i, v->name) || is_member(&e->u, i) || !edits_sees(e, v, i)) continue;
        look(e, i, array, &found);
        i = behind_update(&e->u, i);
    }
    return found;
}

int edits_computed_for_nobody(const edits *e, const variable *v) {
    if (v->declared < 0 || v->is_global || v->type.pointers || edits_in_directive(e, v->name, false)) return -1;
    const uses found = uses_of(e, v, false);
    return found.writes && !found.reads && !found.unknown ? found.write : -1;
}

// 0, 1, 0.0f, false, -INFINITY: what is meant to change begins so.
static bool begins_plainly(const edits *e, const variable *v) {
    static const char *const words[] = {"0", "1", "true", "false", "INFINITY", "FLT_MAX", NULL};
    const int first = v->value + is(&e->u, v->value, "-");
    if (v->value <= 0 || v->value_end != first + 1) return false;
    const char *text = edits_text((edits *)e, first, first + 1);
    for (int i = 0; words[i]; i++)
        if (!strcmp(text, words[i])) return true;
    return strspn(text, "0.f") == strlen(text);
}

static bool is_extern(const unit *u, int i) {
    while (i > 0 && !is(u, i, ";") && !is(u, i, "{") && !is(u, i, "}") && !is(u, i, "extern")) i--;
    return is(u, i, "extern");
}

// It begins with what a call or a quotient gives.
static bool is_computed(const edits *e, const variable *v) {
    for (int i = v->value; i + 1 < v->value_end; i++)
        if (is(&e->u, i, "/") || (is_name(&e->u, i) && is(&e->u, i + 1, "("))) return true;
    return false;
}

// A pointer that the function is given to store to, and that it moves on at most; "": there is none.
static const char *output_left(const edits *e, int token) {
    const unit *u = &e->u;
    for (int f = 0; f < e->n_functions; f++)
        for (int i = 0; i < e->n_variables; i++) {
            const variable *v = &e->variables[i];
            const bool its =
                v->is_parameter && v->declared > e->functions[f].open && v->declared < e->functions[f].body;
            if (token < e->functions[f].body || token >= e->functions[f].end || !its) continue;
            bool used = v->type.pointers != 1 || v->type.constant || !edits_is_real((value_type){.base = v->type.base});
            for (int k = e->functions[f].body; k < e->functions[f].end && !used; k++)
                used = is(u, k, v->name) && !is_member(u, k) && !(begins_statement(u, k) && edits_assigns(u, k + 1));
            if (!used) return v->name;
        }
    return "";
}

void edits_write_unused(edits *e, FILE *out) {
    for (int i = 0; i < e->n_variables; i++) {
        const variable *v = &e->variables[i];
        const bool number = (v->type.base == BASE_INT || v->type.base == BASE_FLOAT) && v->declared > 0;
        const bool array = number && is_array(e, v), scalar = number && !array && !v->type.pointers;
        if ((!array && !scalar) || v->owner || v->is_parameter || v->is_global || v->is_enumerator || v->is_loop ||
            is_extern(&e->u, v->declared) || is(&e->u, v->declared - 1, "&") ||  // float &x: another's name
            edits_in_directive(e, v->name, false))
            continue;
        const uses found = uses_of(e, v, array);
        if (found.unknown) continue;
        if (found.writes && !found.reads)
            fprintf(out, "unread\t%s\t%d\t%s\n", v->name, e->u.tokens[found.write].line, output_left(e, found.write));
        else if (scalar && !found.reads && !found.writes && is_computed(e, v))
            fprintf(out, "unread\t%s\t%d\n", v->name, e->u.tokens[v->declared].line);
        else if (array && found.reads && !found.writes && is(&e->u, v->declared + 1, "[") == (v->value_end <= v->value))
            fprintf(out, "unset\t%s\t%d\n", v->name, e->u.tokens[found.read].line);
        else if (scalar && found.reads && !found.writes && !v->is_const && islower((unsigned char)*v->name) &&
                 begins_plainly(e, v))
            fprintf(out, "still\t%s\t%s\t%d\t%d\n", v->name, edits_text(e, v->value, v->value_end),
                    e->u.tokens[v->declared].line, e->u.tokens[found.read].line);
    }
}
