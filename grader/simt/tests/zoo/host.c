// host.c: a program that loads checked kernels and asks for reports and counts call by call. Prints TAP.
// Usage: host LIBRARY FIRST_TEST_NUMBER
#include "../../runtime/guests.h"

#include <dlfcn.h>
#include <jansson.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static int test, failed;

static void ok(int holds, const char *claim) {
    printf("%s %d - %s\n", holds ? "ok" : "not ok", ++test, claim);
    failed += !holds;
}

// The reports and counts as a JSON document; it must be well formed.
static json_t *document(int (*write_json)(int)) {
    FILE *f = tmpfile();
    write_json(fileno(f));
    rewind(f);
    json_error_t error;
    json_t *root = json_loadf(f, 0, &error);
    if (!root) printf("# line %d: %s\n", error.line, error.text);
    fclose(f);
    return root;
}

static long count_of(json_t *root, const char *buffer, const char *what) {
    json_t *kernel = json_array_get(json_object_get(root, "kernels"), 0), *entry;
    size_t i;
    json_array_foreach(json_object_get(kernel, "buffers"), i,
                       entry) if (!strcmp(json_string_value(json_object_get(entry, "name")),
                                          buffer)) return (long)json_integer_value(json_object_get(entry, what));
    return -1;
}

// Arrays x and y in one buffer of 500 floats: x is [0, 132), y is [200, 300). The last 100 have no value at first.
static void parts_of_a_buffer(void *library, const simt_check_table *check) {
    float *(*take)(int) = (float *(*)(int))dlsym(library, "take");
    int (*clear)(float *, int) = (int (*)(float *, int))dlsym(library, "clear");
    int (*scale)(float *, const float *, int) = (int (*)(float *, const float *, int))dlsym(library, "scale_arrays");
    int (*give_back)(float *) = (int (*)(float *))dlsym(library, "give_back");
    simt_check_buffer_counts x, y, all;
    check->reset();
    float *memory = take(500);
    clear(memory, 400);
    ok(check->allocated() == 2000, "what cudaMalloc gave out is counted");
    ok(!check->name_range(memory, 528, "x") && !check->name_range(memory + 200, 400, "y"),
       "parts of a buffer get names");
    ok(check->name_range(memory + 250, 400, "z") && check->name_range((char *)memory + 602, 8, "z") &&
           check->name_range(memory + 499, 8, "z"),
       "but not across a part, between words, or past the end");
    scale(memory + 200, memory + 32, 100);
    ok(check->error_count() == 0 && !check->buffer("x", &x) && !check->buffer_at(memory + 299, &y),
       "a kernel that keeps to them is clean");
    ok(x.bytes_loaded == 400 && !x.bytes_stored && y.bytes_stored == 400 && !y.bytes_loaded, "each has its own bytes");
    ok(!check->buffer(NULL, &all) && all.bytes_loaded == 400 && all.bytes_stored == 400, "and all of them the sum");
    scale(memory + 320, memory + 300, 20);
    ok(!check->buffer(NULL, &all) && all.bytes_loaded == 480 && !check->buffer("x", &x) && x.bytes_loaded == 400,
       "the rest of the buffer is in the sum alone");

    check->reset();
    ok(!check->name_range(memory + 100, 800, "w") && !scale(memory + 300, memory + 200, 50) &&
           !check->buffer("w", &x) && x.bytes_loaded == 200 && x.bytes_stored == 0 &&
           !scale(memory + 320, memory, 20) && check->buffer("x", &x) && check->error_count() == 0,
       "after a reset it is one buffer, to be named anew");
    check->reset();
    check->name_range(memory + 350, 400, "u");
    scale(memory + 200, memory + 350, 50);
    ok(check->error_count() == 0, "a part knows what was written before it had a name");
    scale(memory + 200, memory + 390, 20);
    ok(check->error_count() == 1, "and what was not");
    check->reset();
    check->name_range(memory + 350, 400, "u");
    clear(memory, 500);
    scale(memory + 200, memory + 420, 20);
    ok(check->error_count() == 0, "the host writes across parts");
    give_back(memory);
    scale(memory + 360, memory + 380, 20);
    json_t *root = document(check->write_json_fd);
    const char *kind = json_string_value(json_object_get(json_array_get(json_object_get(root, "reports"), 0), "kind"));
    ok(kind && !strcmp(kind, "use_after_free"), "a freed buffer's parts are freed");
    json_decref(root);
}

int main(int argc, char **argv) {
    if (argc < 3) return 2;
    test = atoi(argv[2]) - 1;
    void *library = dlopen(argv[1], RTLD_NOW | RTLD_LOCAL);
    if (!library) return printf("Bail out! %s\n", dlerror()), 1;
    int (*run_scale)(int, int) = (int (*)(int, int))dlsym(library, "run_scale");
    const simt_guest_table *(*guests)(void) = (const simt_guest_table *(*)(void))dlsym(library, "simt_guests");
    const simt_check_table *check = guests ? guests()->check : NULL;
    ok(run_scale && check && !guests(), "whoever asks first has the checker's functions");
    if (!check) return 1;

    check->reset();
    run_scale(100, 0);
    simt_check_buffer_counts counts;
    json_t *root = document(check->write_json_fd);
    ok(root && json_integer_value(json_object_get(root, "schema")) == 1, "the JSON is well formed");
    ok(check->error_count() == 0 && json_array_size(json_object_get(root, "reports")) == 0,
       "a clean call has no report");
    ok(count_of(root, "x", "loaded") == 400 && count_of(root, "y", "stored") == 400,
       "the JSON has the bytes of each buffer");
    ok(check->buffer("x", &counts) == 0 && counts.bytes_loaded == 400 && counts.sectors_loaded == 13,
       "so has buffer()");
    ok(check->buffer("z", &counts) == -1, "an unknown buffer has no counts");
    json_decref(root);

    check->reset();
    run_scale(100, 3);
    root = document(check->write_json_fd);
    json_t *report = json_array_get(json_object_get(root, "reports"), 0);
    const char *kind = json_string_value(json_object_get(report, "kind"));
    ok(check->error_count() == 1 && kind && !strcmp(kind, "out_of_bounds"), "a wrong call has its report");
    ok(json_integer_value(json_object_get(report, "count")) == 3, "with the number of times");
    json_decref(root);

    check->reset();
    run_scale(64, 0);
    ok(check->error_count() == 0, "the next call begins anew");
    run_scale(63, 1);
    ok(check->error_count() == 1, "an error after a reset is found again");
    parts_of_a_buffer(library, check);
    return failed != 0;  // and not 86, though there was an error: whoever asks decides
}
