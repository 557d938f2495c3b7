// markdown.c: escaping and number formats of the page. See markdown.h for what a string may not do to it.
#include "markdown.h"

#include "results.h"

#include <ctype.h>
#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

enum { TEXT_LIMIT = 400, BLOCK_LINES = 30 };

// One code point of valid UTF-8 (jansson accepts no other), and its length in bytes.
static uint32_t code_point(const char *s, int *length) {
    const unsigned char *u = (const unsigned char *)s;
    *length = u[0] < 0x80 ? 1 : u[0] < 0xe0 ? 2 : u[0] < 0xf0 ? 3 : 4;
    uint32_t code = *length == 1 ? u[0] : u[0] & (0x7f >> *length);
    for (int i = 1; i < *length; i++) {
        code = code << 6 | (u[i] & 0x3f);
    }
    return code;
}

// Characters that act on the page or the terminal instead of standing on it: C0, DEL, C1, zero width and direction
// marks.
static bool is_unprintable(uint32_t c) {
    return c < 0x20 || (c >= 0x7f && c <= 0x9f) || c == 0xad || c == 0x61c || (c >= 0x200b && c <= 0x200f) ||
           (c >= 0x2028 && c <= 0x202e) || (c >= 0x2060 && c <= 0x206f) || c == 0xfeff ||
           (c >= 0xfff0 && c <= 0xfffb) || c >= 0xe0000;
}

// A _ between letters or digits stands for itself, so that names of claims stay readable and searchable.
static bool is_inside_word(const char *s, const char *start) {
    return *s == '_' && s > start && isalnum((unsigned char)s[-1]) && isalnum((unsigned char)s[1]);
}

// start: where the string begins. GitHub turns "www.", "://" and "@" into links by themselves; entities stop that.
static void put_escaped(const char *s, int length, const char *start) {
    if (*s == '<') {
        fputs("&lt;", stdout);
    } else if (*s == '>') {
        fputs("&gt;", stdout);
    } else if (*s == '&') {
        fputs("&amp;", stdout);
    } else if (*s == '|') {
        fputs("&#124;", stdout);  // renderers disagree on what a backslash does to a table's bar
    } else if (*s == '@') {
        fputs("&#64;", stdout);
    } else if (*s == ':' && s[1] == '/') {
        fputs("&#58;", stdout);
    } else if (*s == '.' && s - start >= 3 && strncmp(s - 3, "www", 3) == 0) {
        fputs("&#46;", stdout);
    } else if (length == 1 && strchr("\\`*_{}[]#~$!", *s) && !is_inside_word(s, start)) {
        printf("\\%c", *s);
    } else {
        printf("%.*s", length, s);
    }
}

void md_text(const char *text) {
    bool space = true;  // leading, trailing and repeated white space falls away
    bool pending = false;
    for (const char *s = text; s && *s;) {
        int length;
        uint32_t c = code_point(s, &length);
        if (s - text > TEXT_LIMIT) {
            fputs(" …", stdout);
            return;
        }
        if (c == ' ' || c == '\n' || c == '\t' || c == '\r') {
            pending = !space;
        } else if (!is_unprintable(c)) {
            fputs(pending ? " " : "", stdout);
            put_escaped(s, length, text);
            space = pending = false;
        }
        s += length;
    }
}

// A code block indented by four spaces: nothing inside it can end it, unlike a fence.
void md_block(const char *text) {
    int lines = 0;
    fputs("\n    ", stdout);
    for (const char *s = text; *s;) {
        int length;
        uint32_t c = code_point(s, &length);
        if (c == '\n' && s[1] && ++lines >= BLOCK_LINES) {
            fputs("\n    ...", stdout);
            break;
        }
        if (c == '\n' && s[1]) {
            fputs("\n    ", stdout);
        } else if (c == '\t') {
            fputs("    ", stdout);
        } else if (!is_unprintable(c)) {
            printf("%.*s", length, s);
        }
        s += length;
    }
    fputs("\n", stdout);
}

void md_number(double x) {
    if (isnan(x)) {
        fputs("-", stdout);
    } else if (x == 0 || (x >= 0.001 && x < 99.95)) {
        printf(x < 9.995 ? "%.3g" : "%.1f", x);
    } else {
        printf(x < 1e6 && x >= 1 ? "%.0f" : "%.2e", x);
    }
}

static void put_scaled(double x, double step, const char *const *units, int last) {
    int unit = 0;
    while (unit < last && x >= step * 0.9995) {
        x /= step;
        unit++;
    }
    printf(x < 9.995 ? "%.3g %s" : x < 99.95 ? "%.1f %s" : "%.0f %s", x, units[unit]);
}

void md_seconds(double seconds) {
    static const char *const units[] = {"ns", "µs", "ms", "s"};
    if (isnan(seconds)) {
        fputs("-", stdout);
    } else {
        put_scaled(seconds * 1e9, 1000, units, 3);
    }
}

void md_bytes(double bytes) {
    static const char *const units[] = {"B", "KiB", "MiB", "GiB", "TiB"};
    if (isnan(bytes)) {
        fputs("-", stdout);
    } else {
        put_scaled(bytes, 1024, units, 4);
    }
}

void md_count(double count) {
    static const char *const units[] = {"", "k", "M", "G", "T"};
    if (isnan(count)) {
        fputs("-", stdout);
    } else {
        put_scaled(count, 1000, units, 4);
    }
}

void md_points(double points) {
    if (isnan(points)) {
        fputs("-", stdout);
    } else {
        printf("%.4g", round(points * 100) / 100);
    }
}

void md_factor(double speedup) {
    if (isnan(speedup) || speedup <= 0) {
        fputs("-", stdout);
    } else if (speedup >= 0.995 && speedup <= 1.005) {
        fputs("as fast", stdout);
    } else {
        double factor = speedup > 1 ? speedup : 1 / speedup;
        printf(factor < 9.995 ? "%.2fx %s" : "%.1fx %s", factor, speedup > 1 ? "faster" : "slower");
    }
}

void md_shape(const json_t *shape) {
    double seq_q = results_number(shape, "seq_q"), seq_kv = results_number(shape, "seq_kv");
    printf("B%.0f H%.0f ", results_number(shape, "batch"), results_number(shape, "heads"));
    if (seq_q == seq_kv) {
        printf("S%.0f", seq_q);
    } else {
        printf("Sq%.0f Sk%.0f", seq_q, seq_kv);
    }
    printf(" D%.0f%s", results_number(shape, "head_dim"),
           json_is_true(json_object_get(shape, "causal")) ? " causal" : "");
}
