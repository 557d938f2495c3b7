// picture_page.c: the page: the recording as JSON, and the script that plays it. One file, for any browser.
#include <math.h>
#include <string.h>

#include "html.h"
#include "picture.h"
#include "picture_rows.h"

#define ASSET(name, file)                                                                                              \
    __asm__(".pushsection .rodata\n.global " #name "\n" #name ":\n.incbin \"grader/profile/" file                      \
            "\"\n.byte 0\n.popsection\n");

ASSET(lab_picture_css, "picture.css")
ASSET(lab_picture_data_js, "picture_data.js")
ASSET(lab_picture_draw_js, "picture_draw.js")
ASSET(lab_picture_js, "picture.js")
extern const char lab_picture_css[], lab_picture_data_js[], lab_picture_draw_js[], lab_picture_js[];

// start, step, count, start, step, count, ...: what lanes touch is mostly a few such runs.
static json_t *runs(const int *v, int n) {
    json_t *list = json_array();
    for (int i = 0; i < n;) {
        const int step = i + 1 < n ? v[i + 1] - v[i] : 0;
        int count = 1;
        while (i + count < n && v[i + count] - v[i + count - 1] == step) count++;
        json_array_append_new(list, json_integer(v[i]));
        json_array_append_new(list, json_integer(step));
        json_array_append_new(list, json_integer(count));
        i += count;
    }
    return list;
}

// Four digits are enough to look at; JSON has no NaN.
static json_t *number(double x) {
    char text[32];
    if (!isfinite(x)) return json_string(isnan(x) ? "NaN" : x > 0 ? "inf" : "-inf");
    snprintf(text, sizeof text, "%.4g", x);
    double rounded = 0;
    sscanf(text, "%lf", &rounded);
    return json_real(rounded);
}

static json_t *float_of(uint32_t bits) {
    float x;
    memcpy(&x, &bits, sizeof x);
    return number(x);
}

static json_t *seen_json(const lab_launch *l, const lab_seen *s) {
    int words[LAB_LANES], from[LAB_LANES], same = s->n > 0 && s->source[0] != LAB_NO_REGION;
    json_t *o = json_array(), *values = json_array();
    for (int k = 0; k < s->n; k++) {
        words[k] = (int)s->offset[k] / 4, from[k] = (int)s->source_word[k];
        same &= s->source[k] == s->source[0];
    }
    const int numbers[] = {s->phase, s->warp, s->site, s->region, s->taken, s->least};
    for (int i = 0; i < 6; i++) json_array_append_new(o, json_integer(numbers[i]));
    json_array_append_new(o, json_integer(s->reported));
    json_array_append_new(o, runs(s->lane, s->n));
    json_array_append_new(o, runs(words, s->n));
    for (int k = 0; k < s->n && l->site[s->site].op != LAB_SAW_LOAD; k++)
        for (int w = 0; w < (l->site[s->site].bytes + 3) / 4 && w < 4; w++)
            json_array_append_new(values, float_of(s->word[k][w]));
    json_array_append_new(o, values);
    json_array_append_new(o, same ? json_integer(s->source[0]) : json_null());
    json_array_append_new(o, same ? runs(from, s->n) : json_array());
    return o;
}

static json_t *region_json(const lab_region *r) {
    json_t *before = r->before ? json_array() : json_null(), *word;
    size_t i;
    json_array_foreach(r->before, i, word)
        json_array_append_new(before, json_is_null(word) ? json_null() : float_of((uint32_t)json_integer_value(word)));
    return json_pack("{s:s, s:b, s:i, s:i, s:o}", "name", r->name, "shared", r->shared, "words", r->words, "columns",
                     r->columns, "before", before);
}

static json_t *rows_json(const lab_launch *l, const lab_picture *p) {
    static lab_rows rows;
    double error;
    lab_rows_find(&rows, l, p);
    json_t *tiles = json_array();
    for (int t = 0; t < rows.n; t++) {
        json_t *list = json_array();
        for (int r = 0; r < rows.rows; r++) {
            const lab_row *row = &rows.tile[t].row[r];
            json_array_append_new(list, row->known ? json_pack("[o, o, o, o, o, i]", number(row->m), number(row->l),
                                                               number(row->sum), number(row->true_m),
                                                               number(row->true_l), row->wrong)
                                                   : json_null());
        }
        json_array_append_new(
            tiles, json_pack("{s:i, s:i, s:o}", "phase", rows.tile[t].phase, "keys", rows.tile[t].keys, "row", list));
    }
    const int wrong = lab_rows_wrong_output(l, p, &error);
    char verdict[512];
    lab_picture_verdict(l, p, verdict, sizeof verdict);
    return json_pack("{s:i, s:o, s:i, s:s}", "first", rows.first, "tiles", tiles, "wrong_output", wrong, "verdict",
                     verdict);
}

