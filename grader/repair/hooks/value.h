// value.h: a value as C sees it, whose type is known when it runs.
#ifndef LAB_REPAIR_VALUE_H
#define LAB_REPAIR_VALUE_H

#include "hooks.h"

typedef struct {
    const lab_type *type;
    char *at;  // where it stands; NULL: nowhere
    union {
        long i;
        float f;
        double d;
        char *p;
    };
} lab_value;

lab_value lab_load(const lab_type *type, const void *at);  // what stands there
void lab_store(const lab_type *type, void *at, lab_value v);
lab_value lab_convert(lab_value v, char kind);  // to one of the numbers
lab_value lab_number(char kind, long i);
lab_value lab_real(char kind, double d);
int lab_is_true(lab_value v);
lab_value lab_binary(char op, lab_value a, lab_value b);
lab_value lab_unary(char op, lab_value a);

#endif
