// names.c: which names are safe, which are the lab's, which are the same.
#define _GNU_SOURCE
#include "names.h"

#include <locale.h>
#include <stdio.h>
#include <string.h>
#include <strings.h>
#include <wctype.h>

#include "text.h"

enum { MOST_BYTES = 240 };  // so that "-2", and what tools append, still fits

static const char *const ends_of_the_lab[] = {".csv", ".json", ".html", ".md", ".log", ".lock", ".txt", ".zip", ".new"};
static const char *const words_of_the_lab[] = {"all", "errors", "gradescope", "classroom", "autolab", "slurm"};

static int is_the_labs(const char *folder) {
    const size_t n = strlen(folder);
    for (size_t i = 0; i < sizeof ends_of_the_lab / sizeof *ends_of_the_lab; i++) {
        const size_t m = strlen(ends_of_the_lab[i]);
        if (n >= m && strcasecmp(folder + n - m, ends_of_the_lab[i]) == 0) return 1;
    }
    for (size_t i = 0; i < sizeof words_of_the_lab / sizeof *words_of_the_lab; i++)
        if (strcasecmp(folder, words_of_the_lab[i]) == 0) return 1;
    return 0;
}

void lab_folder_name(const char *name, char folder[LAB_NAME_SIZE]) {
    char clean[LAB_NAME_SIZE];
    snprintf(clean, sizeof clean, "%s", name);
    lab_clean_text(clean);
    snprintf(folder, LAB_NAME_SIZE, "%s", name);
    for (size_t i = 0; clean[i]; i++)
        if (clean[i] != folder[i] || clean[i] == '/') folder[i] = '_';
    lab_cut_text(folder, MOST_BYTES);
    if (folder[0] == '.') folder[0] = '_';
    if (!*folder || is_the_labs(folder)) strcat(folder, "_");
}

// ---- names that are the same somewhere

// U+00C0 to U+017F without accents, in lower case.
static const char letters[] = "aaaaaaaceeeeiiiidnoooooxouuuuytsaaaaaaaceeeeiiiidnooooo/ouuuuyty"
                              "aaaaaaccccccccddddeeeeeeeeeegggggggghhhhiiiiiiiiiiiijjkkkllllllllllnnnnnnnnn"
                              "oooooooorrrrrrssssssssttttttuuuuuuuuuuuuwwyyyzzzzzzs";
_Static_assert(sizeof letters == 0x180 - 0xc0 + 1, "a letter for each");

static int is_mark(uint32_t c) { return (c >= 0x300 && c <= 0x36f) || (c >= 0x1dc0 && c <= 0x1dff); }

// The next letter without its marks, in lower case; moves on. 0 at the end.
static uint32_t next_letter(const char **text, locale_t locale) {
    uint32_t c;
    int n;
    do {
        n = lab_utf8(*text, &c);
        *text += n ? n : **text != 0;
    } while (is_mark(c));
    c = locale ? towlower_l(c, locale) : towlower(c);
    return c >= 0xc0 && c < 0x180 ? (unsigned char)letters[c - 0xc0] : c;
}

int lab_same_folder(const char *a, const char *b) {
    static locale_t locale;
    if (!locale) locale = newlocale(LC_CTYPE_MASK, "C.UTF-8", (locale_t)0);
    uint32_t x, y;
    do {
        x = next_letter(&a, locale), y = next_letter(&b, locale);
        if (x != y) return 0;
    } while (x);
    return 1;
}
