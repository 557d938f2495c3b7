// cheat.c: reads a catalogue of cheats, and writes what a cheat hands in.
#define _GNU_SOURCE
#include "cheat.h"

#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "tool.h"

// How a cheat's body gets hold of the function that a task is called by.
static const struct {
    const char *task, *function, *parameters, *arguments, *elements;
} calls[] = {
    {"task1", "attn_sdpa", "float *O, const float *Q, const float *K, const float *V, attn_shape shape",
     "O, Q, K, V, shape", "(size_t)shape.batch * shape.heads * shape.seq_q * shape.head_dim"},
    {"task2", "attn_naive",
     "float *O, const float *Q, const float *K, const float *V, float *scores, attn_shape shape, cudaStream_t stream",
     "O, Q, K, V, scores, shape, stream", "(size_t)shape.batch * shape.heads * shape.seq_q * shape.head_dim"},
    {"task3", "attn_tiled",
     "float *O, const float *Q, const float *K, const float *V, attn_shape shape, attn_tiles tiles",
     "O, Q, K, V, shape, tiles", "(size_t)shape.batch * shape.heads * shape.seq_q * shape.head_dim"},
    {"task4", "attn_flash",
     "float *O, const float *Q, const float *K, const float *V, attn_shape shape, cudaStream_t stream",
     "O, Q, K, V, shape, stream", "(size_t)shape.batch * shape.heads * shape.seq_q * shape.head_dim"},
    {"task5", "attn_decode",
     "float *O, const float *Q, const float *K_cache, const float *V_cache, const int *lengths, attn_cache cache, "
     "cudaStream_t stream",
     "O, Q, K_cache, V_cache, lengths, cache, stream", "(size_t)cache.batch * cache.heads * cache.head_dim"},
    {"task6", "attn_layer_forward",
     "float *O, const float *X, attn_layer_weights weights, attn_layer_cache cache, attn_tokens tokens, "
     "attn_layer_workspace work, const attn_functions *call, cudaStream_t stream",
     "O, X, weights, cache, tokens, work, call, stream", "1"},
};

// ---- the catalogue

static int field(const char *line, const char *name, char *value, size_t size) {
    const size_t n = strlen(name);
    if (strncmp(line, name, n)) return 0;
    snprintf(value, size, "%s", line + n + strspn(line + n, " "));
    return 1;
}

static void add_line(char *text, size_t size, const char *line) {
    const size_t used = strlen(text);
    snprintf(text + used, size - used, "%s\n", line + 1 + (line[1] == ' '));
}

static void read_line(cheat_class *g, const char *line) {
    cheat *c = g->n ? &g->cheats[g->n - 1] : NULL;
    char points[32];
    if (line[0] == '[' && g->n < MAX_CHEATS) {
        sscanf(line, "[%63[^]]", g->cheats[g->n].name);
        g->cheats[g->n].bonus = -1;
        g->cheats[g->n++].honest = 1;
    } else if (!c)
        (void)(field(line, "needs:", g->needs, sizeof g->needs) ||
               field(line, "options:", g->options, sizeof g->options) || field(line, "open:", g->open, sizeof g->open));
    else if (line[0] == '<')
        add_line(c->top, sizeof c->top, line);
    else if (line[0] == '|')
        add_line(c->body, sizeof c->body, line);
    else if (line[0] == '>')
        add_line(c->end, sizeof c->end, line);
    else if (line[0] == '!')
        add_line(c->shell, sizeof c->shell, line);
    else if (field(line, "points:", points, sizeof points))
        c->points = atof(points);
    else if (field(line, "bonus:", points, sizeof points))
        c->bonus = atof(points);
    else if (strcmp(line, "answer: none") == 0)
        c->honest = 0;
    else
        (void)(field(line, "expect:", c->expect, sizeof c->expect) || field(line, "like:", c->like, sizeof c->like) ||
               field(line, "open:", c->open, sizeof c->open) ||
               field(line, "deserves:", c->deserves, sizeof c->deserves));
}

int cheat_read(FILE *f, cheat_class *g) {
    char line[2000], name[16] = "";
    memset(g, 0, sizeof *g);
    for (long at = ftell(f); fgets(line, sizeof line, f); at = ftell(f)) {
        line[strcspn(line, "\n")] = 0;
        if (strncmp(line, "class:", 6) == 0 && g->task) {
            fseek(f, at, SEEK_SET);
            break;
        }
        if (field(line, "class:", name, sizeof name))
            g->task = lab_task_find(name);
        else if (g->task)
            read_line(g, line);
    }
    return g->task != NULL;
}

