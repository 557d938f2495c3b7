// results.c: loads results.json and checks it field by field against the tables of fields.c.
#include "results.h"

#include "fields.h"

#include <ctype.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

// Where the check stands, as text: tasks[1].cases[3].verdict. The first error ends the check and stays in message.
typedef struct {
    char where[256];
    char message[256];
} checker;

static bool complain(checker *check, const char *what) {
    if (!check->message[0]) {
        const char *where = check->where[0] ? check->where : "the document";
        snprintf(check->message, sizeof check->message, "%.120s: %s", where, what);
    }
    return false;
}

static bool is_one_of(const json_t *value, const char *const *names) {
    for (; json_is_string(value) && *names; names++) {
        if (strcmp(json_string_value(value), *names) == 0) {
            return true;
        }
    }
    return false;
}

static bool is_verdict(const json_t *value) {
    static const char *const verdicts[] = {
        "PASSED",         "MISSING",        "FORBIDDEN_FILE", "COMPILE_ERROR", "COMPILE_TIMEOUT", "FORBIDDEN_SYMBOL",
        "LOAD_ERROR",     "EARLY_EXIT",     "CRASH",          "TIMEOUT",       "GPU_HANG",        "OUT_OF_MEMORY",
        "ILLEGAL_ACCESS", "LAUNCH_FAILURE", "OUTPUT_LIMIT",   "NOT_FINITE",    "WRONG_ANSWER",    "NONDETERMINISTIC",
        "INPUT_MODIFIED", "RACE",           "TIMING_SUSPECT", "SKIPPED",       "GRADER_ERROR",    NULL};
    return is_one_of(value, verdicts);
}

static bool is_number(const json_t *value, double least) {
    return json_is_number(value) && json_number_value(value) >= least;
}

// JSON has one kind of number, so 3.0 is an integer too.
static bool is_integer(const json_t *value, double least) {
    return is_number(value, least) && json_number_value(value) == floor(json_number_value(value));
}

static bool is_positive(const json_t *value) { return is_number(value, 0) && json_number_value(value) > 0; }

static bool is_version(const json_t *value) { return is_number(value, 1) && json_number_value(value) == 1; }

static bool is_array_of_integers(const json_t *value, double least) {
    for (size_t i = 0; i < json_array_size(value); i++) {
        if (!is_integer(json_array_get(value, i), least)) {
            return false;
        }
    }
    return json_is_array(value);
}

// pattern: 9 stands for a digit, everything else for itself. Returns what follows the match, or NULL.
static const char *match(const char *text, const char *pattern) {
    for (; *pattern; pattern++, text++) {
        if (*pattern == '9' ? !isdigit((unsigned char)*text) : *text != *pattern) {
            return NULL;
        }
    }
    return text;
}

static bool is_date(const json_t *value) {
    const char *zone = json_is_string(value) ? match(json_string_value(value), "9999-99-99T99:99:99") : NULL;
    const char *end = NULL;
    if (zone) {
        end = *zone == 'Z' ? zone + 1 : match(zone, *zone == '-' ? "-99:99" : "+99:99");
    }
    return end && *end == '\0';
}

static bool is_task_id(const json_t *value) {
    const char *id = json_is_string(value) ? json_string_value(value) : "";
    size_t length = strlen(id);
    return length >= 1 && length <= 32 && strspn(id, "abcdefghijklmnopqrstuvwxyz0123456789_") == length;
}

static bool is_todo(const json_t *value) {
    static const char digits[] = "0123456789";
    const char *todo = json_is_string(value) ? json_string_value(value) : "";
    size_t task = strspn(todo, digits);
    size_t step = todo[task] == '.' ? strspn(todo + task + 1, digits) : 0;
    return task > 0 && step > 0 && todo[task + 1 + step] == '\0';
}

static bool check_object(checker *check, const json_t *object, const field *fields);

static bool check_list(checker *check, const json_t *list, const field *fields) {
    size_t stem = strlen(check->where);
    for (size_t i = 0; i < json_array_size(list); i++) {
        snprintf(check->where + stem, sizeof check->where - stem, "[%zu]", i);
        if (!check_object(check, json_array_get(list, i), fields)) {
            return false;
        }
        check->where[stem] = '\0';
    }
    return json_is_array(list) || complain(check, "must be a list");
}

