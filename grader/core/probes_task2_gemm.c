// probes_task2_gemm.c: task 2, the parts of the two products. The claims stand in probes_task2.c.
#include "probes_task2.h"
#include "tile_loads.h"

#include <math.h>
#include <stdio.h>

// ---- matrix_offset: out [batch, 2], offset / 65536 and the rest; extra = rows, cols

SIZES(matrix_offset, s.batch, 2, 0)

static uint64_t padded(int length) { return (length + TILE - 1) / TILE * TILE; }

enum { ITS_X = 2, ITS_Y = 3 };  // of the block that is asked

// The grid of the probe has X times Y blocks for each matrix, and the last one is asked.
static uint64_t number_of_block(int z, int of) {
    enum { X = ITS_X + 1, Y = ITS_Y + 1 };
    const uint64_t numbers[] = {(z * Y + Y - 1) * X + X - 1, z + Y - 1 + X - 1, z + X - 1, X - 1, z + Y - 1, Y - 1};
    return numbers[of];
}

ORACLE(matrix_offset) {
    for (int z = 0; z < s.batch; z++) {
        const uint64_t right = (uint64_t)z * extra[0] * extra[1];
        const uint64_t offset = mistake == 1    ? (uint64_t)(int64_t)(int32_t)right
                                : mistake == 2  ? (uint64_t)z * extra[0]
                                : mistake == 3  ? (uint64_t)z * extra[1]
                                : mistake == 4  ? (uint32_t)right
                                : mistake == 5  ? 0
                                : mistake == 6  ? (uint64_t)z * extra[1] * extra[1]
                                : mistake == 7  ? (uint64_t)z * extra[0] * extra[0]
                                : mistake == 8  ? (uint64_t)(z + 1) * extra[0] * extra[1]
                                : mistake == 9  ? (uint64_t)z * (extra[0] + extra[1])
                                : mistake == 10 ? (uint64_t)z * TILE * TILE
                                : mistake == 11 ? (uint64_t)z * extra[0] * TILE
                                : mistake == 12 ? (uint64_t)z * extra[1] * TILE
                                : mistake == 13 ? (uint64_t)z
                                : mistake == 14 ? (uint64_t)extra[0] * extra[1]
                                : mistake == 15 ? (uint64_t)z * extra[0] * extra[1] * sizeof(float)
                                : mistake == 16 ? (uint64_t)z * padded(extra[0]) * padded(extra[1])
                                : mistake == 17 ? (uint64_t)z * extra[0] * padded(extra[1])
                                : mistake == 18 ? (uint64_t)z * extra[0] + extra[1]
                                : mistake == 19 ? (uint64_t)z * extra[1] + extra[0]
                                : mistake > 19  ? number_of_block(z, mistake - 20) * extra[0] * extra[1]
                                                : right;
        out[2 * z] = (double)(offset / 65536), out[2 * z + 1] = offset % 65536;
    }
    return 1;
}
// The place of the block's tile is added, which the loads add once more. Rows and columns of tiles may be exchanged.

typedef struct {
    const char *name;
    uint64_t value;
} addend;

static int is_tile_added(const lab_symptom *s, int whole, const addend *a, const addend *b) {
    for (int z = 0; z < s->shape.batch; z++) {
        const uint64_t matrix = whole ? (uint64_t)z * s->extra[0] * s->extra[1] : 0;
        const uint64_t offset = matrix + a->value + b->value;
        if (s->got[2 * z] != (float)(offset / 65536) || s->got[2 * z + 1] != (float)(offset % 65536)) return 0;
    }
    return 1;
}

