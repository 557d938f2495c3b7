// results.c: loads results.json; jansson checks it object by object, the innermost first.
#include "results.h"

#include <ctype.h>
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "series.h"
#include "tasks.h"
#include "verdict.h"

// What is wrong, and where: tasks[1].cases[3].
typedef struct {
    char where[128], what[JSON_ERROR_TEXT_LENGTH];
} fault;

// The object has the fields of the format (jansson's) and no others; "o" stands for any type, null too.
static int has(json_t *object, fault *f, const char *format, ...) {
    json_error_t error;
    va_list keys;
    va_start(keys, format);
    const int good = json_vunpack_ex(object, &error, JSON_STRICT | JSON_VALIDATE_ONLY, format, keys) == 0;
    va_end(keys);
    if (!good) snprintf(f->what, sizeof f->what, "%s", error.text);
    return good;
}

static int complain(fault *f, const char *what) {
    snprintf(f->what, sizeof f->what, "%s", what);
    return 0;
}

// Goes into a field: nothing where it is absent (has() asks for those that must be there).
static int into(json_t *object, const char *key, fault *f, int (*check)(json_t *, fault *)) {
    json_t *value = json_object_get(object, key);
    char deeper[sizeof f->where];
    if (!value || check(value, f)) return 1;
    snprintf(deeper, sizeof deeper, ".%s%.100s", key, f->where);
    memcpy(f->where, deeper, sizeof deeper);
    return 0;
}

static int each(json_t *object, const char *key, fault *f, int (*check)(json_t *, fault *)) {
    json_t *list = json_object_get(object, key), *value;
    size_t i;
    char deeper[sizeof f->where];
    if (list && !json_is_array(list)) return complain(f, "must be a list");
    json_array_foreach(list, i, value) {
        if (check(value, f)) continue;
        snprintf(deeper, sizeof deeper, ".%s[%zu]%.90s", key, i, f->where);
        memcpy(f->where, deeper, sizeof deeper);
        return 0;
    }
    return 1;
}

static int verdict(json_t *object, fault *f) {
    lab_verdict known;
    return lab_verdict_parse(lab_str(object, "verdict"), &known) || complain(f, "verdict: is no verdict of the lab");
}

static int shape(json_t *o, fault *f) {
    return has(o, f, "{s:i, s:i, s:i, s:i, s:i, s:b}", "batch", "heads", "seq_q", "seq_kv", "head_dim", "causal");
}

static int criterion(json_t *o, fault *f) {
    return has(o, f, "{s:s, s:s, s:F, s:F, s:s, s?F, s?F, s?F, s?s}", "name", "kind", "points", "max_points", "why",
               "value", "from", "to", "unit");
}

static int test_case(json_t *o, fault *f) {
    return has(o, f, "{s:s, s:s, s:o, s:s, s:o, s:F, s:o, s:o, s:i, s:o, s:F, s?s}", "name", "criterion", "shape",
               "verdict", "max_err", "tolerance", "rms_rel_err", "first_bad", "bad_elements", "diagnosis", "seconds",
               "todo") &&
           (strspn(lab_str(o, "todo"), "0123456789.") == strlen(lab_str(o, "todo")) || complain(f, "todo: is none")) &&
           verdict(o, f) && into(o, "shape", f, shape);
}

static int timing(json_t *o, fault *f) {
    if (!has(o, f, "{s:s, s:s, s:o, s:o, s:o, s:s, s:s, s:i, s:o, s:o, s:F, s:F, s:o, s:o, s?s, s?F, s?F, s?F}",
             "series", "case", "shape", "threads", "tiles", "implementation", "verdict", "runs", "median_s", "iqr_s",
             "flops", "bytes", "extra_bytes", "speedup", "why", "tbt_p99_s", "tokens_per_s", "attention_share"))
        return 0;
    const double seconds = lab_num(o, "median_s");
    if (!lab_series_find(lab_str(o, "series"))) return complain(f, "series: names no series of the lab");
    if (!isnan(seconds) && seconds <= 0) return complain(f, "median_s: must be above 0");
    return verdict(o, f) && into(o, "shape", f, shape);
}

