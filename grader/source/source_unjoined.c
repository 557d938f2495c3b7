// source_unjoined.c: numbers prove that each thread goes on with its own maximum, or its own sum: the line that takes it as
// the loop over the thread's columns has left it.
//
//     for (int c = threadIdx.x; c < cols; c += THREADS) m = fmaxf(m, s[c]);
//     ...  expf(s[c] - m)
#include <stdio.h>
#include <string.h>

#include "source_calls.h"
#include "source_hints.h"
#include "source_lines.h"
#include "source_loops.h"

enum { LONGEST = LAB_LONGEST_WORD };

// Do the threads share this loop?
static int is_shared(const char *text, const lab_loop *l) {
    char value[LONGEST];
    return strcmp(l->step, "1") &&
           (strstr(l->from, "threadIdx") || (lab_origin(text, l->at, l->from, value) && strstr(value, "threadIdx")));
}

// "NAME = fmaxf(NAME", "NAME = max(NAME" or "NAME +=" in the loop's body, whatever NAME is. Returns where to look on.
static const char *found_in(const lab_loop *l, const char *at, int sum, char name[LONGEST]) {
    static const char *const forms[] = {" = fmaxf(", " = max("};
    for (; at < l->end; at++) {
        const char *first = at;
        if (sum ? strncmp(at, " += ", 4) : strncmp(at, forms[0], 9) && strncmp(at, forms[1], 7)) continue;
        while (first > l->body && lab_is_word(first[-1])) first--;
        const char *open = strchr(at, '(');
        if (!lab_copy_word(first, at, name) || (first > l->body && strchr(".>]*", first[-1]))) continue;
        if (sum || lab_is_word_at(open, open + 1, name)) return at + 1;
    }
    return NULL;
}

// Where the number is taken as it is, behind a minus or a division, before anything else is done with it. NULL: it is joined.
static const char *taken_at(const char *from, const char *name, int sum) {
    const char *end = strstr(from, "\n}");
    for (const char *at = from; end && (at = strstr(at, name)) && at < end; at++) {
        if (!lab_is_word_at(from, at, name)) continue;
        const char *before = at - 1;
        while (before > from && *before == ' ') before--;
        return *before == (sum ? '/' : '-') || (sum && *before == '=' && before[-1] == '/') ? at : NULL;
    }
    return NULL;
}

// "NAME = f(NAME" elsewhere in the file, where f is none of C's: the line that joins them. 0: none does.
static int joins(const char *text, const char *name) {
    char form[2 * LONGEST];
    snprintf(form, sizeof form, "%s = ", name);
    for (const char *at = text; (at = strstr(at, form)); at++) {
        const char *value = at + strlen(form), *open = value + strcspn(value, "(;");
        if (!lab_is_word_at(text, at, name) || *open != '(' || !strncmp(value, "fmax", 4) || !strncmp(value, "max(", 4))
            continue;
        if (lab_is_word_at(text, open + 1, name)) return lab_line_of(text, at);
    }
    return 0;
}

int lab_say_unjoined(const char *text, int sum, char *sentence, size_t size) {
    static lab_loop loops[LAB_MOST_LOOPS];
    const int n = lab_loops_of(text, 1, 1 << 20, loops);
    char name[LONGEST], as[80] = "";
    for (int i = 0; i < n; i++) {
        const char *at = is_shared(text, &loops[i]) ? loops[i].body : NULL;
        while (at && (at = found_in(&loops[i], at, sum, name))) {
            const char *taken = taken_at(loops[i].end, name, sum);
            if (!taken) continue;
            const int other = joins(text, name);
            if (other) snprintf(as, sizeof as, ", as line %d does", other);
            return snprintf(sentence, size,
                            "line %d takes %s as line %d has left it, %s this thread's own columns: join what all "
                            "threads have found first%s",
                            lab_line_of(text, taken), name, lab_line_of(text, at),
                            sum ? "the sum over" : "the largest of", as) > 0;
        }
    }
    return 0;
}
