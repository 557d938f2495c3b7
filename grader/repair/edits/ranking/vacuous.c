// vacuous.c: a change that compares something with itself, m > m, asks nothing: it is true or false for good, and hides
// what the question was for. No more does a limit that is the number itself and something: least(end, end + rows) or
// c < c + n; and what is divided by itself, d / d, counts nothing. x > 0 ? x : 1 keeps a divisor from 0: with < it is 1
// for good, and nothing is divided. A guard's question, && cols < 1, holds of no size.
#include "edits.h"

#include <ctype.h>
#include <string.h>

enum { LONGEST = 160 };

static bool is_comparison(const char *text, const char *at) {
    if (*at != '<' && *at != '>' && !((*at == '=' || *at == '!') && at[1] == '=')) return false;
    if (at[1] == *at && *at != '=') return false;                                     // <<
    if (at > text && (at[-1] == '-' || strchr("<>=!+*/%&|^", at[-1]))) return false;  // ->, the second half
    return at > text;
}

// What stands on this side of an operator, without blanks, up to what is weaker than a comparison. Returns 0: too long.
static int side(const char *text, const char *from, int step, char *out) {
    int depth = 0, n = 0;
    for (const char *at = from; at >= text && *at; at += step) {
        const char open = step > 0 ? '(' : ')', close = step > 0 ? ')' : '(';
        depth += *at == open || (*at == '[' && step > 0) || (*at == ']' && step < 0);
        depth -= *at == close || (*at == ']' && step > 0) || (*at == '[' && step < 0);
        if (depth < 0 || (!depth && strchr(",;?:&|={}", *at))) break;
        if (*at == ' ') continue;
        if (n == LONGEST) return 0;
        out[n++] = *at;
    }
    for (int i = 0; i < n / 2 && step < 0; i++) {
        const char c = out[i];
        out[i] = out[n - 1 - i], out[n - 1 - i] = c;
    }
    return n;
}

static int vacuous(const char *text) {
    int found = 0;
    for (const char *at = text; *at; at++) {
        char a[LONGEST], b[LONGEST];
        if (!is_comparison(text, at)) continue;
        const int n = side(text, at - 1, -1, a), m = side(text, at + 1 + (at[1] == '='), 1, b);
        const int word = n > 6 && !strncmp(a, "return", 6) ? 6 : 0;
        found += n - word == m && m && !memcmp(a + word, b, (size_t)m);
    }
    return found;
}

static bool in_word(char c) { return isalnum((unsigned char)c) || c == '_'; }

// The name, with its subscripts, fields and arguments, that ends before `end`. Returns its length.
static size_t name_before(const char *text, const char *end, const char **name) {
    const char *at = end;
    while (at > text) {
        const char *open = at - 1;
        int depth = 0;
        if (*open == ']' || *open == ')') {
            for (; open >= text; open--) {
                depth += *open == ']' || *open == ')', depth -= *open == '[' || *open == '(';
                if (!depth) break;
            }
            if (open < text || in_word(*at)) break;  // (float)x is x
        } else if (!in_word(*open) && *open != '.')
            break;
        at = open;
    }
    *name = at;
    return (size_t)(end - at);
}

// x / x is 1, and x % x is 0.
static int by_itself(const char *text) {
    int found = 0;
    for (const char *at = text; (at = strpbrk(at, "/%")); at++) {
        const char *end = at, *behind = at + 1, *name;
        while (end > text && end[-1] == ' ') end--;
        while (*behind == ' ') behind++;
        const size_t n = name_before(text, end, &name);
        found += n && !isdigit((unsigned char)*name) && !strncmp(name, behind, n) && !in_word(behind[n]) &&
                 !(behind[n] && strchr("[.(", behind[n]));
    }
    return found;
}

// Is x a summand of what stands from y to the ) of the call, which only adds?
static bool adds(const char *y, const char *x, size_t n) {
    bool found = false, sum = false;
    for (const char *at = y; *at && *at != ')'; at++) {
        if (strchr("(-*/%?,", *at)) return false;
        sum |= *at == '+';
        found |= (at == y || !in_word(at[-1])) && !strncmp(at, x, n) && !in_word(at[n]) && at[n] != '.' && at[n] != '[';
    }
    return found && sum;
}

