// wrong_rows.h: wrong rows of attention, and what explains all of them. For the operations whose output rows are
// O = softmax(Q K^T / sqrt(D)) V, whatever computes them: tasks 1 to 5.
//
// Every function below writes a sentence and returns 1 if it explains every one of the rows.
#ifndef LAB_WRONG_ROWS_H
#define LAB_WRONG_ROWS_H

#include "heuristics.h"

enum { LAB_MOST_ROWS = 8 };

typedef struct {
    const float *q, *k, *v;  // [D]; [keys, D] twice
    const float *got;        // [D], finite
    const double *want;
    int keys, seen;   // the row attends to the first `seen` of `keys` keys
    int query, head;  // its number in its head; b * heads + h
    int tile;         // keys of a tile or part, where the lab knows it; 0: it does not
    int queries;      // of a tile, where the lab knows it; 0: it does not
    int parts;        // how many blocks share the keys, where the lab knows it
    double near;      // what explains the row comes that near to it
} lab_wrong_row;

typedef struct lab_kept_scores lab_kept_scores;  // kept_scores.h
typedef struct {
    lab_wrong_row row[LAB_MOST_ROWS];
    int n;
    attn_shape shape;
    double *scratch;  // 2 * (seq_kv + head_dim) doubles
    lab_kept_scores *kept;
    lab_guesses *guesses;
    int on_cpu;  // lanes are elements of a vector there, and no threads that exchange numbers
} lab_wrong_rows;

// wrong_rows.c. Takes up to LAB_MOST_ROWS of the wrong rows whose numbers are finite; only telling ones, as below, if
// asked to. row: where row r finds its q, k and v.
lab_wrong_rows lab_wrong_rows_of(const lab_symptom *s, lab_wrong_row (*row)(const lab_symptom *s, size_t r),
                                 int telling);
void lab_wrong_rows_free(lab_wrong_rows *w);

// Those of the rows in which no key has all the weight: such rows look the same under many mistakes.
lab_sample lab_telling_rows(const lab_symptom *s, const lab_sample *bad,
                            lab_wrong_row (*row)(const lab_symptom *s, size_t r));

// n rows are looked at twice, in 2 n turns: first at few of their D columns, which tell of most mistakes that it is another one.
static inline int lab_columns_in_turn(int D, int n, int turn) {
    enum { FEW = 4 };
    return turn < n && FEW < D ? FEW : D;
}

// Several rows, or a long one that is far from right: its numbers do not agree with another mistake's by chance.
int lab_are_enough(const lab_wrong_rows *w);

// p[j] = q . k[j] / sqrt(D) for the keys that the row sees. Returns the largest.
double lab_row_scores(const lab_wrong_row *r, int D, double *p);

// The attention by these scores, to o. p: as many as the row sees keys; they become their exponentials.
void lab_row_by_scores(const lab_wrong_row *r, int D, double *p, double *o);

// Is the row the attention by these scores? p: as many as the row sees keys; they become their exponentials.
int lab_row_has_scores(const lab_wrong_row *r, int D, double *p);

// All of the following that explain them go to the guesses, the first one to text.
int lab_explain_rows(const lab_symptom *s, lab_wrong_row (*row)(const lab_symptom *s, size_t r), char *text,
                     size_t size);

// layouts.c says so where all four tensors are taken for [B, S, H, D].
#define LAB_ALL_OF_TOKENS "matches tensors read"
// And of all layouts: a key's numbers are then those of several keys, so that who has which keys tells nothing.
#define LAB_OTHER_LAYOUT ": the layout is [B, H, S, D], a head's rows side by side"

// fold_rows.c: values that are multiplied, or the largest is kept. grouped_scores.c: several scores at a time. unscored.c: keys whose scores are never computed.
int lab_explain_fold_rows(const lab_wrong_rows *w, char *text, size_t size);
int lab_explain_grouped_scores(const lab_wrong_rows *w, char *text, size_t size);
int lab_explain_unscored(const lab_wrong_rows *w, char *text, size_t size);

// hidden_weights.c: hidden keys that O has, by their score. own_outputs.c: rows divided by what their own outputs make,
// which are D numbers each.
int lab_explain_hidden_weights(const lab_wrong_rows *w, char *text, size_t size);
int lab_explain_own_outputs(const lab_wrong_rows *w, char *text, size_t size);
int lab_say_divided_by_own(const float *const row[], int rows, int D, char *text, size_t size);

