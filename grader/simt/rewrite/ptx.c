// ptx.c: the text of an asm statement, as C++. Registers become variables, instructions calls, branches gotos:
//
//     {.reg .pred done;                                              { bool ptx_done;
//      again: mbarrier.try_wait.parity.shared.b64 done, [%0], %1;    ptx_again: ref(ptx_done) = try_wait<...>(...);
//      @!done bra again;}                                            if (!ptx_done) goto ptx_again; }
#include "ptx.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

typedef struct {
    unit *u;
    const asm_statement *s;
    const char *p;  // what comes next
    FILE *out;
    bool failed;  // an error was reported: only the first one is
} reader;

static void fail(reader *r, const char *pattern, const char *at, int length) {
    if (!r->failed) error_at_token(r->u, r->s->at, pattern, length, at);
    r->failed = true;
}

static void skip_blanks(reader *r) {
    for (;;) {
        while (isspace((unsigned char)*r->p)) r->p++;
        if (r->p[0] == '/' && r->p[1] == '/') {
            while (*r->p && *r->p != '\n') r->p++;
        } else if (r->p[0] == '/' && r->p[1] == '*') {
            const char *end = strstr(r->p + 2, "*/");
            r->p = end ? end + 2 : r->p + strlen(r->p);
        } else {
            return;
        }
    }
}

static bool take(reader *r, char c) {
    skip_blanks(r);
    if (*r->p != c) return false;
    r->p++;
    return true;
}

static int name_length(const char *p) {
    int n = 0;
    while (isalnum((unsigned char)p[n]) || p[n] == '_' || p[n] == '$') n++;
    return n;
}

// A register's or label's name as C++ has it. `%=`, a number that makes labels differ, is not needed here.
static const char *variable(reader *r, const char *at, int length) {
    char *name = keep(r->u, (size_t)length + 5), *to = name;
    to += sprintf(to, "ptx_");
    for (int i = 0; i < length; i++) *to++ = at[i] == '$' ? '_' : at[i];
    *to = 0;
    return name;
}

// Past %, %% and what of a name follows: `length` of its letters.
static const char *read_name(reader *r, int *length) {
    while (*r->p == '%') r->p++;
    const char *at = r->p;
    *length = name_length(at);
    if (at[*length] == '.' && strchr("xyzw", at[*length + 1]) && !name_length(at + *length + 2) && at[*length + 1])
        *length += 2;  // %tid.x
    r->p += *length;
    if (r->p[0] == '%' && r->p[1] == '=') r->p += 2;
    return at;
}

static const char *number(reader *r) {
    const char *at = r->p;
    if (at[0] == '0' && strchr("fFdD", at[1]) && at[1] && isxdigit((unsigned char)at[2])) {  // the bits of a float
        r->p += 2;
        int n = name_length(r->p);
        r->p += n;
        return format(r->u, "simt::ptx::bits(%s(0x%.*s))", tolower(at[1]) == 'f' ? "uint32_t" : "uint64_t", n,
                      r->p - n);
    }
    if (*r->p == '-' || *r->p == '+') r->p++;
    while (isalnum((unsigned char)*r->p) || *r->p == '.' ||
           (strchr("+-", *r->p) && *r->p && tolower(r->p[-1]) == 'e' && at[1] != 'x'))
        r->p++;
    return format(r->u, "simt::ptx::imm(%.*s)", (int)(r->p - at), at);
}

static const char *operand(reader *r);

// a, b, c}
static const char *list(reader *r) {
    const char *text = "";
    do text = format(r->u, "%s%s%s", text, *text ? ", " : "", operand(r));
    while (!r->failed && take(r, ','));
    if (!take(r, '}')) fail(r, "inline PTX: a } is missing before \"%.*s\"", r->p, (int)strcspn(r->p, "\n"));
    return format(r->u, "simt::ptx::list(%s)", text);
}

// base + offset] or base, {coordinates}]: an address, and what else the brackets hold.
static const char *address(reader *r) {
    const char *base = operand(r), *offset = "0", *more = "";
    if (take(r, '+')) {
        skip_blanks(r);
        offset = operand(r);
        offset = format(r->u, "(int64_t)(%s)", offset);
    } else if (*r->p == '-') {
        offset = format(r->u, "(int64_t)(%s)", number(r));
    }
    while (!r->failed && take(r, ',')) more = format(r->u, "%s, %s", more, operand(r));
    if (!take(r, ']')) fail(r, "inline PTX: a ] is missing before \"%.*s\"", r->p, (int)strcspn(r->p, "\n"));
    return format(r->u, "simt::ptx::at(%s, %s)%s", base, offset, more);
}

static const char *named(reader *r) {
    if (r->p[0] == '%' && isdigit((unsigned char)r->p[1])) {
        char *end;
        long i = strtol(r->p + 1, &end, 10);
        if (i >= r->s->count) fail(r, "inline PTX: there is no operand %.*s", r->p, (int)(end - r->p));
        r->p = end;
        bool constant = i < r->s->count && r->s->operands[i].kind == 'n';
        return format(r->u, "simt::ptx::%s(simt_v%ld)", constant ? "imm" : "ref", i);
    }
    int length;
    const char *at = read_name(r, &length), *special = ptx_special_register(at, length);
    if (special) return special;
    if (length == 1 && *at == '_') return "simt::ptx::sink()";
    if (!length) fail(r, "inline PTX: simt does not understand \"%.*s\"", r->p, (int)strcspn(r->p, "\n"));
    return format(r->u, "simt::ptx::ref(%s)", variable(r, at, length));
}

