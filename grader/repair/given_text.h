// given_text.h: the lines of a student's file and of the handout's, without what stands around them and without comments.
#ifndef LAB_REPAIR_GIVEN_TEXT_H
#define LAB_REPAIR_GIVEN_TEXT_H

#include "tasks.h"

enum { LAB_LEAST_LETTERS = 8 };  // of a line that says something

typedef struct {
    char **line;
    int n;
    unsigned char *todo;  // 1: a line of the comment that says what a TODO asks for
} lab_text;

lab_text lab_text_read(const char *path);  // n is 0 where there is no file
void lab_text_discard(lab_text *t);
int lab_text_count(const lab_text *t, const char *line);  // how often it stands there

// The handout's file; n is 0 if the student's is that one.
lab_text lab_text_of_skeleton(const lab_task *task, const char *source);
int lab_is_handout(const lab_text *skeleton, const lab_text *own);  // the file was made from it

int lab_is_switch(const char *line);
int lab_are_alike(const char *a, const char *b);

#endif