// What is said where the last, ragged tile of keys is left out begins so, and says how many keys a tile has.
#define LAB_LOST_TILE "matches attention to the first keys only: is the last, ragged tile of keys visited (tiles of "

// Keys behind the first few, of whatever number, that no row sees.
#define LAB_HOWEVER_MANY "keys only, however many there are"

#define LAB_MASK_OF_NO_SHIFT                                                                                           \
    "matches a causal mask that was not asked for: query i sees keys 0 .. i, as where seq_kv - seq_q is taken to be "  \
    "0. Without shape.causal every query sees every key: a shift of 0 hides the later ones"
#define LAB_LAST_KEY_OF_EACH                                                                                           \
    "matches the last key that each row sees left out: is the last one of a query excluded, as by < in place of <=?"

#define LAB_WITHOUT_FIRST_KEY "matches attention without key 0: the walk over the keys begins with it"

// seen_keys.c: each row is attention to keys that lie side by side: too few, or others
int lab_explain_seen_keys(const lab_wrong_rows *w, char *text, size_t size);

// tile_steps.c: a walk in steps of another size than its tiles; a mask that cuts every tile where it is to cut one. How
// often does number l count in a walk by `step` that takes `tile` in each?
int lab_explain_tile_steps(const lab_wrong_rows *w, char *text, size_t size);
int lab_times_walked(int l, int step, int tile);

// beyond.c: keys behind the head's last one, of a tile that is not full
int lab_explain_beyond(const lab_wrong_rows *w, char *text, size_t size);

int lab_explain_columns(const lab_wrong_rows *w, char *text, size_t size);  // which columns are right
int lab_explain_lanes(const lab_wrong_rows *w, char *text, size_t size);    // scores over too few lanes of a warp

// fit.c
int lab_explain_scale(const lab_wrong_rows *w, char *text, size_t size);        // the scores times a number
int lab_explain_extra_keys(const lab_wrong_rows *w, char *text, size_t size);   // keys of score 0 that are not there
int lab_explain_constant(const lab_wrong_rows *w, char *text, size_t size);     // the output times a number
int lab_explain_masked_late(const lab_wrong_rows *w, char *text, size_t size);  // what is hidden is in the row sum

// addresses.c: Q, K or V of another head, as a wrong formula says; a number in place of -INFINITY where keys are hidden
void lab_guess_one_key(const lab_symptom *s, lab_wrong_row (*row)(const lab_symptom *s, size_t r));
void lab_guess_addresses_of_one_key(const lab_symptom *s, const lab_wrong_rows *w);  // no sentence of its own
int lab_explain_addresses(const lab_symptom *s, const lab_wrong_rows *w, char *text, size_t size);
int lab_explain_head_before(const lab_wrong_rows *w, char *text, size_t size);
int lab_explain_tiles_of_heads(const lab_wrong_rows *w, char *text, size_t size);  // tiles_of_heads.c
int lab_explain_queries_as_keys(const lab_wrong_rows *w, char *text, size_t size);
int lab_explain_rows_added(const lab_wrong_rows *w, char *text, size_t size);
int lab_explain_hidden_score(const lab_wrong_rows *w, char *text, size_t size);

// transposed.c: a tile of scores read with its rows and columns exchanged
int lab_explain_transposed(const lab_wrong_rows *w, char *text, size_t size);
int lab_explain_exchanged(const lab_wrong_rows *w, char *text, size_t size);  // or by the threads that have it
#define LAB_EXCHANGED "matches scores whose threads exchange query and key"

// online.c. The online softmax with one of its steps left out, for the usual tile sizes.
int lab_explain_online(const lab_wrong_rows *w, char *text, size_t size);

// Of such a sentence it takes what is said of the division in the end: online_words.c.
void lab_without_the_end(char *sentence);
#define LAB_O_RESCALED_LATE "matches O that is rescaled after this tile's P V is added"
#define LAB_O_OF_TILE_RESCALED "matches this tile's P V rescaled by exp(m_old - m_new)"
#define LAB_ROWS_OF_0 "the wrong rows are 0"
void lab_guess_few_keys(const lab_symptom *s);  // groups of keys that are larger than all, or no key, where O stays 0
const char *lab_every_second_tile(void);        // the sentence for tiles of which every second one is left out
const char *lab_of_first_tile(int k, int v);    // the sentence for K, V or both of the first tile in every tile

