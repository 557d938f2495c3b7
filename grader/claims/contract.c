// contract.c: reads a student's file for calls that a stage may not make, and launches that name no stream.
#include "contract.h"

#include <ctype.h>
#include <stdio.h>
#include <string.h>

static int line_of(const char *text, const char *at) {
    int line = 1;
    for (; text < at; text++) line += *text == '\n';
    return line;
}

static int is_word(char c) { return isalnum((unsigned char)c) || c == '_'; }

// The next use of that name as a whole word that a parenthesis follows.
static const char *call_of(const char *text, const char *name) {
    for (const char *at = text; (at = strstr(at, name)); at++) {
        const char *end = at + strlen(name);
        end += strspn(end, " \n");
        if ((at == text || !is_word(at[-1])) && (*end == '(' || *end == '<')) return at;
    }
    return NULL;
}

enum { LONGEST_LAUNCH = 1000, MOST_LAUNCHES = 1000 };  // a file may be a megabyte of <<<

static int is_default_stream(const char *at) {
    static const char *const names[] = {"0", "NULL", "nullptr", "cudaStreamLegacy"};
    at += strspn(at, " \n");
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        const size_t length = strlen(names[i]);
        if (strncmp(at, names[i], length) == 0 && at[length + strspn(at + length, " \n")] == '>') return 1;
    }
    return 0;
}

// Between <<< and >>> there are three arguments at most, or the fourth is no stream of the caller's.
static int names_no_stream(const char *at) {
    const char *const begin = at;
    int depth = 0, n = 1;
    for (at += 3; *at && at < begin + LONGEST_LAUNCH; at++) {
        if (strncmp(at, ">>>", 3) == 0 && depth == 0) return n <= 3;
        depth += (*at == '(' || *at == '{') - (*at == ')' || *at == '}');
        n += *at == ',' && depth == 0;
        if (*at == ',' && depth == 0 && n == 4 && is_default_stream(at + 1)) return 1;
    }
    return 0;
}

int lab_breaks_contract(const char *text, char *sentence, size_t size) {
    static const struct {
        const char *call, *why;
    } calls[] = {
        {"cudaMalloc", "a call allocates nothing"},
        {"cudaMallocAsync", "a call allocates nothing"},
        {"cudaFree", "a call allocates nothing, and frees nothing"},
        {"cudaDeviceSynchronize", "a call does not wait: it queues its work on `stream` and returns"},
        {"cudaStreamSynchronize", "a call does not wait: it queues its work on `stream` and returns"},
        {"cudaMemcpy", "a call does not wait: it queues its work on `stream` and returns"},
        {"cudaMemset", "a call queues its work on `stream`, and this is on the default stream: cudaMemsetAsync"},
    };
    for (size_t i = 0; i < sizeof calls / sizeof *calls; i++) {
        const char *at = call_of(text, calls[i].call);
        if (!at) continue;
        snprintf(sentence, size, "line %d calls %s. The task's header says otherwise: %s", line_of(text, at),
                 calls[i].call, calls[i].why);
        return 1;
    }
    int launches = 0;
    for (const char *at = text; launches++ < MOST_LAUNCHES && (at = strstr(at, "<<<")); at += 3) {
        if (!names_no_stream(at)) continue;
        snprintf(sentence, size,
                 "line %d launches a kernel on the default stream: `stream` is the fourth argument between <<< and "
                 ">>>, after "
                 "the bytes of shared memory",
                 line_of(text, at));
        return 1;
    }
    return 0;
}
