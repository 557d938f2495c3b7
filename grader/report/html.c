// html.c: escaping for HTML. What is escaped may stand in an element or in a quoted attribute.
#include "html.h"

#include <ctype.h>
#include <math.h>
#include <stdarg.h>
#include <stdint.h>
#include <string.h>

#include "markdown.h"
#include "text.h"

enum { TEXT_LIMIT = 400 };

// Bytes that are no UTF-8 become U+FFFD, what acts on a page goes, white space is one blank.
static void put_escaped(FILE *out, const char *text) {
    uint32_t c;
    int blank = 0;
    for (const char *s = text; *s;) {
        const int n = lab_utf8(s, &c);
        if (s - text > TEXT_LIMIT) {
            fputs("…", out);
            return;
        }
        if (n && (c == ' ' || c == '\n' || c == '\t' || c == '\r'))
            blank = 1;
        else if (!n || !lab_acts_on_a_page(c)) {
            fputs(blank ? " " : "", out), blank = 0;
            if (!n)
                fputs("\xef\xbf\xbd", out);
            else if (c < 0x80 && strchr("&<>\"'`=", (int)c))
                fprintf(out, "&#%u;", (unsigned)c);
            else
                fprintf(out, "%.*s", n, s);
        }
        s += n ? n : 1;
    }
}

static void put_path(FILE *out, const char *path) {
    if (strchr(path, ':') || *path == '/') fputs("./", out);  // never a scheme, never another machine
    for (const char *c = path; *c; c++)
        fprintf(out, isalnum((unsigned char)*c) || strchr("/._-", *c) ? "%c" : "%%%02X", (unsigned char)*c);
}

void lab_html(FILE *out, const char *format, ...) {
    char number[40];
    va_list arguments;
    va_start(arguments, format);
    for (const char *f = format; *f; f++) {
        if (*f != '%' || *++f == '%') {
            fputc(*f, out);
            continue;
        }
        const char *text = strchr("stu", *f) ? va_arg(arguments, const char *) : NULL;
        if (*f == 'i')
            fprintf(out, "%d", va_arg(arguments, int));
        else if (*f == 'f')
            fprintf(out, "%.2f", va_arg(arguments, double));
        else if (!strchr("stu", *f))
            fputs(lab_number(number, *f, va_arg(arguments, double)), out);
        else if (text && *f == 's')
            fputs(text, out);
        else if (text)
            (*f == 't' ? put_escaped : put_path)(out, text);
    }
    va_end(arguments);
}
