// online_words.c: the mistakes of online_steps.h in words.
#include "online_steps.h"
#include "rules_out.h"
#include "wrong_rows.h"

#include <string.h>

#define ONCE ": it is meant once per tile, before the first key is added"
#define OWN_SUM "matches each tile's P V divided by the tile's own sum"
#define OWN_SOFTMAX "matches a whole softmax of each tile, whose weights sum to 1, "
#define BY_COLUMN                                                                                                      \
    "matches a mask that takes a key's place in its tile for the number of the key: key j0 + c, where j0 is the "      \
    "tile's own"
#define BY_COLUMN_UNSHIFTED                                                                                            \
    "matches a mask that takes a key's place in its tile for the number of the key, and leaves seq_kv - seq_q out: "   \
    "query i sees key j0 + c if j0 + c <= i + (seq_kv - seq_q)"
#define BY_PLACES(with)                                                                                                \
    "matches a mask that compares places within the tiles, key c with " with                                           \
    ": query i0 + r sees key j0 + c if j0 + c <= i0 + r + (seq_kv - seq_q)"
#define NEITHER "matches O and l that are not rescaled by exp(m_old - m_new) when the row maximum grows"
#define GROUPS(n) "matches a row, or tiles, whose keys " LAB_BEHIND_GROUPS " of " #n
#define LEFT " are left out: they count, too"
#define ALONE ", and l has them while O has not"
#define FROM_BEGIN " are taken from the tile's begin again for O: they go on where the groups end"
#define BY_NUMBER(what)                                                                                                \
    "matches tiles that begin with key t, the tile's number, for " what ": tile t begins with key t * Bc"
#define FACTOR(is) "matches a factor of l and O that is " is ": it is exp(m_old - m_new)"
#define EACH ": it is l exp(m_old - m_new) + l_tile exp(m_tile - m_new), each by the factor of its own maximum"
#define BY_OLD(of) "matches " of " of a tile joined by the factor of those before, exp(m_old - m_new) for both" EACH
#define BY_TILE(of)                                                                                                    \
    "matches " of " of the tiles before joined by the factor of the tile, exp(m_tile - m_new) for both" EACH
#define CROSSWISE(of) "matches " of " joined crosswise, each by the factor of the other one's maximum" EACH
#define OLD ": the factor belongs to what was there before"
#define O_LATE LAB_O_RESCALED_LATE ": first rescale, then add"
#define L_LATE "matches l that is rescaled after this tile's sum is added: first rescale, then add"
#define BOTH_LATE                                                                                                      \
    "matches O and l that are rescaled after this tile's are added, or by how the maximum grew in the tile before: "   \
    "rescale what was there by exp(m_old - m_new) of this tile, then add"
#define L_OF_TILE "matches this tile's sum rescaled by exp(m_old - m_new)" OLD
#define BOTH_OF_TILE "matches this tile's sum and P V rescaled by exp(m_old - m_new)" OLD
#define BY_BEFORE(of, other)                                                                                           \
    "matches " of " that is rescaled one tile late, by the factor of the tile before, while " other                    \
    " is by its own: the factor belongs to the tile that it is computed for, before its sums are added"
#define BUT_FIRST " (in all tiles but the first)"

#define IN_FIRST(keys)                                                                                                 \
    "matches O and l that are not rescaled when the row maximum grows within the first " keys                          \
    " keys: it may grow there, too, from one step to the next"
#define L_KEPT "matches l that is not rescaled by exp(m_old - m_new) when the row maximum grows, while O is"

const char lab_tiles_seen_whole[] = "matches a mask that leaves whole tiles of keys out, and hides nothing within a "
                                    "tile: query i0 + r sees key j0 + c if "
                                    "j0 + c <= i0 + r + (seq_kv - seq_q)";

