// value.c: numbers and pointers with C's conversions. What C forbids is 0 of no type: whoever uses it makes a wrong
// number, as the change does.
#include "value.h"

#include <string.h>

static const lab_type numbers[] = {{'b', 1, 0}, {'c', 1, 0}, {'C', 1, 0}, {'s', 2, 0}, {'S', 2, 0}, {'i', 4, 0},
                                   {'u', 4, 0}, {'l', 8, 0}, {'L', 8, 0}, {'f', 4, 0}, {'d', 8, 0}, {'v', 1, 0}};

static const unsigned char place_of[128] = {['b'] = 0, ['c'] = 1, ['C'] = 2, ['s'] = 3, ['S'] = 4,  ['i'] = 5,
                                            ['u'] = 6, ['l'] = 7, ['L'] = 8, ['f'] = 9, ['d'] = 10, ['v'] = 11};
static const lab_type *type_of(char kind) { return &numbers[place_of[(unsigned char)kind & 127]]; }

enum { NOTHING, WHOLE, REAL, POINTER };
static const unsigned char class_of[128] = {
    ['b'] = WHOLE, ['c'] = WHOLE, ['C'] = WHOLE, ['s'] = WHOLE, ['S'] = WHOLE,   ['i'] = WHOLE,  ['u'] = WHOLE,
    ['l'] = WHOLE, ['L'] = WHOLE, ['f'] = REAL,  ['d'] = REAL,  ['p'] = POINTER, ['a'] = POINTER};
static int class(char kind) { return class_of[(unsigned char)kind & 127]; }
static int is_whole(char kind) { return class(kind) == WHOLE; }
static int is_real(char kind) { return class(kind) == REAL; }
static int is_pointer(char kind) { return class(kind) == POINTER; }

// As wide as its type, with its sign.
static long cut(char kind, long i) {
    switch (kind) {
    case 'b': return i != 0;
    case 'c': return (signed char)i;
    case 'C': return (unsigned char)i;
    case 's': return (short)i;
    case 'S': return (unsigned short)i;
    case 'i': return (int)i;
    case 'u': return (unsigned)i;
    default: return i;
    }
}

lab_value lab_number(char kind, long i) { return (lab_value){.type = type_of(kind), .i = cut(kind, i)}; }

lab_value lab_real(char kind, double d) {
    lab_value v = {.type = type_of(kind)};
    if (kind == 'f')
        v.f = (float)d;
    else
        v.d = d;
    return v;
}

static double real_of(lab_value v) {
    const char k = v.type->kind;
    return k == 'f' ? (double)v.f : k == 'd' ? v.d : k == 'L' ? (double)(unsigned long)v.i : (double)v.i;
}

// An undefined conversion gives what x86 gives.
static long whole_of(lab_value v, char kind) {
    if (!is_real(v.type->kind)) return v.i;
    const double d = real_of(v);
    if (kind == 'L' && d >= 9223372036854775808.0) return (long)(unsigned long)d;
    return d > -9.3e18 && d < 9.2e18 ? (long)d : (long)(1ul << 63);
}

lab_value lab_convert(lab_value v, char kind) {
    if (!is_whole(v.type->kind) && !is_real(v.type->kind) && !(kind == 'b' && is_pointer(v.type->kind)))
        return lab_number('v', 0);
    if (is_real(kind))
        return v.type->kind == 'f' && kind == 'f' ? (lab_value){.type = v.type, .f = v.f} : lab_real(kind, real_of(v));
    if (kind == 'b') return lab_number(kind, lab_is_true(v));
    return lab_number(kind, whole_of(v, kind));
}

lab_value lab_as(const lab_type *type, lab_value v) {
    if (!is_pointer(type->kind) || !is_pointer(v.type->kind)) return lab_number('v', 0);
    return (lab_value){.type = type, .p = v.p};
}

void lab_store(const lab_type *type, void *at, lab_value v) {
    if (type->kind == 'p') {
        if (is_pointer(v.type->kind)) *(char **)at = v.p;
        return;
    }
    if (!is_whole(type->kind) && !is_real(type->kind)) {
        if (v.type == type && type->kind == 'x' && v.p) memmove(at, v.p, (size_t)type->size);
        return;
    }
    v = lab_convert(v, type->kind);
    switch (type->size) {
    case 1: *(char *)at = (char)v.i; break;
    case 2: *(short *)at = (short)v.i; break;
    case 4:
        if (type->kind == 'f')
            *(float *)at = v.f;
        else
            *(int *)at = (int)v.i;
        break;
    default: *(long *)at = v.i; break;  // of a double the same bits
    }
}

int lab_is_true(lab_value v) {
    const char k = v.type->kind;
    return k == 'f' ? v.f != 0 : k == 'd' ? v.d != 0 : is_pointer(k) ? v.p != 0 : is_whole(k) && v.i != 0;
}

static char promoted(char k) { return place_of[(unsigned char)k & 127] < 5 ? 'i' : k; }

static char common(char a, char b) {
    a = promoted(a), b = promoted(b);
    return place_of[(unsigned char)a & 127] > place_of[(unsigned char)b & 127] ? a : b;
}

static int is_number(lab_value v) { return is_whole(v.type->kind) || is_real(v.type->kind); }

