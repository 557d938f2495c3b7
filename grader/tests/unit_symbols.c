// unit_symbols.c: what a stage uses, besides what it computes, is told by name and line before it is ever loaded.
// grader/run: symbols, instructions, object, allowed.
#include "unit.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "build.h"
#include "object.h"

typedef struct {
    const char *name, *before, *body;  // the body of attn_x is on the line after `before`
    const char *says;                  // NULL: it passes
} row;

static char message[1024];

static void check(const char *task, const char *ending, const row *rows, size_t n) {
    char path[256], stage[300];
    mkdir("build/tests", 0777), mkdir("build/tests/symbols", 0777);
    for (size_t i = 0; i < n; i++) {
        snprintf(path, sizeof path, "build/tests/symbols/%s.%s", rows[i].name, ending);
        snprintf(stage, sizeof stage, "%s.so", path);
        FILE *f = fopen(path, "w");
        if (!f || fprintf(f, "%s\nATTN_API long attn_x(void) { %s }\n", rows[i].before, rows[i].body) < 0 || fclose(f))
            fail_msg("cannot write %s", path);
        unlink(stage);  // of an earlier run
        const lab_build_options o = {.lab = ".", .source = path, .output = stage, .seconds = 60};
        const lab_verdict v = lab_build(lab_task_find(task), &o, message, sizeof message, NULL, 0);
        if (v != (rows[i].says ? LAB_FORBIDDEN_SYMBOL : LAB_PASSED) || (rows[i].says && !strstr(message, rows[i].says)))
            fail_msg("%s: %s, \"%s\"; expected \"%s\"", rows[i].name, lab_verdict_name(v), message,
                     rows[i].says ? rows[i].says : "PASSED");
        if (rows[i].says && access(stage, F_OK) == 0) fail_msg("%s can be loaded all the same", rows[i].name);
        unlink(stage);
    }
}

#define CHECK(task, ending, rows) check(task, ending, rows, sizeof rows / sizeof *rows)
#define API "#define ATTN_API\n#define _GNU_SOURCE\n"

static void what_a_stage_uses_is_told_by_name_and_line(void **state) {
    (void)state;
    static const row rows[] = {
        {"forks", API "#include <unistd.h>", "return fork();", "forks.c:4: uses fork: a stage may not start a program"},
        {"through_a_pointer", API "#include <dlfcn.h>\nstatic void *(*volatile p)(void *, const char *) = dlsym;",
         "return p != 0;", "through_a_pointer.c:4: uses dlsym: a stage may not look for functions"},
        {"weakly", API "extern int kill(int, int) __attribute__((weak));", "return kill ? kill(1, 9) : 0;",
         "weakly.c:4: uses kill"},
        {"by_another_name", API "extern long innocent(int, ...) __asm__(\"ptrace\");", "return innocent(0);",
         "by_another_name.c:4: uses ptrace"},
        {"in_a_helper", API "#include <time.h>\nstatic long now(void) {\n    return clock();\n}\n", "return now();",
         "in_a_helper.c:5: uses clock: a stage may not read a clock"},
        {"maps", API "#include <sys/mman.h>", "return mprotect(0, 1, 7);", "uses mprotect"},
        {"writes", API "#include <unistd.h>", "return write(4, \"\", 1);",
         "uses write: a stage may not read or write files"},
        {"reads_the_environment", API "extern char **environ;", "return (long)environ;", "uses environ"},
        {"starts_a_thread", API "#include <pthread.h>", "return pthread_create(0, 0, 0, 0);", "uses pthread_create"},
        {"jumps", API "#include <setjmp.h>\nstatic jmp_buf b;", "return setjmp(b);", "uses _setjmp"},
        {"calls_blas", API "extern void cblas_sgemm(void);", "cblas_sgemm(); return 0;", "leave its work to a library"},
        {"walks_the_libraries", API "extern void *_GLOBAL_OFFSET_TABLE_[];", "return (long)_GLOBAL_OFFSET_TABLE_[1];",
         "uses _GLOBAL_OFFSET_TABLE_"},
        {"in_no_list", API "unsigned gnu_dev_major(unsigned long);", "return gnu_dev_major(1);",
         "in_no_list.c:4: uses gnu_dev_major: a stage may not call what is in no list"},
    };
    CHECK("task1", "c", rows);
}

