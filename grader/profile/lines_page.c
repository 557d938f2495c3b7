// lines_page.c: the student's file as a page: beside each line what it moves, the hottest lines darkest. One file, without
// scripts, for any browser.
#include <string.h>

#include "html.h"
#include "lines.h"

static const char style[] =
    ":root{color-scheme:light dark;--ink:#1c2126;--dim:#5b6570;--line:#dde1e5;--page:#fbfbfa;--global:59,111,181;"
    "--shared:180,86,30}"
    "@media(prefers-color-scheme:dark){:root{--ink:#e7eaed;--dim:#9aa5b0;--line:#343b42;--page:#14171a;"
    "--global:118,165,230;--shared:237,160,108}}"
    "body{margin:1.5rem;background:var(--page);color:var(--ink);font:15px/1.45 system-ui,sans-serif}"
    "h1{font-size:1.4rem;margin:0}p{max-width:60rem}"
    ".scroll{overflow-x:auto}table{border-collapse:collapse;font:12px/1.35 ui-monospace,monospace}"
    "th{text-align:right;font-weight:600;vertical-align:bottom;padding:.1rem .35rem;position:sticky;top:0;"
    "background:var(--page)}"
    "td{text-align:right;padding:0 .35rem;white-space:nowrap}.code{text-align:left}"
    "td.number,.dim{color:var(--dim)}a{color:inherit}tr:target{outline:2px solid var(--dim)}"
    "td.g{background:rgba(var(--global),var(--heat))}td.s{background:rgba(var(--shared),var(--heat))}";

static void share_cell(FILE *out, const lab_lines *l, const lab_line *r) {
    const double share = (double)r->cost / l->cost[r->space];
    char heat[16], percent[16];
    snprintf(heat, sizeof heat, "%.2f", 0.06 + 0.6 * share);
    snprintf(percent, sizeof percent, "%.1f", 100 * share);
    lab_html(out, "<td class=%s style=\"--heat:%s\">%s %%", r->space == LAB_SHARED ? "s" : "g", heat, percent);
}

static void cells(FILE *out, const lab_line *r) {
    static const char *const operations[] = {"load", "store", "atomic"};
    const double n = (double)r->requests;
    char number[5][32];
    snprintf(number[0], 32, "%llu", (unsigned long long)r->requests);
    snprintf(number[1], 32, "%.2f", r->cost / n);
    snprintf(number[2], 32, "%.2f", r->least / n);
    snprintf(number[3], 32, "%.1f", r->lanes / n);
    snprintf(number[4], 32, "%llu", (unsigned long long)(r->lanes * r->bytes));
    lab_html(out, "<td>%s %s<td>%s<td>%s<td>%s<td>%s<td>%s<td class=\"code dim\">%s",
             r->space == LAB_SHARED ? "shared" : "global", operations[r->stores], number[0], number[1], number[2],
             number[3], number[4], lab_line_remark(r));
}

// Blanks that a browser keeps: the code's indentation.
static void keep_blanks(const char *code, char *text, size_t size) {
    size_t used = 0;
    for (; *code && used + 3 < size; code++)
        used += snprintf(text + used, size - used, "%s", *code == ' ' ? "\xc2\xa0" : (char[]){*code, 0});
    text[used] = 0;
}

// A line of the file, and a row for each way in which it moves data.
static void line_rows(FILE *out, const lab_lines *l, int line, int *next) {
    char code[1024], text[1024] = "";
    int rows = 0;
    lab_line_text(l, line, code, sizeof code);
    keep_blanks(code, text, sizeof text);
    do {
        const lab_line *r = *next < l->n && l->row[*next].line == line ? &l->row[(*next)++] : NULL;
        lab_html(out, rows ? "<tr><td>" : "<tr id=l%i><td class=number>%i", line, line);
        if (r)
            share_cell(out, l, r);
        else
            lab_html(out, "<td>");
        lab_html(out, "<td class=code>%t", rows++ ? "" : text);
        if (r) cells(out, r);
        lab_html(out, "\n");
    } while (*next < l->n && l->row[*next].line == line);
}

// Links to the lines that move at least a twentieth.
static void hottest(FILE *out, const lab_lines *l, int space, const char *name) {
    lab_html(out, "<p>%s:", name);
    for (int i = 0; i < l->n; i++) {
        const double share = (double)l->row[i].cost / l->cost[space];
        if (l->row[i].space == space && share >= 0.05)
            lab_html(out, " <a href=\"#l%i\">line %i</a> (%i %%)", l->row[i].line, l->row[i].line,
                     (int)(100 * share + 0.5));
    }
    lab_html(out, "</p>\n");
}

int lab_lines_page(const lab_lines *l, FILE *out) {
    int lines = 1, next = 0;
    for (const char *p = l->source; *p; p++) lines += *p == '\n' && p[1];
    lab_html(out,
             "<!doctype html><html lang=en><meta charset=utf-8><meta name=viewport content=\"width=device-width\">"
             "<title>%t: lines</title><style>%s</style>\n<h1>%t, line by line</h1>\n"
             "<p>%t: one call, counted by simt. A request is one load or store of a warp. Global memory moves in "
             "sectors of 32 bytes, shared memory in wavefronts; <i>least</i> is what the bytes of a request need when "
             "lanes lie side by side. The share is of all sectors, or of all wavefronts. Counts are the same on every "
             "machine; they are no times.</p>\n",
             l->task, style, l->path, l->point);
    hottest(out, l, LAB_GLOBAL, "Global memory"), hottest(out, l, LAB_SHARED, "Shared memory");
    lab_html(out, "<div class=scroll><table><thead><tr><th>line<th "
                  "class=code>code<th>access<th>requests<th>bytes<th>lanes<th>sectors or<br>"
                  "wavefronts<th>least<th>lanes<th>bytes<th><tbody>\n");
    for (int line = 1; line <= lines; line++) line_rows(out, l, line, &next);
    lab_html(out, "</table></div>\n");
    return !ferror(out);
}
