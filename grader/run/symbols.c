// symbols.c: sections, symbols and instructions of an object, held against the lists.
#include "symbols.h"

#include <stdio.h>
#include <string.h>

#include "allowed.h"
#include "backend.h"
#include "instructions.h"
#include "object.h"
#include "place.h"
#include "text.h"

typedef struct {
    const lab_task *task;
    const char *path, *source;
    lab_object object;
    int kind;
    char *message;
    size_t size;
} inspection;

static int kind_of(const lab_task *t) {
    if (t->language != LAB_CUDA) return t->language == LAB_C_OPENMP ? LAB_AS_OPENMP : LAB_AS_C;
    return lab_backend()->on_gpu ? LAB_AS_NVCC : LAB_AS_SIMT;
}

// Says what is wrong, at a place in a section (0: in none) if it is known.
static lab_verdict refuse(inspection *x, size_t section, size_t offset, const char *verb, const char *name,
                          const char *reason) {
    char place[256], readable[256];
    lab_place_of(&x->object, x->path, x->source, section, offset, name, place, sizeof place);
    lab_readable_name(name, readable, sizeof readable);
    snprintf(x->message, x->size, "%s: %s %s: a stage may not %s", place, verb, readable, reason);
    lab_clean_text(x->message);
    return LAB_FORBIDDEN_SYMBOL;
}

// Where a symbol is referred to: in code, if it is at all. Returns the section, 0 if there is none.
static size_t find_use(const lab_object *o, size_t symbol, size_t *offset) {
    Elf64_Shdr s, target;
    Elf64_Rela r;
    const char *name;
    size_t found = 0;
    for (size_t i = 1; lab_object_section(o, i, &s, &name); i++) {
        if (!lab_object_section(o, s.sh_info, &target, &name) || !(target.sh_flags & SHF_ALLOC)) continue;
        for (size_t k = 0; lab_object_relocation(o, &s, k, &r); k++) {
            if (ELF64_R_SYM(r.r_info) != symbol) continue;
            if (!found) found = s.sh_info, *offset = r.r_offset;
            if (target.sh_flags & SHF_EXECINSTR) return *offset = r.r_offset, s.sh_info;
        }
    }
    return found;
}

static lab_verdict inspect_symbols(inspection *x, int *unknown) {
    lab_verdict v = LAB_PASSED;
    Elf64_Sym symbol;
    const char *name, *reason;
    for (size_t i = 1; lab_object_symbol(&x->object, i, &symbol, &name); i++) {
        size_t offset = 0;
        if (ELF64_ST_TYPE(symbol.st_info) == STT_GNU_IFUNC)
            return refuse(x, symbol.st_shndx, symbol.st_value, "has the ifunc", name,
                          "choose functions when it is loaded: the lab compiles for this very machine");
        if (!*name || ELF64_ST_TYPE(symbol.st_info) == STT_SECTION || ELF64_ST_TYPE(symbol.st_info) == STT_FILE)
            continue;
        // .symver: the lists hold names, and `memfd_create@GLIBC_2.27` is none of them.
        if (strchr(name, '@'))
            return refuse(x, find_use(&x->object, i, &offset), offset, "names a version,", name,
                          "choose among the versions of a library");
        if (symbol.st_shndx != SHN_UNDEF) {
            const int templates = ELF64_ST_BIND(symbol.st_info) != STB_GLOBAL && strncmp(name, "_ZN", 3) == 0;
            if (!templates && lab_defined_name(name, x->kind, &reason) != LAB_NAME_ALLOWED)
                return refuse(x, symbol.st_shndx, symbol.st_value, "defines", name, reason);
            continue;
        }
        const lab_name_kind kind = lab_name(name, x->kind, &reason);
        if (kind == LAB_NAME_ALLOWED || (kind == LAB_NAME_UNKNOWN && v)) continue;
        const size_t section = find_use(&x->object, i, &offset);
        if (!section && strcmp(name, "_GLOBAL_OFFSET_TABLE_") == 0) continue;  // assemblers add it
        v = refuse(x, section, offset, "uses", name, reason);
        *unknown = kind == LAB_NAME_UNKNOWN;
        if (!*unknown) return v;
    }
    return v;
}

