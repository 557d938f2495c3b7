// dropped.c: which changes do not compile, by the compiler's messages, and the file without them.
#define _GNU_SOURCE
#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "candidates.h"

static int is_letter(char c) { return isalnum((unsigned char)c) || c == '_'; }

static int has_word(const char *text, const char *word) {
    for (const char *at = text; (at = strstr(at, word)); at++)
        if ((at == text || !is_letter(at[-1])) && !is_letter(at[strlen(word)])) return 1;
    return 0;
}

// A method that another function calls without an object.
static int is_called(const char *text, const char *name) {
    const size_t n = strlen(name);
    for (const char *at = text; (at = strstr(at, name)); at++)
        if ((at == text || (!is_letter(at[-1]) && !strchr(".>:", at[-1]))) && at[n] == '(') return 1;
    return 0;
}

// `error: 'TK' was not declared in this scope`, C: `'t' undeclared (first use in this function)`: nor is it in others.
static int drop_undeclared(const char *error, const lab_edit *at, lab_candidates *c) {
    char name[64];
    int dropped = 0;
    const char *from = strpbrk(error + strlen(" error: "), "'\xe2\n"), *end = from ? strstr(from, "declared") : NULL;
    if (!from || !end || end > from + strcspn(from, "\n")) return 0;
    from += strcspn(from, "ABCDEFGHIJKLMNOPQRSTUVWXYZ_abcdefghijklmnopqrstuvwxyz");
    snprintf(name, sizeof name, "%.*s",
             (int)strspn(from, "ABCDEFGHIJKLMNOPQRSTUVWXYZ_abcdefghijklmnopqrstuvwxyz0123456789"), from);
    for (int i = 0; i < c->n && *name; i++) {
        lab_edit *e = &c->edit[i];
        const int same_place = e->line == at->line && e->column == at->column,
                  called = is_called(at->now, name) && !strcmp(e->function, at->function) && is_called(e->now, name);
        if (e->dropped || (strcmp(e->now, name) && !called && !(same_place && has_word(e->now, name)))) continue;
        e->dropped = 1, dropped++;
    }
    return dropped;
}

// The compiler names a change as the file that it is in: "edit-17:1:5: error: ...".
static int goes_too(const lab_edit *e, const lab_edit *with, lab_also also) {
    if (e->line != with->line) return 0;
    return also == LAB_ITS_LINE ||
           (also == LAB_ITS_KIND && *e->was && e->column == with->column && !strcmp(e->kind, with->kind));
}

// What is wrong in a macro is said of the macro's own line, and then where it is used: no warning is asked for, so that is
// an error. What is wrong in a template is said of its lines, and before that who asks for it.
#define IN_MACRO "note: in expansion of macro"
#define IN_TEMPLATE "required from"
static int stands_before(const char *at, const char *end, const char *words) {
    const char *found = strstr(at, words);
    return found && found < end;
}

static int drop_from(const char *log, lab_candidates *c, lab_also also) {
    int dropped = 0;
    for (const char *at = log; (at = strstr(at, "edit-")); at++) {
        const int id = atoi(at + strlen("edit-"));
        const char *end = at + strcspn(at, "\n"), *error = strstr(at, " error: ");
        if (!error || error > end) error = NULL;
        if (!error && !stands_before(at, end, "undefined ref") && !stands_before(at, end, IN_MACRO) &&
            !stands_before(at, end, IN_TEMPLATE))
            continue;
        for (int i = 0; i < c->n; i++) {
            if (c->edit[i].id != id) continue;
            dropped += !c->edit[i].dropped, c->edit[i].dropped = 1;
            for (int k = 0; k < c->n; k++)
                if (goes_too(&c->edit[k], &c->edit[i], also)) dropped += !c->edit[k].dropped, c->edit[k].dropped = 1;
            if (also == LAB_ITS_NAME && error) dropped += drop_undeclared(error, &c->edit[i], c);
        }
    }
    return dropped;
}

int lab_stands_in(const lab_edit *e, int line) {
    for (const char *at = e->also; *at; at += strcspn(at, ","), at += *at == ',')
        if (atoi(at) == line) return 1;
    return e->line == line;
}