static int count(json_t *o, fault *f) {
    return has(o, f, "{s:s, s:s, s:i, s:i, s:i, s:i, s?i, s?i, s?i, s?o, s?b}", "case", "buffer", "bytes_loaded",
               "bytes_stored", "sectors", "bank_conflicts", "least_bytes", "wavefronts", "multiply_adds", "shape",
               "sampled") &&
           into(o, "shape", f, shape);
}

static int finding(json_t *o, fault *f) {
    return has(o, f, "{s:s, s:s, s:s}", "case", "verdict", "finding") && verdict(o, f);
}

static int profile(json_t *o, fault *f) {
    return has(o, f, "{s:s, s:s, s?s, s?o, s?i, s?i, s?i, s?F, s?F, s?F, s?F, s?F, s?i, s?F}", "kernel", "source",
               "case", "shape", "registers", "spill_bytes", "shared_bytes", "seconds", "dram_bytes", "memory_pct",
               "sm_pct", "occupancy_pct", "bank_conflicts", "flops") &&
           into(o, "shape", f, shape);
}

static int demo(json_t *o, fault *f) {
    return has(o, f, "{s:s, s:s, s?s, s?{s:i, s:i, s:i}}", "prompt", "text", "reference_text", "recall", "asked",
               "yours", "reference");
}

static int task(json_t *o, fault *f) {
    if (!has(o, f, "{s:s, s:s, s:s, s:F, s:F, s?s, s:o, s:o, s:o, s:o, s?o, s?o, s?s, s?s, s?o, s?b}", "id", "title",
             "verdict", "score", "max_score", "message", "criteria", "cases", "timings", "counts", "findings",
             "profile", "profile_note", "unlooked", "demo", "same_text"))
        return 0;
    if (!lab_task_find(lab_str(o, "id"))) return complain(f, "id: names no task of the lab");
    return verdict(o, f) && each(o, "criteria", f, criterion) && each(o, "cases", f, test_case) &&
           each(o, "timings", f, timing) && each(o, "counts", f, count) && each(o, "findings", f, finding) &&
           each(o, "profile", f, profile) && into(o, "demo", f, demo);
}

static int peak(json_t *o, fault *f) { return has(o, f, "{s:s, s:i, s:F}", "isa", "threads", "gflop_s"); }
static int bandwidth(json_t *o, fault *f) { return has(o, f, "{s:i, s:F}", "threads", "gb_s"); }

static int machine(json_t *o, fault *f) {
    return has(o, f, "{s:s, s:i, s:o, s:s, s?{s:F, s:F}, s?o, s?o, s?{s:F, s:F, s:F, s?F, s?F, s?F}}", "cpu", "cores",
               "gpu", "compiler", "ceilings", "bandwidth_gb_s", "gflop_s", "fma_peaks", "bandwidths", "gpu_rates",
               "copy_gb_s", "read_gb_s", "fma_gflop_s", "gemm_gflop_s", "tensor_gflop_s", "kernels_s") &&
           each(o, "fma_peaks", f, peak) && each(o, "bandwidths", f, bandwidth);
}

static int by_hand(json_t *o, fault *f) { return has(o, f, "{s:s, s:o, s:s}", "item", "points", "comment"); }

static int manual(json_t *o, fault *f) {
    return has(o, f, "{s:o, s:F, s:F, s:F}", "items", "late_days", "penalty", "total") && each(o, "items", f, by_hand);
}

static int document(json_t *o, fault *f) {
    if (!has(o, f, "{s:i, s:s, s:s, s:s, s:s, s:o, s:F, s:F, s:F, s:o, s?b, s?o, s?s, s?{s:s, s:s}}", "schema",
             "submission", "created", "lab_commit", "backend", "machine", "score", "max_score", "bonus", "tasks",
             "sandboxed", "manual", "nickname", "rescored", "at", "lab_commit"))
        return 0;
    if (lab_num(o, "schema") != 1) return complain(f, "schema: must be 1");
    return into(o, "machine", f, machine) && into(o, "manual", f, manual) && each(o, "tasks", f, task);
}

