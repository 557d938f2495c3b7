// cause_layout.h: one cause of several TODOs that fail: the file takes its tensors for [B, S, H, D].
#ifndef LAB_CAUSE_LAYOUT_H
#define LAB_CAUSE_LAYOUT_H

#include <stddef.h>

// A TODO fails, and the whole function is right for such tensors: "attn_sdpa as a whole matches ...". Returns 0 otherwise.
int lab_cause_layout(char *text, size_t size);

#endif
