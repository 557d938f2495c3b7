// unit_build.c: whatever file a student hands in, compiling it ends, in time, with a verdict and one readable sentence.
// grader/run/build.c.
#include "unit.h"

#include <dlfcn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include <jansson.h>

#include "build.h"
#include "compiler.h"
#include "process.h"

static const char FOLDER[] = "build/tests/build", SOURCE[] = "build/tests/build/reference.c",
                  STAGE[] = "build/tests/build/stage.so";
static char message[1024], log_text[16 << 10];

static int open_folder(void **state) {
    (void)state;
    mkdir("build/tests", 0777);
    mkdir(FOLDER, 0777);
    return 0;
}

static int clear(void **state) {
    (void)state;
    rmdir(SOURCE), unlink(SOURCE), unlink(STAGE);
    return 0;
}

static lab_verdict compile(double seconds) {
    const lab_build_options options = {.lab = ".", .source = SOURCE, .output = STAGE, .seconds = seconds};
    const lab_verdict v =
        lab_build(lab_task_find("task1"), &options, message, sizeof message, log_text, sizeof log_text);
    assert_int_equal(access("build/tests/build/stage.so.exports", F_OK), -1);  // leaves no litter
    return v;
}

static lab_verdict compile_text(const char *text) {
    FILE *f = fopen(SOURCE, "w");
    assert_non_null(f);
    fputs(text, f);
    fclose(f);
    return compile(20);
}

static void gets_verdict(lab_verdict got, lab_verdict want, const char *says) {
    if (got != want) fail_msg("%s, \"%s\"; expected %s", lab_verdict_name(got), message, lab_verdict_name(want));
    assert_says(message, says);
    assert_null(strchr(message, '\n'));
}

static void a_good_file_compiles_without_a_word(void **state) {
    (void)state;
    gets_verdict(
        compile_text("#include \"task1.h\"\nattn_status attn_softmax_rows(float *P, const float *S, int r, int c)"
                     "{ P[0] = S[0]; return r - c; }\n"),
        LAB_PASSED, "");
    assert_string_equal(message, "");
    assert_string_equal(log_text, "");
}

static void only_the_functions_of_the_task_leave_the_stage(void **state) {
    (void)state;
    assert_int_equal(
        compile_text(
            "#include <stddef.h>\nvoid *memcpy(void *a, const void *b, size_t n) { (void)b, (void)n; return a; }\n"
            "int attn_split_heads(void) { return 1; }\nint _assert_true(void) { return 1; }\n"),
        LAB_PASSED);
    void *stage = dlopen("build/tests/build/stage.so", RTLD_NOW | RTLD_LOCAL);
    assert_non_null(stage);
    assert_non_null(dlsym(stage, "attn_split_heads"));
    assert_null(dlsym(stage, "_assert_true"));
    dlclose(stage);
}

static void no_file_is_missing(void **state) {
    (void)state;
    gets_verdict(compile(5), LAB_MISSING, "there is no file");
}

static void an_empty_file_is_missing(void **state) {
    (void)state;
    gets_verdict(compile_text(""), LAB_MISSING, "is empty");
}

static void what_is_not_a_regular_file_is_forbidden(void **state) {
    (void)state;
    mkdir(SOURCE, 0777);
    gets_verdict(compile(5), LAB_FORBIDDEN_FILE, "is a folder: it must be a regular file");
    rmdir(SOURCE);
    assert_int_equal(symlink("/etc/hostname", SOURCE), 0);
    gets_verdict(compile(5), LAB_FORBIDDEN_FILE, "is a link");
    unlink(SOURCE);
    assert_int_equal(symlink("nowhere", SOURCE), 0);
    gets_verdict(compile(5), LAB_FORBIDDEN_FILE, "is a link");
    unlink(SOURCE);
    assert_int_equal(mkfifo(SOURCE, 0666), 0);
    gets_verdict(compile(5), LAB_FORBIDDEN_FILE, "is a special file");
}

static void a_huge_file_is_forbidden(void **state) {
    (void)state;
    FILE *f = fopen(SOURCE, "w");
    for (int i = 0; i < 2 << 20; i++) fputc('\n', f);
    fclose(f);
    gets_verdict(compile(5), LAB_FORBIDDEN_FILE, "larger than 1024 KiB");
}

