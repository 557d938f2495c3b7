// class_assets.c: the page's style and script, files of their own, inside the program: it needs no tree at run time.
#include "class.h"

#define ASSET(name, file)                                                                                              \
    __asm__(".pushsection .rodata\n.global " #name "\n" #name ":\n.incbin \"grader/report/" file                       \
            "\"\n.byte 0\n.popsection\n");

ASSET(lab_class_css, "class.css")
ASSET(lab_class_js, "class.js")
