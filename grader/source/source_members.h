// source_members.h: the functions of structs, classes and namespaces. For source_*.c and whoever reads a file for them.
#ifndef LAB_SOURCE_MEMBERS_H
#define LAB_SOURCE_MEMBERS_H

// What stands in the body of a struct, a class or a namespace is moved to column 1, where functions are looked for. Lines
// stay lines.
void lab_outdent(char *text);

// Is this place in the body of a struct or class that declares that name beside its functions?
int lab_is_member(const char *text, const char *at, const char *name);

#endif
