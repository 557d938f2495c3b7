// aside.h: a piece of work on another processor, in a process of its own. It leaves files behind, and nothing else.
#ifndef LAB_ASIDE_H
#define LAB_ASIDE_H

// Calls work(of), which returns 1 to 100, there, and returns at once. 0: it was not begun.
int lab_aside_begin(int (*work)(void *of), void *of);

// Waits for the end of what was begun; what it returned. 0: nothing was, or it has failed.
int lab_aside_end(int begun);

int lab_aside_runs(int begun);   // 1: it has not ended
void lab_aside_drop(int begun);  // nobody wants to know any more

void lab_aside_clear(const char *folder);  // with what a compiler that was dropped has left in it

#endif
