// seen_keys.h: the keys first .. end - 1 that wrong rows are attention to.
#ifndef LAB_SEEN_KEYS_H
#define LAB_SEEN_KEYS_H

#include "wrong_rows.h"

typedef struct {
    int first, end;  // of all of the head's keys; end 0: no such keys
    int most;        // of first keys: as many fit just as well
} lab_key_range;

// From key 0 on, to one that the row sees, to one that it must not see, or to any; or up to its last one, or the head's.
typedef enum { LAB_FIRST_KEYS, LAB_LAST_SEEN, LAB_LAST_OF_ALL, LAB_TOO_MANY, LAB_ANY_FIRST } lab_key_direction;

// Returns 1 if each of the rows has such a range.
int lab_key_ranges(const lab_wrong_rows *w, lab_key_direction d, lab_key_range k[LAB_MOST_ROWS]);

// last_keys.c: the first ones are left out, by which law?
int lab_explain_last_keys(const lab_wrong_rows *w, const lab_key_range k[LAB_MOST_ROWS], char *text, size_t size);

// turned_masks.c: a mask upside down, with query and key exchanged, or the wrong way round. The second hides nothing where
// there are many keys: such rows do not speak against it.
int lab_explain_turned_mask(const lab_wrong_rows *w, char *text, size_t size);
void lab_guess_exchanged_mask(const lab_wrong_rows *w);

#endif
