// Takes the place of a function that the runner calls, by its table of functions: found in memory, as no symbol is needed
// for that. For Linux on x86-64 and aarch64.
#include <elf.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
static char *image_of(void *inside) {
    char *p = (char *)((uintptr_t)inside & ~(uintptr_t)4095);
    while (memcmp(p, "\177ELF", 4)) p -= 4096;
    return p;
}
static void **slot_of(char *image, const char *name) {
    const Elf64_Ehdr *h = (const Elf64_Ehdr *)image;
    const Elf64_Phdr *p = (const Elf64_Phdr *)(image + h->e_phoff);
    const Elf64_Dyn *d = NULL;
    const Elf64_Sym *symbols = NULL;
    const char *names = NULL, *tables[2] = {NULL, NULL};
    size_t sizes[2] = {0, 0};
    for (int i = 0; i < h->e_phnum; i++)
        if (p[i].p_type == PT_DYNAMIC) d = (const Elf64_Dyn *)(image + p[i].p_vaddr);
    for (; d && d->d_tag; d++) {
        char *at = (char *)d->d_un.d_ptr < image ? image + d->d_un.d_ptr : (char *)d->d_un.d_ptr;
        if (d->d_tag == DT_SYMTAB) symbols = (const Elf64_Sym *)at;
        if (d->d_tag == DT_STRTAB) names = at;
        if (d->d_tag == DT_JMPREL) tables[0] = at;
        if (d->d_tag == DT_PLTRELSZ) sizes[0] = d->d_un.d_val;
        if (d->d_tag == DT_RELA) tables[1] = at;
        if (d->d_tag == DT_RELASZ) sizes[1] = d->d_un.d_val;
    }
    for (int t = 0; t < 2; t++)
        for (size_t i = 0; tables[t] && i < sizes[t] / sizeof(Elf64_Rela); i++) {
            const Elf64_Rela *r = (const Elf64_Rela *)tables[t] + i;
            const uint32_t s = ELF64_R_SYM(r->r_info);
            if (s && strcmp(names + symbols[s].st_name, name) == 0) return (void **)(image + r->r_offset);
        }
    return NULL;
}
