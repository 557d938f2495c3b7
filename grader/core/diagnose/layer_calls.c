// layer_calls.c: task 6: a call of flash, append, decode, linear, split_qkv or merge_heads with another argument than
// task6.h says. Nothing is guessed: the driver has seen the call.
#include "layer_calls.h"

#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include "heuristics.h"

typedef struct {
    const char *name;
    int is_number;
} argument;

static const struct {
    const char *name;
    argument of[LAB_CALL_IN_DECODE];
} called[LAB_N_CALLED] = {
    [LAB_FLASH] = {"flash",
                   {{"O"},
                    {"Q"},
                    {"K"},
                    {"V"},
                    {"shape.seq_q", 1},
                    {"shape.seq_kv", 1},
                    {"shape.head_dim", 1},
                    {"shape.causal", 1}}},
    [LAB_APPEND] = {"append", {{"K_cache"}, {"V_cache"}, {"lengths"}, {"k_new"}, {"v_new"}}},
    [LAB_DECODE] = {"decode", {{"O"}, {"Q"}, {"K_cache"}, {"V_cache"}, {"lengths"}}},
    [LAB_LINEAR] = {"linear", {{"Y"}, {"X"}, {"W"}, {"b"}, {"n_in", 1}, {"n_out", 1}}},
    [LAB_SPLIT] = {"split_qkv", {{"Q"}, {"K"}, {"V"}, {"qkv"}, {"shape.seq_q", 1}}},
    [LAB_MERGE] = {"merge_heads", {{"Y"}, {"O"}, {"shape.seq_q", 1}}},
};

static const char *const buffers[LAB_N_BUFFERS] = {
    [LAB_IN_Y] = "Y",
    [LAB_IN_X] = "X",
    [LAB_IN_W_QKV] = "weights.W_qkv",
    [LAB_IN_B_QKV] = "weights.b_qkv",
    [LAB_IN_W_OUT] = "weights.W_out",
    [LAB_IN_B_OUT] = "weights.b_out",
    [LAB_IN_K_CACHE] = "cache.K",
    [LAB_IN_V_CACHE] = "cache.V",
    [LAB_IN_LENGTHS] = "cache.lengths",
    [LAB_IN_QKV] = "work.qkv",
    [LAB_IN_Q] = "work.Q",
    [LAB_IN_K] = "work.K",
    [LAB_IN_V] = "work.V",
    [LAB_IN_O] = "work.O",
    [LAB_IN_MERGED] = "work.merged",
};

int lab_explain_layer_call(const lab_symptom *s, char *text, size_t size) {
    int32_t log[LAB_CALL_LOG];
    if (!s->work) return 0;
    memcpy(log, s->work + 2 * lab_elements_kv(s->shape) + s->shape.batch, sizeof log);
    const int which = log[1], number = log[2], got = log[3], due = log[4];
    if (log[0] != LAB_CALL_IS_ODD || which < 0 || which >= LAB_N_CALLED || number < 0) return 0;
    if (number == LAB_CALL_IN_DECODE)
        return snprintf(text, size,
                        "matches a decode step that calls flash, and decode never: flash takes heads that lie seq_kv "
                        "rows apart and one length for all, and in the cache they lie max_seq slots apart, each "
                        "sequence with its own length") > 0;
    if (number >= LAB_CALL_IN_DECODE) return 0;
    const argument a = called[which].of[number];
    if (!a.name) return 0;
    if (a.is_number) {
        const char *why = "";
        if (strstr(a.name, "seq_")) why = ", S: the heads of work.Q, K, V and O lie S rows apart";
        if (a.name[0] == 'n') why = due == 3 * s->shape.heads * s->shape.head_dim ? ", 3 E" : ", E";
        snprintf(text, size, "matches a call of %s with %s = %d: it is %d%s", called[which].name, a.name, got, due,
                 why);
        return 1;
    }
    if (due <= LAB_IN_NOTHING || due >= LAB_N_BUFFERS || got <= LAB_IN_NOTHING || got >= LAB_N_BUFFERS) return 0;
    snprintf(text, size, "matches a call of %s that gets %s as %s: it is %s", called[which].name, buffers[got], a.name,
             buffers[due]);
    return 1;
}
