// source_buffers.c: two buffers in shared memory that take turns, of which a step reads the one that it stores to:
//
//     for (...) { __syncthreads(); now = 1 - now; tile[now][t] = A[next]; sum += tile[now][0] * x; }
#include "source_hints.h"
#include "source_lines.h"
#include "source_loops.h"

#include <stdio.h>
#include <string.h>

enum { LONGEST = LAB_LONGEST_WORD, MOST_TURNS = 16, MOST_USES = 64 };

typedef struct {
    char name[LONGEST];       // the number of the buffer
    const char *at;           // where the two change places
    const char *begin, *end;  // the body of the loop around it
} turn;

typedef struct {
    char array[LONGEST];
    const char *at, *end;
    int other, stores;  // other: the buffer that `name` does not say where the round begins
} use;

// now = 1 - now; now ^= 1; now = !now; now = now ^ 1;
static int turns_at(const char *text, const char *at, char name[LONGEST]) {
    char made[4][2 * LONGEST + 16];
    const char *end = at;
    if (!lab_is_word(*at) || (at > text && (lab_is_of_name(at[-1]) || at[-1] == '['))) return 0;
    while (lab_is_word(*end)) end++;
    if (!lab_copy_word(at, end, name)) return 0;
    snprintf(made[0], sizeof *made, "%s=1-%s;", name, name);
    snprintf(made[1], sizeof *made, "%s^=1;", name);
    snprintf(made[2], sizeof *made, "%s=!%s;", name, name);
    snprintf(made[3], sizeof *made, "%s=%s^1;", name, name);
    for (int i = 0; i < 4; i++) {
        const char *c = at, *m = made[i];
        for (; *m && (*c == *m || *c == ' '); c++) m += *c == *m;
        if (!*m) return 1;
    }
    return 0;
}

// The innermost loop around that place.
static int loop_around(const char *text, turn *t) {
    static const char *const words[] = {"for", "while"};
    t->begin = NULL;
    for (int w = 0; w < 2; w++)
        for (const char *at = text; (at = strstr(at, words[w])) && at < t->at; at++) {
            const char *open = at + strlen(words[w]) + strspn(at + strlen(words[w]), " ");
            const char *close = lab_is_word_at(text, at, words[w]) && *open == '(' ? lab_matching(open) : NULL;
            const char *body = close ? close + 1 + strspn(close + 1, " \t\n\\") : NULL;
            const char *end = body && *body == '{' ? lab_matching(body) : NULL;
            if (end && body < t->at && t->at < end && body > t->begin) t->begin = body, t->end = end;
        }
    return t->begin != NULL;
}

// float tile[2][..], other[2][..]: is it shared, and are there two?
static int is_pair(const char *text, const char *array) {
    for (const char *at = text; (at = strstr(at, "__shared__")); at++) {
        const char *end = strchr(at, ';');
        for (const char *n = at; end && (n = strstr(n, array)) && n < end; n++)
            if (lab_is_word_at(text, n, array) && !strncmp(n + strlen(array), "[2][", 4)) return 1;
    }
    return 0;
}

// What a function called like that does with its tile is to store to it.
static int stores_by_name(const char *from, const char *to) {
    static const char *const words[] = {"load", "fetch", "copy", "fill", "stage", "Load", "Fetch", "store"};
    for (size_t i = 0; i < sizeof words / sizeof *words; i++)
        for (const char *at = from; (at = strstr(at, words[i])) && at < to; at++) return 1;
    return 0;
}

// tile[now]... or tile[1 - now]...
static int use_at(const char *text, const char *open, const turn *t, use *u) {
    const char *close = lab_closing(open), *start = open, *from = open + 1;
    char index[LONGEST] = "", other[3][LONGEST + 8];
    size_t n = 0;
    if (!close || close - open > LONGEST) return 0;
    for (const char *c = from; c < close; c++)
        if (*c != ' ') index[n++] = *c;
    index[n] = 0;
    snprintf(other[0], sizeof *other, "1-%s", t->name);
    snprintf(other[1], sizeof *other, "%s^1", t->name);
    snprintf(other[2], sizeof *other, "!%s", t->name);
    u->other = !strcmp(index, other[0]) || !strcmp(index, other[1]) || !strcmp(index, other[2]);
    if (!u->other && strcmp(index, t->name)) return 0;
    while (start > text && lab_is_word(start[-1])) start--;
    if (!lab_copy_word(start, open, u->array) || !is_pair(text, u->array)) return 0;
    u->at = start, u->end = close + 1, u->other ^= open > t->at;
    while (*u->end == '[' && lab_closing(u->end)) u->end = lab_closing(u->end) + 1;
    const char *sign = u->end + strspn(u->end, " ");
    u->stores = *sign == '=' && sign[1] != '=';
    const char *statement = start;
    while (statement > text && !strchr(";{}", statement[-1])) statement--;
    if (strchr(",)", *sign)) u->stores = stores_by_name(statement, start);
    return 1;
}

// Do threads, or copies, wait for each other between the two?
static int waits(const char *from, const char *to) {
    static const char *const words[] = {"sync", "wait", "barrier", "SYNC", "BARRIER"};
    for (size_t i = 0; i < sizeof words / sizeof *words; i++) {
        const char *at = strstr(from, words[i]);
        if (at && at < to) return 1;
    }
    return 0;
}

static int says(const char *text, const turn *t, const use *s, const use *r, char *sentence, size_t size) {
    if (s->stores == r->stores || strcmp(s->array, r->array) || s->other != r->other) return 0;
    if (!s->stores || s->end > r->at || waits(s->end, r->at)) return 0;
    snprintf(
        sentence, size,
        "line %d reads %.*s, the buffer of the two that line %d stores to in the same step, with no barrier between: "
        "%s changes in line %d. A step reads the buffer that the one before it has filled, and fills the other: change "
        "%s at the end of the step",
        lab_line_of(text, r->at), (int)(strcspn(r->at, "]") + 1), r->at, lab_line_of(text, s->at), t->name,
        lab_line_of(text, t->at), t->name);
    return 1;
}

int lab_hint_of_buffers(const char *text, int from, int to, char *sentence, size_t size) {
    const char *at = lab_line_at(text, from), *behind = lab_line_at(text, to + 1);
    int turns = 0;
    for (; at && *at && (!behind || at < behind) && turns < MOST_TURNS; at++) {
        turn t = {.at = at};
        use u[MOST_USES];
        int n = 0;
        if (!turns_at(text, at, t.name) || !loop_around(text, &t)) continue;
        turns++;
        for (const char *open = t.begin; n < MOST_USES && (open = strchr(open, '[')) && open < t.end; open++)
            n += use_at(text, open, &t, &u[n]);
        for (int s = 0; s < n; s++)
            for (int r = 0; r < n; r++)
                if (says(text, &t, &u[s], &u[r], sentence, size)) return LAB_HINT_CAUSE;
    }
    return LAB_HINT_NONE;
}
