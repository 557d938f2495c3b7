// memory_host.c: a stage in C works on the arena itself.
#include "memory.h"

static char *host;

int lab_memory_open(char *arena, size_t bytes) {
    (void)bytes;
    host = arena;
    return 0;
}

char *lab_memory_base(void) { return host; }

int lab_memory_load(const lab_request *r) {
    (void)r;
    return 0;
}

int lab_memory_fill(const lab_request *r) {
    (void)r;
    return LAB_NOT_SUPPORTED;
}

int lab_memory_wait(void) { return 0; }

int lab_memory_store(const lab_request *r) {
    (void)r;
    return 0;
}

int lab_memory_bring(uint64_t at, uint64_t bytes, int back) {
    (void)at, (void)bytes, (void)back;
    return LAB_NOT_SUPPORTED;
}

void lab_memory_free(void) {}

int lab_memory_link(const lab_request *r, uint32_t set) {
    (void)r, (void)set;
    return LAB_NOT_SUPPORTED;
}

int lab_memory_notes(const lab_request *r) {
    (void)r;
    return LAB_NOT_SUPPORTED;
}

int lab_memory_record(int begin, int strict) {
    (void)begin, (void)strict;
    return LAB_NOT_SUPPORTED;
}

int lab_memory_recorded(void) { return 0; }
int lab_memory_untouched(const lab_request *r) {
    (void)r;
    return LAB_NOT_SUPPORTED;
}
int lab_memory_replay(void) { return LAB_NOT_SUPPORTED; }
void *lab_memory_stream(void) { return 0; }

int lab_memory_makes_code(void) { return 0; }
void lab_memory_hide(int hidden) { (void)hidden; }
