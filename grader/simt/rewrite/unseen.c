// unseen.c: which structs that go by value g++ does not instrument, says its own intermediate code (-fdump-tree-tsan-lineno):
//
//     [a.cu:20:32] _22 = f_4 ([a.cu:20:33] (*boxes_26)[_19]);       a call whose argument is memory
//
// An argument that is a number, an address or a variable of the function itself is none of these. One line for each is
// printed, "a.cu:20:0": file, line, which argument (a method's object is the first). shown.c reads them.
// "a.cu:30:stretched" and "a.cu:30:unwatched" are what no stage may do, see below.
#include "rewrite.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

// Local variables are at most a stack's apart from what else there is; others may have the device's memory behind them.
static const double MOST_ELEMENTS = 1 << 16, MOST_OF_GLOBALS = 1 << 8, ENDLESS = 1e18;

typedef struct {
    char *text;  // of the function's head: the names of its variables
    size_t size, room;
} head;

static void add_to_head(head *h, const char *line) {
    size_t n = strlen(line);
    if (h->size + n + 1 > h->room) h->text = realloc(h->text, h->room = 2 * (h->size + n + 1));
    if (!h->text) exit(1);
    memcpy(h->text + h->size, line, n + 1);
    h->size += n;
}

static bool in_name(char c) { return isalnum((unsigned char)c) || c == '_' || c == '$'; }

static bool is_local(const head *h, const char *name, size_t n) {
    if (n > 2 && name[0] == 'D' && name[1] == '.') return true;  // the compiler's own
    for (const char *p = h->text; p && (p = strstr(p, name)); p++)
        if ((p == h->text || !in_name(p[-1])) && !in_name(p[n])) return true;
    return false;
}

// A variable that the function has on its stack; not `static const float box[2] = ...`, which its head lists, too.
static bool is_automatic(const head *h, const char *name) {
    const size_t n = strlen(name);
    for (const char *p = h->text; p && (p = strstr(p, "\n  static ")); p++) {
        const char *end = p + 1 + strcspn(p + 1, "\n");
        for (const char *at = p; (at = strstr(at, name)) && at < end; at++)
            if (!in_name(at[-1]) && !in_name(at[n])) return false;
    }
    return n > 0 && is_local(h, name, n);
}

// Takes all [file:line:column] out of a line.
static void drop_places(char *line) {
    char *to = line;
    for (char *p = line; *p;) {
        char *end = *p == '[' ? strchr(p, ']') : NULL;
        if (end && memchr(p + 1, '[', (size_t)(end - p - 1)))
            end = NULL;  // MEM[(const struct Box &)[a.cu:20:33] boxes]
        char *q = end;
        for (int colons = 0; q && colons < 2; colons++) {
            char *digits = q;
            while (q > p && isdigit((unsigned char)q[-1])) q--;
            q = q < digits && q > p + 1 && q[-1] == ':' ? q - 1 : NULL;
        }
        if (q)
            p = end + 1 + (end[1] == ' ');
        else
            *to++ = *p++;
    }
    *to = 0;
}

// Is the argument [at, end) memory that is not the function's own? MEM[(const struct Box &)_4], (*_26)[_19], p_5->box, all[2]
static bool is_memory(const head *h, const char *at, const char *end) {
    if (at == end || strchr("&\"'-0123456789{", *at)) return false;
    const char *base = at;
    if (!strncmp(at, "MEM", 3)) {
        while (base < end && *base != ')') base++;
        base++;
        if (base >= end || *base != '&') return true;  // through a pointer
        base++;
    }
    const char *p = base;
    while (p < end && (in_name(*p) || (*p == '.' && p - base == 1))) p++;
    if (p == base) return true;  // (*_26)[_19], *_3
    char name[256];
    size_t n = (size_t)(p - base) < sizeof name ? (size_t)(p - base) : sizeof name - 1;
    memcpy(name, base, n);
    name[n] = 0;
    const char *version = strrchr(name, '_');
    bool is_value = version && version[1] && strspn(version + 1, "0123456789") == strlen(version + 1);  // _19, boxes_26
    if (is_value && strncmp(p, "(D)", 3) == 0) p += 3;
    return is_value ? p < end : !is_local(h, name, n);  // a pointer's: p_5->box
}

