// safetensors.c: maps the file, checks its header, finds tensors.
#include "safetensors.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

enum { MAX_RANK = 8, MAX_HEADER = 100000000 };  // the format's own limit for the header

typedef struct {
    const char *name, *dtype;  // in the header
    int64_t shape[MAX_RANK];
    int rank;
    uint64_t begin, end;  // in the data
    void *copy;           // aligned, for data that are not
} tensor;

struct safetensors {
    void *mapped;
    size_t mapped_size;
    json_t *header;
    const unsigned char *data;
    uint64_t data_size;
    tensor *tensors;
    size_t n;
};

// Bytes of a number; 0 for a type that the table does not know: it is refused when somebody asks for the tensor.
static int bytes_of(const char *dtype) {
    static const struct {
        const char *name;
        int bytes;
    } TYPES[] = {{"F64", 8}, {"I64", 8}, {"U64", 8},  {"F32", 4}, {"I32", 4}, {"U32", 4}, {"F16", 2},
                 {"I16", 2}, {"U16", 2}, {"BF16", 2}, {"I8", 1},  {"U8", 1},  {"BOOL", 1}};
    for (size_t i = 0; i < sizeof TYPES / sizeof *TYPES; i++)
        if (!strcmp(dtype, TYPES[i].name)) return TYPES[i].bytes;
    return 0;
}

static bool read_shape(tensor *t, const json_t *shape, const gpt2_reading *at) {
    if (!json_is_array(shape) || json_array_size(shape) > MAX_RANK)
        return gpt2_problem(at, "%s: shape must be a list of at most %d sizes", t->name, MAX_RANK);
    t->rank = (int)json_array_size(shape);
    for (int i = 0; i < t->rank; i++) {
        const json_t *x = json_array_get(shape, i);
        t->shape[i] = json_integer_value(x);
        if (!json_is_integer(x) || t->shape[i] < 0) return gpt2_problem(at, "%s: shape must be whole numbers", t->name);
    }
    return true;
}

// The offsets lie within the data, and are as far apart as type and shape say.
static bool read_offsets(tensor *t, const json_t *offsets, uint64_t data_size, const gpt2_reading *at) {
    const json_t *b = json_array_get(offsets, 0), *e = json_array_get(offsets, 1);
    if (json_array_size(offsets) != 2 || !json_is_integer(b) || !json_is_integer(e) || json_integer_value(b) < 0 ||
        json_integer_value(e) < json_integer_value(b))
        return gpt2_problem(at, "%s: data_offsets must be two whole numbers, begin <= end", t->name);
    t->begin = json_integer_value(b), t->end = json_integer_value(e);
    if (t->end > data_size)
        return gpt2_problem(at, "%s ends at byte %llu of the data, which has %llu: the file is truncated", t->name,
                            (unsigned long long)t->end, (unsigned long long)data_size);
    uint64_t need = bytes_of(t->dtype);
    bool overflow = false;
    for (int i = 0; i < t->rank; i++) overflow |= __builtin_mul_overflow(need, (uint64_t)t->shape[i], &need);
    if (bytes_of(t->dtype) && (overflow || need != t->end - t->begin))
        return gpt2_problem(at, "%s: its data_offsets do not hold a tensor of its dtype and shape", t->name);
    return true;
}

static int by_place(const void *a, const void *b) {
    const tensor *x = a, *y = b;
    if (x->begin != y->begin) return x->begin < y->begin ? -1 : 1;
    return (x->end > y->end) - (x->end < y->end);
}

// Tensors sorted by place cover the data: each begins where the one before it ends.
static bool check_cover(const safetensors *f, const gpt2_reading *at) {
    uint64_t end = 0;
    for (size_t i = 0; i < f->n; i++) {
        const tensor *t = &f->tensors[i];
        if (t->begin < end) return gpt2_problem(at, "%s overlaps %s", t->name, f->tensors[i - 1].name);
        if (t->begin > end)
            return gpt2_problem(at, "%llu bytes before %s belong to no tensor", (unsigned long long)(t->begin - end),
                                t->name);
        end = t->end;
    }
    if (end == f->data_size) return true;
    return gpt2_problem(at, "%llu bytes at the end belong to no tensor", (unsigned long long)(f->data_size - end));
}

static bool read_tensors(safetensors *f, const gpt2_reading *at) {
    const char *name;
    json_t *entry;
    f->tensors = calloc(json_object_size(f->header) + 1, sizeof *f->tensors);
    if (!f->tensors) return gpt2_problem(at, "out of memory");
    json_object_foreach(f->header, name, entry) {
        if (!strcmp(name, "__metadata__")) continue;
        tensor *t = &f->tensors[f->n++];
        t->name = name;
        t->dtype = json_string_value(json_object_get(entry, "dtype"));
        if (!t->dtype) return gpt2_problem(at, "%s has no dtype", name);
        if (!read_shape(t, json_object_get(entry, "shape"), at) ||
            !read_offsets(t, json_object_get(entry, "data_offsets"), f->data_size, at))
            return false;
    }
    qsort(f->tensors, f->n, sizeof *f->tensors, by_place);
    return check_cover(f, at);
}

