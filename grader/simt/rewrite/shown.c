// shown.c: structs that go by value where g++ does not look, `f(boxes[i])` through a pointer. simtcc has compiled the file and
// knows from unseen.c at which lines; now it is rewritten once more, and the argument tells the checker itself:
//
//     f(simt::shown(simt::item(boxes, i)))
//
// What stands in macros of several lines, or in braces, is not found: then the compiler's user is told.
#include "rewrite.h"

#include <stdlib.h>
#include <string.h>

const char *rewriting_shown;

static const char *const no_calls[] = {"if",      "while",    "for",   "switch",        "return", "sizeof",
                                       "alignof", "decltype", "catch", "static_assert", NULL};

static int file_of(const unit *u, const char *name, size_t n) {
    for (int i = 0; i < u->file_count; i++)
        if (strlen(u->files[i].name) == n + 2 && !strncmp(u->files[i].name + 1, name, n)) return i;
    return -1;
}

static bool on_line(const unit *u, int i, int file, int line) {
    return u->tokens[i].file == file && u->tokens[i].line == line;
}

// Is this, at either of its brackets, no call but float (*f)(Box) or float (Shape::*f)(Box)?
static bool is_declarator(const unit *u, int open) {
    int name = is(u, open - 1, ")") ? u->tokens[open - 1].match : open, close = u->tokens[name].match;
    return name > 0 && is(u, close + 1, "(") && is_name(u, name - 1) && !is(u, name - 1, "return") &&
           (is(u, name + 1, "*") || (is(u, name + 2, "::") && is(u, name + 3, "*")));
}

static bool device_call(const unit *u, int open) {
    const token *t = &u->tokens[open];
    if (t->bracket != '(' || is_declarator(u, open)) return false;
    return t->match > open + 1 && t->scope == SCOPE_DEVICE &&
           ((is_name(u, open - 1) && !is_any(u, open - 1, no_calls)) || is(u, open - 1, ")") || is(u, open - 1, "]"));
}

// Argument `index` of the call that opens at `open` is [*first, *end).
static bool find_argument(const unit *u, int open, int index, int *first, int *end) {
    int close = u->tokens[open].match;
    *first = *end = open + 1;
    for (; *end < close; *end = skip_group(u, *end)) {
        if (!is(u, *end, ",")) continue;
        if (index-- == 0) return true;
        *first = *end + 1;
    }
    return index == 0 && *first < close;
}

// Is the argument [first, end) an element of what a name or brackets begin, `o.boxes[i]`? Not *p[i], (Box)b[i], a + b[i].
static bool is_element(const unit *u, int first, int end) {
    int open = u->tokens[end - 1].match, last;
    if (!is(u, end - 1, "]") || open <= first || open + 2 >= end) return false;
    if (!is_name(u, first) && !is(u, first, "(")) return false;
    for (int i = last = first; i < open; last = i, i = skip_group(u, i)) {
        bool joins = is(u, i, ".") || is(u, i, "->") || is(u, i, "::");
        bool joined = i == first || is(u, last, ".") || is(u, last, "->") || is(u, last, "::");
        if (joins == joined && !is(u, i, "[")) return false;
    }
    return true;
}

static bool show_argument(unit *u, int open, int index) {
    int first, end;
    if (index < 0 || !find_argument(u, open, index, &first, &end) || is(u, first, "{") || is(u, first, "simt"))
        return false;
    if (u->tokens[first].before && strstr(u->tokens[first].before, "simt::shown(")) return true;
    if (is_element(u, first, end)) {
        insert_before(u, first, "simt::shown(simt::item(");
        replace(u, u->tokens[end - 1].match, ",");
        replace(u, end - 1, "))");
    } else {
        insert_before(u, first, "simt::shown(");
        insert_after(u, end - 1, ")");
    }
    return true;
}

// A method's object is an argument, too. Whether this is a method no token tells: o.f(box) may call a pointer in o, f(box) a
// method of the same object.
static bool show_call(unit *u, int open, int index) {
    bool first = show_argument(u, open, index), second = show_argument(u, open, index - 1);
    return first || second;
}

static bool host_line(const unit *u, int file, int line) {
    bool any = false;
    for (int i = 0; i < u->token_count; i++)
        if (on_line(u, i, file, line)) {
            any = true;
            if (u->tokens[i].scope == SCOPE_DEVICE) return false;
        }
    return any;
}

static void show(unit *u, char *place) {
    char *index = strrchr(place, ':'), *line;
    if (!index) return;
    *index++ = 0;
    if (!(line = strrchr(place, ':'))) return;
    int file = file_of(u, place, (size_t)(line - place)), number = atoi(line + 1);
    if (file < 0 || u->files[file].system || host_line(u, file, number)) return;
    bool shown = false;
    for (int i = 1; i < u->token_count; i++)
        if (device_call(u, i) && (on_line(u, i, file, number) || on_line(u, u->tokens[i].match, file, number)))
            shown |= show_call(u, i, atoi(index));
    if (!shown)
        fprintf(u->report,
                "%s: warning: checked mode does not see the struct that this call takes by value: copy it first, "
                "Box b = boxes[i]; f(b)\n",
                place);
}

void show_structs(unit *u) {
    FILE *in = rewriting_shown ? fopen(rewriting_shown, "r") : NULL;
    char *line = NULL;
    size_t room = 0;
    while (in && getline(&line, &room, in) > 0) show(u, line);
    free(line);
    if (in) fclose(in);
}
