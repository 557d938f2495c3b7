// canvas.h: a plot under construction: an object of plots.json, which draw.py draws as it is told.
//
// plot    {"file", "title", "panels": [[panel, ...], ...]}: rows of panels; a row shares its y axis
// panel   {"title", "x": axis, "y": axis, "series": [series, ...]}, "top": [[x, text], ...] for names above the frame;
//         or "kind": "bars" or "grid" (figure_special.c)
// axis    {"label", "scale": "log" or "linear", "low", "high", "ticks": [[value, text], ...]}
// series  {"name", "role", "x": [...], "y": [...]}, "spread": [[low, high], ...], "labels": [[i, text], ...]
// role    "yours", "0" to "6" (a baseline), "roof", "ideal", "formula0", "formula1", "wrong", "counted"; with a dot
// behind
//         it ("yours.") points are not joined. A name stands in the legend once; "" stands in none.
#ifndef LAB_CANVAS_H
#define LAB_CANVAS_H

#include <jansson.h>

json_t *lab_plot_new(const char *file, json_t *title);
json_t *lab_panel_new(json_t *plot, int row, json_t *title);  // appended to a row, which is the last or the next
json_t *lab_series_new(json_t *panel, const char *name, const char *role);
void lab_point(json_t *series, double x, double y);
void lab_spread(json_t *series, double low, double high);  // of the last point; to be given for all points or for none
void lab_label(json_t *series, const char *text);          // at the last point

// Puts x into values[0 .. n), sorted, each once; n stays below most. Returns the new n.
int lab_insert(double *values, int n, int most, double x);

// Axes, once all points are in. how: a letter of lab_number for the ticks.
void lab_axis_at_values(json_t *panel, const char *label, int logarithmic);  // x: ticks at the points
void lab_axis_log(json_t *panels, const char *axis, const char *label, char how, double margin);  // one for all panels
void lab_axis_from_zero(json_t *panels, const char *axis, const char *label, char how);

#endif
