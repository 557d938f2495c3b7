// page.h: the sections of Results.md, in the order in which they stand on the page. Each prints to standard output.
#ifndef PAGE_H
#define PAGE_H

#include <jansson.h>
#include <stdbool.h>

void page_headline(const json_t *root);     // page.c: who, when, where, how many points
void page_summary(const json_t *root);      // page.c: one row per task, then where the points come from
void page_next(const json_t *root);         // next.c: the one thing to do next, per task
void page_correctness(const json_t *root);  // page.c: every case, failing ones first
void page_benchmarks(const json_t *root);   // benchmarks.c: every timing
bool page_has_series(const char *name);     // benchmarks.c: whether timings have a series of this name
void page_gap(const json_t *root);        // gap.c: yours against the baselines, the four speed-ups, naive against fused
void page_profile(const json_t *root);    // profile.c: what the compiler and the profiler say of each kernel
void page_demo(const json_t *root);       // demo.c: task 6's demo; nothing where there is none
void page_intensity(const json_t *root);  // intensity.c: FLOPs per byte, derived in numbers
void page_plots(const json_t *root, const char *plots_folder);  // figures.c: pictures, or why there is none
void page_method(const json_t *root);                           // method.c: how it was measured

#endif
