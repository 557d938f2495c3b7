// forge.h: makes a checkpoint from the golden one, whole or broken, for the tests of grader/gpt2.
#ifndef LAB_FORGE_H
#define LAB_FORGE_H

#include <stddef.h>

#include <jansson.h>

#define FORGE "build/tests/forge"  // the folder with the forged files

// The golden checkpoint taken apart.
typedef struct {
    json_t *header;
    unsigned char *data;
    size_t data_size;
} forge_parts;

forge_parts forge_take(void);
void forge_free(forge_parts *p);

// A tensor's entry in the header; key: "dtype", "shape" or "data_offsets".
json_t *forge_tensor(forge_parts *p, const char *name);
void forge_set(forge_parts *p, const char *name, const char *key, json_t *value);

// Moves the data so that offsets fit dtypes and shapes again; a tensor that has grown or is new ends with zeros.
void forge_lay_out(forge_parts *p);

// Writes model.safetensors, the header followed by `spaces` spaces.
void forge_write(const forge_parts *p, int spaces);

// Writes any file of the folder; length -1: text.
void forge_file(const char *name, const void *bytes, long length);

// A whole file of the lab; the caller frees.
char *forge_read(const char *path, size_t *length);

// config.json: the golden one with the keys of this JSON object changed.
void forge_config(const char *changes);

#endif
