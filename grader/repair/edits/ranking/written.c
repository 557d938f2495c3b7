// written.c: does a file have these words? What a change makes is looked for with the tokens around it.
#include "edits.h"

#include <ctype.h>
#include <string.h>

enum { HEADS = 1 << 14, WINDOW = 240 };

// The file without blanks, and where each three characters stand in it.
struct edits_words {
    char *text;
    size_t size;
    int head[HEADS], *next;
};

static unsigned key(const char *at) {
    return ((unsigned char)at[0] * 1009u + (unsigned char)at[1] * 31u + (unsigned char)at[2]) % HEADS;
}

edits_words *edits_words_of(edits *e) {
    unit *u = &e->u;
    edits_words *x = keep(u, sizeof *x);
    x->text = keep(u, u->size + 4), x->next = keep(u, sizeof *x->next * (u->size + 4));
    for (int i = 0; i < u->token_count; i++) {
        const token *t = &u->tokens[i];
        memcpy(x->text + x->size, t->at, (size_t)t->length), x->size += (size_t)t->length;
    }
    memset(x->head, -1, sizeof x->head);
    for (int i = (int)x->size - 3; i >= 0; i--) {
        const unsigned k = key(x->text + i);
        x->next[i] = x->head[k], x->head[k] = i;
    }
    return x;
}

static bool stands(const edits_words *x, const char *words, size_t n) {
    if (n < 3) return true;
    for (int i = x->head[key(words)]; i >= 0; i = x->next[i])
        if ((size_t)i + n <= x->size && !memcmp(x->text + i, words, n)) return true;
    return false;
}

static void add(char *window, size_t *used, const char *from, size_t n) {
    for (size_t i = 0; i < n && *used + 1 < WINDOW; i++)
        if (!isspace((unsigned char)from[i])) window[(*used)++] = from[i];
}

// The change's own text with that many tokens on its left and right: is it written like that elsewhere?
bool edits_written(const edits *e, const edits_words *x, const change *c, int left, int right) {
    char window[WINDOW];
    size_t used = 0;
    for (int i = c->first - left; i < c->first; i++)
        if (i >= 0) add(window, &used, e->u.tokens[i].at, (size_t)e->u.tokens[i].length);
    add(window, &used, c->new_shown, strlen(c->new_shown));
    for (int i = c->end; i < c->end + right && i < e->u.token_count; i++)
        add(window, &used, e->u.tokens[i].at, (size_t)e->u.tokens[i].length);
    return used + 1 < WINDOW && stands(x, window, used);
}
