// probe_sums.c: the loops of the TODOs that add up products, as sums.c takes them: names, lengths, and what is right.
#include "probe_sums.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "pointwise.h"
#include "sums.h"

enum { TILE = 32, PAD = 5 };  // of the probes of tasks 2 and 3

// ---- Task 1

int lab_scores_else(const lab_symptom *s, char *text, size_t size) {
    const lab_sum right = {
        .out = "S",
        .index = {"i", "j", "d"},
        .count = {s->shape.seq_q, s->shape.seq_kv, s->shape.head_dim},
        .end = {"Sq", "Sk", "D"},
        .a = {"Q", 1, LAB_ROW, LAB_TERM, "D"},
        .b = {"K", 2, LAB_COLUMN, LAB_TERM, "D"},
        .scale = 1 / sqrt(s->shape.head_dim),
        .length = {{"D", s->shape.head_dim}, {"Sk", s->shape.seq_kv}, {"Sq", s->shape.seq_q}},
    };
    return lab_explain_sum(s, &right, text, size);
}

int lab_weighted_sum_else(const lab_symptom *s, char *text, size_t size) {
    const lab_sum right = {
        .out = "O",
        .index = {"i", "d", "j"},
        .count = {s->shape.seq_q, s->shape.head_dim, s->shape.seq_kv},
        .end = {"Sq", "D", "Sk"},
        .a = {"P", 1, LAB_ROW, LAB_TERM, "Sk"},
        .b = {"V", 2, LAB_TERM, LAB_COLUMN, "D"},
        .length = {{"D", s->shape.head_dim}, {"Sk", s->shape.seq_kv}, {"Sq", s->shape.seq_q}},
    };
    return lab_explain_sum(s, &right, text, size);
}

int lab_project_else(const lab_symptom *s, char *text, size_t size) {
    const lab_sum right = {
        .out = "Y",
        .index = {"r", "e", "k"},
        .count = {s->shape.seq_q, s->shape.head_dim, s->shape.head_dim},
        .end = {"rows", "E", "E"},
        .a = {"X", 1, LAB_ROW, LAB_TERM, "E"},
        .b = {"W", 2, LAB_COLUMN, LAB_TERM, "E"},
        .length = {{"E", s->shape.head_dim}, {"rows", s->shape.seq_q}},
    };
    return lab_explain_sum(s, &right, text, size);
}

// ---- Task 2

int lab_multiply_nt_else(const lab_symptom *s, char *text, size_t size) {
    const lab_sum right = {
        .out = "sum",
        .index = {"ty", "tx", "l"},
        .count = {TILE, TILE, TILE},
        .end = {"TILE", "TILE", "TILE"},
        .a = {"As", 1, LAB_ROW, LAB_TERM, ""},
        .b = {"Bs", 2, LAB_COLUMN, LAB_TERM, ""},
        .length = {{"", TILE}},
    };
    return lab_explain_sum(s, &right, text, size);
}

// ---- Task 3

int lab_scores_of_tile_else(const lab_symptom *s, char *text, size_t size) {
    const attn_shape z = s->shape;
    const lab_sum right = {
        .out = "S",
        .index = {"r", "c", "d"},
        .count = {z.seq_q, z.seq_kv, z.head_dim},
        .end = {"nq", "nk", "D"},
        .a = {"Q", 1, LAB_ROW, LAB_TERM, "D", 2, "i0"},
        .b = {"K", 2, LAB_COLUMN, LAB_TERM, "D", 3, "j0"},
        .scale = 1 / sqrt(z.head_dim),
        .out_row = z.seq_kv + PAD,
        .length = {{"D", z.head_dim}, {"Bc", z.seq_kv + PAD}, {"nk", z.seq_kv}, {"nq", z.seq_q}},
    };
    return lab_explain_sum(s, &right, text, size);
}

