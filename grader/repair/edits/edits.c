// edits.c: a student's file with all small changes of it that could be the right text, each behind a switch.
//
//     edits SOURCE OUT_SOURCE OUT_TABLE [--only FIRST-LAST] [--functions a,b]
//           [--limit N] [--wrong a,b] [--right c,d] [--at 49,62]
//
//     edits SOURCE --reaches ANSWER [...]     for tests: `12 of 300`: the twelfth change makes the file the answer; 0:
//                                             none does
//
//     edits SOURCE --shared .     what threads of a parallel region share and set: name, line, and own, sum or
//                                 result, with tabs between. memory: what they work in
//
//     edits SOURCE --carried .     memory in which the rounds of a parallel loop go on from each other: name, line; the
//                                  lines where it is filled before, of the loop, where it is read behind, and of the
//                                  loop around it
//
//     edits SOURCE --idle .       what does nothing: function or result, name, line, with tabs between
//
//     edits SOURCE --values OUT_SOURCE     the file that tells what its lines compute; of each: id, line, function,
//                                          variable (values.c)
//
//     edits SOURCE --pragma OUT_SOURCE --number N     the file with another loop shared out by OpenMP (pragmas.c)
//
//     OUT_SOURCE   the file, where lab_set_edit(ID) chooses a change and lab_set_edit(0) none. What the compiler says
//                  of a change it says of a file named edit-ID: with -DDROP_ID that one is not there
//     OUT_TABLE    a line a change, the likeliest first: id, rank, line, column, function, kind, old and new text, the
//                  whole expression or statement as it is, and as it would be
//     --wrong      functions whose claims fail: only in what all of them call are changes made; --right: they hold
//     --at         lines in which it can be: changes there come first; --lines: there are no others
//     --hooks FILE the file whose changes are data; --code: functions of which none is; --dim: of the sizes of a head
//                  for which a template stands there that one alone (the table's head says whether it does)
#include "edits.h"

#include <stdlib.h>
#include <string.h>

static int usage(void) {
    fprintf(stderr, "usage: edits SOURCE OUT_SOURCE OUT_TABLE [--only FIRST-LAST] [--functions a,b] "
                    "[--limit N] [--wrong a,b] [--right c,d] [--at 49,62] [--statuses yes]\n");
    return 2;
}

