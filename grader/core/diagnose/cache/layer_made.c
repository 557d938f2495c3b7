// layer_made.c: task 6: a product, or a prompt's attention, that a kernel of the layer's own makes: with which mistakes?
#include <stdio.h>

#include "layer_calls.h"
#include "heuristics.h"

// By axis and choice (../layer_calls.h).
static const char *const of_product[LAB_MADE_AXES][LAB_MADE_CHOICES] = {
    {NULL, "no bias is added", "element (r, c) gets b[r]: the bias belongs to the column, b[c]",
     "every element gets b[0]: it is b[c]"},
    {NULL, "W is read by rows for columns: W[k][c] stands at k * n_out + c, not c * n_in + k",
     "the rows of W are taken to be n_in numbers apart: W[k][c] stands at k * n_out + c"},
    {NULL, "the last of the n_in products is left out", "the last n_in % 32 products are left out",
     "the last n_in % 16 products are left out"},
};
static const char *const of_attention[LAB_MADE_AXES][LAB_MADE_CHOICES] = {
    {NULL, "every token sees all S tokens: token i sees keys 0 .. i",
     "token i does not see itself: it sees keys 0 .. i"},
    {NULL, "the scores are not divided by sqrt(head_dim)", "the scores are divided by head_dim: by its square root"},
    {NULL, "every key has the value of key 0: V has to move on with K", "K takes the place of V"},
    {NULL, "o is not divided by the sum of the weights", "o is not rescaled where the maximum grows",
     "the sum is not rescaled where the maximum grows"},
};

int lab_explain_made(int of, int mistakes, char *text, size_t size) {
    const char *const name = of == LAB_IN_QKV      ? "work.qkv"
                             : of == LAB_IN_O      ? "work.O"
                             : of == LAB_IN_MERGED ? "work.merged"
                                                   : "Y";
    const char *const what = of == LAB_IN_QKV      ? "X W_qkv + b_qkv"
                             : of == LAB_IN_O      ? "the causal attention of Q to K and V"
                             : of == LAB_IN_MERGED ? "the attention of the new token to the cache"
                                                   : "merged W_out + b_out";
    if (mistakes == LAB_MADE_OTHER)
        return snprintf(text, size,
                        "matches %s of a kernel of your own with other numbers than %s, while what it reads "
                        "is right",
                        name, what) > 0;
    if (mistakes <= 0 || mistakes >= LAB_MADE_CODES) return 0;
    size_t used = (size_t)snprintf(text, size, "matches %s of a kernel of your own, %s, in which", name, what);
    int said = 0;
    for (int axis = 0; axis < LAB_MADE_AXES; axis++, mistakes /= LAB_MADE_CHOICES) {
        const char *is =
            (of == LAB_IN_O || of == LAB_IN_MERGED ? of_attention : of_product)[axis][mistakes % LAB_MADE_CHOICES];
        if (!is) continue;
        if (used < size) used += (size_t)snprintf(text + used, size - used, said ? ", and %s" : " %s", is);
        said++;
    }
    return said > 0;
}
