// answers.h: what a student wrote into a report, question by question.
//
//     **2.1** The question, of one paragraph.            begins with its number
//
//     Your answer: from here on to the next question, heading or block of the lab
#ifndef LAB_ANSWERS_H
#define LAB_ANSWERS_H

#include <stddef.h>

enum { LAB_MOST_ANSWERS = 64 };

typedef struct {
    char number[8];               // "2.1"
    const char *question, *text;  // in the report's text: what is asked, behind the number, and what is answered
    size_t question_size, size;
    int words;  // of the answer
} lab_answer;

// The questions of text[0 .. length), in order. Returns how many, at most LAB_MOST_ANSWERS.
int lab_find_answers(const char *text, size_t length, lab_answer answers[LAB_MOST_ANSWERS]);

// An answer of fewer words is not written.
enum { LAB_LEAST_WORDS = 3 };

#endif