static void walk(edits *e, int place, expression *x) {
    if (!x) return;
    edits_change_operators(e, place, x);
    edits_change_constants(e, place, x);
    edits_change_names(e, place, x);
    edits_change_calls(e, place, x);
    edits_change_conditions(e, place, x);
    edits_change_terms(e, place, x);
    edits_change_reads(e, place, x);
    edits_change_usual(e, place, x);
    edits_change_rounds(e, place, x);
    edits_change_mixed(e, place, x);
    edits_change_habits(e, place, x);
    edits_change_pitches(e, place, x);
    edits_change_twin_pitches(e, place, x);
    edits_change_shuffled_rows(e, place, x);
    edits_change_states(e, place, x);
    edits_change_shares(e, place, x);
    if (!e->cuda) {  // not tried with kernels yet, whose lists are shorter
        edits_change_folds(e, place, x);
        edits_change_rescaled(e, place, x);
        edits_change_cleared(e, place, x);
        edits_change_numbers(e, place, x);
        edits_change_wraps(e, place, x);
        edits_change_grown(e, place, x);
        edits_change_confine(e, place, x);
        edits_change_divisors(e, place, x);
        edits_change_element_size(e, place, x);
        edits_change_lasts(e, place, x);
        edits_change_still(e, place, x);
        edits_change_own_end(e, place, x);
    }
    if (e->cuda) {
        edits_change_vectors(e, place, x);
        edits_change_launches(e, place, x);
        edits_change_joined(e, place, x);
        edits_change_reduced(e, place, x);
        edits_change_room(e, place, x);
        edits_change_axes(e, place, x);
        edits_change_products(e, place, x);
        edits_change_flat(e, place, x);
        edits_change_buffers(e, place, x);
        edits_change_beyond(e, place, x);
        edits_change_carved(e, place, x);
        edits_change_digits(e, place, x);
        edits_change_apart(e, place, x);
        edits_change_grids(e, place, x);
        edits_change_unasked(e, place, x);
        edits_change_turned(e, place, x);
        edits_change_columnwise(e, place, x);
        edits_change_overwritten(e, place, x);
        edits_change_untaken(e, place, x);
        edits_change_sister_calls(e, place, x);
        edits_change_asked_place(e, place, x);
        edits_change_ragged(e, place, x);
        edits_change_reducers(e, place, x);
    }
    edits_change_bytes(e, place, x);
    edits_change_quotients(e, place, x);
    edits_change_undivided(e, place, x);
    edits_change_clamped(e, place, x);
    edits_change_asked(e, place, x);
    edits_change_elsewhere(e, place, x);
    edits_change_unread(e, place, x);
    edits_change_consumed(e, place, x);
    edits_change_bounds(e, place, x);
    edits_change_begun(e, place, x);
    edits_change_grouped(e, place, x);
    edits_change_firsts(e, place, x);
    edits_change_counted(e, place, x);
    edits_change_inlined(e, place, x);
    edits_change_guarded(e, place, x);
    edits_change_placed(e, place, x);
    edits_change_fields(e, place, x);
    edits_change_doubled(e, place, x);
    edits_change_empty(e, place, x);
    edits_change_parts(e, place, x);
    edits_change_results(e, place, x);
    edits_change_halved(e, place, x);
    edits_change_narrower(e, place, x);
    edits_change_longest(e, place, x);
    edits_change_rounded(e, place, x);
    edits_change_hoisted(e, place, x);
    edits_change_by_counter(e, place, x);
    edits_change_share_of_end(e, place, x);
    edits_change_nobody(e, place, x);
    edits_change_caps(e, place, x);
    edits_change_pieces(e, place, x);
    edits_change_remaining(e, place, x);
    edits_change_tensors(e, place, x);
    edits_change_unmultiplied(e, place, x);
    edits_change_origin(e, place, x);
    edits_change_total(e, place, x);
    edits_change_sizes(e, place, x);
    edits_change_visible(e, place, x);
    edits_change_crossed(e, place, x);
    edits_change_uncounted(e, place, x);
    edits_change_wholes(e, place, x);
    edits_change_columns(e, place, x);
    edits_change_shuffled(e, place, x);
    edits_change_made(e, place, x);
    edits_change_same_offset(e, place, x);
    edits_change_wide(e, place, x);
    edits_change_rows(e, place, x);
    edits_change_in_place(e, place, x);
    edits_change_zeroed(e, place, x);
    edits_change_running(e, place, x);
    edits_change_once(e, place, x), edits_change_begun_once(e, place, x);
    edits_change_lowest(e, place, x), edits_change_without_key(e, place, x);
    edits_change_strided(e, place, x);
    edits_change_resumed(e, place, x);
    edits_change_same(e, place, x);
    edits_change_summed(e, place, x);
    if (!e->cuda) edits_change_nothing(e, place, x), edits_change_walks(e, place, x);
    if (e->cuda) edits_change_begin(e, place, x);
    walk(e, place, x->a), walk(e, place, x->b);
    for (expression *c = x->c; c; c = c->next) walk(e, place, c);
    for (expression *c = x->arguments; c; c = c->next) walk(e, place, c);
}

// Where among the likeliest is the change that makes `path` the answer? For tests.
static int reach(edits *e, const char *answer_path) {
    static edits answer;
    answer.u.report = stderr;
    if (!edits_read(&answer, answer_path)) return 1;
    const int at = edits_reach(e, &answer);
    printf("%d of %d\n", at, e->n_changes);
    free_memory(&answer.u);
    return 0;
}

