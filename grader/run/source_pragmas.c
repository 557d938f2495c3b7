// source_pragmas.c: a directive that OpenMP does not know. The compiler leaves such a line out and says nothing.
#include "source_hints.h"
#include "source_lines.h"

#include <stdio.h>
#include <string.h>

static int is_known(const char *word, size_t n) {
    static const char *const known[] = {
        "allocate",      "assume",   "assumes",   "atomic",   "barrier",       "begin",      "cancel",
        "cancellation",  "critical", "declare",   "depobj",   "dispatch",      "distribute", "end",
        "error",         "flush",    "for",       "interop",  "loop",          "masked",     "master",
        "metadirective", "nothing",  "ordered",   "parallel", "requires",      "scan",       "scope",
        "section",       "sections", "simd",      "single",   "target",        "task",       "taskgroup",
        "taskloop",      "taskwait", "taskyield", "teams",    "threadprivate", "tile",       "unroll"};
    for (size_t i = 0; i < sizeof known / sizeof *known; i++)
        if (strlen(known[i]) == n && strncmp(known[i], word, n) == 0) return 1;
    return 0;
}

int lab_hint_of_pragmas(const char *text, char *sentence, size_t size) {
    static const char start[] = "#pragma omp ";
    for (const char *at = text; (at = strstr(at, start)); at++) {
        const char *word = at + strlen(start);
        size_t n = 0;
        word += strspn(word, " \t");
        while (lab_is_word(word[n])) n++;
        if (!n || is_known(word, n)) continue;
        snprintf(sentence, size, "OpenMP knows no `%.*s`, so the compiler leaves line %d out", n < 30 ? (int)n : 30,
                 word, lab_line_of(text, at));
        return 1;
    }
    return 0;
}
