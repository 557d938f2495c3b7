// locate.c: the smallest box that says where an output is wrong.
//
// An output is [batch, heads, rows, columns]. Along each axis the bad elements lie in some range. We tell the range if
// it is narrower than the axis.
#include "locate.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

typedef struct {
    size_t extent[4];  // batch, heads, rows, columns
    size_t low[4], high[4];
} box;

static box output_box(const lab_symptom *s) {
    box b;
    lab_op_extent(s->op, s->shape, b.extent);
    for (int a = 0; a < 4; a++) b.low[a] = b.extent[a], b.high[a] = 0;
    return b;
}

void lab_place(const lab_op *op, attn_shape shape, size_t i, size_t place[4]) {
    size_t extent[4];
    lab_op_extent(op, shape, extent);
    for (int a = 3; a >= 0; a--) place[a] = i % extent[a], i /= extent[a];
}

int lab_element_bad(const lab_symptom *s, size_t i, int unwritten_only) {
    uint32_t bits;
    memcpy(&bits, s->got + i, sizeof bits);
    if (unwritten_only) return bits == LAB_POISON;
    return !(lab_is_finite(s->got[i]) && fabs((double)s->got[i] - s->want[i]) < LAB_TOLERANCE);
}

// "rows 5..9", "row 5", or "rows 5.." when the range runs to the end of the axis; nothing when it is the whole axis.
static void describe_axis(const box *b, int axis, const char *name, const char *plural, char *text, size_t size) {
    const size_t low = b->low[axis], high = b->high[axis], end = b->extent[axis] - 1;
    size_t used = strlen(text);
    if (b->extent[axis] == 1 || (low == 0 && high == end)) return;
    const char *comma = used ? ", " : "";
    if (low == high)
        snprintf(text + used, size - used, "%s%s %zu", comma, name, low);
    else if (high == end)
        snprintf(text + used, size - used, "%s%s %zu..", comma, plural, low);
    else
        snprintf(text + used, size - used, "%s%s %zu..%zu", comma, plural, low, high);
}

void lab_locate(const lab_symptom *s, int unwritten_only, char *text, size_t size) {
    box b = output_box(s);
    const size_t n = s->op->elements(s->shape, 0);
    size_t bad = 0;
    for (size_t i = 0; i < n; i++) {
        if (!lab_element_bad(s, i, unwritten_only)) continue;
        bad++;
        size_t place[4];
        lab_place(s->op, s->shape, i, place);
        for (int a = 0; a < 4; a++) {
            b.low[a] = place[a] < b.low[a] ? place[a] : b.low[a];
            b.high[a] = place[a] > b.high[a] ? place[a] : b.high[a];
        }
    }
    if (size) text[0] = 0;
    if (bad == 0) return;
    describe_axis(&b, 0, "batch", "batches", text, size);
    describe_axis(&b, 1, "head", "heads", text, size);
    describe_axis(&b, 2, "row", "rows", text, size);
    describe_axis(&b, 3, "column", "columns", text, size);
    const size_t used = strlen(text);
    if (used && b.extent[1] > 1 && b.low[1] == 0 && b.high[1] == b.extent[1] - 1)
        snprintf(text + used, size - used, " of every head");
    if (!used) snprintf(text, size, bad == n ? "every element" : "scattered over the whole output");
}
