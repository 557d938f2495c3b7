// room_tables.c: conditions that were written in place of TODO 6.2's: of which sequences, and which number of tokens.
#include <stdio.h>

#include "call_row.h"

typedef enum {
    BOTH,
    PAST,
    COUNT,
    PAST_AND_S,
    ONLY_S,
    LATER,
    PAST_AND_1,
    COUNT_0,
    LESS,
    ONE_MORE,
    ONE_LESS,
    OF_ALL,
    N_TOKENS
} tokens;

static int tokens_of(tokens t, const call *c, int b) {
    const int past = lab_int_at(c->past, (size_t)b), count = lab_int_at(c->count, (size_t)b);
    switch (t) {
    case PAST: return past;
    case COUNT: return count;
    case PAST_AND_S: return past + c->S;
    case ONLY_S: return c->S;
    case PAST_AND_1: return past + 1;
    case COUNT_0: return past + lab_int_at(c->count, 0);
    case LESS: return past - count;
    case LATER: return past ? past + count : 0;
    case ONE_MORE: return past + count + 1;
    case ONE_LESS: return past + count - 1;
    default: return past + count;
    }
}

static const char *const other_tokens[N_TOKENS] = {
    [PAST] = "past[b] alone held against max_seq: the tokens of this call need room, too",
    [COUNT] = "count[b] alone held against max_seq: the tokens that the cache holds, past[b], take slots, too",
    [PAST_AND_S] = "S in place of count[b]: padding takes no slot",
    [ONLY_S] = "S alone held against max_seq: it is past[b] + count[b]",
    [PAST_AND_1] = "past[b] + 1 held against max_seq: a prompt brings count[b] tokens",
    [COUNT_0] = "count[0] for every sequence: each has its own count",
    [LESS] = "past[b] - count[b] held against max_seq: the tokens of this call are added",
    [LATER] = "only sequences with a past checked: a prompt may be too long, too",
    [ONE_MORE] = "max_seq tokens that do not fit: they do",
    [ONE_LESS] = "max_seq + 1 tokens that fit: max_seq is the most",
    [OF_ALL] = "past[b] + count[b] held against batch * max_seq: each sequence has max_seq slots of its own"};
static const char *const other_whose[N_WHOSE + 1] = {
    [ANY] = "a call that is refused only where no sequence has room: one without is enough",
    [FIRST] = "sequence 0 alone: one sequence without room is enough, whichever it is",
    [LAST] = "the last sequence alone: one sequence without room is enough, whichever it is",
    [REST] = "sequence 0 left out: the loop begins at b = 0",
    [NOT_LAST] = "the last sequence left out: the loop ends at b = B - 1",
    [BY_S] = NULL,
    [N_WHOSE] = "the first H sequences alone: the loop ends at the heads, and there are B sequences"};

static int room_by(int w, tokens t, int exchanged, const call *c) {
    int holds[16];
    for (int b = 0; b < c->B; b++) holds[b] = tokens_of(t, c, b) <= c->slots * (t == OF_ALL ? c->B : 1);
    const int B = w == N_WHOSE && c->H < c->B ? c->H : c->B;
    return holds_of(w == N_WHOSE ? ALL : (whose)w, B, 0, holds) != exchanged;
}

int lab_explain_room(const lab_symptom *s, int rows, char *text, size_t size) {
    int found = 0;
    if (s->shape.batch > 16 || s->cmp.not_finite) return 0;
    for (int parts = 1; parts <= 2 && !found; parts++)
        for (int w = ALL; w <= N_WHOSE; w++)
            for (tokens t = BOTH; t < N_TOKENS; t++)
                for (int exchanged = 0; exchanged < 2; exchanged++) {
                    if (parts == 2 && (t >= LATER && t != PAST_AND_1 && t != ONE_MORE && t != ONE_LESS))
                        continue;  // by chance
                    if (w == BY_S || (w != ALL) + (t != BOTH) + exchanged != parts) continue;
                    int equal = 0, used = 0;
                    for (int row = 0; row < rows; row++) {
                        const call c = call_at(s, row);
                        equal += room_by(w, t, exchanged, &c) == (int)s->got[row];
                    }
                    if (equal < rows) continue;
                    char said[240] = "matches ";
                    const char *const part[] = {exchanged ? "true and false exchanged" : NULL, other_whose[w],
                                                other_tokens[t]};
                    for (int i = 0; i < 3; i++)
                        if (part[i])
                            used += snprintf(said + 8 + used, sizeof said - 8 - (size_t)used, "%s%s",
                                             used ? ", and " : "", part[i]);
                    found |= lab_guess(s->guesses, said, text, size);
                }
    return found;
}
