// generate.c: a bridge from lab_generate to the float64 oracle of GPT-2.
#include "generate.h"

#include <stdlib.h>
#include <string.h>

#include "check.h"
#include "gpt2_oracle.h"

enum { MOST_DRAWS = 50 };  // about one in twelve is not clear

static gpt2_checkpoint *open_model(void) {
    gpt2_config c;
    unsigned long long seed;
    char why[256];
    return gpt2_random_read(strchr(LAB_TEST_MODEL, ':') + 1, &c, &seed, why, sizeof why) ? gpt2_random(c, seed) : NULL;
}

// One sequence: n tokens after a prompt, each the likeliest; row t of out is its id and its V logits.
static int generate(const gpt2_checkpoint *model, const int *prompt, int length, int n, double *out) {
    const int V = model->config.vocab_size;
    gpt2_oracle *o = gpt2_oracle_new(model, length + n - 1);  // nobody reads the last token
    int ok = o && gpt2_oracle_run(o, prompt, length, out + 1, 1);
    for (int t = 0; ok && t < n; t++, out += 1 + V) {
        const int id = gpt2_argmax(out + 1, V);
        out[0] = id;
        if (t + 1 < n) ok = gpt2_oracle_run(o, &id, 1, out + 1 + V + 1, 1);
    }
    gpt2_oracle_free(o);
    return ok;
}

// All sequences. prompt: room for one.
static int generate_all(const gpt2_checkpoint *model, float *const in[LAB_MAX_TENSORS], attn_shape s, int *prompt,
                        double *out) {
    const size_t S = s.seq_q;
    int ok = 1;
    for (int b = 0; ok && b < s.batch; b++, out += (size_t)s.heads * s.head_dim) {
        memcpy(prompt, in[1] + b * S, S * sizeof *prompt);
        ok = generate(model, prompt, lab_int_at(in[2], b), s.heads, out);
    }
    return ok;
}

// Is every token the likeliest by more than the errors that two logits may have?
static int is_clear(const double *out, attn_shape s) {
    for (int r = 0; r < s.batch * s.heads; r++, out += s.head_dim) {
        const double *logits = out + 1, best = logits[(int)out[0]];
        for (int i = 0; i < s.head_dim - 1; i++)
            if (i != (int)out[0] && best - logits[i] < 2 * LAB_TOLERANCE) return 0;
    }
    return 1;
}

int lab_oracle_generate(double *out, float *const in[LAB_MAX_TENSORS], attn_shape shape, uint64_t key) {
    gpt2_checkpoint *model = open_model();
    int *prompt = malloc(shape.seq_q * sizeof *prompt);
    int ok = model && prompt && shape.head_dim == 1 + model->config.vocab_size;
    for (int draw = 0; ok && draw < MOST_DRAWS; draw++) {
        lab_op_fill(&lab_generate, shape, NULL, 1, LAB_NORMAL, key + draw, in[1]);
        ok = generate_all(model, in, shape, prompt, out);
        if (is_clear(out, shape)) break;
    }
    free(prompt);
    gpt2_close(model);
    return ok;
}