const char *const lab_missed_step[N_STEPS] = {
    [O_NOT_RESCALED] = "matches O that is not rescaled by exp(m_old - m_new) when the row maximum grows, while l is",
    [L_NOT_RESCALED] = L_KEPT,
    [NEITHER_RESCALED] = NEITHER,
    [NEITHER_L_ADDED] = NEITHER,
    [L_ADDED] = L_KEPT,
    [NEITHER_IN_FIRST_16] = IN_FIRST("16"),
    [NEITHER_IN_FIRST_32] = IN_FIRST("32"),
    [NEITHER_IN_FIRST_64] = IN_FIRST("64"),
    [NEITHER_OF_HIDDEN] = NEITHER,
    [BOTH_RESCALED_LATE] = BOTH_LATE,
    [O_RESCALED_LATE] = O_LATE,
    [L_RESCALED_LATE] = L_LATE,
    [O_LATE_BUT_FIRST] = O_LATE BUT_FIRST,
    [L_LATE_BUT_FIRST] = L_LATE BUT_FIRST,
    [BOTH_LATE_BUT_FIRST] = BOTH_LATE BUT_FIRST,
    [O_RESCALED_TWICE] = "matches O that is rescaled twice by exp(m_old - m_new)",
    [L_OF_LAST_TILE] = "matches l of the last tile alone: each tile's sum is added to the rescaled l",
    [O_OF_LAST_TILE] = "matches O of the last tile alone, over the l of all: P V is added to the rescaled O",
    [O_DIVIDED_EACH_TILE] = "matches O that is divided by l after every tile: divide once, after the last",
    [MEAN_OF_TILES] = LAB_PLAIN_MEAN ": a part counts with its weight l exp(m - M)",
    [EXP_OF_TILE_MAX] = "matches exp(s - the tile's own max) under an l and O that are relative to the row max so far",
    [TILE_MAX_KEPT] =
        "matches the tile's own max kept as m for the next tile, while l and O are relative to the max of all tiles so "
        "far: keep m_new",
    [K_OF_FIRST_TILE] = "matches the keys of the first tile read for every tile: K of the tile begins at row j0",
    [V_OF_FIRST_TILE] = "matches the values of the first tile read for every tile: V of the tile begins at row j0",
    [KV_OF_FIRST_TILE] = "matches K and V of the first tile read for every tile: the tile begins at row j0",
    [MASK_BY_COLUMN] = BY_COLUMN,
    [MASK_BY_COLUMN_TO_END] = BY_COLUMN,
    [MASK_BY_COLUMN_UNSHIFTED] = BY_COLUMN_UNSHIFTED,
    [MASK_BY_COLUMN_UNSHIFTED_TO_END] = BY_COLUMN_UNSHIFTED,
    [ONE_PART] = "matches the keys of the first part alone: the parts of the others are not added",
    [M_L_SWAPPED] =
        "matches parts whose m and l are swapped where they are joined: the place of one is read as the other",
    [OWN_MAX] = "matches parts that are added without exp(m - M): each part's O and l are relative to its own maximum",
    [L_RESCALED_TWICE] = "matches l that is rescaled twice by exp(m_old - m_new)",
    [BOTH_RESCALED_TWICE] = "matches O and l that are rescaled twice by exp(m_old - m_new)",
    [O_AT_EACH_KEY] = "matches O that is rescaled by exp(m_old - m_new) at every key of a tile" ONCE,
    [L_AT_EACH_KEY] = "matches l that is rescaled by exp(m_old - m_new) at every key of a tile" ONCE,
    [BOTH_AT_EACH_KEY] = "matches O and l that are rescaled by exp(m_old - m_new) at every key of a tile" ONCE,
    [O_AT_EACH_4] = "matches O that is rescaled by exp(m_old - m_new) at every 4 keys of a tile" ONCE,
    [O_AT_EACH_8] = "matches O that is rescaled by exp(m_old - m_new) at every 8 keys of a tile" ONCE,
    [O_AT_EACH_16] = "matches O that is rescaled by exp(m_old - m_new) at every 16 keys of a tile" ONCE,
    [O_OF_TILE_RESCALED] = LAB_O_OF_TILE_RESCALED OLD,
    [L_OF_TILE_RESCALED] = L_OF_TILE,
    [TILE_RESCALED] = BOTH_OF_TILE,
    [O_OF_TILE_BUT_FIRST] = LAB_O_OF_TILE_RESCALED OLD BUT_FIRST,
    [L_OF_TILE_BUT_FIRST] = L_OF_TILE BUT_FIRST,
    [TILE_BUT_FIRST] = BOTH_OF_TILE BUT_FIRST,
    [FACTOR_OF_TILE_MAX] =
        "matches a factor exp(m_old - the tile's own max) for l and O: it is exp(m_old - m_new), and 1 where the "
        "maximum does not grow",
    [DIVIDED_SO_FAR] = "matches each tile's P V divided by the l so far: add it as it is, and divide O once, after the "
                       "last tile",
    [LEFT_UNLESS_GROWN] =
        "matches tiles that count only where they raise the row maximum: l and O grow with every tile",
    [BEGUN_ANEW] = "matches l and O that begin anew where the row maximum grows: what was there is multiplied by "
                   "exp(m_old - m_new)",
    [MAX_SO_FAR] =
        "matches exponentials of a tile taken with the largest score up to their own key: its maximum comes first, or "
        "what was summed is rescaled whenever it grows",
    [RAISED_WITHIN] =
        "matches a maximum that grows from key to key of a tile, while l and O are rescaled for its first "
        "key alone: find the tile's maximum first",
    [DIVIDED_BY_OWN] = OWN_SUM ": add it as it is, and divide O once by the l of all tiles",
    [DIVIDED_BY_BOTH] = OWN_SUM ", and O by l in the end, too: only the last division is meant",
    [SCALED_AGAIN] =
        "matches scores that are scaled once more with every tile: Q, or what else is kept from tile to tile, "
        "is scaled once, before the first",
    [SOFTMAX_OF_TILE] =
        OWN_SOFTMAX "added to the rescaled O: add P V as it is, and divide O once by the l of all tiles",
    [SOFTMAX_OF_TILE_OVER_L] =
        OWN_SOFTMAX "added to the rescaled O, which is divided by l in the end, too: only the last division is meant",
    [SOFTMAX_ADDED] = "matches the outputs of the parts added as they are: a part counts with its share of the row sum",
    [SOFTMAX_ADDED_OVER_L] =
        OWN_SOFTMAX "added up and divided by l in the end: a tile counts with its l exp(m - M), over the sum of those",
    [K_BY_TILE_NUMBER] = BY_NUMBER("K"),
    [V_BY_TILE_NUMBER] = BY_NUMBER("V"),
    [KV_BY_TILE_NUMBER] = BY_NUMBER("K and V"),
    [MASK_BY_TILE_NUMBER] = BY_NUMBER("K and V"),
    [MOVED_BACK] =
        "matches a last, ragged tile that is moved back to be full: its first keys count twice, as the tile before it "
        "has them, too; it begins where that one ends, and is narrower",
    [FIRST_TWICE] = "matches a first tile that is counted twice: is it computed before the loop, which visits it, too?",
    [LAST_TWICE] = "matches a last tile that is counted twice: is it computed behind the loop, which visits it, too?",
    [EVERY_SECOND] = "matches every second tile left out: does the loop step over two tiles, or count them twice?",
    [K_OF_TILE_BEFORE] = "matches t.K = K of the tile before: it is K + j0 * D",
    [V_OF_TILE_BEFORE] = "matches t.V = V of the tile before: it is V + j0 * D",
    [KV_OF_TILE_BEFORE] = "matches t.K = K of the tile before: it is K + j0 * D; V, too",
    [O_DIVIDED_AND_AT_END] =
        "matches O that is divided by l after every tile, and in the end, too: divide once, after the last",
    [DIVIDED_SO_FAR_AND_AT_END] = "matches each tile's P V divided by the l so far, and O by l in the end, too: only "
                                  "the last division is meant",
    [REST_LEFT_4] = GROUPS(4) LEFT,
    [REST_LEFT_8] = GROUPS(8) LEFT,
    [REST_LEFT_16] = GROUPS(16) LEFT,
    [O_REST_LEFT_4] = GROUPS(4) LEFT ALONE,
    [O_REST_LEFT_8] = GROUPS(8) LEFT ALONE,
    [O_REST_LEFT_16] = GROUPS(16) LEFT ALONE,
    [O_REST_FROM_BEGIN_4] = GROUPS(4) FROM_BEGIN,
    [O_REST_FROM_BEGIN_8] = GROUPS(8) FROM_BEGIN,
    [MASK_BY_PLACES] = BY_PLACES("query r"),
    [MASK_BY_PLACES_WHOLE] = BY_PLACES("query r"),
    [MASK_BY_PLACES_TO_END] = BY_PLACES("query r"),
    [MASK_BY_PLACES_SHIFTED] = BY_PLACES("r + (seq_kv - seq_q)"),
    [MASK_BY_PLACES_SHIFTED_WHOLE] = BY_PLACES("r + (seq_kv - seq_q)"),
    [MASK_BY_PLACES_SHIFTED_TO_END] = BY_PLACES("r + (seq_kv - seq_q)"),
    [L_OF_SCORES] = "matches l that adds up the scores themselves: it is the sum of exp(s - m)",
    [L_OF_DISTANCES] = "matches l that adds up s - m: it is the sum of exp(s - m)",
    [L_OF_COUNTS] = "matches l that counts keys, 1 for each: it is the sum of exp(s - m)",
    [L_OF_HIDDEN] = "matches hidden keys that are in l and not in O: their scores become -INFINITY before the row sum",
    [DIVIDED_BY_WIDTH] = "matches p divided by the number of keys of its tile, in l and in O: tiles of other widths "
                         "weigh less or more, and only O is divided, once, by l",
    [FACTOR_RATIO] = FACTOR("m_old / m_new"),
    [FACTOR_INVERSE] = FACTOR("exp(m_new - m_old)"),
    [FACTOR_BASE_2] = FACTOR("2^(m_old - m_new)"),
    [FACTOR_BASE_E] = FACTOR("exp(m_old - m_new) of maxima in base 2") ", or exp2 of what is multiplied by log2(e)",
    [FACTOR_SCALED] = FACTOR("exp((m_old - m_new) / sqrt(D))") ", as the scores are scaled already",
    [FACTOR_UNSCALED] = FACTOR("exp(m_old - m_new) of maxima that are not scaled") ", of scaled scores",
    [FACTOR_SCALED_2] = FACTOR("exp2((m_old - m_new) * scale)") ", as the scores are scaled already",
    [FACTOR_UNSCALED_2] = FACTOR("exp2(m_old - m_new) of maxima that are not scaled") ", of scaled scores",
    [O_BY_BEFORE] = BY_BEFORE("O", "l"),
    [L_BY_BEFORE] = BY_BEFORE("l", "O"),
    [O_BY_BEFORE_FROM_1] = BY_BEFORE("O", "l"),
    [L_BY_BEFORE_FROM_1] = BY_BEFORE("l", "O"),
    [L_JOINED_BY_OLD] = BY_OLD("l"),
    [L_JOINED_BY_TILE] = BY_TILE("l"),
    [L_JOINED_CROSSWISE] = CROSSWISE("l"),
    [L_JOINED_BY_NONE] =
        "matches l to which each tile's sum is added as it is, relative to the tile's own maximum" EACH,
    [BOTH_JOINED_BY_OLD] = BY_OLD("l and O"),
    [BOTH_JOINED_BY_TILE] = BY_TILE("l and O"),
    [BOTH_JOINED_CROSSWISE] = CROSSWISE("l and O"),
    [L_OF_FIRST_TILE] = "matches l of the first tile alone: each tile's sum is added to the rescaled l",
    [MEAN_AND_L_IS_1] =
        "matches O that is divided by l after every tile, and an l that is 1 again: how much the tiles so far count is "
        "lost. Keep l and the sums as they are, and divide once, after the last",
};

void lab_without_the_end(char *sentence) {
    static const char *const ends[] = {", and in the end, too", ", and O by l in the end, too",
                                       ", which is divided by l in the end, too"};
    for (size_t i = 0; i < sizeof ends / sizeof *ends; i++) {
        char *at = strstr(sentence, ends[i]);
        if (at) memmove(at, at + strlen(ends[i]), strlen(at + strlen(ends[i])) + 1);
    }
}
