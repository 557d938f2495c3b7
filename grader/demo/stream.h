// stream.h: a model's tokens as text, shown while they come, and kept. The terminal and the results get valid UTF-8 without
// control characters.
#ifndef DEMO_STREAM_H
#define DEMO_STREAM_H

#include "tokenizer.h"

typedef struct {
    const gpt2_tokenizer *tokenizer;
    gpt2_stream utf8;
    char *text;  // all so far
    size_t used, room;
    int ended;  // <|endoftext|> came: what follows is not part of the text
    int quiet;  // nothing is printed
} demo_text;

enum { DEMO_MARGIN = 13 };  // columns before a text: its label, or blanks

// Prints the label.
void demo_text_begin(demo_text *t, const gpt2_tokenizer *tokenizer, const char *label);
void demo_text_put(demo_text *t, int id);
// Ends the line. t->text stays until demo_text_free, never NULL.
void demo_text_end(demo_text *t);
void demo_text_free(demo_text *t);

// In place: control characters (line breaks and tabs apart) become '?'. text is valid UTF-8.
void demo_clean(char *text, size_t n);

#endif