// A variable that is read or written as if it were a much larger array, so that an index may lead anywhere:
//
//     [a.cu:30:128] .UBSAN_BOUNDS (0B, _3, 268435455);              elements: the product of the bounds before the access
//     [a.cu:30:128] _39 = MEM[(const float[268435456] *)&box][_3];
//
// g++ does not instrument that where box is constant, or its address stays in the function. The same with a member that
// is said to have no elements: none.f[_3].
static bool is_stretched(const head *h, const char *line, double elements) {
    const char *mem = strstr(line, "MEM["), *cast = mem ? strstr(mem, ")&") : NULL,
               *end = cast ? strchr(cast, ']') : NULL;
    const char *index = end ? strchr(end, '[') : NULL;
    char name[256];
    snprintf(name, sizeof name, "%.*s", end ? (int)strcspn(cast + 2, "] +") : 0, end ? cast + 2 : "");
    const double most = is_automatic(h, name) ? MOST_ELEMENTS : MOST_OF_GLOBALS;
    return elements >= ENDLESS || (index && !isdigit((unsigned char)index[1]) && elements > most);
}

// Takes note of a line: bounds are multiplied until the access to which they belong.
static bool note_bounds(const head *h, const char *line, double *elements) {
    const char *check = strstr(line, ".UBSAN_BOUNDS ("), *last = check ? strrchr(line, ' ') : NULL;
    if (last) *elements *= atof(last) + 1;
    if (check || !strpbrk(line, "[*") || strstr(line, " = &")) return false;
    const bool stretched = is_stretched(h, line, *elements);
    *elements = 1;
    return stretched;
}

// An atomic builtin whose order is no order, __atomic_load_n(p, 99): g++ leaves it as it is, and nobody sees the access.
static bool is_unwatched(const char *line) {
    static const char *const families[] = {
        "__atomic_load",  "__atomic_store", "__atomic_exchange", "__atomic_compare", "__atomic_fetch_",
        "__atomic_add_",  "__atomic_sub_",  "__atomic_and_",     "__atomic_or_",     "__atomic_xor_",
        "__atomic_nand_", "__atomic_test",  "__atomic_clear",    "__sync_",          NULL};
    const char *call = strstr(line, " = ");
    for (call = call ? call + 3 : line; *call == ' ';) call++;
    for (int i = 0; families[i]; i++)
        if (!strncmp(call, families[i], strlen(families[i]))) return true;
    return false;
}

static void read_call(const head *h, const char *place, char *line, FILE *out) {
    char *close = strrchr(line, ';');
    while (close && close > line && *close != ')') close--;
    if (!close || close == line) return;
    char *open = close - 1;
    for (int depth = 1; open > line; open--)
        if ((depth += (*open == ')') - (*open == '(')) == 0) break;
    if (open <= line + 1 || open[-1] != ' ' || !(in_name(open[-2]) || open[-2] == ')')) return;
    char *callee = open - 1;
    while (callee > line && callee[-1] != ' ') callee--;
    if (!strncmp(callee, "__builtin", 9) || !strncmp(callee, "__asm", 5) || *callee == '.') return;
    int index = 0, depth = 0;
    char *begin = open + 1;
    for (char *p = begin; p <= close; p++) {
        if (*p == '"')
            while (++p < close && *p != '"') p += *p == '\\';
        else if (depth == 0 && (*p == ',' || p == close)) {
            if (is_memory(h, begin, p)) fprintf(out, "%s:%d\n", place, index);
            begin = p + 2, index++;
        } else
            depth += (strchr("([{", *p) != NULL) - (strchr(")]}", *p) != NULL);
    }
}

int find_unseen(FILE *in, FILE *out) {
    head h = {0};
    char *line = NULL, place[4096] = "";
    double elements = 1;
    size_t room = 0;
    bool in_head = false;
    while (getline(&line, &room, in) > 0) {
        if (!strncmp(line, ";; Function ", 12)) h.size = 0, in_head = true;
        if (in_head) add_to_head(&h, line);
        if (strstr(line, "<bb 2>")) in_head = false;
        char *end = !strncmp(line, "  [", 3) ? strstr(line, "] ") : NULL;
        if (in_head || !end) continue;
        while (end > line && *end != ':') end--;  // the column goes
        snprintf(place, sizeof place, "%.*s", (int)(end - line - 3), line + 3);
        drop_places(line);
        if (note_bounds(&h, line, &elements)) fprintf(out, "%s:stretched\n", place);
        if (is_unwatched(line)) fprintf(out, "%s:unwatched\n", place);
        if (strstr(line, ");")) read_call(&h, place, line, out);
    }
    free(line);
    free(h.text);
    return 0;
}
