// source_hints.c: looks at the lines that a report names. It reads names and brackets, no more: what it says is a question.
#include "source_hints.h"
#include "source_lines.h"

#include <stdio.h>
#include <string.h>

enum { MOST_LOOKS = 500 };

// Looks through a whole text, of one hint: a file may be a megabyte of the words that a hint looks for.
static int looks;

static int share_a_name(char a[LAB_MOST_NAMES][32], int n_a, char b[LAB_MOST_NAMES][32], int n_b) {
    for (int i = 0; i < n_a; i++)
        for (int k = 0; k < n_b; k++)
            if (strcmp(a[i], b[k]) == 0) return 1;
    return 0;
}

// Written, then a barrier, then read together with another part: the barrier is there, so the parts may overlap.
static int parts_meet(const char *text, const char *report, const char *first, const char *second, const char *name,
                      char other[LAB_MOST_NAMES][32], int n, char *sentence, size_t size) {
    const char *kind = strstr(report, " write thread"), *barrier = strstr(first, "__sync");
    const char *mine = lab_pointer_line(text, first, name);
    if (!kind || !strstr(kind, "read thread") || first >= second || !barrier || barrier > second || !mine) return 0;
    for (int i = 0; i < n; i++) {
        const char *its = strcmp(other[i], name) ? lab_pointer_line(text, first, other[i]) : NULL;
        if (!its) continue;
        snprintf(
            sentence, size,
            "%s and %s are parts of one shared memory, and between lines %d and %d stands %.*s(): do the two parts "
            "overlap (line %d: %.*s)? Each begins where the one before it ends%s",
            name, other[i], lab_line_of(text, first), lab_line_of(text, second), (int)strcspn(barrier, "("), barrier,
            lab_line_of(text, mine), (int)strcspn(mine, ";,\n"), mine,
            strncmp(barrier, "__syncwarp", 10) ? "" : "; or does another warp read what this one writes?");
        return 1;
    }
    return 0;
}

// Where the pointer of this name comes from, as far as the line that makes it says; its own name, where none does.
static void root_of(const char *text, const char *line, const char *name, char root[32]) {
    const char *made = lab_pointer_line(text, line, name);
    const char *from = made && lab_function_of(text, made) == lab_function_of(text, line) ? strstr(made, " = ") : NULL;
    from = from ? from + 3 : name;
    size_t n = 0;
    while (lab_is_word(from[n])) n++;
    snprintf(root, 32, "%.*s", n < 32 ? (int)n : 0, from);
}

// What a kernel is handed is global memory.
static int is_handed(const char *text, const char *line, const char *name) {
    char root[32];
    const char *function = lab_function_of(text, line), *open = strchr(function, '('), *end = strchr(function, '{');
    root_of(text, line, name, root);
    return open && end && open < end && lab_has_word(function, open, "__global__") && lab_has_word(open, end, root);
}

// The names of the line that may be of shared memory.
static int shared_names_of(const char *text, const char *line, char names[LAB_MOST_NAMES][32]) {
    const int all = lab_names_of(line, names);
    int n = 0;
    for (int i = 0; i < all; i++) {
        if (is_handed(text, line, names[i])) continue;
        if (n < i) memcpy(names[n], names[i], sizeof names[n]);
        n++;
    }
    return n;
}

static int parts_overlap(const char *text, const char *report, char *sentence, size_t size) {
    int line[2];
    char a[LAB_MOST_NAMES][32], b[LAB_MOST_NAMES][32];
    if (strncmp(report, "data race: shared", 17) || lab_lines_of(report, line, 2) < 2) return 0;
    if (report[17 + strcspn(report + 17, "[;")] != '[') return 0;  // one number has no parts
    const char *first = lab_line_at(text, line[0]), *second = lab_line_at(text, line[1]);
    if (!first || !second || lab_function_of(text, first) != lab_function_of(text, second)) return 0;
    const int n_a = shared_names_of(text, first, a), n_b = shared_names_of(text, second, b);
    if (!n_a || !n_b) return 0;
    if (share_a_name(a, n_a, b, n_b)) return parts_meet(text, report, first, second, a[0], b, n_b, sentence, size);
    snprintf(sentence, size,
             "lines %d (%s) and %d (%s) use other names for the same shared memory: do these parts of it overlap? Each "
             "begins "
             "where the one before it ends",
             line[0], a[0], line[1], b[0]);
    return 1;
}

