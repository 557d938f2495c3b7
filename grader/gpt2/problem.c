// problem.c: one line per problem; JSON that is an object.
#include "problem.h"

#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

bool gpt2_problem(const gpt2_reading *at, const char *format, ...) {
    char message[512];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(message, sizeof message, format, arguments);
    va_end(arguments);
    for (char *c = message; *c; c++)
        if (*c < ' ' || *c > '~') *c = '?';
    snprintf(at->why, at->size, "%s: %s", at->path, message);
    return false;
}

static json_t *object(json_t *json, const json_error_t *error, const gpt2_reading *at) {
    if (!json) return gpt2_problem(at, "not valid JSON, line %d: %s", error->line, error->text), NULL;
    if (json_is_object(json)) return json;
    json_decref(json);
    return gpt2_problem(at, "not a JSON object"), NULL;
}

json_t *gpt2_json_file(const gpt2_reading *at) {
    json_error_t error;
    FILE *f = fopen(at->path, "rb");
    if (!f) return gpt2_problem(at, "cannot be opened: %s", strerror(errno)), NULL;
    json_t *json = json_loadf(f, JSON_REJECT_DUPLICATES, &error);
    fclose(f);
    return object(json, &error, at);
}

json_t *gpt2_json_text(const char *text, size_t length, const gpt2_reading *at) {
    json_error_t error;
    return object(json_loadb(text, length, JSON_REJECT_DUPLICATES, &error), &error, at);
}