// How often does least(x, x + n) stand there?
static int limits_itself(const char *text, const char *least) {
    const size_t n = strlen(least);
    int found = 0;
    for (const char *at = text; (at = strstr(at, least)); at += n) {
        const char *x = at + n + 1, *end = at[n] == '(' ? strpbrk(x, ",()") : NULL;
        if (end && *end == ',' && end > x && (at == text || !in_word(at[-1])))
            found += adds(end + 1, x, (size_t)(end - x));
    }
    return found;
}

// Is x a summand of what stands from here to the next , or ) or question?
static bool is_summand(const char *from, const char *x, size_t n) {
    int depth = 0;
    for (const char *at = from; *at; at++) {
        depth += (*at == '(' || *at == '[') - (*at == ')' || *at == ']');
        if (depth < 0 || (!depth && strchr(",;?&|<>=", *at))) return false;
        const char *before = at, *behind = at + n;
        if (depth || strncmp(at, x, n) || in_word(*behind)) continue;
        while (before > from && before[-1] == ' ') before--;
        while (*behind == ' ') behind++;
        if ((before == from || before[-1] == '+') && (!*behind || strchr("+-,);&|", *behind))) return true;
    }
    return false;
}

// c < c + n and c < least(size, c + n) ask nothing of c: how often does such a question stand there?
static int counts_itself(const char *text, const char *least) {
    const size_t n = least ? strlen(least) : 0;
    int found = 0;
    for (const char *at = text; *at; at++) {
        if (!is_comparison(text, at)) continue;
        const char *end = at, *name, *right = at + 1 + (at[1] == '=');
        while (end > text && end[-1] == ' ') end--;
        const size_t length = name_before(text, end, &name);
        const char *before = name;
        while (before > text && before[-1] == ' ') before--;
        if (!length || (before > text && !strchr("(;&|", before[-1]))) continue;
        while (*right == ' ') right++;
        found += is_summand(right, name, length);
        if (!n || strncmp(right, least, n) || right[n] != '(') continue;
        const char *second = strchr(right, ',');
        found += is_summand(right + n + 1, name, length) || (second && is_summand(second + 1, name, length));
    }
    return found;
}

// x < 0 ? x : 1 takes a number only where it is below 0: who asks x > 0 has one that is not.
static int below_nothing(const char *text) {
    int found = 0;
    for (const char *at = text; (at = strchr(at, '?')); at++) {
        const char *x = at + 1, *end = at, *left;
        while (*x == ' ') x++;
        const size_t n = strcspn(x, " :?,;");
        while (end > text && strchr(" 0.f", end[-1])) end--;
        if (end[-1] == '=') end--;
        if (end == text || *--end != '<' || !strchr(end, '0') || strchr(end, '0') > at) continue;
        while (end > text && end[-1] == ' ') end--;
        left = end - n;
        found += n && left >= text && !strncmp(left, x, n) && (left == text || !in_word(left[-1]));
    }
    return found;
}

// && cols < 1: a size is never below 1.
static int without_size(const char *text) {
    int found = 0;
    for (const char *at = text; (at = strstr(at, "&& ")); at++) {
        const char *name = at + 3, *end = name;
        while (in_word(*end) || *end == '.' || (*end == '-' && end[1] == '>') || (*end == '>' && end[-1] == '-')) end++;
        const char *number = end + strspn(end, " <");
        found +=
            end > name && end[strspn(end, " ")] == '<' && *number == '1' && !in_word(number[1]) && number[1] != '.';
    }
    return found;
}

bool edits_is_vacuous(edits *e, const change *c) {
    if (c->place < 0 || !c->text) return false;
    const place *p = &e->places[c->place];
    const char *least = edits_least(e, p->first), *was = edits_text(e, p->first, p->end);
    const int now = vacuous(c->text);
    if (least && limits_itself(c->text, least) > limits_itself(was, least)) return true;
    if (counts_itself(c->text, least) > counts_itself(was, least)) return true;
    if (by_itself(c->text) > by_itself(was) || below_nothing(c->text) > below_nothing(was)) return true;
    if (without_size(c->text) > without_size(was)) return true;
    return now && now > vacuous(was);
}
