// variables.c: __device__, __constant__ and __managed__ variables stay ordinary variables of the program. Behind the
// declaration an object announces each to the runtime, which then treats it as device memory:
//
//     __constant__ float weights[64]; static simt::variable simt_variable_1(weights, "weights", SIMT_CONSTANT);
//
// and an attribute before its type puts it with others into pages of their own, which host code cannot touch:
//
//     __attribute__((section("simt_device"))) int counter = 7;
#include "rewrite.h"

#include <string.h>

enum { MOST_DECLARATORS = 64 };
static const char section[] = "__attribute__((section(\"simt_device\"))) ";  // runtime/device.ld
static const char zero_section[] = "__attribute__((section(\".bss.simt_device\"))) ";

static const char *const words[] = {"__device__", "__constant__", "__managed__", NULL};
static const char *const specifiers[] = {"static",     "inline",       "const",       "constexpr", "volatile",
                                         "__device__", "__constant__", "__managed__", NULL};

// A parenthesis before = [ { or ; makes it a function.
static bool declares_function(const unit *u, int i) {
    for (; i < u->token_count; i++) {
        if (is(u, i, "operator")) return true;
        if (is(u, i, "alignas") || is(u, i, "__attribute__") || is(u, i, "decltype"))
            i = skip_group(u, i + 1) - 1;
        else if (is(u, i, "<") && angle_close(u, i) > 0)
            i = angle_close(u, i);
        else if (u->tokens[i].bracket == '(')
            return !is(u, i + 1, "*") && !is(u, i + 1, "&");
        else if (u->tokens[i].bracket || is(u, i, "=") || is(u, i, ";") || is(u, i, "<"))
            return false;
    }
    return true;
}

// Constant for C++, too: such a variable stays among the program's constants, which the host knows anyway.
static bool is_const(const unit *u, int start, int end) {
    bool constant = false;
    for (int k = start; k < end; k++) constant |= is(u, k, "const") || is(u, k, "constexpr");
    return constant;
}

// Large tables without a value take no room in the file. Of other types than these, zeros may not be the initial value.
static bool is_zero_table(const unit *u, int first, const declarator *list, int n) {
    static const char *const types[] = {"char",   "short",    "int",     "long",    "unsigned", "signed",
                                        "float",  "double",   "size_t",  "uint8_t", "uint16_t", "uint32_t",
                                        "int8_t", "uint64_t", "int16_t", "int32_t", "int64_t",  NULL};
    if (n != 1 || list[0].initializer >= 0 || !is(u, list[0].name + 1, "[")) return false;
    for (int k = first; k < list[0].name; k++)
        if (!is_any(u, k, types) && !is_any(u, k, specifiers)) return false;
    return true;
}

static void announce(unit *u, int start, int first, const char *kind) {
    declarator list[MOST_DECLARATORS];
    int n = declarators(u, first, list, MOST_DECLARATORS);
    for (int i = 0; i < n; i++) {
        const char *name = text_between(u, list[i].name, list[i].name);
        insert_after(
            u, list[n - 1].end,
            format(u, " static simt::variable simt_variable_%d(%s, \"%s\", %s);", ++u->serial, name, name, kind));
    }
    if (n > 0 && strcmp(kind, "SIMT_MANAGED") && !is_const(u, start, list[n - 1].end))
        insert_before(u, first, is_zero_table(u, first, list, n) ? zero_section : section);
}

// The names in template <class T, int N = 2, class... More>: "T, N, More...". NULL: not understood.
static const char *argument_names(unit *u, int open) {
    int close = angle_close(u, open), name = -1;
    const char *names = "";
    bool pack = false, value = false;
    for (int i = open + 1; i <= close; i = skip_group(u, i)) {
        if (is(u, i, "<")) i = angle_close(u, i);
        if (is(u, i, ",") || i == close) {
            if (name < 0) return NULL;
            names = format(u, "%s%s%s%s", names, *names ? ", " : "", text_between(u, name, name), pack ? "..." : "");
            name = -1, pack = value = false;
        }
        value |= is(u, i, "=");
        pack |= is(u, i, "...");
        if (is_name(u, i) && !value) name = i;
    }
    return names;
}

// A template's instances are announced where the program names them:
//     template <class T> __constant__ T table[4];
//     template <class T> T simt_variable_1[4]; struct simt_name_1 { static const char *text() { return "table"; } };
//     template <class T> constexpr auto &table = simt::announced<simt_variable_1<T>, simt_name_1, SIMT_CONSTANT>::value;
static void announce_template(unit *u, int start, int first, const char *kind) {
    declarator d;
    int open = start + 1, close = angle_close(u, open);
    const char *names = close > 0 ? argument_names(u, open) : NULL;
    if (!names || declarators(u, first, &d, 1) != 1 || is(u, d.name + 1, "<")) {
        error_at_token(u, first,
                       "this template of a device variable is not understood: write `template <class T> "
                       "__constant__ T name[size];`, one variable at a time, and no specialization");
        return;
    }
    const char *name = text_between(u, d.name, d.name), *head = text_between(u, start, close);
    int serial = ++u->serial;
    replace(u, d.name, format(u, "simt_variable_%d", serial));
    insert_after(
        u, d.end,
        format(u,
               " struct simt_name_%d { static const char *text() { return \"%s\"; } }; %s constexpr auto &%s = "
               "simt::announced<simt_variable_%d<%s>, simt_name_%d, %s>::value;",
               serial, name, head, name, serial, names, serial, kind));
}

static void refuse_member(unit *u, int i) {
    int end = i;
    while (end < u->token_count && !is(u, end, ";") && u->tokens[end].bracket != '{') end = skip_group(u, end);
    if (!is(u, end, ";") || declares_function(u, i)) return;
    error_at_token(u, i, "%s is not for a member of a class: declare the variable at file scope",
                   text_between(u, i, i));
}

void rewrite_variables(unit *u) {
    for (int i = 0; i < u->token_count; i++) {
        if (is_any(u, i, words) && u->tokens[i].scope == SCOPE_CLASS) refuse_member(u, i);
        if (!is_any(u, i, words) || u->tokens[i].scope != SCOPE_NAMESPACE) continue;
        int start = statement_start(u, i), first = i;
        const char *kind = "SIMT_DEVICE";
        for (int k = start; k < i || is_any(u, k, specifiers); k++) {
            if (is(u, k, "__constant__"))
                kind = "SIMT_CONSTANT";
            else if (is(u, k, "__managed__"))
                kind = "SIMT_MANAGED";
            first = k + 1;
        }
        if (is(u, start, "extern") || declares_function(u, first))
            ;  // `extern` only names a variable that another file announces
        else if (is(u, start, "template"))
            announce_template(u, start, first, kind);
        else
            announce(u, start, first, kind);
        while (is_any(u, i + 1, specifiers)) i++;
    }
}
