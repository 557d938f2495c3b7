// safetensors.h: named tensors in one file (github.com/huggingface/safetensors, "Format").
//
//     8 bytes          N, little-endian
//     N bytes          JSON: {"name": {"dtype": "F32", "shape": [64, 192], "data_offsets": [begin, end]}, ...}
//     the rest         data; offsets count from here; the tensors fill it without gaps or overlaps
//
// All of this is checked before a tensor is handed out. The format does not promise aligned data.
#ifndef GPT2_SAFETENSORS_H
#define GPT2_SAFETENSORS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "problem.h"

typedef struct safetensors safetensors;

// Maps the file read-only. NULL and a problem if it is not a safetensors file.
safetensors *safetensors_open(const gpt2_reading *at);

// The same for a file that is in memory, which must stay there; the fuzzer's way in.
safetensors *safetensors_parse(const void *bytes, size_t size, const gpt2_reading *at);

bool safetensors_has(const safetensors *f, const char *name);

// A float32 tensor of shape [rows, cols], or [cols] when rows is 0: in the mapped file when it is aligned there, otherwise a
// copy that lives as long as f. NULL and a problem if it is missing or something else.
const float *safetensors_f32(safetensors *f, const char *name, int64_t rows, int64_t cols, const gpt2_reading *at);

void safetensors_close(safetensors *f);

#endif
