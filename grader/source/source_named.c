// source_named.c: what the text of a TODO names in its "Fill:", and no line below reads: a part of it is forgotten.
//
//     // TODO 4.3: ... Fill: -INFINITY into the scores of keys that do not exist (j >= seq_kv) and, if shape.causal, ...
//     if (shape.causal && k0 + c > i) s[c] = -INFINITY;
#include "source_calls.h"
#include "source_hints.h"
#include "source_lines.h"

#include <stdio.h>
#include <string.h>

enum { LONGEST = LAB_LONGEST_WORD, MOST = 4 };

// Fields by which the tasks' headers say how many there are of something, and whether there is a mask.
static const char *const fields[] = {"seq_q", "seq_kv", "head_dim", "causal", "nq", "nk", "max_seq", NULL};

static int is_field(const char *name) {
    for (int i = 0; fields[i]; i++)
        if (!strcmp(fields[i], name)) return 1;
    return 0;
}

static int is_listed(char names[MOST][LONGEST], int n, const char *name) {
    for (int i = 0; i < n; i++)
        if (!strcmp(names[i], name)) return 1;
    return 0;
}

// The first line that is no comment, from here on.
static const char *behind_comment(const char *line) {
    while (*line && !strncmp(lab_skip_blanks(line), "//", 2)) {
        const char *end = strchr(line, '\n');
        if (!end) return line + strlen(line);
        line = end + 1;
    }
    return line;
}

// Words from `from` to `to` that are parameters of the function, or such fields, and that the code does not have.
static int unread(const char *from, const char *to, const char *function, const char *code, const char *end,
                  char names[MOST][LONGEST]) {
    int n = 0;
    for (const char *at = from; at < to && n < MOST; at++) {
        const char *behind = at;
        char name[LONGEST];
        if (!lab_is_word(*at) || lab_is_word(at[-1])) continue;
        while (lab_is_word(*behind)) behind++;
        if (!lab_copy_word(at, behind, name) || is_listed(names, n, name)) continue;
        if ((is_field(name) || (strlen(name) > 1 && lab_parameter_of(function, name) >= 0)) &&
            !lab_has_word(code, end, name))
            strcpy(names[n++], name);
    }
    return n;
}

int lab_hint_of_named(const char *commented, const char *text, int from, int to, char *sentence, size_t size) {
    const char *start = lab_line_at(commented, from), *last = lab_line_at(commented, to + 1);
    const char *todo = start ? strstr(start, "// TODO ") : NULL, *line = todo;
    if (!todo || (last && todo > last)) return LAB_HINT_NONE;
    while (line > commented && line[-1] != '\n') line--;
    const char *behind = behind_comment(line), *fill = strstr(todo, "Fill:"),
               *stop = fill ? strstr(fill, "Invariant:") : NULL;
    const int first = lab_line_of(commented, behind);
    const char *code = lab_line_at(text, first), *function = code ? lab_function_of(text, code) : NULL;
    const char *body = function ? strchr(function, '{') : NULL, *end = body && body < code ? lab_matching(body) : NULL;
    char names[MOST][LONGEST], list[MOST * (LONGEST + 8)] = "";
    if (!end || !stop || stop > behind || lab_has_word(code, end, "ATTN_TODO")) return LAB_HINT_NONE;
    const int n = unread(fill, stop, function, code, end, names);
    for (int i = 0, used = 0; i < n; i++)
        used += snprintf(list + used, sizeof list - (size_t)used, "%s%s",
                         !i          ? ""
                         : i + 1 < n ? ", "
                                     : " and ",
                         names[i]);
    if (!n) return LAB_HINT_NONE;
    snprintf(sentence, size, "the text above line %d names %s, and no line below reads %s: a part of it is not written",
             first, list, n > 1 ? "them" : "it");
    return LAB_HINT_BESIDE;
}
