// canary.c: sets the canaries, and looks whether they still sing.
#define _GNU_SOURCE
#include "canary.h"

#include <arpa/inet.h>
#include <dirent.h>
#include <ftw.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

static int remove_entry(const char *path, const struct stat *st, int type, struct FTW *ftw) {
    (void)st, (void)type, (void)ftw;
    return remove(path);
}

// ---- the lab's own files: path, size, time and mode of each, as one number

static uint64_t sum;

static int add_entry(const char *path, const struct stat *st, int type, struct FTW *ftw) {
    (void)type, (void)ftw;
    uint64_t h = 14695981039346656037u;
    for (; *path; path++) h = (h ^ (unsigned char)*path) * 1099511628211u;
    h ^= (uint64_t)st->st_size << 32 ^ (S_ISDIR(st->st_mode) ? 0 : st->st_mtim.tv_sec * 1000003 + st->st_mtim.tv_nsec);
    sum += h * (st->st_mode | 1);
    return 0;
}

static uint64_t sum_of_lab(const char *in) {
    static const char *const own[] = {"Makefile",         "grader/rubric.json",   "grader/baselines",
                                      "grader/solutions", "build/bin/claims",     "build/bin/bench",
                                      "build/bin/runner", "build/bin/runner_simt"};
    sum = 0;
    for (size_t i = 0; i < sizeof own / sizeof *own; i++) nftw(own[i], add_entry, 16, FTW_PHYS);
    nftw(in, add_entry, 16, FTW_PHYS);
    return sum;
}

static int listen_here(canary *c) {
    struct sockaddr_in at = {.sin_family = AF_INET, .sin_addr.s_addr = htonl(INADDR_LOOPBACK)};
    socklen_t size = sizeof at;
    c->listener = socket(AF_INET, SOCK_STREAM | SOCK_NONBLOCK | SOCK_CLOEXEC, 0);
    if (c->listener < 0 || bind(c->listener, (struct sockaddr *)&at, size) || listen(c->listener, 8)) return 0;
    if (getsockname(c->listener, (struct sockaddr *)&at, &size)) return 0;
    c->port = ntohs(at.sin_port);
    return 1;
}

int canary_set(canary *c, const char *top) {
    char path[256];
    nftw(top, remove_entry, 32, FTW_DEPTH | FTW_PHYS);
    snprintf(c->top, sizeof c->top, "%s", top);
    snprintf(c->home, sizeof c->home, "%s/home", top);
    snprintf(c->in, sizeof c->in, "%s/in", top);
    snprintf(c->out, sizeof c->out, "%s/out", top);
    snprintf(c->mark, sizeof c->mark, "cheat%07d", (int)getpid());  // none is how another begins
    snprintf(c->secret, sizeof c->secret, "canary-%08lx-of-the-grader", (unsigned long)getpid() * 2654435761u);
    if (mkdir(c->top, 0755) || mkdir(c->home, 0700) || mkdir(c->in, 0755) || mkdir(c->out, 0755)) return 0;
    snprintf(path, sizeof path, "%s/private", c->home);
    FILE *f = fopen(path, "w");
    if (!f) return 0;
    fprintf(f, "%s\n", c->secret);
    return fclose(f) == 0 && listen_here(c);
}

void canary_seal(canary *c) { c->lab = sum_of_lab(c->in); }

void canary_clear(canary *c) {
    close(c->listener);
    nftw(c->top, remove_entry, 32, FTW_DEPTH | FTW_PHYS);
}

const char *canary_word(const canary *c, const char *word, size_t length) {
    static char root[4096], port[16];
    const char *const words[][2] = {{"HOME", c->home}, {"IN", c->in},  {"OUT", c->out},      {"MARK", c->mark},
                                    {"ROOT", root},    {"PORT", port}, {"SECRET", c->secret}};
    if (!getcwd(root, sizeof root)) return NULL;
    snprintf(port, sizeof port, "%d", c->port);
    for (size_t i = 0; i < sizeof words / sizeof *words; i++)
        if (strlen(words[i][0]) == length && strncmp(words[i][0], word, length) == 0) return words[i][1];
    return NULL;
}

// ---- afterwards

static struct {
    const canary *c;
    char *what;
    size_t size;
    int found;
} look;

static void note(const char *fact, const char *where) {
    const size_t used = strlen(look.what);
    if (used + 1 < look.size) snprintf(look.what + used, look.size - used, "%s%s %s", used ? ", " : "", fact, where);
    look.found++;
}

static void begin(const canary *c, char *what, size_t size) {
    look.c = c, look.what = what, look.size = size, look.found = 0;
    *what = 0;
}

static char *content(const char *path, size_t *n) {
    FILE *f = fopen(path, "r");
    char *text = f ? calloc(1, (1 << 22) + 1) : NULL;
    *n = text ? fread(text, 1, 1 << 22, f) : 0;
    if (f) fclose(f);
    return text;
}

static int look_for_secret(const char *path, const struct stat *st, int type, struct FTW *ftw) {
    (void)st, (void)ftw;
    size_t n = 0;
    char *text = type == FTW_F ? content(path, &n) : NULL;
    if (text && memmem(text, n, look.c->secret, strlen(look.c->secret))) note("the secret stands in", path);
    free(text);
    return 0;
}

int canary_quoted(const canary *c, const char *said, char *what, size_t size) {
    begin(c, what, size);
    nftw(c->out, look_for_secret, 16, FTW_PHYS);
    if (strstr(said, c->secret)) note("the secret was", "printed");
    return look.found;
}

