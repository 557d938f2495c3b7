// seed.c: read once, then gone.
#include "seed.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

uint64_t lab_take_seed(uint64_t otherwise) {
    char *text = getenv("LAB_SEED");
    if (!text) return otherwise;
    const uint64_t seed = strtoull(text, NULL, 0);
    memset(text, 0, strlen(text));  // /proc/PID/environ shows this very memory
    unsetenv("LAB_SEED");
    return seed;
}

uint64_t lab_read_seed(int fd, uint64_t otherwise) {
    char text[32];
    const ssize_t n = read(fd, text, sizeof text - 1);
    close(fd);
    if (n <= 0) return otherwise;
    text[n] = 0;
    return strtoull(text, NULL, 0);
}
