// kinds.c: all kinds of changes, one after another: those of each place, then those of statements and of the whole file.
#include "edits.h"

// Of this expression and all within it.
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
    edits_change_cut_pitches(e, place, x);
    edits_change_shuffled_rows(e, place, x);
    edits_change_states(e, place, x);
    edits_change_shares(e, place, x);
    edits_change_numbers(e, place, x);
    if (!e->cuda) {  // not tried with kernels yet, whose lists are shorter
        edits_change_folds(e, place, x);
        edits_change_rescaled(e, place, x);
        edits_change_cleared(e, place, x);
        edits_change_wraps(e, place, x);
        edits_change_grown(e, place, x);
        edits_change_confine(e, place, x);
        edits_change_divisors(e, place, x);
        edits_change_element_size(e, place, x);
        edits_change_lasts(e, place, x);
        edits_change_still(e, place, x);
        edits_change_own_end(e, place, x);
        edits_change_named_calls(e, place, x);
    }
    if (e->cuda) {
        edits_change_vectors(e, place, x);
        edits_change_launches(e, place, x);
        edits_change_tiles_of_grid(e, place, x);
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
        edits_change_twice_placed(e, place, x);
        edits_change_unasked(e, place, x);
        edits_change_turned(e, place, x);
        edits_change_columnwise(e, place, x);
        edits_change_overwritten(e, place, x);
        edits_change_untaken(e, place, x);
        edits_change_sister_calls(e, place, x);
        edits_change_asked_place(e, place, x);
        edits_change_ragged(e, place, x);
        edits_change_limited(e, place, x);
        edits_change_components(e, place, x);
        edits_change_letter_terms(e, place, x);
        edits_change_share_of_all(e, place, x);
        edits_change_of_batch(e, place, x);
        edits_change_reducers(e, place, x);
        edits_change_tree_root(e, place, x);
        edits_change_idle_lanes(e, place, x);
    }
    edits_change_bytes(e, place, x);
    edits_change_quotients(e, place, x);
    edits_change_undivided(e, place, x);
    edits_change_clamped(e, place, x);
    edits_change_asked(e, place, x);
    edits_change_elsewhere(e, place, x);
    edits_change_unread(e, place, x);
    edits_change_remembered(e, place, x);
    edits_change_consumed(e, place, x);
    edits_change_masked(e, place, x);
    edits_change_run_through(e, place, x);
    edits_change_behind_part(e, place, x);
    edits_change_like_parameter(e, place, x);
    edits_change_whole_tile(e, place, x);
    edits_change_same_row(e, place, x);
    edits_change_rounds_up(e, place, x);
    edits_change_tops(e, place, x);
    edits_change_bounds(e, place, x);
    edits_change_begun(e, place, x);
    edits_change_grouped(e, place, x);
    edits_change_one_sided(e, place, x);
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
    edits_change_skipped_tile(e, place, x);
    edits_change_by_counter(e, place, x);
    edits_change_share_of_end(e, place, x);
    edits_change_ragged_places(e, place, x);
    edits_change_weighed(e, place, x);
    edits_change_share_of_limit(e, place, x);
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
    edits_change_outside(e, place, x);
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

void edits_make_changes(edits *e) {
    for (int p = 0; p < e->n_places; p++)
        if (edits_wanted(e, e->places[p].statement)) {
            walk(e, p, e->places[p].tree), edits_change_layout(e, p);
            edits_change_indexed(e, p), edits_change_constant_begin(e, p);
            edits_change_offset(e, p), edits_change_extents(e, p);
            if (e->cuda) edits_change_templates(e, p);
        }
    edits_change_statements(e);
    edits_change_missing(e);
    edits_change_loops(e);
    edits_change_nests(e);
    edits_change_ends(e);
    edits_change_macros(e), edits_change_forgotten(e);
    edits_change_kept(e);
    edits_change_pairs(e);
    edits_change_orders(e);
    edits_change_twins(e);
    edits_change_siblings(e);
    edits_change_together(e);
    edits_change_copied(e);
    edits_change_third(e);
    edits_change_anew(e);
    edits_change_unset(e);
    edits_change_twice(e);
    edits_change_recomputed(e);
    edits_change_uncapped(e);
    edits_change_negative(e);
    edits_change_sisters(e);
    edits_change_filled(e);
    edits_change_untouched(e), edits_change_uncalled(e);
    edits_change_advance(e);
    edits_change_cut(e);
    edits_change_early(e);
    edits_change_within(e);
    edits_change_lacking(e);
    edits_change_row_lengths(e);
    edits_change_outer_rests(e), edits_change_step_sizes(e);
    edits_change_stored(e);
    edits_change_scaled_late(e);
    edits_change_never_added(e), edits_change_skipped(e), edits_change_otherwise(e), edits_change_fields_set(e);
    if (!e->cuda) {
        edits_change_renamed(e), edits_change_lengths(e);
        edits_change_confined(e), edits_change_sequence(e), edits_change_runs(e);
        edits_change_follows(e), edits_change_final(e);
        edits_change_restart(e);
    }
    if (e->cuda) {
        edits_change_stale(e), edits_change_lanes(e), edits_change_loads(e);
        edits_change_divided(e), edits_change_queued(e);
        edits_change_gathered(e), edits_change_seats(e);
        edits_change_letters(e), edits_change_first_seat(e);
        edits_change_turns(e), edits_change_awaited(e);
        edits_change_full(e), edits_change_one_each(e);
        edits_change_flagged(e);
        edits_change_begins(e);
    }
}
