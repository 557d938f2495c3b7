// lines.h: what each line of a student's file moves, as simt's checked mode counts it.
#ifndef LAB_PROFILE_LINES_H
#define LAB_PROFILE_LINES_H

#include <stdint.h>
#include <stdio.h>

enum { LAB_GLOBAL, LAB_SHARED, LAB_SPACES };
enum { LAB_MOST_LINES = 1024 };

typedef struct {
    int line, space, stores;   // stores: 1, loads: 0, atomics: 2
    int bytes;                 // of a lane
    uint64_t requests, lanes;  // instructions of a warp; lanes that take part, summed over them
    uint64_t cost, least;      // sectors of 32 bytes (global) or wavefronts (shared); the least there can be
} lab_line;

typedef struct {
    const char *task, *point, *path;  // what was counted, of which file
    lab_line row[LAB_MOST_LINES];     // by line, then space
    int n;
    uint64_t cost[LAB_SPACES];  // summed
    double flops;               // by the task's formula
    uint64_t tensor_flops;      // of all kernels, on tensor cores: counted
    char *source;               // the file's text
} lab_lines;

// From simt's report (SIMT_REPORT) and the file. Returns 0, and a sentence in why, if one of them cannot be read.
int lab_lines_read(lab_lines *l, const char *report, const char *path, char *why, size_t size);
void lab_lines_free(lab_lines *l);

const char *lab_line_remark(const lab_line *r);                             // "not coalesced", or ""
void lab_line_text(const lab_lines *l, int line, char *text, size_t size);  // of the file, without what leads it

void lab_lines_show(const lab_lines *l);            // the hottest lines, for a terminal
int lab_lines_page(const lab_lines *l, FILE *out);  // the whole file, as a page. Returns 0 if it cannot be written

#endif
