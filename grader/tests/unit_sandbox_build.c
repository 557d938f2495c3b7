// unit_sandbox_build.c: what a compiler can read in the sandbox: the file and the headers of its task, and nothing else.
// grader/run: sandbox, build.
#include "unit.h"

#include <stdio.h>
#include <string.h>
#include <sys/stat.h>

#include "build.h"
#include "sandbox.h"

static char said[16 << 10];  // by the compiler, all of it

static lab_verdict compile_line(const char *line, char *message, size_t size) {
    static const char path[] = "build/tests/stages/peeks.c";
    FILE *f = fopen(path, "w");
    assert_true(f && fputs(line, f) >= 0 && fclose(f) == 0);
    const lab_build_options o = {.lab = ".", .source = path, .output = "build/tests/stages/peeks.so", .seconds = 60};
    return lab_build(lab_task_find("task1"), &o, message, size, said, sizeof said);
}

// A compiler that sees a private file would quote it in its messages, or put it into the stage. Without a sandbox it
// sees each of these, and so says something else.
static void compilers_see_no_private_file(void **state) {
    (void)state;
    static const struct {
        const char *line, *says;
    } rows[] = {
        {"#include \"oracle.h\"\n", "No such file"},
        {"#include \"inputs.c\"\n", "No such file"},
        {"#include \"../solutions/task1_reference/reference.c\"\n", "No such file"},
        {"#include \"../rubric.json\"\n", "No such file"},
        {"#include \"/etc/passwd\"\n", "No such file"},
        {"#if !__has_include(\"/etc/passwd\")\n#error it is not there\n#endif\n", "it is not there"},
        {"#pragma GCC dependency \"/etc/passwd\"\n", "No such file"},
        {"__asm__(\".incbin \\\"/etc/passwd\\\"\");\n", ""},
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        char inside[1024] = "", outside[1024] = "";
        const lab_verdict v = compile_line(rows[i].line, inside, sizeof inside);
        lab_sandbox_want(0);
        compile_line(rows[i].line, outside, sizeof outside);
        lab_sandbox_want(1);
        if (v != LAB_COMPILE_ERROR || !strstr(inside, rows[i].says))
            fail_msg("%s: %s, %s", rows[i].line, lab_verdict_name(v), inside);
        if (strcmp(inside, outside) == 0) fail_msg("%s is no test: %s", rows[i].line, outside);
    }
}

// A line marker makes the compiler show a line of any file that it can read; debug information carries it on to
// addr2line.
static void line_markers_show_no_private_file(void **state) {
    (void)state;
    char message[1024];
    static const char error[] = "# 1 \"/etc/passwd\"\nint x = ;\n";
    assert_int_equal(compile_line(error, message, sizeof message), LAB_COMPILE_ERROR);
    assert_null(strstr(said, "root:"));
    lab_sandbox_want(0);
    compile_line(error, message, sizeof message);
    lab_sandbox_want(1);
    assert_says(said, "root:");  // without a sandbox it does
    assert_int_equal(compile_line("int fork(void);\n# 1 \"/etc/passwd\"\nint attn_x(void) { return fork(); }\n",
                                  message, sizeof message),
                     LAB_FORBIDDEN_SYMBOL);
    assert_says(message, "uses fork");
    assert_null(strstr(message, "root:"));
}

int main(void) {
    char why[512];
    if (lab_sandbox_missing(why, sizeof why)) {
        printf("ok 1 - sandbox_build # SKIP %s\n1..1\n", why);
        return 0;
    }
    lab_sandbox_want(1);
    mkdir("build/tests", 0777), mkdir("build/tests/stages", 0777);
    const struct CMUnitTest claims[] = {
        CLAIM(compilers_see_no_private_file),
        CLAIM(line_markers_show_no_private_file),
    };
    return cmocka_run_group_tests_name("sandbox_build", claims, NULL, NULL);
}
