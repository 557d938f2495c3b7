// students_attention.h: attention as a student writes it, in float32, with one thing wrong.
#ifndef LAB_STUDENTS_ATTENTION_H
#define LAB_STUDENTS_ATTENTION_H

#include "ops.h"

// What is wrong; 0 is right for each.
typedef struct {
    double scale, output;  // factors; 0: none
    int tile;              // keys of a tile; 0: all of them in one
    int no_o, no_l;        // O, l not rescaled
    int late_o, late_l;    // rescaled after this tile was added
    int o_anew, l_anew;    // set by each tile, not added to
    int phantom;           // keys behind the end of the last tile have score 0
    int tile_mask;         // the mask counts queries from the first of their tile of so many
    int group_mask;        // and with it, within the tile from the first of their group of so many
} knobs;

// o (head_dim) of one query, which sees the first `seen` of the seq_kv keys.
void student_row(const knobs *k, attn_shape s, const float *q, const float *K, const float *V, int seen, float *o);

#endif
