// shuffles.c: a sum over the 32 lanes of a warp by other steps than 1, 2, 4, 8, 16: each loop that comes to mind is run.
#include "shuffles.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

enum { LANES = 32 };

typedef enum { XOR, DOWN, UP, N_WAYS } way;
static const char *const way_name[N_WAYS] = {"__shfl_xor_sync", "__shfl_down_sync", "__shfl_up_sync"};

static const struct {
    const char *text;
    int first, last, times, plus;  // w = first; then times * w + plus, as far as last; times 0: halves
} loop[] = {
    {"w = 1, 2, 4, 8, 16", 1, 16, 2, 0},
    {"w = 1, 2, 4, 8", 1, 8, 2, 0},
    {"w = 1, 2, 4, 8, 16, 32", 1, 32, 2, 0},
    {"w = 2, 4, 8, 16", 2, 16, 2, 0},
    {"w = 1, 2, 3, 4 ... 31", 1, 31, 1, 1},
    {"w = 1, 2, 3, 4 ... 32", 1, 32, 1, 1},
    {"w = 1, 2, 3, 4 ... 16", 1, 16, 1, 1},
    {"w = 1, 3, 5, 7 ... 31", 1, 31, 1, 2},
    {"w = 1, 2, 3, 4", 1, 4, 1, 1},
    {"w = 1, 2, 3, 4, 5", 1, 5, 1, 1},
    {"w = 0, 1, 2, 3, 4", 0, 4, 1, 1},
    {"w = 0, 1, 2, 3 ... 31", 0, 31, 1, 1},
    {"w = 16, 8, 4, 2", 16, 2, 0, 0},
    {"w = 8, 4, 2, 1", 8, 1, 0, 0},
    {"w = 4, 2, 1", 4, 1, 0, 0},
    {"w = 32, 16, 8, 4, 2, 1", 32, 1, 0, 0},
    {"w = 16 alone", 16, 16, 2, 0},
    {"w = 1 alone", 1, 1, 2, 0},
};
enum { LOOPS = sizeof loop / sizeof *loop };

// The lane whose x lane l is given. One that is not there gives its own.
static int partner(way how, int l, int w) {
    const int from = how == XOR ? l ^ (w % LANES) : how == DOWN ? l + w : l - w;
    return from < 0 || from >= LANES ? l : from;
}

static void run(way how, int i, int sets, double x[LANES]) {
    double y[LANES];
    for (int w = loop[i].first; loop[i].times ? w <= loop[i].last : w >= loop[i].last;
         w = loop[i].times ? loop[i].times * w + loop[i].plus : w / 2) {
        for (int l = 0; l < LANES; l++) y[l] = x[partner(how, l, w)] + (sets ? 0 : x[l]);
        memcpy(x, y, sizeof y);
    }
}

static int gives(const lab_symptom *s, way how, int i, int sets) {
    for (int row = 0; row < s->shape.seq_kv; row++) {
        double x[LANES];
        for (int l = 0; l < LANES; l++) x[l] = s->in[1][row * LANES + l];
        run(how, i, sets, x);
        for (int l = 0; l < LANES; l++)
            if (!(fabs(x[l] - s->got[row * LANES + l]) < LAB_TOLERANCE * (1 + fabs(x[l])))) return 0;
    }
    return 1;
}

int lab_explain_shuffles(const lab_symptom *s, char *text, size_t size) {
    for (int sets = 0; sets < 2; sets++)
        for (way how = 0; how < N_WAYS; how++)
            for (int i = 0; i < LOOPS; i++) {
                if (!gives(s, how, i, sets)) continue;
                char said[240], with[60] = "";
                if (how != XOR) snprintf(with, sizeof with, " by %s", way_name[how]);
                snprintf(said, sizeof said, "matches %s%s%s: each lane adds x of lane ^ w, for w = 1, 2, 4, 8, 16",
                         loop[i].text, with, sets ? ", where x is set and not added to" : "");
                return lab_guess(s->guesses, said, text, size);
            }
    return 0;
}
