// unit.h: what every unit test includes: CMocka and what its header needs.
#ifndef LAB_UNIT_H
#define LAB_UNIT_H

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#define CLAIM(function) cmocka_unit_test(function)

// A text holds another one; shows both when it does not.
#define assert_says(text, part)                                                                                        \
    do {                                                                                                               \
        if (!strstr(text, part)) fail_msg("\"%s\" does not say \"%s\"", text, part);                                   \
    } while (0)

#endif
