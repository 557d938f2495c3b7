// unit_counts.c: counted memory traffic. grader/measure/experiments.c, count_case.c, grader/run/counts.c and the program `count`.
#include "unit.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include <jansson.h>

#include "build.h"
#include "count_case.h"
#include "tool.h"

static char runner[256];

// ---- stages, small and honest, or not

static const char gemm[] =
    "#include \"task2.h\"\n"
    "enum { T = 16 };\n"
    "#ifndef KEPT\n#define KEPT(x) (x)\n#endif\n"
    "static __global__ void multiply(float *C, const float *A, const float *B, int n, int k) {\n"
    "    __shared__ float As[T][T], Bs[T][T];\n"
    "    const int x = threadIdx.x, y = threadIdx.y;\n"
    "    const size_t row = blockIdx.y * T + y, col = blockIdx.x * T + x;\n"
    "    float sum = 0;\n"
    "    for (int l = 0; l < k; l += T) {\n"
    "        As[y][x] = A[row * k + l + x], Bs[y][x] = B[(l + y) * n + col];\n"
    "        __syncthreads();\n"
    "        for (int i = 0; i < T; i++) sum += As[y][i] * KEPT(Bs[i][x]);\n"
    "        __syncthreads();\n"
    "    }\n"
    "    C[row * n + col] = sum + WRONG;\n"
    "}\n"
    "ATTN_API attn_status attn_gemm_nn(float *C, const float *A, const float *B, int batch, int m,\n"
    "                                  int n, int k, cudaStream_t stream) {\n"
    "    BEFORE\n"
    "    multiply<<<dim3(n / T, m / T), dim3(T, T), 0, stream>>>(C, A, B, n, k);\n"
    "    AFTER\n"
    "    return ATTN_OK;\n"
    "}\n";

// A block per query; SCORES is where its row of probabilities is kept.
static const char flash[] =
    "#include \"task4.h\"\n"
    "#ifndef MAXIMUM\n#define MAXIMUM top\n#endif\n"
    "static __device__ float matrix[2 * 1024 * 1024];\n"
    "static __global__ void row(float *O, const float *Q, const float *K, const float *V,\n"
    "                           attn_shape s) {\n"
    "    __shared__ float tile[1024];\n"
    "    const int D = s.head_dim, S = s.seq_kv, n = s.causal ? blockIdx.x + 1 : S;\n"
    "    const size_t head = blockIdx.y, q = (head * S + blockIdx.x) * D;\n"
    "    float *p = SCORES;\n"
    "    float top = -INFINITY;\n"
    "    for (int j = threadIdx.x; j < n; j += 32) {\n"
    "        float x = 0;\n"
    "        for (int d = 0; d < D; d++) x += Q[q + d] * K[(head * S + j) * D + d];\n"
    "        p[j] = x / sqrtf((float)D), top = fmaxf(top, p[j]);\n"
    "    }\n"
    "    for (int far = 16; far; far /= 2) top = fmaxf(top, __shfl_xor_sync(~0u, top, far));\n"
    "    for (int j = threadIdx.x; j < n; j += 32) p[j] = expf(p[j] - (MAXIMUM));\n"
    "    __syncthreads();\n"
    "    for (int d = threadIdx.x; d < D; d += 32) {\n"
    "        float sum = 0, o = 0;\n"
    "        for (int j = 0; j < n; j++) sum += p[j], o += p[j] * V[(head * S + j) * D + d];\n"
    "        O[q + d] = o / sum;\n"
    "    }\n"
    "}\n"
    "ATTN_API attn_status attn_flash(float *O, const float *Q, const float *K, const float *V,\n"
    "                                attn_shape s, cudaStream_t stream) {\n"
    "    row<<<dim3(s.seq_q, s.batch * s.heads), 32, 0, stream>>>(O, Q, K, V, s);\n"
    "    return ATTN_OK;\n"
    "}\n";

