// reference.c: a bridge from the demo to the oracle of GPT-2.
#include "reference.h"

#include <stdlib.h>

#include "sampling.h"

double demo_work(const gpt2_config *c, double tokens, double generated) {
    const double E = c->n_embd;
    return tokens * 12 * c->n_layer * E * E + generated * c->vocab_size * E;
}

// The next token, as grader/model/generate.cu picks it.
static int pick(const double *logits, float *single, int V, lab_sampling s, uint64_t *state) {
    if (s.temperature <= 0) return gpt2_argmax(logits, V);
    for (int i = 0; i < V; i++) single[i] = (float)logits[i];
    return lab_sample(single, V, s.temperature, s.top_k, state);
}

bool demo_reference(const gpt2_checkpoint *model, const int *ids, int n_ids, int n, lab_sampling sampling,
                    void (*each)(void *context, const int *token), void *context) {
    const int V = model->config.vocab_size;
    uint64_t state = (uint64_t)sampling.seed[1] << 32 | sampling.seed[0];
    gpt2_oracle *o = gpt2_oracle_new(model, n_ids + n - 1);  // nobody reads the last token
    double *logits = malloc(V * sizeof *logits);
    float *single = malloc(V * sizeof *single);
    bool good = o && logits && single && gpt2_oracle_run(o, ids, n_ids, logits, 1);
    for (int i = 0; good && i < n; i++) {
        const int token = pick(logits, single, V, sampling, &state);
        each(context, &token);
        if (token == sampling.stop) break;
        if (i + 1 < n) good = gpt2_oracle_run(o, &token, 1, logits, 1);
    }
    gpt2_oracle_free(o);
    free(logits);
    free(single);
    return good;
}

// We give the oracle the right digits, not its own: the same answers count as right, and it need not read the book again
// for the next question.
int demo_reference_recalls(const gpt2_checkpoint *model, gpt2_oracle **o, int *done, const int *ids, int n_ids,
                           const int *answer, int n_answer, float *want) {
    const int V = model->config.vocab_size;
    int right = 1;
    if (!*o) *o = gpt2_oracle_new(model, model->config.n_positions), *done = 0;
    double *logits = malloc(V * sizeof *logits);
    bool good = *o && logits && gpt2_oracle_run(*o, ids + *done, n_ids - *done, logits, 1);
    for (int i = 0; good && i < n_answer; i++) {
        right &= gpt2_argmax(logits, V) == answer[i];
        for (int k = 0; want && k < V; k++) want[(size_t)i * V + k] = (float)logits[k];
        if (i + 1 < n_answer) good = gpt2_oracle_run(*o, &answer[i], 1, logits, 1);
    }
    *done = n_ids + n_answer - 1;
    free(logits);
    return good ? right : -1;
}
