// phonebook.h: random phone books as the demo's model was trained on (task6_pipeline/demo/README.md), and questions.
//
//     <|endoftext|>bodo 9034
//     ketuli 0718
//
//     ketuli? 0718
//     bodo?_                  a prompt ends here, with a space; the model goes on with the four digits
#ifndef DEMO_PHONEBOOK_H
#define DEMO_PHONEBOOK_H

#include <stddef.h>
#include <stdint.h>

enum {
    BOOK_ENTRIES = 32,   // most
    BOOK_QUESTIONS = 5,  // that are asked about one book
    BOOK_DIGITS = 4,
    BOOK_TEXT = 1024,  // room for the longest text
};

typedef struct {
    int n;  // entries
    struct {
        char name[8], number[BOOK_DIGITS + 1];
    } entry[BOOK_ENTRIES];
    int asked[BOOK_QUESTIONS];  // entries, all different
} phonebook;

// The book of n entries, BOOK_QUESTIONS to BOOK_ENTRIES, that belongs to this key: names of two or three pairs of a consonant and a vowel, all different.
void phonebook_draw(phonebook *b, int n, uint64_t key);

// The book, questions 0 .. question - 1 with their right answers, and the question itself. Returns the length.
size_t phonebook_prompt(const phonebook *b, int question, char text[BOOK_TEXT]);

#endif
