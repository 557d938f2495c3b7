// data_words.c: words, types and numbers of a text that becomes a program.
#include "data.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

const char *data_fail(reader *r) {
    r->failed = true;
    return "";
}

void data_blanks(reader *r) {
    while (*r->at == ' ') r->at++;
}

bool data_letter(char c) { return isalnum((unsigned char)c) || c == '_'; }

// The sign, where it is not the beginning of a longer one that is none of its own.
bool data_take(reader *r, const char *sign) {
    const size_t n = strlen(sign);
    data_blanks(r);
    if (strncmp(r->at, sign, n) || (data_letter(sign[n - 1]) && data_letter(r->at[n]))) return false;
    r->at += n;
    return true;
}

const char *data_word(reader *r) {
    data_blanks(r);
    int n = 0;
    while (data_letter(r->at[n])) n++;
    const char *name = format(r->u, "%.*s", n, r->at);
    r->at += n;
    return name;
}

bool data_is_word(const char *name, const char *const *list) {
    for (int i = 0; list[i]; i++)
        if (!strcmp(name, list[i])) return true;
    return false;
}

// A type of numbers as it is written: its letter, and r stands behind it; 0: it is none.
char data_type(reader *r) {
    static const struct {
        const char *text;
        char kind;
    } types[] = {{"unsigned int", 'u'}, {"unsigned long", 'L'}, {"long long", 'l'}, {"int64_t", 'l'},
                 {"uint32_t", 'u'},     {"int32_t", 'i'},       {"unsigned", 'u'},  {"uint64_t", 'L'},
                 {"size_t", 'L'},       {"ptrdiff_t", 'l'},     {"double", 'd'},    {"float", 'f'},
                 {"bool", 'b'},         {"int", 'i'},           {"long", 'l'}};
    const char *begin = r->at;
    data_take(r, "const");
    for (size_t i = 0; i < sizeof types / sizeof *types; i++)
        if (data_take(r, types[i].text)) return types[i].kind;
    r->at = begin;
    return 0;
}

// (float4 *)x, reinterpret_cast<const float4 *>(x): the type is that of a slot which is filled with (const float4 *)0. NULL:
// no pointer to numbers, nor to some of CUDA's, stands here.
const char *data_pointer_type(reader *r, const char *close) {
    static const char *const names[] = {"float",  "double", "int",  "unsigned", "char",    "float2", "float3",
                                        "float4", "int2",   "int3", "int4",     "double2", NULL};
    const char *const begin = r->at;
    const char *const constant = data_take(r, "const") ? "const " : "";
    const char *const name = data_word(r);
    if (data_is_word(name, names) && data_take(r, "*") && data_take(r, close))
        return data_slot(r, format(r->u, "(%s%s *)0", constant, name), NULL);
    r->at = begin;
    return NULL;
}

int data_size(char kind) { return kind == 'b' ? 1 : strchr("iuf", kind) ? 4 : 8; }

const char *data_number(reader *r) {
    char *end;
    const char *begin = r->at;
    const bool hex = begin[0] == '0' && (begin[1] | 32) == 'x';
    int n = 0;
    while (data_letter(begin[n]) || begin[n] == '.' ||
           (!hex && (begin[n] == '-' || begin[n] == '+') && n && (begin[n - 1] | 32) == 'e'))
        n++;
    const char *text = format(r->u, "%.*s", n, begin);
    const bool real = strchr(text, '.') || (!hex && strpbrk(text, "eE"));
    r->at += n;
    if (real) {
        strtod(text, &end);
        const int digits = (int)(end - text);
        if (!*end) return format(r->u, "Rd%s;", text);
        return (*end | 32) == 'f' && !end[1] ? format(r->u, "Rf%.*s;", digits, text) : data_fail(r);
    }
    const unsigned long i = strtoul(text, &end, 0);
    const bool is_unsigned = strpbrk(end, "uU"), is_long = strpbrk(end, "lL");
    if (strspn(end, "uUlL") != strlen(end)) return data_fail(r);
    const char kind = is_long                  ? is_unsigned ? 'L' : 'l'
                      : is_unsigned            ? 'u'
                      : i <= 0x7fffffff        ? 'i'
                      : i <= 0xffffffff && hex ? 'u'
                                               : 'l';
    return format(r->u, "I%c%lu;", kind, i);
}
