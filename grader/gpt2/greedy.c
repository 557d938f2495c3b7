// greedy.c: the tokens that a GPT-2 must generate, from its oracle.
#include "gpt2_oracle.h"

#include <math.h>
#include <stdlib.h>

int gpt2_argmax(const double *logits, int n) {
    int best = 0;
    for (int i = 1; i < n; i++)
        if (logits[i] > logits[best]) best = i;
    return best;
}

static double margin_of(const double *logits, int n, int best) {
    double second = -INFINITY;
    for (int i = 0; i < n; i++)
        if (i != best) second = fmax(second, logits[i]);
    return logits[best] - second;
}

bool gpt2_oracle_greedy(const gpt2_checkpoint *model, const int *prompt, int n_prompt, int *out, int n,
                        double *margin) {
    const int V = model->config.vocab_size;
    if (n < 1) return false;
    // The last token that is generated is never read, so it needs no place.
    gpt2_oracle *o = gpt2_oracle_new(model, n_prompt + n - 1);
    double *logits = malloc(V * sizeof *logits);
    bool good = o && logits && gpt2_oracle_run(o, prompt, n_prompt, logits, 1);
    if (margin) *margin = INFINITY;
    for (int i = 0; good && i < n; i++) {
        out[i] = gpt2_argmax(logits, V);
        if (margin) *margin = fmin(*margin, margin_of(logits, V, out[i]));
        if (i + 1 < n) good = gpt2_oracle_run(o, &out[i], 1, logits, 1);
    }
    gpt2_oracle_free(o);
    free(logits);
    return good;
}
