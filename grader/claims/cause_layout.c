// cause_layout.c: one cause of several TODOs that fail: the file takes its tensors for [B, S, H, D].
#include "cause_layout.h"

#include <stdio.h>
#include <string.h>

#include "common_cause.h"
#include "wrong_rows.h"

// Claims of one function, of which each that fails and can tell is right for this layout.
int lab_cause_layout(char *text, size_t size) {
    const char *symbol = NULL;
    const lab_tried *t;
    int n = 0, fit = 0;
    for (int i = 0; *lab_first_todo() && (t = lab_cause_tried(i)); i++) {
        const lab_guesses *fits = lab_cause_fits(i);
        if (!fits || (symbol && strcmp(symbol, t->c.op->symbol))) continue;
        for (int k = 0, is = 0; k < fits->n && !is; k++)
            fit += is = !strncmp(fits->text[k], LAB_ALL_OF_TOKENS, sizeof LAB_ALL_OF_TOKENS - 1);
        symbol = t->c.op->symbol, n++;
    }
    if (n < 2 || fit < n) return 0;
    snprintf(text, size,
             "%s as a whole %s as [B, S, H, D]: the layout is [B, H, S, D], a head's rows side by side. So rows are D "
             "apart, and head n = b * H + h begins at n * S * D",
             symbol, LAB_ALL_OF_TOKENS);
    return 1;
}
