// counts.c: names for tensors before the calls, sums after them.
#include "counts.h"

#include <string.h>

#include "../simt/check/simt_check.h"

// Only simt's checked library has them.
#pragma weak simt_check_reset
#pragma weak simt_check_name_range
#pragma weak simt_check_buffer
#pragma weak simt_check_buffer_at
#pragma weak simt_check_counts
#pragma weak simt_check_allocated

static char *base;  // of the arena's copy in device memory

void lab_counts_begin(char *device, const lab_request *r) {
    base = device;
    if (!simt_check_name_range) return;
    simt_check_reset();
    for (uint32_t t = 0; t < r->n_tensors; t++)
        simt_check_name_range(base + r->offset[t], r->elements[t] * sizeof(float), r->tensor[t]);
}

// An atomic loads and stores.
static lab_traffic traffic_of(const simt_check_buffer_counts *c) {
    return (lab_traffic){.bytes_loaded = c->bytes_loaded + c->bytes_atomic,
                         .bytes_stored = c->bytes_stored + c->bytes_atomic,
                         .sectors = c->sectors_loaded + c->sectors_stored};
}

static lab_traffic without(lab_traffic a, lab_traffic b) {
    return (lab_traffic){.bytes_loaded = a.bytes_loaded - b.bytes_loaded,
                         .bytes_stored = a.bytes_stored - b.bytes_stored,
                         .sectors = a.sectors - b.sectors};
}

void lab_counts_end(char *arena, const lab_request *r) {
    lab_counts counts = {0};
    simt_check_buffer_counts buffer;
    simt_check_totals totals;
    if (!(r->steps & LAB_COUNT)) return;
    if (simt_check_name_range) {
        simt_check_buffer(NULL, &buffer);  // of all buffers together
        counts.other = traffic_of(&buffer);
        for (uint32_t t = 0; t < r->n_tensors; t++) {
            simt_check_buffer_at(base + r->offset[t], &buffer);
            counts.tensor[t] = traffic_of(&buffer);
            counts.other = without(counts.other, counts.tensor[t]);
        }
        simt_check_counts(&totals);
        counts.shared.bank_conflicts = totals.wavefronts - totals.ideal_wavefronts;
        counts.ideal_sectors = totals.ideal_sectors;
        counts.allocated = simt_check_allocated();
        counts.counted = 1;
    }
    memcpy(arena + r->counts, &counts, sizeof counts);
}
