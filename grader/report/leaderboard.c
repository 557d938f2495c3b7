// leaderboard.c: the verb leaderboard: who takes part, and DIR/leaderboard.html.
//
// Nobody is shown who did not choose it: by a file `nickname` in the submission, or by a row of DIR/leaderboard.csv,
// which the instructor writes (submission,nickname; an empty nickname takes somebody out).
#define _GNU_SOURCE
#include "leaderboard.h"

#include <dirent.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "csv.h"
#include "files.h"
#include "results.h"
#include "text.h"
#include "verbs.h"

static const char LADDER[] = "grader/ladder/results_h200/ladder.json";  // a handout has none

static char *read_file(const char *folder, const char *name) {
    char path[4400], *text = NULL;
    size_t size = 0;
    snprintf(path, sizeof path, "%s/%s", folder, name);
    FILE *f = fopen(path, "r");
    if (f && getdelim(&text, &size, 0, f) < 0) free(text), text = NULL;
    if (f) fclose(f);
    return text;
}

// {"submission": "nickname"} of DIR/leaderboard.csv. NULL after saying what is wrong with it.
static json_t *read_list(const char *folder) {
    char *const text = read_file(folder, "leaderboard.csv"), *at = text, *cells[LAB_CSV_CELLS];
    json_t *list = json_object();
    int line = 0;
    for (int n; text && (n = lab_csv_row(&at, ',', cells, &line)) != 0;) {
        if (n < 0 || n > 2) {
            fprintf(stderr, "report: %s/leaderboard.csv:%d: not submission,nickname\n", folder, line);
            json_decref(list), free(text);
            return NULL;
        }
        char *const nickname = n > 1 ? cells[1] : "";
        if (line == 1 && strcmp(cells[0], "submission") == 0) continue;
        if (n > 1) lab_clean_text(cells[1]), lab_cut_text(cells[1], 24);
        json_object_set_new(list, cells[0], json_string(nickname));
    }
    free(text);
    return list;
}

static void add_member(json_t *members, const json_t *list, const char *folder, json_t *root) {
    const json_t *listed = json_object_get(list, lab_str(root, "submission"));
    if (!listed) listed = json_object_get(list, folder);
    const char *name = listed ? json_string_value(listed) : lab_str(root, "nickname");
    if (name && *name) json_array_append_new(members, json_pack("{s:s, s:O}", "name", name, "results", root));
}

// Those of DIR who take part; *all: how many submissions there are.
static json_t *read_members(const char *folder, int *all) {
    struct dirent **names;
    char path[4400], error[512];
    json_t *members = json_array(), *list = read_list(folder);
    const int n = list ? scandir(folder, &names, NULL, alphasort) : -1;
    if (list && n < 0) fprintf(stderr, "report: cannot read %s: %s\n", folder, strerror(errno));
    for (int i = 0; i < n; i++) {
        snprintf(path, sizeof path, "%s/%s/results.json", folder, names[i]->d_name);
        json_t *root = names[i]->d_name[0] == '.' ? NULL : lab_results_load(path, error, sizeof error);
        if (root) ++*all, add_member(members, list, names[i]->d_name, root);
        json_decref(root), free(names[i]);
    }
    if (n >= 0) free(names);
    json_decref(list);
    if (n >= 0) return members;
    json_decref(members);
    return NULL;
}

int lab_report_leaderboard(int argc, char **argv) {
    (void)argc;
    char path[4400], *text = NULL;
    size_t size;
    int all = 0;
    json_t *members = read_members(argv[0], &all), *ladder = json_load_file(LADDER, 0, NULL);
    if (!members) return 1;
    lab_leaderboard_text(stdout, members, all, ladder);
    FILE *out = open_memstream(&text, &size);
    if (!out) abort();
    lab_leaderboard_page(out, members, all, ladder);
    fclose(out);
    snprintf(path, sizeof path, "%s/leaderboard.html", argv[0]);
    const int good = lab_write_file(path, text, size);
    if (good) printf("  as a page: %s\n", path);
    free(text), json_decref(members), json_decref(ladder);
    return !good;
}