// reductions.c: a sum or a maximum that does not reach all threads of a row. copies.c: a key that counts more than once.
// parts.c: parts of the keys that are right, with wrong weights.
int lab_explain_reductions(const lab_wrong_rows *w, char *text, size_t size);
int lab_explain_copies(const lab_wrong_rows *w, char *text, size_t size);
int lab_explain_parts(const lab_wrong_rows *w, char *text, size_t size);
#define LAB_L_KEPT "matches parts whose l is added without its factor exp(m - M), while O has it"

// part_joins.c: parts of warps or lanes, within splits or not, that are joined by a wrong rule.
int lab_explain_part_joins(const lab_wrong_rows *w, char *text, size_t size);
enum { LAB_SPLIT_WAYS = 3 };
int lab_part_of(int parts, int block, int n, int j);      // key j of n; block: as in part_joins.c
int lab_split_begins(int way, int length, int s, int n);  // split s of n, in one of the usual ways

// part_walks.c: warps or groups of threads that go through their keys by an online softmax with a step that is wrong
#define LAB_SEVERAL_WALKS " (within each of several parts that are joined rightly)"
int lab_explain_part_walks(const lab_wrong_rows *w, char *text, size_t size);

// two_parts.c: two parts that are joined by a wrong rule. shuffled_dims.c: groups of threads whose shuffles leave the group
int lab_explain_two_parts(const lab_wrong_rows *w, char *text, size_t size);
int lab_explain_shuffled_dims(const lab_wrong_rows *w, char *text, size_t size);

// turned_tiles.c: a tile of K or V read with its rows and columns exchanged. dealt_dims.c: dims of q and k by two rules
int lab_explain_turned_tiles(const lab_wrong_rows *w, char *text, size_t size);
int lab_explain_dealt_dims(const lab_wrong_rows *w, char *text, size_t size);

// dealt_rows.c: queries that are loaded by one rule and stored by another. dealt_scores.c: the same of a thread's scores
int lab_explain_dealt_rows(const lab_wrong_rows *w, char *text, size_t size);
int lab_explain_dealt_scores(const lab_wrong_rows *w, char *text, size_t size);

// gated_masks.c: a mask that looks at some tiles alone
int lab_explain_gated_mask(const lab_symptom *s, const lab_wrong_rows *w,
                           lab_wrong_row (*row)(const lab_symptom *s, size_t r), char *text, size_t size);

// landed_masks.c: a mask that hides the right pairs of query and key, at the places of others
#define LAB_LANDED_MASK "matches a mask that hides "
int lab_explain_landed_mask(const lab_symptom *s, const lab_wrong_rows *w,
                            lab_wrong_row (*row)(const lab_symptom *s, size_t r), char *text, size_t size);

// lane_dims.c: the dims of one thread, taken for those of all where parts of the keys are joined
// other_l.c: O over the l of other rows, of one for each element, or for each row
int lab_explain_other_l(const lab_wrong_rows *w, char *text, size_t size);
int lab_explain_other_l_of_few(const lab_wrong_rows *w, char *text, size_t size);  // queries
int lab_explain_other_rows_l(const lab_wrong_rows *w, char *text, size_t size);
int lab_explain_lane_dims(const lab_wrong_rows *w, char *text, size_t size);
int lab_explain_own_scores(const lab_wrong_rows *w, char *text, size_t size);  // of one lane, or warp, for all dims

// scaled_steps.c: scores that are scaled in each step along the dims
int lab_explain_scaled_steps(const lab_wrong_rows *w, char *text, size_t size);

// rest_of_shares.c: of decode, keys that are shared out in equal parts, rounded down
int lab_explain_rest_of_shares(const lab_symptom *s, char *text, size_t size);

// summed_scores.c: scores that are added up over several keys
int lab_explain_summed_scores(const lab_wrong_rows *w, char *text, size_t size);

// key_counts.c: how often each of few keys counts; keys that are 0. neighbours.c: what belongs to another row or thread.
int lab_explain_key_counts(const lab_wrong_rows *w, char *text, size_t size);
int lab_explain_zero_keys(const lab_wrong_rows *w, char *text, size_t size);
int lab_explain_neighbours(const lab_wrong_rows *w, char *text, size_t size);
int lab_explain_joined_dims(const lab_wrong_rows *w, char *text, size_t size);  // joined_dims.c
void lab_guess_own_key(const lab_wrong_rows *w);  // of one key: the dims of the thread that has it are right, others 0

// carried.c: rows that go on with the sums of a row done before
#define LAB_CARRIED "matches rows that go on with the m, l and O of a row done before"
int lab_explain_carried(const lab_symptom *s, const lab_wrong_rows *w, char *text, size_t size);

