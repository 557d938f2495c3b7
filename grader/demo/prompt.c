// prompt.c: from the command line to token ids.
#define _GNU_SOURCE
#include "prompt.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "inputs.h"
#include "stream.h"

static const char START[] = "<|endoftext|>";  // every document of the phone-book model's training begins with it

static int begins_with_start(const char *text) { return strncmp(text, START, strlen(START)) == 0; }

static char *user_text(const demo_options *o) {
    char *given = demo_unescape(o->prompt), *text = NULL;
    if (!given) return NULL;
    const int bare = !begins_with_start(given) && (!o->own_model || !*given);
    if (asprintf(&text, "%s%s", bare ? START : "", given) < 0) text = NULL;
    free(given);
    return text;
}

static char *random_question(phonebook *book, uint64_t seed) {
    char *text = malloc(BOOK_TEXT);
    phonebook_draw(book, SHOWN_ENTRIES, lab_key(seed, "demo", 0, 0));
    if (text) phonebook_prompt(book, 0, text);
    return text;
}

int demo_prompt_make(demo_prompt *p, const demo_options *o, const gpt2_config *config, const gpt2_tokenizer *t,
                     uint64_t seed, char *why, size_t size) {
    *p = (demo_prompt){0};
    p->text = o->prompt ? user_text(o) : random_question(&p->book, seed);
    const size_t length = p->text ? strlen(p->text) : 0;
    p->ids = calloc(length + 1, sizeof *p->ids);
    if (!p->text || !p->ids) {
        snprintf(why, size, "no memory for the prompt");
        return 1;
    }
    const long n = gpt2_encode(t, p->text, length, p->ids, why, size);
    if (n < 0) return 1;
    if (n >= config->n_positions) {
        snprintf(why, size, "the prompt has %ld tokens, and the model has room for %d: shorten it", n,
                 config->n_positions - 1);
        return 1;
    }
    p->n = (int)n;
    p->n_new = o->tokens < config->n_positions - p->n ? o->tokens : config->n_positions - p->n;
    if (begins_with_start(p->text)) memmove(p->text, p->text + strlen(START), length - strlen(START) + 1);
    demo_clean(p->text, strlen(p->text));
    return 0;
}

void demo_prompt_free(demo_prompt *p) {
    free(p->text);
    free(p->ids);
    *p = (demo_prompt){0};
}