static void code_that_hides_is_found(void **state) {
    (void)state;
    static const row rows[] = {
        {"constructor", API "__attribute__((constructor)) static void early(void) { *(volatile int *)8 = 1; }",
         "return 0;", "constructor.c:3: has the constructor early"},
        {"destructor", API "__attribute__((destructor)) static void late(void) { *(volatile int *)8 = 1; }",
         "return 0;", "has the section .fini_array"},
        {"ifunc",
         API "static int one(void) { return 1; }\nstatic void *choose(void) { return one; }\n"
             "static int chosen(void) __attribute__((ifunc(\"choose\")));",
         "return chosen();", "has the ifunc chosen"},
        {"section", API "__attribute__((section(\".gnu.lto_x\"))) char x[3] = {1};", "return x[0];",
         "has the section .gnu.lto_x"},
        {"writable_code", API "__asm__(\".section .text.x,\\\"awx\\\"\\n.text\\n\");", "return 0;",
         "write its own code"},
        {"trampoline", API,
         "int inner(int b) { return (int)(long)&b + 1; }\nint (*volatile f)(int) = inner;\n"
         "long sum = f(1); int other(int b) { return b + (int)sum; }\nf = other; return f(1);",
         "has an executable stack"},
    };
    CHECK("task1", "c", rows);
}

static void instructions_that_no_stage_needs_are_found(void **state) {
    (void)state;
#if defined(__x86_64__)
    static const row rows[] = {
        {"system_call", API, "long r;\n__asm__ volatile(\"syscall\" : \"=a\"(r) : \"0\"(39)); return r;",
         "system_call.c:5: has the instruction syscall"},
        {"old_system_call", API, "long r;\n__asm__ volatile(\"int $0x80\" : \"=a\"(r) : \"0\"(20)); return r;",
         "old_system_call.c:5: has the instruction int"},
        {"as_bytes", API, "__asm__ volatile(\".byte 0x0f, 0x05\"); return 0;", "has the instruction syscall"},
        {"counts_cycles", API "#include <x86intrin.h>", "return __rdtsc();",
         "counts_cycles.c:4: has the instruction rdtsc: a stage may not read a clock"},
        {"counts_cycles_of_amd", API, "__asm__ volatile(\".byte 0x0f, 0x01, 0xfd\"); return 0;",
         "counts_cycles_of_amd.c:4: has the instruction rdpru: a stage may not read a clock"},
        {"moves_the_thread_pointer", API, "__asm__ volatile(\"wrfsbase %0\" :: \"r\"(0l)); return 0;",
         "has the instruction wrfsbase"},
        {"behind_prefixes", API, "__asm__ volatile(\".byte 0x2e, 0x3e, 0x26, 0x64, 0x65, 0x0f, 0x31\"); return 0;",
         "behind_prefixes.c:4: has the instruction rdtsc"},
        // More than anybody can read.
        {"much_code", API, "__asm__ volatile(\".fill 100000000, 1, 0x90\\n\\tsyscall\"); return 0;",
         "has code that objdump cannot show: a stage may not hide its instructions"},
        // The same bytes as part of a number are no instruction.
        {"a_number", API "static volatile unsigned long x;", "x ^= 0x050f310f050fu; return x;", NULL},
    };
    CHECK("task1", "c", rows);
#else
    static const row rows[] = {
        {"system_call", API, "__asm__ volatile(\"svc #0\"); return 0;", "has the instruction svc"},
        {"counts_cycles", API, "long r; __asm__ volatile(\"mrs %0, cntvct_el0\" : \"=r\"(r)); return r;", "timer"},
    };
    CHECK("task1", "c", rows);
#endif
}

