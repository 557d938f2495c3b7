// sample.cpp: large launches whose traffic is wanted and whose results are not: four blocks are run and stand for all.
//
// The blocks are two pairs: number p and number n - 1 - p. Where all blocks do the same, or each a little more than the one
// before it (a causal mask), a pair does twice the mean. Pairs that differ by more than a hundredth: the launch is uneven,
// and nothing can be said of it.
#include "check.h"

namespace check {

constexpr uint64_t RUN = 4;  // blocks; a launch of no more is run whole
static bool wanted, sampled;
static uint64_t blocks, work_before, uneven, ran;
static uint64_t work[RUN];  // of the blocks that are run, by their number
static uint64_t chosen[RUN];
static int running;  // of the running block among the chosen ones

void sample(bool on) { wanted = on; }
void sample_reset() { uneven = 0; }
uint64_t uneven_launches() { return uneven; }

static uint64_t all_traffic() {
    uint64_t sum = 0;
    for (const Region *r : global_regions())
        sum += r->counts.loaded + r->counts.stored + r->counts.atomic + r->counts.sectors_loaded +
               r->counts.sectors_stored;
    return sum;
}

// What blocks that are not run would have written counts as written.
void sample_begin_launch() {
    const simt_uint3 grid = run.launch->grid;
    blocks = (uint64_t)grid.x * grid.y * grid.z;
    sampled = wanted && blocks > RUN;
    ran = 0, running = 0;
    if (!sampled) return;
    const uint64_t p = blocks / 3;
    chosen[0] = 0, chosen[1] = p, chosen[2] = blocks - 1 - p, chosen[3] = blocks - 1;
    for (Region *r : global_regions())
        if (r->size) mark_written((const void *)r->base, r->size);
}

static int place_of(uint64_t number) {
    for (uint64_t i = 0; i < RUN; i++)
        if (chosen[i] == number) return (int)i;
    return -1;
}

int skip_block(uint64_t number) {
    if (!sampled) return 0;
    const int here = place_of(number);
    if (here < 0) return 1;
    running = here, work_before = all_traffic();
    return 0;
}

void sample_end_block() {
    if (sampled && ran++ < RUN) work[running] = all_traffic() - work_before;
}

void sample_end_launch() {
    if (!sampled) return;
    sampled = false;
    if (ran != RUN) {  // they do not run one by one, so none was left out; or the launch was stopped
        uneven++;
        return;
    }
    const uint64_t outer = work[0] + work[3], inner = work[1] + work[2];
    uneven += 100 * (outer > inner ? outer - inner : inner - outer) > outer;
    for (Region *r : global_regions())
        for (uint64_t *n : {&r->counts.loaded, &r->counts.stored, &r->counts.atomic, &r->counts.sectors_loaded,
                            &r->counts.sectors_stored})
            *n = *n * blocks / RUN;
    counts_scale(blocks, RUN);
}

}  // namespace check