// Compiles `source` after `head` for checked mode; the path of the stage is valid until the next call.
static const char *build(const char *task, const char *name, const char *head, const char *source) {
    static char path[256], stage[256], message[1024];
    mkdir("build/tests", 0777), mkdir("build/tests/stages", 0777);
    snprintf(path, sizeof path, "build/tests/stages/%s.cu", name);
    snprintf(stage, sizeof stage, "build/tests/stages/%s.so", name);
    FILE *f = fopen(path, "w");
    if (!f || fprintf(f, "%s\n%s", head, source) < 0 || fclose(f)) fail_msg("cannot write %s", path);
    const lab_build_options options = {.lab = ".", .source = path, .output = stage, .seconds = 60};
    if (lab_build(lab_task_find(task), &options, message, sizeof message, NULL, 0) != LAB_PASSED)
        fail_msg("%s: %s", name, message);
    return stage;
}

static const lab_experiment gemm_case = {
    .name = "GEMM_NN 48 x 80 x 64", .op = &lab_gemm_nn, .shape = {1, 1, 48, 80, 64, 0}};

// The case, counted `times` times in one process; the last result.
static lab_counted count_stage(const lab_experiment *e, const char *built, int times) {
    static lab_stage stage;
    lab_counted r = {0};
    char *command[] = {runner, (char *)built, NULL};
    const lab_stage_options options = {
        .runner = command, .stage = command[1], .arena_bytes = lab_count_arena(e), .load_seconds = 10};
    r.verdict = lab_stage_open(&stage, &options, r.why, sizeof r.why);
    for (int i = 0; i < times && (i == 0 || r.verdict == LAB_PASSED); i++) lab_count_case(&stage, e, 1, 10, &r);
    lab_stage_close(&stage);
    return r;
}

static lab_counted count_of(const lab_experiment *e, const char *name, const char *head, int times) {
    return count_stage(e, build("task2", name, head, gemm), times);
}

static lab_counted count_gemm(const char *name, const char *head, int times) {
    return count_of(&gemm_case, name, head, times);
}

#define HONEST "#define WRONG 0\n#define BEFORE\n#define AFTER\n"

// ---- claims

static void counts_of_a_tiled_gemm_equal_the_formula(void **state) {
    (void)state;
    const lab_counted r = count_gemm("gemm", HONEST, 3);  // the third call counts as the first would
    if (r.verdict != LAB_PASSED) fail_msg("%s", r.why);
    const uint64_t m = 48, n = 80, k = 64;
    const lab_traffic *c = &r.counts.tensor[0], *a = &r.counts.tensor[1], *b = &r.counts.tensor[2];
    assert_int_equal(a->bytes_loaded, 4 * m * k * (n / 16));
    assert_int_equal(b->bytes_loaded, 4 * k * n * (m / 16));
    assert_int_equal(c->bytes_stored, 4 * m * n);
    assert_int_equal(a->bytes_stored + b->bytes_stored + c->bytes_loaded, 0);
    assert_int_equal(a->sectors, a->bytes_loaded / 32);  // rows of 16 floats: two sectors, all of them used
    assert_int_equal(b->sectors, b->bytes_loaded / 32);
    assert_int_equal(c->sectors, c->bytes_stored / 32);
    assert_int_equal(r.counts.other.sectors + r.counts.allocated + r.counts.shared.bank_conflicts, 0);
    assert_int_equal(lab_bytes_moved(&r.counts), 32 * r.counts.ideal_sectors);
    assert_int_equal(lab_experiment_bytes(&gemm_case, 0), 4 * (m * k + k * n + m * n));
}

static void what_is_not_honest_is_not_counted(void **state) {
    (void)state;
    const struct {
        const char *name, *head;
        lab_verdict verdict;
        const char *why;
    } rows[] = {
        {"gemm_wrong", "#define WRONG 1\n#define BEFORE\n#define AFTER\n", LAB_WRONG_ANSWER, "the answer is wrong"},
        {"gemm_todo", "#define WRONG 0\n#define BEFORE return ATTN_TODO(2, 9);\n#define AFTER\n", LAB_MISSING,
         "TODO 2.9"},
        {"gemm_allocates",
         "#define WRONG 0\n#define BEFORE void *mine; cudaMalloc(&mine, 4096); cudaFree(mine);\n#define AFTER\n",
         LAB_WRONG_ANSWER, "allocated 4096 bytes of device memory"},
        {"gemm_halves",
         "#define KEPT(x) __int_as_float((__float_as_int(x) + 0x1000) & ~0x1fff)\n"
         "#define WRONG 0\n#define BEFORE\n#define AFTER\n",
         LAB_WRONG_ANSWER, "less exact than float32"},
        {"gemm_scribbles",
         "#define WRONG 0\n#define BEFORE\n#define AFTER cudaMemsetAsync((void *)(A + 5), 0, 4, stream);\n",
         LAB_INPUT_MODIFIED, "input A was modified"},
        {"gemm_races", "#define WRONG (C[0] = x + y) * 0\n#define BEFORE\n#define AFTER\n", LAB_RACE, "global C[0]"},
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        const lab_counted r = count_gemm(rows[i].name, rows[i].head, 1);
        if (r.verdict != rows[i].verdict || !strstr(r.why, rows[i].why))
            fail_msg("%s: %s, %s", rows[i].name, lab_verdict_name(r.verdict), r.why);
    }
}

