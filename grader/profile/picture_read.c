// picture_read.c: the recording's lines become launches.
#include <stdlib.h>
#include <string.h>

#include "picture.h"
#include "tool.h"

static const char *text(const json_t *o, const char *key) {
    const char *s = json_string_value(json_object_get(o, key));
    return s ? s : "";
}

static int number(const json_t *o, const char *key) { return (int)json_integer_value(json_object_get(o, key)); }
static uint32_t at(const json_t *list, size_t i) { return (uint32_t)json_integer_value(json_array_get(list, i)); }

static const char *base_of(const char *path) { return strrchr(path, '/') ? strrchr(path, '/') + 1 : path; }

static void read_triple(const json_t *o, const char *key, int v[3]) {
    for (int i = 0; i < 3; i++) v[i] = (int)at(json_object_get(o, key), i);
}

static void read_sites(lab_launch *l) {
    static const char *const operations[] = {"load", "store", "atomic", "copy"};
    const json_t *list = json_object_get(l->root, "sites");
    l->n_sites = (int)json_array_size(list);
    l->site = calloc(l->n_sites + 1, sizeof *l->site);
    for (int i = 0; l->site && i < l->n_sites; i++) {
        const json_t *o = json_array_get(list, i);
        lab_site *s = &l->site[i];
        s->line = number(o, "line"), s->bytes = number(o, "bytes");
        while (s->op < LAB_SAW_COPY && strcmp(text(o, "op"), operations[s->op])) s->op++;
        snprintf(s->file, sizeof s->file, "%s", text(o, "file"));
    }
}

// Columns of a tensor's rows, as the task's header has them.
static int columns_of(const lab_op *op, attn_shape s, int t) {
    const char *name = op->tensors[t];
    const int gemm = op == &lab_gemm_nt || op == &lab_gemm_nn;
    if (gemm) return t == 0 || (t == 2 && op == &lab_gemm_nn) ? s.seq_kv : s.head_dim;
    if (op == &lab_softmax_batched || strcmp(name, "scores") == 0) return s.seq_kv;
    if (strcmp(name, "lengths") == 0) return s.batch;
    return strcmp(name, "workspace") ? s.head_dim : 0;
}

static int is_input(const lab_op *op, const char *name) {
    for (int t = 1; t < op->n_tensors; t++)
        if (t != op->scratch && strcmp(name, op->tensors[t]) == 0) return 1;
    return 0;
}

static void read_regions(lab_launch *l, const lab_picture *p) {
    const json_t *list = json_object_get(l->root, "regions"), *before = json_object_get(l->root, "before"), *row;
    size_t i;
    l->n_regions = (int)json_array_size(list);
    if (l->n_regions > LAB_MOST_REGIONS) l->n_regions = LAB_MOST_REGIONS;
    for (int r = 0; r < l->n_regions; r++) {
        const json_t *o = json_array_get(list, r);
        lab_region *to = &l->region[r];
        snprintf(to->name, sizeof to->name, "%s", text(o, "name"));
        to->shared = strcmp(text(o, "space"), "global") != 0;
        to->words = number(o, "bytes") / 4;
        for (int t = 0; t < p->op->n_tensors && !to->shared; t++)
            if (strcmp(to->name, p->op->tensors[t]) == 0) to->columns = columns_of(p->op, p->shape, t);
    }
    // The output and the working memory hold nothing yet; target.cu fills them all the same.
    json_array_foreach(before, i, row) if (at(row, 0) < (uint32_t)l->n_regions &&
                                           is_input(p->op, l->region[at(row, 0)].name)) l->region[at(row, 0)]
        .before = json_array_get(row, 1);
}

static void read_requests(lab_launch *l) {
    const json_t *list = json_object_get(l->root, "requests");
    const int all = (int)json_array_size(list);
    l->seen = calloc(all + 1, sizeof *l->seen);
    for (int i = 0; l->seen && i < all; i++) {
        const json_t *o = json_array_get(list, i), *lanes = json_array_get(o, 4), *offsets = json_array_get(o, 5),
                     *words = json_array_get(o, 6), *reported = json_array_get(o, 9);
        lab_seen *s = &l->seen[l->n_seen];
        *s = (lab_seen){.phase = (int)at(o, 0), .warp = (int)at(o, 1), .site = (int)at(o, 2), .region = (int)at(o, 3)};
        s->taken = (int)at(o, 7), s->least = (int)at(o, 8);
        s->n = (int)json_array_size(lanes);
        if (s->region >= l->n_regions || s->site >= l->n_sites || s->n > LAB_LANES) continue;
        const int each = s->n ? (int)json_array_size(words) / s->n : 0;
        for (int k = 0; k < s->n; k++) {
            s->lane[k] = (int)at(lanes, k), s->offset[k] = at(offsets, k), s->source[k] = LAB_NO_REGION;
            for (int w = 0; w < each && w < 4; w++) s->word[k][w] = at(words, (size_t)k * each + w);
        }
        for (size_t k = 0; k < json_array_size(reported); k++) s->reported |= 1u << (at(reported, k) & 31);
        l->n_seen++;
    }
}

static int read_launch(lab_picture *p, json_t *root) {
    lab_launch *l = &p->launch[p->n];
    if (!root || p->n == LAB_MOST_LAUNCHES || strcmp(base_of(text(root, "file")), base_of(p->path))) return 0;
    memset(l, 0, sizeof *l);
    l->root = root, l->kernel = text(root, "kernel");
    read_triple(root, "grid", l->grid), read_triple(root, "threads", l->threads), read_triple(root, "block", l->block);
    l->truncated = json_is_true(json_object_get(root, "truncated"));
    l->barriers = json_object_get(root, "barriers"), l->faults = json_object_get(root, "faults");
    read_sites(l), read_regions(l, p), read_requests(l);
    if (!l->site || !l->seen) return 0;
    lab_find_sources(l), lab_find_arrays(l);
    return ++p->n;
}

int lab_picture_read(lab_picture *p, const char *record, const char *report, char *why, size_t size) {
    FILE *in = fopen(record, "r");
    char *line = NULL;
    size_t room = 0;
    json_error_t error;
    while (in && getline(&line, &room, in) > 0) {
        json_t *root = json_loads(line, 0, &error);
        if (!read_launch(p, root)) json_decref(root);
    }
    free(line);
    if (in) fclose(in);
    json_t *all = json_load_file(report, 0, &error);
    p->reports = json_incref(json_object_get(all, "reports"));
    json_decref(all);
    p->source = lab_read_text(p->path);
    snprintf(why, size, "%s", p->source ? "no kernel of this file ran" : "the file cannot be read");
    return p->source && p->n > 0;
}

void lab_picture_free(lab_picture *p) {
    for (int i = 0; i < p->n; i++) {
        free(p->launch[i].site), free(p->launch[i].seen);
        json_decref(p->launch[i].root);
    }
    json_decref(p->reports);
    free(p->source);
}
