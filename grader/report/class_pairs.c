// class_pairs.c: reads similarity.csv and gradebook.csv.
#include "class_pairs.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "csv.h"
#include "files.h"
#include "text.h"

// DIR/NAME; NULL: there is none. The caller's to free.
static char *table_of(const char *folder, const char *name) {
    char path[4400];
    size_t size;
    snprintf(path, sizeof path, "%s/%s", folder, name);
    return access(path, R_OK) ? NULL : lab_read_file(path, &size);
}

json_t *lab_pairs_read(const char *folder) {
    char *text = table_of(folder, "similarity.csv");
    if (!text) return NULL;
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

static int column_of(char **cells, int n, const char *name) {
    for (int i = 0; i < n; i++)
        if (strcmp(cells[i], name) == 0) return i;
    return n;
}

json_t *lab_ungraded_read(const char *folder) {
    json_t *names = json_array();
    char *text = table_of(folder, "gradebook.csv"), *rest = text, *cells[LAB_CSV_CELLS];
    int line = 0, n = text ? lab_csv_row(&rest, ',', cells, &line) : 0;
    const int status = column_of(cells, n, "status"), place = column_of(cells, n, "folder");
    while (text && (n = lab_csv_row(&rest, ',', cells, &line)) > 0) {
        if (n <= status || n <= place || strcmp(cells[status], "GRADER_ERROR")) continue;
        const char *name = cells[place];
        if (*name == '\'' && lab_is_formula(name + 1)) name++;  // put there for spreadsheets (csv.h)
        if (*name && *name != '.' && !strchr(name, '/')) json_array_append_new(names, json_string(name));
    }
    free(text);
    return names;
}
