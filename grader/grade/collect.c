// collect.c: DIR/gradebook.csv, when every submission has had its turn.
#define _GNU_SOURCE
#include "collect.h"

#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "tool.h"

int lab_collect(const lab_arguments *all) {
    char csv[4200], log[4200];
    snprintf(csv, sizeof csv, "%s/gradebook.csv", all->out);
    snprintf(log, sizeof log, "%s/gradebook.log", all->out);
    char **argv = calloc(all->n + 4, sizeof *argv);
    argv[0] = "build/bin/report", argv[1] = "gradebook", argv[2] = csv;
    for (int i = 0; i < all->n; i++)
        if (asprintf(&argv[3 + i], "%s/%s/results.json", all->out, all->entries[i].folder) < 0) return 0;
    unlink(log);
    const int status = lab_tool(argv, log);
    if (status == 0) unlink(log);
    printf(status == 0 || status == 1 ? "  %s\n" : "  %s could not be written; see gradebook.log beside it\n", csv);
    for (int i = 0; i < all->n; i++) free(argv[3 + i]);
    free(argv);
    return status == 0 || status == 1;
}
