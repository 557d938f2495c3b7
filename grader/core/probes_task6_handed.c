// probes_task6_handed.c: what is handed to flash, append and decode, where that is neither right nor seen by its numbers:
// as grader/probes/task6.cu tells it.
#include "probes_task6.h"

#include <stdio.h>

enum { HANDED = 10000000, FUNCTIONS = 3, ARGUMENTS = 5 };

static const char *const handed_to[] = {"flash", "append", "decode"};
static const char *const handed_as[FUNCTIONS][ARGUMENTS] = {{"O", "Q", "K", "V"},
                                                            {"K_cache", "V_cache", "lengths", "k_new", "v_new"},
                                                            {"O", "Q", "K_cache", "V_cache", "lengths"}};

// "k_new of append, v_new of append, Q of decode", by the bits 5 f + i.
static void list_arguments(int bits, char *words, size_t size) {
    size_t used = 0;
    *words = 0;
    for (int k = 0; k < FUNCTIONS * ARGUMENTS; k++)
        if (bits >> k & 1 && used < size && handed_as[k / ARGUMENTS][k % ARGUMENTS])
            used += (size_t)snprintf(words + used, size - used, "%s%s of %s", used ? ", " : "",
                                     handed_as[k / ARGUMENTS][k % ARGUMENTS], handed_to[k / ARGUMENTS]);
}

static int say_arguments(const lab_symptom *s, int f, int i, const char *is, const char *must, char *text,
                         size_t size) {
    const int wrong = (int)s->got[3], of_qkv = (int)s->got[4], others = wrong & ~(1 << (ARGUMENTS * f + i));
    char words[200];
    list_arguments(wrong, words, sizeof words);
    if (others && wrong == of_qkv)
        return snprintf(text, size,
                        "work.qkv is taken for %s: in each of its rows q, k and v of a token stand side by side, [B, "
                        "S, 3 E]. split_qkv has made work.Q, work.K and work.V of it, [B, H, S, D], and these belong "
                        "there",
                        words) > 0;
    list_arguments(others, words, sizeof words);
    return snprintf(text, size, "call->%s is given %s as its argument %s: it takes %s%s%s", handed_to[f], is,
                    handed_as[f][i], must, others ? ". Of the others these are wrong, too: " : "", words) > 0;
}

int lab_say_handed(const lab_symptom *s, char *text, size_t size) {
    static const char *const buffer[] = {"work.qkv",
                                         "work.Q",
                                         "work.K",
                                         "work.V",
                                         "work.O",
                                         "work.merged",
                                         "cache.K",
                                         "cache.V",
                                         "cache.lengths",
                                         "something else",
                                         "a place within work.qkv"};
    static const char *const field[FUNCTIONS][ARGUMENTS] = {{"batch", "heads", "seq_q", "seq_kv", "head_dim"},
                                                            {"batch", "heads", "max_seq", "head_dim"},
                                                            {"batch", "heads", "max_seq", "head_dim"}};
    if (s->cmp.not_finite || !(s->got[0] >= HANDED) || s->got[0] != (float)(int)s->got[0]) return 0;
    const int code = (int)s->got[0] - HANDED, f = code / 100, i = code % 50, is = (int)s->got[1], must = (int)s->got[2];
    if (f >= FUNCTIONS) return 0;
    if (code % 100 == 99)
        return snprintf(text, size, "call->%s is called: %s", handed_to[f],
                        f ? "a prompt attends to itself with call->flash alone, its keys are stored already"
                          : "a new token is stored with call->append, and attends with call->decode") > 0;
    if (code % 100 == 98)
        return snprintf(text, size, "call->%s is never called, and ATTN_OK is returned: it computes work.O",
                        handed_to[f]) > 0;
    if (code % 100 == 97)
        return snprintf(text, size,
                        "call->flash is called %d times, with seq_q = 1: one call does the whole prompt, with seq_q = "
                        "seq_kv = %d and shape.causal = 1. A call for one token takes heads to lie 1 row apart, and "
                        "they lie S rows apart",
                        is, must) > 0;
    if (i >= ARGUMENTS) return 0;
    if (code % 100 == 50 && !f && is == 1)
        return snprintf(text, size,
                        "call->flash is given a shape with batch = 1: with batch = %d it does all sequences at once, "
                        "and who calls it for each moves on by heads * seq_q * head_dim from one to the next",
                        must) > 0;
    if (code % 100 == 51 && !f && is == 1)
        return snprintf(text, size,
                        "call->flash is given a shape with heads = 1: it must be %d. Q, K and V are [B, H, S, D], in "
                        "which each head is a matrix of its own with rows of head_dim = %d, not rows of heads * "
                        "head_dim",
                        must, s->shape.head_dim) > 0;
    if (code % 100 >= 50)
        return snprintf(text, size, "call->%s is given a %s with %s = %d: it must be %d", handed_to[f],
                        f ? "cache size" : "shape", field[f][i], is, must) > 0;
    const int n = (int)(sizeof buffer / sizeof *buffer);  // a student's function may write such numbers itself
    if (is < 0 || is >= n || must < 0 || must >= n || !handed_as[f][i]) return 0;
    return say_arguments(s, f, i, buffer[is], buffer[must], text, size);
}
