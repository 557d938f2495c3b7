// sides.c: host code and device code of one file. nvcc preprocesses twice: with __CUDA_ARCH__ for the device, without for the
// host. So do we where a file names that macro, and make one text of the two:
//
//     a __global__ or __device__ function                  the device's body
//     a host function                                      the host's body; device lambdas in it have the device's
//     a __host__ __device__ function, or one of each       { if (__CUDA_ARCH__) { device } else { host } }
//     a function or declaration that one side alone has    it stays
//     any other difference                                 an error: we have one of each type and variable, nvcc has two
//
// The host's text is the base, and gets changes on its tokens as in every other stage. Line markers around what comes from
// the device's text keep the lines right.
#include "rewrite.h"

#include <string.h>

typedef struct {
    int first, last;
    int body;  // the { of a function, class or namespace; -1
    scope_kind scope;
} item;

typedef struct {
    unit *u;
    item *list;
    int count;
} items;

static bool same_token(const unit *a, int i, const unit *b, int j) {
    const token *x = &a->tokens[i], *y = &b->tokens[j];
    return x->length == y->length && !memcmp(x->at, y->at, (size_t)x->length);
}

static bool same_range(const unit *a, int first, int last, const unit *b, int from, int to) {
    if (last - first != to - from) return false;
    while (first <= last && same_token(a, first, b, from)) first++, from++;
    return first > last;
}

static bool is_label(const unit *u, int i) {
    static const char *const labels[] = {"public", "private", "protected", NULL};
    return is_any(u, i, labels) && is(u, i + 1, ":");
}

// The declaration that begins at token i of [i, end).
static item read_item(const unit *u, int i, int end) {
    item it = {i, end - 1, -1, SCOPE_VALUE};
    if (is_label(u, i)) it.last = i + 1;
    for (int k = is_label(u, i) ? end : i; k < end; k = skip_group(u, k)) {
        const token *t = &u->tokens[k];
        if (is(u, k, ";")) {
            it.last = k;
            break;
        }
        if (t->bracket != '{' || t->match < 0 || t->scope == SCOPE_VALUE) continue;
        it.body = k;
        it.scope = t->scope;
        bool ends = t->scope != SCOPE_CLASS;  // a class goes on to its semicolon
        if (!ends || is(u, t->match + 1, "{") || is(u, t->match + 1, ",")) continue;  // a constructor's list of members
        it.last = t->match;
        break;
    }
    return it;
}

static items read_items(unit *u, int first, int end) {
    items all = {u, keep(u, sizeof(item) * (size_t)(end - first + 1)), 0};
    for (int i = first; i < end; i = all.list[all.count++].last + 1) all.list[all.count] = read_item(u, i, end);
    return all;
}

static bool has_word(const unit *u, const item *it, const char *word) {
    for (int i = it->first; i < it->body; i++)
        if (is(u, i, word)) return true;
    return false;
}

static bool on_device(const unit *u, const item *it) {
    return has_word(u, it, "__device__") || has_word(u, it, "__global__");
}
static bool on_host(const unit *u, const item *it) { return !on_device(u, it) || has_word(u, it, "__host__"); }

// Behind the words that say where and how a function is compiled, for how many threads, too.
static int skip_placing(const unit *u, int i) {
    static const char *const words[] = {"__host__", "__device__", "inline", "static", "constexpr", NULL};
    static const char *const groups[] = {"__attribute__", "__launch_bounds__", NULL};
    while (is_any(u, i, words) || is_any(u, i, groups)) i = is_any(u, i, groups) ? skip_group(u, i + 1) : i + 1;
    return i;
}

// The same function, class or namespace: the heads are equal but for such words.
static bool same_head(const unit *a, const item *x, const unit *b, const item *y) {
    if (x->body < 0 || y->body < 0) return false;
    int i = x->first, j = y->first;
    for (;;) {
        i = skip_placing(a, i), j = skip_placing(b, j);
        if (i == x->body || j == y->body) return i == x->body && j == y->body;
        if (!same_token(a, i++, b, j++)) return false;
    }
}

// ---- changes -----------------------------------------------------------------------------------
static const char *marker(unit *u, const unit *of, int i) {
    const token *t = &of->tokens[i];
    return format(u, "\n# %d %s\n%*s", t->line, of->files[t->file].name, t->column - 1, "");
}

// The device's tokens [first, last] as they stand there, to go before token `before` of the host's text.
static const char *taken(unit *u, const unit *device, int first, int last, int before) {
    if (first > last) return "";
    const char *from = device->tokens[first].at, *to = device->tokens[last].at + device->tokens[last].length;
    const char *back = before < u->token_count ? marker(u, u, before) : "\n";
    return format(u, "%s%.*s%s", marker(u, device, first), (int)(to - from), from, back);
}

static void drop(unit *u, int first, int last) {
    for (int i = first; i <= last; i++) replace(u, i, "");
}

static void take_body(unit *u, int open, const unit *device, int device_open) {
    int close = u->tokens[open].match;
    drop(u, open + 1, close - 1);
    insert_before(u, close, taken(u, device, device_open + 1, device->tokens[device_open].match - 1, close));
}

static void join_bodies(unit *u, int open, const unit *device, int device_open) {
    int close = u->tokens[open].match;
    insert_after(u, open,
                 format(u, " if (__CUDA_ARCH__) {%s } else {%s",
                        taken(u, device, device_open + 1, device->tokens[device_open].match - 1, open),
                        marker(u, u, open + 1)));
    insert_before(u, close, " } ");
}

