// fields.c: the fields of results.json, object by object, the innermost first.
#include "fields.h"

#include <stddef.h>

static const field shape_fields[] = {{"batch", COUNT, false, NULL},    {"heads", COUNT, false, NULL},
                                     {"seq_q", COUNT, false, NULL},    {"seq_kv", COUNT, false, NULL},
                                     {"head_dim", COUNT, false, NULL}, {"causal", BOOLEAN, false, NULL},
                                     {NULL, TEXT, false, NULL}};

static const field ceilings_fields[] = {
    {"bandwidth_gb_s", POSITIVE, false, NULL}, {"gflop_s", POSITIVE, false, NULL}, {NULL, TEXT, false, NULL}};

static const field peak_fields[] = {{"isa", TEXT, false, NULL},
                                    {"threads", COUNT, false, NULL},
                                    {"gflop_s", POSITIVE, false, NULL},
                                    {NULL, TEXT, false, NULL}};

static const field bandwidth_fields[] = {
    {"threads", COUNT, false, NULL}, {"gb_s", POSITIVE, false, NULL}, {NULL, TEXT, false, NULL}};

static const field gpu_rates_fields[] = {{"copy_gb_s", POSITIVE, false, NULL},
                                         {"read_gb_s", POSITIVE, false, NULL},
                                         {"fma_gflop_s", POSITIVE, false, NULL},
                                         {"gemm_gflop_s", POSITIVE, true, NULL},
                                         {NULL, TEXT, false, NULL}};

static const field machine_fields[] = {{"cpu", TEXT, false, NULL},
                                       {"cores", COUNT, false, NULL},
                                       {"gpu", TEXT_OR_NULL, false, NULL},
                                       {"compiler", TEXT, false, NULL},
                                       {"ceilings", OBJECT, true, ceilings_fields},
                                       {"fma_peaks", LIST, true, peak_fields},
                                       {"bandwidths", LIST, true, bandwidth_fields},
                                       {"gpu_rates", OBJECT, true, gpu_rates_fields},
                                       {NULL, TEXT, false, NULL}};

static const field criterion_fields[] = {{"name", TEXT, false, NULL},     {"kind", KIND, false, NULL},
                                         {"points", NUMBER, false, NULL}, {"max_points", NUMBER, false, NULL},
                                         {"why", TEXT, false, NULL},      {NULL, TEXT, false, NULL}};

static const field case_fields[] = {{"name", TEXT, false, NULL},
                                    {"criterion", TEXT, false, NULL},
                                    {"shape", OBJECT, false, shape_fields},
                                    {"verdict", VERDICT, false, NULL},
                                    {"max_err", NUMBER_OR_NULL, false, NULL},
                                    {"tolerance", NUMBER, false, NULL},
                                    {"rms_rel_err", NUMBER_OR_NULL, false, NULL},
                                    {"first_bad", INDEX_OR_NULL, false, NULL},
                                    {"bad_elements", INTEGER, false, NULL},
                                    {"diagnosis", TEXT_OR_NULL, false, NULL},
                                    {"seconds", NUMBER, false, NULL},
                                    {"todo", TODO, true, NULL},
                                    {NULL, TEXT, false, NULL}};

static const field timing_fields[] = {{"series", SERIES, false, NULL},
                                      {"case", TEXT, false, NULL},
                                      {"shape", OBJECT, false, shape_fields},
                                      {"threads", COUNT_OR_NULL, false, NULL},
                                      {"tiles", TILES_OR_NULL, false, NULL},
                                      {"implementation", TEXT, false, NULL},
                                      {"verdict", VERDICT, false, NULL},
                                      {"runs", INTEGER, false, NULL},
                                      {"median_s", POSITIVE_OR_NULL, false, NULL},
                                      {"iqr_s", NUMBER_OR_NULL, false, NULL},
                                      {"flops", NUMBER, false, NULL},
                                      {"bytes", NUMBER, false, NULL},
                                      {"extra_bytes", NUMBER_OR_NULL, false, NULL},
                                      {"speedup", NUMBER_OR_NULL, false, NULL},
                                      {"why", TEXT, true, NULL},
                                      {"tbt_p99_s", POSITIVE, true, NULL},
                                      {"tokens_per_s", NUMBER, true, NULL},
                                      {"attention_share", NUMBER, true, NULL},
                                      {NULL, TEXT, false, NULL}};

