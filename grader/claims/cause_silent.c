// cause_silent.c: claims that fail and say nothing against a cause that they do not fit.
#include "cause_silent.h"

#include <string.h>

#include "wrong_rows.h"

int lab_cause_names_nothing(const char *cause) {
    static const char *const starts[] = {"NaN: ", "a guess: ", "prefill is "};
    for (size_t i = 0; i < sizeof starts / sizeof *starts; i++)
        if (strncmp(cause, starts[i], strlen(starts[i])) == 0) return 1;
    return 0;
}

// The driver of a layer has seen it, and sees nothing of a call that is recorded, little where the prompt is refused, nor that
// a head which is alone was taken from elsewhere.
static int saw_nothing(const char *cause, const lab_case *c, const lab_guesses *fits) {
    static const char *const starts[] = {"matches a call of ",
                                         "matches calls of ",
                                         "matches lengths[",
                                         "matches a decode step that ",
                                         "matches a prompt stored from work.qkv as if ",
                                         "matches work.O that the last product gets as ",
                                         "matches prompts taken for packed",
                                         "matches work.qkv that is taken for "};
    int was_seen = 0;
    if (c->op != &lab_layer) return 0;
    for (size_t k = 0; k < sizeof starts / sizeof *starts; k++)
        was_seen |= strncmp(cause, starts[k], strlen(starts[k])) == 0;
    if (was_seen && (c->besides == LAB_BESIDES_RECORDED || c->prompt > c->shape.seq_kv)) return 1;
    for (int k = 0; k < fits->n && was_seen; k++) was_seen = lab_cause_names_nothing(fits->text[k]);
    return was_seen;
}

// How many splits there are is the student's choice: what fits parts of splits cannot be tried there.
static int has_own_splits(const lab_case *c) { return c->op == &lab_decode_split && c->n_splits == 0; }

// Of one key alone it is not looked for.
static int has_one_key(const char *cause, const lab_case *c) {
    return c->shape.seq_kv == 1 && !strncmp(cause, LAB_EXCHANGED, sizeof LAB_EXCHANGED - 1);
}

int lab_cause_is_silent(const char *cause, const lab_case *c, const lab_guesses *fits) {
    return has_own_splits(c) || has_one_key(cause, c) || saw_nothing(cause, c, fits);
}