static void a_syntax_error_has_the_students_file_and_line(void **state) {
    (void)state;
    const lab_verdict v =
        compile_text("#include \"task1.h\"\n// a comment that says error: nothing\nint x = 1\nint y = ;\n");
    gets_verdict(v, LAB_COMPILE_ERROR, "reference.c:4:1: error: expected");
    assert_int_equal(strncmp(message, "reference.c:4:1: error:", 23), 0);  // no folder before it
    assert_says(log_text, "int y = ;");                                    // the log shows the line, too
}

static void warnings_before_an_error_are_not_the_error(void **state) {
    (void)state;
    gets_verdict(
        compile_text(
            "static int unused(void) { int x; return x; }\n#warning an error: perhaps\nint f(void) { return g; }\n"),
        LAB_COMPILE_ERROR, "reference.c:3:22: error: 'g' undeclared");
}

static void a_wrong_prototype_does_not_compile(void **state) {
    (void)state;
    gets_verdict(compile_text("#include \"task1.h\"\nattn_status attn_softmax_rows(float *P) { return 0; }\n"),
                 LAB_COMPILE_ERROR, "conflicting types for 'attn_softmax_rows'");
}

static void an_undefined_function_is_named(void **state) {
    (void)state;
    const lab_verdict v = compile_text("int my_exp(int);\nint attn_sdpa(int x) {\n    return my_exp(x);\n}\n");
    gets_verdict(v, LAB_COMPILE_ERROR, "undefined reference to `my_exp'");
    assert_int_equal(strncmp(message, "reference.c:3:", 14), 0);
}

static void endless_compilation_is_stopped(void **state) {
    (void)state;
    char text[4096] = "#define A0 int *\n";
    for (int i = 1; i < 40; i++)
        snprintf(text + strlen(text), sizeof text - strlen(text), "#define A%d A%d A%d\n", i, i - 1, i - 1);
    strcat(text, "A39 x;\n");
    FILE *f = fopen(SOURCE, "w");
    fputs(text, f);
    fclose(f);
    gets_verdict(compile(1), LAB_COMPILE_TIMEOUT, "did not finish within 1 s");
    assert_int_equal(access(STAGE, F_OK), -1);
}

static void an_endless_include_ends(void **state) {
    (void)state;
    FILE *f = fopen(SOURCE, "w");
    fputs("#include \"/dev/zero\"\n", f);
    fclose(f);
    const lab_verdict v = compile(1);
    assert_true(v == LAB_COMPILE_TIMEOUT || v == LAB_COMPILE_ERROR);
    assert_true(*message);
    gets_verdict(compile_text("#include \"reference.c\"\n"), LAB_COMPILE_ERROR, "nested");
}

static void a_flood_of_errors_is_capped(void **state) {
    (void)state;
    FILE *f = fopen(SOURCE, "w");
    for (int i = 0; i < 12000; i++) fprintf(f, "#warning %d\n", i);
    fputs("int f(void) { return g; }\n", f);
    fclose(f);
    const lab_verdict v = compile(60);
    assert_int_equal(v, LAB_COMPILE_ERROR);
    assert_true(*message && strlen(log_text) < sizeof log_text);
}

static void what_the_compiler_quotes_can_be_written_as_json(void **state) {
    (void)state;
    assert_int_equal(compile_text("#error caf\xe9 \x1b[31m\n"), LAB_COMPILE_ERROR);
    json_t *text = json_string(message);  // NULL unless it is UTF-8
    assert_non_null(text);
    json_decref(text);
    for (const char *c = message; *c; c++) assert_true((unsigned char)*c >= ' ');
}

static void the_lab_s_headers_come_from_the_lab(void **state) {
    (void)state;
    FILE *f = fopen("build/tests/build/shape.h", "w");
    fputs("#define LAB_SHAPE_H\n#error the wrong header\n", f);
    fclose(f);
    const lab_verdict v = compile_text("#include \"task1.h\"\nattn_shape s;\n");
    unlink("build/tests/build/shape.h");
    gets_verdict(v, LAB_PASSED, "");
}

