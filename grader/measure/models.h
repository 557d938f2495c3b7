// models.h: the language models that task 6 is timed with, what is asked of them, the least that it costs.
#ifndef LAB_MODELS_H
#define LAB_MODELS_H

#include <stddef.h>
#include <stdint.h>

#include "shape.h"

enum { LAB_MOST_TOKENS = 128, LAB_MOST_MODEL_RUNS = 8 };

typedef struct {         // a prompt of random tokens, then generated ones
    const char *series;  // "model": TTFT and TBT; "tbt": TBT alone, one point of many cache lengths
    int prompt, tokens;  // tokens 1: only the first
} lab_model_run;

typedef struct {  // a GPT-2 with random weights
    const char *name;
    int layers, hidden, heads, vocab, positions;
    lab_model_run runs[LAB_MOST_MODEL_RUNS];  // up to the first without tokens
} lab_model;

extern const lab_model lab_models[];
extern const int lab_n_models;

// Sizes as gpt2_random_read() takes them (grader/gpt2/checkpoint.h). Returns 0, with a line in why.
int lab_model_read(lab_model *m, const char *text, char *why, size_t size);

// What lab_driver_open takes (grader/model/model.h): "random:layers=...".
void lab_model_text(const lab_model *m, uint64_t seed, char *text, size_t size);

// The cache's mean length over the steps that make the tokens after the first: step t attends to prompt + t tokens.
int lab_model_kv(const lab_model_run *run, int tokens);

// In results.json: a prefill is seq_q = seq_kv = prompt, causal; a step is one query against kv tokens.
attn_shape lab_prefill_shape(const lab_model *m, const lab_model_run *run);
attn_shape lab_step_shape(const lab_model *m, int kv);

// Multiply-adds count twice; only a prompt's last token gets logits; attention's causal pairs are counted exactly.
double lab_prefill_flops(const lab_model *m, int prompt);
double lab_step_flops(const lab_model *m, int kv);

// The least: every weight once, and the cache: written by a prefill; read by a step, which writes one token.
double lab_prefill_bytes(const lab_model *m, int prompt);
double lab_step_bytes(const lab_model *m, int kv);

#endif
