// class_said.c: what the class page says of a claim that fails. Where an output is wrong tells a teacher little; often the
// message of the task names a cause for it.
#include "class.h"

#include <stdio.h>
#include <string.h>

#include "results.h"

// "TODO 1.2", which a claim comes after or is about; "" if it names none.
static void todo_of_claim(const json_t *o, char todo[24]) {
    const char *says = lab_str(o, "diagnosis");
    todo[0] = 0;
    if (strncmp(says, "after TODO ", 11) == 0)
        snprintf(todo, 24, "%.*s", (int)strcspn(says + 6, ";"), says + 6);
    else if (lab_is(o, "criterion", "todo"))
        snprintf(todo, 24, "TODO %.16s", lab_str(o, "todo"));
}

const char *lab_class_said(const json_t *task, const json_t *o, char *cause, size_t size) {
    const char *says = lab_str(o, "diagnosis"), *message = lab_str(task, "message");
    char todo[24];
    todo_of_claim(o, todo);
    if (*says && strncmp(says, "wrong: ", 7) && strncmp(says, "after TODO ", 11)) return says;
    for (const char *piece = message; piece; piece = (piece = strstr(piece, "; ")) ? piece + 2 : NULL) {
        const char *end = strstr(piece, "; "), *matches = strstr(piece, "matches ");
        const int length = end ? (int)(end - piece) : (int)strlen(piece);
        const size_t n = strlen(todo);
        if (n ? strncmp(piece, todo, n) || piece[n] != ':' : !matches || matches >= piece + length) continue;
        snprintf(cause, size, "%.*s", length, piece);
        return cause;
    }
    return says;
}