static lab_value pointers(char op, lab_value a, lab_value b) {
    const int pa = is_pointer(a.type->kind), pb = is_pointer(b.type->kind);
    static const lab_type *const none = &numbers[11];
    if (pa && pb && op == '-' && a.type->of->size) return lab_number('l', (a.p - b.p) / a.type->of->size);
    if (pa && pb) {
        const char *x = a.p, *y = b.p;
        const int is = op == '<'   ? x < y
                       : op == '>' ? x > y
                       : op == 'l' ? x <= y
                       : op == 'g' ? x >= y
                       : op == 'e' ? x == y
                                   : x != y;
        return strchr("<>lgeN", op) ? lab_number('b', is) : lab_number('v', 0);
    }
    if (op == '+' && pb) return pointers(op, b, a);
    if ((op == 'e' || op == 'N') && is_whole((pa ? b : a).type->kind))
        return lab_number('b', ((pa ? a : b).p == (char *)(pa ? b : a).i) == (op == 'e'));
    if (!pa || (op != '+' && op != '-') || !is_whole(b.type->kind)) return (lab_value){.type = none};
    const long by = b.i * a.type->of->size;
    return (lab_value){.type = a.type, .p = op == '+' ? a.p + by : a.p - by};
}

static lab_value reals(char op, char kind, double x, double y) {
    switch (op) {
    case '+': return kind == 'f' ? lab_real('f', (double)((float)x + (float)y)) : lab_real('d', x + y);
    case '-': return kind == 'f' ? lab_real('f', (double)((float)x - (float)y)) : lab_real('d', x - y);
    case '*': return kind == 'f' ? lab_real('f', (double)((float)x * (float)y)) : lab_real('d', x * y);
    case '/': return kind == 'f' ? lab_real('f', (double)((float)x / (float)y)) : lab_real('d', x / y);
    case '<': return lab_number('b', x < y);
    case '>': return lab_number('b', x > y);
    case 'l': return lab_number('b', x <= y);
    case 'g': return lab_number('b', x >= y);
    case 'e': return lab_number('b', x == y);
    case 'N': return lab_number('b', x != y);
    default: return lab_number('v', 0);
    }
}

// By 0 a GPU divides without a signal.
static long quotient(char op, char kind, long a, long b) {
    const int is_unsigned = kind == 'u' || kind == 'L';
    if (!b) return op == '/' ? -1 : a;
    if (is_unsigned)
        return (long)(op == '/' ? (unsigned long)a / (unsigned long)b : (unsigned long)a % (unsigned long)b);
    if (b == -1) return op == '/' ? (long)(0ul - (unsigned long)a) : 0;
    return op == '/' ? a / b : a % b;
}

static lab_value whole(char op, char kind, long a, long b) {
    const unsigned long x = (unsigned long)a, y = (unsigned long)b;
    const int is_unsigned = kind == 'u' || kind == 'L';
    const long bits = kind == 'i' || kind == 'u' ? 31 : 63;
    switch (op) {
    case '+': return lab_number(kind, (long)(x + y));
    case '-': return lab_number(kind, (long)(x - y));
    case '*': return lab_number(kind, (long)(x * y));
    case '/':
    case '%': return lab_number(kind, quotient(op, kind, a, b));
    case '&': return lab_number(kind, a & b);
    case '|': return lab_number(kind, a | b);
    case '^': return lab_number(kind, a ^ b);
    case 's': return lab_number(kind, (long)(x << (b & bits)));
    case 'S': return lab_number(kind, is_unsigned ? (long)(x >> (b & bits)) : a >> (b & bits));
    case '<': return lab_number('b', is_unsigned ? x < y : a < b);
    case '>': return lab_number('b', is_unsigned ? x > y : a > b);
    case 'l': return lab_number('b', is_unsigned ? x <= y : a <= b);
    case 'g': return lab_number('b', is_unsigned ? x >= y : a >= b);
    case 'e': return lab_number('b', a == b);
    case 'N': return lab_number('b', a != b);
    default: return lab_number('v', 0);
    }
}

lab_value lab_binary(char op, lab_value a, lab_value b) {
    if (a.type->kind == 'i' && b.type->kind == 'i') {  // the most frequent
        const unsigned x = (unsigned)a.i, y = (unsigned)b.i;
        if (op == '+') return (lab_value){.type = &numbers[5], .i = (int)(x + y)};
        if (op == '-') return (lab_value){.type = &numbers[5], .i = (int)(x - y)};
        if (op == '*') return (lab_value){.type = &numbers[5], .i = (int)(x * y)};
        if (op == '<') return (lab_value){.type = &numbers[0], .i = a.i < b.i};
    }
    if (a.type->kind == 'p' && class(b.type->kind) == WHOLE && op == '+')
        return (lab_value){.type = a.type, .p = a.p + b.i * a.type->of->size};
    if (!is_number(a) || !is_number(b)) return pointers(op, a, b);
    const int shift = op == 's' || op == 'S';
    const char kind = shift ? promoted(a.type->kind) : common(a.type->kind, b.type->kind);
    if (is_real(kind)) return reals(op, kind, real_of(a), real_of(b));
    if (shift && is_real(b.type->kind)) return lab_number('v', 0);
    return whole(op, kind, lab_convert(a, kind).i, shift ? b.i : lab_convert(b, kind).i);
}

lab_value lab_unary(char op, lab_value a) {
    if (op == '!') return lab_number('b', !lab_is_true(a));
    if (!is_number(a)) return lab_number('v', 0);
    const char kind = promoted(a.type->kind);
    if (op == 'n' && kind == 'f') return (lab_value){.type = type_of('f'), .f = -a.f};
    if (op == 'n' && kind == 'd') return lab_real('d', -a.d);
    if (op == 'n') return lab_number(kind, (long)(0ul - (unsigned long)a.i));
    return op == '~' && !is_real(kind) ? lab_number(kind, ~a.i) : lab_number('v', 0);
}
