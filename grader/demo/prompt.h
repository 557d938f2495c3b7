// prompt.h: what the model is asked: the user's text, or a question about a random phone book.
#ifndef DEMO_PROMPT_H
#define DEMO_PROMPT_H

#include "checkpoint.h"
#include "options.h"
#include "phonebook.h"
#include "tokenizer.h"

enum { SHOWN_ENTRIES = 16 };  // of the random book

typedef struct {
    phonebook book;  // where no prompt was given
    char *text;      // as it is shown and kept: without <|endoftext|>
    int *ids, n;     // [n] tokens
    int n_new;       // how many may follow: as asked, or as many as the model has room for
} demo_prompt;

// 0, or one line in why[size]: text that is not UTF-8, or too long for the model.
int demo_prompt_make(demo_prompt *p, const demo_options *o, const gpt2_config *config, const gpt2_tokenizer *t,
                     uint64_t seed, char *why, size_t size);
void demo_prompt_free(demo_prompt *p);

#endif
