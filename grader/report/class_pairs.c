// class_pairs.c: reads similarity.csv.
#include "class_pairs.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "files.h"

enum { COLUMNS = 4 };

// Cuts a cell off the text and takes its quotes away, in place. Returns where the next one begins; *last: the row ends.
static char *cell(char *c, char **value, int *last) {
    const int quoted = *c == '"';
    char *to = *value = c + quoted;
    for (c += quoted; *c && (quoted || !strchr(",\r\n", *c)); c++) {
        if (quoted && *c == '"' && c[1] != '"') {
            c++;
            break;
        }
        c += quoted && *c == '"';
        *to++ = *c;
    }
    *last = *c != ',';
    if (*c == '\r') c++;
    if (*c) c++;
    *to = 0;
    return c;
}

json_t *lab_pairs_read(const char *folder) {
    char path[4400], *text;
    size_t size;
    snprintf(path, sizeof path, "%s/similarity.csv", folder);
    if (access(path, R_OK) || !(text = lab_read_file(path, &size))) return NULL;
    json_t *pairs = json_array();
    int row = 0;
    for (char *c = text; *c; row++) {
        char *cells[COLUMNS] = {0}, *value;
        int n = 0, last = 0;
        while (!last) {
            c = cell(c, &value, &last);
            if (n < COLUMNS) cells[n++] = value;
        }
        json_t *pair = row && n == COLUMNS ? json_pack("{s:s, s:s, s:s, s:f}", "task", cells[0], "a", cells[1], "b",
                                                       cells[2], "percent", atof(cells[3]))
                                           : NULL;
        if (pair) json_array_append_new(pairs, pair);
    }
    free(text);
    return pairs;
}