// ---- Two threads meet in an element that is not one of both

// An access of that kind ("write", "read") that the report lists; its advice uses the same words. NULL: there is none.
static const char *access_in(const char *report, const char *kind) {
    char by[2][48];
    snprintf(by[0], sizeof by[0], "%s thread (", kind);
    snprintf(by[1], sizeof by[1], "%s another block's thread (", kind);
    const char *own = strstr(report, by[0]), *other = strstr(report, by[1]);
    return own && (!other || own < other) ? own : other;
}

// Two lines that write: a barrier between them only says which of them is last.
static int rows_overlap(const char *text, const char *report, char *sentence, size_t size) {
    (void)text;
    int line[2];
    const int shared = strncmp(report, "data race: shared", 17) == 0,
              workspace = strncmp(report, "data race: global workspace[", 28) == 0;
    const char *first = access_in(report, "write");
    if (!(shared || workspace) || !first || lab_lines_of(report, line, 2) < 2) return 0;
    if (!access_in(first + 1, "write") || line[0] == line[1]) return 0;
    if (workspace)
        return snprintf(sentence, size,
                        "lines %d and %d write one element of workspace, from two blocks: two parts of it overlap. "
                        "Where does each of them begin, and how many floats has the one before it?",
                        line[0], line[1]) > 0;
    snprintf(
        sentence, size,
        "lines %d and %d write one element of shared memory, from two threads: do two rows, or two arrays, overlap "
        "there, as a stride or a size is too small? A barrier helps only if both are meant to write it",
        line[0], line[1]);
    return 1;
}

// The name of a const pointer among a function's parameters that this line reads, and no other pointer of them.
static int reads_const(const char *function, const char *line, char name[32]) {
    char names[LAB_MOST_NAMES][32];
    const int n = lab_names_of(line, names);
    const char *open = strchr(function, '('), *end = open ? strchr(open, '{') : NULL;
    *name = 0;
    for (int i = 0; i < n && end; i++) {
        for (const char *at = open; at < end; at += strcspn(at, ",{") + 1) {
            const char *comma = at + strcspn(at, ",{"), *star = memchr(at, '*', comma - at);
            if (!star || !lab_has_word(star, comma, names[i])) continue;
            if (!lab_has_word(at, star, "const")) return 0;
            snprintf(name, 32, "%.31s", names[i]);
        }
    }
    return *name != 0;
}

// Is the pointer handed to the function that reads, where this one calls it?
static int is_handed_on(const char *writer, const char *reader, const char *root) {
    const char *open = strchr(reader, '('), *name = open, *end = strstr(writer, "\n}");
    char call[48];
    while (name && name > reader && lab_is_word(name[-1])) name--;
    if (!open || !end) return 1;
    snprintf(call, sizeof call, "%.*s(", (int)(open - name), name);
    for (const char *at = writer; (at = strstr(at, call)) && at < end; at++)
        if (lab_has_word(at, at + strcspn(at, ";"), root)) return 1;
    return 0;
}

// One thread writes an array, and another one reads it through a pointer to a different one: it runs past an end.
static int runs_into_another(const char *text, const char *report, char *sentence, size_t size) {
    int line[2];
    char read[32], root[32], names[LAB_MOST_NAMES][32];
    const char *write_at = access_in(report, "write"), *read_at = access_in(report, "read");
    if (strncmp(report, "data race: global", 17) || !write_at || !read_at || lab_lines_of(report, line, 2) < 2)
        return 0;
    const int read_line = line[read_at > write_at], write_line = line[read_at < write_at];
    const char *reads = lab_line_at(text, read_line), *writes = lab_line_at(text, write_line);
    if (!reads || !writes) return 0;
    const char *reader = lab_function_of(text, reads), *writer = lab_function_of(text, writes);
    if (!lab_names_of(writes, names)) return 0;
    root_of(text, writes, names[0], root);
    if (!*root || !reads_const(reader, reads, read) || strcmp(root, read) == 0) return 0;
    if (reader != writer && is_handed_on(writer, reader, root)) return 0;
    snprintf(sentence, size,
             "line %d reads %s, and meets what line %d writes to %s, another array: the index runs past the end of %s. "
             "Where does the loop around it end? No barrier helps",
             read_line, read, write_line, root, read);
    return 1;
}

