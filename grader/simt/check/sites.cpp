// sites.cpp: one Site per (return address, size, kind): a hash table that is looked up at every access.
#include "check.h"

#include <cstdio>
#include <cstdlib>

namespace check {

SiteSlot site_table[SITE_SLOTS];
static Site *by_id[MAX_SITES + 1];
static uint32_t n_sites;
static Region nowhere;

static Site *new_site(uint64_t key) {
    if (n_sites == MAX_SITES) {
        fprintf(stderr, "simt: more than %u places in the code access memory: checked mode gives up\n", MAX_SITES);
        abort();
    }
    const void *pc = (const void *)(uintptr_t)(key & (((uint64_t)1 << 48) - 1));
    Site *s =
        new Site{{}, pc, n_sites, (uint8_t)(key >> 48), (Kind)(key >> 56 & 15), (uint8_t)(key >> 60), false, &nowhere};
    return by_id[n_sites++] = s;
}

Site *find_site(size_t slot, uint64_t key) {
    while (site_table[slot].key && site_table[slot].key != key) slot = (slot + 1) % SITE_SLOTS;
    if (!site_table[slot].key) site_table[slot] = {key, new_site(key)};
    return site_table[slot].site;
}

Site *site_by_id(uint32_t id) { return by_id[id]; }
uint32_t site_count() { return n_sites; }

}  // namespace check