// A CUDA kernel on the CPU (simt) has no speed: a time that is there all the same goes, and the row says why.
static void withdraw_kernel_times(json_t *root) {
    json_t *one, *t;
    size_t i, k;
    if (lab_is(root, "backend", "cuda")) return;
    json_array_foreach(json_object_get(root, "tasks"), i, one) {
        json_array_foreach(json_object_get(one, "timings"), k, t) {
            if (!lab_on_gpu(t) && !lab_series_find(lab_str(t, "series"))->of_gpu) continue;
            if (isnan(lab_num(t, "median_s"))) continue;
            json_object_set_new(t, "median_s", json_null());
            json_object_set_new(t, "speedup", json_null());
            json_object_del(t, "tbt_p99_s"), json_object_del(t, "tokens_per_s"), json_object_del(t, "attention_share");
            json_object_set_new(t, "verdict", json_string("SKIPPED"));
            json_object_set_new(t, "why", json_string("no GPU: a time on the CPU is no kernel's speed"));
        }
    }
}

json_t *lab_results_load(const char *path, char *error, size_t size) {
    json_error_t syntax;
    fault f = {"", ""};
    json_t *root = json_load_file(path, JSON_REJECT_DUPLICATES, &syntax);
    if (root && document(root, &f)) {
        withdraw_kernel_times(root);
        return root;
    }
    if (root)
        snprintf(error, size, "%s: %s: %s", path, *f.where ? f.where + 1 : "the document", f.what);
    else if (syntax.line < 1)
        snprintf(error, size, "cannot read %s: %s", path, syntax.text);
    else
        snprintf(error, size, "%s:%d: not JSON: %s", path, syntax.line, syntax.text);
    json_decref(root);
    for (char *c = error; *c; c++)
        if (iscntrl((unsigned char)*c)) *c = '?';  // one line, whatever a file is called
    return NULL;
}

const char *lab_str(const json_t *object, const char *key) {
    const char *text = json_string_value(json_object_get(object, key));
    return text ? text : "";
}

double lab_num(const json_t *object, const char *key) {
    const json_t *value = json_object_get(object, key);
    return json_is_number(value) ? json_number_value(value) : NAN;
}

int lab_is(const json_t *object, const char *key, const char *value) { return !strcmp(lab_str(object, key), value); }

int lab_same(const json_t *a, const json_t *b, const char *key) {
    return json_equal(json_object_get(a, key), json_object_get(b, key));
}

double lab_dim(const json_t *object, const char *key) { return lab_num(json_object_get(object, "shape"), key); }

const json_t *lab_task_in(const json_t *root, const char *id) {
    json_t *one;
    size_t i;
    json_array_foreach(json_object_get(root, "tasks"), i, one) if (lab_is(one, "id", id)) return one;
    return NULL;
}

int lab_measured(const json_t *t) {
    return !isnan(lab_num(t, "median_s")) && (lab_is(t, "verdict", "PASSED") || lab_is(t, "verdict", "TIMING_SUSPECT"));
}

int lab_on_gpu(const json_t *timing) { return isnan(lab_num(timing, "threads")); }

json_t *lab_timings(const json_t *root, const char *id, const char *series, const char *implementation) {
    json_t *found = json_array(), *one, *t;
    size_t i, k;
    json_array_foreach(json_object_get(root, "tasks"), i, one) {
        if (id && !lab_is(one, "id", id)) continue;
        json_array_foreach(json_object_get(one, "timings"), k, t) {
            if (lab_measured(t) && lab_is(t, "series", series) &&
                (!implementation || !*implementation || lab_is(t, "implementation", implementation)))
                json_array_append(found, t);
        }
    }
    return found;
}

json_t *lab_implementation_names(const json_t *timings) {
    json_t *names = json_array(), *seen = json_object(), *t;
    size_t i;
    json_array_foreach(timings, i, t) {
        const char *name = lab_str(t, "implementation");
        if (json_object_get(seen, name)) continue;
        json_object_set_new(seen, name, json_true());
        json_array_append(names, json_object_get(t, "implementation"));
    }
    json_decref(seen);
    return names;
}