// The vectors of a block: LANES and ROWS are those of the student's machine.
static int explain_block(const lab_symptom *s, char *text, size_t size) {
    const int n = s->shape.seq_kv, a_step = n + PAD, cols = s->shape.head_dim, bc_step = cols + PAD;
    static const char *const sentence[] = {
        "the vec of B at %d begins 1 float on, not LANES: vec v of row k stands at B + k * bc_step + v * LANES",
        "each row of a block takes A's numbers of the block's first row: A[r * a_step + k]",
        "each vec of a block is made from B's first: vec v of row k stands at B + k * bc_step + v * LANES"};
    if (strcmp(s->op->name, "multiply_block") != 0) return 0;
    for (int kind = 0; kind < 3; kind++)
        for (int width = 4; width <= 16; width *= 2) {
            int fits = s->op->elements(s->shape, 0) > 0;
            for (int i = 0; i < s->shape.seq_q * bc_step && fits; i++) {
                const int r = i / bc_step, c = i % bc_step, v = c / width % 2;
                const int whole = kind == 1 ? r / width * width + width <= s->shape.seq_q
                                            : c / (2 * width) * 2 * width + 2 * width <= cols;
                const int row = kind == 1 && whole ? r / width * width : r;
                const int column = !whole || kind == 1 ? c : kind == 0 ? c - v * width + v : c - v * width;
                double due = s->in[3][i];
                if (c >= cols || (kind == 1 && c >= cols / 32 * 32)) continue;
                for (int k = 0; k < n; k++) due += (double)s->in[1][row * a_step + k] * s->in[2][k * bc_step + column];
                fits = fabs(due - s->got[i]) < LAB_TOLERANCE * (1 + fabs(due)) || (kind != 1 && !whole) ||
                       r >= s->shape.seq_q / 8 * 8;
            }
            if (fits) return snprintf(text, size, sentence[kind], width) > 0;
        }
    return 0;
}

// What holds as far as it is wrong is not said of the rows and columns behind, which are right.
static int explain_part(const lab_symptom *s, const lab_sum *part, char *text, size_t size) {
    lab_guesses found = {.n = 0};
    lab_symptom alone = *s;
    alone.guesses = &found;
    if (!lab_explain_sum(&alone, part, text, size)) return 0;
    if (!found.n) lab_guess(&found, text, (char[2]){""}, 2);
    text[0] = 0;
    for (int i = 0; i < found.n; i++) {
        char sentence[sizeof found.text[0]];
        snprintf(sentence, sizeof sentence, "%.190s (in rows 0 .. %zu, columns 0 .. %zu alone)", found.text[i],
                 (size_t)part->count[LAB_ROW] - 1, (size_t)part->count[LAB_COLUMN] - 1);
        lab_guess(s->guesses, sentence, text, size);
    }
    return 1;
}

int lab_multiply_add_else(const lab_symptom *s, char *text, size_t size) {
    const attn_shape z = s->shape;
    const lab_sum right = {
        .out = "C",
        .index = {"r", "c", "k"},
        .count = {z.seq_q, z.head_dim, z.seq_kv},
        .end = {"rows", "cols", "n"},
        .a = {"A", 1, LAB_ROW, LAB_TERM, "a_step"},
        .b = {"B", 2, LAB_TERM, LAB_COLUMN, "bc_step"},
        .added = 3,
        .out_row = z.head_dim + PAD,
        .length = {{"a_step", z.seq_kv + PAD},
                   {"bc_step", z.head_dim + PAD},
                   {"n", z.seq_kv},
                   {"cols", z.head_dim},
                   {"rows", z.seq_q}},
    };
    const lab_left left = {"C", 3, z.head_dim + PAD, z.head_dim + PAD};
    lab_sum whole = right;  // the rows and columns that are wrong: what is left of whole blocks is made elsewhere
    whole.count[LAB_ROW] = whole.count[LAB_COLUMN] = 0;
    for (int i = 0; i < z.seq_q * (z.head_dim + PAD); i++) {
        const size_t r = i / (z.head_dim + PAD) + 1, c = i % (z.head_dim + PAD) + 1;
        if (!lab_element_bad(s, i, 0)) continue;
        if (c > right.count[LAB_COLUMN]) continue;
        if (r > whole.count[LAB_ROW]) whole.count[LAB_ROW] = r;
        if (c > whole.count[LAB_COLUMN]) whole.count[LAB_COLUMN] = c;
    }
    const int is_part =
        whole.count[LAB_ROW] < right.count[LAB_ROW] || whole.count[LAB_COLUMN] < right.count[LAB_COLUMN];
    return lab_explain_left(s, left, text, size) || lab_explain_sum(s, &right, text, size) ||
           explain_block(s, text, size) || lab_explain_block_steps(s, text, size) ||
           (is_part && explain_part(s, &whole, text, size));
}
