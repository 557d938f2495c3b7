// object.c: the tables of an ELF file, with every access checked.
#include "object.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

enum { MOST_BYTES = 256 << 20 };

static int inside(const lab_object *o, size_t at, size_t n) { return at <= o->size && n <= o->size - at; }

const unsigned char *lab_object_bytes(const lab_object *o, const Elf64_Shdr *s) {
    return s->sh_type != SHT_NOBITS && inside(o, s->sh_offset, s->sh_size) ? o->bytes + s->sh_offset : NULL;
}

// Row i of a table; the size of a row is ours, not the file's.
static int row(const lab_object *o, const Elf64_Shdr *table, size_t i, void *to, size_t size) {
    const unsigned char *bytes = lab_object_bytes(o, table);
    if (!bytes || i >= table->sh_size / size) return 0;
    memcpy(to, bytes + i * size, size);
    return 1;
}

// A name in a table of strings, whose last byte is 0 (as lab_object_read has seen to).
static const char *name_in(const lab_object *o, const Elf64_Shdr *strings, size_t at) {
    return at < strings->sh_size ? (const char *)lab_object_bytes(o, strings) + at : "";
}

static int is_strings(const lab_object *o, const Elf64_Shdr *s) {
    const unsigned char *bytes = lab_object_bytes(o, s);
    return s->sh_type == SHT_STRTAB && bytes && s->sh_size && bytes[s->sh_size - 1] == 0;
}

static int read_row(const lab_object *o, size_t i, Elf64_Shdr *s) {
    if (i >= o->head.e_shnum || !inside(o, o->head.e_shoff, (i + 1) * sizeof *s)) return 0;
    memcpy(s, o->bytes + o->head.e_shoff + i * sizeof *s, sizeof *s);
    return 1;
}

int lab_object_section(const lab_object *o, size_t i, Elf64_Shdr *s, const char **name) {
    if (!read_row(o, i, s)) return 0;
    *name = name_in(o, &o->names, s->sh_name);
    return 1;
}

int lab_object_symbol(const lab_object *o, size_t i, Elf64_Sym *symbol, const char **name) {
    if (!row(o, &o->symbols, i, symbol, sizeof *symbol)) return 0;
    *name = name_in(o, &o->symbol_names, symbol->st_name);
    return 1;
}

int lab_object_relocation(const lab_object *o, const Elf64_Shdr *s, size_t i, Elf64_Rela *r) {
    if (s->sh_type == SHT_RELA) return row(o, s, i, r, sizeof *r);
    r->r_addend = 0;
    return s->sh_type == SHT_REL && row(o, s, i, r, sizeof(Elf64_Rel));
}

static int read_file(lab_object *o, const char *path) {
    struct stat st;
    FILE *f = fopen(path, "r");
    if (!f) return 0;
    if (fstat(fileno(f), &st) == 0 && st.st_size > 0 && st.st_size <= MOST_BYTES) o->bytes = malloc(st.st_size);
    if (o->bytes) o->size = fread(o->bytes, 1, st.st_size, f);
    return fclose(f) == 0 && o->size > 0;
}

int lab_object_read(lab_object *o, const char *path) {
    memset(o, 0, sizeof *o);
    if (!read_file(o, path) || !inside(o, 0, sizeof o->head)) return 0;
    memcpy(&o->head, o->bytes, sizeof o->head);
    if (memcmp(o->head.e_ident, ELFMAG, SELFMAG) || o->head.e_ident[EI_CLASS] != ELFCLASS64 ||
        o->head.e_ident[EI_DATA] != ELFDATA2LSB || o->head.e_type != ET_REL || o->head.e_shnum == 0)
        return 0;
    if (!read_row(o, o->head.e_shstrndx, &o->names) || !is_strings(o, &o->names)) return 0;
    Elf64_Shdr s;
    int tables = 0;
    for (size_t i = 0; read_row(o, i, &s); i++)
        if (s.sh_type == SHT_SYMTAB) o->symbols = s, tables++;
    return tables == 1 && read_row(o, o->symbols.sh_link, &o->symbol_names) && is_strings(o, &o->symbol_names);
}

void lab_object_free(lab_object *o) {
    free(o->bytes);
    o->bytes = NULL;
}
