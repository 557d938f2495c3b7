// cause_layout.c: one cause of several TODOs that fail: the file takes its tensors for [B, S, H, D]; or of several functions,
// which take the cache for one of other layouts.
#include "cause_layout.h"

#include <stdio.h>
#include <string.h>

#include "common_cause.h"
#include "wrong_rows.h"

// A layout that the cache is taken for: words of what is said of an append, and of what reads; how it should be.
typedef struct {
    const char *name, *stored[2], *read[2], *so;
} layout;

static const layout of_cache[] = {
    {"[B, max_seq, H, D]",
     {"laid out", "[B, max_seq, H, D]"},
     {"read as", "[B, max_seq, H, D]"},
     "slot s of head h begins at ((b * H + h) * max_seq + s) * D, and the next one D further"},
    {"[H, B, max_seq, D]",
     {"matches head h of sequence b at number h * batch + b: ", ""},
     {"begins at (h * batch + b) * ", "K and V"},
     "head h of sequence b is number b * H + h, and not h * B + b"},
};

static int has_words(const lab_guesses *fits, const char *const words[2]) {
    for (int k = 0; k < fits->n; k++)
        if (strstr(fits->text[k], words[0]) && strstr(fits->text[k], words[1])) return 1;
    return 0;
}

// A file without TODOs writes its cache in an order of its own, and reads it in the same: two sentences of one mistake.
// What reads slots that nobody has written is NaN, and tells nothing.
static int is_of_cache(const layout *l) {
    const lab_tried *t;
    int written = 0, read = 0, others = 0;
    for (int i = 0; (t = lab_cause_tried(i)); i++) {
        const lab_guesses *fits = lab_cause_fits(i);
        if (!fits || !fits->n) continue;
        const int stores = !strcmp(t->c.op->symbol, "attn_cache_append");
        written += stores && has_words(fits, l->stored), read += !stores && has_words(fits, l->read);
        others += stores && !has_words(fits, l->stored);
    }
    return written && read && !others;
}

static int cache_layout(char *text, size_t size) {
    for (size_t i = 0; i < sizeof of_cache / sizeof *of_cache; i++)
        if (is_of_cache(&of_cache[i]))
            return snprintf(
                       text, size,
                       "the cache is taken as %s, where a token is stored and where keys and values are read: it is "
                       "[B, H, max_seq, D], so that %s",
                       of_cache[i].name, of_cache[i].so) > 0;
    return 0;
}

// Claims of one function, of which each that fails and can tell is right for this layout.
int lab_cause_layout(char *text, size_t size) {
    const char *symbol = NULL;
    const lab_tried *t;
    if (!*lab_first_todo()) return cache_layout(text, size);
    int n = 0, fit = 0;
    for (int i = 0; (t = lab_cause_tried(i)); i++) {
        const lab_guesses *fits = lab_cause_fits(i);
        if (!fits || (symbol && strcmp(symbol, t->c.op->symbol))) continue;
        for (int k = 0, is = 0; k < fits->n && !is; k++)
            fit += is = !strncmp(fits->text[k], LAB_ALL_OF_TOKENS, sizeof LAB_ALL_OF_TOKENS - 1);
        symbol = t->c.op->symbol, n++;
    }
    if (n < 2 || fit < n) return 0;
    snprintf(text, size,
             "%s as a whole %s as [B, S, H, D]: the layout is [B, H, S, D], a head's rows side by side. So rows are D "
             "apart, and head n = b * H + h begins at n * S * D",
             symbol, LAB_ALL_OF_TOKENS);
    return 1;
}
