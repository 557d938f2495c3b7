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
    "dl{display:grid;grid-template-columns:max-content auto;gap:.15rem .8rem;margin:.4rem 0;max-width:60rem}"
    "dt{font-weight:600}dd{margin:0}.key{padding:0 .3rem}.key.g{background:rgba(var(--global),.4)}"
    ".key.s{background:rgba(var(--shared),.4)}summary{cursor:pointer}table{border-collapse:collapse;font:12px/1.35 "
    "ui-monospace,monospace}"
    "th{text-align:right;font-weight:600;vertical-align:bottom;padding:.1rem .35rem;position:sticky;top:0;"
    "background:var(--page)}"
    "td{text-align:right;padding:0 .35rem;white-space:nowrap}.code{text-align:left}"
    "td.number,.dim{color:var(--dim)}a{color:inherit}tr:target{outline:2px solid var(--dim)}"
    "td.g{background:rgba(var(--global),var(--heat))}td.s{background:rgba(var(--shared),var(--heat))}";

static const char *const operations[] = {"load", "store", "atomic"};

static void share_cell(FILE *out, const lab_lines *l, const lab_line *r) {
    const double share = (double)r->cost / l->cost[r->space];
    char heat[16], percent[16];
    snprintf(heat, sizeof heat, "%.2f", 0.06 + 0.6 * share);
    snprintf(percent, sizeof percent, "%.1f", 100 * share);
    lab_html(out, "<td class=%s style=\"--heat:%s\">%s %%", r->space == LAB_SHARED ? "s" : "g", heat, percent);
}

static void cells(FILE *out, const lab_line *r) {
    const double n = (double)r->requests;
    char number[5][32];
    snprintf(number[0], 32, "%llu", (unsigned long long)r->requests);
    snprintf(number[1], 32, "%.2f", r->cost / n);
    snprintf(number[2], 32, "%.2f", r->least / n);
    snprintf(number[3], 32, "%.1f", r->lanes / n);
    snprintf(number[4], 32, "%llu", (unsigned long long)(r->lanes * r->bytes));
    lab_html(out, "<td class=code>%s %s<td>%s<td>%s<td>%s<td>%s<td>%s<td class=\"code dim\">%s",
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
            share_cell(out, l, r), cells(out, r);
        else
            lab_html(out, "<td colspan=8>");
        lab_html(out, "<td class=code>%t\n", rows++ ? "" : text);
    } while (*next < l->n && l->row[*next].line == line);
}

// Links to the lines that move at least a twentieth.
static void hottest(FILE *out, const lab_lines *l, int space, const char *name) {
    lab_html(out, "<p>%s:", name);
    for (int i = 0; i < l->n; i++) {
        const double share = (double)l->row[i].cost / l->cost[space];
        if (l->row[i].space == space && share >= 0.05)
            lab_html(out, " <a href=\"#l%i\">line %i</a> (%s, %i %%)", l->row[i].line, l->row[i].line,
                     operations[l->row[i].stores], (int)(100 * share + 0.5));
    }
    lab_html(out, "</p>\n");
}

// What each column means, what is good, and what to change where it is not.
static const char legend[] =
    "<details open><summary>What the columns mean</summary><dl>"
    "<dt>share<dd>of all sectors of global memory (<span class=\"key g\">blue</span>) or of all wavefronts of shared "
    "memory "
    "(<span class=\"key s\">orange</span>). Begin with the darkest line."
    "<dt>requests<dd>loads or stores of a warp: one instruction, for up to 32 lanes at once."
    "<dt>cost a request, global<dd>sectors: pieces of 32 bytes. 32 lanes that read neighbouring floats need 4. More "
    "than "
    "<i>least</i> is <b>not coalesced</b>: let neighbouring lanes touch neighbouring elements."
    "<dt>cost a request, shared<dd>wavefronts: turns. Lanes that need different words of one of the 32 banks wait for "
    "each "
    "other. More than <i>least</i> are <b>bank conflicts</b>: pad the rows of the tile by one word."
    "<dt>least<dd>what the same bytes would cost if the lanes lay side by side."
    "<dt>lanes<dd>that take part, of 32. <b>Few lanes</b> is divergence: an <code>if</code>, the end of a loop, or a "
    "block "
    "that is no multiple of 32 leaves the others out, and they wait."
    "<dt>bytes<dd>that the lanes asked for, in all.</dl></details>\n";

int lab_lines_page(const lab_lines *l, FILE *out) {
    int lines = 1, next = 0;
    for (const char *p = l->source; *p; p++) lines += *p == '\n' && p[1];
    lab_html(out,
             "<!doctype html><html lang=en><meta charset=utf-8><meta name=viewport content=\"width=device-width\">"
             "<title>%t: lines</title><style>%s</style>\n<h1>%t, line by line</h1>\n"
             "<p>%t: one call, counted by simt. Counts are the same on every machine; they are no times.</p>\n%s",
             l->task, style, l->path, l->point, legend);
    hottest(out, l, LAB_GLOBAL, "Global memory"), hottest(out, l, LAB_SHARED, "Shared memory");
    lab_html(out, "<table><thead><tr><th>line<th>share<th class=code>access<th>requests"
                  "<th>cost a<br>request<th>least<th>lanes<br>of 32<th>bytes<th><th class=code>code<tbody>\n");
    for (int line = 1; line <= lines; line++) line_rows(out, l, line, &next);
    lab_html(out, "</table>\n");
    return !ferror(out);
}
