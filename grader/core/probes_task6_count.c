// probes_task6_count.c: task 6, how many tokens a prompt has left in the cache. The claims stand in probes_task6.c.
#include <string.h>

#include "layer.h"
#include "probes_task6.h"

// ---- count_tokens: count [B] -> lengths [B], both integers

SIZES(count_tokens, 1, s.batch, s.batch)

FILL(count_tokens) { lab_layer_prompts(s, s.seq_q, key, x); }

static int is_poison(const float *x) {
    const uint32_t poison = LAB_POISON;
    return memcmp(x, &poison, sizeof poison) == 0;
}

// A little more than what stood there: count was added to it.
static int is_added_to(const float *x) {
    const int64_t more = (int64_t)lab_int_at(x, 0) - LAB_POISON;
    return more > 0 && more < 1 << 16;
}

// No length is below 0: there it is said how much was added to what stood there.
static void count_tokens_to_floats(attn_shape s, float *out) {
    for (int b = 0; b < s.batch; b++)
        if (is_added_to(out + b))
            out[b] = (float)(LAB_POISON - (int64_t)lab_int_at(out, b));
        else if (!is_poison(out + b))
            out[b] = (float)lab_int_at(out, b);
}

ORACLE(count_tokens) {
    for (int b = 0; b < s.batch; b++)
        out[b] = mistake == 1 ? s.seq_q : lab_int_at(in[1], mistake == 2 ? 0 : b) - (mistake == 3) + (mistake == 4);
    return 1;
}
// How often each count was added; 0: nowhere, or not everywhere as often.
static int times_added(const lab_symptom *s) {
    int times = 0;
    for (int b = 0; b < s->shape.batch; b++) {
        const int more = (int)-s->got[b], count = (int)s->want[b];
        if (!(s->got[b] < 0) || more % count || (times && more != times * count)) return 0;
        times = more / count;
    }
    return times;
}

static int was_added_to(const lab_symptom *s, char *text, size_t size) {
    static const char set[] =
        "lengths[b] holds anything before the call: set it before you add to it, or rather set it "
        "to count[b], which is all that it has to be",
                      heads[] = "matches a token that is counted once for each head: one thread of a sequence (h == 0 "
                                "and i == 0) sets lengths[b] to count[b], and nothing is added";
    const int times = times_added(s);
    if (times < 2) lab_guess(s->guesses, set, text, size);
    if (times == s->shape.heads) lab_guess(s->guesses, heads, text, size);
    if (!*text)
        snprintf(text, size,
                 "a token is counted %d times: one thread of a sequence sets lengths[b] to count[b], and nothing is "
                 "added",
                 times);
    return 1;
}

#define BY_HEAD                                                                                                        \
    "matches lengths[h] in place of lengths[b]: there is one length for each sequence, and the threads of all "        \
    "sequences "                                                                                                       \
    "write to that of a head"

// The first H places hold lengths of other sequences, and nobody has written the others.
static int written_by_head(const lab_symptom *s) {
    const int B = s->shape.batch, H = s->shape.heads;
    int others = 0;
    for (int b = 0; b < B; b++) {
        int known = b >= H && is_poison(s->got + b);
        for (int of = 0; of < B && b < H; of++) known |= s->got[b] == s->want[of];
        if (!known) return 0;
        others += b < H && s->got[b] != s->want[b];
    }
    return H < B && others;
}

// The first lengths are right, and nobody has written the others: how many are written?
static int count_tokens_else(const lab_symptom *s, char *text, size_t size) {
    const int B = s->shape.batch, H = s->shape.heads;
    int n = 0;
    for (int b = 0; b < B; b++)
        if (s->got[b] < 0) return was_added_to(s, text, size);
    if (written_by_head(s)) return lab_guess(s->guesses, BY_HEAD, text, size);
    while (n < B && s->got[n] == s->want[n]) n++;
    for (int b = n; b < B; b++)
        if (!is_poison(s->got + b)) return 0;
    if (n == B || (n != 1 && n != H)) return 0;
    return lab_guess(s->guesses,
                     n == 1 ? "matches the length of sequence 0 alone: each sequence has its own"
                            : "matches the lengths of the first H sequences alone: lengths has one for each of B",
                     text, size);
}
KNOWN_OR(count_tokens, count_tokens_else, "matches S for every sequence: padding is no token",
         "matches count[0] for every sequence",
         "matches count[b] - 1: lengths is how many slots hold tokens, not the last of them",
         "matches count[b] + 1: lengths is how many slots hold tokens")
SHARED_PROBE(count_tokens, count_tokens, 2, .fill = count_tokens_fill, .to_floats = count_tokens_to_floats,
             .tensors = {"lengths", "count"});
