// class_pairs.c: reads similarity.csv.
#include "class_pairs.h"

#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "csv.h"
#include "files.h"

json_t *lab_pairs_read(const char *folder) {
    char path[4400], *text;
    size_t size;
    snprintf(path, sizeof path, "%s/similarity.csv", folder);
    if (access(path, R_OK) || !(text = lab_read_file(path, &size))) return NULL;
    json_t *pairs = json_array();
    char *rest = text, *cells[LAB_CSV_CELLS];
    int line = 0, n;
    lab_csv_row(&rest, ',', cells, &line);  // the headings
    while ((n = lab_csv_row(&rest, ',', cells, &line)) != 0) {
        json_t *pair = n == 4 ? json_pack("{s:s, s:s, s:s, s:f}", "task", cells[0], "a", cells[1], "b", cells[2],
                                          "percent", atof(cells[3]))
                              : NULL;
        if (pair) json_array_append_new(pairs, pair);
        if (n < 0) break;
    }
    free(text);
    return pairs;
}
