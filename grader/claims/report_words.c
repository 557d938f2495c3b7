// report_words.c: words for reports of checked mode.
#include "report_words.h"

#include <ctype.h>
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

// The first thread of the first block writes far behind the end, before any loop can have gone too far: it is no last tile.
static int is_first_of_all(const char *diagnosis) {
    const char *block = strstr(diagnosis, "out of bounds: global ") ? strstr(diagnosis, "block (0,0,0)") : NULL;
    const char *at = strstr(diagnosis, "The address is "), *of = at ? strstr(at, " past the end of its ") : NULL;
    return block && of && strstr(diagnosis, "write thread (0,0,0)") &&
           4 * atol(at + strlen("The address is ")) > atol(of + strlen(" past the end of its "));
}

// A split behind the last key, of K or V.
static int is_split_without_keys(const lab_case *c, const char *diagnosis) {
    return c->op == &lab_decode_split && c->n_splits > c->shape.seq_kv &&
           (strstr(diagnosis, "out of bounds: global K_cache[") || strstr(diagnosis, "out of bounds: global V_cache["));
}

// A wrong result is not mended by leaving a stray access out, or by setting what is read: the index may be wrong.
void lab_temper_advice(const lab_case *c, lab_result *r, int cause_is_said) {
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
              : is_split_without_keys(c, r->diagnosis)
                  ? "There are more splits than keys here: where a split begins, and where it ends, is never beyond "
                    "lengths[b], and a split behind the last key has none"
              : is_first_of_all(r->diagnosis)
                  ? c->op == &lab_decode_split && strstr(r->diagnosis, "global workspace[")
                        ? "It is the first thread of the first block: where does what it writes begin? O_s is batch * "
                          "heads * n_splits * head_dim numbers of the workspace, and L_s stands right behind them"
                        : "It is the first thread of the first block: where does what it writes begin?"
              : strstr(r->diagnosis, "out of bounds: shared")  // it has room for whole tiles
                  ? "The numbers are wrong, too: where does this index come from, and for how many has the array room?"
                  : strstr(r->diagnosis, "out of bounds")
                        ? "The numbers are wrong, too: where does this index come from, and is the last tile full?"
                    : strstr(r->diagnosis, "never written")
                        ? "Is the element never written, or is it another one that should be read here?"
                        : NULL;
    char *advice = strstr(r->diagnosis, "; What to do: ");
    // A barrier between two threads of a block does not hold up those of other heads.
    char *barrier = cause_is_said ? strstr(r->diagnosis, "global lengths") : NULL;
    if (barrier && (barrier = strstr(barrier, "; The two threads are "))) advice = barrier;
    if (advice && instead) snprintf(advice, sizeof r->diagnosis - (size_t)(advice - r->diagnosis), "; %s", instead);
}

// "decode.cu:76": where an access of that kind is, "write" or "read", of this block or another; NULL: none is reported.
static const char *place_of(const char *report, const char *kind) {
    for (const char *at = report, *thread; (at = strstr(at, kind)); at += strlen(kind)) {
        thread = strncmp(at + strlen(kind), " another block's", 16) ? at + strlen(kind) : at + strlen(kind) + 16;
        if (!strncmp(thread, " thread (", 9) && strstr(thread, ") ")) return strstr(thread, ") ") + 2;
    }
    return NULL;
}

// What is read, or written twice, and where.
void lab_say_stray(const lab_case *c, const char *report, char *note, size_t size) {
    const char *what = strstr(report, "data race: "), *read = place_of(report, "read"),
               *written = place_of(report, "write");
    what = what ? what + strlen("data race: ") : "memory";
    const int n = (int)strcspn(what, ";\n");
    if (read)
        snprintf(note, size,
                 "in %s, %.*s is read in %.*s while another block writes it, and other claims fail without that: "
                 "perhaps an index is too large, and the read has left its own tensor%s",
                 c->claim, n, what, (int)strcspn(read, " ;\n"), read,
                 c->op == &lab_decode_split ? ". Does a split go beyond the last key of its sequence?" : "");
    else
        snprintf(note, size,
                 "in %s, two blocks write %.*s, in %.*s: one of them stores what belongs to the other. Where do its "
                 "rows begin, and does the condition of the store ask how many there are?",
                 c->claim, n, what, written ? (int)strcspn(written, " ;\n") : 0, written ? written : "");
}

// "data race: global P[256]" is of that, and these are the places of the two writes, those of the lab left out.
static int is_of_lab(const char *place) { return strncmp(place, "task", 4) == 0 && isdigit((unsigned char)place[4]); }

void lab_say_left(const lab_case *c, const char *report, char *note, size_t size) {
    const char *what = strstr(report, "data race: "), *place[2] = {place_of(report, "write"), NULL};
    char line[2][80] = {"", ""};
    int n = 0;
    if (place[0]) place[1] = place_of(place[0], "write");
    for (int i = 0; i < 2; i++) {
        if (!place[i] || is_of_lab(place[i])) continue;
        snprintf(line[n], sizeof line[n], "%.*s", (int)strcspn(place[i], " ;\n"), place[i]);
        n += !n || strcmp(line[0], line[1]) != 0;
    }
    what = what ? what + strlen("data race: ") : "memory";
    snprintf(note, size,
             "in %s, %.*s is written by two blocks, and something behind the end of the tensor, too: an index goes on "
             "behind what its block has to write, at %s%s%s",
             c->claim, (int)strcspn(what, ";\n"), what, line[0], n > 1 ? " or " : "", n > 1 ? line[1] : "");
}

// Right numbers, and a read behind a tensor: a vector load at the end of its last row, or a score that is masked later.
const char *lab_read_behind(const char *report) {
    const char *read = strstr(report, "out of bounds: global ");
    return read && strstr(read, "read thread")
               ? "; Behind a tensor begins the memory of somebody else: not even a part of a float4 may be read there, "
                 "or a number that is masked later"
               : "";
}
