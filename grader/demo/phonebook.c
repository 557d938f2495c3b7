// phonebook.c: drawing books.
#include "phonebook.h"

#include <stdio.h>
#include <string.h>

#include "inputs.h"

typedef struct {
    uint64_t key, next;
} dice;

static int roll(dice *d, int sides) { return (int)((lab_bits(d->key, d->next++) >> 32) * sides >> 32); }

static void draw_name(dice *d, char name[8]) {
    static const char consonants[] = "bcdfghjklmnprstvwz", vowels[] = "aeiou";
    const int pairs = 2 + roll(d, 2);
    for (int i = 0; i < pairs; i++) {
        name[2 * i] = consonants[roll(d, sizeof consonants - 1)];
        name[2 * i + 1] = vowels[roll(d, sizeof vowels - 1)];
    }
    name[2 * pairs] = 0;
}

static int is_taken(const phonebook *b, int n) {
    for (int i = 0; i < n; i++)
        if (strcmp(b->entry[i].name, b->entry[n].name) == 0) return 1;
    return 0;
}

static int is_asked(const phonebook *b, int n) {
    for (int i = 0; i < n; i++)
        if (b->asked[i] == b->asked[n]) return 1;
    return 0;
}

void phonebook_draw(phonebook *b, int n, uint64_t key) {
    dice d = {key, 0};
    b->n = n;
    for (int i = 0; i < n; i++) {
        do draw_name(&d, b->entry[i].name);
        while (is_taken(b, i));
        for (int k = 0; k < BOOK_DIGITS; k++) b->entry[i].number[k] = '0' + roll(&d, 10);
        b->entry[i].number[BOOK_DIGITS] = 0;
    }
    for (int i = 0; i < BOOK_QUESTIONS; i++) {
        do b->asked[i] = roll(&d, n);
        while (is_asked(b, i));
    }
}

size_t phonebook_prompt(const phonebook *b, int question, char text[BOOK_TEXT]) {
    size_t n = snprintf(text, BOOK_TEXT, "<|endoftext|>");
    for (int i = 0; i < b->n; i++)
        n += snprintf(text + n, BOOK_TEXT - n, "%s %s\n", b->entry[i].name, b->entry[i].number);
    n += snprintf(text + n, BOOK_TEXT - n, "\n");
    for (int i = 0; i < question; i++)
        n += snprintf(text + n, BOOK_TEXT - n, "%s? %s\n", b->entry[b->asked[i]].name, b->entry[b->asked[i]].number);
    return n + snprintf(text + n, BOOK_TEXT - n, "%s? ", b->entry[b->asked[question]].name);
}
