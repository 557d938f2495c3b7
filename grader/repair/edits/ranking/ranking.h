// ranking.h: which changes are tried, and which first. Part of edits.h, which has the types.
#ifndef LAB_EDITS_RANKING_H
#define LAB_EDITS_RANKING_H

// excuses.c, half_maximum.c: take out what mends for another reason
void edits_drop_excuses(edits *e);
void edits_drop_half_maxima(edits *e);

// behind.c, pieces.c: what hides a mistake
void edits_drop_hidden_stores(edits *e);
bool edits_is_disguise(edits *e, const change *c);
bool edits_is_oftener(const edits *e, const change *c);  // oftener.c: the same work again, a size to begin with
bool edits_is_zero(edits *e, const change *c);           // zero.c: a number that is 0 in every thread
bool edits_is_undone_elsewhere(const edits *e, const change *c);  // undone.c: it takes back another mistake
bool edits_is_nonsense(const edits *e, const change *c);          // nonsense.c: nobody means it
bool edits_keeps_last(const edits *e, const change *c);           // last_round.c: of a sum the last term
bool edits_runs_past(const edits *e, const change *c);            // narrower.c: a loop that does an empty tile, too
bool edits_is_vacuous(edits *e, const change *c);                 // vacuous.c: it compares something with itself

// target.c
bool edits_sets_given(const edits *e, const change *c);  // a number that is handed over, in place of another one

// lost.c
bool edits_is_lost(edits *e, int statement, bool at_end, const char *text);  // what it stores, or a neighbour has

// scope.c: does it read only what is visible there, and call with as many arguments as are taken?
bool edits_fits(edits *e, const change *c);

// suits.c: may the name at `at` in the text be used as it is?
bool edits_suits(const edits *e, const variable *v, const char *text, const char *at, size_t n);
bool edits_suits_all(const edits *e, const char *text, const char *old);

// widths.c: has each min() two of one width?
bool edits_widths_agree(const edits *e, const char *text, int token);

// turns.c
void edits_take_turns(edits *e, int n);

// likely.c
void edits_likely(edits *e);
bool edits_leaves_idle(const edits *e, const change *c);
bool edits_is_no_start(const edits *e, const change *c);
bool edits_is_unread(const edits *e, const variable *v);
bool edits_is_rescale(const edits *e, const variable *v);  // exp(old - new)

// written.c: is it written like that elsewhere?
typedef struct edits_words edits_words;
edits_words *edits_words_of(edits *e);  // the file's text, by what each three characters begin
bool edits_written(const edits *e, const edits_words *x, const change *c, int left,
                   int right);  // with tokens around it

// called.c: names, with commas between, of functions whose claims fail, and of those whose claims hold
void edits_called(edits *e, const char *wrong, const char *right);
void edits_at_lines(edits *e, const char *lines);  // "49,62"; NULL: nothing is known of them

// shared.c
bool edits_answers(const edits *e, const function *f);  // yes or no
int edits_statement_of(const edits *e, const change *c);
bool edits_shared(const edits *e, const change *c);  // does it alter a size or a helper of many parts?
bool edits_takes_other_tile(const edits *e, const change *c);

// lost.c: all that a loop in groups does is done by the loop for its rest, which comes before it
bool edits_takes_all(const edits *e, const change *c);
bool edits_has_rest(const edits *e, int s);  // of a loop: the one behind it does what is left of its work

// larger.c
bool edits_hands_tile(const edits *e, const change *c);  // in what a function takes as the size of its tiles
bool edits_is_larger_tile(edits *e, const change *c);    // it hands over a larger one

// near.c
int edits_nearness(edits *e, const variable *v, int token);  // 0: far away; up to 10
bool edits_related(const char *a, const char *b);

#endif
