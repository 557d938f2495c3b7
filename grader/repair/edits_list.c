// edits_list.c: what edits says of a file's text without a change in it.
#include "edits_list.h"

#include <stddef.h>

#include "process.h"

static const double READ_SECONDS = 5;

char *lab_edits_list(const lab_repair_ask *ask, const char *what, const char *output, const char *number) {
    static lab_process p;
    char *argv[] = {(char *)ask->edits,         (char *)ask->source, (char *)what, (char *)output,
                    number ? "--number" : NULL, (char *)number,      NULL};
    const lab_limits limits = {.arena = -1, .cpu_seconds = READ_SECONDS, .memory_bytes = (size_t)1 << 30};
    if (!lab_process_start(&p, argv, &limits)) return NULL;
    const lab_event event = lab_process_wait(&p, NULL, 0, READ_SECONDS);
    lab_process_stop(&p);
    return event != LAB_EXITED || p.exit_status ? NULL : p.text;
}