static void dependencies_are_written_for_make(void **state) {
    (void)state;
    compile_text("#include \"task1.h\"\n");
    const lab_build_options options = {
        .lab = ".", .source = SOURCE, .output = STAGE, .depend = "build/tests/build/stage.d", .seconds = 20};
    assert_int_equal(lab_build(lab_task_find("task1"), &options, message, sizeof message, NULL, 0), LAB_PASSED);
    char text[4096] = "";
    FILE *f = fopen("build/tests/build/stage.d", "r");
    assert_non_null(f);
    assert_true(fread(text, 1, sizeof text - 1, f) > 0);
    fclose(f);
    assert_says(text, "build/tests/build/stage.so:");
    assert_says(text, "task1_reference/task1.h");
    assert_says(text, "grader/core/shape.h");
}

static void a_missing_compiler_is_the_labs_fault(void **state) {
    (void)state;
    const char *before = getenv("CC");
    char *cc = before ? strdup(before) : NULL;
    setenv("CC", "no-such-compiler", 1);
    const lab_verdict v = compile_text("int x;\n");
    cc ? setenv("CC", cc, 1) : unsetenv("CC");
    free(cc);
    assert_int_equal(v, LAB_GRADER_ERROR);
    assert_says(message, "no-such-compiler");
    gets_verdict(compile_text("#line 1 \"bwrap: no namespace\"\n#error x\n"), LAB_COMPILE_ERROR, "bwrap: no namespace");
}

static int is_linked_with(const char *library, int edits) {
    static char words[LAB_COMPILER_WORDS][4400], *argv[LAB_COMPILER_ARGS];
    const lab_build_options options = {.lab = ".", .source = "flash.cu", .output = STAGE, .edits = edits};
    const lab_room room = {.folder = ""};
    int found = 0;
    lab_link_command(lab_task_find("task4"), &options, &room, words, argv);
    for (int i = 0; argv[i]; i++) found |= strcmp(argv[i], library) == 0;
    return found;
}

// Which takes longer than all the rest of linking.
static void the_symbols_of_libraries_are_read_for_stages_alone(void **state) {
    (void)state;
    const char *before = getenv("LAB_BACKEND");
    char *backend = before ? strdup(before) : NULL;
    setenv("LAB_BACKEND", "simt", 1);
    const int stage = is_linked_with("-lm", 0) + is_linked_with("-lc", 0);
    const int tried = is_linked_with("-lm", 1) + is_linked_with("-lc", 1);
    backend ? setenv("LAB_BACKEND", backend, 1) : unsetenv("LAB_BACKEND");
    free(backend);
    assert_int_equal(stage, 2), assert_int_equal(tried, 0);
}

#define ON_CLEAR(function) cmocka_unit_test_setup_teardown(function, clear, clear)

int main(void) {
    const struct CMUnitTest claims[] = {
        ON_CLEAR(a_good_file_compiles_without_a_word),
        ON_CLEAR(only_the_functions_of_the_task_leave_the_stage),
        ON_CLEAR(no_file_is_missing),
        ON_CLEAR(an_empty_file_is_missing),
        ON_CLEAR(what_is_not_a_regular_file_is_forbidden),
        ON_CLEAR(a_huge_file_is_forbidden),
        ON_CLEAR(a_syntax_error_has_the_students_file_and_line),
        ON_CLEAR(warnings_before_an_error_are_not_the_error),
        ON_CLEAR(a_wrong_prototype_does_not_compile),
        ON_CLEAR(an_undefined_function_is_named),
        ON_CLEAR(endless_compilation_is_stopped),
        ON_CLEAR(an_endless_include_ends),
        ON_CLEAR(a_flood_of_errors_is_capped),
        ON_CLEAR(what_the_compiler_quotes_can_be_written_as_json),
        ON_CLEAR(the_lab_s_headers_come_from_the_lab),
        ON_CLEAR(dependencies_are_written_for_make),
        ON_CLEAR(a_missing_compiler_is_the_labs_fault),
        cmocka_unit_test(the_symbols_of_libraries_are_read_for_stages_alone),
    };
    return cmocka_run_group_tests_name("build", claims, open_folder, NULL);
}
