// leaderboard.h: who is fast, in a class: those who chose a nickname, beside what else was measured and the ladder's rungs.
#ifndef LAB_LEADERBOARD_H
#define LAB_LEADERBOARD_H

#include <jansson.h>
#include <stdio.h>

// What is compared: a row of results.json's timings, or without a GPU of its counts.
typedef struct {
    const char *task, *series, *point;  // series NULL: counted
    const char *title, *unit;
    int of_memory, least_is_best;  // bytes a second, not FLOP a second; times the least bytes
    int rung[3];                   // S, D and causal of the ladder's cells beside it; 0: none
} lab_board;

typedef struct {
    char name[80];
    double value, noise;  // in the board's unit
    int place, landmark;  // place: from 1, equal ones share it; of a landmark 0
} lab_entry;

enum { LAB_MOST_ENTRIES = 512 };

typedef struct {
    lab_entry entry[LAB_MOST_ENTRIES];  // the best first
    int n, people, rungs;
} lab_ranking;

extern const lab_board lab_boards[];
extern const int lab_n_boards;

// A submission that takes part: {"name", "results"}.
void lab_rank(lab_ranking *r, const lab_board *board, const json_t *members, const json_t *ladder);

// The same, and whether there is something to show: what was counted only where nothing was timed.
int lab_rank_worth_it(lab_ranking *r, const lab_board *board, const json_t *members, const json_t *ladder);

void lab_leaderboard_text(FILE *out, const json_t *members, int all, const json_t *ladder);
void lab_leaderboard_page(FILE *out, const json_t *members, int all, const json_t *ladder);

#endif