// Where all scores of the rows are below, what stands in place of -INFINITY is above them, and no one can tell what it is.
enum { LAB_FAR_BELOW = -30 };
#define LAB_NUMBER_FOR_HIDDEN                                                                                          \
    "matches masked scores set to a number that is above the other scores of these rows, 0 or below 0: set them to "   \
    "-INFINITY, which is below every score"

// along_queries.c: weights that sum to 1 over the queries, and not over the keys
int lab_explain_along_queries(const lab_symptom *s, lab_wrong_row (*row)(const lab_symptom *s, size_t r), char *text,
                              size_t size);

// tile_rows.c: a row that is given the factor, the sum or the maximum of another row of its tile of queries
int lab_explain_tile_rows(const lab_symptom *s, lab_wrong_row (*row)(const lab_symptom *s, size_t r), char *text,
                          size_t size);
// The same where the other row's factor is 1 all the way: in that claim alone it may be that no factor is taken.
int lab_explain_tile_rows_of_1(const lab_symptom *s, lab_wrong_row (*row)(const lab_symptom *s, size_t r), char *text,
                               size_t size);

// tile_shared.c: what is done for a row of a tile of queries and done to all
#define LAB_ONE_L_OF_TILE                                                                                              \
    "matches one l for all rows of a tile of queries, to which each adds: each row has an l of its own"
int lab_explain_tile_shared(const lab_symptom *s, lab_wrong_row (*row)(const lab_symptom *s, size_t r), char *text,
                            size_t size);
// tile_pooled.c: one state for all rows of a tile of queries
int lab_explain_tile_pooled(const lab_symptom *s, lab_wrong_row (*row)(const lab_symptom *s, size_t r), char *text,
                            size_t size);
// even_tiles.c: keys in tiles of the same width
int lab_explain_even_tiles(const lab_symptom *s, lab_wrong_row (*row)(const lab_symptom *s, size_t r), char *text,
                           size_t size);

// kept_max.c: rows that overflow, as the maximum of the first tile is kept
int lab_explain_kept_max(const lab_symptom *s, lab_wrong_row (*row)(const lab_symptom *s, size_t r), char *text,
                         size_t size);

// pooled_max.c: rows of 0 / 0, as what is subtracted is the maximum of several rows. Of a softmax, too.
int lab_explain_pooled_max(const lab_symptom *s, double (*largest)(const lab_symptom *s, size_t r), char *text,
                           size_t size);

// output_places.c: right numbers, in another order. tile: the rows of a tile of queries; 0: not known
int lab_explain_output_places(const lab_symptom *s, int tile, char *text, size_t size);

// left_rows.c: rows of 0 at the end of a tile of queries, behind whole groups of rows. tile: its rows, 0: not known.
// Where no tile has as many as LAB_WHOLE_GROUP, all rows may be such.
#define LAB_LEFT_ROWS                                                                                                  \
    "only the last rows of a tile of queries are 0: what is done for the rows before them is not done for them"
enum { LAB_WHOLE_GROUP = 8 };
int lab_explain_left_rows(const lab_symptom *s, int tile, char *text, size_t size);

// first_rows.c: of each tile of queries the first rows alone are done. Asked of task 4's output, written or NaN.
int lab_explain_first_rows(const lab_symptom *s, char *text, size_t size);

// weights_left.c: a mask behind the softmax, by the weights that task 2's chain leaves in its scores
int lab_explain_weights_left(const lab_symptom *s, char *text, size_t size);

// dims.c: threads that share the dims of a score. zero_mask.c: masked scores of 0. layouts.c: [B, S, H, D].
int lab_explain_dims(const lab_wrong_rows *w, char *text, size_t size);
void lab_guess_own_dims(const lab_wrong_rows *w);  // of few dims, some threads' columns alone may seem to be wrong
int lab_explain_zero_mask(const lab_wrong_rows *w, char *text, size_t size);
int lab_explain_layout(const lab_symptom *s, const lab_wrong_rows *w, char *text, size_t size);

// attention.c: a whole output. The known mistakes, then all families in turn; 1, with a sentence, if something fits.
int lab_diagnose_attention(const lab_symptom *s, char *text, size_t size);
int lab_diagnose_online(const lab_symptom *s, char *text, size_t size);  // that goes tile by tile, with m, l and O
int lab_diagnose_walk(const lab_symptom *s, char *text, size_t size);    // the same of a TODO's walk
int lab_diagnose_chain(const lab_symptom *s, char *text, size_t size);   // task 2's three products

#endif
