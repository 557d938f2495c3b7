// rewrite.h: CUDA C++ in, plain C++17 out, line by line.
//
//     text -> lex -> brackets -> scopes -> { refuse, kernels, launch, shared, variables, builtins, qualifiers } -> text
//
// The input is what `g++ -E` or `clang++ -E` prints. Line markers (# 12 "file.cu") stay where they are and no line is added
// or taken away, so the compiler, gdb and addr2line go on to speak of the student's lines.
// Every stage reads the tokens and leaves its changes on them (before, instead, after); write_text() then prints the text
// with those changes. What no stage understands stays as it is: the compiler explains it better than we could.
#ifndef SIMT_REWRITE_H
#define SIMT_REWRITE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

typedef enum { TOKEN_NAME, TOKEN_NUMBER, TOKEN_STRING, TOKEN_PUNCTUATION } token_kind;

// What the innermost braces around a token are. Everything inside a function is the function's, local classes too.
typedef enum { SCOPE_NAMESPACE, SCOPE_CLASS, SCOPE_VALUE, SCOPE_HOST, SCOPE_DEVICE } scope_kind;

typedef struct {
    token_kind kind;
    const char *at;  // in the text; digraphs (<: :> <% %>) count as the brackets that they stand for
    int length;
    char bracket;                          // one of ( ) [ ] { }, or 0
    int match;                             // bracket: index of its partner, -1 where there is none
    int file, line, column;                // as the line markers have it; columns are those of the preprocessed text
    scope_kind scope;                      // of a brace: the scope that it opens or closes
    const char *before, *instead, *after;  // the changes; NULL: none
} token;

typedef struct {
    const char *name;  // with its quotes and escapes, as in the marker: ready to be a C string literal
    bool system;       // #included as a system header: copied untouched
} source_file;

// A __global__ function.
typedef struct {
    const char *name;
    int declarations;  // of this name: more than one may be overloads
    bool is_template;
    bool has_defaults;    // values for its last parameters
    const char *cluster;  // what __cluster_dims__(...) says; NULL: nothing
} kernel;

typedef struct unit {
    const char *text;
    size_t size;
    token *tokens;
    int token_count;
    source_file *files;
    int file_count;
    kernel *kernels;
    int kernel_count;
    int serial;    // for names that must differ
    int errors;    // reported so far
    FILE *report;  // where errors go
    struct chunk *memory;
} unit;

// rewrite.c: the whole way. Returns the number of errors reported; `out` is complete only when that is 0.
int rewrite(const char *text, size_t size, FILE *out, FILE *report);

// sides.c: what the preprocessor makes of a file for the host and for the device, as one text. Returns the number of errors.
int join_sides(const char *host, size_t host_size, const char *device, size_t device_size, FILE *out, FILE *report);

// memory.c: all of a unit's memory goes at once, at the end.
void *keep(unit *u, size_t size);
void *keep_more(unit *u, void *old, size_t old_size, size_t size);
const char *format(unit *u, const char *pattern, ...) __attribute__((format(printf, 2, 3)));
void free_memory(unit *u);

// text.c: errors, warnings, changes, and copies of the student's text.
void error_at(unit *u, int file, int line, int column, const char *pattern, ...) __attribute__((format(printf, 5, 6)));
void error_at_token(unit *u, int i, const char *pattern, ...) __attribute__((format(printf, 3, 4)));
void warn_at_token(unit *u, int i, const char *pattern, ...) __attribute__((format(printf, 3, 4)));
void insert_before(unit *u, int i, const char *text);
void insert_after(unit *u, int i, const char *text);
void replace(unit *u, int i, const char *text);
void blank(unit *u, int i);                              // spaces, so that columns stay
const char *text_between(unit *u, int first, int last);  // as changed so far, on one line, without line markers
const char *string_literal(unit *u, const char *text);
void write_text(unit *u, FILE *out);

// lex.c, brackets.c, scopes.c
void lex(unit *u);
void match_brackets(unit *u);
void find_scopes(unit *u);

// cursor.c: questions about tokens. Indices may run off either end; such a token is equal to nothing.
bool is(const unit *u, int i, const char *text);
bool is_name(const unit *u, int i);
bool is_any(const unit *u, int i, const char *const *list);  // list ends with NULL
bool adjacent(const unit *u, int i, const char *text);       // tokens i, i+1, ... spell text without a blank between
bool launch_open(const unit *u, int i);                      // <<<, also written << <
bool launch_close(const unit *u, int i);                     // >>>, also written >> >
int skip_group(const unit *u, int i);                        // past the bracket at i and its partner; i + 1 otherwise
int statement_start(const unit *u, int i);                   // first token after the ; { or } before i
int angle_open(const unit *u, int close);                    // the < of the template arguments that end at `close`; -1
int angle_close(const unit *u, int open);

// declare.c: the declarators of `int *a[4], b = 2;`.
typedef struct {
    int name;         // the declared name
    int initializer;  // its first token (= or {), or -1
    int end;          // the , or ; behind it
} declarator;
int declarators(const unit *u, int first, declarator *list, int capacity);  // how many; -1: not understood

// guest.c: what is refused in a file whose author simt does not trust.
extern bool rewriting_guest;
void refuse_in_guest(unit *u);
void refuse_in_headers(unit *headers);  // all that system headers brought in, after its file began
void check_guest_directive(unit *u, int file, int line, const char *at, const char *end);
int find_line_marker(FILE *in);  // marker.c

// The stages.
void refuse(unit *u);
void refuse_host_names(unit *u);               // hosts.c
extern bool rewriting_host_words;              // of a file that asks for __CUDACC__
void look_for_lockstep(unit *u);               // lockstep.c
const char *refused_header(const char *path);  // "CUB" for ".../cub/cub.cuh"; NULL: not refused
int explain_missing_headers(FILE *in, FILE *out);
void rewrite_kernels(unit *u);
int kernel_body(const unit *u, int global);  // the { or ; of the declaration with this __global__; -1
const kernel *known_kernel(const unit *u, int name);
const kernel *find_kernel(const unit *u, int name);  // only kernels with a twin
void rewrite_launches(unit *u);
void rewrite_shared(unit *u);
void rewrite_variables(unit *u);
void rewrite_builtins(unit *u);
void rewrite_returns(unit *u);
void rewrite_asm(unit *u);  // asm.c: inline PTX
extern bool rewrote_asm;
bool is_device_asm(const unit *u, int i);  // is at i an asm statement that it rewrites?
void rewrite_qualifiers(unit *u);
extern bool rewriting_checked;         // for checked mode
int find_unseen(FILE *in, FILE *out);  // unseen.c: a compiler's dump in, a list of arguments out
void show_structs(unit *u);            // shown.c: the arguments of such a list
extern const char *rewriting_shown;    // the list's path, or NULL

#endif
