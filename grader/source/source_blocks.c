// source_blocks.c: a race between two blocks in global memory, which no barrier orders.
//
//     const int j0 = blockIdx.z * BC;     ...     O[row * D + d] = o / l;      blocks that differ in z store the same
//     slot = lengths[b]; if (h == 0) lengths[b] = slot + 1;                    a later block finds it counted already
#include "source_hints.h"
#include "source_lines.h"
#include "source_settings.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

// The line of an access of that kind, "read" or "write", and the next one. 0: none is reported.
static int lines_of(const char *report, const char *kind, int line[2]) {
    int n = 0;
    for (const char *at = report; n < 2 && (at = strstr(at, kind)); at += strlen(kind)) {
        const char *thread = strstr(at, "thread ("), *place = thread ? strstr(thread, ".cu:") : NULL;
        if (thread && thread - at < 30 && place) line[n++] = atoi(place + 4);
    }
    return n;
}

// What depends on the block's number along an axis, between these places.
static void made_of(const char *text, const char *from, const char *to, const char *axis, lab_names *in) {
    lab_setting set[LAB_MOST_SET];
    in->n = 1, snprintf(in->name[0], sizeof in->name[0], "%s", axis);
    lab_varying(text, set, lab_settings_of(from, to, set), in);
}

// The line that makes a name of the block's number: where it is set, its name, and the axis along which nothing says
// where the line `at` stores.
static const char *unasked_axis(const char *text, const char *from, const char *at, const char **axis,
                                char name[LAB_LONGEST_WORD]) {
    static const char *const axes[] = {"blockIdx.z", "blockIdx.y", "blockIdx.x"};
    const char *end = at + strcspn(at, ";\n");
    lab_setting set[LAB_MOST_SET], stored[LAB_MOST_SET];
    const int n = lab_settings_of(from, at, set), stores = lab_settings_of(at, end, stored);
    for (int a = 0; a < 3; a++) {
        lab_names in;
        made_of(text, from, at, axes[a], &in);
        if (in.n == LAB_MOST_VARYING || n == LAB_MOST_SET || !stores) continue;
        const char *begin = stored[0].left;
        if (lab_has_one_of(begin, stored[stores - 1].left_end, &in)) continue;
        for (int i = 0; i < n; i++)
            if (lab_has_word(set[i].value, set[i].end, axes[a]) &&
                lab_copy_word(lab_last_word(&set[i]), set[i].left_end, name) && *name) {
                *axis = axes[a];
                return set[i].left;
            }
    }
    return NULL;
}

static int stores_the_same(const char *text, const char *report, char *sentence, size_t size) {
    int line[2];
    const char *axis;
    char name[LAB_LONGEST_WORD];
    if (strncmp(report, "data race: global O[", 20) || lines_of(report, "write", line) < 2 || line[0] != line[1])
        return 0;
    const char *at = lab_line_at(text, line[0]), *from = at ? lab_function_of(text, at) : NULL;
    const char *made = from ? unasked_axis(text, from, at, &axis, name) : NULL;
    if (!made) return 0;
    snprintf(sentence, size,
             "line %d stores O at places that do not depend on %s, of which line %d makes %s: blocks that differ in it "
             "alone overwrite what each of them has made of its own share. One block goes over all shares of its rows, "
             "in a loop",
             line[0], axis, lab_line_of(text, made), name);
    return 1;
}

static int counts_while_others_read(const char *text, const char *report, char *sentence, size_t size) {
    int read[2], written[2];
    if (strncmp(report, "data race: global lengths", 25)) return 0;
    if (!lines_of(report, "read", read) || !lines_of(report, "write", written)) return 0;
    const char *reads = lab_line_at(text, read[0]), *counts = lab_line_at(text, written[0]);
    if (!reads || !counts || lab_function_of(text, reads) != lab_function_of(text, counts)) return 0;
    snprintf(sentence, size,
             "line %d counts lengths[b] while blocks of the same sequence may still have to read it, in line %d: a "
             "block that comes later finds the token counted already. No barrier orders two blocks: count in a kernel "
             "of its own, behind, or let one block store all heads of a sequence",
             written[0], read[0]);
    return 1;
}

int lab_hint_of_blocks(const char *text, const char *report, char *sentence, size_t size) {
    if (!strstr(report, "another block's thread (")) return 0;
    return stores_the_same(text, report, sentence, size) || counts_while_others_read(text, report, sentence, size);
}