// The function of the last change before a line; NULL: none stands before it.
static const char *function_at(const lab_candidates *c, int line) {
    const lab_edit *last = NULL;
    for (int i = 0; i < c->n; i++)
        if (c->edit[i].line <= line && (!last || c->edit[i].line >= last->line)) last = &c->edit[i];
    return last ? last->function : NULL;
}

// An error that stands in the student's own text, which compiled: changes of that line do not go together in one ?:. All
// of them go, or all of its function, rather than the whole batch.
static int drop_lines(const char *log, const char *source, lab_candidates *c, int whole) {
    const size_t n = strlen(source);
    int dropped = 0;
    for (const char *at = log; (at = strstr(at, source)); at++) {
        const char *end = at + strcspn(at, "\n"), *error = strstr(at, " error: ");
        if ((at > log && at[-1] != '\n') || at[n] != ':' || !error || error > end) continue;
        const char *function = whole ? function_at(c, atoi(at + n + 1)) : NULL;
        for (int i = 0; i < c->n; i++)
            if (function ? !strcmp(c->edit[i].function, function) : lab_stands_in(&c->edit[i], atoi(at + n + 1)))
                dropped += !c->edit[i].dropped, c->edit[i].dropped = 1;
    }
    return dropped;
}

void lab_functions_of_errors(const lab_candidates *c, const char *source, const char *log, char *list, size_t size) {
    const size_t n = strlen(source);
    list[0] = 0;
    for (const char *at = log; (at = strstr(at, source)); at++) {
        const char *end = at + strcspn(at, "\n");
        const int error = (at == log || at[-1] == '\n') && at[n] == ':' && stands_before(at, end, " error: ");
        const char *function = error ? function_at(c, atoi(at + n + 1)) : NULL;
        const size_t used = strlen(list);
        if (function && !has_word(list, function) && used + strlen(function) + 2 < size)
            snprintf(list + used, size - used, "%s%s", used ? "," : "", function);
    }
}

int lab_candidates_drop(lab_candidates *c, const char *source, const char *log) {
    int dropped = drop_from(log, c, LAB_ITS_NAME);
    for (int whole = 0; whole < 2 && !dropped; whole++) dropped = drop_lines(log, source, c, whole);
    return dropped;
}

int lab_candidates_drop_named(lab_candidates *c, const char *log, lab_also also) { return drop_from(log, c, also); }

// What was dropped is not written: what stands between its #ifndef and #endif.
static void write_kept(FILE *f, const char *text, const char *kept, int most) {
    static const char begin[] = "\n#ifndef DROP_", end[] = "\n#endif\n";
    for (const char *at = text; *at;) {
        const char *next = strstr(at, begin), *behind = next ? strstr(next, end) : NULL;
        if (!behind) {
            fputs(at, f);
            return;
        }
        const int id = atoi(next + strlen(begin));
        const char *to = id > 0 && id <= most && kept[id] ? behind : next;
        fwrite(at, 1, (size_t)(to - at), f);
        fputs(to == behind ? end : "\n", f);
        at = behind + strlen(end);
    }
}

int lab_candidates_write(const lab_candidates *c) {
    char *text = NULL, *kept = calloc(LAB_MOST_EDITS + 1, 1);
    size_t n = 0;
    FILE *f = fopen(c->hooks ? c->hooked : c->plain, "r");
    const ssize_t got = f ? getdelim(&text, &n, 0, f) : -1;
    if (f) fclose(f);
    f = kept && got > 0 ? fopen(c->file, "w") : NULL;
    if (f && c->fixed) fprintf(f, "#define LAB_EDIT %d\n", c->fixed);
    for (int i = 0; f && i < c->n; i++)
        if (c->edit[i].id <= LAB_MOST_EDITS) kept[c->edit[i].id] = !c->edit[i].dropped;
    if (f) write_kept(f, text, kept, LAB_MOST_EDITS);
    free(text);
    free(kept);
    return f && fclose(f) == 0;
}