int main(int argc, char **argv) {
    const char *wrong = NULL, *right = NULL, *at = NULL, *hooks = NULL;
    int limit = 1500, number = 0;
    static edits e;
    if (argc < 4) return usage();
    e.last_line = EDITS_LAST_LINE;
    for (int i = 4; i < argc; i += 2) {
        if (i + 1 == argc) return usage();
        if (!strcmp(argv[i], "--functions"))
            e.wanted = argv[i + 1];
        else if (!strcmp(argv[i], "--wrong"))
            wrong = argv[i + 1];
        else if (!strcmp(argv[i], "--right"))
            right = argv[i + 1];
        else if (!strcmp(argv[i], "--at"))
            at = argv[i + 1];
        else if (!strcmp(argv[i], "--limit"))
            limit = atoi(argv[i + 1]);
        else if (!strcmp(argv[i], "--number"))
            number = atoi(argv[i + 1]);
        else if (!strcmp(argv[i], "--hooks"))
            hooks = argv[i + 1];
        else if (!strcmp(argv[i], "--dim"))
            e.dim = atoi(argv[i + 1]);
        else if (!strcmp(argv[i], "--statuses"))
            e.statuses = !strcmp(argv[i + 1], "yes");
        else if (!strcmp(argv[i], "--code"))
            e.code = argv[i + 1];
        else if (!strcmp(argv[i], "--lines"))
            e.lines = argv[i + 1];
        else if (strcmp(argv[i], "--only") || sscanf(argv[i + 1], "%d-%d", &e.first_line, &e.last_line) != 2)
            return usage();
    }
    e.u.report = stderr;
    if (!edits_read(&e, argv[1])) {
        perror(argv[1]);
        return 1;
    }
    edits_headers(&e);
    edits_statements(&e);
    if (!strcmp(argv[2], "--shared")) {
        edits_write_statics(&e, stdout);
        edits_write_shared(&e, stdout);
        edits_write_rooms(&e, false, stdout);
        return 0;
    }
    if (!strcmp(argv[2], "--carried")) {
        edits_write_rooms(&e, true, stdout);
        return 0;
    }
    if (!strcmp(argv[2], "--values")) return !edits_write_values(&e, argv[3], stdout);
    if (!strcmp(argv[2], "--pragma")) return !edits_write_pragma(&e, number, argv[3], stdout);
    if (!strcmp(argv[2], "--idle")) {
        edits_write_idle(&e, stdout);
        return 0;
    }
    edits_harvest(&e);
    for (int p = 0; p < e.n_places; p++)
        if (edits_wanted(&e, e.places[p].statement)) {
            walk(&e, p, e.places[p].tree), edits_change_layout(&e, p);
            edits_change_indexed(&e, p);
            edits_change_offset(&e, p), edits_change_extents(&e, p);
            if (e.cuda) edits_change_templates(&e, p);
        }
    edits_change_statements(&e);
    edits_change_missing(&e);
    edits_change_loops(&e);
    edits_change_nests(&e);
    edits_change_ends(&e);
    edits_change_macros(&e), edits_change_forgotten(&e);
    edits_change_kept(&e);
    edits_change_pairs(&e);
    edits_change_orders(&e);
    edits_change_twins(&e);
    edits_change_siblings(&e);
    edits_change_together(&e);
    edits_change_copied(&e);
    edits_change_third(&e);
    edits_change_anew(&e);
    edits_change_unset(&e);
    edits_change_twice(&e);
    edits_change_uncapped(&e);
    edits_change_negative(&e);
    edits_change_sisters(&e);
    edits_change_filled(&e);
    edits_change_advance(&e);
    edits_change_cut(&e);
    edits_change_early(&e);
    edits_change_within(&e);
    edits_change_lacking(&e);
    edits_change_stored(&e);
    edits_change_scaled_late(&e);
    edits_change_never_added(&e), edits_change_skipped(&e), edits_change_otherwise(&e), edits_change_fields_set(&e);
    if (!e.cuda) {
        edits_change_renamed(&e), edits_change_lengths(&e);
        edits_change_confined(&e), edits_change_sequence(&e), edits_change_runs(&e);
        edits_change_follows(&e), edits_change_final(&e);
        edits_change_restart(&e);
    }
    if (e.cuda) {
        edits_change_stale(&e), edits_change_lanes(&e), edits_change_loads(&e);
        edits_change_divided(&e), edits_change_queued(&e);
        edits_change_gathered(&e), edits_change_seats(&e);
        edits_change_letters(&e), edits_change_first_seat(&e);
        edits_change_turns(&e), edits_change_awaited(&e);
        edits_change_full(&e), edits_change_one_each(&e);
        edits_change_flagged(&e);
        edits_change_begins(&e);
    }
    edits_likely(&e);
    edits_change_echoes(&e);
    edits_called(&e, wrong, right);
    edits_at_lines(&e, at);
    edits_drop_excuses(&e);
    edits_change_again(&e);
    edits_change_both(&e);
    edits_make_macro_loops(&e);
    edits_choose(&e, limit);
    if (!strcmp(argv[2], "--reaches")) return reach(&e, argv[3]);
    if (hooks) edits_take_instance(&e);
    if (hooks && !edits_write_hooked(&e, hooks)) {
        perror(hooks);
        return 1;
    }
    if (!edits_write(&e, argv[2], argv[3])) {
        perror(argv[2]);
        return 1;
    }
    free_memory(&e.u);
    return 0;
}
