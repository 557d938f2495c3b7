// edits.h: a student's file, read far enough to write it again with many small changes in it, each behind a switch.
//
//     text -> source -> statements (functions, statements, places, variables) -> changes -> write
//
// Tokens are those of simt's rewriter, of the file as the student wrote it (no preprocessor), so that what is shown is
// the student's own text. What nobody here understands stays as it is.
#ifndef LAB_EDITS_H
#define LAB_EDITS_H

#include "kinds.h"
#include "syntax.h"

enum { EDITS_LAST_LINE = 1 << 30 };

// A place at which text may be replaced: a whole statement, a value, a condition, an expression without a value.
typedef enum { P_STATEMENT, P_VALUE, P_CONDITION, P_VOID } place_kind;
typedef struct place {
    place_kind kind;
    int first, end;
    const char *cast;     // of a value: to what all alternatives are converted; NULL: to nothing
    const char *without;  // a name that may not stand here; NULL: none
    expression *tree;     // of a statement `return x` that of x; NULL: none
    int statement;
    bool bound;     // to a reference: no value that is made takes its place
    bool of_macro;  // an argument of a loop that a macro makes: another value is another loop (macro_loops.c)
} place;

typedef struct {
    int place;
    const char *text;  // the whole place's
} place_text;

typedef struct {
    int rank;  // the smaller, the more likely
    const char *kind;
    int at;     // the token that is shown as its place
    int place;  // whose tokens [first, end) become `text`; -1: none
    int first, end;
    const char *text;
    const place_text *more;  // other places that change with it
    int n_more;
    int insert;  // the statement before which `inserted` stands; -1: none
    const char *inserted;
    bool insert_at_end;  // before the } of the block `insert`
    int remove;          // the statement that goes; -1: none
    const char *old_shown, *new_shown;
    const char *of;  // of a macro's body: its name, and where it stands; NULL: where `at` does
    int line, column;
    int each;       // 1: all that reads like the old text in its lines changes, and one of them has several; 2: some
    bool of_size;   // which gives a limit or a quotient: many parts work with it
    unsigned hash;  // of `text` without blanks
    int turn;       // the smaller, the sooner it is tried
    bool hooked;    // it is in the file whose changes are data
    int id;
} change;

typedef struct {
    int place, first, end;
    const char *text;
} replacement;

// A piece of the file's own text of which a change can be made elsewhere.
typedef enum { I_ATOM, I_TERM, I_FACTOR, I_CONDITION, I_INDEX, I_CALL } ingredient_kind;
typedef struct {
    ingredient_kind kind;
    int first, end, function;
    value_type type;
    const char *text;
} ingredient;

typedef struct {
    int a, b;
} pair;

struct edits {
    unit u;
    const char *path, *source;
    size_t size;
    bool cuda;
    const char *wanted;         // functions, with commas between; NULL: all
    const char *code;           // functions of which no change is data; NULL: of all it may be
    int dim;                    // of a head: the only number that templates have where changes are data; 0: all
    int *swaps, n_swaps;        // tokens in whose place it stands there
    bool statuses;              // wrong is who is refused, and no number: kernels have no part in it
    int first_line, last_line;  // in which changes are made; EDITS_LAST_LINE: to the end
    const char *lines;          // the only ones, with commas between; NULL: all of those
    directive *directives;
    function *functions;
    statement *statements;
    place *places;
    variable *variables;
    change *changes;
    ingredient *ingredients;
    struct reducer *reducers;    // NULL: nobody has asked yet (reducers.c)
    pair *alike;                 // variables
    int last_of[128], n_linked;  // by first letter: the last variable, 1 for the first one, of those that are linked
    bool *in_lambda;             // of each token; NULL: nobody has asked yet (data_slots.c)
    int **stands;                // of each variable: the tokens that are its name, then -1
    int n_directives, n_functions, n_statements, n_places, n_variables, n_changes, n_ingredients, n_alike, n_reducers;
};

// source.c
bool edits_read(edits *e, const char *path);
const char *edits_text(edits *e, int first, int end);  // on one line
const char *edits_text_of(edits *e, const expression *x);
bool edits_same(const unit *u, int a, int b, int n);    // n tokens from a and from b on read alike
int edits_directive_before(const edits *e, int token);  // the first one between the token before and this; -1: none
int edits_line_of(const edits *e, int statement);       // where it begins, with the pragmas above it
bool edits_directive_within(const edits *e, int first, int end);
bool edits_pragma_above(const edits *e, int token, bool atomic);  // omp atomic, or omp for
int edits_collapse_above(const edits *e, int token);              // how many loops an omp for makes one
#define EDITS_ADD(e, list, count)                                                                                      \
    (edits_grow(&(e)->u, (void **)&(e)->list, sizeof *(e)->list, (e)->count), &(e)->list[(e)->count++])
