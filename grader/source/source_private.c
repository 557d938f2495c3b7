// source_private.c: an array of a thread's own, of which it takes only some elements, as if the threads shared it:
//
//     float s[KPL];
//     for (int u = 0; u < KPL; u++) s[u] = ...;                   all that it has
//     for (int u = lane; u < KPL; u += 32) s[u] = -INFINITY;      lane 0 takes s[0], and most take nothing
#include <stdio.h>
#include <string.h>

#include "source_hints.h"
#include "source_lines.h"
#include "source_loops.h"

enum { LONGEST = LAB_LONGEST_WORD };

// The line "float NAME[...], ..." of this function nearest before this place, without __shared__. NULL: it is no array of
// the thread's own. length: what stands in the brackets.
const char *lab_own_array(const char *text, const char *at, const char *name, char length[LONGEST]) {
    const char *function = lab_function_of(text, at), *found = NULL;
    const size_t n = strlen(name);
    for (const char *word = function; word && (word = strstr(word, name)) && word < at; word += n) {
        const char *start = word, *close = word[n] == '[' ? lab_closing(word + n) : NULL;
        if (!lab_is_word_at(text, word, name) || !close) continue;
        while (start > function && !strchr(";{}", start[-1])) start--;
        start = lab_skip_blanks(start);
        const char *before = word;
        while (before > start && before[-1] == ' ') before--;
        if (start == word || memchr(start, '(', (size_t)(word - start)) ||
            (memchr(start, '=', (size_t)(word - start)) && before[-1] != ','))
            continue;
        if (!strncmp(start, "const ", 6)) start += 6;
        const int own = !strncmp(start, "float ", 6) || !strncmp(start, "double ", 7);
        if (own && !lab_copy_word(word + n + 1, close, length)) continue;
        if (own || !strncmp(start, "__shared__", 10) || !strncmp(start, "extern ", 7)) found = own ? word : NULL;
    }
    return found;
}

// "c < BOUND": is that the bound?
static int ends_at(const lab_loop *l, const char *bound) {
    char mine[LONGEST];
    const char *less = memchr(l->condition, '<', (size_t)(l->body - l->condition)), *end = strchr(l->condition, ';');
    return less && end && less < end && less[1] != '=' && lab_copy_word(less + 1, end, mine) && !strcmp(mine, bound);
}

// NAME[counter] = in the loop's body. Returns where, or NULL.
static const char *stores_to(const lab_loop *l, const char *from, char name[LONGEST]) {
    for (const char *open = from; open < l->end && (open = strchr(open, '[')) && open < l->end; open++) {
        const char *close = lab_closing(open), *first = open;
        char index[LONGEST];
        while (first > l->body && lab_is_word(first[-1])) first--;
        if (!close || !lab_copy_word(first, open, name) || !lab_copy_word(open + 1, close, index)) continue;
        const char *set = lab_skip_blanks(close + 1);
        const int plain = *set == '=' && set[1] != '=', changed = strchr("+-*/", *set) && set[1] == '=';
        if ((plain || changed) && !strcmp(index, l->name)) return open;
    }
    return NULL;
}

// Another loop of the function, from 0 on in steps of 1, that stores to all of it.
static int is_filled(const char *text, const char *declared, const char *name, const char *length) {
    const char *end = strstr(declared, "\n}");
    char stored[LONGEST];
    lab_loop l;
    for (const char *at = declared; end && (at = lab_next_loop(text, at, &l)) && l.at < end;) {
        if (strcmp(l.from, "0") || strcmp(l.step, "1") || !ends_at(&l, length)) continue;
        for (const char *open = l.body; (open = stores_to(&l, open, stored)); open++)
            if (!strcmp(stored, name)) return 1;
    }
    return 0;
}

int lab_hint_of_own_array(const char *text, int from, int to, char *sentence, size_t size) {
    const char *start = lab_line_at(text, from), *behind = lab_line_at(text, to + 1);
    char value[LONGEST], name[LONGEST], length[LONGEST];
    lab_loop l;
    lab_loops_begin();
    for (const char *at = start; at && (at = lab_next_loop(text, at, &l)) && (!behind || l.at < behind);) {
        if (!strcmp(l.step, "1") || !lab_origin(text, l.at, l.from, value)) continue;
        for (const char *open = l.body; (open = stores_to(&l, open, name)); open++) {
            const char *declared = lab_own_array(text, l.at, name, length);
            if (!declared || !ends_at(&l, length) || !is_filled(text, declared, name, length)) continue;
            snprintf(
                sentence, size,
                "line %d takes %s[%s], %s[%s + %s], ... alone, as if the threads shared %s: it is an array of each "
                "thread's own (line %d), and a thread goes through all of it, from 0 on in steps of 1",
                lab_line_of(text, l.at), name, l.from, name, l.from, l.step, name, lab_line_of(text, declared));
            return LAB_HINT_CAUSE;
        }
    }
    return LAB_HINT_NONE;
}
