"""attention.py: Q K^T -> scale and mask -> softmax -> times V, with the numbers of task 1's example."""
import math

from style import GREY, INK, K, O, Q, S, V, arrow, canvas, grid, save, text

QUERIES = [[1, 0, 1, 0], [0, 2, 0, 2], [1, 1, 1, 1]]
KEYS = [[1, 0, 1, 0], [0, 1, 0, 1], [1, 1, 0, 0]]
VALUES = [[8, 0, 0, 4], [0, 8, 0, 4], [0, 0, 8, 4]]
SIDE = 3.2


def softmax(row):
    powers = [math.exp(s - max(row)) for s in row]
    return [p / sum(powers) for p in powers]


def number(value):
    return "$-\\infty$" if value == -math.inf else f"{value:.2f}".rstrip("0").rstrip(".")


def draw(path):
    scores = [[sum(a * b for a, b in zip(q, k)) for k in KEYS] for q in QUERIES]
    masked = [[s / 2 if j <= i else -math.inf for j, s in enumerate(row)] for i, row in enumerate(scores)]
    weights = [softmax(row) for row in masked]
    output = [[sum(p * v[d] for p, v in zip(row, VALUES)) for d in range(4)] for row in weights]

    axes = canvas(102, 38.5)
    top, above = 15.8, 18.4  # of the lower matrices; bottom of those above them
    low = top - 3 * SIDE

    def matrix(x, rows, color, title, shape, **more):
        grid(axes, x, top, rows, color, SIDE, number, **more)
        middle = x + len(rows[0]) * SIDE / 2
        text(axes, middle, low - 1.6, title, 10, weight="bold")
        text(axes, middle, low - 3.6, shape, 8, GREY)

    def step(x, line, todo):
        arrow(axes, (x, top - 1.5 * SIDE), (x + 8, top - 1.5 * SIDE))
        text(axes, x + 4, top - 1.5 * SIDE + 1.9, line, 8.5)
        text(axes, x + 4, top - 1.5 * SIDE - 1.9, todo, 7.5, GREY)

    matrix(3, QUERIES, Q, "Q", "Sq × D")
    grid(axes, 18, above + 4 * SIDE, [list(column) for column in zip(*KEYS)], K, SIDE, number)
    text(axes, 18 + 1.5 * SIDE, above + 4 * SIDE + 3.4, "$\\mathbf{K^T}$", 10)
    text(axes, 18 + 1.5 * SIDE, above + 4 * SIDE + 1.4, "D × Sk", 8, GREY)
    matrix(18, scores, S, "$\\mathbf{Q\\,K^T}$", "Sq × Sk", shade=lambda s: 0.1 + 0.15 * s)
    step(28.6, "÷ √D, mask", "TODO 1.6, 1.7")
    matrix(37.6, masked, lambda i, j: S if j <= i else GREY, "S", "Sq × Sk",
           shade=lambda s: 0.18 if s == -math.inf else 0.1 + 0.3 * s)
    step(48.2, "softmax", "TODO 1.1 - 1.3")
    matrix(57.2, weights, S, "P", "each row sums to 1", shade=lambda p: 0.05 + 0.75 * p)
    step(67.8, "times V", "TODO 1.8")
    matrix(76.8, output, O, "O", "Sq × D", shade=lambda o: 0.1 + 0.06 * o)
    grid(axes, 76.8, above + 3 * SIDE, VALUES, V, SIDE, number)
    text(axes, 76.8 + 2 * SIDE, above + 3 * SIDE + 3.4, "V", 10, weight="bold")
    text(axes, 76.8 + 2 * SIDE, above + 3 * SIDE + 1.4, "Sk × D", 8, GREY)

    for i in range(3):
        text(axes, 90.6, top - (i + 0.5) * SIDE, f"token {i}", 8, GREY, ha="left")
    text(axes, 48.2, 34, "One head, three tokens, D = 4, causal", 10.5, INK, weight="bold")
    text(axes, 48.2, 31.4, "The middle row: token 1 finds its own key the best fit.\n"
         "Token 2 is in its future, so it is masked.", 8.5, GREY, va="top")
    save(axes, path)
