// headers.c: what the file's own headers (task4.h, shape.h) say of structs and constants. Run from the lab's
// root.
#include "edits.h"

#include <glob.h>
#include <string.h>

// The first of these that is there.
static bool find(edits *e, const char *name, char path[512]) {
    static const char *const folders[] = {"task[1-9]_*", "grader/core", "grader/run"};
    const char *slash = strrchr(e->path, '/');
    for (int i = -1; i < 3; i++) {
        const char *folder = i >= 0 ? folders[i] : slash ? format(&e->u, "%.*s", (int)(slash - e->path), e->path) : ".";
        glob_t found;
        if (!glob(format(&e->u, "%s/%s", folder, name), 0, NULL, &found)) {
            snprintf(path, 512, "%s", found.gl_pathv[0]);
            globfree(&found);
            return true;
        }
        globfree(&found);
    }
    return false;
}

static void read_header(edits *e, const char *path, int depth);

static void read_includes(edits *e, const edits *from, int depth) {
    for (int i = 0; i < from->n_directives && depth < 4; i++) {
        char name[128], path[512];
        const directive *d = &from->directives[i];
        const char *line = format(&e->u, "%.*s", (int)(d->end - d->first), from->source + d->first);
        if (sscanf(line, " # include \"%127[^\"]\"", name) == 1 && !strchr(name, '/') && find(e, name, path))
            read_header(e, path, depth + 1);
    }
}

static void read_header(edits *e, const char *path, int depth) {
    edits *header = keep(&e->u, sizeof *header);
    header->u.report = e->u.report;
    if (!edits_read(header, path)) return;  // its memory is kept: its names are used
    edits_globals(header);
    for (int i = 0; i < header->n_variables; i++) {
        variable v = header->variables[i];
        if (v.declared < 0 && !strncmp(v.name, "LAB_", 4)) continue;  // the guard of the header
        if (v.from <= v.to) v.from = 0, v.to = e->u.token_count;
        v.declared = -1;
        v.value = v.value_end = 0;  // the header's tokens are not this file's
        *EDITS_ADD(e, variables, n_variables) = v;
    }
    read_includes(e, header, depth);
}

void edits_headers(edits *e) { read_includes(e, e, 0); }