static int explain_tile(const lab_symptom *s, char *text, size_t size) {
    const uint64_t rows = s->extra[0], cols = s->extra[1], x = ITS_X, y = ITS_Y;
    const addend of_y[] = {{"blockIdx.y * TILE * cols", y * TILE * cols},
                           {"blockIdx.y * TILE * rows", y * TILE * rows},
                           {"blockIdx.y * TILE", y * TILE},
                           {"blockIdx.y * cols", y * cols},
                           {"blockIdx.y", y},
                           {"", 0}},
                 of_x[] = {{"blockIdx.x * TILE", x * TILE},
                           {"blockIdx.x * TILE * cols", x * TILE * cols},
                           {"blockIdx.x * TILE * rows", x * TILE * rows},
                           {"blockIdx.x * cols", x * cols},
                           {"blockIdx.x", x},
                           {"", 0}};
    enum { N_Y = sizeof of_y / sizeof *of_y, N_X = sizeof of_x / sizeof *of_x };
    for (int whole = 1; whole >= 0; whole--)
        for (int n = 0; n < N_Y * N_X; n++) {
            const addend *a = &of_y[n / N_X], *b = &of_x[n % N_X];
            if (a->value + b->value == 0 || !is_tile_added(s, whole, a, b)) continue;
            char sentence[240];
            snprintf(sentence, sizeof sentence,
                     "matches %s%s%s%s: %swhich tile of the matrix the block has is no part of it, and is added where "
                     "the tiles are read and stored",
                     whole ? "blockIdx.z * rows * cols + " : "", a->name, *a->name && *b->name ? " + " : "", b->name,
                     whole ? "" : "it is blockIdx.z * rows * cols; ");
            return lab_guess(s->guesses, sentence, text, size);
        }
    return 0;
}

#define TILE_OF_MATRIX "blockIdx.z alone says which matrix it is, x and y say which tile of it"
#define ALL_OF_BLOCK "matches all indices of a block in the number of its matrix: " TILE_OF_MATRIX
#define OVERFLOWS "the product of three int overflows: make the first factor a size_t"
KNOWN_OR(matrix_offset, explain_tile, OVERFLOWS, "matches blockIdx.z * rows: a matrix has rows * cols elements",
         "matches blockIdx.z * cols: a matrix has rows * cols elements", OVERFLOWS,
         "matches matrix 0 for every block: blockIdx.z says which one it is",
         "matches blockIdx.z * cols * cols: a matrix has rows * cols elements",
         "matches blockIdx.z * rows * rows: a matrix has rows * cols elements",
         "matches (blockIdx.z + 1) * rows * cols: the first matrix begins at 0",
         "matches blockIdx.z * (rows + cols): a matrix has rows * cols elements",
         "matches blockIdx.z * TILE * TILE: a matrix has rows * cols elements, whatever its tiles are",
         "matches blockIdx.z * rows * TILE: a matrix has rows * cols elements",
         "matches blockIdx.z * cols * TILE: a matrix has rows * cols elements",
         "matches blockIdx.z alone: a matrix has rows * cols elements",
         "matches rows * cols for every block: blockIdx.z says which matrix it is",
         "matches an offset in bytes: a pointer to float counts elements, without sizeof(float)",
         "matches rows and cols rounded up to whole tiles: a matrix has rows * cols elements, nothing lies between two",
         "matches cols rounded up to whole tiles: a matrix has rows * cols elements, nothing lies between two rows",
         "matches blockIdx.z * rows + cols: a matrix has rows * cols elements, all three are factors",
         "matches blockIdx.z * cols + rows: a matrix has rows * cols elements, all three are factors", ALL_OF_BLOCK,
         ALL_OF_BLOCK, "matches a number of the matrix with blockIdx.x in it: " TILE_OF_MATRIX,
         "matches blockIdx.x for the number of the matrix: " TILE_OF_MATRIX,
         "matches a number of the matrix with blockIdx.y in it: " TILE_OF_MATRIX,
         "matches blockIdx.y for the number of the matrix: " TILE_OF_MATRIX)
SHARED_PROBE(matrix_offset, matrix_offset, 1, .tensors = {"offset"});

// ---- load_or_zero: out [m + 3, n + 5], M [m, n] and zeros around it

SIZES(load_or_zero, s.seq_q + 3, s.seq_kv + 5, s.seq_q *s.seq_kv)