static const field counts_fields[] = {{"case", TEXT, false, NULL},
                                      {"buffer", TEXT, false, NULL},
                                      {"bytes_loaded", INTEGER, false, NULL},
                                      {"bytes_stored", INTEGER, false, NULL},
                                      {"sectors", INTEGER, false, NULL},
                                      {"bank_conflicts", INTEGER, false, NULL},
                                      {"least_bytes", INTEGER, true, NULL},
                                      {"shape", OBJECT, true, shape_fields},
                                      {NULL, TEXT, false, NULL}};

static const field finding_fields[] = {{"case", TEXT, false, NULL},
                                       {"verdict", VERDICT, false, NULL},
                                       {"finding", TEXT, false, NULL},
                                       {NULL, TEXT, false, NULL}};

static const field profile_fields[] = {
    {"kernel", TEXT, false, NULL},           {"source", SOURCE, false, NULL},    {"case", TEXT, true, NULL},
    {"shape", OBJECT, true, shape_fields},   {"registers", INTEGER, true, NULL}, {"spill_bytes", INTEGER, true, NULL},
    {"shared_bytes", INTEGER, true, NULL},   {"seconds", POSITIVE, true, NULL},  {"dram_bytes", NUMBER, true, NULL},
    {"memory_pct", NUMBER, true, NULL},      {"sm_pct", NUMBER, true, NULL},     {"occupancy_pct", NUMBER, true, NULL},
    {"bank_conflicts", INTEGER, true, NULL}, {"flops", NUMBER, true, NULL},      {NULL, TEXT, false, NULL}};

static const field recall_fields[] = {{"asked", INTEGER, false, NULL},
                                      {"yours", INTEGER, false, NULL},
                                      {"reference", INTEGER, false, NULL},
                                      {NULL, TEXT, false, NULL}};

static const field demo_fields[] = {{"prompt", TEXT, false, NULL},
                                    {"text", TEXT, false, NULL},
                                    {"reference_text", TEXT, true, NULL},
                                    {"recall", OBJECT, true, recall_fields},
                                    {NULL, TEXT, false, NULL}};

static const field task_fields[] = {{"id", TASK_ID, false, NULL},
                                    {"title", TEXT, false, NULL},
                                    {"verdict", VERDICT, false, NULL},
                                    {"score", NUMBER, false, NULL},
                                    {"max_score", NUMBER, false, NULL},
                                    {"message", TEXT, true, NULL},
                                    {"criteria", LIST, false, criterion_fields},
                                    {"cases", LIST, false, case_fields},
                                    {"timings", LIST, false, timing_fields},
                                    {"counts", LIST, false, counts_fields},
                                    {"findings", LIST, true, finding_fields},
                                    {"profile", LIST, true, profile_fields},
                                    {"profile_note", TEXT, true, NULL},
                                    {"demo", OBJECT, true, demo_fields},
                                    {NULL, TEXT, false, NULL}};

static const field rescored_fields[] = {
    {"at", DATE, false, NULL}, {"lab_commit", TEXT, false, NULL}, {NULL, TEXT, false, NULL}};

const field root_fields[] = {{"schema", VERSION, false, NULL},
                             {"submission", TEXT, false, NULL},
                             {"created", DATE, false, NULL},
                             {"lab_commit", TEXT, false, NULL},
                             {"backend", BACKEND, false, NULL},
                             {"machine", OBJECT, false, machine_fields},
                             {"score", NUMBER, false, NULL},
                             {"max_score", NUMBER, false, NULL},
                             {"bonus", NUMBER, false, NULL},
                             {"tasks", LIST, false, task_fields},
                             {"rescored", OBJECT, true, rescored_fields},
                             {NULL, TEXT, false, NULL}};
