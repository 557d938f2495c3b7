// export.c: results.json for other systems. `export` lists its formats.
//
// Exit status: 0 written, 1 unreadable input or failed output (then OUT is not replaced), 2 wrong usage.
#include "export.h"

#include <getopt.h>
#include <stdlib.h>
#include <string.h>

#include "files.h"
#include "results.h"

typedef struct {
    const char *out, *task, *columns;
    lab_gradescope_options gradescope;
} options;

static json_t *to_gradescope(const json_t *root, const options *o) { return lab_gradescope(root, &o->gradescope); }
static json_t *to_classroom(const json_t *root, const options *o) { return lab_classroom(root, o->task); }
static json_t *to_autolab(const json_t *root, const options *o) { return (void)o, lab_autolab(root); }

static const struct {
    const char *name;
    json_t *(*make)(const json_t *root, const options *o);  // NULL: many results become a table
    size_t flags;                                           // of jansson
    const char *about;
} formats[] = {
    {"gradescope", to_gradescope, JSON_INDENT(1), "results/results.json of a Gradescope autograder"},
    {"classroom", to_classroom, JSON_INDENT(1), "a GitHub Classroom step's result, before base64"},
    {"autolab", to_autolab, JSON_COMPACT, "the last line of an Autolab autograder"},
    {"csv", NULL, 0, "a gradebook with another system's columns"},
};

enum { N_FORMATS = sizeof formats / sizeof *formats };

static int usage(FILE *out, int status) {
    fputs("usage: export FORMAT [options] RESULTS.json...\n", out);
    for (int i = 0; i < N_FORMATS; i++) fprintf(out, "  %-12s %s\n", formats[i].name, formats[i].about);
    fputs("options: --out FILE           in place of standard output\n"
          "         --task taskN         classroom: this task alone\n"
          "         --columns LIST       csv: canvas, moodle, plain or HEADER=FIELD,... (grader/export/README.md)\n"
          "         --visibility V       gradescope: of points: visible (default), after_due_date, after_published, "
          "hidden\n"
          "         --secret V           gradescope: of claims with a secret shape: after_published (default)\n"
          "         --no-leaderboard     gradescope\n",
          out);
    return status;
}

static int is_visibility(const char *v) {
    return !strcmp(v, "hidden") || !strcmp(v, "after_due_date") || !strcmp(v, "after_published") ||
           !strcmp(v, "visible");
}

static int read_options(int argc, char **argv, options *o) {
    static const struct option long_options[] = {{"out", 1, 0, 'o'},
                                                 {"task", 1, 0, 't'},
                                                 {"columns", 1, 0, 'c'},
                                                 {"visibility", 1, 0, 'v'},
                                                 {"secret", 1, 0, 's'},
                                                 {"no-leaderboard", 0, 0, 'l'},
                                                 {0}};
    *o = (options){.columns = "plain", .gradescope = {"visible", "after_published", 1}};
    for (int c; (c = getopt_long(argc, argv, "", long_options, NULL)) != -1;) switch (c) {
        case 'o': o->out = optarg; break;
        case 't': o->task = optarg; break;
        case 'c': o->columns = optarg; break;
        case 'v': o->gradescope.visibility = optarg; break;
        case 's': o->gradescope.secret = optarg; break;
        case 'l': o->gradescope.leaderboard = 0; break;
        default: return 0;
        }
    return is_visibility(o->gradescope.visibility) && is_visibility(o->gradescope.secret);
}

static int write_one(FILE *out, int format, const options *o, const char *path) {
    char error[512];
    json_t *root = lab_results_load(path, error, sizeof error);
    if (!root) return fprintf(stderr, "export: %s\n", error), 0;
    json_t *document = formats[format].make(root, o);
    const int good = document && json_dumpf(document, out, formats[format].flags | JSON_REAL_PRECISION(7)) == 0;
    fputs("\n", out);
    json_decref(document), json_decref(root);
    return good;
}

int main(int argc, char **argv) {
    options o;
    char *text = NULL;
    size_t size;
    int format = 0;
    if (argc == 2 && strcmp(argv[1], "--help") == 0) return usage(stdout, 0);
    while (argc > 1 && format < N_FORMATS && strcmp(argv[1], formats[format].name)) format++;
    if (argc < 3 || format == N_FORMATS || !read_options(argc - 1, argv + 1, &o)) return usage(stderr, 2);
    char **paths = argv + 1 + optind;
    const int n = argc - 1 - optind, table = !formats[format].make;
    if (n < 1 || (n > 1 && !table)) return usage(stderr, 2);
    FILE *out = open_memstream(&text, &size);
    if (!out) abort();
    int good = table ? lab_grades_csv(out, o.columns, paths, n) : write_one(out, format, &o, paths[0]);
    fclose(out);
    if (good && o.out) good = lab_write_file(o.out, text, size);
    if (!o.out && (good || table)) good = fwrite(text, 1, size, stdout) == size && fflush(stdout) == 0 && good;
    free(text);
    return !good;
}
