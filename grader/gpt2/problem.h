// problem.h: describes a problem of a file in one line: which file, what, where.
#ifndef GPT2_PROBLEM_H
#define GPT2_PROBLEM_H

#include <stdbool.h>
#include <stddef.h>

#include <jansson.h>

// The file that is being read, and where its problem goes.
typedef struct {
    const char *path;
    char *why;
    size_t size;
} gpt2_reading;

// Writes "PATH: MESSAGE" to at->why; returns false. The message may quote the file: whatever is not printable ASCII
// becomes '?', so that a hostile file can neither break the line nor reach the terminal.
bool gpt2_problem(const gpt2_reading *at, const char *format, ...) __attribute__((format(printf, 2, 3)));

// The file as a JSON object without duplicate keys, or NULL and a problem.
json_t *gpt2_json_file(const gpt2_reading *at);

// The same from memory.
json_t *gpt2_json_text(const char *text, size_t length, const gpt2_reading *at);

#endif
