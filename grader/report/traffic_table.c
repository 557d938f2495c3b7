// traffic_table.c: the memory traffic that simt counted, buffer by buffer and case by case, and how many times the least it is.
#include "traffic_table.h"

#include "markdown.h"
#include "results.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

enum { SECTOR_BYTES = 32 };

static bool is_of_case(const json_t *count, const char *name) { return strcmp(results_text(count, "case"), name) == 0; }

// Shared memory lies on the chip: its bytes are no traffic to memory.
static bool is_shared(const json_t *count) { return strcmp(results_text(count, "buffer"), "shared") == 0; }

static double moved(const json_t *count) {
    return results_number(count, "bytes_loaded") + results_number(count, "bytes_stored");
}

// How many times the least; "-" where there is no least.
static void ratio_cell(double bytes, double least) {
    printf(" | ");
    md_number(least > 0 ? bytes / least : NAN);
    printf(least > 0 ? "x" : "");
}

// loaded | stored | least | moved / least | sectors | sectors / least
static void traffic_cells(double loaded, double stored, double sectors, double least) {
    printf(" | ");
    md_bytes(loaded);
    printf(" | ");
    md_bytes(stored);
    printf(" | ");
    md_bytes(least);
    ratio_cell(loaded + stored, least);
    printf(" | %.0f", sectors);
    ratio_cell(SECTOR_BYTES * sectors, least);
}

static void buffer_row(const json_t *count) {
    printf("| ");
    md_text(results_text(count, "case"));
    printf(" | ");
    md_text(results_text(count, "buffer"));
    if (is_shared(count)) {
        printf(" | - | - | - | - | - | -");
    } else {
        traffic_cells(results_number(count, "bytes_loaded"), results_number(count, "bytes_stored"),
                      results_number(count, "sectors"), results_number(count, "least_bytes"));
    }
    printf(" | %.0f |\n", results_number(count, "bank_conflicts"));
}

// All of global memory in this case; the least is known where every buffer's is.
static void total_row(const json_t *counts, const char *name) {
    double loaded = 0, stored = 0, least = 0, sectors = 0;
    for (size_t i = 0; i < json_array_size(counts); i++) {
        const json_t *count = json_array_get(counts, i);
        if (is_of_case(count, name) && !is_shared(count)) {
            loaded += results_number(count, "bytes_loaded");
            stored += results_number(count, "bytes_stored");
            least += results_number(count, "least_bytes");
            sectors += results_number(count, "sectors");
        }
    }
    printf("| ");
    md_text(name);
    printf(" | **global memory**");
    traffic_cells(loaded, stored, sectors, least);
    printf(" | |\n");
}

// Whether entry i is the last of its case.
static bool ends_case(const json_t *counts, size_t i) {
    const char *name = results_text(json_array_get(counts, i), "case");
    for (size_t k = i + 1; k < json_array_size(counts); k++) {
        if (is_of_case(json_array_get(counts, k), name)) {
            return false;
        }
    }
    return true;
}

void traffic_table(const json_t *task) {
    const json_t *counts = json_object_get(task, "counts");
    if (json_array_size(counts) == 0) {
        return;
    }
    printf("\n### %s: counted memory traffic\n\n", results_text(task, "id"));
    printf("| case | buffer | loaded | stored | least | moved / least | 32-byte sectors | sectors / least | bank "
           "conflicts "
           "|\n|---|---|--:|--:|--:|--:|--:|--:|--:|\n");
    for (size_t i = 0; i < json_array_size(counts); i++) {
        const json_t *count = json_array_get(counts, i);
        buffer_row(count);
        if (ends_case(counts, i)) {
            total_row(counts, results_text(count, "case"));
        }
    }
    printf(
        "\n\"other\" is global memory that is no tensor of the task; \"shared\" is shared memory, whose bank conflicts "
        "are "
        "the accesses beyond the least. There are no caches in these counts: a tile that is read again counts again. "
        "Where sectors exceed what was moved, the lanes of a warp did not stand side by side.\n");
}

// The first case of the task at the shape of like; without a shape, the case of its name. NULL: it was not counted.
static const char *case_like(const json_t *counts, const json_t *like) {
    const json_t *shape = json_object_get(like, "shape");
    for (size_t i = 0; i < json_array_size(counts); i++) {
        const json_t *count = json_array_get(counts, i);
        if (shape ? json_equal(json_object_get(count, "shape"), shape)
                  : is_of_case(count, results_text(like, "case"))) {
            return results_text(count, "case");
        }
    }
    return NULL;
}

double traffic_moved(const json_t *task, const json_t *like) {
    const json_t *counts = json_object_get(task, "counts");
    const char *name = case_like(counts, like);
    double sum = name ? 0 : NAN;
    for (size_t i = 0; name && i < json_array_size(counts); i++) {
        const json_t *count = json_array_get(counts, i);
        sum += is_of_case(count, name) && !is_shared(count) ? moved(count) : 0;
    }
    return sum;
}
