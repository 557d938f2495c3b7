// near.c: how close two names are: in the text, and as words.
#include "edits.h"

#include <ctype.h>
#include <string.h>

// Where each variable's name stands, whatever it means there.
static void note_places(edits *e) {
    const unit *u = &e->u;
    e->stands = keep(&e->u, (size_t)(e->n_variables + 1) * sizeof *e->stands);
    for (int i = 0; i < e->n_variables; i++) {
        const char *name = e->variables[i].name;
        const int length = (int)strlen(name);
        int n = 0;
        for (int k = 0; k < u->token_count; k++)
            n += u->tokens[k].length == length && !memcmp(u->tokens[k].at, name, (size_t)length);
        int *list = e->stands[i] = keep(&e->u, (size_t)(n + 1) * sizeof **e->stands);
        for (int k = 0; k < u->token_count; k++)
            if (u->tokens[k].length == length && !memcmp(u->tokens[k].at, name, (size_t)length)) *list++ = k;
        *list = -1;
    }
}

int edits_nearness(edits *e, const variable *v, int token) {
    int least = 1 << 20;
    if (!e->stands) note_places(e);
    for (const int *at = e->stands[v - e->variables]; *at >= 0; at++) {
        const int apart = *at < token ? token - *at : *at - token;
        if (apart && apart < least) least = apart;
    }
    return least <= 14 ? 6 : least <= 40 ? 4 : least <= 100 ? 2 : 0;
}

static size_t word_length(const char *word) {
    size_t n = 0;
    while (word[n] && word[n] != '_') n++;
    return n;
}

// tile_max and new_max have a word in common.
static bool share_word(const char *a, const char *b) {
    for (const char *w = a; *w; w += word_length(w) + (w[word_length(w)] == '_'))
        for (const char *v = b; *v; v += word_length(v) + (v[word_length(v)] == '_')) {
            const size_t n = word_length(w);
            if (n >= 2 && n == word_length(v) && !strncmp(w, v, n)) return true;
            if (!word_length(v) && !v[1]) break;
        }
    return false;
}

// seq_q and seq_kv, count and count_device begin alike; TM and TK are two of a kind.
bool edits_related(const char *a, const char *b) {
    size_t n = 0;
    while (a[n] && a[n] == b[n]) n++;
    const bool begin =
        n && (n >= 3 || !a[n] || !b[n]) && (!a[n] || !b[n] || a[n - 1] == '_' || b[n] == '_' || a[n] == '_');
    const bool pair = n == 1 && strlen(a) == 2 && strlen(b) == 2 && isupper((unsigned char)*a);
    return begin || pair || share_word(a, b);
}
