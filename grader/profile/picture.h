// picture.h: what one block of a student's kernel did, request by request, as simt's checked mode recorded it
// (grader/simt/check/record.cpp), and what it is drawn as.
#ifndef LAB_PROFILE_PICTURE_H
#define LAB_PROFILE_PICTURE_H

#include <stdint.h>
#include <stdio.h>

#include <jansson.h>

#include "ops.h"

enum { LAB_LANES = 32, LAB_MOST_REGIONS = 24, LAB_MOST_DRAWN = 32, LAB_MOST_LAUNCHES = 8, LAB_NO_REGION = -1 };
enum { LAB_SAW_LOAD, LAB_SAW_STORE, LAB_SAW_ATOMIC, LAB_SAW_COPY };

typedef struct {
    int line, op, bytes;  // bytes of a lane
    char file[256];
} lab_site;

// One load or store of a warp: lane[i] touches `bytes` bytes of the region from offset[i] on.
typedef struct {
    int phase, warp, site, region, n, taken, least;  // taken: sectors or wavefronts
    int lane[LAB_LANES];
    uint32_t offset[LAB_LANES], word[LAB_LANES][4];
    uint32_t reported;  // lanes at which something is wrong
    // For a store to shared memory of what this thread has loaded: the region, and the word there; else LAB_NO_REGION.
    int source[LAB_LANES];
    uint32_t source_word[LAB_LANES];
} lab_seen;

typedef struct {
    char name[64];
    int shared, words, columns;  // columns: of a row, 0 where it is not known
    json_t *before;              // its words before the launch, or NULL
} lab_region;

// A part of a region that is drawn as a matrix: words first .. first + words - 1, pitch words a row.
typedef struct {
    char name[64];
    int region, first, words, pitch;
} lab_drawn;

typedef struct {
    const char *kernel;
    int grid[3], threads[3], block[3], truncated;
    lab_site *site;
    int n_sites;
    lab_seen *seen;
    int n_seen;
    lab_region region[LAB_MOST_REGIONS];
    int n_regions;
    lab_drawn drawn[LAB_MOST_DRAWN];
    int n_drawn;
    const json_t *barriers, *faults;  // lines; what was reported
    json_t *root;
} lab_launch;

typedef struct {
    const char *task, *point, *path;
    const lab_op *op;
    attn_shape shape;
    char *source;
    json_t *reports;  // simt's reports
    lab_launch launch[LAB_MOST_LAUNCHES];
    int n;
} lab_picture;

// The launches of the student's kernels, from SIMT_RECORD and SIMT_REPORT. 0, and a sentence in why, if there are none.
int lab_picture_read(lab_picture *p, const char *record, const char *report, char *why, size_t size);
void lab_picture_free(lab_picture *p);

void lab_find_sources(lab_launch *l);  // which stores to shared memory are copies of global memory
void lab_find_arrays(lab_launch *l);   // what is drawn: after lab_find_sources
const lab_drawn *lab_drawn_at(const lab_launch *l, int region, int word);

// What a report is about: "K" or the part of dynamic shared memory.
void lab_reported_place(const lab_picture *p, const json_t *report, char *text, size_t size);
void lab_picture_verdict(const lab_launch *l, const lab_picture *p, char *text, size_t size);  // on m, l and the output

void lab_picture_tell(const lab_picture *p);            // a few lines for a terminal
int lab_picture_page(const lab_picture *p, FILE *out);  // 0 if it cannot be written

#endif
