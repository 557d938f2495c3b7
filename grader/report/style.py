"""style.py: how every plot looks, and the two helpers that keep labels readable.

A plot is an opaque, nearly white card, so that it reads the same on paper, on a light page and on a dark one. Colours
are Okabe and Ito's, which colour-blind readers can tell apart; every line also has its own marker and dash.
"""
import math

import matplotlib

matplotlib.use("Agg")
import matplotlib.pyplot as plt  # noqa: E402 (the backend must be chosen first)
from matplotlib import font_manager  # noqa: E402
from matplotlib.transforms import Bbox  # noqa: E402
from matplotlib.ticker import FixedLocator, FuncFormatter, MaxNLocator, NullLocator  # noqa: E402

CARD, INK, FAINT, ERROR = "#fbfbf8", "#1c1c1c", "#8a8a8a", "#d00000"
YOURS = ("#0072b2", "o", "-")
BASELINES = [("#e69f00", "s", (0, (5, 1.5))), ("#009e73", "^", (0, (3, 1, 1, 1))), ("#cc79a7", "D", (0, (1, 1))),
             ("#56b4e9", "v", (0, (7, 2))), ("#806000", "P", (0, (5, 1, 1, 1, 1, 1))),
             ("#d55e00", "X", (0, (2, 1))), ("#7f7f7f", "*", (0, (9, 3)))]

plt.rcParams.update({
    "figure.facecolor": CARD, "savefig.facecolor": CARD, "axes.facecolor": CARD, "text.color": INK,
    "axes.edgecolor": INK, "axes.labelcolor": INK, "xtick.color": INK, "ytick.color": INK, "font.family": "DejaVu Sans",
    "font.size": 10, "axes.titlesize": 11, "axes.spines.top": False, "axes.spines.right": False, "axes.axisbelow": True,
    "axes.grid": True, "grid.color": "#dcdcd6", "grid.linewidth": 0.6, "lines.linewidth": 1.8, "lines.markersize": 6,
    "legend.frameon": False, "legend.fontsize": 9, "figure.dpi": 150, "savefig.dpi": 150,
    "svg.fonttype": "path",        # letters as outlines: the same picture where the font is not installed
    "svg.hashsalt": "attention",   # with no date below: the same bytes for the same input
    "text.parse_math": False,      # a $ in a name is a dollar, never a formula
})

FONT = font_manager.get_font(font_manager.findfont("DejaVu Sans"))


def clean(text, limit=32):
    """A name out of results.json as a label: one line, printable, in the font, not hidden by matplotlib."""
    text = " ".join("".join(c if c.isprintable() else " " for c in text).split())
    text = "".join(c if FONT.get_char_index(ord(c)) else "?" for c in text).lstrip("_") or "?"
    return text if len(text) <= limit else text[:limit - 1] + "…"


def styles(names):
    """One (colour, marker, dashes) per implementation, the same in every plot of a task; yours comes first."""
    baselines = [n for n in names if n != "yours"]
    return {"yours": YOURS} | {n: BASELINES[i % len(BASELINES)] for i, n in enumerate(baselines)}


def line(style, label, bold=False):
    """Keyword arguments of plot() for a line in this style."""
    colour, marker, dashes = style
    return {"color": colour, "marker": marker, "linestyle": dashes, "label": label, "linewidth": 2.4 if bold else 1.6,
            "markeredgecolor": INK, "markeredgewidth": 0.5, "zorder": 4 if bold else 3}


def number(x):
    return f"{x:,.0f}".replace(",", " ") if x >= 100 else f"{x:.3g}"


def scaled(x, step, units):
    unit = 0
    while x >= step * 0.9995 and unit + 1 < len(units):
        x, unit = x / step, unit + 1
    return f"{number(x)} {units[unit]}"


def seconds(x):
    return scaled(x * 1e9, 1000, ["ns", "µs", "ms", "s"])


def size(x):
    return scaled(x, 1024, ["B", "KiB", "MiB", "GiB", "TiB"])


def shape(s):
    """B1 H8 S1024 D64 causal, as on the page."""
    length = f"S{s['seq_q']}" if s["seq_q"] == s["seq_kv"] else f"Sq{s['seq_q']} Sk{s['seq_kv']}"
    return f"B{s['batch']} H{s['heads']} {length} D{s['head_dim']}" + (" causal" if s["causal"] else "")


