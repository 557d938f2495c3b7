// formula.c: all short formulas of a few numbers are tried, the shortest first: x, f(x), f(x op y), f(x op y) op z.
#include "formula.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

enum { MOST_SAMPLES = 48, FEWEST_SAMPLES = 6, OPS = 4, FUNCTIONS = 6 };

typedef struct {
    int n, variables;
    double got[MOST_SAMPLES], value[LAB_MOST_VARIABLES][MOST_SAMPLES];
} samples;

typedef struct {
    int function, a, op, b, op2, c, turned;  // b, c: -1, there is none; turned: c stands in front
    int function_a, function_b;              // of x and y alone
} formula;

static const char *const function_name[FUNCTIONS] = {"", "exp", "exp2", "log", "sqrt", "1 / "};
static const char op_name[OPS] = {'-', '+', '*', '/'};

static double call(int function, double x) {
    switch (function) {
    case 1: return exp(x);
    case 2: return exp2(x);
    case 3: return log(x);
    case 4: return sqrt(x);
    case 5: return 1 / x;
    default: return x;
    }
}

static double apply(int op, double x, double y) { return op == 0 ? x - y : op == 1 ? x + y : op == 2 ? x * y : x / y; }

static double value_of(const formula *f, const samples *x, int i) {
    double y = call(f->function_a, x->value[f->a][i]);
    if (f->b >= 0) y = apply(f->op, y, call(f->function_b, x->value[f->b][i]));
    y = call(f->function, y);
    if (f->c < 0) return y;
    return f->turned ? apply(f->op2, x->value[f->c][i], y) : apply(f->op2, y, x->value[f->c][i]);
}

static int gives_all(const formula *f, const samples *x) {
    for (int i = 0; i < x->n; i++)
        if (!(fabs(value_of(f, x, i) - x->got[i]) <= 1e-6 + 1e-4 * fabs(x->got[i]))) return 0;
    return 1;
}

static int try_pairs(formula *f, const samples *x) {
    for (f->a = 0; f->a < x->variables; f->a++)
        for (f->b = 0; f->b < x->variables; f->b++)
            for (f->op = 0; f->op < OPS; f->op++)
                if (f->a != f->b && gives_all(f, x)) return 1;
    return 0;
}

static int find(formula *f, const samples *x) {
    *f = (formula){.b = -1, .c = -1};
    for (f->function = 0; f->function < FUNCTIONS; f->function++)
        for (f->a = 0; f->a < x->variables; f->a++)
            if (gives_all(f, x)) return 1;
    for (f->function = 0; f->function < FUNCTIONS; f->function++)
        if (try_pairs(f, x)) return 1;
    f->function = 0;
    for (f->function_a = 0; f->function_a < FUNCTIONS; f->function_a++)
        for (f->function_b = 0; f->function_b < FUNCTIONS; f->function_b++)
            if (try_pairs(f, x)) return 1;
    f->function_a = f->function_b = 0;
    for (f->function = 0; f->function < FUNCTIONS; f->function++)
        for (f->c = 0; f->c < x->variables; f->c++)
            for (f->op2 = 0; f->op2 < OPS; f->op2++)
                for (f->turned = 0; f->turned < 2; f->turned++)
                    if (try_pairs(f, x)) return 1;
    return 0;
}

static int put(const char *function, const char *inner, char *text, size_t size) {
    return *function ? snprintf(text, size, "%s(%s)", function, inner) : snprintf(text, size, "%s", inner);
}

static void print_formula(const formula *f, const lab_formula *of, char *text, size_t size) {
    char x[24], y[24], pair[64], all[80];
    put(function_name[f->function_a], of->variable[f->a].name, x, sizeof x);
    snprintf(pair, sizeof pair, "%s", x);
    if (f->b >= 0) {
        put(function_name[f->function_b], of->variable[f->b].name, y, sizeof y);
        snprintf(pair, sizeof pair, "%s %c %s", x, op_name[f->op], y);
    }
    put(function_name[f->function], pair, all, sizeof all);
    if (f->c < 0) {
        snprintf(text, size, "%s", all);
        return;
    }
    const char *z = of->variable[f->c].name;
    const int brackets = !f->function && f->b >= 0;
    snprintf(text, size, f->turned ? "%3$s %2$c %4$s%1$s%5$s" : "%4$s%1$s%5$s %2$c %3$s", all, op_name[f->op2], z,
             brackets ? "(" : "", brackets ? ")" : "");
}

