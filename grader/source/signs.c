// signs.c: all that a file's text alone may show, in the order in which it is asked.
#include "source_hints.h"

#include "source_lasting.h"

lab_sign *const lab_signs[] = {
    lab_hint_of_lanes,         lab_hint_of_overwriting, lab_hint_of_unset,      lab_hint_of_braces,
    lab_hint_of_returns,       lab_hint_of_freeing,     lab_hint_of_fields,     lab_hint_of_types,
    lab_hint_of_unsigned,      lab_hint_of_shadow,      lab_hint_of_idle,       lab_hint_of_reading,
    lab_hint_of_steps,         lab_hint_of_grid,        lab_hint_of_rounds,     lab_hint_of_infinity,
    lab_hint_of_own_array,     lab_hint_of_whole,       lab_hint_of_owners,     lab_hint_of_carving,
    lab_hint_of_overlaying,    lab_hint_of_nesting,     lab_hint_of_keeping,    lab_hint_of_one_thread,
    lab_hint_of_pieces,        lab_hint_of_fours,       lab_hint_of_rest,       lab_hint_of_running,
    lab_hint_of_anew,          lab_hint_of_losing,      lab_hint_of_zeroing,    lab_hint_of_endless,
    lab_hint_of_barriers,      lab_hint_of_strides,     lab_hint_of_unscaled,   lab_hint_of_averaging,
    lab_hint_of_same_place,    lab_hint_of_shuffles,    lab_hint_of_dividing,   lab_hint_of_handing,
    lab_hint_of_buffers,       lab_hint_of_crews,       lab_hint_of_every,      lab_hint_of_portions,
    lab_hint_of_rescaling,     lab_hint_of_cutting,     lab_hint_of_dealing,    lab_hint_of_fetching,
    lab_hint_of_counting,      lab_hint_of_few_dims,    lab_hint_of_uneven,     lab_hint_of_halving,
    lab_hint_of_storing_early, lab_hint_of_late,        lab_hint_of_components, lab_hint_of_joining,
    lab_hint_of_pairs,         lab_hint_of_neighbour,   lab_hint_of_cleared,    NULL};