static void what_students_use_passes(void **state) {
    (void)state;
    static const row c[] = {
        {"prints",
         API "#include <stdio.h>\n#include <assert.h>\n#include <stdlib.h>\n#include <string.h>\n#include <math.h>",
         "float *p = malloc(64); memset(p, 0, 64); p[1] = expf(p[0]) + fmaxf(p[2], 1) + sqrt(p[3]) + INFINITY; "
         "assert(p);"
         "fprintf(stderr, \"%g\\n\", p[1]); printf(\"%d\\n\", abs((int)p[2])); fflush(stdout); free(p); return 0;",
         NULL},
    };
    static const row openmp[] = {
        {"in_parallel", API "#include <omp.h>\n#include <math.h>",
         "float sum = 0;\n#pragma omp parallel for reduction(+ : sum) schedule(dynamic)\n"
         "for (int i = 0; i < 100; i++) sum += expf(i) + omp_get_thread_num() + omp_get_max_threads();\nreturn sum;",
         NULL},
        {"wall_time", API "#include <omp.h>", "return omp_get_wtime();", "wall_time.c:4: uses omp_get_wtime"},
    };
    static const row cuda[] = {
        {"kernel",
         "#include <cstdio>\n#include <cassert>\n#include <vector>\n#include <iostream>\n#define ATTN_API extern "
         "\"C\"\n"
         "__device__ float w[4]; __constant__ float c[3]; static std::vector<int> v(3);\n"
         "template <int N> __global__ void k(float *o) { __shared__ float s[N]; s[threadIdx.x] = w[1] + c[0];\n"
         "    __syncthreads(); assert(o); printf(\"%g\\n\", s[0]); o[0] = __shfl_xor_sync(~0u, s[0], 1); }",
         "float *p; cudaMalloc(&p, 64); k<4><<<1, 32>>>(p); if (cudaGetLastError()) std::cout << v[0] << std::endl;\n"
         "fprintf(stderr, \"%d\\n\", v[0]); fputs(\"x\", stdout); fwrite(\"x\", 1, 1, stderr); fflush(stdout);\n"
         "cudaDeviceSynchronize(); cudaFree(p); return 0;",
         NULL},
    };
    CHECK("task1", "c", c);
    CHECK("task3", "c", openmp);
    CHECK("task4", "cu", cuda);
    setenv("LAB_CHECKED", "1", 1);
    CHECK("task4", "cu", cuda);
    unsetenv("LAB_CHECKED");
}

static void cuda_stages_stay_on_the_device(void **state) {
    (void)state;
    static const row rows[] = {
        {"host_function", "#define ATTN_API extern \"C\"", "cudaLaunchHostFunc(0, 0, 0); return 0;",
         "uses cudaLaunchHostFunc: a stage may not run host code on a stream"},
        {"strings", "#include <cstring>\n#define ATTN_API extern \"C\"",
         "char text[8] = {}; return strverscmp(text, \"?\");",
         "uses strverscmp: a stage may not look through memory by a function that counts nothing"},
        {"state", "#include <cfenv>\n#define ATTN_API extern \"C\"", "fenv_t e; fesetenv(&e); return fegetenv(&e);",
         "env: a stage may not move memory by a function"},
        {"nan", "#define ATTN_API extern \"C\"", "char text[20] = {}; return nan(text) + nanf(\"\") > 0;", "uses nan:"},
        {"digits", "#include <cstdlib>\n#define ATTN_API extern \"C\"",
         "char text[20] = {}; return atoll(text) + atof(text + 1) > 0;", "a stage may not read a number from a text"},
        {"writes_unlocked", "#include <cstdio>\n#define ATTN_API extern \"C\"",
         "return (long)fwrite_unlocked(\"x\", 1, 1, stdout);",
         "uses fwrite_unlocked: a stage may not move memory by a stream that nobody sees"},
        {"order",
         "#include <cmath>\n#define ATTN_API extern \"C\"\nextern \"C\" int totalorderf(const float *, const float *) "
         "noexcept;",
         "float a = 0, b = 1; return totalorderf(&a, &b);",
         "uses totalorderf: a stage may not look at memory by a function that counts nothing"},
        {"locale", "#include <cctype>\n#define ATTN_API extern \"C\"",
         "long table[32] = {}; return tolower_l(0, (locale_t)table);",
         "uses tolower_l: a stage may not look at memory"},
        {"wide", "#include <cwctype>\n#define ATTN_API extern \"C\"",
         "long table[32] = {}; return towctrans(0, (wctrans_t)table);",
         "uses towctrans: a stage may not look at memory"},
        {"size", "#include <malloc.h>\n#define ATTN_API extern \"C\"",
         "long p[2] = {}; return malloc_usable_size(p + 1);",
         "uses malloc_usable_size: a stage may not look at memory"},
        {"moved", "#include <stdexcept>\n#define ATTN_API extern \"C\"",
         "std::runtime_error a(\"a\"), b(\"b\"); a = b; return a.what()[0];",
         "a stage may not move memory by a function"},
        {"mangled",
         "#define ATTN_API extern \"C\"\nextern \"C\" void _ZNSt15__exception_ptr13exception_ptr4swapERS0_(void *, "
         "void *);",
         "return 0;", "_ZNSt15__exception_ptr13exception_ptr4swapERS0_ is not for a stage"},
        {"thread_local", "#define ATTN_API extern \"C\"\nextern \"C\" void *__tls_get_addr(void *);", "return 0;",
         "__tls_get_addr is not for a stage"},
        {"of_a_thread", "#define ATTN_API extern \"C\"", "static thread_local float x; return x++ > 0;",
         "thread_local is not for a stage"},
        {"vectors", "#include <cxxabi.h>\n#define ATTN_API extern \"C\"",
         "abi::__cxa_vec_ctor(0, 0, 0, 0, 0); return 0;", "__cxa_vec_ctor is not for a stage"},
        {"constant", "#define ATTN_API extern \"C\"\nextern \"C\" { extern const float numbers[3]; }",
         "return numbers[0];", "a variable that is declared before it is defined is not for a stage"},
        {"seeds", "#include <cstdlib>\n#define ATTN_API extern \"C\"", "srand48(3); return lrand48();",
         "rand48: a stage may not hand numbers from thread to thread where nobody counts them"},
        {"managed", "#define ATTN_API extern \"C\"", "void *p; cudaMallocManaged(&p, 3); return 0;",
         "uses cudaMallocManaged: a stage may not use memory that host and device share"},
        {"resets", "#define ATTN_API extern \"C\"", "return cudaDeviceReset();", "uses cudaDeviceReset"},
        {"thread", "#include <thread>\n#define ATTN_API extern \"C\"", "std::thread([] {}).join(); return 0;",
         "uses std::thread::"},
        {"clock", "#include <chrono>\n#define ATTN_API extern \"C\"",
         "return std::chrono::steady_clock::now().time_since_epoch().count();", "clock.cu:3: uses std::chrono::"},
        {"asks_the_checker", "#define ATTN_API extern \"C\"\nextern \"C\" void simt_check_reset(void);",
         "simt_check_reset(); return 0;", "simt_check_reset is not for a stage"},
        {"blinds_the_checker", "#define ATTN_API extern \"C\"\nextern \"C\" void __tsan_read4(void *) {}", "return 0;",
         "__tsan_read4 is not for a stage"},
        {"replaces_cuda",
         "#define ATTN_API extern \"C\"\nstatic cudaError_t mine() __asm__(\"cudaMemcpyPeer\");\n"
         "static __attribute__((used)) cudaError_t mine() { return cudaSuccess; }",
         "return 0;", "__asm__ is not for a stage"},
    };
    CHECK("task4", "cu", rows);
}

