// shape_json.c: a shape, as results.json has it.
#include "shape_json.h"

json_t *lab_shape_json(attn_shape s) {
    return json_pack("{s:i, s:i, s:i, s:i, s:i, s:b}", "batch", s.batch, "heads", s.heads, "seq_q", s.seq_q, "seq_kv",
                     s.seq_kv, "head_dim", s.head_dim, "causal", s.causal);
}
