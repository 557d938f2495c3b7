// source_setting.h: a condition that sets what it means to compare.
#ifndef LAB_SOURCE_SETTING_H
#define LAB_SOURCE_SETTING_H

#include <stddef.h>

// `if (status = ATTN_OK)` in lines from .. to. Returns 0 for nothing.
int lab_hint_of_setting(const char *text, int from, int to, char *sentence, size_t size);

#endif