// Bytes that change what a reader sees: escapes, C1 (U+0080 to U+009F), marks of direction.
static const char *bad_bytes(const char *text, size_t n) {
    const unsigned char *s = (const unsigned char *)text;
    for (size_t i = 0; i < n; i++) {
        if ((s[i] < 32 && !strchr("\n\t\r", s[i])) || s[i] == 127) return "a control byte is in";
        if (s[i] == 0xc2 && i + 1 < n && s[i + 1] >= 0x80 && s[i + 1] < 0xa0) return "a C1 byte is in";
        if (s[i] == 0xe2 && i + 2 < n &&
            ((s[i + 1] == 0x80 && s[i + 2] >= 0xaa && s[i + 2] <= 0xae) ||
             (s[i + 1] == 0x81 && s[i + 2] >= 0xa6 && s[i + 2] <= 0xa9)))
            return "a mark of direction is in";
    }
    return NULL;
}

// A cell that a spreadsheet takes for a formula.
static int has_formula(const char *csv) {
    int quoted = 0, first = 1;
    for (const char *p = csv; *p; p++) {
        if (first && (*p == '"' ? strchr("=+-@\t", p[1]) : strchr("=+-@\t", *p))) return 1;
        if (first && strncmp(p + (*p == '"'), "\xef\xbc\x9d", 3) == 0) return 1;  // the full-width =
        if (*p == '"') quoted = !quoted;
        first = !quoted && (*p == ',' || *p == '\n');
    }
    return 0;
}

// The same in the strings of a JSON file, where they are escaped: most readers show what they stand for.
static const char *bad_escapes(const char *json) {
    for (const char *p = json; (p = strstr(p, "\\u")); p += 2) {
        const long code = strtol((char[5]){p[2], p[3], p[4], p[5]}, NULL, 16);
        if (p > json && p[-1] == '\\') continue;  // a backslash, and then a letter
        if (code < 32 || (code >= 0x7f && code < 0xa0)) return "an escaped control is in";
        if ((code >= 0x202a && code <= 0x202e) || (code >= 0x2066 && code <= 0x2069))
            return "an escaped mark of direction is in";
    }
    return NULL;
}

static int look_for_text(const char *path, const struct stat *st, int type, struct FTW *ftw) {
    const char *name = path + ftw->base, *bad;
    size_t n = 0;
    (void)st;
    // For other systems. results.json is the lab's own, and keeps a name as it is.
    const int json = strcmp(name, "results.json") && strstr(name, ".json");
    if (type != FTW_F || !(strstr(name, ".md") || strstr(name, ".csv") || strstr(name, ".html") || json)) return 0;
    char *text = content(path, &n);
    if (text && (bad = bad_bytes(text, n))) note(bad, path);
    if (text && json && (bad = bad_escapes(text))) note(bad, path);
    if (text && !json && !strstr(name, ".csv") && (strstr(text, "<script>cheat") || strstr(text, "<img src=cheat")))
        note("HTML is in", path);
    if (text && strstr(name, ".csv") && has_formula(text)) note("a formula is in", path);
    free(text);
    return 0;
}

int canary_unclean(const canary *c, const char *said, char *what, size_t size) {
    begin(c, what, size);
    nftw(c->out, look_for_text, 16, FTW_PHYS);
    const char *bad = bad_bytes(said, strlen(said));
    if (bad) note(bad, "what was printed");
    return look.found;
}

static int look_for_mark(const char *path, const struct stat *st, int type, struct FTW *ftw) {
    (void)st, (void)type;
    if (strstr(path + ftw->base, look.c->mark)) note("a cheat made", path);
    return 0;
}

static void look_in(const char *folder) {
    DIR *d = opendir(folder);
    for (struct dirent *e; d && (e = readdir(d));)
        if (strstr(e->d_name, look.c->mark)) note("a cheat made", e->d_name);
    if (d) closedir(d);
}

int canary_written(const canary *c, char *what, size_t size) {
    static const char *const folders[] = {"/tmp",   "/var/tmp",         "/dev/shm", ".",
                                          "grader", "grader/baselines", "build",    "build/bin"};
    begin(c, what, size);
    for (size_t i = 0; i < sizeof folders / sizeof *folders; i++) look_in(folders[i]);
    nftw(c->top, look_for_mark, 16, FTW_PHYS);
    if (sum_of_lab(c->in) != c->lab) note("the lab's files or a submission", "changed");
    return look.found;
}

int canary_alive(const canary *c, char *what, size_t size) {
    begin(c, what, size);
    while (waitpid(-1, NULL, WNOHANG) > 0) {}
    DIR *d = opendir("/proc");
    for (struct dirent *e; d && (e = readdir(d));) {
        char path[64], name[32] = "";
        snprintf(path, sizeof path, "/proc/%.20s/comm", e->d_name);
        FILE *f = atoi(e->d_name) > 0 ? fopen(path, "r") : NULL;
        if (f && fgets(name, sizeof name, f) && strncmp(name, c->mark, strlen(c->mark)) == 0) {
            note("it lives on: process", e->d_name);
            kill(atoi(e->d_name), SIGKILL);
        }
        if (f) fclose(f);
    }
    if (d) closedir(d);
    return look.found;
}

int canary_called(const canary *c, char *what, size_t size) {
    begin(c, what, size);
    const int guest = accept4(c->listener, NULL, NULL, SOCK_CLOEXEC);
    if (guest >= 0) note("a cheat reached", "the network"), close(guest);
    return look.found;
}
