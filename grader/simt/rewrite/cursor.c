// cursor.c: questions that the stages ask about tokens.
#include "rewrite.h"

#include <string.h>

static bool inside(const unit *u, int i) { return i >= 0 && i < u->token_count; }

bool is(const unit *u, int i, const char *text) {
    if (!inside(u, i)) return false;
    const token *t = &u->tokens[i];
    if (t->bracket)  // also when written as a digraph
        return text[0] == t->bracket && !text[1];
    return *t->at == *text && !strncmp(t->at, text, (size_t)t->length) && !text[t->length];
}

bool is_name(const unit *u, int i) { return inside(u, i) && u->tokens[i].kind == TOKEN_NAME; }

bool is_any(const unit *u, int i, const char *const *list) {
    for (; *list; list++)
        if (is(u, i, *list)) return true;
    return false;
}

bool adjacent(const unit *u, int i, const char *text) {
    const char *from = inside(u, i) ? u->tokens[i].at : NULL;
    if (!from || *from != *text) return !*text;  // which most are
    for (size_t done = 0; text[done]; i++) {
        if (!inside(u, i) || u->tokens[i].at != from + done) return false;
        size_t n = (size_t)u->tokens[i].length;
        if (strncmp(u->tokens[i].at, text + done, n)) return false;
        done += n;
    }
    return true;
}

// nvcc takes `<< <` and `>> >` too, on one line: some editors write them so.
static bool split_after_two(const unit *u, int i, const char *two, const char *one) {
    if (!adjacent(u, i, two) || !is(u, i + 2, one)) return false;
    const token *a = &u->tokens[i + 1], *b = &u->tokens[i + 2];
    return !memchr(a->at, '\n', (size_t)(b->at - a->at));
}

bool launch_open(const unit *u, int i) { return split_after_two(u, i, "<<", "<") && !is(u, i - 1, "operator"); }

bool launch_close(const unit *u, int i) { return split_after_two(u, i, ">>", ">"); }

int skip_group(const unit *u, int i) { return inside(u, i) && u->tokens[i].match > i ? u->tokens[i].match + 1 : i + 1; }

int statement_start(const unit *u, int i) {
    int first = i;
    for (int k = i - 1; k >= 0; k--) {
        const token *t = &u->tokens[k];
        if (is(u, k, ";") || t->bracket == '{' || t->bracket == '}' || t->bracket == '(' || t->bracket == '[') break;
        if (t->bracket && t->match < 0) break;
        if (t->bracket) k = t->match;
        first = k;
    }
    return first;
}

// Inside template arguments < and > are brackets, except in parentheses and where << shifts.
int angle_open(const unit *u, int close) {
    int depth = 0;
    for (int i = close; i >= 0; i--) {
        const token *t = &u->tokens[i];
        if (t->bracket == ')' || t->bracket == ']' || t->bracket == '}') {
            if (t->match < 0) return -1;
            i = t->match;
        } else if (t->bracket || is(u, i, ";")) {
            return -1;
        } else if (is(u, i, ">")) {
            depth++;
        } else if (adjacent(u, i - 1, "<<")) {
            i--;
        } else if (is(u, i, "<") && --depth == 0) {
            return i;
        }
    }
    return -1;
}

int angle_close(const unit *u, int open) {
    int depth = 0;
    for (int i = open; i < u->token_count; i++) {
        const token *t = &u->tokens[i];
        if (t->bracket == '(' || t->bracket == '[' || t->bracket == '{') {
            if (t->match < 0) return -1;
            i = t->match;
        } else if (t->bracket || is(u, i, ";")) {
            return -1;
        } else if (i > open && adjacent(u, i, "<<")) {
            i++;
        } else if (is(u, i, "<")) {
            depth++;
        } else if (is(u, i, ">") && --depth == 0) {
            return i;
        }
    }
    return -1;
}
