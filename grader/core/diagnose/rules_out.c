// rules_out.c: which changes a cause rules out.
#include "rules_out.h"

#include <string.h>

#include "row_number.h"
#include "wrong_rows.h"

static const struct {
    const char *cause;
    unsigned changes;
} rules[] = {
    {LAB_BEHIND_GROUPS, LAB_FEWER_KEYS},
    {LAB_LEFT_ROWS, LAB_FEWER_KEYS},
    {LAB_GROUPED, LAB_NO_LOOP},
    {LAB_GROUPS_ARE_RIGHT, LAB_FEWER_KEYS},
    {LAB_SCORES_FROM_OTHER_SIDE, LAB_ANY_CHANGE},
    {LAB_EVEN_TILES, LAB_ANY_CHANGE},
    {LAB_CARRIED, LAB_OTHER_LAUNCH},
    {LAB_SUM_RUNS_ON, LAB_SET_FOR_ADDED},
    {"matches lengths[b] = count[0] + ", LAB_SET_FOR_ADDED},
    {LAB_PIECES_DIVIDED, LAB_ANY_CHANGE},
    {LAB_WINDOW, LAB_FEWER_KEYS},
    {LAB_WALK_ENDS, LAB_LONGER_LOOP},
    {LAB_PIECES_APART, LAB_PIECES_OF_1},
    {LAB_PLAIN_MEAN, LAB_PIECES_OF_1 | LAB_ONE_PIECE},
    {LAB_FIRST_PARTS_O, LAB_PIECES_OF_1 | LAB_ONE_PIECE},
};

unsigned lab_cause_rules_out(const char *cause) {
    unsigned changes = lab_row_number_is_another(cause) ? LAB_ANY_CHANGE : 0;
    for (size_t i = 0; i < sizeof rules / sizeof *rules; i++)
        if (strstr(cause, rules[i].cause)) changes |= rules[i].changes;
    return changes;
}
