// markdown.c: escaping, and how numbers are written.
#include "markdown.h"

#include <ctype.h>
#include <math.h>
#include <stdarg.h>
#include <stdint.h>
#include <string.h>

#include "results.h"
#include "text.h"

enum { TEXT_LIMIT = 400, QUOTED_LINES = 20, CODE_LINES = 30 };

// start: where the string begins. GitHub turns "www.", "://" and "@" into links by themselves; entities stop that. A _
// inside a word stands for itself: names of claims stay readable and searchable.
static void put_escaped(FILE *out, const char *s, int length, const char *start) {
    static const struct {
        char c;
        const char *entity;
    } entities[] = {{'<', "&lt;"}, {'>', "&gt;"}, {'&', "&amp;"}, {'|', "&#124;"}, {'@', "&#64;"}};
    for (size_t i = 0; i < sizeof entities / sizeof *entities; i++)
        if (*s == entities[i].c) {
            fputs(entities[i].entity, out);
            return;
        }
    const int inside = *s == '_' && s > start && isalnum((unsigned char)s[-1]) && isalnum((unsigned char)s[1]);
    if (*s == ':' && s[1] == '/')
        fputs("&#58;", out);
    else if (*s == '.' && s - start >= 3 && strncmp(s - 3, "www", 3) == 0)
        fputs("&#46;", out);
    else
        fprintf(out, "%s%.*s", length == 1 && strchr("\\`*_{}[]#~$!", *s) && !inside ? "\\" : "", length, s);
}

// The text up to `end` on one line: white space at both ends falls away, repeated white space is one blank.
static void put_line(FILE *out, const char *text, const char *end) {
    int pending = 0, any = 0, length;
    uint32_t c;
    for (const char *s = text; s < end && (length = lab_utf8(s, &c)) > 0; s += length) {
        if (s - text > TEXT_LIMIT) {
            fputs(" …", out);
            return;
        }
        if (c == ' ' || c == '\n' || c == '\t' || c == '\r') {
            pending = any;
        } else if (!lab_acts_on_a_page(c)) {
            if (pending) fputc(' ', out);
            put_escaped(out, s, length, text);
            pending = 0, any = 1;
        }
    }
}

static void put_quoted(FILE *out, const char *text) {
    for (int i = 0; i < QUOTED_LINES && *text; i++) {
        const char *end = text + strcspn(text, "\n");
        fputs("> ", out);
        put_line(out, text, end);
        text = end + (*end == '\n');
        fputs(*text && i + 1 < QUOTED_LINES ? "\\\n" : "\n", out);
    }
}

// Indented by four spaces: nothing inside can end such a block, unlike a fence.
static void put_code(FILE *out, const char *text) {
    int lines = 0, length;
    uint32_t c;
    fputs("    ", out);
    for (const char *s = text; *s && (length = lab_utf8(s, &c)) > 0; s += length) {
        if (c == '\n' && s[1] && ++lines >= CODE_LINES) {
            fputs("\n    ...", out);
            break;
        }
        if (c == '\n' && s[1])
            fputs("\n    ", out);
        else if (c == '\t')
            fputs("    ", out);
        else if (!lab_acts_on_a_page(c))
            fprintf(out, "%.*s", length, s);
    }
    fputs("\n", out);
}

static char *scaled(char *text, double x, double step, const char *const *units) {
    for (; units[1] && x >= step * 0.9995; units++) x /= step;
    snprintf(text, 40, x < 999.5 ? "%.3g %s" : "%.0f %s", x, *units);
    return text;
}

char *lab_number(char text[40], char how, double x) {
    static const char *const seconds[] = {"ns", "µs", "ms", "s", NULL};
    static const char *const bytes[] = {"B", "KiB", "MiB", "GiB", "TiB", NULL};
    static const char *const counts[] = {"", "k", "M", "G", "T", NULL};
    const double factor = x > 1 ? x : 1 / x;
    if (isnan(x) || (how == 'F' && x <= 0)) return strcpy(text, "-");
    switch (how) {
    case 'T': return scaled(text, x * 1e9, 1000, seconds);
    case 'B': return scaled(text, x, 1024, bytes);
    case 'C': return scaled(text, x, 1000, counts);
    case 'P': snprintf(text, 40, "%.4g", round(x * 100) / 100); break;
    case 'E': snprintf(text, 40, "%.1e", x); break;
    case 'D': snprintf(text, 40, "%.0f", x); break;
    case 'R': snprintf(text, 40, "%.1f %%", 100 * x); break;
    case 'X': return strcat(lab_number(text, 'N', x), "x");
    case 'F':
        if (factor <= 1.005) return strcpy(text, "as fast as");
        snprintf(text, 40, factor < 9.995 ? "%.2fx %s than" : "%.1fx %s than", factor, x > 1 ? "faster" : "slower");
        break;
    default: snprintf(text, 40, x == 0 || (x >= 0.001 && x < 999.5) ? "%.3g" : x >= 1 && x < 1e6 ? "%.0f" : "%.2e", x);
    }
    return text;
}

char *lab_shape_text(char text[80], const json_t *shape) {
    const double queries = lab_num(shape, "seq_q"), keys = lab_num(shape, "seq_kv");
    int n = snprintf(text, 80, "B%.0f H%.0f ", lab_num(shape, "batch"), lab_num(shape, "heads"));
    n += snprintf(text + n, 80 - n, queries == keys ? "S%.0f" : "Sq%.0f Sk%.0f", queries, keys);
    snprintf(text + n, 80 - n, " D%.0f%s", lab_num(shape, "head_dim"),
             json_is_true(json_object_get(shape, "causal")) ? " causal" : "");
    return text;
}

void lab_md(FILE *out, const char *format, ...) {
    char number[40], shape[80];
    va_list arguments;
    va_start(arguments, format);
    for (const char *f = format; *f; f++) {
        if (*f != '%' || *++f == '%') {
            fputc(*f, out);
            continue;
        }
        const char *text = strchr("stqk", *f) ? va_arg(arguments, const char *) : NULL;
        if (*f == 'h')
            fputs(lab_shape_text(shape, va_arg(arguments, const json_t *)), out);
        else if (!strchr("stqk", *f))
            fputs(lab_number(number, *f, va_arg(arguments, double)), out);
        else if (text && *f == 's')
            fputs(text, out);
        else if (text && *f == 't')
            put_line(out, text, text + strlen(text));
        else if (text)
            (*f == 'q' ? put_quoted : put_code)(out, text);
    }
    va_end(arguments);
}