ORACLE(load_or_zero) {
    const int rows = s.seq_q, cols = s.seq_kv;
    for (int i = 0; i < (rows + 3) * (cols + 5); i++) {
        const int r = i / (cols + 5), c = i % (cols + 5);
        const int more = mistake == 2, fewer = mistake == 1;
        const int in_rows = r < rows - fewer + more || mistake == 3 || mistake == 9,
                  in_cols = c < cols - fewer + more || mistake == 4 || mistake == 9;
        const int inside = mistake == 11   ? r < cols && c < rows
                           : mistake == 12 ? in_rows || in_cols
                           : mistake == 13 ? r * cols + c < rows * cols
                                           : in_rows && in_cols;
        const int near = (r < rows ? r : rows - 1) * cols + (c < cols ? c : cols - 1);
        const int at = mistake == 5    ? r * rows + c
                       : mistake == 6  ? near
                       : mistake == 14 ? r % rows * cols + c % cols
                       : mistake == 7  ? c * rows + r
                       : mistake == 8  ? r + c
                       : mistake == 10 ? c * cols + r
                                       : r * cols + c;
        out[i] = !inside && mistake != 6 && mistake != 14 ? 0 : at < rows * cols ? in[1][at] : NAN;
    }
    return 1;
}
KNOWN(
    load_or_zero, "the last row and column are missing: r < rows and c < cols are in the matrix",
    "one row and column too many are read: r < rows and c < cols are in the matrix, and r <= rows is one more",
    "r is not checked: where r >= rows, too, the result is 0",
    "c is not checked: where c >= cols, too, the result is 0", "matches M[r * rows + c]: a row of M has cols elements",
    "outside is the nearest element of the matrix: it must be 0, which adds nothing to a sum",
    "matches M[c * rows + r]: element (r, c) stands at r * cols + c",
    "matches M[r + c]: element (r, c) stands at r * cols + c",
    "neither r nor c is checked: outside of the matrix, where r >= rows or c >= cols, the result is 0",
    "matches M[c * cols + r]: element (r, c) stands at r * cols + c",
    "matches r < cols and c < rows: r counts rows, and c columns",
    "matches r < rows or c < cols: inside of the matrix both hold",
    "matches r * cols + c < rows * cols alone, where c >= cols reads the next row: inside, r < rows and c < cols hold",
    "outside the matrix begins again, with r % rows and c % cols: the result must be 0 there, which adds nothing to a "
    "sum")
SHARED_PROBE(load_or_zero, load_or_zero, 2, .tensors = {"result", "M"});

// ---- load_tiles_nt, load_tiles_nn: out [blocks, As and Bs, TILE, TILE]; extra = k0, and 1 if B is [n, k], not [k, n]

static int tiles(int length) { return (length + TILE - 1) / TILE; }
SIZES(load_tiles, tiles(s.seq_q) * tiles(s.seq_kv) * 2 * TILE, TILE, s.seq_q *s.head_dim, s.seq_kv *s.head_dim)

static double at(const float *M, int size, int r, int c, int rows, int cols) {  // NAN: beyond its `size` elements
    return r >= rows || c >= cols ? 0 : r * cols + c < size ? M[r * cols + c] : NAN;
}