// ---- What the elements depend on

static double variable_of(const lab_symptom *s, const lab_formula *f, int v, size_t r, size_t c) {
    const float *x = s->in[f->variable[v].tensor];
    double y;
    switch (f->variable[v].from) {
    case LAB_OF_ELEMENT: return x[r * f->columns + c];
    case LAB_OF_ROW: return x[r];
    case LAB_FIRST: return x[2 * r];
    case LAB_SECOND: return x[2 * r + 1];
    case LAB_COLUMNS: return (double)f->columns;
    default: y = x[r * f->columns];
    }
    for (size_t k = 1; k < f->columns; k++)
        y = f->variable[v].from == LAB_ROW_MAX ? fmax(y, x[r * f->columns + k]) : y + x[r * f->columns + k];
    return y;
}

static void take_sample(const lab_symptom *s, const lab_formula *f, size_t r, size_t c, samples *x) {
    int finite = 1;
    for (int v = 0; v < x->variables; v++) {
        x->value[v][x->n] = variable_of(s, f, v, r, c);
        finite &= isfinite(x->value[v][x->n]) != 0;
    }
    x->got[x->n] = s->got[r * f->out_row + f->first + c];
    x->n += finite && isfinite(x->got[x->n]);
}

// Where it holds: in all elements, "", or in those that are wrong, and the others are right. Of a formula that the student's
// file has, a right element is no exception.
static void where_it_holds(const lab_symptom *s, const lab_formula *f, const formula *is, char *text, size_t size) {
    const size_t n = s->op->elements(s->shape, 0) / f->out_row * f->columns;
    size_t low = f->columns, high = 0, wrong = 0;
    int all = 1;
    text[0] = 0;
    for (size_t i = 0; i < n; i++) {
        const size_t r = i / f->columns, c = i % f->columns;
        samples one = {.variables = 0};
        while (one.variables < LAB_MOST_VARIABLES && f->variable[one.variables].name) one.variables++;
        take_sample(s, f, r, c, &one);
        if (lab_element_bad(s, r * f->out_row + f->first + c, 0))
            low = c < low ? c : low, high = c > high ? c : high, wrong++;
        else if (one.n && !gives_all(is, &one))
            all = 0;
    }
    if (all) return;
    if (low == 0 && high == f->columns - 1)
        snprintf(text, size, " in %zu of %zu elements, and the others are right", wrong, n);
    else
        snprintf(text, size, " in %s %zu .. %zu alone", low == high ? "column" : "columns", low, high);
}

int lab_explain_formula(const lab_symptom *s, const lab_formula *f, char *text, size_t size) {
    const size_t rows = s->op->elements(s->shape, 0) / f->out_row, n = rows * f->columns;
    samples x = {0};
    formula found;
    size_t wrong = 0, step;
    int same = 1;
    while (x.variables < LAB_MOST_VARIABLES && f->variable[x.variables].name) x.variables++;
    for (size_t i = 0; i < n; i++)
        wrong += lab_element_bad(s, i / f->columns * f->out_row + f->first + i % f->columns, 0);
    step = 1 + wrong / MOST_SAMPLES;
    for (size_t i = 0, k = 0; i < n && x.n < MOST_SAMPLES; i++)
        if (lab_element_bad(s, i / f->columns * f->out_row + f->first + i % f->columns, 0) && k++ % step == 0)
            take_sample(s, f, i / f->columns, i % f->columns, &x);
    for (int i = 1; i < x.n; i++) same &= x.got[i] == x.got[0];
    if (x.n < FEWEST_SAMPLES || same || !find(&found, &x)) return 0;
    char is[120], where[80], sentence[240];
    print_formula(&found, f, is, sizeof is);
    where_it_holds(s, f, &found, where, sizeof where);
    snprintf(sentence, sizeof sentence, "matches %s = %s%s: it is %s", f->name, is, where, f->is);
    return lab_guess(s->guesses, sentence, text, size);
}