// The function that a relocation points to; "" if it has no name.
static const char *function_at(const lab_object *o, const Elf64_Rela *r) {
    Elf64_Sym to, symbol;
    const char *name;
    if (!lab_object_symbol(o, ELF64_R_SYM(r->r_info), &to, &name)) return "";
    if (ELF64_ST_TYPE(to.st_info) != STT_SECTION) return name;
    for (size_t i = 1; lab_object_symbol(o, i, &symbol, &name); i++)
        if (ELF64_ST_TYPE(symbol.st_info) == STT_FUNC && symbol.st_shndx == to.st_shndx &&
            symbol.st_value == to.st_value + r->r_addend)
            return name;
    return "";
}

// Functions that run when the file is loaded: CUDA's register kernels, C has no use for them.
static lab_verdict inspect_constructors(inspection *x) {
    static const char reason[] = "run anything when it is loaded";
    Elf64_Shdr s, target;
    Elf64_Rela r;
    const char *name;
    for (size_t i = 1; lab_object_section(&x->object, i, &s, &name); i++) {
        if (!lab_object_section(&x->object, s.sh_info, &target, &name) || strncmp(name, ".init_array", 11)) continue;
        for (size_t k = 0; lab_object_relocation(&x->object, &s, k, &r); k++) {
            const char *function = function_at(&x->object, &r);
            if (!lab_runs_when_loaded(function, x->kind))
                return refuse(x, 0, 0, "has the constructor", *function ? function : "(without a name)", reason);
        }
    }
    return LAB_PASSED;
}

static lab_verdict inspect_sections(inspection *x) {
    Elf64_Shdr s;
    const char *name;
    for (size_t i = 1; lab_object_section(&x->object, i, &s, &name); i++) {
        if (!lab_section_is_usual(name, x->kind))
            return refuse(x, 0, 0, "has the section", name, "have sections of its own");
        if (strcmp(name, ".note.GNU-stack") == 0 && s.sh_flags & SHF_EXECINSTR)
            return refuse(x, 0, 0, "has", "an executable stack",
                          "take the address of a function within a function: make that one static, at file scope");
        if (s.sh_flags & SHF_EXECINSTR && s.sh_flags & SHF_WRITE)
            return refuse(x, 0, 0, "has the section", name, "write its own code");
    }
    return LAB_PASSED;
}

static lab_verdict inspect_instructions(inspection *x) {
    lab_instruction found;
    switch (lab_find_instruction(&x->object, x->path, &found)) {
    case 0: return LAB_PASSED;
    case 1: return refuse(x, found.section, found.offset, "has the instruction", found.name, found.reason);
    case 2: return refuse(x, 0, 0, "has", "code that objdump cannot show", "hide its instructions");
    default:
        snprintf(x->message, x->size, "cannot run objdump, which shows a stage's instructions: run grader/setup");
        return LAB_GRADER_ERROR;
    }
}

lab_verdict lab_symbols_inspect(const lab_task *task, const char *object, const char *source, int *unknown,
                                char *message, size_t size) {
    inspection x = {
        .task = task, .path = object, .source = source, .kind = kind_of(task), .message = message, .size = size};
    lab_verdict v = LAB_PASSED;
    *unknown = 0;
    if (!lab_object_read(&x.object, object)) {
        snprintf(message, size, "what the compiler made of it cannot be read");
        v = LAB_FORBIDDEN_SYMBOL;
    }
    if (v == LAB_PASSED) v = inspect_sections(&x);
    if (v == LAB_PASSED) v = inspect_constructors(&x);
    if (v == LAB_PASSED) v = inspect_instructions(&x);
    if (v == LAB_PASSED) v = inspect_symbols(&x, unknown);
    lab_object_free(&x.object);
    return v;
}