// One query of those that are counted has scores beyond expf's end.
static void a_maximum_left_out_where_it_is_counted_has_no_counts(void **state) {
    (void)state;
    const lab_experiment e = {.name = "a small one", .op = &lab_flash, .shape = {1, 2, 32, 32, 16, 0}};
    const char *const heads[] = {"#define SCORES tile", "#define SCORES tile\n#define MAXIMUM 0 * top"};
    for (int i = 0; i < 2; i++) {
        const lab_counted r = count_stage(&e, build("task4", i ? "flash_small" : "flash_top", heads[i], flash), 1);
        if (r.verdict != (i ? LAB_NOT_FINITE : LAB_PASSED)) fail_msg("%d: %s", i, r.why);
    }
}

// 64 blocks: four of them say the same as all, unless one does more than the others.
static void a_sample_of_the_blocks_says_what_all_say(void **state) {
    (void)state;
    static const char more[] = "#define WRONG (blockIdx.x + blockIdx.y ? 0 : 0 * (A[x] + A[y] + B[x] + B[y]))\n"
                               "#define BEFORE\n#define AFTER\n";
    lab_experiment all = gemm_case;
    all.shape = (attn_shape){1, 1, 128, 128, 64, 0};
    lab_experiment some = all;
    some.sampled = 1;
    const lab_counted whole = count_of(&all, "gemm", HONEST, 1), sample = count_of(&some, "gemm", HONEST, 2);
    if (whole.verdict != LAB_PASSED || sample.verdict != LAB_PASSED) fail_msg("%s %s", whole.why, sample.why);
    assert_memory_equal(&whole.counts, &sample.counts, sizeof whole.counts);
    const lab_counted uneven = count_of(&some, "gemm_uneven", more, 1);
    assert_int_equal(uneven.verdict, LAB_PASSED);
    assert_int_equal(uneven.counts.uneven, 1);
}

// What `count` says of a task 4 that keeps its probabilities in `scores`: its exit status, and its findings.
static json_t *count_flash(const char *name, const char *scores, int *status) {
    char head[128], program[300], path[256];
    snprintf(head, sizeof head, "#define SCORES %s", scores);
    snprintf(path, sizeof path, "build/tests/stages/%s.json", name);
    snprintf(program, sizeof program, "build/bin/count");
    char *const argv[] = {program, "task4", (char *)build("task4", name, head, flash), "--json", path, NULL};
    *status = lab_tool(argv, "build/tests/count.log");
    json_t *rows = lab_read_lines(path);
    for (size_t i = json_array_size(rows); i-- > 0;)
        if (!json_object_get(json_array_get(rows, i), "finding") == (*status != 0)) json_array_remove(rows, i);
    return rows;
}

static void a_hidden_square_is_named(void **state) {
    (void)state;
    int status;
    json_t *found = count_flash("flash_hidden", "matrix + (head * S + blockIdx.x) * S", &status);
    assert_int_equal(status, 1);
    assert_int_equal(json_array_size(found), 1);
    const json_t *o = json_array_get(found, 0);
    assert_string_equal(json_string_value(json_object_get(o, "case")), "all");
    assert_says(json_string_value(json_object_get(o, "finding")), "a buffer of S x S");
    json_decref(found);
}

