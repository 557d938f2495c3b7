// memory_host.c: a stage in C works on the arena itself.
#include "memory.h"

char *lab_memory_open(char *arena, size_t bytes) {
    (void)bytes;
    return arena;
}

int lab_memory_load(size_t bytes) {
    (void)bytes;
    return 0;
}

int lab_memory_store(size_t bytes) {
    (void)bytes;
    return 0;
}
