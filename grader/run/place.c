// place.c: addr2line, c++filt, and a look into the source.
#include "place.h"

#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>

#include "todo.h"

enum { TOOL_SECONDS = 5, MOST_SECONDS = 20 };

int lab_ask_tool(char *const argv[], const char *file, lab_process *p) {
    lab_limits limits = {.arena = -1, .cpu_seconds = TOOL_SECONDS, .memory_bytes = (size_t)2 << 30};
    lab_sandbox sandbox = {.n_shown = 0};
    if (lab_sandbox_wanted()) {
        if (file) lab_sandbox_show(&sandbox, file);
        limits.sandbox = &sandbox;
    }
    if (!lab_process_start(p, argv, &limits)) return 0;
    const int ok = lab_process_wait(p, NULL, 0, TOOL_SECONDS) == LAB_EXITED && p->exit_status == 0;
    lab_process_stop(p);
    return ok;
}

// addr2line -i prints "function\nfile:line\n" for the innermost frame, then for those it was inlined into. The first
// one outside of the system's headers is the student's. Keeps the file's own name, drops folders.
static void read_answer(char *answer, char *text, size_t size) {
    char *next = answer;
    while (*next) {
        char *function = next, *place = strchr(function, '\n');
        if (!place) return;
        *place++ = 0;
        next = place + strcspn(place, "\n");
        if (*next) *next++ = 0;
        if (strncmp(place, "/usr/", 5) == 0) continue;
        char *file = strrchr(place, '/');
        file = file ? file + 1 : place;
        file[strcspn(file, " ")] = 0;  // "(discriminator 2)"
        const char *line = strrchr(file, ':');
        if (line && line[1] != '?' && line[1] != '0') snprintf(text, size, "%s in %s", file, function);
        return;
    }
}

// Of a processor: those of all programs that have ended.
static double seconds_of_tools(void) {
    struct rusage r;
    if (getrusage(RUSAGE_CHILDREN, &r)) return 0;
    return (double)(r.ru_utime.tv_sec + r.ru_stime.tv_sec) + 1e-6 * (double)(r.ru_utime.tv_usec + r.ru_stime.tv_usec);
}

void lab_place_at(const char *file, const char *section, size_t offset, char *text, size_t size) {
    static double spent;  // of a file with a hundred megabytes of debug information only the first crashes get a line
    const double start = seconds_of_tools();
    char address[32];
    snprintf(address, sizeof address, "0x%zx", offset);
    char *argv[] = {"addr2line", "-i", "-f", "-e", (char *)file, address, NULL, NULL, NULL};
    if (section) argv[5] = "-j", argv[6] = (char *)section, argv[7] = address;
    lab_process *p = calloc(1, sizeof *p);
    text[0] = 0;
    if (p && spent < MOST_SECONDS && lab_ask_tool(argv, file, p)) read_answer(p->text, text, size);
    spent += seconds_of_tools() - start;
    free(p);
}

// The first line that has the word, outside of comments and literals. 0: none has.
static int line_with(const char *source, const char *word) {
    char *text = lab_todo_read(source);
    const size_t length = strlen(word);
    int line = 1, found = 0;
    for (const char *p = text; p && *p && length && !found; p++) {
        line += *p == '\n';
        if (strncmp(p, word, length) || (p > text && (isalnum((unsigned char)p[-1]) || p[-1] == '_'))) continue;
        if (!isalnum((unsigned char)p[length]) && p[length] != '_') found = line;
    }
    free(text);
    return found;
}

void lab_place_of(const lab_object *o, const char *file, const char *source, size_t section, size_t offset,
                  const char *word, char *text, size_t size) {
    const char *slash = strrchr(source, '/'), *base = slash ? slash + 1 : source, *name;
    Elf64_Shdr s;
    char place[256] = "";
    if (section && lab_object_section(o, section, &s, &name)) lab_place_at(file, name, offset, place, sizeof place);
    place[strcspn(place, " ")] = 0;
    const int line = *place ? 0 : line_with(source, word);
    if (*place)
        snprintf(text, size, "%s", place);
    else if (line)
        snprintf(text, size, "%s:%d", base, line);
    else
        snprintf(text, size, "%s", base);
}

void lab_readable_name(const char *symbol, char *text, size_t size) {
    char *argv[] = {"c++filt", (char *)symbol, NULL};
    lab_process *p = strncmp(symbol, "_Z", 2) ? NULL : calloc(1, sizeof *p);
    const int readable = p && lab_ask_tool(argv, NULL, p);
    snprintf(text, size, "%.*s", readable ? (int)strcspn(p->text, "\n") : (int)strlen(symbol),
             readable ? p->text : symbol);
    free(p);
}
