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

int lab_write_line(FILE *f, json_t *line) {
    const int written = line && json_dumpf(line, f, JSON_COMPACT | JSON_REAL_PRECISION(9)) == 0 &&
                        fputc('\n', f) != EOF && fflush(f) == 0;
    json_decref(line);
    return written;
}
