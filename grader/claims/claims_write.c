// claims_write.c: a claim as a line of JSON, one of results.json's "cases".
#include <math.h>

#include "claims.h"
#include "shape_json.h"

static json_t *real_or_null(int known, double x) { return known && isfinite(x) ? json_real(x) : json_null(); }

json_t *lab_claim_json(const lab_case *c, const lab_result *r) {
    const int bad = r->compared && r->verdict != LAB_PASSED && r->cmp.bad_elements;
    json_t *o = json_pack("{s:s, s:s, s:o, s:s, s:o, s:f, s:o, s:o, s:I, s:o, s:f}", "name", c->claim, "criterion",
                          c->criterion, "shape", lab_shape_json(c->shape), "verdict", lab_verdict_name(r->verdict),
                          "max_err", real_or_null(r->compared, r->cmp.max_err), "tolerance", LAB_TOLERANCE,
                          "rms_rel_err", real_or_null(r->compared, r->cmp.rms_rel_err), "first_bad",
                          bad ? json_pack("[I,I,I,I]", (json_int_t)r->first_bad[0], (json_int_t)r->first_bad[1],
                                          (json_int_t)r->first_bad[2], (json_int_t)r->first_bad[3])
                              : json_null(),
                          "bad_elements", (json_int_t)(r->compared ? r->cmp.bad_elements : 0), "diagnosis",
                          *r->diagnosis ? json_string_nocheck(r->diagnosis) : json_null(), "seconds", r->seconds);
    const char *todo = c->todo ? c->todo : r->todo;
    if (o && *todo) json_object_set_new(o, "todo", json_string(todo));
    return o;
}

static struct {
    const char *path;
    FILE *file;  // NULL: nobody asks for results
    int broken;  // they could not be written: the lab's fault
} results;

int lab_results_open(const char *path) {
    results.path = path;
    if (!path || (results.file = fopen(path, "w"))) return 1;
    perror(path);
    return 0;
}

void lab_write_line(json_t *line) {
    FILE *f = results.file;
    if (f && !(line && json_dumpf(line, f, JSON_COMPACT | JSON_REAL_PRECISION(9)) == 0 && fputc('\n', f) != EOF &&
               fflush(f) == 0)) {
        results.broken = 1;
        fprintf(stderr, "cannot write %s\n", results.path);
    }
    json_decref(line);
}

void lab_write_told(const lab_case *c, const lab_result *r) {
    lab_write_line(json_pack("{s:s, s:o}", "told", c->claim, "diagnosis",
                             *r->diagnosis ? json_string_nocheck(r->diagnosis) : json_null()));
}

int lab_results_close(void) { return !(results.file && fclose(results.file)) && !results.broken; }