def value_ticks(axis, values, formatter=lambda x: f"{x:.0f}"):
    """Ticks exactly at the values that were measured."""
    axis.set_major_locator(FixedLocator(sorted(set(values))))
    axis.set_minor_locator(NullLocator())
    axis.set_major_formatter(FuncFormatter(lambda x, _: formatter(x)))


def log_ticks(axis, low, high, formatter, base=10.0):
    """A logarithmic axis from low to high with a tick per power of the base; 2 and 5 too when those are few."""
    axis.axes.set_xscale("log") if axis.axis_name == "x" else axis.axes.set_yscale("log")
    (axis.axes.set_xlim if axis.axis_name == "x" else axis.axes.set_ylim)(low, high)
    first, last = math.floor(math.log(low, base)), math.ceil(math.log(high, base))
    inside = lambda values: [v for v in values if low <= v * 1.0001 and v <= high * 1.0001]  # noqa: E731
    ticks = inside(base ** e for e in range(first, last + 1))
    fine = inside(base ** e * k for e in range(first, last + 1) for k in (1, 2, 5))
    if base == 10 and len(fine) <= 8:
        ticks = fine
    while len(ticks) > 10:
        ticks = ticks[::2]
    value_ticks(axis, ticks, formatter)


def from_zero(axis, top, formatter):
    """A linear axis from 0 to top with its ticks inside it."""
    (axis.axes.set_xlim if axis.axis_name == "x" else axis.axes.set_ylim)(0, top)
    value_ticks(axis, [v for v in MaxNLocator(6).tick_values(0, top) if 0 <= v <= top], formatter)


def line_boxes(axes, xs, ys):
    """Small boxes along a drawn line, so that labels can keep clear of it. Call after the layout has settled."""
    at = [axes.transData.transform(p) for p in zip(xs, ys)]
    boxes = []
    for (x0, y0), (x1, y1) in zip(at, at[1:]):
        steps = max(1, int(math.hypot(x1 - x0, y1 - y0) / 6))
        boxes += [Bbox.from_bounds(x0 + (x1 - x0) * k / steps - 2, y0 + (y1 - y0) * k / steps - 2, 4, 4)
                  for k in range(steps + 1)]
    return boxes


def point_boxes(axes, xs, ys):
    """A box around each marker. Call after the layout has settled."""
    half = 5 * axes.figure.dpi / 72
    return [Bbox.from_bounds(x - half, y - half, 2 * half, 2 * half)
            for x, y in (axes.transData.transform(p) for p in zip(xs, ys))]


def place_labels(axes, labels, taken):
    """Writes (x, y, text, colour, must) beside their points, each where it covers nothing in taken and no other label.

    taken: boxes in pixels. A label that must stand is moved away, on a thin leader line, until there is room; another
    is left out when there is none near.
    """
    renderer = axes.figure.canvas.get_renderer()
    frame = axes.get_window_extent(renderer)
    pixel = axes.figure.dpi / 72
    taken = taken + point_boxes(axes, [x for x, *_ in labels], [y for _, y, *_ in labels])
    for x, y, text, colour, must in labels:
        note = axes.annotate(text, (x, y), xytext=(0, 0), textcoords="offset points", color=colour, fontsize=8,
                             zorder=6, ha="center", va="center",
                             bbox={"facecolor": CARD, "edgecolor": "none", "pad": 0.6})
        box = note.get_window_extent(renderer)
        for radius, angle in [(r, a) for r in ((12, 17, 26, 38, 52, 68, 86, 110) if must else (12, 15))
                              for a in (90, 270, 0, 180, 45, 135, 315, 225)]:
            dx = math.cos(math.radians(angle)) * (radius + box.width / pixel / 2)
            dy = math.sin(math.radians(angle)) * radius
            here = box.translated(dx * pixel, dy * pixel)
            inside = frame.x0 <= here.x0 and here.x1 <= frame.x1 and frame.y0 <= here.y0 and here.y1 <= frame.y1
            if inside and not any(here.overlaps(other) for other in taken):
                note.set_position((dx, dy))
                taken.append(here)
                if radius > 20:
                    axes.annotate("", (x, y), xytext=(dx, dy), textcoords="offset points", zorder=2,
                                  arrowprops={"arrowstyle": "-", "color": FAINT, "linewidth": 0.7, "shrinkB": 4})
                break
        else:
            note.remove()


def save(figure, folder, name):
    """Writes name.svg and name.png: the same bytes for the same data."""
    figure.savefig(f"{folder}/{name}.svg", metadata={"Date": None, "Creator": "Attention Lab"})
    figure.savefig(f"{folder}/{name}.png", metadata={"Software": None})
    plt.close(figure)
