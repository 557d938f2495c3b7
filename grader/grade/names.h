// names.h: from a student's name for things to a folder of DIR.
#ifndef LAB_NAMES_H
#define LAB_NAMES_H

enum { LAB_NAME_SIZE = 256 };

// The name as one folder's: no slash, nothing that acts on a terminal, no dot in front, valid UTF-8, at most 240 bytes,
// and no name of the lab's own in DIR: those end like files (gradebook.csv, class.html) or are words of options (all,
// errors); a folder that would be called so gets an underscore behind it.
void lab_folder_name(const char *name, char folder[LAB_NAME_SIZE]);

// Some file system takes the two for one: they differ in case, or in how a letter and its accent are written.
int lab_same_folder(const char *a, const char *b);

#endif