void edits_grow(unit *u, void **list, size_t size, int count);

// expression.c
expression *edits_parse(edits *e, int first, int end);  // NULL: not understood

// signs.c
int edits_precedence(const char *op);      // the larger, the tighter; 0: no binary operator
int edits_operator(const unit *u, int i);  // how many tokens the operator at i has; 0: none
const char *edits_operator_text(const unit *u, int i);
bool edits_assigns(const unit *u, int i);  // = += ...

// types.c
value_type edits_declared_type(edits *e, int first, int name, int after);
value_type edits_type_of(edits *e, const expression *x);
const variable *edits_visible(const edits *e, const char *at, int length, int token);
const variable *edits_parameter(const edits *e, const function *f, int number);  // from 0 on; NULL: it has fewer
bool edits_sees(const edits *e, const variable *v, int token);                   // is it what its name means there?
bool is_operator(const edits *e, const expression *x, const char *list);  // x is a + b, "+" one of the signs in list
bool edits_alike(value_type a, value_type b);
bool edits_is_whole(value_type t);  // a whole number, no pointer
bool edits_is_real(value_type t);

// statements.c
void edits_statements(edits *e);

// functions.c
int edits_body_of_macro(const edits *e, int i);             // 0: it is no loop
const char *edits_counter_of_macro(const edits *e, int i);  // that it declares itself, or NULL
bool edits_loops_by_macro(const edits *e, int s);
bool edits_macro_names_thread(const edits *e, int s);
int edits_end_of_macro(const edits *e, int i);   // 0: it needs a semicolon
int edits_behind_pragma(const edits *e, int i);  // UNROLL for (...)
bool edits_labels_by_macro(const edits *e, int i);
// What it declares is known up to scope_end. Returns the token behind it; 0: it is no such macro.
int edits_declared_by_macro(edits *e, int i, int scope_end);
void edits_add_function(edits *e, int brace);  // of its body
void edits_parameters(edits *e, int function);
int edits_add_parameters(edits *e, int open, int from, int to);  // visible between these tokens; how many
const char *edits_least(const edits *e, int token);
int edits_lambda(const unit *u, int i);                  // [ at i begins a lambda: the { of its body, or 0
void edits_add_list(edits *e, int open, int statement);  // {a, b} or {.x = a}: a place for each
// Of a call, what it is given beside a lambda.
void edits_add_beside(edits *e, int first, int end, int statement);
void edits_add_place(edits *e, place_kind kind, int first, int end, const char *cast, int statement);

// declarations.c
bool edits_is_declaration(const edits *e, int i);
int edits_declare(edits *e, int first, int scope_end, int statement);  // returns the token behind its ;
void edits_globals(edits *e);

// find.c
int edits_next(const edits *e, int s);                        // the statement behind s in its list; -1: none
int edits_declaration_of(const edits *e, const variable *v);  // the statement; -1: none
int edits_place_of(const edits *e, int first, int end);       // the first one that holds these tokens; -1: none
bool edits_has_word(const edits *e, const char *name);
bool edits_is_called(const edits *e, const function *f);  // its name stands elsewhere, too
bool edits_in_subscript(const expression *x);
bool edits_is_value(const edits *e, int place, const expression *x);     // all that is set, returned or begun with
const expression *edits_bare(const expression *x);                       // without parentheses around it
bool edits_sets(const edits *e, const function *f, int first, int end);  // does it set what stands in these tokens?
bool edits_is_of_block(const edits *e, const variable *v);  // made of the number of a block or thread, or a part of one
bool edits_named(const edits *e, const variable *v, int first, int end);      // it, and no field that is called so
const variable *edits_unread_counter(const edits *e, const statement *loop);  // of a `for`; NULL: its body asks for it
const expression *edits_rounded_up(const edits *e,
                                   const expression *x);  // n of (n + size - 1) / size; NULL: it is none
const char *edits_text_as(edits *e, const statement *st, const char *v, const char *w);  // with w in the place of v
const char *edits_exponential(const edits *e);             // softmax/joined.c: as the file calls it; NULL: it has none
bool edits_is_maximum(const edits *e, const variable *v);  // it grows to what is larger
bool edits_says_maximum(const token *t);                   // its name does
enum { EDITS_MOST_SUBSCRIPTS = 16 };
typedef struct {
    const expression *list[EDITS_MOST_SUBSCRIPTS];
    int n;
} subscripts;
void edits_subscripts(const expression *x, subscripts *f);  // adds each a[b] of two names

// lengths.c
void edits_add_lengths(edits *e, int name, int statement);  // of a declarator: a place for each

