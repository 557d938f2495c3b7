// series.h: the series of timings. A row says what a series varies and how it is read; experiments are measured under
// its name, the report draws and lists it, the schema allows it.
#ifndef LAB_SERIES_H
#define LAB_SERIES_H

// What varies along a series, and stands on the x axis of its plot. SEQ_AND_BATCH: the batch falls as S rises.
typedef enum {
    LAB_BY_NOTHING,
    LAB_BY_SEQ,
    LAB_BY_SEQ_AND_BATCH,
    LAB_BY_KV,
    LAB_BY_HEADS,
    LAB_BY_BATCH,
    LAB_BY_THREADS,
    LAB_BY_TILES
} lab_axis;

typedef struct {
    const char *name;   // "seq": the "series" of a timing in results.json
    const char *title;  // of its table
    lab_axis axis;
    int of_memory;  // 1: its rate is bytes per second, under the bandwidth; 0: FLOP per second, under the peak
    int of_gpu;     // 1: its times are a GPU's alone; a time on a CPU is none
} lab_series;

extern const lab_series lab_all_series[];
extern const int lab_n_series;

const lab_series *lab_series_find(const char *name);  // NULL if there is none

// By how many seconds such a time may be off: half of the distance of its quartiles; a single run tells none, so 5 %.
// Two times whose distance is less than the sum of theirs are equal.
double lab_noise(double median_s, double iqr_s, int runs);

#endif
