// untried.h: claims that fail, and that no change is tried on.
#ifndef LAB_REPAIR_UNTRIED_H
#define LAB_REPAIR_UNTRIED_H

#include "cases.h"

void lab_untried_keep(const lab_case *c, int fails);
int lab_untried(void);  // how many claims of the whole file

#endif
