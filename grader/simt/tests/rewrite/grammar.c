// grammar.c: writes random CUDA programs that nvcc accepts: launches and declarations in every form, nested and mixed.
#include "grammar.h"

#include <stdint.h>

static uint64_t state;
static FILE *out;
static bool markers;
static int launches, names, lambda_depth;

static unsigned pick(unsigned n) {
    state = state * 6364136223846793005u + 1442695040888963407u;
    return (unsigned)(state >> 33) % n;
}

static void put(const char *text) { fputs(text, out); }
#define ONE_OF(...) ((const char *[]){__VA_ARGS__})[pick(sizeof((const char *[]){__VA_ARGS__}) / sizeof(char *))]

// Something between two tokens.
static void gap(void) {
    switch (pick(14)) {
    case 0: put("\n"); break;
    case 1: put("  \t"); break;
    case 2: put(markers ? "\n# 7 \"a \\\"b.cu\" 3 4\n" : " /* k<<<1, 2>>>(x) */ "); break;
    case 3: put(markers ? "\n# 9 \"a \\\"b.cu\"\n" : " // <<<\n"); break;
    case 4: put("\n\n"); break;
    default: put(" ");
    }
}

// ---- Expressions of type int; constant ones for template arguments.
static void expression(int depth, bool constant) {
    if (depth <= 0) {
        put(constant ? ONE_OF("1", "4", "C", "0x10", "sizeof(int)", "'<'") : ONE_OF("1", "n", "m", "C", "64", "'\"'"));
        return;
    }
    switch (pick(constant ? 5 : 11)) {
    case 0:
        put("("), expression(depth - 1, constant), put(ONE_OF(" > 2", " < 3", " >> 1", " << 2", " + 'c'")), put(")");
        break;
    case 1: put("size<box<box<int>>>("), expression(depth - 1, constant), put(")"); break;
    case 2: put("("), expression(depth - 1, constant), put(" ? "), expression(0, constant), put(" : 2)"); break;
    case 3: expression(0, constant), put(" * "), expression(depth - 1, constant); break;
    case 4: put("int{"), expression(0, constant), put("}"); break;
    case 5: put("list["), expression(depth - 1, false), put("]"); break;
    case 6: put("(int)sizeof(\"<<<1,1>>>(\")"); break;
    case 7: put("twice("), gap(), expression(depth - 1, false), put(", "), expression(0, false), put(")"); break;
    case 8: put("(int)sizeof(R\"(a\" <<<\n>>> b)\")"); break;
    case 9: put("static_cast<int>("), expression(depth - 1, false), put(")"); break;
    default: put("n"), put(ONE_OF(" < ", " << ", " - ", " == ")), expression(depth - 1, false);
    }
}

static void configuration(void) {
    static const char *const open[] = {"", "dim3(", "dim3{(unsigned)(", "(unsigned)("}, *const close[] = {"", ")", ")}",
                                                                                                          ")"};
    for (int i = 0; i < 2; i++) {
        unsigned form = pick(4);
        put(i ? ", " : ""), gap(), put(open[form]), expression(2, false), put(close[form]), gap();
    }
    if (pick(2)) {
        put(","), gap(), expression(1, false);
        if (pick(2)) put(ONE_OF(", stream", ", 0", ", streams[n]"));
    }
}

static void launch(void) {
    static const struct {
        const char *before, *after, *arguments;
    } forms[] = {
        {"plain", "", "p, 2"},
        {"(plain)", "", "p, 2.5"},
        {"::plain", "", "p, n"},
        {"tools::inner::scale", "", "p, 2.f"},
        {"tools::inner::scale<float>", "", "p, 2"},
        {"scale", "", "q, 3"},
        {"partial<", ">", "p"},
        {"partial<", ", float>", "p"},
        {"(partial<", ", int>)", "q"},
        {"pointer", "", "p, 1"},
        {"table[n]", "", "p, 1"},
        {"record.run", "", "p, 1"},
        {"(&record)->run", "", "p, 1"},
        {"choose(n)", "", "p, 1"},
        {"overload", "", "p"},
        {"overload", "", "q"},
        {"pack", "", "p, 1, 2.f, 'c'"},
        {"pack<float>", "", "p"},
        {"pack", "", "p, (int)sizeof(R\"(<\n<<)\")"},
        {"wrapped<box<box<int>>>", "", "q"},
        {"pair", "", "point{1, 2}, p"},
        {"pair", "", "{1, 2}, NULL"},
        {"with_default", "", "p"},
        {"with_default<int>", "", "q, 2"},
        {"tools::apply", "", "[=] __device__ (float x) { return x + C; }, p"},
    };
    // The last form not inside a lambda: nvcc wants it in a function.
    unsigned form = pick(sizeof forms / sizeof *forms - (lambda_depth > 0));
    put(forms[form].before);
    if (*forms[form].after) put("("), expression(2, true), put(")"), put(forms[form].after);
    gap(), put("<<<"), configuration(), put(">>>"), gap();
    put("("), gap(), put(forms[form].arguments), gap(), put(")");
    launches++;
}

static void host_statement(void) {
    switch (pick(6)) {
    case 0: put("if (n < m) "), launch(), put("; else "), launch(); break;
    case 1: put("for (int i = 0; i < n; i++) "), launch(); break;
    case 2: put("{ "), launch(), put("; }"); break;
    case 3:
        put("auto later"), fprintf(out, "%d", names), put(" = [&] { "), lambda_depth++, launch(), lambda_depth--,
            put("; }; later"), fprintf(out, "%d()", names++);
        break;
    case 4: launch(), put(", "), launch(); break;
    default: launch();
    }
    put(";"), gap();
}

