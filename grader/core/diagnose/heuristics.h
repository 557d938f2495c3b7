// heuristics.h: how a diagnosis is found: known mistakes tried one by one, then weaker signs. For the rows of ops.h.
// Each function writes a sentence and returns 1 if it applies.
#ifndef LAB_HEURISTICS_H
#define LAB_HEURISTICS_H

#include "diagnose.h"

enum { LAB_SAMPLES = 24 };

typedef struct {
    size_t row[LAB_SAMPLES];  // rows of the output with a bad element
    int n;
} lab_sample;

lab_sample lab_sample_bad_rows(const lab_symptom *s);         // evenly spread over all such rows
lab_sample lab_sample_right_rows(const lab_symptom *s);       // evenly spread over those that are right
lab_sample lab_sample_finite_bad_rows(const lab_symptom *s);  // those of them without NaN and Inf

// sentence[m] tells of mistake m, 0 < m < n; NULL: it is not tried. text holds what is known already, or "". A mistake
// counts as recognised when it explains the whole output; or, where one row can be computed alone, all sampled rows that
// are wrong: the sentence says then where right rows would be others. scratch: as many doubles as the longest row.
int lab_recognise(const lab_symptom *s, const char *const sentence[], int n, char *text, size_t size);
// Would the mistake of this sentence, which lab_recognise has found, show in these inputs of the same operation? A claim that
// holds speaks against it then. 0: no, or it is not known.
int lab_would_show(const char *sentence, const lab_op *op, attn_shape shape, const int extra[2],
                   const float *const in[LAB_MAX_TENSORS], const double *want);
int lab_recognise_rows(const lab_symptom *s, const lab_sample *bad, const char *const sentence[], int n,
                       void (*row)(const lab_symptom *s, size_t r, int mistake, double *out, double *scratch),
                       char *text, size_t size);

#define LAB_NOT_IN_RIGHT_ROWS " (in the rows that are wrong, and not in all)"

extern const char *const lab_attention_mistakes[LAB_N_MISTAKES];  // rows/attention.c
#define LAB_SCORES_FROM_OTHER_SIDE                                                                                     \
    "matches scores of keys j < i that are taken from S[j][i]: S[i][j] is Q_i . K_j, and Q_j . K_i is another number"
#define LAB_NO_DIVISION_TEXT "matches a missing final division by the row sum l"
#define LAB_FIRST_IS_ONE_TEXT                                                                                          \
    "matches a first score that counts 1, as if it were the largest: exp(s - m) is 1 for the largest score alone, "    \
    "wherever it stands, so the loop that adds up begins with the first one, and l with 0"

// Each row is the right one times a number.
int lab_explain_factor(const lab_symptom *s, const lab_sample *bad, char *text, size_t size);

// left_columns.c: the last columns of all rows, behind whole groups of them
int lab_explain_left_columns(const lab_symptom *s, char *text, size_t size);
// left_unwritten.c: rows, columns or elements behind whole groups of them that were never written
int lab_explain_left_unwritten(const lab_symptom *s, char *text, size_t size);

// block_places.c: columns or rows of a GEMM that no block has, as their blocks overlap or leave gaps
int lab_explain_block_places(const lab_symptom *s, char *text, size_t size);

// Is the head of the first bad row right for another head or batch?
int lab_explain_misplaced(const lab_symptom *s, const lab_sample *bad, char *text, size_t size);

// NaN or Inf in the output of a softmax: from exp of a large score, or from -inf - (-inf)? largest: score of row r.
int lab_explain_not_finite(const lab_symptom *s, const lab_sample *bad,
                           double (*largest)(const lab_symptom *s, size_t r), int masked, char *text, size_t size);

// own_parts.c: a softmax of what each thread or warp has found itself.
int lab_explain_own_parts(const lab_symptom *s, char *text, size_t size);

// displaced.c: rows or columns that hold what belongs to others.
int lab_explain_displaced(const lab_symptom *s, char *text, size_t size);
int lab_explain_tile_places(const lab_symptom *s, char *text, size_t size);  // tile_places.c: by digits exchanged