// told.c: 1 if a reader of the old text and the lines can tell which of them change, 2 if a line has several; 0: nobody
// can. Tokens `first`, `length` of them each.
int edits_told_by_words(const edits *e, const int *first, int n, int length);
// Of two places in two lines: shows as much of each as stands there once, with the new words in it.
bool edits_tell_both(edits *e, change *c, const int first[2], int length, const char *one, const char *other);

// changes.c: what collects changes
void edits_replace(edits *e, int place, int rank, const char *kind, int first, int end, const char *pattern, ...)
    __attribute__((format(printf, 7, 8)));
void edits_replace_two(edits *e, int rank, const char *kind, const replacement *a, const replacement *b);
void edits_replace_all(edits *e, int rank, const char *kind, const expression *at, const place_text *list, int n,
                       const char *shown);
void edits_swap(edits *e, int place, int rank, const char *kind, const expression *a, const expression *b);
void edits_insert(edits *e, int statement, bool at_end, int rank, const char *kind, const char *text);
void edits_remove(edits *e, int statement, int rank, const char *kind);
void edits_move(edits *e, int statement, int before, bool at_end, int rank, const char *kind);
void edits_move_as(edits *e, int statement, int before, bool at_end, int rank, const char *kind, const char *text);
void edits_exchange(edits *e, int statement, int rank, const char *kind, const char *text);
void edits_move_behind(edits *e, int moved, int statement, int rank);  // steps.c
bool edits_ends_block(const edits *e, const statement *s);             // steps.c: is it the last one of its { }?
bool edits_joins(const edits *e, const statement *s);                  // divided.c: what threads have, with a shuffle
bool edits_top(const edits *e, int statement);                         // does it stand right in the function's body?
bool edits_listed(const char *name, const char *list);
bool edits_wanted(const edits *e, int statement);  // is it among the functions and lines that are asked for?
void edits_choose(edits *e, int limit);
bool edits_is_barrier_between(const change *c, int line, const char *lines);  // near ones, as "63,72" of a race

// again.c: the same slip in several places
void edits_change_again(edits *e);

// One token each, in several places: at least two.
void edits_replace_each(edits *e, int rank, const char *kind, const int *first, int n, const char *text);

// both.c: two likely changes of one place
void edits_change_both(edits *e);

// macro_loops.c: of a change in an argument of a macro's loop another loop is made
void edits_make_macro_loops(edits *e);

// alike.c: under other names, too; of the first n changes
void edits_change_alike(edits *e, int n);

// names.c
bool edits_is_set(const edits *e, const expression *x);  // does x, or what it points to, get a value here?

// nothing.c
void edits_begin_anew(edits *e, int loop);

// harvest.c
void edits_harvest(edits *e);
bool edits_usable(const edits *e, const ingredient *i,
                  int token);  // are all its names visible there, as what they are here?

// habits.c
bool edits_contains(const edits *e, const expression *x, const ingredient *g);  // g's tokens within x

// headers.c
void edits_headers(edits *e);

// table.c
void edits_write_table(edits *e, FILE *out);

// write.c
bool edits_write(edits *e, const char *source, const char *table);

// values.c: the file that tells what its lines compute
bool edits_write_values(edits *e, const char *path, FILE *said);

// instances.c: finds e->swaps; e->dim becomes 0 where there are none
void edits_take_instance(edits *e);

// hooks.c: the same file; what a change makes is data there
bool edits_write_hooked(edits *e, const char *path);

// private.c
void edits_write_shared(edits *e, FILE *out);

// statics.c
void edits_write_statics(edits *e, FILE *out);

// rooms.c; depends: are these tokens made of the thread's number, or of a variable of that kind?
void edits_write_rooms(edits *e, bool carried, FILE *out);
bool edits_names_thread(const edits *e, int first, int end);
void edits_write_slots(edits *e, FILE *out);
const variable *edits_handed_as(const edits *e, int first, int end, const function **of);  // ranking/larger.c
typedef bool edits_kind_of(const edits *e, const variable *v);
bool edits_depends(const edits *e, int first, int end, edits_kind_of *on);

// idle.c
void edits_write_idle(edits *e, FILE *out);

// never_set.c, same.c
void edits_write_never_set(edits *e, FILE *out);
void edits_write_same(edits *e, FILE *out);
void edits_write_unused(edits *e, FILE *out);
int edits_computed_for_nobody(const edits *e, const variable *v);  // unread: the last token that changes it, or -1
bool edits_in_directive(const edits *e, const char *name, bool pragmas);  // a macro's text, or a pragma's, has it
bool edits_in_macro(const edits *e, int i);  // FOR(i, n): what a macro does with it nobody knows

// pragmas.c; says: has a directive this word?
bool edits_says(const edits *e, const directive *d, const char *word);
bool edits_write_pragma(edits *e, int number, const char *path, FILE *said);

// reach.c
int edits_reach(edits *e, edits *answer);

#include "ranking/ranking.h"

#endif