static void without_one_every_buffer_has_its_row(void **state) {
    (void)state;
    int status;
    json_t *rows = count_flash("flash_honest", "tile", &status);
    assert_int_equal(status, 0);
    assert_int_equal(json_array_size(rows), 9 * 6);  // O, Q, K, V, other, shared
    size_t i;
    json_t *o;
    json_array_foreach(rows, i, o) {
        const char *buffer = json_string_value(json_object_get(o, "buffer"));
        const double least = json_number_value(json_object_get(o, "least_bytes"));
        const double sectors = json_number_value(json_object_get(o, "sectors"));
        assert_true(strlen(buffer) > 1 ? sectors == 0 && least == 0 : 32 * sectors >= least && least > 0);
    }
    json_decref(rows);
}

static const lab_experiment *find(const char *task, const char *name) {
    for (int i = 0; i < lab_n_experiments; i++) {
        const lab_experiment *e = &lab_experiments[i];
        if (e->method == LAB_COUNTED && strcmp(e->task, task) == 0 && strcmp(e->name, name) == 0) return e;
    }
    return NULL;
}

static void least_bytes_are_those_of_the_task_headers(void **state) {
    (void)state;
    const int S = 128, D = 64, heads = 2, H = 4, L = 256;
    assert_int_equal(lab_experiment_bytes(find("task2", "softmax S=128"), 0), 8 * S * S);
    assert_int_equal(lab_experiment_bytes(find("task2", "GEMM_NT S=128"), 0), 4 * (S * S + 2 * S * D));
    assert_int_equal(lab_experiment_bytes(find("task2", "GEMM_NN S=128"), 0), 4 * (S * S + 2 * S * D));
    assert_int_equal(lab_experiment_bytes(find("task2", "chain S=128"), 0), heads * (4 * 4 * S * D + 24 * S * S));
    assert_int_equal(lab_experiment_bytes(find("task4", "S=128 causal"), 0), heads * 4 * 4 * S * D);
    assert_int_equal(lab_experiment_bytes(find("task5", "append"), 0),
                     2 * (16 * H * D + 8));  // and a length, read and written
    assert_int_equal(lab_experiment_bytes(find("task5", "KV=256"), 0), 8 * H * D * (L + 1) + 4);
    assert_int_equal(lab_experiment_bytes(find("task5", "KV=256, 4 splits"), 0),
                     8 * H * D * (L + 1) + 4 + 2 * 4 * (4 * H * (D + 1)));
}

// A point of a CUDA task must be within reach without a GPU.
static void every_speed_criterion_of_a_cuda_task_has_a_counted_case(void **state) {
    (void)state;
    size_t i, k;
    json_t *rubric = json_load_file("grader/rubric.json", 0, NULL), *task, *c;
    assert_non_null(rubric);
    json_array_foreach(json_object_get(rubric, "tasks"), i, task) {
        const char *id = json_string_value(json_object_get(task, "id"));
        json_array_foreach(json_object_get(task, "criteria"), k, c) {
            const char *const rules[] = {"traffic", "shared"};
            const int speed = strcmp(json_string_value(json_object_get(c, "kind")), "speed") == 0;
            const int counted = speed && lab_has_experiments(id, LAB_COUNTED);
            int found = 0;
            for (int r = 0; r < 2; r++) {
                const json_t *rule = json_object_get(c, rules[r]);
                const char *name = json_string_value(json_object_get(rule, "case"));
                if (rule && (!name || !find(id, name))) fail_msg("%s, %s: %s", id, rules[r], name ? name : "no case");
                found += rule != NULL;
            }
            if (!found != !counted) fail_msg("%s, %s", id, json_string_value(json_object_get(c, "name")));
        }
    }
    json_decref(rubric);
}

int main(void) {
    const struct CMUnitTest claims[] = {
        CLAIM(counts_of_a_tiled_gemm_equal_the_formula),
        CLAIM(a_sample_of_the_blocks_says_what_all_say),
        CLAIM(what_is_not_honest_is_not_counted),
        CLAIM(a_maximum_left_out_where_it_is_counted_has_no_counts),
        CLAIM(a_hidden_square_is_named),
        CLAIM(without_one_every_buffer_has_its_row),
        CLAIM(least_bytes_are_those_of_the_task_headers),
        CLAIM(every_speed_criterion_of_a_cuda_task_has_a_counted_case),
    };
    setenv("LAB_BACKEND", "simt", 1), setenv("LAB_CHECKED", "1", 1);
    snprintf(runner, sizeof runner, "build/bin/runner_simt_checked");
    return cmocka_run_group_tests_name("counts", claims, NULL, NULL);
}
