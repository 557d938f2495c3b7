// rows_counted.c: rows of what was counted: traffic by buffer, kernels under the compiler and the profiler.
#include "block_table.h"

#include <math.h>
#include <string.h>

#include "markdown.h"
#include "ratios.h"
#include "results.h"

enum { SECTOR_BYTES = 32 };

typedef struct {
    double loaded, stored, least, sectors, conflicts;
} traffic;

static json_t *traffic_row(const char *id, const char *name, const char *buffer, traffic b) {
    json_t *row = json_pack("{s:s, s:s, s:f}", "case", name, "buffer", buffer, "bank_conflicts", b.conflicts);
    json_object_set_new(row, "group", json_sprintf("%s: bytes moved", id));
    if (strcmp(buffer, "shared") == 0) return row;  // it is on the chip: no traffic to memory
    json_object_set_new(row, "loaded", json_real(b.loaded));
    json_object_set_new(row, "stored", json_real(b.stored));
    json_object_set_new(row, "sectors", json_real(b.sectors));
    json_object_set_new(row, "least", lab_real(b.least > 0 ? b.least : NAN));
    json_object_set_new(row, "moved_ratio", lab_real((b.loaded + b.stored) / b.least));
    json_object_set_new(row, "sector_ratio", lab_real(SECTOR_BYTES * b.sectors / b.least));
    return row;
}

// The rows of one case, then all of its global memory. A buffer that was not touched has no row.
static void add_case(json_t *rows, const char *id, json_t *counts, const char *name, int sampled) {
    traffic all = {0, 0, 0, 0, 0};
    char shown[96];
    json_t *count;
    size_t i;
    snprintf(shown, sizeof shown, "%s%s", name, sampled ? ", a sample" : "");
    json_array_foreach(counts, i, count) {
        const double least = lab_num(count, "least_bytes");
        const traffic b = {lab_num(count, "bytes_loaded"), lab_num(count, "bytes_stored"), isnan(least) ? 0 : least,
                           lab_num(count, "sectors"), lab_num(count, "bank_conflicts")};
        if (!lab_is(count, "case", name)) continue;
        if (b.loaded + b.stored + b.sectors + b.conflicts > 0)
            json_array_append_new(rows, traffic_row(id, shown, lab_str(count, "buffer"), b));
        if (lab_is(count, "buffer", "shared")) continue;
        all.loaded += b.loaded, all.stored += b.stored, all.least += b.least, all.sectors += b.sectors;
    }
    json_array_append_new(rows, traffic_row(id, shown, "all of global memory", all));
}

json_t *lab_rows_counts(const lab_view *view) {
    json_t *rows = json_array(), *task, *count;
    size_t k;
    for (size_t i = 0; (task = lab_next_task(view, &i));) {
        json_t *counts = json_object_get(task, "counts");
        json_array_foreach(counts, k, count) {
            int first = 1;
            for (size_t m = 0; m < k; m++) first = first && !lab_same(json_array_get(counts, m), count, "case");
            if (first)
                add_case(rows, lab_str(task, "id"), counts, lab_str(count, "case"),
                         json_is_true(json_object_get(count, "sampled")));
        }
    }
    return rows;
}

static json_t *profile_from(const lab_view *view, const char *source) {
    json_t *rows = json_array(), *task, *entry;
    size_t k;
    char shape[80];
    for (size_t i = 0; (task = lab_next_task(view, &i));)
        json_array_foreach(json_object_get(task, "profile"), k, entry) {
            if (!lab_is(entry, "source", source)) continue;
            json_t *row = json_copy(entry), *of = json_object_get(entry, "shape");
            json_object_set_new(row, "group", json_sprintf("%s: %s", lab_str(task, "id"), source));
            json_object_set_new(row, "where", json_string(of ? lab_shape_text(shape, of) : lab_str(entry, "case")));
            json_object_set_new(row, "intensity", lab_real(lab_num(entry, "flops") / lab_num(entry, "dram_bytes")));
            json_array_append_new(rows, row);
        }
    return rows;
}

json_t *lab_rows_ncu(const lab_view *view) { return profile_from(view, "ncu"); }
json_t *lab_rows_ptxas(const lab_view *view) { return profile_from(view, "ptxas"); }

void lab_say_notes(FILE *out, const lab_view *view) {
    json_t *task;
    for (size_t i = 0; (task = lab_next_task(view, &i));)
        if (*lab_str(task, "profile_note"))
            lab_md(out, "\nncu measured nothing of %s: %t.\n", lab_str(task, "id"), lab_str(task, "profile_note"));
}
