// lockstep.c: warps of 2010, whose lanes stepped together: sums in shared memory through a volatile pointer, without a barrier.
//
//     volatile float *s ...;  s[t] += s[t + 32]; s[t] += s[t + 16]; ...
//
// No GPU since Volta promises that, though most still do it. Here lanes run one after another, and the sum is wrong: so it is said.
// (In checked mode it is a race, which has a report.)
#include "rewrite.h"

#include <string.h>

// Is there a store to name[...] at i, of a value in which the name stands again? (s[t] += x reads its own alone.)
static bool is_step(const unit *u, int i, int name) {
    const token *n = &u->tokens[name];
    char text[128];
    if (n->length >= (int)sizeof text) return false;
    snprintf(text, sizeof text, "%.*s", n->length, n->at);
    if (!is(u, i, text) || !is(u, i + 1, "[")) return false;
    bool assigned = false;
    for (int k = skip_group(u, i + 1); k < u->token_count && !is(u, k, ";"); k++) {
        assigned |= is(u, k, "=");
        if (assigned && is(u, k, text)) return true;
        if (u->tokens[k].bracket == '{' || u->tokens[k].bracket == '}') return false;
    }
    return false;
}

static void warn(unit *u, int i) {
    warn_at_token(u, i,
                  "a lane reads here what others of its warp have just stored, and no __syncwarp() stands between: "
                  "GPUs since Volta do not promise that this works, and here, where lanes run one after another, the "
                  "result may be wrong");
}

// The name that `volatile` declares, if it is a pointer's or a shared array's; -1.
static int declared_name(const unit *u, int word) {
    int name = word + 1;
    bool shared = is(u, word - 1, "__shared__");
    while (is_name(u, name) || is(u, name, "*") || is(u, name, "::")) shared |= is(u, name++, "__shared__");
    return is_name(u, name - 1) && name - 1 > word && (shared || is(u, name - 2, "*")) ? name - 1 : -1;
}

static void look_at(unit *u, int word) {
    int name = declared_name(u, word), steps = 0, first = -1, depth = 0;
    for (int i = name; i >= 0 && i < u->token_count; i++) {
        if (u->tokens[i].bracket == '{') depth++;
        if (u->tokens[i].bracket == '}' && --depth <= 0) return;
        if (is(u, i, ";") && depth == 0 && u->tokens[word].scope != SCOPE_DEVICE) return;  // no body
        if (is(u, i, "__syncwarp") || is(u, i, "__syncthreads") || is(u, i, "sync")) steps = 0;
        if (u->tokens[i].scope != SCOPE_DEVICE || !is_step(u, i, name)) continue;
        if (++steps == 1) first = i;
        if (steps == 2) return warn(u, first);
    }
}

void look_for_lockstep(unit *u) {
    for (int i = 0; i < u->token_count && !rewriting_checked; i++)
        if (is(u, i, "volatile")) look_at(u, i);
}
