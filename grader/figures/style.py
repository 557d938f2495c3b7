"""style.py: the look that all figures share, and the few shapes they are drawn with.

A figure is drawn on a light card, so that it reads on a white and on a black page. One unit of a canvas is a tenth of
an inch. Colours are Okabe and Ito's, which stay apart for colour-blind readers; a tensor keeps its colour everywhere.
Text is drawn as paths and no date is written: the same matplotlib gives the same bytes.
"""
import os

import matplotlib

matplotlib.use("Agg")
from matplotlib import pyplot
from matplotlib.patches import FancyArrowPatch, FancyBboxPatch, Rectangle

INK, GREY, PALE, CARD = "#1a1a1a", "#6b6b6b", "#e9e9e6", "#fdfdfb"
BLUE, ORANGE, GREEN, SKY, RED, PURPLE = "#0072B2", "#E69F00", "#009E73", "#56B4E9", "#D55E00", "#CC79A7"
Q, K, V, S, O, STATE = BLUE, ORANGE, GREEN, SKY, RED, PURPLE  # STATE: the running m and l

matplotlib.rcParams.update({
    "hatch.linewidth": 0.6,
    "font.family": "DejaVu Sans",
    "mathtext.fontset": "dejavusans",
    "svg.hashsalt": "attention-lab",
    "svg.fonttype": "path",
})


def tint(color, strength):
    """color mixed with the card: strength 0 is the card, 1 the full color."""
    a, b = matplotlib.colors.to_rgb(CARD), matplotlib.colors.to_rgb(color)
    return tuple(x + (y - x) * strength for x, y in zip(a, b))


def canvas(width, height):
    figure = pyplot.figure(figsize=(width / 10, height / 10))
    axes = figure.add_axes((0, 0, 1, 1))
    axes.set(xlim=(0, width), ylim=(0, height))
    axes.axis("off")
    axes.add_patch(FancyBboxPatch((0.5, 0.5), width - 1, height - 1, boxstyle="round,pad=0,rounding_size=1.2",
                                  facecolor=CARD, edgecolor="#c9c9c4", linewidth=1))
    return axes


def text(axes, x, y, words, size=9, color=INK, ha="center", va="center", **more):
    axes.text(x, y, words, fontsize=size, color=color, ha=ha, va=va, **more)


def cell(axes, x, y, width, height, color=PALE, edge="white", words=None, size=8, ink=INK, line=1.0, **more):
    axes.add_patch(Rectangle((x, y), width, height, facecolor=color, edgecolor=edge, linewidth=line, **more))
    if words is not None:
        text(axes, x + width / 2, y + height / 2, words, size, ink)


def grid(axes, x, top, rows, color, side=3.0, words=lambda value: f"{value:g}", shade=lambda value: 0.35, size=8):
    """A matrix of numbers, row 0 at the top. color: one, or a function of (row, column)."""
    for r, row in enumerate(rows):
        for c, value in enumerate(row):
            hue = color(r, c) if callable(color) else color
            cell(axes, x + c * side, top - (r + 1) * side, side, side, tint(hue, shade(value)), words=words(value),
                 size=size)


def box(axes, x, y, width, height, title, lines=(), color=INK, dashed=False, fill=0.12, size=8.5):
    """A rounded box with a title and lines under it; (x, y) is its lower left corner."""
    axes.add_patch(FancyBboxPatch((x, y), width, height, boxstyle="round,pad=0,rounding_size=0.8",
                                  facecolor=tint(color, fill), edgecolor=color, linewidth=1.4,
                                  linestyle="--" if dashed else "-"))
    if not lines:
        text(axes, x + width / 2, y + height / 2, title, size + 0.5, weight="bold")
        return
    first = y + height / 2 + (0.4 + 2.1 * len(lines)) / 2
    text(axes, x + width / 2, first, title, size + 0.5, weight="bold")
    for n, line in enumerate(lines):
        text(axes, x + width / 2, first - 2.5 - 2.1 * n, line, size)


def arrow(axes, start, end, color=INK, width=1.4, style="-|>", **more):
    axes.add_patch(FancyArrowPatch(start, end, arrowstyle=style, mutation_scale=11, color=color, linewidth=width,
                                   shrinkA=0, shrinkB=0, **more))


def save(axes, path):
    """Write the figure; its format is the ending of path."""
    os.makedirs(os.path.dirname(path), exist_ok=True)
    metadata = {"Date": None, "Creator": None} if path.endswith(".svg") else {"Software": None}
    axes.figure.savefig(path, transparent=True, dpi=150, metadata=metadata)
    pyplot.close(axes.figure)
