// lockstep.c: warps of 2010, whose lanes stepped together: sums in shared memory through a volatile pointer, without a barrier.
//
//     volatile float *s ...;  s[t] += s[t + 32]; s[t] += s[t + 16]; ...
//
// No GPU since Volta promises that, though most still do it: so it is said. Here lanes run one after another, and the
// sum would be wrong. At these statements they wait for each other, before the loads and between loads and stores:
//
//     s[t] += (simt::lockstep(8), simt::lockstep(9, s[t + 32]));
//
// (In checked mode they do not, and it is a race, which has a report.)
#include "rewrite.h"

// The `=` of a statement at i that stores to name[...] a value in which the name stands again (s[t] += x reads its own
// alone); 0: it is none.
static int step_at(const unit *u, int i, const char *name) {
    if (!is(u, i, name) || !is(u, i + 1, "[")) return 0;
    int assignment = 0;
    for (int k = skip_group(u, i + 1); k < u->token_count && !is(u, k, ";"); k++) {
        if (!assignment && is(u, k, "=")) assignment = k;
        if (assignment && is(u, k, name)) return assignment;
        if (u->tokens[k].bracket == '{' || u->tokens[k].bracket == '}') return 0;
    }
    return 0;
}

// The value behind the `=` is taken and stored by all lanes together.
static void step_together(unit *u, int assignment) {
    int end = assignment + 1;
    while (end < u->token_count && !is(u, end, ";") && !is(u, end, ",") && u->tokens[end].bracket != ')')
        end = skip_group(u, end);
    insert_after(u, assignment,
                 format(u, " (simt::lockstep(%d), simt::lockstep(%d, ", 2 * assignment, 2 * assignment + 1));
    insert_after(u, end - 1, "))");
}

static void warn(unit *u, int i) {
    warn_at_token(u, i,
                  "a lane reads here what others of its warp have just stored, and no __syncwarp() stands between: "
                  "GPUs since Volta do not promise that this works. Here these lanes step together, as they mostly do "
                  "there; checked mode does not let them");
}

// The name that `volatile` declares, if it is a pointer's or a shared array's; -1.
static int declared_name(const unit *u, int word) {
    int name = word + 1;
    bool shared = is(u, word - 1, "__shared__");
    while (is_name(u, name) || is(u, name, "*") || is(u, name, "::")) shared |= is(u, name++, "__shared__");
    return is_name(u, name - 1) && name - 1 > word && (shared || is(u, name - 2, "*")) ? name - 1 : -1;
}

static void look_at(unit *u, int word) {
    const bool local = u->tokens[word].scope == SCOPE_DEVICE;  // else a parameter: the body's braces are still to come
    int name = declared_name(u, word), steps = 0, first = 0, depth = local;
    const char *text = name < 0 ? NULL : text_between(u, name, name);
    for (int i = name; i >= 0 && i < u->token_count; i++) {
        if (u->tokens[i].bracket == '{') depth++;
        if (u->tokens[i].bracket == '}' && --depth <= 0) return;
        if (is(u, i, ";") && depth == 0) return;  // no body
        if (is(u, i, "__syncwarp") || is(u, i, "__syncthreads") || is(u, i, "sync")) steps = 0;
        const int assignment = u->tokens[i].scope == SCOPE_DEVICE ? step_at(u, i, text) : 0;
        if (!assignment) continue;
        if (++steps == 1) first = i;
        if (steps == 2) warn(u, first), step_together(u, step_at(u, first, text));
        if (steps >= 2) step_together(u, assignment);
    }
}

void look_for_lockstep(unit *u) {
    for (int i = 0; i < u->token_count && !rewriting_checked; i++)
        if (is(u, i, "volatile")) look_at(u, i);
}
