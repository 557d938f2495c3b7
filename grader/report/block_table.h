// block_table.h: the table of blocks, and what fills them.
#ifndef LAB_BLOCK_TABLE_H
#define LAB_BLOCK_TABLE_H

#include "blocks.h"

extern const lab_block lab_blocks[];
extern const int lab_n_blocks;

// Rows: a new array, the caller's. A view's task and series leave out the others.
json_t *lab_rows_run(const lab_view *view);             // rows_score.c: who, when, where
json_t *lab_rows_summary(const lab_view *view);         // a row a task
json_t *lab_rows_todos(const lab_view *view);           // which TODOs hold, which is next
json_t *lab_rows_points(const lab_view *view);          // a row a criterion
json_t *lab_rows_cases(const lab_view *view);           // a row a claim, failing ones first
json_t *lab_rows_timings(const lab_view *view);         // rows_timings.c: a row a timing
json_t *lab_rows_baselines(const lab_view *view);       // rows_ratios.c: yours against the baselines, a row a shape
json_t *lab_rows_speedups(const lab_view *view);        // the same for task 4's four speed-ups
json_t *lab_rows_naive_vs_fused(const lab_view *view);  // task 2 against task 4 at equal shapes: time
json_t *lab_rows_traffic_saved(const lab_view *view);   // and counted bytes
json_t *lab_rows_counts(const lab_view *view);          // rows_counted.c: memory traffic by buffer
json_t *lab_rows_ncu(const lab_view *view);             // kernels as the profiler saw them
json_t *lab_rows_ptxas(const lab_view *view);           // and as the compiler did
json_t *lab_rows_bounds(const lab_view *view);          // rows_intensity.c: memory- or compute-bound, a row a point
json_t *lab_rows_derivation(const lab_view *view);      // FLOPs per byte by formula
json_t *lab_rows_ceilings(const lab_view *view);        // what the machine can do

// Prose.
void lab_say_headline(FILE *out, const lab_view *view);    // prose.c
void lab_say_unlooked(FILE *out, const lab_view *view);    // where nobody has looked for races, and why
void lab_say_next_steps(FILE *out, const lab_view *view);  // next_steps.c
void lab_say_remarks(FILE *out, const lab_view *view);     // what makes a time doubtful; tasks that have none
void lab_say_absent(FILE *out, const lab_view *view);      // baselines that were not measured, and why
void lab_say_notes(FILE *out, const lab_view *view);       // why ncu measured nothing
void lab_say_demo(FILE *out, const lab_view *view);
void lab_say_ridge(FILE *out, const lab_view *view);
void lab_say_derivation(FILE *out, const lab_view *view);
void lab_say_method(FILE *out, const lab_view *view);
void lab_show_plots(FILE *out, const lab_view *view);  // plots.c

// The tasks of a view one by one: for (size_t i = 0; (task = lab_next_task(view, &i));)
json_t *lab_next_task(const lab_view *view, size_t *i);

#endif