// ---- the submissions

// A word with a / is a file of the lab, whose text takes its place.
static int write_file(const char *word, size_t length, FILE *f) {
    char path[256], buffer[4096];
    snprintf(path, sizeof path, "%.*s", (int)length, word);
    FILE *from = memchr(word, '/', length) && !memchr(word, '\n', length) ? fopen(path, "r") : NULL;
    for (size_t n; from && (n = fread(buffer, 1, sizeof buffer, from));) fwrite(buffer, 1, n, f);
    return from && fclose(from) == 0;
}

static void write_text(const canary *k, FILE *f, const char *text) {
    for (const char *end = NULL; *text; text++) {
        const char *word =
            *text == '@' && (end = strchr(text + 1, '@')) ? canary_word(k, text + 1, end - text - 1) : NULL;
        if (word)
            fputs(word, f), text = end;
        else if (*text == '@' && end && write_file(text + 1, end - text - 1, f))
            text = end;
        else
            fputc(*text, f);
    }
}

static void copy_answer(const lab_task *t, FILE *to) {
    char path[256], buffer[4096];
    snprintf(path, sizeof path, "grader/solutions/%s/%s", t->folder, t->file);
    FILE *from = fopen(path, "r");
    for (size_t n; from && (n = fread(buffer, 1, sizeof buffer, from));) fwrite(buffer, 1, n, to);
    if (from) fclose(from);
}

static void write_source(const lab_task *t, const canary *k, const cheat *c, FILE *f) {
    const int at = t->id[4] - '1';
    if (c->honest) fprintf(f, "#ifndef _GNU_SOURCE\n#define _GNU_SOURCE\n#endif\n");
    // What is to be refused before it runs need not be fast: in C it compiles in a quarter of the time.
    if (strcmp(c->expect, "FORBIDDEN_SYMBOL") == 0 && t->language != LAB_CUDA)
        fprintf(f, "#pragma GCC optimize(\"O0\")\n");
    write_text(k, f, c->top);
    if (*c->body) fprintf(f, "#define %s honest_%s\n", calls[at].function, calls[at].function);
    if (c->honest) copy_answer(t, f);
    if (*c->body) {
        fprintf(f, "#undef %s\n#define ANSWER() honest_%s(%s)\n#define N_O (%s)\n", calls[at].function,
                calls[at].function, calls[at].arguments, calls[at].elements);
        write_text(k, f, c->end);
        fprintf(f, "ATTN_API attn_status %s(%s);\nattn_status %s(%s) {\n", calls[at].function, calls[at].parameters,
                calls[at].function, calls[at].parameters);
        write_text(k, f, c->body);
        fprintf(f, "}\n");
    } else
        write_text(k, f, c->end);
}

// Lines of `!` are a shell's, run where the submissions stand.
static void run_shell(const canary *k, const cheat *c, const char *name) {
    char path[256], root[4096];
    snprintf(path, sizeof path, "%s/make.sh", k->top);
    FILE *f = fopen(path, "w");
    if (!f || !getcwd(root, sizeof root)) return;
    fprintf(f, "set -e\ncd '%s/%s'\nanswers='%s/grader/solutions'\nname=%s\n", root, k->in, root, name);
    write_text(k, f, c->shell);
    fclose(f);
    char *argv[] = {"bash", path, NULL}, log[256];
    snprintf(log, sizeof log, "%s/make.log", k->top);
    if (lab_tool(argv, log)) printf("# the shell lines of %s failed, see %s\n", c->name, log);
}

void cheat_submit(const lab_task *t, const canary *k, const cheat *c) {
    char path[512];
    snprintf(path, sizeof path, "%s/%s", k->in, c->name);
    if (!*c->shell || c->honest) {
        mkdir(path, 0755);
        snprintf(path, sizeof path, "%s/%s/%s", k->in, c->name, t->folder);
        mkdir(path, 0755);
        snprintf(path, sizeof path, "%s/%s/%s/%s", k->in, c->name, t->folder, t->file);
        FILE *f = fopen(path, "w");
        if (f) write_source(t, k, c, f), fclose(f);
    }
    if (*c->shell) run_shell(k, c, c->name);
}