static void refuse_difference(unit *u, int i) {
    error_at_token(
        u, i,
        "__CUDA_ARCH__ makes this declaration differ between host and device, and on the CPU there is but one: "
        "put the #if inside of a function");
}

// A host function: in the lambdas that run on the device, the device's text counts.
static void take_lambdas(unit *u, const item *h, const unit *device, const item *d) {
    int j = d->body, end = device->tokens[d->body].match;
    for (int i = h->body; i < u->tokens[h->body].match; i++) {
        if (u->tokens[i].bracket != '{' || u->tokens[i].scope != SCOPE_DEVICE || u->tokens[i].match < i) continue;
        while (j < end && (device->tokens[j].bracket != '{' || device->tokens[j].scope != SCOPE_DEVICE)) j++;
        if (j >= end) return refuse_difference(u, i);
        if (!same_range(u, i, u->tokens[i].match, device, j, device->tokens[j].match)) take_body(u, i, device, j);
        i = u->tokens[i].match, j = device->tokens[j].match;
    }
}

static void join_items(items host, items device);

static void join_pair(unit *u, const item *h, unit *device, const item *d) {
    int close = u->tokens[h->body].match, device_close = device->tokens[d->body].match;
    if (h->scope == SCOPE_NAMESPACE || h->scope == SCOPE_CLASS) {
        if (!same_range(u, close, h->last, device, device_close, d->last)) return refuse_difference(u, h->first);
        return join_items(read_items(u, h->body + 1, close), read_items(device, d->body + 1, device_close));
    }
    if (!on_device(device, d)) return take_lambdas(u, h, device, d);
    if (on_host(u, h) && !has_word(device, d, "__global__"))
        join_bodies(u, h->body, device, d->body);
    else
        take_body(u, h->body, device, d->body);
    if (same_range(u, h->first, h->body, device, d->first, d->body)) return;
    drop(u, h->first, h->body - 1);
    insert_before(u, h->first, taken(u, device, d->first, d->body - 1, h->body));
}

// ---- what differs ------------------------------------------------------------------------------
// Items [h, h_end) of the host stand where the device has [d, d_end), and none is equal to another.
static void join_difference(items host, int h, int h_end, items device, int d, int d_end) {
    unit *u = host.u;
    int next = h, plain_host = 0, plain_device = 0, example = -1;
    for (int i = h; i < h_end; i++) plain_host += host.list[i].body < 0;
    for (int j = d; j < d_end; j++) {
        const item *it = &device.list[j];
        int pair = next;
        while (pair < h_end && !same_head(u, &host.list[pair], device.u, it)) pair++;
        if (pair < h_end) {
            join_pair(u, &host.list[pair], device.u, it);
            next = pair + 1;
            continue;
        }
        if (it->body < 0) plain_device++, example = it->first;
        if (it->body >= 0 && it->scope == SCOPE_HOST) continue;  // a host function that the host does not see
        int before = next < host.count ? host.list[next].first : host.count ? host.list[host.count - 1].last + 1 : 0;
        const char *text = taken(u, device.u, it->first, it->last, before);
        if (before < u->token_count)
            insert_before(u, before, text);
        else
            insert_after(u, u->token_count - 1, text);
    }
    if (plain_host && plain_device) {
        const token *t = &device.u->tokens[example];
        int file = 0;
        while (file < u->file_count && strcmp(u->files[file].name, device.u->files[t->file].name)) file++;
        error_at(
            u, file < u->file_count ? file : 0, t->line, t->column, "%s",
            "__CUDA_ARCH__ makes this declaration differ between host and device, and on the CPU there is but one: "
            "put the #if inside of a function");
    }
}

static bool same_item(items a, int i, items b, int j) {
    return same_range(a.u, a.list[i].first, a.list[i].last, b.u, b.list[j].first, b.list[j].last);
}

// Finds the nearest items that are equal again, and joins what lies before them.
static void join_items(items host, items device) {
    for (int h = 0, d = 0; h < host.count || d < device.count;) {
        if (h < host.count && d < device.count && same_item(host, h, device, d)) {
            h++, d++;
            continue;
        }
        int left = host.count - h, more = device.count - d, x = left, y = more;
        for (int sum = 1; sum < left + more && x == left && y == more; sum++)
            for (int k = sum < left ? sum : left - 1; k >= 0 && sum - k < more; k--)
                if (same_item(host, h + k, device, d + sum - k)) {
                    x = k, y = sum - k;
                    break;
                }
        join_difference(host, h, h + x, device, d, d + y);
        h += x, d += y;
    }
}

static void read_unit(unit *u) {
    lex(u);
    match_brackets(u);
    find_scopes(u);
}

int join_sides(const char *host, size_t host_size, const char *device, size_t device_size, FILE *out, FILE *report) {
    unit h = {.text = host, .size = host_size, .report = report},
         d = {.text = device, .size = device_size, .report = report};
    read_unit(&h);
    if (!h.errors) read_unit(&d);
    if (!h.errors && !d.errors) join_items(read_items(&h, 0, h.token_count), read_items(&d, 0, d.token_count));
    write_text(&h, out);
    int errors = h.errors + d.errors;
    free_memory(&h);
    free_memory(&d);
    return errors;
}
