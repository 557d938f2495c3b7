// room_rows.h: calls of task 6's layer that tell by which rule it asks whether the cache has room. All are a prefill or a
// decode: a layer refuses others anyhow. The driver of a whole layer makes them (grader/model/asked.cu).
#ifndef LAB_ROOM_ROWS_H
#define LAB_ROOM_ROWS_H

#include "call_rows.h"

enum { LAB_ROOM_SLOTS = 8, LAB_ROOM_MOST = 40 };  // max_seq; the largest S

typedef struct {
    int S, past[LAB_CALL_SEQUENCES], count[LAB_CALL_SEQUENCES];
} lab_room_row;

static const lab_room_row lab_room_rows[LAB_CALL_ROWS] = {
    {8, {0, 0, 0, 0}, {8, 8, 8, 8}},   {9, {0, 0, 0, 0}, {1, 2, 1, 9}},   {9, {0, 0, 0, 0}, {9, 1, 2, 1}},
    {10, {0, 0, 0, 0}, {8, 3, 1, 2}},  {9, {0, 0, 0, 0}, {2, 9, 1, 3}},   {9, {0, 0, 0, 0}, {9, 9, 9, 9}},
    {40, {0, 0, 0, 0}, {3, 1, 40, 1}}, {10, {0, 0, 0, 0}, {1, 2, 3, 10}}, {1, {7, 1, 2, 3}, {1, 1, 1, 1}},
    {1, {8, 1, 2, 3}, {1, 1, 1, 1}},   {1, {1, 2, 1, 8}, {1, 1, 1, 1}},   {1, {2, 8, 1, 1}, {1, 1, 1, 1}},
    {1, {8, 8, 8, 8}, {1, 1, 1, 1}},   {1, {1, 1, 1, 1}, {1, 1, 1, 1}},   {1, {7, 7, 7, 7}, {1, 1, 1, 1}},
    {1, {1, 2, 8, 7}, {1, 1, 1, 1}},   {1, {0, 0, 0, 0}, {1, 1, 1, 1}}};

#endif
