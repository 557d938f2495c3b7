// counts.c: what the runner asks of simt: names for tensors before the calls, sums after them.
#include "counts.h"

#include <string.h>

#include "../simt/runtime/guests.h"
#include "sizes.h"

#pragma weak simt_guests  // only simt's libraries have it

static const simt_guest_table *simt;   // NULL: a GPU, or a stage in C
static const simt_check_table *check;  // NULL: not in checked mode
static char *base;                     // of the arena's copy in device memory

void lab_counts_open(void) {
    simt = simt_guests ? simt_guests() : NULL;
    check = simt ? simt->check : NULL;
}

void lab_counts_trust(const void *function) {
    if (simt) simt->trust(function);
}

void lab_counts_forget(void) {
    if (check) check->reset();
}

int lab_counts_reports(void) { return check ? check->error_count() : 0; }

// What is one tensor for the lab and three pointers for the student has their names in reports; what is counted is one.
static void name_parts_of_cache(const lab_request *r) {
    const size_t kv = lab_elements_kv(r->laid_out) * sizeof(float), all = r->elements[0] * sizeof(float);
    char *const at = base + r->offset[0];
    if (strcmp(r->op, "cache_append") || r->steps & LAB_COUNT || all <= 2 * kv) return;
    check->name_range(at, kv, "K_cache");
    check->name_range(at + kv, kv, "V_cache");
    check->name_range(at + 2 * kv, all - 2 * kv, "lengths");
}

void lab_counts_begin(char *device, const lab_request *r) {
    size_t offset[LAB_MAX_TENSORS], size[LAB_MAX_TENSORS];
    const char *name[LAB_MAX_TENSORS];
    base = device;
    lab_counts_forget();
    for (uint32_t t = 0; t < r->n_tensors; t++) {
        offset[t] = r->offset[t], size[t] = r->elements[t] * sizeof(float), name[t] = r->tensor[t];
        if (check) check->name_range(base + offset[t], size[t], name[t]);
    }
    if (check) name_parts_of_cache(r);
    for (uint32_t t = 0; check && r->sets < 2 && t < r->n_tensors; t++) {  // behind each of them is nobody's memory
        const size_t end = offset[t] + size[t], next = t + 1 < r->n_tensors ? offset[t + 1] : r->bytes;
        if (next > end) check->name_range(base + end, next - end, NULL);
    }
    if (check) check->sample(r->steps & LAB_SAMPLE ? 1 : 0);
    if (simt) simt->names(base, r->n_tensors, offset, size, name);
}

void lab_counts_call(void) {
    if (simt) simt->begin();
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
    if (check) {
        check->buffer(NULL, &buffer);  // of all buffers together
        counts.other = traffic_of(&buffer);
        for (uint32_t t = 0; t < r->n_tensors; t++) {
            check->buffer_at(base + r->offset[t], &buffer);
            counts.tensor[t] = traffic_of(&buffer);
            counts.other = without(counts.other, counts.tensor[t]);
        }
        check->counts(&totals);
        counts.shared.bank_conflicts = totals.wavefronts - totals.ideal_wavefronts;
        counts.wavefronts = totals.wavefronts + totals.broadcasts;
        counts.ideal_sectors = totals.ideal_sectors;
        counts.allocated = check->allocated();
        counts.stack = totals.stack, counts.unfollowed = totals.unfollowed;
        counts.uneven = totals.uneven;
        counts.counted = 1;
        check->sample(0);
    }
    memcpy(arena + r->counts, &counts, sizeof counts);
}
