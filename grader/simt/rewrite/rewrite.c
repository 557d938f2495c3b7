// rewrite.c: the stages, in order.
#include "rewrite.h"

int rewrite(const char *text, size_t size, FILE *out, FILE *report) {
    unit u = {.text = text, .size = size, .report = report};
    lex(&u);
    match_brackets(&u);
    find_scopes(&u);

    refuse(&u);
    refuse_host_names(&u);
    refuse_in_guest(&u);
    look_for_lockstep(&u);
    rewrite_kernels(&u);
    rewrite_launches(&u);
    rewrite_shared(&u);
    rewrite_variables(&u);
    rewrite_builtins(&u);
    rewrite_returns(&u);
    rewrite_asm(&u);
    show_structs(&u);
    rewrite_qualifiers(&u);

    write_text(&u, out);
    int errors = u.errors;
    free_memory(&u);
    return errors;
}
