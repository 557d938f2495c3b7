// canvas.c: builds plots of JSON; chooses axes and ticks.
#include "canvas.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "markdown.h"
#include "results.h"

enum { MOST_TICKS = 9, MOST_VALUES = 64 };

json_t *lab_plot_new(const char *file, json_t *title) {
    return json_pack("{s:s, s:o, s:[]}", "file", file, "title", title, "panels");
}

json_t *lab_panel_new(json_t *plot, int row, json_t *title) {
    json_t *rows = json_object_get(plot, "panels"), *panel = json_pack("{s:o, s:[]}", "title", title, "series");
    while ((int)json_array_size(rows) <= row) json_array_append_new(rows, json_array());
    json_array_append_new(json_array_get(rows, row), panel);
    return panel;
}

json_t *lab_series_new(json_t *panel, const char *name, const char *role) {
    json_t *series = json_pack("{s:s, s:s, s:[], s:[]}", "name", name, "role", role, "x", "y");
    json_array_append_new(json_object_get(panel, "series"), series);
    return series;
}

void lab_point(json_t *series, double x, double y) {
    json_array_append_new(json_object_get(series, "x"), json_real(x));
    json_array_append_new(json_object_get(series, "y"), json_real(y));
}

static json_t *list_of(json_t *object, const char *key) {
    if (!json_object_get(object, key)) json_object_set_new(object, key, json_array());
    return json_object_get(object, key);
}

void lab_spread(json_t *series, double low, double high) {
    json_array_append_new(list_of(series, "spread"), json_pack("[f, f]", low, high));
}

void lab_label(json_t *series, const char *text) {
    const int last = (int)json_array_size(json_object_get(series, "x")) - 1;
    json_array_append_new(list_of(series, "labels"), json_pack("[i, s]", last, text));
}

int lab_insert(double *values, int n, int most, double x) {
    int k = n;
    while (k > 0 && values[k - 1] >= x) k--;
    if ((k < n && values[k] == x) || n == most) return n;
    memmove(values + k + 1, values + k, (n - k) * sizeof *values);
    values[k] = x;
    return n + 1;
}

// Every value of the panels on this axis, sorted, each once. Returns their number.
static int values_of(const json_t *panels, const char *axis, double values[MOST_VALUES], double *low, double *high) {
    json_t *panel, *series, *value;
    size_t p, s, i;
    int n = 0;
    *low = INFINITY, *high = -INFINITY;
    json_array_foreach(panels, p, panel) {
        json_array_foreach(json_object_get(panel, "series"), s, series) {
            json_array_foreach(json_object_get(series, axis), i, value) {
                const double x = json_number_value(value);
                *low = fmin(*low, x), *high = fmax(*high, x);
                n = lab_insert(values, n, MOST_VALUES, x);
            }
        }
    }
    return n;
}

static json_t *axis_new(const char *label, const char *scale, double low, double high) {
    return json_pack("{s:s, s:s, s:f, s:f, s:[]}", "label", label, "scale", scale, "low", low, "high", high, "ticks");
}

static void tick(json_t *axis, double value, const char *text) {
    char shorter[40];
    strcpy(shorter, text);
    for (size_t n = strlen(shorter); n > 0 && shorter[n - 1] == ' '; n--) shorter[n - 1] = '\0';
    json_array_append_new(json_object_get(axis, "ticks"), json_pack("[f, s]", value, shorter));
}

void lab_axis_at_values(json_t *panel, const char *label, int logarithmic) {
    double values[MOST_VALUES], low, high;
    json_t *alone = json_pack("[O]", panel);
    const int n = values_of(alone, "x", values, &low, &high), step = 1 + (n - 1) / MOST_TICKS;
    json_t *axis = logarithmic ? axis_new(label, "log", low / 1.25, high * 1.25)
                               : axis_new(label, "linear", low - 0.03 * high, high * 1.03);
    for (int i = (n - 1) % step; i < n; i += step) {
        char text[40];
        const int thousands = values[i] >= 1024 && fmod(values[i], 1024) == 0;
        lab_number(text, 'D', thousands ? values[i] / 1024 : values[i]);
        tick(axis, values[i], thousands ? strcat(text, "k") : text);
    }
    json_object_set_new(panel, "x", axis);
    json_decref(alone);
}

static void set_all(json_t *panels, const char *name, json_t *axis) {
    json_t *panel;
    size_t i;
    json_array_foreach(panels, i, panel) json_object_set(panel, name, axis);
    json_decref(axis);
}

// Ticks at powers of ten (of two, for bytes), fewer when there are too many, and at 2 and 5 when there are few.
void lab_axis_log(json_t *panels, const char *name, const char *label, char how, double margin) {
    double values[MOST_VALUES], low, high;
    char text[40];
    values_of(panels, name, values, &low, &high);
    low /= margin, high *= margin;
    const double base = how == 'B' ? 2 : 10;
    const int first = (int)ceil(log(low) / log(base) - 1e-9), last = (int)floor(log(high) / log(base) + 1e-9);
    const int step = 1 + (last - first) / MOST_TICKS, fine = base == 10 && last - first < 3;
    json_t *axis = axis_new(label, "log", low, high);
    for (int e = first - 1; e <= last; e++)
        for (int k = 1; k <= (fine ? 5 : 1); k += k == 1 ? 1 : 3) {
            const double value = k * pow(base, e);
            if (value < low || value > high || (!fine && (e - first) % step)) continue;
            tick(axis, value, lab_number(text, how, value));
        }
    set_all(panels, name, axis);
}

void lab_axis_from_zero(json_t *panels, const char *name, const char *label, char how) {
    double values[MOST_VALUES], low, high;
    char text[40];
    values_of(panels, name, values, &low, &high);
    double step = pow(10, floor(log10(high)) - 1);
    for (int i = 0; high / step > 5.9; i++) step *= i % 3 == 1 ? 2.5 : 2;  // 1, 2, 5, 10, ...
    json_t *axis = axis_new(label, "linear", 0, high * 1.08);
    for (double value = 0; value <= high * 1.08; value += step)
        tick(axis, value, value ? lab_number(text, how, value) : "0");
    set_all(panels, name, axis);
}
