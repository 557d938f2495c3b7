// shuffled_dims.c: threads of a warp that share the dims of a score in groups, a key for each group, and add their parts by
// shuffles over other distances than those within a group.
#include "reductions.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

enum { WARP = 32, DISTANCES = 5 };

// Bit i of distances: 1 << i is one of them, and none is of the group: otherwise the same numbers have several causes.
typedef struct {
    int group, owner, distances;
    int way;  // of the splits: lab_split_begins
} shuffled;

// What lane 0 of each group of the warp has behind the shuffles, of the keys first .. end - 1 at most.
static void add_parts(const lab_wrong_row *r, const shuffled *k, int D, int first, int end, double *score) {
    double part[WARP] = {0}, to[WARP];
    const int groups = WARP / k->group;
    for (int g = 0; g < groups && first + g < end; g++)
        for (int c = 0; c < D; c++)
            part[g * k->group + lab_owner(k->owner, k->group, D, c)] +=
                r->q[c] * r->k[(size_t)(first + g) * D + c] / sqrt(D);
    for (int i = 0; i < DISTANCES; i++) {
        if (!(k->distances >> i & 1)) continue;
        for (int t = 0; t < WARP; t++) to[t] = part[t] + part[t ^ (1 << i)];
        memcpy(part, to, sizeof part);
    }
    for (int g = 0; g < groups && first + g < end; g++) score[first + g] = part[g * k->group];
}

static int matches(const lab_wrong_rows *w, const lab_wrong_row *r, const shuffled *k) {
    const int D = w->shape.head_dim, splits = r->parts > 1 ? r->parts : 1;
    double *p = w->scratch, *o = p + w->shape.seq_kv, max = -INFINITY, sum = 0;
    for (int s = 0; s < splits; s++) {
        const int end = lab_split_begins(k->way, r->seen, s + 1, splits);
        for (int j = lab_split_begins(k->way, r->seen, s, splits); j < end; j += WARP / k->group)
            add_parts(r, k, D, j, end, p);
    }
    for (int j = 0; j < r->seen; j++) max = fmax(max, p[j]);
    for (int j = 0; j < r->seen; j++) sum += p[j] = exp(p[j] - max);
    for (int c = 0; c < D; c++) {
        o[c] = 0;
        for (int j = 0; j < r->seen; j++) o[c] += p[j] / sum * r->v[(size_t)j * D + c];
        if (!(fabs(o[c] - r->got[c]) < r->near)) return 0;
    }
    return 1;
}

// "8 and 16"
static void list(int distances, char *text, size_t size) {
    size_t used = 0;
    text[0] = 0;
    for (int i = 0; i < DISTANCES && used < size; i++)
        if (distances >> i & 1)
            used += (size_t)snprintf(text + used, size - used, "%s%d",
                                     !used                  ? ""
                                     : distances >> (i + 1) ? ", "
                                                            : " and ",
                                     1 << i);
}

// All that fits: of few keys several do.
int lab_explain_shuffled_dims(const lab_wrong_rows *w, char *text, size_t size) {
    int known = 0;
    if (w->shape.seq_q > 1 || !w->n || w->shape.head_dim > LAB_MOST_DIMS) return 0;
    for (int way = 0; way < (w->row[0].parts > 1 ? LAB_SPLIT_WAYS : 1); way++)
        for (int group = 2; group <= WARP / 2; group *= 2)
            for (int distances = 1; distances < 1 << DISTANCES; distances++)
                for (int owner = 0; owner < 3 && !(distances & (group - 1)); owner++) {
                    const shuffled k = {group, owner, distances, way};
                    int all = 1;
                    for (int i = 0; i < w->n && all; i++) all = matches(w, &w->row[i], &k);
                    if (!all) continue;
                    char has[40], right[40], said[240];
                    list(distances, has, sizeof has), list(group - 1, right, sizeof right);
                    snprintf(said, sizeof said,
                             "matches scores whose dims %d threads of a warp share, with shuffles over %s to add them: "
                             "the threads of a key are those at distances %s",
                             group, has, right);
                    known = lab_guess(w->guesses, said, text, size);
                }
    return known;
}
