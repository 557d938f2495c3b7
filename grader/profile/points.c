// points.c: few shapes, large enough to fill a GPU or as small as its users have them.
#include "points.h"

const lab_point lab_points[] = {
    {"task2", "chain S=1024", &lab_naive, {1, 8, 1024, 1024, 64, 0}},
    {"task4", "full S=1024", &lab_flash, {1, 8, 1024, 1024, 64, 0}},
    {"task4", "causal S=1024", &lab_flash, {1, 8, 1024, 1024, 64, 1}},
    {"task4", "full S=4096", &lab_flash, {1, 8, 4096, 4096, 64, 0}},
    {"task5", "decode B=16 KV=4096", &lab_decode, {16, 32, 1, 4096, 128, 0}},
    {"task5", "split B=16 KV=4096", &lab_decode_split, {16, 32, 1, 4096, 128, 0}},
    {"task5", "split B=1 KV=4096", &lab_decode_split, {1, 32, 1, 4096, 128, 0}},
};
const int lab_n_points = sizeof lab_points / sizeof *lab_points;
