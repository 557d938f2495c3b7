// data.h: what a change makes, as a program for grader/repair/hooks.
#ifndef LAB_DATA_H
#define LAB_DATA_H

#include "edits.h"

// A name that programs of a function read, and from where on it has its slot.
typedef struct {
    const char *name;  // as it is written where it is registered: x, threadIdx.x
    int function;
    const variable *of;   // NULL: of none that is declared here
    int statement, loop;  // behind this declaration; before this loop's condition; -1: where the function begins
} slot;

typedef struct {
    edits *e;
    slot *slots;  // of all functions, each with its own numbers
    int n_slots;
    const char **fields;  // whose numbers programs have
    int n_fields;
    int *numbers, n_numbers;  // of each function: how many slots it has
} data;

// The text, which is to stand there, as a program; NULL: it is none.
const char *edits_program(data *d, const char *text, int function, int token);

// Of a text that is being read. failed: it is no program.
typedef struct {
    data *d;
    unit *u;
    const char *at;
    int function, token;
    bool failed;
} reader;

// data_words.c
const char *data_fail(reader *r);
void data_blanks(reader *r);
bool data_letter(char c);
bool data_take(reader *r, const char *sign);
const char *data_word(reader *r);
bool data_is_word(const char *name, const char *const *list);
char data_type(reader *r);                                    // its letter; 0: none stands here
const char *data_pointer_type(reader *r, const char *close);  // its slot; NULL: none stands here
int data_size(char kind);
const char *data_number(reader *r);

// data_slots.c: v: what the name means there; NULL: it is CUDA's
const char *data_slot(reader *r, const char *name, const variable *v);

bool edits_in_lambda(edits *e, int token);                // one that does not capture all by reference
bool edits_in_untyped_lambda(const edits *e, int token);  // whose `return`s say what it gives back

#endif
