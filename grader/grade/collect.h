// collect.h: what a class's results become together.
#ifndef LAB_COLLECT_H
#define LAB_COLLECT_H

#include "arguments.h"

// Writes DIR/gradebook.csv from the results.json of all submissions that there are, DIR/similarity.csv, and DIR/class.html from all that
// is in DIR. Returns 0 after saying why it could not.
int lab_collect(const lab_arguments *all);

#endif
