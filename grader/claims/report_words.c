// report_words.c: words for reports of checked mode.
#include "report_words.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

// The first thread of block (0,0,z) is at the first tile of a matrix, which has all that a tile may lack at an edge. Half a
// matrix behind the end of z + 1 of them is no loop that goes some steps too far.
static int begins_outside(const char *diagnosis) {
    const char *block = strstr(diagnosis, "out of bounds: global ") ? strstr(diagnosis, "block (0,0,") : NULL;
    const char *at = strstr(diagnosis, "The address is "), *of = at ? strstr(at, " past the end of its ") : NULL;
    const int z = block ? atoi(block + strlen("block (0,0,")) : 0;
    return z > 0 && of && strstr(diagnosis, "read thread (0,0,0)") &&
           2 * (z + 1) * atol(at + strlen("The address is ")) > atol(of + strlen(" past the end of its "));
}

// A wrong result is not mended by leaving a stray access out, or by setting what is read: the index may be wrong.
void lab_temper_advice(lab_result *r, int cause_is_said) {
    const char *instead =
        cause_is_said && (r->verdict != LAB_RACE || strstr(r->diagnosis, "another block's thread") ||
                          strstr(r->diagnosis, "global lengths"))  // who is to count is the question, and not when
            ? "this may follow from it"
            : strstr(r->diagnosis, "out of bounds: global") && strstr(r->diagnosis, "write thread (") &&
                      strstr(r->diagnosis, "right behind the last")
                  ? "In the last tile, which need not be full, does a thread store here whose row or column does not "
                    "exist? Who stores has to ask"
              : begins_outside(r->diagnosis)
                  ? "The numbers are wrong, too. It is the first thread of the first block with this blockIdx.z: where "
                    "does what belongs to that z begin?"
              : strstr(r->diagnosis, "out of bounds")
                  ? "The numbers are wrong, too: where does this index come from, and is the last tile full?"
              : strstr(r->diagnosis, "never written")
                  ? "Is the element never written, or is it another one that should be read here?"
                  : NULL;
    char *advice = strstr(r->diagnosis, "; What to do: ");
    if (advice && instead) snprintf(advice, sizeof r->diagnosis - (size_t)(advice - r->diagnosis), "; %s", instead);
}

// "global workspace[0]", "decode.cu:76": what is read, and where.
void lab_say_stray(const lab_case *c, const char *report, char *note, size_t size) {
    const char *what = strstr(report, "data race: "), *where = strstr(report, "read thread (");
    what = what ? what + strlen("data race: ") : "memory";
    where = where ? strstr(where, ") ") : NULL;
    where = where ? where + 2 : "the kernel";
    snprintf(note, size,
             "in %s, %.*s is read in %.*s while another block writes it, and other claims fail without that: perhaps "
             "an index is too large, and the read has left its own tensor%s",
             c->claim, (int)strcspn(what, ";\n"), what, (int)strcspn(where, " ;\n"), where,
             c->op == &lab_decode_split ? ". Does a split go beyond the last key of its sequence?" : "");
}

// Right numbers, and a read behind a tensor: a vector load at the end of its last row, or a score that is masked later.
const char *lab_read_behind(const char *report) {
    const char *read = strstr(report, "out of bounds: global ");
    return read && strstr(read, "read thread")
               ? "; Behind a tensor begins the memory of somebody else: not even a part of a float4 may be read there, "
                 "or a number that is masked later"
               : "";
}
