// source_settings.h: what the lines of a block set, and which names have another value in another round of it. For source_*.c.
#ifndef LAB_SOURCE_SETTINGS_H
#define LAB_SOURCE_SETTINGS_H

#include <stddef.h>

#include "source_calls.h"

enum { LAB_MOST_VARYING = 24, LAB_MOST_SET = 64 };

typedef struct {
    const char *left, *left_end, *value, *end;  // left: with its subscripts; value: up to the comma or semicolon
    char op;                                    // of op=, '=' of a plain one
} lab_setting;

typedef struct {
    char name[LAB_MOST_VARYING][LAB_LONGEST_WORD];
    int n;
} lab_names;

// What the lines between these places set, in their order. Returns how many, LAB_MOST_SET: there may be more.
int lab_settings_of(const char *from, const char *to, lab_setting set[LAB_MOST_SET]);

// The last word of what is set: l of p->l. Its end is left_end; an element has none.
const char *lab_last_word(const lab_setting *s);

// Its value, and its last word, without blanks. They return how long these are, 0: too long.
int lab_value_set(const lab_setting *s, char value[LAB_LONGEST_WORD]);
int lab_name_set(const lab_setting *s, char name[LAB_LONGEST_WORD]);
int lab_is_one_word(const char *value);  // a name, and nothing else

// What a name is set to, if that is once.
const lab_setting *lab_set_once(const lab_setting set[], int n, const char *name);

// Of X *= f, and of X = X * f or X = X * f + g: where f begins. NULL: it is another setting.
const char *lab_factor_of(const lab_setting *s);

// Is it T * SHARE, or SHARE * T, a thread's number times how many each has? Without blanks.
int lab_is_times(const char *value, const char *share);

// Has each `=` of these lines asked, function after function, with all that its function sets. Returns LAB_HINT_CAUSE where it
// tells something.
typedef int lab_setting_sign(const char *text, const char *function, const lab_setting set[], int n,
                             const lab_setting *of, char *sentence, size_t size);
int lab_ask_settings(const char *text, int from, int to, lab_setting_sign *tell, char *sentence, size_t size);

void lab_add_word(const char *from, const char *to, lab_names *in);

// Adds to the names all that depend on them. text: where the file's own formulas are found,
// NULL: they count as unknown. LAB_MOST_VARYING: there may be more.
void lab_varying(const char *text, const lab_setting set[], int n, lab_names *in);

int lab_has_one_of(const char *from, const char *to, const lab_names *in);

// Is a function called, other than one of mathematics or a formula of the text's own? It may give another number each time.
int lab_calls_unknown(const char *text, const char *from, const char *to);

// The number that the file gives to a name of n letters: "#define NAME 32", "NAME = 32". -1: none.
long lab_constant(const char *text, const char *name, size_t n);

// Between these places: NAME = , NAME +=, NAME++, --NAME, &NAME, or NAME alone as an argument, which may be a reference?
int lab_may_change(const char *from, const char *to, const char *name);

#endif