static bool check_value(checker *check, const json_t *value, const field *f) {
    static const char *const backends[] = {"cpu", "simt", "cuda", NULL};
    static const char *const kinds[] = {"correctness", "speed", NULL};
    static const char *const series[] = {"seq",     "heads", "batch",   "threads",  "tiles", "kv",  "tokens", "graph",
                                         "kernels", "dim",   "queries", "speedups", "model", "tbt", NULL};
    static const char *const sources[] = {"ncu", "ptxas", NULL};
    bool null = json_is_null(value);
    // clang-format off
    switch (f->type) {
    case TEXT:             return json_is_string(value) || complain(check, "must be a string");
    case TEXT_OR_NULL:     return null || json_is_string(value) || complain(check, "must be a string or null");
    case NUMBER:           return is_number(value, 0) || complain(check, "must be a number >= 0");
    case NUMBER_OR_NULL:   return null || is_number(value, 0) || complain(check, "must be null or a number >= 0");
    case POSITIVE:         return is_positive(value) || complain(check, "must be a number > 0");
    case POSITIVE_OR_NULL: return null || is_positive(value) || complain(check, "must be null or a number > 0");
    case INTEGER:          return is_integer(value, 0) || complain(check, "must be an integer >= 0");
    case COUNT:            return is_integer(value, 1) || complain(check, "must be an integer >= 1");
    case COUNT_OR_NULL:    return null || is_integer(value, 1) || complain(check, "must be null or an integer >= 1");
    case BOOLEAN:          return json_is_boolean(value) || complain(check, "must be true or false");
    case VERSION:          return is_version(value) || complain(check, "must be 1");
    case DATE:             return is_date(value) || complain(check, "must be a date like 2030-01-31T12:00:00Z");
    case TASK_ID:          return is_task_id(value) || complain(check, "must be 1 to 32 of a-z, 0-9 and _");
    case TODO:             return is_todo(value) || complain(check, "must be a TODO's number like 1.2");
    case BACKEND:          return is_one_of(value, backends) || complain(check, "must be cpu, simt or cuda");
    case KIND:             return is_one_of(value, kinds) || complain(check, "must be correctness or speed");
    case SERIES:           return is_one_of(value, series) || complain(check, "names no series of the lab");
    case SOURCE:           return is_one_of(value, sources) || complain(check, "must be ncu or ptxas");
    case VERDICT:          return is_verdict(value) || complain(check, "is no verdict of the lab");
    case INDEX_OR_NULL:    return null || is_array_of_integers(value, 0) || complain(check, "must be an index or null");
    case TILES_OR_NULL:    return null || (json_array_size(value) == 2 && is_array_of_integers(value, 1)) ||
                                  complain(check, "must be [Br, Bc] or null");
    case OBJECT:           return check_object(check, value, f->fields);
    case LIST:             return check_list(check, value, f->fields);
    }
    // clang-format on
    return complain(check, "has a type that fields.h does not know");
}

static bool is_known(const char *key, const field *fields) {
    for (; fields->name; fields++) {
        if (strcmp(fields->name, key) == 0) {
            return true;
        }
    }
    return false;
}

static bool check_object(checker *check, const json_t *object, const field *fields) {
    if (!json_is_object(object)) {
        return complain(check, "must be an object");
    }
    size_t stem = strlen(check->where);
    for (const field *f = fields; f->name; f++) {
        const json_t *value = json_object_get(object, f->name);
        snprintf(check->where + stem, sizeof check->where - stem, "%s%s", stem ? "." : "", f->name);
        if (value ? !check_value(check, value, f) : (!f->optional && !complain(check, "is missing"))) {
            return false;
        }
        check->where[stem] = '\0';
    }
    const char *key;
    json_t *value;
    json_object_foreach((json_t *)object, key, value) {
        if (!is_known(key, fields)) {
            return complain(check, "has a field that results.schema.json does not name");
        }
    }
    return true;
}

static bool is_kernel_time(const json_t *timing) {
    static const char *const of_gpu[] = {"kv",       "tokens", "graph", "kernels", "queries",
                                         "speedups", "model",  "tbt",   NULL};
    return json_is_null(json_object_get(timing, "threads")) || is_one_of(json_object_get(timing, "series"), of_gpu);
}

// A CUDA kernel on the CPU (simt) has no speed. A time that stands there all the same is taken out and says so.
static void withdraw_kernel_times(json_t *root) {
    json_t *task, *timing;
    size_t t, i;
    if (strcmp(results_text(root, "backend"), "cuda") == 0) {
        return;
    }
    json_array_foreach(json_object_get(root, "tasks"), t, task) {
        json_array_foreach(json_object_get(task, "timings"), i, timing) {
            if (is_kernel_time(timing) && json_is_number(json_object_get(timing, "median_s"))) {
                json_object_set_new(timing, "median_s", json_null());
                json_object_set_new(timing, "speedup", json_null());
                json_object_set_new(timing, "verdict", json_string("SKIPPED"));
                json_object_set_new(timing, "why", json_string("no GPU: a time on the CPU is no kernel's speed"));
            }
        }
    }
}

json_t *results_load(const char *path, char *error, size_t error_size) {
    json_error_t syntax;
    json_t *root = json_load_file(path, JSON_REJECT_DUPLICATES, &syntax);
    if (!root && syntax.line < 1) {
        snprintf(error, error_size, "cannot read %s: %s", path, syntax.text);
    } else if (!root) {
        snprintf(error, error_size, "%s:%d: not JSON: %s", path, syntax.line, syntax.text);
    } else {
        checker check = {.where = "", .message = ""};
        if (check_object(&check, root, root_fields)) {
            withdraw_kernel_times(root);
            return root;
        }
        snprintf(error, error_size, "%s: %s", path, check.message);
        json_decref(root);
    }
    for (char *c = error; *c; c++) {  // one line, whatever a file is called
        *c = iscntrl((unsigned char)*c) ? '?' : *c;
    }
    return NULL;
}

const char *results_text(const json_t *object, const char *key) {
    return json_string_value(json_object_get(object, key));
}

double results_number(const json_t *object, const char *key) {
    const json_t *value = json_object_get(object, key);
    return json_is_number(value) ? json_number_value(value) : NAN;
}

bool results_has_verdict(const json_t *object, const char *verdict) {
    return strcmp(results_text(object, "verdict"), verdict) == 0;
}

bool results_is_measured(const json_t *timing) {
    bool right = results_has_verdict(timing, "PASSED") || results_has_verdict(timing, "TIMING_SUSPECT");
    return right && json_is_number(json_object_get(timing, "median_s"));
}
