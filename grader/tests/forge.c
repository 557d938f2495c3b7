// forge.c: the golden checkpoint, taken apart and put together again, under build/tests/forge.
#include "unit.h"

#include "alone.h"
#include "forge.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

char *forge_read(const char *path, size_t *length) {
    FILE *f = fopen(path, "rb");
    if (!f) fail_msg("%s cannot be read; run from the lab's root", path);
    fseek(f, 0, SEEK_END);
    *length = ftell(f);
    rewind(f);
    char *bytes = malloc(*length + 1);
    assert_int_equal(fread(bytes, 1, *length, f), *length);
    bytes[*length] = 0;
    fclose(f);
    return bytes;
}

void forge_file(const char *name, const void *bytes, long length) {
    char path[256];
    mkdir("build", 0777), mkdir("build/tests", 0777), alone_in(FORGE), mkdir(FORGE, 0777);
    snprintf(path, sizeof path, FORGE "/%s", name);
    FILE *f = fopen(path, "wb");
    assert_non_null(f);
    const size_t n = length < 0 ? strlen(bytes) : (size_t)length;
    assert_int_equal(fwrite(bytes, 1, n, f), n);
    fclose(f);
}

static uint64_t header_length(const char *bytes) {
    uint64_t n = 0;
    for (int i = 0; i < 8; i++) n |= (uint64_t)(unsigned char)bytes[i] << 8 * i;
    return n;
}

forge_parts forge_take(void) {
    size_t length;
    char *bytes = forge_read("grader/golden/gpt2/model.safetensors", &length);
    const uint64_t n = header_length(bytes);
    forge_parts p = {json_loadb(bytes + 8, n, 0, NULL), NULL, length - 8 - n};
    assert_non_null(p.header);
    p.data = malloc(p.data_size);
    memcpy(p.data, bytes + 8 + n, p.data_size);
    free(bytes);
    return p;
}

void forge_free(forge_parts *p) { json_decref(p->header), free(p->data); }

json_t *forge_tensor(forge_parts *p, const char *name) {
    json_t *t = json_object_get(p->header, name);
    if (!t) fail_msg("the golden checkpoint has no %s", name);
    return t;
}

void forge_set(forge_parts *p, const char *name, const char *key, json_t *value) {
    json_object_set_new(forge_tensor(p, name), key, value);
}

static size_t bytes_of(const json_t *t) {
    const char *dtype = json_string_value(json_object_get(t, "dtype"));
    size_t n = strcmp(dtype, "F32") == 0 ? 4 : strcmp(dtype, "BOOL") == 0 ? 1 : 2, i;
    json_t *size;
    json_array_foreach(json_object_get(t, "shape"), i, size) n *= json_integer_value(size);
    return n;
}

void forge_lay_out(forge_parts *p) {
    const char *name;
    json_t *t;
    size_t all = 0;
    json_object_foreach(p->header, name, t) all += strcmp(name, "__metadata__") ? bytes_of(t) : 0;
    unsigned char *data = calloc(all + 1, 1);
    size_t at = 0;
    json_object_foreach(p->header, name, t) {
        if (!strcmp(name, "__metadata__")) continue;
        const json_t *old = json_object_get(t, "data_offsets");
        const size_t from = json_integer_value(json_array_get(old, 0)), n = bytes_of(t);
        const size_t had = json_integer_value(json_array_get(old, 1)) - from;
        memcpy(data + at, p->data + from, n < had ? n : had);
        json_object_set_new(t, "data_offsets", json_pack("[I, I]", (json_int_t)at, (json_int_t)(at + n)));
        at += n;
    }
    free(p->data);
    p->data = data, p->data_size = all;
}

void forge_write(const forge_parts *p, int spaces) {
    char *header = json_dumps(p->header, JSON_COMPACT);
    const size_t text = strlen(header), n = text + spaces;
    char *bytes = malloc(8 + n + p->data_size);
    for (int i = 0; i < 8; i++) bytes[i] = (char)(n >> 8 * i);
    memcpy(bytes + 8, header, text);
    memset(bytes + 8 + text, ' ', spaces);
    memcpy(bytes + 8 + n, p->data, p->data_size);
    forge_file("model.safetensors", bytes, (long)(8 + n + p->data_size));
    free(bytes), free(header);
}

void forge_config(const char *changes) {
    json_t *config = json_load_file("grader/golden/gpt2/config.json", 0, NULL), *change = json_loads(changes, 0, NULL);
    assert_non_null(config);
    assert_non_null(change);
    json_object_update(config, change);
    char *text = json_dumps(config, 0);
    forge_file("config.json", text, -1);
    free(text), json_decref(config), json_decref(change);
}
