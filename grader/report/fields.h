// fields.h: which fields results.json has, as tables. They say for C what results.schema.json says for everyone.
#ifndef FIELDS_H
#define FIELDS_H

#include <stdbool.h>

typedef enum {
    TEXT,
    TEXT_OR_NULL,
    NUMBER,  // finite, at least 0
    NUMBER_OR_NULL,
    POSITIVE,  // above 0
    POSITIVE_OR_NULL,
    INTEGER,  // at least 0
    COUNT,    // at least 1
    COUNT_OR_NULL,
    BOOLEAN,
    VERSION,  // of the format: 1
    DATE,     // 2030-01-31T12:00:00Z, or +01:00 for the Z
    TASK_ID,  // part of file names: [a-z0-9_], 1 to 32
    TODO,     // 1.2
    BACKEND,
    KIND,
    SERIES,
    SOURCE,  // of a profile
    VERDICT,
    INDEX_OR_NULL,  // integers
    TILES_OR_NULL,  // two counts
    OBJECT,
    LIST,  // of objects
} field_type;

typedef struct field {
    const char *name;  // NULL ends a table
    field_type type;
    bool optional;
    const struct field *fields;  // of OBJECT, and of each element of a LIST
} field;

extern const field root_fields[];

#endif
