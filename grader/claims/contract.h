// contract.h: what a CUDA task's header forbids and right numbers do not show: allocation, waiting, the default stream.
#ifndef LAB_CONTRACT_H
#define LAB_CONTRACT_H

#include <stddef.h>

// Looks for it in the text of a file without comments (todo.h). Writes a sentence with the line and returns 1 at the first
// place; returns 0 if there is none.
int lab_breaks_contract(const char *text, char *sentence, size_t size);

#endif