static json_t *launch_json(const lab_launch *l, const lab_picture *p) {
    json_t *sites = json_array(), *regions = json_array(), *drawn = json_array(), *seen = json_array();
    for (int i = 0; i < l->n_sites; i++)
        json_array_append_new(sites, json_pack("[i, i, i]", l->site[i].line, l->site[i].op, l->site[i].bytes));
    for (int i = 0; i < l->n_regions; i++) json_array_append_new(regions, region_json(&l->region[i]));
    for (int i = 0; i < l->n_drawn; i++) {
        const lab_drawn *d = &l->drawn[i];
        json_array_append_new(drawn, json_pack("{s:s, s:i, s:i, s:i, s:i}", "name", d->name, "region", d->region,
                                               "first", d->first, "words", d->words, "pitch", d->pitch));
    }
    for (int i = 0; i < l->n_seen; i++) json_array_append_new(seen, seen_json(l, &l->seen[i]));
    return json_pack("{s:s, s:[iii], s:[iii], s:[iii], s:b, s:o, s:o, s:o, s:o, s:O, s:O, s:o}", "kernel", l->kernel,
                     "grid", l->grid[0], l->grid[1], l->grid[2], "threads", l->threads[0], l->threads[1], l->threads[2],
                     "block", l->block[0], l->block[1], l->block[2], "truncated", l->truncated, "sites", sites,
                     "regions", regions, "drawn", drawn, "seen", seen, "barriers", l->barriers, "faults", l->faults,
                     "rows", rows_json(l, p));
}

static json_t *reports_json(const lab_picture *p) {
    json_t *all = json_array(), *report;
    char place[128];
    size_t i;
    json_array_foreach(p->reports, i, report) {
        lab_reported_place(p, report, place, sizeof place);
        json_object_set_new(report, "place", json_string(place));
        json_array_append(all, report);
    }
    return all;
}

static json_t *source_json(const char *text) {
    json_t *lines = json_array();
    for (const char *end; *text; text = end + (*end == '\n')) {
        end = text + strcspn(text, "\n");
        json_t *line = json_stringn(text, end - text);
        json_array_append_new(lines, line ? line : json_string("(a line that is no UTF-8)"));
    }
    return lines;
}

// No < within the script element: JSON has it in strings only, where it may be written as \u003c.
static int put(const char *text, size_t n, void *out) {
    for (size_t i = 0; i < n; i++)
        if ((text[i] == '<' ? fputs("\\u003c", out) : fputc(text[i], out)) == EOF) return -1;
    return 0;
}

int lab_picture_page(const lab_picture *p, FILE *out) {
    json_t *launches = json_array();
    for (int i = 0; i < p->n; i++) json_array_append_new(launches, launch_json(&p->launch[i], p));
    json_t *data = json_pack("{s:s, s:s, s:s, s:s, s:o, s:o, s:o}", "task", p->task, "output", p->op->tensors[0],
                             "point", p->point, "file", p->path, "source", source_json(p->source), "launches", launches,
                             "reports", reports_json(p));
    lab_html(out,
             "<!doctype html><html lang=en><meta charset=utf-8><meta name=viewport content=\"width=device-width\">"
             "<title>%t: one block as it runs</title><style>%s</style>\n<main id=page></main>\n"
             "<noscript>This page plays a recording, which needs JavaScript. The terminal has it in words.</noscript>\n"
             "<script type=\"application/json\" id=data>",
             p->task, lab_picture_css);
    const int ok = data && json_dump_callback(data, put, out, JSON_COMPACT | JSON_REAL_PRECISION(5)) == 0;
    lab_html(out, "</script>\n<script>%s\n%s\n%s</script>\n", lab_picture_data_js, lab_picture_draw_js, lab_picture_js);
    json_decref(data);
    return ok && !ferror(out);
}
