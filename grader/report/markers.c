// markers.c: finds the blocks that the lab fills. One pass, line by line; at most one block is open.
#define _GNU_SOURCE
#include "markers.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef enum { TEXT_LINE, OPENING, CLOSING, INSIDE_TEXT, BROKEN } line_kind;

// What a line of the report is, without the characters that end it.
typedef struct {
    line_kind kind;
    char words[MARKER_WORDS][MARKER_WORD_SIZE];
    int word_count;
} parsed_line;

static const char *skip_blanks(const char *s, const char *end) {
    while (s < end && (*s == ' ' || *s == '\t')) {
        s++;
    }
    return s;
}

// <!-- lab: or <!-- /lab: at s. Returns what follows the colon, or NULL.
static const char *after_opening(const char *s, const char *end, bool *closing) {
    if (end - s < 4 || memcmp(s, "<!--", 4) != 0) {
        return NULL;
    }
    s = skip_blanks(s + 4, end);
    *closing = s < end && *s == '/';
    s += *closing;
    return end - s >= 4 && memcmp(s, "lab:", 4) == 0 ? s + 4 : NULL;
}

static bool is_inside(const char *s, const char *end) {
    bool closing;
    while ((s = memmem(s, (size_t)(end - s), "<!--", 4)) != NULL) {
        if (after_opening(s, end, &closing)) {
            return true;
        }
        s += 4;
    }
    return false;
}

// The name and the arguments in [s, end). False if there is none, there are too many, or one is no plain word.
static bool read_words(const char *s, const char *end, parsed_line *line) {
    static const char plain[] = "abcdefghijklmnopqrstuvwxyz0123456789_";
    if (s == end || *s == ' ' || *s == '\t') {
        return false;
    }
    for (s = skip_blanks(s, end); s < end; s = skip_blanks(s, end)) {
        size_t length = 0;
        while (s + length < end && s[length] && strchr(plain, s[length])) {
            length++;
        }
        bool ends = s + length == end || s[length] == ' ' || s[length] == '\t';
        if (!ends || length == 0 || length >= MARKER_WORD_SIZE || line->word_count == MARKER_WORDS) {
            return false;
        }
        memcpy(line->words[line->word_count], s, length);
        line->words[line->word_count++][length] = '\0';
        s += length;
    }
    return line->word_count > 0;
}

static parsed_line parse(const char *s, const char *end) {
    parsed_line line = {.kind = TEXT_LINE, .word_count = 0};
    const char *start = s;
    bool closing = false;
    while (end > s && (end[-1] == ' ' || end[-1] == '\t')) {
        end--;
    }
    while (s < end && s - start < 3 && *s == ' ') {
        s++;
    }
    const char *body = after_opening(s, end, &closing);
    if (!body) {
        line.kind = is_inside(s, end) ? INSIDE_TEXT : TEXT_LINE;
        return line;
    }
    bool ended = end - body >= 3 && memcmp(end - 3, "-->", 3) == 0;
    bool readable = ended && read_words(body, end - 3, &line) && !(closing && line.word_count > 1);
    line.kind = !readable ? BROKEN : closing ? CLOSING : OPENING;
    return line;
}

// The line that begins at s: where its text ends, and where the next line begins.
static const char *line_end(const char *s, const char *end, const char **next) {
    const char *newline = memchr(s, '\n', (size_t)(end - s));
    *next = newline ? newline + 1 : end;
    newline = newline ? newline : end;
    return newline > s && newline[-1] == '\r' ? newline - 1 : newline;
}

bool markers_any(const char *text, size_t length) {
    const char *next, *end = text + length;
    for (const char *s = text; s < end; s = next) {
        const char *stop = line_end(s, end, &next);
        if (parse(s, stop).kind != TEXT_LINE) {
            return true;
        }
    }
    return false;
}

// What is wrong with this line while `open` is open (NULL: nothing is). Says it and returns true, or returns false.
static bool complain(const char *path, size_t number, const parsed_line *line, const marked_block *open) {
    if (line->kind == BROKEN) {
        fprintf(stderr,
                "report: %s:%zu: cannot read this marker: <!-- lab:NAME --> or <!-- /lab:NAME -->, alone on "
                "its line, is wanted\n",
                path, number);
    } else if (line->kind == OPENING && open) {
        fprintf(stderr,
                "report: %s:%zu: lab:%s begins inside lab:%s of line %zu, which needs <!-- /lab:%s --> before\n", path,
                number, line->words[0], open->words[0], open->line, open->words[0]);
    } else if (line->kind == CLOSING && !open) {
        fprintf(stderr, "report: %s:%zu: /lab:%s closes nothing: take it out, or write <!-- lab:%s --> before it\n",
                path, number, line->words[0], line->words[0]);
    } else if (line->kind == CLOSING && strcmp(line->words[0], open->words[0]) != 0) {
        fprintf(stderr, "report: %s:%zu: /lab:%s cannot close lab:%s of line %zu\n", path, number, line->words[0],
                open->words[0], open->line);
    } else {
        return false;
    }
    return true;
}

// Room for one block more; blocks grow by doubling.
static marked_block *append(marked_block **blocks, int count) {
    if ((count & (count - 1)) == 0) {
        *blocks = realloc(*blocks, sizeof **blocks * (size_t)(count ? 2 * count : 1));
    }
    if (!*blocks) {
        fprintf(stderr, "report: out of memory\n");
        exit(1);
    }
    return memset(*blocks + count, 0, sizeof **blocks);
}

int markers_find(const char *path, const char *text, size_t length, marked_block **blocks) {
    const char *next, *end = text + length;
    size_t number = 1;
    int count = 0;
    marked_block *open = NULL;
    *blocks = NULL;
    for (const char *s = text; s < end; s = next, number++) {
        const char *stop = line_end(s, end, &next);
        parsed_line line = parse(s, stop);
        if (complain(path, number, &line, open)) {
            return -1;
        }
        if (line.kind == OPENING) {
            open = append(blocks, count++);
            memcpy(open->words, line.words, sizeof open->words);
            open->word_count = line.word_count;
            open->line = number;
            open->begin = (size_t)(next - text);
            open->crlf = *stop == '\r';
        } else if (line.kind == CLOSING) {
            open->end = (size_t)(s - text);
            open = NULL;
        } else if (line.kind == INSIDE_TEXT && !open) {
            fprintf(stderr, "report: %s:%zu: warning: a marker inside a line is text and fills nothing\n", path,
                    number);
        }
    }
    if (open) {
        fprintf(stderr, "report: %s:%zu: lab:%s is not closed: <!-- /lab:%s --> on a line of its own is missing\n",
                path, open->line, open->words[0], open->words[0]);
        return -1;
    }
    return count;
}
