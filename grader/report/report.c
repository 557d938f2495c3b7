// report.c: fills a student's report from results.json.
//
//     report RESULTS.json REPORT.md [OUT.md]
//
// Writes between the lab's markers (markers.h) and leaves every other byte as it is. Without OUT.md, REPORT.md itself
// is replaced; an OUT.md that is there is not, since it may hold what a student wrote. Pictures are linked where they
// lie: next to RESULTS.json. Exit status: 0 filled, 1 unreadable input or failed output (then nothing was written),
// 2 wrong usage.
#define _GNU_SOURCE
#include "blocks.h"
#include "markers.h"
#include "report_file.h"
#include "results.h"

#include <stdlib.h>
#include <string.h>

static int usage(FILE *out, int status) {
    fprintf(out, "usage: report RESULTS.json REPORT.md [OUT.md]\n"
                 "Fills what stands between <!-- lab:NAME --> and <!-- /lab:NAME -->, each on a line of its own:\n");
    block_list(out);
    return status;
}

// A warning names the marker as it was written; its words are plain (markers.h).
static void warn_unknown(const char *path, const marked_block *block) {
    fprintf(stderr, "report: %s:%zu: warning: the lab has no block lab:", path, block->line);
    for (int i = 0; i < block->word_count; i++) {
        fprintf(stderr, "%s%s", i ? " " : "", block->words[i]);
    }
    fprintf(stderr, "; it stays as it is (report --help lists them)\n");
}

// The block's lines, ended as the report ends its own, and a blank line on both sides: Markdown wants one before a
// table.
static void put_block(FILE *out, const char *text, bool crlf) {
    const char *newline = crlf ? "\r\n" : "\n";
    fputs(newline, out);
    for (const char *c = text; *c; c++) {
        if (*c == '\n') {
            fputs(newline, out);
        } else {
            fputc(*c, out);
        }
    }
    fputs(newline, out);
}

// The report with its blocks filled; *filled counts them. NULL after a line on standard error.
static char *fill(const char *path, const block_source *source, const char *text, size_t length, size_t *new_length,
                  int *filled) {
    marked_block *blocks;
    int count = markers_find(path, text, length, &blocks);
    char *result = NULL;
    size_t done = 0;
    FILE *out = count < 0 ? NULL : open_memstream(&result, new_length);
    for (int i = 0; out && i < count; i++) {
        const char *words[MARKER_WORDS];
        for (int w = 0; w < blocks[i].word_count; w++) {
            words[w] = blocks[i].words[w];
        }
        char *block = block_text(source, words, blocks[i].word_count);
        if (!block) {
            warn_unknown(path, &blocks[i]);
            continue;
        }
        if (markers_any(block,
                        strlen(block))) {  // escaping forbids it; were it to happen, the next run would go astray
            fprintf(stderr, "report: %s:%zu: a string of the results made a marker: nothing was written\n", path,
                    blocks[i].line);
            exit(1);
        }
        fwrite(text + done, 1, blocks[i].begin - done, out);
        put_block(out, block, blocks[i].crlf);
        done = blocks[i].end;
        ++*filled;
        free(block);
    }
    if (out) {
        fwrite(text + done, 1, length - done, out);
        fclose(out);
    }
    free(blocks);
    return result;
}

static int run(const char *results, const char *path, const char *target) {
    char error[512];
    size_t length, new_length = 0;
    int filled = 0, status = 1;
    json_t *root = results_load(results, error, sizeof error);
    char *text = root ? report_read(path, &length, error, sizeof error) : NULL;
    char *folder = text ? report_folder(results, error, sizeof error) : NULL;
    char *link = folder ? report_link(folder, target, error, sizeof error) : NULL;
    if (!link) {
        fprintf(stderr, "report: %s\n", error);
    } else {
        block_source source = {root, folder, link};
        char *out = fill(path, &source, text, length, &new_length, &filled);
        bool same = out && path == target && length == new_length && memcmp(out, text, length) == 0;
        if (out && !same && !report_write(target, out, new_length, error, sizeof error)) {
            fprintf(stderr, "report: %s\n", error);
        } else if (out) {
            printf("%s: %d blocks from %s%s\n", target, filled, results, same ? ", nothing changed" : "");
            status = 0;
        }
        free(out);
    }
    free(link);
    free(folder);
    free(text);
    json_decref(root);
    return status;
}

int main(int argc, char **argv) {
    if (argc == 2 && strcmp(argv[1], "--help") == 0) {
        return usage(stdout, 0);
    }
    if (argc != 3 && argc != 4) {
        return usage(stderr, 2);
    }
    if (argc == 4 && !report_is_free(argv[3], argv[2])) {
        fprintf(stderr, "report: %s is there and stays as it is; to fill it: report %s %s\n", argv[3], argv[1],
                argv[3]);
        return 1;
    }
    return run(argv[1], argv[2], argc == 4 && !report_is_same(argv[3], argv[2]) ? argv[3] : argv[2]);
}
