// properties.c: what must hold for the rewriting of every program.
//
//     properties --print SEED          one generated program, as a .cu file that nvcc accepts
//     properties --check COUNT [SEED]  COUNT programs through the rewriter; TAP
//
// No error; as many lines, and every # line at its place; no <<< or CUDA word left outside strings; brackets balanced; each
// launch became one .on( call; what stood in a system header is copied byte by byte.
#include "../../rewrite/rewrite.h"
#include "grammar.h"

#include <stdlib.h>
#include <string.h>

static int count_lines(const char *text) {
    int lines = 0;
    for (; *text; text++) lines += *text == '\n';
    return lines;
}

// Text with the insides of strings, and system headers, left out; only for the checks below.
static char *code_only(const char *text) {
    char *code = malloc(strlen(text) + 1), *to = code;
    bool system = false;
    for (const char *p = text; *p;) {
        if (*p == '#' && (p == text || p[-1] == '\n')) {
            const char *eol = strchr(p, '\n');
            system = strstr(p, "odd.h") && strstr(p, "odd.h") < eol;
            p = eol;
        } else if (system) {
            p++;
        } else if (!strncmp(p, "R\"(", 3)) {
            p = strstr(p, ")\"") + 2;
        } else if (*p == '"' || *p == '\'') {
            char quote = *p++;
            while (*p != quote) p += *p == '\\' ? 2 : 1;
            p++;
        } else {
            *to++ = *p++;
        }
    }
    *to = 0;
    return code;
}

static bool balanced(const char *code) {
    char stack[4096];
    int depth = 0;
    for (; *code; code++) {
        if (strchr("([{", *code))
            stack[depth++] = *code == '(' ? ')' : *code == '[' ? ']' : '}';
        else if (strchr(")]}", *code) && (!depth || stack[--depth] != *code))
            return false;
    }
    return depth == 0;
}

static int count(const char *code, const char *what) {
    int n = 0;
    for (; (code = strstr(code, what)); code++) n++;
    return n;
}

static bool same_markers(const char *a, const char *b) {
    for (;; a++, b++) {
        a = strchr(a, '\n'), b = strchr(b, '\n');
        if (!a || !b) return !a && !b;
        const char *end = strchr(a + 1, '\n');
        size_t length = end ? (size_t)(end - a) : strlen(a);
        if ((a[1] == '#' || b[1] == '#') && strncmp(a, b, length)) return false;
    }
}

static const char *broken(const char *before, const char *after, int errors, int launches) {
    static const char *const words[] = {"__global__", "__shared__", "__device__", "__constant__", "__managed__", NULL};
    if (errors) return "the rewriter reported an error";
    if (count_lines(before) != count_lines(after)) return "the number of lines changed";
    if (!same_markers(before, after)) return "a line marker moved";
    char *code = code_only(after);
    const char *what = NULL;
    for (int i = 0; words[i]; i++) what = count(code, words[i]) ? words[i] : what;
    if (count(code, "<<<")) what = "<<< left";
    if (!balanced(code)) what = "brackets";
    if (count(code, ").on(") != launches) what = "a launch was not rewritten, or twice";
    if (count(before, "# 40 \"/usr/include/odd.h\" 3 4\n{ ( [ R\"(\n") !=
        count(after, "# 40 \"/usr/include/odd.h\" 3 4\n{ ( [ R\"(\n"))
        what = "a system header changed";
    free(code);
    return what;
}

// One program. Returns the number of its launches, -1 when something does not hold.
static int check(uint64_t seed) {
    char *before, *after;
    size_t before_size, after_size;
    FILE *program = open_memstream(&before, &before_size), *result = open_memstream(&after, &after_size);
    int launches = write_program(program, seed, true);
    fclose(program);
    int errors = rewrite(before, before_size, result, stderr);
    fclose(result);
    const char *what = broken(before, after, errors, launches);
    if (what) {
        printf("not ok 1 - every generated program is rewritten (seed %llu: %s)\n", (unsigned long long)seed, what);
        fprintf(stderr, "---- before\n%s\n---- after\n%s\n", before, after);
    }
    free(before);
    free(after);
    return what ? -1 : launches;
}

int main(int argc, char **argv) {
    if (argc == 3 && !strcmp(argv[1], "--print")) {
        write_program(stdout, strtoull(argv[2], NULL, 10), false);
        return 0;
    }
    if (argc < 3 || strcmp(argv[1], "--check")) {
        fprintf(stderr, "usage: properties --print SEED | --check COUNT [SEED]\n");
        return 2;
    }
    uint64_t first = argc > 3 ? strtoull(argv[3], NULL, 10) : 1, n = strtoull(argv[2], NULL, 10), total = 0;
    for (uint64_t seed = first; seed < first + n; seed++) {
        int launches = check(seed);
        if (launches < 0) return 1;
        total += (uint64_t)launches;
    }
    printf("ok 1 - %llu generated programs, %llu launches: lines, markers, brackets\n", (unsigned long long)n,
           (unsigned long long)total);
    return 0;
}
