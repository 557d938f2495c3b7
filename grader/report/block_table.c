// block_table.c: what is said of a result, in which order, under which columns.
#include "block_table.h"

#include "results.h"

#define PAGE LAB_ON_PAGE
#define DETAILS LAB_IN_DETAILS
#define REPORT LAB_IN_REPORT
#define NOT_TIMED "Grade with the benchmark (without --no-bench); CUDA kernels are timed on a GPU only."
#define RATIO_COLUMNS                                                                                                  \
    {"task", 't', "task"}, {"shape", 't', "shape"}, {"yours", 'T', "yours"}, { "yours is", 't', "ratios" }

// clang-format off
const lab_block lab_blocks[] = {
    {.name = "headline", .where = PAGE | DETAILS, .prose = lab_say_headline},
    {.name = "summary", .title = "Summary", .where = PAGE | REPORT, .rows = lab_rows_summary,
     .none = "No task was graded.", .prose = lab_say_unlooked,
     .columns = {{"task", 't', "task"}, {"verdict", 't', "verdict"}, {"claims that hold", 't', "claims"},
                 {"TODOs", 't', "todos"}, {"score", 'P', "score"}, {"of", 'P', "max_score"}}},
    {.name = "next", .title = "What to do next", .where = PAGE, .prose = lab_say_next_steps},
    {.name = "todos", .title = "TODOs", .where = PAGE, .rows = lab_rows_todos,
     .columns = {{"task", 't', "task"}, {"hold", 't', "hold"}, {"wrong", 't', "wrong"}, {"open", 't', "open"},
                 {"next", 't', "next"}}},
    {.name = "gap", .title = "Against the baselines", .where = PAGE | REPORT, .rows = lab_rows_baselines, .brief = 1,
     .none = "Not measured: these results hold no baseline at S = 128, 512 or 1024, and no decode. " NOT_TIMED,
     .prose = lab_say_absent, .columns = {RATIO_COLUMNS}},
    {.name = "bounds", .title = "Memory- or compute-bound", .where = PAGE, .rows = lab_rows_bounds,
     .prose = lab_say_ridge,
     .columns = {{"task", 't', "task"}, {"case", 't', "case"}, {"FLOP/byte", 'N', "intensity"},
                 {"GFLOP/s", 'N', "rate"}, {"verdict", 't', "bound"}, {"of its roof", 't', "share"}}},
    {.name = "plots", .title = "Plots", .where = PAGE | REPORT, .prose = lab_show_plots},

    {.name = "run", .title = "Run", .where = DETAILS | REPORT, .rows = lab_rows_run,
     .columns = {{"", 't', "what"}, {" ", 't', "value"}}},
    {.name = "summary", .title = "Points", .where = DETAILS | REPORT, .rows = lab_rows_points, .brief = -1,
     .columns = {{"task", 't', "task"}, {"criterion", 't', "name"}, {"kind", 't', "kind"}, {"points", 'P', "points"},
                 {"of", 'P', "max_points"}, {"why", 't', "why"}}},
    {.name = "claims", .title = "Correctness", .where = DETAILS, .rows = lab_rows_cases, .none = "No case ran.",
     .prose = lab_say_unlooked,
     .columns = {{"verdict", 't', "verdict"}, {"claim", 't', "name"}, {"shape", 't', "shape"},
                 {"max_err", 'E', "max_err"}, {"tolerance", 'E', "tolerance"}, {"rms error", 'E', "rms_rel_err"},
                 {"findings", 't', "findings"}}},
    {.name = "speedups", .title = "The four speed-ups of the fused kernel", .where = DETAILS | REPORT,
     .rows = lab_rows_speedups, .columns = {RATIO_COLUMNS},
     .none = "Not measured: these results hold no timing of series speedups. Kernels are timed on a GPU only."},
    {.name = "fusion", .title = "The naive chain against the fused kernel", .where = DETAILS | REPORT,
     .rows = lab_rows_naive_vs_fused, .brief = 3,
     .none = "Times not measured: task 2 and task 4 were not both timed at an equal shape. " NOT_TIMED,
     .columns = {{"shape", 't', "shape"}, {"naive chain", 'T', "naive"}, {"fused", 'T', "fused"},
                 {"fused is", 't', "ratio"}, {"model's bytes, naive", 'B', "naive_bytes"},
                 {"fused", 'B', "fused_bytes"}}},
    {.name = "fusion", .where = DETAILS | REPORT, .rows = lab_rows_traffic_saved,
     .none = "Traffic not counted: no case of task 2 and task 4 was counted for both. Backend simt counts.",
     .columns = {{"case", 't', "case"}, {"counted bytes, naive chain", 'B', "naive"}, {"fused", 'B', "fused"},
                 {"naive moves", 'X', "ratio"}}},
    {.name = "benchmark", .title = "Benchmarks", .where = DETAILS | REPORT, .rows = lab_rows_timings, .brief = 2,
     .prose = lab_say_remarks,
     .columns = {{"case", 't', "case"}, {"shape", 't', "shape"}, {"threads", 't', "threads"},
                 {"implementation", 'n', "implementation"}, {"median", 'T', "median_s"},
                 {"spread, runs", 't', "spread"}, {"rate", 't', "rate"}, {"of its ceiling", 't', "share"},
                 {"yours is", 't', "ratio"}}},
    {.name = "counts", .title = "Counted memory traffic", .where = DETAILS | REPORT, .rows = lab_rows_counts, .brief = 3,
     .none = "No memory traffic in these results: backend simt counts it in its checked mode.",
     .foot = "\"other\" is global memory that is no tensor of the task; \"shared\" is shared memory, whose bank "
             "conflicts are the accesses beyond the least. There are no caches in these counts: a tile that is read "
             "again counts again. Where sectors exceed what was moved, the lanes of a warp did not touch neighbouring "
             "bytes.",
     .columns = {{"case", 't', "case"}, {"buffer", 't', "buffer"}, {"loaded", 'B', "loaded"}, {"stored", 'B', "stored"},
                 {"least", 'B', "least"}, {"moved / least", 'X', "moved_ratio"}, {"32-byte sectors", 'D', "sectors"},
                 {"sectors / least", 'X', "sector_ratio"}, {"bank conflicts", 'D', "bank_conflicts"}}},
    {.name = "profile", .title = "Profile", .where = DETAILS | REPORT, .rows = lab_rows_ncu, .brief = 1,
     .lead = "Nsight Compute (ncu), throughput in % of its peak:", .prose = lab_say_notes,
     .columns = {{"kernel", 't', "kernel"}, {"case", 't', "where"}, {"time", 'T', "seconds"},
                 {"memory, %", 'N', "memory_pct"}, {"SM, %", 'N', "sm_pct"}, {"DRAM bytes", 'B', "dram_bytes"},
                 {"FLOP/byte", 'N', "intensity"}, {"occupancy, %", 'N', "occupancy_pct"},
                 {"registers", 'D', "registers"}, {"spills, bytes", 'D', "spill_bytes"},
                 {"bank conflicts", 'D', "bank_conflicts"}}},
    {.name = "profile", .where = DETAILS | REPORT, .rows = lab_rows_ptxas, .brief = 1,
     .lead = "The compiler (ptxas), registers and spills per thread, static shared memory per block:",
     .none = "No compiler's numbers in these results: nvcc's ptxas gives registers and spills.",
     .columns = {{"kernel", 't', "kernel"}, {"registers", 'D', "registers"}, {"spills, bytes", 'D', "spill_bytes"},
                 {"shared memory", 'B', "shared_bytes"}}},
    {.name = "demo", .title = "Demo", .where = DETAILS | REPORT, .prose = lab_say_demo},
    {.name = "intensity", .title = "Arithmetic intensity", .where = DETAILS | REPORT, .rows = lab_rows_derivation,
     .lead = "FLOPs done per byte moved to or from memory; per head, float32, full mask.", .prose = lab_say_derivation,
     .columns = {{"kernel", 't', "kernel"}, {"FLOPs", 't', "flops"}, {"bytes", 't', "bytes"},
                 {"at S = 128", 't', "at128"}, {"at S = 1024", 't', "at1024"}}},
    {.name = "intensity", .where = REPORT, .rows = lab_rows_bounds, .brief = 1, .lead = "Measured, yours:",
     .columns = {{"task", 't', "task"}, {"case", 't', "case"}, {"FLOP/byte", 'N', "intensity"},
                 {"GFLOP/s", 'N', "rate"}, {"verdict", 't', "bound"}, {"of its roof", 't', "share"}}},
    {.name = "more plots", .title = "More plots", .where = DETAILS, .prose = lab_show_plots},
    {.name = "method", .title = "How it was measured", .where = DETAILS | REPORT, .prose = lab_say_method},
    {.name = "method", .where = DETAILS | REPORT, .rows = lab_rows_ceilings,
     .columns = {{"measured ceiling", 't', "what"}, {"threads", 'D', "threads"}, {"rate", 't', "rate"}}},
};
// clang-format on

const int lab_n_blocks = sizeof lab_blocks / sizeof *lab_blocks;

json_t *lab_next_task(const lab_view *view, size_t *i) {
    json_t *task;
    while ((task = json_array_get(json_object_get(view->root, "tasks"), (*i)++)))
        if (!view->task || lab_is(task, "id", view->task)) return task;
    return NULL;
}