static bool read_header(safetensors *f, const unsigned char *bytes, size_t size, const gpt2_reading *at) {
    uint64_t length = 0;
    if (size < 8) return gpt2_problem(at, "has %zu bytes; a safetensors file has at least 8", size);
    for (int i = 0; i < 8; i++) length |= (uint64_t)bytes[i] << 8 * i;
    if (length > size - 8)
        return gpt2_problem(at, "its header claims %llu bytes, the file has %zu: truncated, or not safetensors",
                            (unsigned long long)length, size);
    if (length > MAX_HEADER) return gpt2_problem(at, "its header has more than %d bytes", MAX_HEADER);
    f->header = gpt2_json_text((const char *)bytes + 8, length, at);
    f->data = bytes + 8 + length;
    f->data_size = size - 8 - length;
    return f->header && read_tensors(f, at);
}

safetensors *safetensors_parse(const void *bytes, size_t size, const gpt2_reading *at) {
    safetensors *f = calloc(1, sizeof *f);
    if (!f) return gpt2_problem(at, "out of memory"), NULL;
    if (read_header(f, bytes, size, at)) return f;
    safetensors_close(f);
    return NULL;
}

safetensors *safetensors_open(const gpt2_reading *at) {
    struct stat info;
    const int fd = open(at->path, O_RDONLY | O_CLOEXEC);
    if (fd < 0 || fstat(fd, &info) || !S_ISREG(info.st_mode) || !info.st_size) {
        gpt2_problem(at, "cannot be read: %s", fd < 0 ? strerror(errno) : "not a file, or empty");
        if (fd >= 0) close(fd);
        return NULL;
    }
    void *bytes = mmap(NULL, info.st_size, PROT_READ, MAP_PRIVATE, fd, 0);
    close(fd);
    if (bytes == MAP_FAILED) return gpt2_problem(at, "cannot be mapped: %s", strerror(errno)), NULL;
    safetensors *f = safetensors_parse(bytes, info.st_size, at);
    if (f) f->mapped = bytes, f->mapped_size = info.st_size;
    if (!f) munmap(bytes, info.st_size);
    return f;
}

static tensor *find(const safetensors *f, const char *name) {
    for (size_t i = 0; i < f->n; i++)
        if (!strcmp(f->tensors[i].name, name)) return &f->tensors[i];
    return NULL;
}

bool safetensors_has(const safetensors *f, const char *name) { return find(f, name) != NULL; }

// The format was first written without padding after the header, so the data of a file can begin at an odd address.
static const float *aligned(safetensors *f, tensor *t, const gpt2_reading *at) {
    const unsigned char *at_file = f->data + t->begin;
    if ((uintptr_t)at_file % sizeof(float) == 0) return (const float *)at_file;
    if (!t->copy && (t->copy = malloc(t->end - t->begin + 1))) memcpy(t->copy, at_file, t->end - t->begin);
    if (!t->copy) gpt2_problem(at, "%s: out of memory", t->name);
    return t->copy;
}

const float *safetensors_f32(safetensors *f, const char *name, int64_t rows, int64_t cols, const gpt2_reading *at) {
    tensor *t = find(f, name);
    if (!t) return gpt2_problem(at, "%s is missing", name), NULL;
    if (strcmp(t->dtype, "F32")) return gpt2_problem(at, "%s is %s; the lab reads F32", name, t->dtype), NULL;
    if (rows ? t->rank == 2 && t->shape[0] == rows && t->shape[1] == cols : t->rank == 1 && t->shape[0] == cols)
        return aligned(f, t, at);

    char is[MAX_RANK * 24] = "", must_be[64];
    for (int i = 0; i < t->rank; i++)
        snprintf(is + strlen(is), sizeof is - strlen(is), "%s%lld", i ? ", " : "", (long long)t->shape[i]);
    if (rows) snprintf(must_be, sizeof must_be, "%lld, %lld", (long long)rows, (long long)cols);
    if (!rows) snprintf(must_be, sizeof must_be, "%lld", (long long)cols);
    return gpt2_problem(at, "%s has shape [%s]; config.json makes it [%s]", name, is, must_be), NULL;
}

void safetensors_close(safetensors *f) {
    if (!f) return;
    for (size_t i = 0; i < f->n; i++) free(f->tensors[i].copy);
    free(f->tensors);
    json_decref(f->header);
    if (f->mapped) munmap(f->mapped, f->mapped_size);
    free(f);
}
