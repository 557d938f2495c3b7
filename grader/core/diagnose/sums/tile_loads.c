// tile_loads.c: a tile is loaded, an element a thread, from M[begin + ty][begin + tx]. With other begins, or other threads'
// numbers, or of a matrix that is taken as stored the other way round, in which the fewest things differ from what is right,
// is it what was got?
#include "tile_loads.h"

#include <math.h>
#include <stdio.h>

enum { ROW, COL, K0, NOTHING, ROW_TILE, COL_TILE, K0_TILE, BLOCK_Y, BLOCK_X, STEP, BEGINS };
enum { TY, TX, NEITHER, THREADS };
enum { MOST_SAID = 4 };

static const char *const begin_name[BEGINS] = {"row",        "col",       "k0",         "0",          "row * TILE",
                                               "col * TILE", "k0 * TILE", "blockIdx.y", "blockIdx.x", "k0 / TILE"};
static const char *const thread_name[THREADS] = {"ty", "tx", ""};

// M[begin[0] + thread[0]][begin[1] + thread[1]], where M is [rows, cols], or, turned, is taken as [cols, rows].
typedef struct {
    int begin[2], thread[2], turned;
} load;

static int begin_of(const lab_tile_loads *of, int begin, int row, int col) {
    const int T = of->tile;
    const int is[BEGINS] = {row, col, of->k0, 0, row * T, col * T, of->k0 * T, row / T, col / T, of->k0 / T};
    return is[begin];
}

// Of half 0, A's tiles, or 1, B's.
static int gives(const lab_symptom *s, const lab_tile_loads *of, int half, const load *l) {
    const int T = of->tile, across = (of->n + T - 1) / T, down = (of->m + T - 1) / T;
    const int height = !half ? of->m : of->nt ? of->n : of->k, width = !half || of->nt ? of->k : of->n;
    const int rows = l->turned ? width : height, cols = l->turned ? height : width;
    for (int block = 0; block < across * down; block++)
        for (int i = 0; i < T * T; i++) {
            const int row = block / across * T, col = block % across * T, thread[THREADS] = {i / T, i % T, 0};
            const int r = begin_of(of, l->begin[0], row, col) + thread[l->thread[0]];
            const int c = begin_of(of, l->begin[1], row, col) + thread[l->thread[1]];
            const float due = r < rows && c < cols ? s->in[1 + half][r * cols + c] : 0;
            if (s->got[((size_t)block * 2 + half) * T * T + i] != due) return 0;
        }
    return 1;
}

static load right_load(const lab_tile_loads *of, int half) {
    if (!half) return (load){{ROW, K0}, {TY, TX}, 0};
    return of->nt ? (load){{COL, K0}, {TY, TX}, 0} : (load){{K0, COL}, {TY, TX}, 0};
}

// From the right load. A matrix that is taken as stored the other way round has its row for its column: one thing differs.
static int differences(const load *a, const load *right) {
    int n = a->turned;
    for (int i = 0; i < 2; i++) {
        const int of = a->turned ? 1 - i : i;
        n += (a->begin[i] != right->begin[of]) + (a->thread[i] != right->thread[of]);
    }
    return n;
}

static int write_index(int begin, int thread, char *text, size_t size) {
    if (thread == NEITHER) return snprintf(text, size, "%s", begin_name[begin]);
    if (begin == NOTHING) return snprintf(text, size, "%s", thread_name[thread]);
    return snprintf(text, size, "%s + %s", begin_name[begin], thread_name[thread]);
}

static void write_load(const lab_tile_loads *of, const load *l, int half, char *text, size_t size) {
    char r[24], c[24], sides[24] = "";
    write_index(l->begin[0], l->thread[0], r, sizeof r), write_index(l->begin[1], l->thread[1], c, sizeof c);
    if (l->turned)
        snprintf(sides, sizeof sides, ", as if %s",
                 !half    ? "A were [k, m]"
                 : of->nt ? "B were [k, n]"
                          : "B were [n, k]");
    snprintf(text, size, "%s[%s][%s]%s", half ? "B" : "A", r, c, sides);
}

// Those that give the half and differ in so many things; how many there are.
static int find_at(const lab_symptom *s, const lab_tile_loads *of, int half, int differ, load found[MOST_SAID]) {
    const load right = right_load(of, half);
    int n = 0;
    for (int code = 0; code < 2 * BEGINS * BEGINS * THREADS * THREADS && n < MOST_SAID; code++) {
        const int t = code / BEGINS / BEGINS % (THREADS * THREADS);
        const int turned = code / (BEGINS * BEGINS * THREADS * THREADS);
        const load l = {{code % BEGINS, code / BEGINS % BEGINS}, {t % THREADS, t / THREADS}, turned};
        if (differences(&l, &right) == differ && gives(s, of, half, &l)) found[n++] = l;
    }
    return n;
}

// With the fewest differences, and, where the other half is right, with one more: of a small matrix less may fit by chance,
// and another claim tells.
static int find(const lab_symptom *s, const lab_tile_loads *of, int half, int more, load found[2 * MOST_SAID]) {
    int n = 0, fewest = 0;
    while (fewest < 4 && !(n = find_at(s, of, half, fewest, found))) fewest++;
    if (more && n && fewest) n += find_at(s, of, half, fewest + 1, found + n);
    return n;
}

int lab_explain_tile_loads(const lab_symptom *s, const lab_tile_loads *of, char *text, size_t size) {
    const load right[2] = {right_load(of, 0), right_load(of, 1)};
    load found[2][2 * MOST_SAID];
    int n[2], known = 0;
    for (int half = 0; half < 2; half++) n[half] = find(s, of, half, gives(s, of, !half, &right[!half]), found[half]);
    for (int a = 0; a < n[0]; a++)
        for (int b = 0; b < n[1]; b++) {
            const int wrong_a = differences(&found[0][a], &right[0]) > 0,
                      wrong_b = differences(&found[1][b], &right[1]) > 0;
            char is[2][80], due[2][80], sentence[400];
            for (int half = 0; half < 2; half++) {
                write_load(of, half ? &found[1][b] : &found[0][a], half, is[half], sizeof *is);
                write_load(of, &right[half], half, due[half], sizeof *due);
            }
            if (!wrong_a && !wrong_b) continue;
            if (wrong_a && wrong_b)
                snprintf(sentence, sizeof sentence, "matches As of %s%s and Bs of %s: they are %s and %s", is[0],
                         found[0][a].turned ? "," : "", is[1], due[0], due[1]);
            else
                snprintf(sentence, sizeof sentence, "matches %s[ty][tx] = %s: it is %s", wrong_b ? "Bs" : "As",
                         is[wrong_b], due[wrong_b]);
            known = lab_guess(s->guesses, sentence, text, size);
        }
    return known;
}