lab_hint lab_hint_of_report(const char *text, const char *report, int host_pointers, char *sentence, size_t size) {
    static int (*const hints[])(const char *text, const char *report, char *sentence, size_t size) = {
        lab_hint_of_emptied, lab_hint_of_some_rounds, lab_hint_of_warps,   lab_hint_of_meeting, lab_hint_of_rows,
        parts_overlap,       lab_hint_of_transposing, lab_hint_of_updates, rows_overlap,        lab_hint_of_limits,
        runs_into_another,   lab_hint_of_bound,       lab_hint_of_exit,    lab_hint_of_halves,  lab_hint_of_single,
        lab_hint_of_few,     lab_hint_of_factor,      lab_hint_of_padding, lab_hint_of_blocks,  lab_hint_of_groups,
        lab_hint_of_unasked};
    int line[1];
    const lab_hint race = lab_hint_of_race(text, report, sentence, size);
    if (race) return race;
    for (size_t i = 0; i < sizeof hints / sizeof *hints; i++)
        if (hints[i](text, report, sentence, size)) return LAB_HINT_FIRST;
    const lab_hint early = lab_hint_of_leaving_early(text, report, sentence, size);
    if (early) return early;
    if (lab_hint_of_launch(text, report, sentence, size)) return LAB_HINT_FIRST;
    if (host_pointers || strncmp(report, "host pointer in a kernel", 24) || !lab_lines_of(report, line, 1))
        return LAB_HINT_NONE;
    snprintf(sentence, size,
             "this function is given no pointer of the host: the offset in line %d runs far beyond its tensor. Do its "
             "factors, and the sides of the grid, stand for what the kernel takes them for?",
             line[0]);
    return LAB_HINT_BESIDE;
}

static int names(const char *place, const char *file) {
    return strncmp(place, file, strlen(file)) == 0 && place[strlen(file)] == ':';
}

static int is_of_part(const char *place, const lab_task *task) {
    for (int i = 0; task->parts[i]; i++)
        if (names(place, lab_task_find(task->parts[i])->file)) return 1;
    return 0;
}

int lab_hint_of_part(const char *report, const lab_task *task, const char *file, char *sentence, size_t size) {
    static const char takes[] = "flash takes this call's work.Q, work.K and work.V, with seq_q = seq_kv = S; decode "
                                "takes cache.K and cache.V, with the cache's size";
    const char *at = strstr(report, " at "), *call = strstr(report, ", called at ");
    if (call && names(call + 12, file)) {  // by simt, of a kernel that stands in
        snprintf(sentence, size, "the kernel that %.*s calls is not to blame: look at what is handed to it. %s",
                 (int)strcspn(call + 12, " ,;\n"), call + 12, takes);
        return 1;
    }
    while (at && strncmp(at + 4 + strcspn(at + 4, ".: "), ".cu:", 4)) at = strstr(at + 4, " at ");
    if (!at || names(at + 4, file) || !is_of_part(at + 4, task)) return 0;
    const int attends = strncmp(at + 4, "flash.cu", 8) == 0 || strncmp(at + 4, "decode.cu", 9) == 0;
    snprintf(sentence, size, "%.*s is in a kernel that %s calls, and not to blame: look at what is handed to it. %s",
             (int)strcspn(at + 4, " ;"), at + 4, file,
             attends ? takes : "Is a pointer NULL, or a tensor smaller than the sizes of the call say?");
    return 1;
}

int lab_hint_of_state(const char *text, char *sentence, size_t size) {
    looks = 0;
    for (const char *at = text; looks++ < MOST_LOOKS && (at = strstr(at, "static ")); at += 7) {
        const char *line = at;
        while (line > text && line[-1] != '\n') line--;
        const size_t rest = strcspn(at, "\n");
        const int inside = line < at && strspn(line, " \t") == (size_t)(at - line);
        if (!inside || memchr(at, '(', rest) || strncmp(at + 7, "const", 5) == 0 || strncmp(at + 7, "__", 2) == 0)
            continue;
        const char *threads = strstr(lab_function_of(text, at), "omp parallel");
        snprintf(sentence, size,
                 threads && threads < at
                     ? "line %d: a static variable is one for all threads, which overwrite and free what another has "
                       "put there: without static each thread has its own"
                     : "line %d keeps a variable from one call to the next: a result depends on the arguments alone",
                 lab_line_of(text, at));
        return 1;
    }
    return 0;
}
