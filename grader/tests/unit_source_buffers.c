// unit_source_buffers.c: two buffers of shared memory that take turns, by the text alone: source_buffers.c of grader/run.
#include "hint_text.h"

#define LOOP "__shared__ float a[2][32][33], b[2][32];\n    int now = 0;\n    for (int k = 0; k < n; k++) {\n        "
#define STEP(line7, line8, line9) LOOP line7 "\n        " line8 "\n        " line9 "\n    }"

static void a_step_that_reads_what_it_stores_to_is_named(void **state) {
    (void)state;
    static const char *const says =
        "line 9 reads a[now], the buffer of the two that line 8 stores to in the same step, "
        "with no barrier between: now changes in line ";
    static const char *const wrong[] = {
        STEP("now = 1 - now;", "a[now][t][0] = s[t];", "l += a[now][0][t];"),
        STEP("now ^= 1;", "a[now][t][0] = s[t];", "l += a[now][0][t];"),
        STEP("__syncthreads();", "a[1 - now][t][0] = s[t]; now = !now;", "l += a[now][0][t];"),
        STEP("__syncthreads();", "a[now][t][0] = s[t];", "l += a[now][0][t]; now = now ^ 1;"),
        STEP("now = 1 - now;", "load(a[now], s);", "l += a[now][0][t];"),
        STEP("now = 1 - now;", "load(a[now], s);", "l = multiply(a[now], l);")};
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) expect(lab_hint_of_buffers, wrong[i], says);
}

static void buffers_that_take_turns_are_right(void **state) {
    (void)state;
    static const char *const right[] = {
        STEP("__syncthreads();", "a[1 - now][t][0] = s[t];", "l += a[now][0][t]; now = 1 - now;"),
        STEP("__syncthreads();", "load(a[now ^ 1], s);", "l = multiply(a[now], l); now ^= 1;"),
        STEP("a[now][t][0] = s[t];", "__syncthreads();", "l += a[now][0][t]; now = 1 - now;"),
        STEP("now = 1 - now;", "a[now][t][0] = s[t];", "l += a[1 - now][0][t];"),
        STEP("now = 1 - now;", "a[now][t][0] = s[t];", "l += b[now][t];"),
        STEP("now = 1 - now;", "a[now][t][0] = s[t]; cp_async_wait<0>();", "l += a[now][0][t];"),
        "float r[2][4];\n    int now = 0;\n    for (int k = 0; k < n; k++) {\n        now = 1 - now;\n        "
        "r[now][0] = s[k];\n        l += r[now][0];\n    }"};
    for (size_t i = 0; i < sizeof right / sizeof *right; i++) expect(lab_hint_of_buffers, right[i], NULL);
}

int main(void) {
    const struct CMUnitTest claims[] = {cmocka_unit_test(a_step_that_reads_what_it_stores_to_is_named),
                                        cmocka_unit_test(buffers_that_take_turns_are_right)};
    return cmocka_run_group_tests_name("source_buffers", claims, NULL, NULL);
}
