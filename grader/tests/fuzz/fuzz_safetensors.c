// fuzz_safetensors.c: any bytes as a model.safetensors (libFuzzer). Every tensor that is found is read to its end.
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

#include "safetensors.h"

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size) {
    static const char *const names[] = {"wte.weight", "h.0.ln_1.bias", "a", "b"};
    char why[600] = "";
    const gpt2_reading at = {"model.safetensors", why, sizeof why};
    volatile float sum = 0;
    safetensors *f = safetensors_parse(bytes, size, &at);
    for (int i = 0; f && i < 4; i++)
        for (int64_t rows = 0; rows <= 2; rows++)
            for (int64_t cols = 0; cols <= 4; cols++) {
                const float *x = safetensors_f32(f, names[i], rows, cols, &at);
                for (int64_t k = 0; x && k < (rows ? rows : 1) * cols; k++) sum = sum + x[k];
            }
    safetensors_close(f);
    for (const char *c = why; *c; c++)
        if (*c < ' ' || *c > '~') abort();  // one printable line
    return 0;
}
