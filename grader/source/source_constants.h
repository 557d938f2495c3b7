// source_constants.h: whole numbers that a file's text gives away: literals, names that have one value, what is made of
// both, a block's size where its kernel is launched. For source_*.c.
#ifndef LAB_SOURCE_CONSTANTS_H
#define LAB_SOURCE_CONSTANTS_H

typedef struct {
    const char *text, *place;  // the expression stands there
    const char *name;          // a name that has this value, whatever the text says. NULL: none
    long value;
} lab_number;

void lab_constants_begin(void);  // from here on some hundreds of names are looked up, and no more

// What the expression between these places is. -1: it is not known, or below 0.
long lab_number_of(const lab_number *of, const char *from, const char *to);

// Of a parameter, of the function or of its template: the largest number that a call hands to it, and where. -1: none.
long lab_number_of_parameter(const char *text, const char *place, const char *name, const char **call);

#endif
