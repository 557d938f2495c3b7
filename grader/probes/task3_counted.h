// task3_counted.h: the student's file, and what it calls, counted: 3.9 asks how many threads take memory, 3.13 whether
// exp_of calls a function.
#ifndef LAB_TASK3_COUNTED_H
#define LAB_TASK3_COUNTED_H

enum { PAD = 5, MOST_THREADS = 8, ASKED_THREADS = 4 };

static struct {
    int calls;   // of expf and its like
    int maxima;  // of fmaxf
    int freed;
    int in_team;  // 1: it is called where several threads work
    int tiles;    // allocations; of each the size, and a hash of what it held when it was freed
    void *at[MOST_THREADS];
    size_t size[MOST_THREADS];
    uint64_t left[MOST_THREADS];
} counted;

// Of expf and its like; in a team of several threads, their working memory has to be their own.
static void count_call(void) {
    counted.calls++;
    if (omp_get_num_threads() > 1) counted.in_team = 1;
}

static void *counted_malloc(size_t size) {
    void *p = calloc(1, size);
#pragma omp critical(lab_probe)
    if (counted.tiles < MOST_THREADS) counted.at[counted.tiles] = p, counted.size[counted.tiles++] = size;
    return p;
}

static void counted_free(void *p) {
#pragma omp critical(lab_probe)
    for (int i = 0; i < counted.tiles; i++) {
        counted.freed += p && counted.at[i] == p;
        if (p && counted.at[i] == p)
            for (size_t k = 0; k < counted.size[i] / 4; k++)
                counted.left[i] = counted.left[i] * 0x9e3779b97f4a7c15 + ((uint32_t *)p)[k];
    }
    free(p);
}

#define malloc(size) counted_malloc(size)
#define free(p) counted_free(p)
#define expf(x) (count_call(), expf(x))
#define fmaxf(x, y) (counted.maxima++, fmaxf(x, y))
#define exp2f(x) (counted.calls++, exp2f(x))
#define exp(x) (counted.calls++, exp(x))
#define exp2(x) (counted.calls++, exp2(x))
#define powf(x, y) (counted.calls++, powf(x, y))
#define ldexpf(x, n) (counted.calls++, ldexpf(x, n))
#include LAB_STAGE_FILE
#undef malloc
#undef free
#undef exp

#endif
