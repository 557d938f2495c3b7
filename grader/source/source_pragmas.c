// source_pragmas.c: a directive that OpenMP does not know. The compiler leaves such a line out and says nothing. A loop
// that is shared among the threads of no region. And a number that each thread has for itself, and that is read behind
// their region: what they set it to is lost.
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

// `omp for` in a file that begins no parallel region.
static const char *loop_without_region(const char *text) {
    static const char directive[] = "#pragma omp for";
    const char *at = strstr(text, "omp parallel") ? NULL : strstr(text, directive);
    while (at && lab_is_word(at[strlen(directive)])) at = strstr(at + 1, directive);
    return at;
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
    const char *loop = loop_without_region(text);
    return loop && snprintf(sentence, size,
                            "line %d: `omp for` shares the loop among the threads of a parallel region, and there is "
                            "none: put #pragma omp parallel above the block that all of them are to run",
                            lab_line_of(text, loop)) > 0;
}

// Behind the block that a directive stands above; NULL: none follows.
static const char *behind_region(const char *directive) {
    const char *at = strchr(directive, '\n');
    while (at && at[strspn(at, " \t\n")] == '#') at = strchr(at + strspn(at, " \t\n"), '\n');
    if (!at || *(at += strspn(at, " \t\n")) != '{') return NULL;
    for (int depth = 0; *at; at++) {
        depth += *at == '{', depth -= *at == '}';
        if (!depth) return at + 1;
    }
    return NULL;
}

// Where the number of this name is read from here to the function's end, which is a brace in column 1. What a struct
// points to, w.memory, is the same for all who have a copy of it.
static const char *read_behind(const char *from, const char *name) {
    const char *end = strstr(from, "\n}");
    const size_t n = strlen(name);
    for (const char *at = from; end && at < end; at++) {
        if (strncmp(at, name, n) || lab_is_word(at[n]) || lab_is_word(at[-1])) continue;
        const char *sign = at + n + strspn(at + n, " ");
        if (*sign == '.' || !strncmp(sign, "->", 2)) continue;
        return *sign == '=' && sign[1] != '=' ? NULL : at;
    }
    return NULL;
}

int lab_hint_of_private(const char *text, char *sentence, size_t size) {
    static const char start[] = "#pragma omp parallel";
    for (const char *at = text; (at = strstr(at, start)); at++) {
        const char *end = strchr(at, '\n'), *list = strstr(at, "private("), *behind = behind_region(at);
        if (!end || !list || list > end || !behind || !strncmp(list - 4, "last", 4)) continue;
        for (const char *word = list + strlen("private("); word < end && word[-1] != ')';) {
            char name[32];
            const size_t n = strcspn(word, " ,)");
            snprintf(name, sizeof name, "%.*s", (int)n, word);
            const char *read = n && n < sizeof name ? read_behind(behind, name) : NULL;
            if (read) {
                snprintf(sentence, size,
                         "line %d: by %s(%s) each thread has its own, which ends with the region: line %d does not "
                         "read what they set it to. Share it, and let one thread at a time write to it",
                         lab_line_of(text, at), strncmp(list - 5, "first", 5) ? "private" : "firstprivate", name,
                         lab_line_of(text, read));
                return 1;
            }
            word += n + 1 + strspn(word + n + 1, " ");
            if (word[-1] == ')') break;
        }
    }
    return 0;
}
