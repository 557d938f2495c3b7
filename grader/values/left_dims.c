// left_dims.c: some dims of q are in no number at all: no thread has them, so nothing that threads do with each other's
// numbers brings them back.
#include "who.h"

static void join_all(const lab_number *list, size_t n, lab_set *all) {
    for (size_t i = 0; i < n; i++) lab_set_join(all, &list[i].of[LAB_OF_DIMS]);
}

// A score with all dims that any number has; NULL: there is none.
static number fullest(const lab_depends *d, const lab_set *all) {
    for (number x = d->number; x < d->number + d->n; x++)
        if (x->linear && size_of(x, LAB_OF_KEYS) == 1 && !size_of(x, LAB_OF_VALUES) &&
            lab_set_same(&x->of[LAB_OF_DIMS], all))
            return x;
    return NULL;
}

int lab_left_dims(const lab_depends *d, char *text, size_t size) {
    const int dims = d->count[LAB_OF_DIMS];
    lab_set all = {{0}}, left = {{0}};
    char those[80], where[160] = "";
    join_all(d->number, d->n, &all), join_all(d->output, d->n_output, &all);
    for (int i = 0; i < dims; i++)
        if (!lab_set_has(&all, i)) left.word[i / 64] |= (uint64_t)1 << i % 64;
    const int n = lab_set_size(&left);
    const number full = n ? fullest(d, &all) : NULL;
    if (!n || n == dims) return 0;
    if (full) snprintf(where, sizeof where, " (line %d, in %s)", line_of(d, full)->line, line_of(d, full)->function);
    snprintf(text, size, "%s of q and k %s in no score%s: a score is the sum over all dims of its query and key",
             words("dim", &left, those, sizeof those), n == 1 ? "is" : "are", where);
    return 1;
}