static const char *operand(reader *r) {
    if (r->failed) return "";
    if (take(r, '{')) return list(r);
    if (take(r, '[')) return address(r);
    if (take(r, '!')) return format(r->u, "simt::ptx::imm(!(bool)%s)", operand(r));
    if (isdigit((unsigned char)*r->p) || (*r->p == '-' && isdigit((unsigned char)r->p[1])) ||
        (*r->p == '.' && isdigit((unsigned char)r->p[1])))
        return number(r);
    return named(r);
}

// .reg .pred p, q;   .reg .b32 r<4>;
static void declaration(reader *r) {
    int length = (int)strcspn(r->p, " \t\n;");
    if (strncmp(r->p, ".reg", 4)) {
        fail(r, "inline PTX: simt does not know the directive %.*s", r->p, length);
        return;
    }
    r->p += 4;
    take(r, '.');
    length = name_length(r->p);
    const char *type = ptx_type(r->p, length);
    if (!type) fail(r, "inline PTX: simt does not know registers of type .%.*s", r->p, length);
    r->p += length;
    do {
        skip_blanks(r);
        const char *at = read_name(r, &length);
        long n = 0;
        if (take(r, '<')) {
            n = strtol(r->p, (char **)&r->p, 10);
            take(r, '>');
        }
        if (!n) fprintf(r->out, "%s %s; ", type, variable(r, at, length));
        for (long i = 0; i < n && i < 1000; i++) fprintf(r->out, "%s %s%ld; ", type, variable(r, at, length), i);
    } while (!r->failed && take(r, ','));
    if (!take(r, ';')) fail(r, "inline PTX: a ; is missing before \"%.*s\"", r->p, (int)strcspn(r->p, "\n"));
}

static void branch(reader *r) {
    skip_blanks(r);
    int length;
    const char *at = read_name(r, &length);
    fprintf(r->out, "goto %s; ", variable(r, at, length));
}

static void call(reader *r, const char *opcode) {
    ptx_call c;
    if (!find_instruction(r->u, opcode, &c)) {
        fail(r, "simt does not know the PTX instruction %.*s: put it under #ifdef __CUDACC__", opcode,
             (int)strlen(opcode));
        return;
    }
    const char *first = "", *text = "";
    for (int n = 0; !r->failed && (skip_blanks(r), *r->p != ';' && *r->p && *r->p != '}'); n++) {
        if (n && !take(r, ','))
            fail(r, "inline PTX: a comma is missing before \"%.*s\"", r->p, (int)strcspn(r->p, "\n"));
        const char *next = operand(r);
        if (!n && c.gives_value)
            first = next;
        else
            text = format(r->u, "%s%s%s", text, *text ? ", " : "", next);
        if (!n && take(r, '|'))  // d|p, p|q: a second result, which the function gets as its first argument
            text = format(r->u, "%s%s%s", text, *text ? ", " : "", operand(r));
    }
    if (c.gives_value && *first)
        fprintf(r->out, "%s = simt::ptx::%s%s(%s); ", first, c.function, c.arguments, text);
    else
        fprintf(r->out, "simt::ptx::%s%s(%s); ", c.function, c.arguments, text);
}

static void instruction(reader *r) {
    if (take(r, '@')) {
        bool negated = take(r, '!');
        skip_blanks(r);
        fprintf(r->out, "if (%s(bool)%s) ", negated ? "!" : "", named(r));
        skip_blanks(r);
    }
    int length = 0;
    while (name_length(r->p + length) || (r->p[length] && strchr(".:", r->p[length])))
        length += name_length(r->p + length) ? name_length(r->p + length) : 1;
    const char *opcode = format(r->u, "%.*s", length, r->p);
    if (!length) fail(r, "inline PTX: simt does not understand \"%.*s\"", r->p, (int)strcspn(r->p, "\n"));
    r->p += length;
    if (!strcmp(opcode, "bra") || !strcmp(opcode, "bra.uni"))
        branch(r);
    else
        call(r, opcode);
    skip_blanks(r);
    if (!take(r, ';') && *r->p && *r->p != '}')
        fail(r, "inline PTX: a ; is missing before \"%.*s\"", r->p, (int)strcspn(r->p, "\n"));
}

// again:
static bool label(reader *r) {
    const char *from = r->p;
    int length;
    const char *at = read_name(r, &length);
    skip_blanks(r);
    if (length && r->p[0] == ':' && r->p[1] != ':') {
        fprintf(r->out, "%s:; ", variable(r, at, length));
        r->p++;
        return true;
    }
    r->p = from;
    return false;
}

void write_ptx(unit *u, const asm_statement *s, const char *text, FILE *out) {
    reader r = {.u = u, .s = s, .p = text, .out = out};
    for (skip_blanks(&r); *r.p && !r.failed; skip_blanks(&r)) {
        if (take(&r, '{'))
            fputs("{ ", out);
        else if (take(&r, '}'))
            fputs("} ", out);
        else if (take(&r, ';'))
            continue;
        else if (*r.p == '.')
            declaration(&r);
        else if (!label(&r))
            instruction(&r);
    }
}
