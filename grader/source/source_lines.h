// source_lines.h: finds lines and names in a student's file, whose text has no comments (todo.h). For source_hints.c.
#ifndef LAB_SOURCE_LINES_H
#define LAB_SOURCE_LINES_H

#include <ctype.h>
#include <string.h>

enum { LAB_MOST_NAMES = 8 };

static inline int lab_is_word(char c) { return isalnum((unsigned char)c) || c == '_'; }

static inline int lab_is_of_name(char c) { return lab_is_word(c) || c == '.'; }  // of a member's, too

static inline const char *lab_skip_blanks(const char *at) { return at + strspn(at, " \t\n"); }

// The ) or } that belongs to this ( or {; NULL: there is none.
const char *lab_matching(const char *open);

// The } of the block that goes on here, or the end of the text.
const char *lab_block_end(const char *at);

// The { of the block that holds this place, from there on; NULL: there is none.
const char *lab_block_around(const char *from, const char *at);

// Behind the statement that begins here: a block, or for, while and if with what belongs to them.
const char *lab_end_of_statement(const char *at);

const char *lab_line_at(const char *text, int line);  // NULL: it has fewer
int lab_line_of(const char *text, const char *at);

// Does every thread come to this place of the body? Loops with for around it do no harm.
int lab_all_come(const char *body, const char *place);

// The beginning of the function that holds this place: the last line before it that begins in column 1 with a word.
const char *lab_function_of(const char *text, const char *at);

// The lines of the file that a report names: FILE.cu:NN, in its order, up to n of them.
int lab_lines_of(const char *report, int line[], int n);

// The names that the line has before a '['.
int lab_names_of(const char *line, char names[LAB_MOST_NAMES][32]);

// The line that makes a pointer of this name, from here back; NULL: there is none.
const char *lab_pointer_line(const char *text, const char *from, const char *name);

// Does this word stand here?
static inline int lab_is_word_at(const char *text, const char *at, const char *word) {
    const size_t n = strlen(word);
    return !strncmp(at, word, n) && !lab_is_word(at[n]) && (at == text || !lab_is_word(at[-1]));
}

// Is the name among the words of that text?
int lab_has_word(const char *from, const char *to, const char *name);

#endif
