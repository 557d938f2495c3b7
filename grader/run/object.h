// object.h: a compiled file (ELF, 64 bits, relocatable), as its tables tell: sections, symbols, relocations.
//
// Whoever wrote the source had a hand in every byte of it. So no offset, count or name is believed: the reader copies a
// row out only where it lies in the file, and a name only where it ends there.
#ifndef LAB_OBJECT_H
#define LAB_OBJECT_H

#include <elf.h>
#include <stddef.h>

typedef struct {
    unsigned char *bytes;
    size_t size;
    Elf64_Ehdr head;
    Elf64_Shdr names, symbols, symbol_names;  // sections
} lab_object;

// Returns 0 if it is no object that can be read. Either way, lab_object_free.
int lab_object_read(lab_object *o, const char *path);
void lab_object_free(lab_object *o);

// Row i of the section table, with its name. Returns 0 past the end, or if it lies outside of the file.
int lab_object_section(const lab_object *o, size_t i, Elf64_Shdr *section, const char **name);

// The bytes of a section that has some; NULL if they lie outside of the file.
const unsigned char *lab_object_bytes(const lab_object *o, const Elf64_Shdr *section);

// Symbol i, with its name. Returns 0 past the end.
int lab_object_symbol(const lab_object *o, size_t i, Elf64_Sym *symbol, const char **name);

// Relocation i of a section of them. Returns 0 past the end.
int lab_object_relocation(const lab_object *o, const Elf64_Shdr *section, size_t i, Elf64_Rela *relocation);

#endif
