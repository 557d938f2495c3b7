// value.h: a value as C sees it, whose type is known when it runs.
#ifndef LAB_REPAIR_VALUE_H
#define LAB_REPAIR_VALUE_H

#include "hooks.h"

// Of two words: it is handed over in registers.
typedef struct {
    const lab_type *type;
    union {
        long i;
        float f;
        double d;
        char *p;  // of a struct: where it stands
    };
} lab_value;

typedef struct {
    const lab_type *type;
    char *at;  // NULL: nowhere
} lab_place;

// What stands there.
static inline lab_value lab_load(const lab_type *type, const void *at) {
    switch (type->kind) {
    case 'i': return (lab_value){type, {.i = *(const int *)at}};
    case 'f': {
        lab_value v = {type, {.i = 0}};
        v.f = *(const float *)at;
        return v;
    }
    case 'p': return (lab_value){type, {.p = *(char *const *)at}};
    case 'l':
    case 'L':
    case 'd': return (lab_value){type, {.i = *(const long *)at}};
    case 'b':
    case 'C': return (lab_value){type, {.i = *(const unsigned char *)at}};
    case 'c': return (lab_value){type, {.i = *(const signed char *)at}};
    case 's': return (lab_value){type, {.i = *(const short *)at}};
    case 'S': return (lab_value){type, {.i = *(const unsigned short *)at}};
    case 'u': return (lab_value){type, {.i = *(const unsigned *)at}};
    case 'v': return (lab_value){type, {.i = 0}};
    default: return (lab_value){type, {.p = (char *)at}};
    }
}

void lab_store(const lab_type *type, void *at, lab_value v);
lab_value lab_convert(lab_value v, char kind);        // to one of the numbers
lab_value lab_as(const lab_type *type, lab_value v);  // a pointer, as one of another type
lab_value lab_number(char kind, long i);
lab_value lab_real(char kind, double d);
int lab_is_true(lab_value v);
lab_value lab_binary(char op, lab_value a, lab_value b);
lab_value lab_unary(char op, lab_value a);

#endif
