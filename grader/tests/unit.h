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

// A hint of a text (`of`) was found, and says that; or, where `says` is NULL, none was.
#define assert_hint(found, said, says, of)                                                                             \
    do {                                                                                                               \
        if (!(found) != !(says)) fail_msg("%s: %s", of, (found) ? said : "nothing");                                   \
        if (found) assert_says(said, says);                                                                            \
    } while (0)

#endif
