// kinds.h: the kinds of changes, a file for one or a few that are alike. With a place: of the expression x in it.
#ifndef LAB_KINDS_H
#define LAB_KINDS_H

#include "syntax.h"

void edits_change_terms(edits *e, int place, expression *x);
void edits_change_calls(edits *e, int place, expression *x);
void edits_change_conditions(edits *e, int place, expression *x);
void edits_change_usual(edits *e, int place, expression *x);
void edits_change_rounds(edits *e, int place, expression *x);
void edits_change_reads(edits *e, int place, expression *x);
void edits_change_mixed(edits *e, int place, expression *x);
void edits_change_layout(edits *e, int place);
void edits_change_indexed(edits *e, int place);
void edits_change_clamped(edits *e, int place, expression *x);
void edits_change_undivided(edits *e, int place, expression *x);
void edits_change_pitches(edits *e, int place, expression *x);
void edits_change_habits(edits *e, int place, expression *x);
void edits_change_states(edits *e, int place, expression *x);
void edits_change_bytes(edits *e, int place, expression *x);
void edits_change_quotients(edits *e, int place, expression *x);
void edits_change_elsewhere(edits *e, int place, expression *x);
void edits_change_unread(edits *e, int place, expression *x);
void edits_change_bounds(edits *e, int place, expression *x);
void edits_change_nothing(edits *e, int place, expression *x);
void edits_change_begun(edits *e, int place, expression *x);
void edits_change_products(edits *e, int place, expression *x);
void edits_change_axes(edits *e, int place, expression *x);
void edits_change_walks(edits *e, int place, expression *x);
void edits_change_grouped(edits *e, int place, expression *x);
void edits_change_firsts(edits *e, int place, expression *x);
void edits_change_numbers(edits *e, int place, expression *x);
void edits_change_wraps(edits *e, int place, expression *x);
void edits_change_grown(edits *e, int place, expression *x);
void edits_change_counted(edits *e, int place, expression *x);
void edits_change_inlined(edits *e, int place, expression *x);
void edits_change_placed(edits *e, int place, expression *x);
void edits_change_fields(edits *e, int place, expression *x);
void edits_change_empty(edits *e, int place, expression *x);
void edits_change_parts(edits *e, int place, expression *x);
void edits_change_caps(edits *e, int place, expression *x);
void edits_change_uncapped(edits *e);
void edits_change_results(edits *e, int place, const expression *x);
void edits_change_halved(edits *e, int place, const expression *x);
void edits_change_templates(edits *e, int place);
void edits_change_sisters(edits *e);
void edits_change_filled(edits *e);
void edits_change_advance(edits *e);
void edits_change_cut(edits *e);

void edits_change_operators(edits *e, int place, expression *x);
void edits_change_constants(edits *e, int place, expression *x);
void edits_change_names(edits *e, int place, expression *x);
void edits_change_statements(edits *e);
void edits_change_order(edits *e, int s);
void edits_change_missing(edits *e);
void edits_change_loops(edits *e);
void edits_change_nests(edits *e);
void edits_change_ends(edits *e);
void edits_change_macros(edits *e);
void edits_change_forgotten(edits *e);
void edits_change_echoes(edits *e);
void edits_change_kept(edits *e);
void edits_change_pairs(edits *e);
void edits_change_orders(edits *e);
void edits_change_twins(edits *e);
void edits_change_siblings(edits *e);
void edits_change_together(edits *e);
void edits_change_copied(edits *e);
void edits_change_third(edits *e);
void edits_change_queued(edits *e);
void edits_change_anew(edits *e);
void edits_change_unset(edits *e);
void edits_change_twice(edits *e);
void edits_change_renamed(edits *e);
void edits_change_lengths(edits *e);
void edits_change_folds(edits *e, int place, expression *x);
void edits_change_rescaled(edits *e, int place, expression *x);
void edits_change_made(edits *e, int place, expression *x);
void edits_change_cleared(edits *e, int place, expression *x);
void edits_change_stale(edits *e);
void edits_change_lanes(edits *e);
void edits_change_loads(edits *e);
void edits_change_shares(edits *e, int place, expression *x);
void edits_change_vectors(edits *e, int place, expression *x);
void edits_change_launches(edits *e, int place, expression *x);
void edits_change_joined(edits *e, int place, expression *x);
void edits_change_room(edits *e, int place, expression *x);
void edits_change_reduced(edits *e, int place, expression *x);
void edits_change_flat(edits *e, int place, expression *x);
void edits_change_buffers(edits *e, int place, expression *x);
void edits_change_beyond(edits *e, int place, expression *x);
void edits_change_carved(edits *e, int place, expression *x);
void edits_change_digits(edits *e, int place, expression *x);
void edits_change_divided(edits *e);

#endif
