// todo_of.c: the one table of sentences and TODOs. Sentences are known by some of their words; the first row that fits
// counts, so what is special stands before what is general.
#include "todo_of.h"

#include <string.h>

// Of each task, 1 to 6; NULL: there, the sentence means no TODO of its own.
static const struct {
    const char *words, *todo[6];
} rows[] = {
    // Task 6: the layer
    {"status of attn_cache_append", {0, 0, 0, 0, 0, "6.6"}},
    {"status of attn_decode", {0, 0, 0, 0, 0, "6.6"}},
    {"status of attn_flash", {0, 0, 0, 0, 0, "6.5"}},
    {"is refused", {0, 0, 0, 0, 0, "6.2"}},
    {"ATTN_CACHE_FULL", {0, 0, 0, 0, 0, "6.2"}},
    {"over the prompt alone", {0, 0, 0, 0, 0, "6.6"}},
    {"without the causal mask: a prompt is causal", {0, 0, 0, 0, 0, "6.5"}},
    {"in prefill", {0, 0, 0, 0, 0, "6.5"}},
    {"prefill is wrong", {0, 0, 0, 0, 0, "6.5"}},
    {"lengths[b] is count[b]", {0, 0, 0, 0, 0, "6.4"}},
    {"prompt", {0, 0, 0, 0, 0, "6.3"}},
    {"stored", {0, 0, 0, 0, 0, "6.3"}},
    {"tells them apart", {0, 0, 0, 0, 0, "6.1"}},
    {"decode", {0, 0, 0, 0, 0, "6.6"}},
    {"append", {0, 0, 0, 0, 0, "6.6"}},
    // Task 5: the cache, and parts
    {"full sequence", {0, 0, 0, 0, "5.1", 0}},
    {"weighed by L[s] itself", {0, 0, 0, 0, "5.10", 0}},
    {"split without keys", {0, 0, 0, 0, "5.9", 0}},
    {"belongs into slot", {0, 0, 0, 0, "5.1", 0}},
    {"lies in", {0, 0, 0, 0, "5.1", 0}},
    {"one thread adds 1", {0, 0, 0, 0, "5.2", 0}},
    {"once for all heads", {0, 0, 0, 0, "5.2", 0}},
    {"of 32 lanes alone", {0, "2.1", 0, 0, "5.4", 0}},
    {"m and l are swapped", {0, 0, 0, 0, "5.9", 0}},
    {"plain mean of the parts", {0, 0, 0, 0, "5.10", 0}},
    {"first part alone", {0, 0, 0, 0, "5.7", 0}},
    {"without exp(m - M)", {0, 0, 0, 0, "5.7", 0}},
    {"the dims", {0, "2.1", 0, "4.2", "5.4", 0}},
    {"weighted by L", {0, 0, 0, 0, "5.10", 0}},
    {"parts", {0, 0, "3.4", "4.5", "5.7", 0}},
    // The online softmax
    {"row maximum that the threads", {0, 0, 0, "4.4", "5.4", 0}},
    {"row sum that", {0, 0, 0, "4.8", 0, 0}},
    {"more times: the places behind", {0, 0, "3.2", "4.3", 0, 0}},
    {"rescaled", {0, 0, "3.4", "4.5", "5.5", 0}},
    {"of the last tile alone", {0, 0, "3.5", "4.6", "5.5", 0}},
    {"divided by l after every tile", {0, 0, "3.8", "4.8", "5.5", 0}},
    {"tile's own max", {0, 0, "3.5", "4.6", "5.5", 0}},
    {"of the first tile read for every tile", {0, 0, "3.7", 0, 0, 0}},
    {"key's place in its tile", {0, 0, "3.2", "4.3", 0, 0}},
    {"row's place in its tile", {0, 0, "3.2", "4.3", 0, 0}},
    {"more keys of score 0", {0, 0, "3.1", "4.3", "5.5", 0}},
    {"tile of scores", {0, 0, "3.1", "4.2", 0, 0}},
    // The softmax
    {"final division", {"1.3", "2.4", "3.8", "4.8", "5.7", 0}},
    {"exp overflows", {"1.2", "2.3", "3.5", "4.6", "5.5", 0}},
    {"2^x in place of e^x", {"1.2", "2.3", "3.5", "4.6", "5.5", 0}},
    {"softmax of the softmax", {"1.10", "2.11", 0, 0, 0, 0}},
    {"scores used as weights", {"1.10", "2.11", "3.5", "4.6", "5.5", 0}},
    // Scores, mask, values
    {"applied after the softmax: masked", {"1.7", "2.11", "3.2", "4.3", 0, 0}},
    {"mask", {"1.7", "2.11", "3.2", "4.3", 0, 0}},
    {"1/sqrt(D)", {"1.6", "2.11", "3.1", "4.2", 0, 0}},
    {"scale", {"1.6", "2.11", "3.1", "4.2", 0, 0}},
    {"from one key to the next", {"1.6", 0, "3.1", "4.2", "5.3", 0}},
    {"from one column to the next", {"1.8", 0, "3.6", "4.7", "5.5", 0}},
    {"used in place of V", {0, "2.11", "3.7", 0, 0, 0}},
    {"offset", {0, "2.5", 0, 0, 0, 0}},
    {"K and V swapped", {0, "2.11", "3.7", 0, 0, 0}},
};

const char *lab_todo_of(const lab_task *task, const char *sentence) {
    const size_t of = (size_t)(task - lab_tasks);
    for (size_t i = 0; i < sizeof rows / sizeof *rows && of < 6; i++)
        if (rows[i].todo[of] && strstr(sentence, rows[i].words)) return rows[i].todo[of];
    return NULL;
}