// The reader of objects believes nothing: no cut and no changed byte takes it out of the file. (valgrind and
// -fsanitize=address see what these claims do not.)
static void a_broken_object_is_read_without_harm(void **state) {
    (void)state;
    static const char path[] = "build/tests/symbols/broken.o";
    static unsigned char bytes[1 << 16];
    lab_object o;
    const char *name;
    assert_int_equal(system("printf 'extern int f(void); int g(void) { return f(); }' | gcc -g -x c -c - -o "
                            "build/tests/symbols/broken.o"),
                     0);
    FILE *f = fopen(path, "r");
    assert_non_null(f);
    const size_t n = fread(bytes, 1, sizeof bytes, f);
    fclose(f);
    for (size_t at = 0; at < n; at += n / 400 + 1)
        for (int cut = 0; cut < 2; cut++) {
            const unsigned char before = bytes[at];
            bytes[at] = cut ? before : (unsigned char)~before;
            f = fopen(path, "w");
            assert_true(f && fwrite(bytes, 1, cut ? at : n, f) == (cut ? at : n) && fclose(f) == 0);
            bytes[at] = before;
            if (lab_object_read(&o, path)) {
                Elf64_Shdr s;
                Elf64_Sym symbol;
                Elf64_Rela r;
                for (size_t i = 0; lab_object_section(&o, i, &s, &name); i++)
                    for (size_t k = 0; *name != 1 && lab_object_relocation(&o, &s, k, &r); k++) {}
                for (size_t i = 0; lab_object_symbol(&o, i, &symbol, &name) && strlen(name) < n; i++) {}
            }
            lab_object_free(&o);
        }
    unlink(path);
}

int main(void) {
    const struct CMUnitTest claims[] = {
        CLAIM(what_a_stage_uses_is_told_by_name_and_line),
        CLAIM(code_that_hides_is_found),
        CLAIM(instructions_that_no_stage_needs_are_found),
        CLAIM(what_students_use_passes),
        CLAIM(cuda_stages_stay_on_the_device),
        CLAIM(a_broken_object_is_read_without_harm),
    };
    return cmocka_run_group_tests_name("symbols", claims, NULL, NULL);
}
