// hooked.c: the head of a file whose changes are data, which says of what type a name is, and its end: where fields are.
#include "hooked.h"

#include <string.h>

const char hooks_head[] =
    "#pragma GCC optimize(\"O0\")\n"
    "struct lab_type { char kind; int size; const lab_type *of; };\n"
    "struct lab_slot { const lab_type *type; const void *at; long value; };\n"
    "struct lab_field { const lab_type *owner; int name, offset; const lab_type *type; };\n"
    "extern \"C\" void lab_hooks_open(const char *, unsigned char *[3], int, int, const lab_field *, int);\n"
    "extern \"C\" void lab_hooks_choose(int);\n"
    "extern \"C\" int lab_hooks_idle(int);\n"
    "#define lab_off(hook) (lab_met[hook] = 1, !lab_on[hook])\n"
    "extern \"C\" __host__ __device__ void lab_evaluate(const lab_slot *, int, void *, const lab_type *);\n"
    "template <class T> struct lab_of { static constexpr lab_type type = {__is_enum(T) ? 'i' : 'x', sizeof(T), 0}; };\n"
    "#define LAB_NUMBER(T, letter) \\\n"
    "    template <> struct lab_of<T> { static constexpr lab_type type = {letter, sizeof(T), 0}; };\n"
    "LAB_NUMBER(bool, 'b') LAB_NUMBER(char, 'c') LAB_NUMBER(signed char, 'c') LAB_NUMBER(unsigned char, 'C')\n"
    "LAB_NUMBER(short, 's') LAB_NUMBER(unsigned short, 'S') LAB_NUMBER(int, 'i') LAB_NUMBER(unsigned, 'u')\n"
    "LAB_NUMBER(long, 'l') LAB_NUMBER(unsigned long, 'L') LAB_NUMBER(long long, 'l')\n"
    "LAB_NUMBER(unsigned long long, 'L') LAB_NUMBER(float, 'f') LAB_NUMBER(double, 'd')\n"
    "template <> struct lab_of<void> { static constexpr lab_type type = {'v', 1, 0}; };\n"
    "template <class T> struct lab_of<const T> : lab_of<T> {};\n"
    "template <class T> struct lab_of<volatile T> : lab_of<T> {};\n"
    "template <class T> struct lab_of<T *> { static constexpr lab_type type = {'p', 8, &lab_of<T>::type}; };\n"
    "template <class T, unsigned long N> struct lab_of<T[N]> {\n"
    "    static constexpr lab_type type = {'a', sizeof(T) * N, &lab_of<T>::type};\n};\n"
    "template <class T, unsigned long N> struct lab_of<const T[N]> : lab_of<T[N]> {};\n"
    "template <class T> struct lab_of<T[]> { static constexpr lab_type type = {'a', 0, &lab_of<T>::type}; };\n"
    "template <class T> struct lab_of<const T[]> : lab_of<T[]> {};\n"
    "template <class T> inline __host__ __device__ lab_slot lab_at(T &x) { return {&lab_of<T>::type, (const void *)&x, "
    "0}; }\n"
    "template <class T> inline __host__ __device__ lab_slot lab_at(T &&x) {\n"
    "    lab_slot s = {&lab_of<T>::type, 0, 0};\n"
    "    __builtin_memcpy(&s.value, &x, sizeof x < 8 ? sizeof x : 8);\n    return s;\n}\n"
    "struct lab_any {\n"
    "    const lab_slot *f;\n    int hook;\n"
    "    template <class T> __host__ __device__ operator T() const {\n"
    "        alignas(T) char x[sizeof(T)];\n        lab_evaluate(f, hook, (void *)x, &lab_of<T>::type);\n"
    "        return *(T *)x;\n    }\n};\n"
    "inline __host__ __device__ void lab_do(const lab_slot *f, int hook) { lab_evaluate(f, hook, 0, 0); }\n";

// A struct's name as the end of the file has to write it; NULL: one of a template, which has no name there.
static const char *name_of_owner(const edits *e, const variable *v) {
    const unit *u = &e->u;
    const char *name = v->owner;
    for (int i = v->declared; i >= 0; i--) {
        if (is(u, i, v->owner) && i && (is(u, i - 1, "struct") || is(u, i - 1, "class")) && i > 1 && is(u, i - 2, ">"))
            return NULL;
        const int brace = i + 2;
        if (is(u, i, "namespace") && is(u, brace, "{") && u->tokens[brace].match > v->declared)
            name = format((unit *)u, "%.*s::%s", u->tokens[i + 1].length, u->tokens[i + 1].at, name);
    }
    return name;
}

static bool is_static(const unit *u, const variable *v) {  // of all objects, and in none
    for (int i = v->declared; i > 0 && !is(u, i, ";") && !is(u, i, "{") && !is(u, i, "}"); i--)
        if (is(u, i, "static")) return true;
    return false;
}

// Fields by name, of structs that stand in no other one and in no function.
void hooks_write_tail(hooker *h) {
    const edits *e = h->w.e;
    FILE *out = h->w.out;
    static const char *const lanes[] = {"x", "y", "z", "w"};
    static const char *const vectors[] = {"float2", "float3", "float4", "int2", "int3", "int4", "dim3"};
    int n = 0;
    fprintf(out, "\nstatic const lab_field lab_fields[] = {\n");
    for (int k = 0; k < h->d.n_fields; k++) {
        const char *name = h->d.fields[k];
        for (int i = 0; i < e->n_variables; i++) {
            const variable *v = &e->variables[i];
            if (!v->owner || v->from <= v->to || strcmp(v->name, name) || is_static(&e->u, v)) continue;
            const char *owner = name_of_owner(e, v);
            if (!owner) continue;
            fprintf(out, "{&lab_of<%s>::type, %d, __builtin_offsetof(%s, %s), &lab_of<decltype(%s::%s)>::type},\n",
                    owner, k, owner, name, owner, name),
                n++;
        }
        for (int lane = 0; lane < 4; lane++)
            for (size_t i = 0; i < sizeof vectors / sizeof *vectors && !strcmp(name, lanes[lane]); i++)
                if (vectors[i][strlen(vectors[i]) - 1] - '0' > lane)
                    fprintf(out, "{&lab_of<%s>::type, %d, %d, &lab_of<decltype(%s::%s)>::type},\n", vectors[i], k,
                            4 * lane, vectors[i], name),
                        n++;
    }
    fprintf(out,
            "{0, 0, 0, 0}};\n"
            "extern \"C\" __attribute__((visibility(\"default\"))) void lab_set_edit(int edit);\n"
            "void lab_set_edit(int edit) {\n"
            "    static int begun;\n"
            "    if (!begun++) {\n"
            "        unsigned char *all[] = {lab_on, lab_in, lab_met};\n"
            "        lab_hooks_open(lab_programs, all, sizeof lab_met, %d, lab_fields, %d);\n    }\n"
            "    lab_hooks_choose(edit);\n}\n"
            "extern \"C\" __attribute__((visibility(\"default\"))) int lab_edit_idle(int edit);\n"
            "int lab_edit_idle(int edit) { return lab_hooks_idle(edit); }\n",
            h->flags, n);
}
