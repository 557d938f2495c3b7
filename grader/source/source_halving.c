// source_halving.c: a tree that joins the parts of threads by halves, where their number is no power of 2:
//
//     for (int half = WARPS / 2; half > 0; half /= 2)        WARPS = 6: 6 -> 3 -> 1, and of 3 the last is lost
//         if (w < half) part[w] += part[w + half];
#include "source_calls.h"
#include "source_constants.h"
#include "source_hints.h"
#include "source_lines.h"
#include "source_settings.h"

#include <stdio.h>
#include <string.h>

enum { LONGEST = LAB_LONGEST_WORD, MOST = 4096 };

// "/= 2" or ">>= 1" of this name, before the ) of the loop.
static int halves(const char *from, const char *to, const char *name) {
    char step[LONGEST], divided[LONGEST + 8], shifted[LONGEST + 8];
    if (!lab_copy_word(from, to, step)) return 0;
    snprintf(divided, sizeof divided, "%s/=2", name), snprintf(shifted, sizeof shifted, "%s>>=1", name);
    return !strcmp(step, divided) || !strcmp(step, shifted);
}

// "X / 2" or "X >> 1": behind X. NULL: it is neither.
static const char *half_of(const char *from, const char *to) {
    for (const char *at = from; at < to; at++)
        if (*at == '/' || !strncmp(at, ">>", 2)) {
            char by[LONGEST];
            const int divided = *at == '/';
            return lab_copy_word(at + (divided ? 1 : 2), to, by) && !strcmp(by, divided ? "2" : "1") ? at : NULL;
        }
    return NULL;
}

int lab_hint_of_halving(const char *text, int from, int to, char *sentence, size_t size) {
    const char *at = lab_line_at(text, from), *behind = lab_line_at(text, to + 1);
    lab_constants_begin();
    for (; at && (at = strstr(at, "for")) && (!behind || at < behind); at++) {
        const char *open = lab_skip_blanks(at + 3), *close = *open == '(' ? lab_matching(open) : NULL;
        if (!close || !lab_is_word_at(text, at, "for")) continue;
        const char *equals = memchr(open, '=', (size_t)(close - open)),
                   *first = memchr(open, ';', (size_t)(close - open)),
                   *second = first ? memchr(first + 1, ';', (size_t)(close - first - 1)) : NULL;
        if (!equals || !second || equals > first) continue;
        const char *end = equals, *name = NULL;
        while (end > open && end[-1] == ' ') end--;
        for (name = end; name > open && lab_is_word(name[-1]);) name--;
        char counter[LONGEST], of[LONGEST], chain[80];
        const char *half = half_of(equals + 1, first);
        if (!half || !lab_copy_word(name, end, counter) || !halves(second + 1, close, counter)) continue;
        const lab_number number = {.text = text, .place = at};
        const long n = lab_number_of(&number, equals + 1, half);
        if (n < 3 || n > MOST || (n & (n - 1)) == 0 || !lab_copy_word(equals + 1, half, of)) continue;
        if (!lab_is_one_word(of) && strspn(of, "0123456789") != strlen(of)) continue;
        long odd = n;
        int used = snprintf(chain, sizeof chain, "%ld", n);
        for (; odd % 2 == 0; used += snprintf(chain + used, sizeof chain - (size_t)used, " -> %ld", odd)) odd /= 2;
        snprintf(sentence, size,
                 "line %d: the parts are joined by halves, of %s: %s -> %ld. Of %ld the last meets no other, and is "
                 "lost. Halve "
                 "rounded up, (n + 1) / 2, and add where there is another one, or take a power of 2",
                 lab_line_of(text, at), of, chain, odd / 2, odd);
        return LAB_HINT_CAUSE;
    }
    return LAB_HINT_NONE;
}
