// units.c: unit tests as one program: linked to all of the lab once, and not 118 times.
//
//     build/bin/unit_check [ARGUMENT...]      runs main() of unit_check.c, which is called unit_check_main here
#include <stdio.h>
#include <string.h>

#define UNIT(name) int name##_main(int argc, char **argv);
#include "units.inc"
#undef UNIT

static const struct {
    const char *name;
    int (*main)(int argc, char **argv);
} units[] = {
#define UNIT(name) {#name, name##_main},
#include "units.inc"
};

int main(int argc, char **argv) {
    const char *slash = strrchr(argv[0], '/'), *name = slash ? slash + 1 : argv[0];
    for (size_t i = 0; i < sizeof units / sizeof *units; i++)
        if (strcmp(units[i].name, name) == 0) return units[i].main(argc, argv);
    fprintf(stderr, "there is no unit test %s\n", name);
    return 2;
}
