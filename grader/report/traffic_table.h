// traffic_table.h: counted memory traffic as a table.
#ifndef TRAFFIC_TABLE_H
#define TRAFFIC_TABLE_H

#include <jansson.h>

// Every counted buffer of the task, and what a case moved in all, each beside the least. Nothing where none was counted.
void traffic_table(const json_t *task);

// Bytes loaded and stored in all of global memory in the case whose shape is that of like, an entry of counts; NaN if
// the task has none counted.
double traffic_moved(const json_t *task, const json_t *like);

#endif
