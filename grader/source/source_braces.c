// source_braces.c: statements that look as if they were in a loop, and stand behind it: braces that are missing, or a
// semicolon too many. Read from tokens and indentation, as a compiler does that warns of it.
#include "source_hints.h"
#include "source_lines.h"

#include <stdio.h>
#include <string.h>

static const char *skip_space(const char *p, const char *end) {
    while (p < end && (isspace((unsigned char)*p) || *p == '\\')) p++;
    return p;
}

static int is_keyword(const char *p, const char *word) {
    const size_t n = strlen(word);
    return strncmp(p, word, n) == 0 && !lab_is_word(p[n]);
}

// From a bracket on to behind the one that closes it.
static const char *behind_brackets(const char *p, const char *end) {
    int depth = 0;
    for (; p < end; p++) {
        depth += strchr("([{", *p) != NULL && *p;
        depth -= strchr(")]}", *p) != NULL && *p;
        if (!depth) return p + 1;
    }
    return end;
}

// Behind the head of a loop or a condition, "for (...)"; NULL: there is none here.
static const char *behind_head(const char *p, const char *end) {
    static const char *const words[] = {"for", "while", "if"};
    for (size_t i = 0; i < sizeof words / sizeof *words; i++) {
        if (!is_keyword(p, words[i])) continue;
        const char *open = skip_space(p + strlen(words[i]), end);
        return open < end && *open == '(' ? behind_brackets(open, end) : NULL;
    }
    return NULL;
}

// Behind a statement, whatever it is made of.
static const char *behind_statement(const char *p, const char *end) {
    p = skip_space(p, end);
    for (const char *head; p < end && (head = behind_head(p, end)); p = skip_space(head, end))
        ;
    if (p < end && *p == '{') return behind_brackets(p, end);
    while (p < end && *p != ';' && *p != '}') p = strchr("([{", *p) ? behind_brackets(p, end) : p + 1;
    return p < end && *p == ';' ? p + 1 : p;
}

static const char *start_of_line(const char *text, const char *p) {
    while (p > text && p[-1] != '\n') p--;
    return p;
}

static int indentation(const char *text, const char *p) {
    int column = 0;
    for (const char *c = start_of_line(text, p); c < p; c++) {
        if (!isspace((unsigned char)*c)) return -1;  // it does not begin its line
        column = *c == '\t' ? (column / 8 + 1) * 8 : column + 1;
    }
    return column;
}

// The variable that a `for` counts and that was declared before it: "for (c = 0; ..."; 0: there is none.
static int counts(const char *head, const char *end, char name[32]) {
    const char *p = skip_space(head + 3, end), *from = skip_space(p + 1, end);
    int n = 0;
    while (lab_is_word(from[n])) n++;
    const char *is = skip_space(from + n, end);
    if (!is_keyword(head, "for") || n >= 32 || is[0] != '=' || is[1] == '=') return 0;
    snprintf(name, 32, "%.*s", n, from);
    return n > 0;
}

// Does this statement index with the name, "[c]"?
static int indexes(const char *from, const char *to, const char *name) {
    for (const char *open = from; open < to && (open = memchr(open, '[', to - open)); open++) {
        const char *close = behind_brackets(open, to);
        if (lab_has_word(open, close, name)) return 1;
    }
    return 0;
}

// "for (...);": what follows is meant to be its body where it is a block, stands on the same line or further in. An if
// that does nothing is never meant; a loop may have all of its work in its head.
static int is_emptied(const char *text, const char *head, const char *body, const char *next, const char *end) {
    if (*body != ';' || next >= end || *next == '}' || *next == '#' || is_keyword(next, "else")) return 0;
    if (is_keyword(head, "if") || *next == '{' || !memchr(body, '\n', next - body)) return 1;
    return indentation(text, head) >= 0 && indentation(text, next) > indentation(text, head);
}

static void say_emptied(const char *text, const char *word, const char *body, const char *next, char *sentence,
                        size_t size) {
    const int line = lab_line_of(text, body), behind = lab_line_of(text, next);
    if (line == behind)
        snprintf(sentence, size,
                 "the semicolon behind the %s (...) of line %d is all that it does: what comes next is not in it, as "
                 "long as that semicolon is there",
                 word, line);
    else
        snprintf(sentence, size,
                 "the semicolon at the end of line %d is all that this %s does: line %d stands behind it, and not in "
                 "it, as long as that semicolon is there",
                 line, word, behind);
}

static lab_hint look_behind(const char *text, const char *head, const char *body, const char *end, char *sentence,
                            size_t size) {
    char name[32];
    const char *word = is_keyword(head, "for") ? "for" : is_keyword(head, "if") ? "if" : "while";
    const char *stop = behind_statement(body, end), *next = skip_space(stop, end);
    if (is_emptied(text, head, body, next, end)) {
        say_emptied(text, word, body, next, sentence, size);
        return LAB_HINT_CAUSE;
    }
    const int line = lab_line_of(text, head), at = indentation(text, head), of_next = indentation(text, next);
    if (next >= end || *next == '}' || *next == '#' || is_keyword(next, "else") || at < 0 || of_next < 0) return 0;
    const int looks_inside = *body != ';' && of_next > at && of_next == indentation(text, body);
    const int runs_out = *body != ';' && indentation(text, body) > at && counts(head, end, name) && of_next == at &&
                         !behind_head(next, end) && indexes(next, behind_statement(next, end), name);
    if (looks_inside)
        return snprintf(sentence, size,
                        "only line %d belongs to the %s of line %d, and line %d stands behind it: what belongs to it "
                        "stands in braces, { }",
                        lab_line_of(text, body), word, line, lab_line_of(text, next)) > 0;
    if (runs_out)
        return snprintf(sentence, size,
                        "only line %d belongs to the for of line %d: line %d runs once, behind it, where %s has run "
                        "past the last one. If it belongs to the loop, both stand in braces, { }",
                        lab_line_of(text, body), line, lab_line_of(text, next), name) > 0;
    return 0;
}

// The while of a do: "} while (n > 0);"
static int is_of_do(const char *text, const char *p) {
    const char *before = p;
    while (before > text && isspace((unsigned char)before[-1])) before--;
    const int same_line = !memchr(before, '\n', p - before);
    return is_keyword(p, "while") && before > text && (before[-1] == '}' || (same_line && before[-1] == ';'));
}

int lab_hint_of_braces(const char *text, int from, int to, char *sentence, size_t size) {
    const char *start = lab_line_at(text, from), *behind = lab_line_at(text, to + 1);
    const char *end = behind ? behind : text + strlen(text);
    for (const char *p = start; p && p < end; p++) {
        if (p > text && lab_is_word(p[-1])) continue;
        const char *head = behind_head(p, end), *body = head ? skip_space(head, end) : NULL;
        if (!head || body >= end || *body == '{' || is_of_do(text, p)) continue;
        const lab_hint h = look_behind(text, p, body, end, sentence, size);
        if (h) return h;
    }
    return LAB_HINT_NONE;
}

int lab_hint_of_emptied(const char *text, const char *report, char *sentence, size_t size) {
    int line[2];
    const int n = lab_lines_of(report, line, 2);
    for (int i = 0; i < n; i++) {
        const int from = line[i] > 1 ? line[i] - 1 : 1;
        if (lab_hint_of_braces(text, from, line[i], sentence, size) == LAB_HINT_CAUSE) return 1;
    }
    return 0;
}
