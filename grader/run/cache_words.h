// cache_words.h: "global the cache[4096]" in a report about an append: "lengths[0]".
#ifndef LAB_CACHE_WORDS_H
#define LAB_CACHE_WORDS_H

#include <stddef.h>

#include "cases.h"

void lab_name_part_of_cache(const lab_case *c, char *text, size_t size);

#endif