// hidden_tiles.c: NaN where a row sees no key of a tile.
int lab_explain_hidden_tile(const lab_symptom *s, char *text, size_t size);
int lab_explain_skipped_tile(const lab_symptom *s, char *text, size_t size);  // of scores that are in memory

// unwritten.c: what was never written, of the output of an attention: is a grid or a loop too small?
// unwritten_parts.c: the same of the parts of splits.
#define LAB_NO_KEYS_UNWRITTEN                                                                                          \
    "matches what is not written where a sequence or a split has no keys: O is 0 there, and L_s is -INFINITY, so no "  \
    "block returns before it has stored"
int lab_explain_unwritten_parts(const lab_symptom *s, char *text, size_t size);
int lab_explain_unwritten(const lab_symptom *s, char *text, size_t size);
// Of a TODO's output: right as far as some row or column, and NaN behind it?
int lab_explain_unreached(const lab_symptom *s, char *text, size_t size);
int lab_explain_grid(const lab_symptom *s, int outside, char *text, size_t size);  // grid.c: which blocks have run
int lab_explain_used(const lab_symptom *s, char *text, size_t size);               // what was added to what lay there

#define LAB_FIRST_LEFT_OUT "matches sums without the first "  // gemm_strides.c: and how many products
// gemm_strides.c: operands read with a wrong step. moved.c: numbers of split and merge that are taken from elsewhere.
int lab_explain_product(const lab_symptom *s, int nt, char *text, size_t size);
int lab_explain_product_batches(const lab_symptom *s, int nt, char *text, size_t size);  // gemm_batches.c
int lab_explain_product_factor(const lab_symptom *s, int nt, char *text, size_t size);   // product_factor.c
int lab_explain_product_held(const lab_symptom *s, int nt, char *text, size_t size);     // product_counts.c
int lab_explain_product_stored(const lab_symptom *s, char *text, size_t size);           // product_stored.c
int lab_explain_product_tiles(const lab_symptom *s, int nt, char *text, size_t size);    // product_tiles.c
int lab_explain_product_counts(const lab_symptom *s, int nt, char *text, size_t size);   // product_counts.c
void lab_guess_first_step(const lab_symptom *s, int tile);  // of a walk whose second step is behind the end
int lab_explain_even_groups(const lab_symptom *s, int nt, char *text, size_t size);  // even_pieces.c
int lab_explain_even_columns(const lab_symptom *s, char *text, size_t size);
int lab_explain_moved(const lab_symptom *s, int merge, char *text, size_t size);

// Task 5 (diagnose_cache.c): as attention of one query; where the token lies.
int lab_diagnose_decode(const lab_symptom *s, char *text, size_t size);
#define LAB_FREE_SLOT 4321.0f  // what a free slot of a cache is taken for, as long as nobody has written it
int lab_diagnose_append(const lab_symptom *s, char *text, size_t size);

int lab_explain_cache_reads(const lab_symptom *s, char *text, size_t size);  // cache_reads.c: which slots it has read
int lab_explain_append(const lab_symptom *s, char *text, size_t size);       // append_slots.c: by which formula

// cache_state.c, task 6: does the cache hold at the end what it should?
int lab_explain_cache(const lab_symptom *s, char *text, size_t size);

// layer_calls.c, task 6: what the driver has seen of the calls. LAB_SEEN: nothing says it better; LAB_SEEN_TOO: a mistake
// with a name may; LAB_SEEN_LAST: what lies in the cache may, too.
enum { LAB_SEEN = 1, LAB_SEEN_TOO, LAB_SEEN_LAST };
int lab_explain_layer_call(const lab_symptom *s, char *text, size_t size);
int lab_explain_made(int of, int mistakes, char *text, size_t size);  // of: a lab_layer_buffer

// Task 6 (diagnose_layer.c): a known mistake of the layer, or the call in which it goes wrong; the first wrong token.
int lab_diagnose_layer(const lab_symptom *s, char *text, size_t size);
int lab_diagnose_generated(const lab_symptom *s, char *text, size_t size);

#endif
