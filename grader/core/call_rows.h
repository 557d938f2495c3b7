// call_rows.h: calls of task 6's layer that tell by which rule it takes them for a prefill, for decode, or for neither.
// TODO 6.1's probe makes them (probes_task6_calls.c), and the driver of a whole layer does (grader/model/asked.cu).
#ifndef LAB_CALL_ROWS_H
#define LAB_CALL_ROWS_H

enum { LAB_CALL_ROWS = 17, LAB_CALL_SEQUENCES = 4 };  // LAB_CALL_SEQUENCES: as many as the driver has

typedef struct {
    int S, first, others, last;  // sequences: 0 no past, 1 some, 2 one token
} lab_call_row;

static const lab_call_row lab_call_rows[LAB_CALL_ROWS] = {
    {5, 0, 0, 0}, {1, 1, 1, 1}, {1, 0, 0, 0}, {1, 0, 1, 1}, {1, 1, 1, 0}, {3, 1, 1, 1},
    {4, 1, 0, 0}, {1, 0, 0, 1}, {1, 2, 2, 2}, {2, 1, 1, 1}, {1, 1, 0, 1}, {3, 0, 1, 1},
    {1, 2, 1, 1}, {1, 1, 0, 0}, {2, 0, 0, 0}, {4, 1, 1, 0}, {1, 2, 0, 1}};

// some: what a sequence with a past has, 2 or more
static inline int lab_call_past(int row, int b, int batch, int some) {
    const lab_call_row *r = &lab_call_rows[row];
    const int old = b == batch - 1 ? r->last : b ? r->others : r->first;
    return old == 1 ? some : old ? 1 : 0;
}
static inline int lab_call_count(int row, int b) { return lab_call_rows[row].S - (lab_call_rows[row].S > 1 && b == 0); }
// In the driver's calls.
static inline int lab_call_some(int row, int b) { return 2 + (3 * row + b) % 8; }

#endif
