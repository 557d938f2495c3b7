// asked.h: a layer that has refused a call which it has to take, or taken one which it has to refuse, is asked by which rule.
#ifndef LAB_ASKED_H
#define LAB_ASKED_H

#include "network.h"

// LAB_KINDS_ASKED + the kinds of the calls of call_rows.h, the first one's counts least; or `otherwise`, where they do not show or all are right.
attn_status lab_ask_kinds(const lab_stages *stages, attn_status otherwise);

// LAB_ROOM_ASKED + the calls of room_rows.h for which it finds room, the first one's counts least; or `otherwise`, as above.
attn_status lab_ask_room(const lab_stages *stages, attn_status otherwise);

#endif
