// allowed.h: the names that a stage may refer to, and those that get a word of their own when it does.
#ifndef LAB_ALLOWED_H
#define LAB_ALLOWED_H

// What a file is compiled as.
enum { LAB_AS_C = 1, LAB_AS_OPENMP = 2, LAB_AS_SIMT = 4, LAB_AS_NVCC = 8 };

typedef enum {
    LAB_NAME_ALLOWED,
    LAB_NAME_REFUSED,  // for the reason that is given
    LAB_NAME_UNKNOWN,  // in no list: refused, unless the linker has more to say about it
} lab_name_kind;

// kind: one of the above. *reason goes on a sentence "uses NAME: a stage may not ...".
lab_name_kind lab_name(const char *name, int kind, const char **reason);

// The same of a name that the file defines, and so takes away from the lab.
lab_name_kind lab_defined_name(const char *name, int kind, const char **reason);

// 1: compilers put what a file contains into sections of this name.
int lab_section_is_usual(const char *name, int kind);

// 1: a function of this name is a compiler's own, and may run when the file is loaded.
int lab_runs_when_loaded(const char *name, int kind);

#endif
