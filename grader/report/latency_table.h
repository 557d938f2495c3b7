// latency_table.h: the latency of a whole model as a table.
#ifndef LATENCY_TABLE_H
#define LATENCY_TABLE_H

#include <jansson.h>

// One row per implementation of the series "model": TTFT, TBT (median, p99), tokens per second, attention's share.
void latency_table(const json_t *timings);

#endif