// ---- Declarations
static void shared_variable(void) {
    int id = names++;
    switch (pick(8)) {
    case 0:
        put("__shared__"), gap(), fprintf(out, "float s%d[8]", id), put("["), expression(1, true), put(" + 1];");
        break;
    case 1: fprintf(out, "static __shared__ int s%d, *t%d, u%d[4];", id, id, id); break;
    case 2: fprintf(out, "__shared__ __align__(16) unsigned char s%d[64];", id); break;
    case 3: fprintf(out, "extern __shared__ float4 s%d[];", id); break;
    case 4: fprintf(out, "extern __shared__ __align__(16) unsigned char s%d[];", id); break;
    case 5: fprintf(out, "volatile __shared__ box<box<int>> s%d[2];", id); break;
    case 6: fprintf(out, "__shared__ struct { int a; float b[2]; } s%d;", id); break;
    default: fprintf(out, "__shared__ alignas(8) unsigned long long s%d;", id);
    }
    fprintf(out, " (void)s%d;", id), gap();
}

static void device_function(void) {
    int id = names++;
    bool is_template = pick(2);
    put(is_template ? "template <class T, int N = (3 > 2)> " : "");
    put(ONE_OF("__device__", "static __device__", "__device__ __forceinline__", "inline __host__ __device__")), gap();
    fprintf(out, "int f%d(int a)", id), gap(), put("{ ");
    if (!pick(3)) put("int b = "), expression(0, true), put("; a += b; ");
    put("return a < 3 ? 1 : 2; }\n");
}

static void kernel_definition(void) {
    int id = names++;
    bool is_template = pick(2);
    if (is_template) put("template <class T, int N>"), gap();
    put(ONE_OF("static ", "", "inline ")), put("__global__"), gap();
    put(ONE_OF("void", "void __launch_bounds__(256)", "__launch_bounds__(64, 2) void")), gap();
    fprintf(out, "k%d(%s *%s p, %s int n = 4)", id, is_template ? "T" : "float", ONE_OF("", "__restrict__"),
            ONE_OF("", "const"));
    gap(), put("{ ");
    for (unsigned i = pick(4); i; i--) shared_variable();
    put("p[threadIdx.x] = n; }\n");
}

static void variable_definition(void) {
    int id = names++;
    put(ONE_OF("__device__ ", "__constant__ ", "static __device__ ", "__managed__ ", "__device__ const ")), gap();
    fprintf(out,
            ONE_OF("float v%d[4][C] = {{1, 2}, {3}};\n", "int v%d = 3;\n", "unsigned long long v%d{0};\n",
                   "box<box<int>> v%d = {};\n"),
            id);
}

static const char prelude[] =
    "enum { C = 4 };\n"
    "template <class T> struct box { T value; };\n"
    "struct point { int x, y; };\n"
    "template <class T> __host__ __device__ constexpr int size(int n) { return n + (int)sizeof(T); }\n"
    "__global__ void plain(float *p, int n) { p[0] = n; }\n"
    "namespace tools { namespace inner { template <class T> __global__ void scale(T *p, T by) { *p *= by; } } }\n"
    "namespace tools { template <class F> __global__ void apply(F f, float *p) { *p = 1; } }\n"
    "using tools::inner::scale;\n"
    "template <int N, class T> __global__ void partial(T *p) { *p = N; }\n"
    "template <class T> __global__ void wrapped(int *p) { *p = sizeof(T); }\n"
    "template <class T, class... R> __global__ void pack(T *p, R... r) { *p = sizeof...(r); }\n"
    "__global__ void overload(float *p); __global__ void overload(int *p);\n"
    "__global__ void overload(float *p) { *p = 1; }\n"
    "__global__ void overload(int *p) { *p = 2; }\n"
    "__global__ void pair(point a, float *p) { if (p) *p = a.x; }\n"
    "template <class T, int N = 2> __global__ void with_default(T *p, const T value = N) { *p = value; }\n"
    "int n = 1, m = 2, list[256]; float *p; int *q; cudaStream_t stream, streams[8];\n"
    "int twice(int a, int b) { return a + b; }\n"
    "typedef void (*kernel_pointer)(float *, int);\n"
    "kernel_pointer pointer = plain, table[4] = {plain}; struct { kernel_pointer run; } record = {plain};\n"
    "kernel_pointer choose(int) { return plain; }\n";

static const char system_header[] =
    "\n# 1 \"/usr/include/odd.h\" 1 3 4\n__shared__ k<<<1>>> ) ] } __device__ asm \" '\n"
    "# 40 \"/usr/include/odd.h\" 3 4\n{ ( [ R\"(\n# 3 \"a \\\"b.cu\" 2\n";

int write_program(FILE *file, uint64_t seed, bool with_markers) {
    out = file;
    markers = with_markers;
    state = seed * 0x9e3779b97f4a7c15u + 1;
    launches = names = 0;
    put(markers ? "# 1 \"a \\\"b.cu\"\n" : "#include <cuda_runtime.h>\n#include <stdio.h>\n");
    put(prelude);
    for (unsigned i = 1 + pick(6); i; i--) {
        switch (pick(6)) {
        case 0: device_function(); break;
        case 1: kernel_definition(); break;
        case 2: variable_definition(); break;
        case 3: put("namespace space { "), kernel_definition(), put("}\n"); break;
        case 4:
            put("static const char *text"), fprintf(out, "%d", names++), put(" = \"k<<<1, 1>>>(\\\"\" \"//\"; char c"),
                fprintf(out, "%d = '\\'';\n", names++);
            break;
        default:
            if (markers) put(system_header);
        }
        fprintf(out, "void host%d() {", names++), gap();
        for (unsigned j = pick(5); j; j--) host_statement();
        put("}\n");
    }
    return launches;
}
