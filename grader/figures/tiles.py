"""tiles.py: task 3. K and V tiles walk past a query tile that carries m, l and O; tiles in its future are skipped."""
from style import GREY, INK, K, O, Q, S, STATE, V, arrow, box, canvas, cell, save, text, tint

SQ, SK, BR, BC = 22, 30, 6, 7  # neither tile divides its length, and Sq < Sk
NOW_I, NOW_J = 2, 1            # the tile of scores that is being computed
SIDE = 1.15                    # of one score


def spans(length, tile):
    """(first, after the last) of each tile; the last one is ragged."""
    return [(first, min(first + tile, length)) for first in range(0, length, tile)]


def kind(rows, columns):
    """query i sees key j where j <= i + (Sk - Sq)."""
    last_of_first, last_of_last = rows[0] + SK - SQ, rows[1] - 1 + SK - SQ
    return "skipped" if columns[0] > last_of_last else "plain" if columns[1] - 1 <= last_of_first else "masked"


def score_tile(axes, x, y, width, height, sort, strength):
    if sort == "skipped":
        cell(axes, x, y, width, height, "none", "#dcdcd7", line=0.8)
        return
    cell(axes, x, y, width, height, tint(S, strength), "#9dbccd", line=0.8)
    if sort == "masked":
        cell(axes, x, y, width, height, "none", "#7f9fb2", line=0.8, hatch="////")


def scores(axes, x, top):
    rows, columns = spans(SQ, BR), spans(SK, BC)
    for j, (first, end) in enumerate(columns):  # K and V above the columns
        now = 0.85 if j == NOW_J else 0.25
        cell(axes, x + first * SIDE, top + 4.2, (end - first) * SIDE, 2.8, tint(K, now), words=f"$K_{j}$")
        cell(axes, x + first * SIDE, top + 1.2, (end - first) * SIDE, 2.8, tint(V, now), words=f"$V_{j}$")
    for i, (first, end) in enumerate(rows):  # Q at the left of the rows
        now = i == NOW_I
        cell(axes, x - 4.2, top - end * SIDE, 3, (end - first) * SIDE, tint(Q, 0.85 if now else 0.25),
             words=f"$Q_{i}$", ink="white" if now else INK)
        for j, span in enumerate(columns):
            score_tile(axes, x + span[0] * SIDE, top - end * SIDE, (span[1] - span[0]) * SIDE, (end - first) * SIDE,
                       kind((first, end), span), 0.9 if now and j == NOW_J else 0.45 if now and j < NOW_J else 0.18)

    stairs = [(x + (i + SK - SQ + 1) * SIDE, top - (i + step) * SIDE) for i in range(SQ) for step in (0, 1)]
    axes.plot(*zip(*stairs), color=INK, linewidth=1.1)
    first, end = rows[NOW_I]
    walk = max(span[1] for span in columns if kind(rows[NOW_I], span) != "skipped")
    cell(axes, x, top - end * SIDE, walk * SIDE, (end - first) * SIDE, "none", INK, line=1.8)
    middle = top - (first + end) / 2 * SIDE
    text(axes, x + (NOW_J + 0.5) * BC * SIDE, middle, "$S_{ij}$", 11)
    text(axes, x + 0.5 * BC * SIDE, middle, "overwritten", 6.6)
    text(axes, x + 2.5 * BC * SIDE, middle, "next", 6.6)

    arrow(axes, (x, top + 8.6), (x + SK * SIDE, top + 8.6), GREY)
    text(axes, x + SK * SIDE / 2, top + 10.2, "tiles of Bc keys and values, one after the other", 8.5, GREY)
    text(axes, x - 6, top - SQ * SIDE / 2, "tiles of Br queries", 8.5, GREY, rotation=90)


def legend(axes, x, y):
    kinds = ((0, "plain", "all seen"), (10.5, "masked", "needs the mask"), (25, "skipped", "never visited"))
    for at, sort, words in kinds:
        score_tile(axes, x + at, y, 2.2, 2.2, sort, 0.18)
        text(axes, x + at + 2.9, y + 1.1, words, 8, GREY, ha="left")
    text(axes, x + SK * SIDE / 2, y - 2.6, "Causal, Sq < Sk: the keys right of the stairs are in the queries' future.",
         8, GREY)


def state(axes, x, top):
    text(axes, x + 20, top + 9.3, f"What query tile {NOW_I} carries along", 10, weight="bold")
    for at, name, words, width, color in ((1, "m", "row maximum", 3, STATE), (10.5, "l", "row sum", 3, STATE),
                                          (20, "O", "unnormalised output, Br × D", 13, O)):
        cell(axes, x + at, top, width, BR * SIDE, tint(color, 0.45), words=name, size=10)
        text(axes, x + at + width / 2, top - 1.8, words, 7.5, GREY)
    steps = (("$S = Q_i K_j^T / \\sqrt{D}$", "a tile, Br × Bc; masked if it must be"),
             ("$m_{new} = \\max(m,\\ \\mathrm{rowmax}\\ S)$", "never falls"),
             ("$P = e^{S - m_{new}}$", "all at most 1"),
             ("$\\alpha = e^{m - m_{new}}$", "1 while the maximum stays"),
             ("$l = \\alpha\\,l + \\mathrm{rowsum}\\ P$", "what was summed so far is rescaled ..."),
             ("$O = \\alpha\\,O + P\\,V_j$", "... by the same number"))
    box(axes, x - 3, top - 25.2, 46, 20.4, "", (), S)
    text(axes, x + 20, top - 6.5, "For each tile of keys and values", 9, weight="bold")
    for n, (formula, why) in enumerate(steps):
        y = top - 9.2 - 2.75 * n
        text(axes, x - 1.2, y, formula, 9.5, ha="left")
        text(axes, x + 18.5, y, why, 8, GREY, ha="left")
    box(axes, x - 3, top - 32.6, 46, 5.2, "After the last tile:  $O = O\\,/\\,l$", (), O)


def draw(path):
    axes = canvas(102, 50)
    scores(axes, 13, 36.2)
    legend(axes, 13, 6)
    state(axes, 56, 36.2)
    save(axes, path)
