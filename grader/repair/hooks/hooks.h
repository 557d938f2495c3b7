// hooks.h: what a file whose changes are data shares with what runs them. edits/output/hooked.c writes the same as C++.
#ifndef LAB_REPAIR_HOOKS_H
#define LAB_REPAIR_HOOKS_H

typedef struct lab_type lab_type;
struct lab_type {
    char kind;  // b bool, c C s S i u l L whole numbers, f d, p pointer, a array, x anything else, v void
    int size;
    const lab_type *of;  // of a pointer, of an array
};

typedef struct {
    const lab_type *type;  // NULL: not there yet
    const void *at;        // NULL: it has no place, and is `value`
    long value;
} lab_slot;

typedef struct {
    const lab_type *owner;
    int name, offset;
    const lab_type *type;
} lab_field;

// programs: a line a piece of a change: its number, the hook, the function, 1 if that runs on the device, and what is to
// stand there (#: nothing). all: of each hook, of each function, of each of n hooks: is something done there, are names
// read there, did a call come by? A function has so many flags: the first for all its names, then one for each.
void lab_hooks_open(const char *programs, unsigned char *all[3], int n_hooks, int flags, const lab_field *fields,
                    int n_fields);
void lab_hooks_choose(int edit);  // with 0, the file as it is, what the next calls meet is written down

// 1 if no hook of that change was met: it alters nothing of what those calls have done.
int lab_hooks_idle(int edit);

// What stands at the hook now, converted to that type; NULL: to nothing.
void lab_evaluate(const lab_slot *frame, int hook, void *result, const lab_type *type);

#endif