ORACLE(load_tiles) {
    const int m = s.seq_q, n = s.seq_kv, k = s.head_dim, k0 = mistake == 1 ? 0 : extra[0];
    for (int block = 0; block < tiles(m) * tiles(n); block++, out += 2 * TILE * TILE)
        for (int i = 0; i < TILE * TILE; i++) {
            const int tx = i % TILE, ty = i / TILE, row = block / tiles(n) * TILE;
            const int col = mistake == 3 ? row : block % tiles(n) * TILE,
                      of_a = mistake == 9 ? block % tiles(n) * TILE : row;
            const int xa = mistake == 2 || mistake == 5 ? ty : tx, ya = tx + ty - xa;
            const int xb = mistake == 2 || mistake == 6 ? ty : tx, yb = tx + ty - xb;
            const int ka = mistake == 7 ? 0 : k0, kb = mistake == 8 ? 0 : k0, nt = extra[1];
            const int m_of_a = mistake == 16 || mistake == 17 ? n : m;
            out[i] = at(in[1], m * k, of_a + ya, ka + xa, m_of_a, k);
            if (mistake == 11) out[i] = at(in[1], m * k, row + ya, ka + xa, k, m);
            double *b = out + i + TILE * TILE;
            *b = nt ^ (mistake == 4) ? at(in[2], n * k, col + yb, kb + xb, n, k)
                                     : at(in[2], n * k, kb + yb, col + xb, k, n);
            if (mistake == 14)
                *b = at(in[1], m * k, (nt ? col : k0) + yb, (nt ? k0 : col) + xb, nt ? n : k, nt ? k : n);
            if (mistake == 15)
                out[i] = at(in[1], m * k, row + ya, k0 * TILE + xa, m, k),
                *b = nt ? at(in[2], n * k, col + yb, k0 * TILE + xb, n, k)
                        : at(in[2], n * k, k0 * TILE + yb, col + xb, k, n);
            if (mistake == 10 || mistake == 16)
                *b = nt ? at(in[2], n * k, col + yb, kb + xb, m, k) : at(in[2], n * k, kb + yb, col + xb, k, m);
            if (mistake == 12)
                *b = nt ? at(in[2], n * k, col + yb, kb + xb, k, n) : at(in[2], n * k, kb + yb, col + xb, n, k);
            if (mistake == 13)
                *b = nt ? at(in[2], n * k, kb + yb, col + xb, n, k) : at(in[2], n * k, col + yb, kb + xb, k, n);
        }
    return 1;
}
static int load_tiles_else(const lab_symptom *s, char *text, size_t size) {
    const lab_tile_loads of = {TILE, s->shape.seq_q, s->shape.seq_kv, s->shape.head_dim, s->extra[0], s->extra[1]};
    return lab_explain_tile_loads(s, &of, text, size);
}
KNOWN_OR(load_tiles, load_tiles_else, "matches the tiles of step 0 in every step: k0 is missing",
         "both tiles are transposed: ty counts rows of a tile, tx columns",
         "the tile of B begins at col, not at row: a block makes the tile of C at C[row][col]",
         "the tile of B is read as the other product stores it: B is [n, k] in C = A B^T and [k, n] in C = A B",
         "the tile of A is transposed: As[ty][tx] is A[row + ty][k0 + tx]",
         "the tile of B is transposed: tx counts along a row of B, and of Bs",
         "matches A's tile of step 0 in every step: k0 is missing",
         "matches B's tile of step 0 in every step: k0 is missing",
         "the tile of A begins at row, not at col: a block makes the tile of C at C[row][col]",
         "the tile of B is loaded with m in place of n: B has n rows in C = A B^T, and n columns in C = A B",
         "the sizes of A are swapped: load_or_zero(A, row, column, m, k)",
         "the sizes of B are swapped: it has n rows of k, in C = A B k rows of n",
         "matches B's tile with row and column swapped: it is at B[col][k0] in C = A B^T, at B[k0][col] in C = A B",
         "both tiles are loaded from A: the second one is B's",
         "k0 is multiplied by TILE: it counts elements already, not tiles",
         "m and n are swapped: A has m rows, and B belongs to n",
         "the tile of A is loaded with n in place of m: A has m rows")
SHARED_PROBE(load_tiles_nt, load_tiles, 3, .tensors = {"As and Bs", "A", "B"});
SHARED_PROBE(load_tiles_nn, load_tiles, 3, .tensors = {"As and Bs", "A", "B"});

// ---- multiply_nt: out [TILE, TILE] = A B^T

SIZES(multiply_nt, TILE, TILE, TILE *TILE, TILE *TILE)

ORACLE(multiply_nt) {
    for (int i = 0; i < TILE * TILE; i++) {
        const int y = i / TILE, x = i % TILE;
        out[i] = 0;
        if (mistake == 4 || mistake == 5) {  // one product
            out[i] = (double)in[1][y * TILE + x] * in[2][mistake == 4 ? y * TILE + x : x * TILE + y];
            continue;
        }
        for (int l = mistake == 3 ? TILE - 1 : 0; l < TILE; l++) {
            const double a = in[1][mistake == 2 ? l * TILE + y : y * TILE + l];
            out[i] += a * in[2][mistake == 1 ? l * TILE + x : x * TILE + l];
        }
    }
    return 1;
}
KNOWN_OR(multiply_nt, lab_multiply_nt_else, "matches As Bs: B is stored transposed, so row ty of As meets row tx of Bs",
         "row ty of As is As[ty][l], not As[l][ty]", "only the last product is there: add up all TILE of them",
         "matches As[ty][tx] * Bs[ty][tx], one product: a loop over l adds up TILE of them, As[ty][l] * Bs[tx][l]",
         "matches As[ty][tx] * Bs[tx][ty], one product: a loop over l adds up TILE of them, As[ty][l] * Bs[tx][l]")
SHARED_PROBE(multiply_nt, multiply_nt, 3, .tensors = {"sum", "As", "Bs"});
