// picture_rows.h: the online softmax of a block, row by row, as far as its shared memory shows it.
#ifndef LAB_PROFILE_PICTURE_ROWS_H
#define LAB_PROFILE_PICTURE_ROWS_H

#include "picture.h"

enum { LAB_MOST_ROWS = 128, LAB_MOST_TILES = 32 };

typedef struct {
    int known, wrong;       // known: shared memory shows them; wrong: they are not what Q and K give
    double m, sum, l;       // m; the sum of this tile's probabilities; l as these probabilities make it grow
    double true_m, true_l;  // over the keys so far
} lab_row;

typedef struct {
    int phase, keys;  // keys loaded so far
    lab_row row[LAB_MOST_ROWS];
} lab_rows_tile;

typedef struct {
    int n, rows, first;  // tiles seen; rows of the block, from query `first` on
    lab_rows_tile tile[LAB_MOST_TILES];
} lab_rows;

// Nothing is found (n = 0) where scores do not become probabilities in one array of shared memory.
void lab_rows_find(lab_rows *rows, const lab_launch *l, const lab_picture *p);

// The first wrong row of what was stored to the output, or -1; the largest error.
int lab_rows_wrong_output(const lab_launch *l, const lab_picture *p, double *max_error);

#endif
