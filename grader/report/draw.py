#!/usr/bin/env python3
"""draw.py: plots.json -> one PNG a plot.

    draw.py DIR...      reads DIR/plots.json, writes DIR/FILE.png; of several, those whose plots are not drawn yet,
                        and what is the same in two is drawn once

Draws what it is told and computes nothing: `report plots` has chosen points, axes, ticks and words (canvas.h says how a
plot is written down). What is here is how everything looks, and where labels find room. The same input gives the same
bytes. Exit status: 0 drawn, 1 unreadable input, no matplotlib or nowhere to write, 2 wrong usage.
"""
import json
import math
import os
import shutil
import sys

sys.dont_write_bytecode = True  # no __pycache__ in the source tree
try:
    import matplotlib
    matplotlib.use("Agg")
    import matplotlib.pyplot as plt
    from matplotlib import font_manager
    from matplotlib.ticker import FixedFormatter, FixedLocator, NullLocator
    from matplotlib.transforms import Bbox
except ImportError:
    sys.exit("draw.py: this python3 has no matplotlib: run make setup")

CARD, INK, FAINT, ERROR = "#fbfbf8", "#1c1c1c", "#8a8a8a", "#d00000"
# Okabe and Ito's colours, which colour-blind readers can tell apart; every line has its own marker and dash, too.
ROLES = {"yours": ("#0072b2", "o", "-"), "0": ("#e69f00", "s", (0, (5, 1.5))), "1": ("#009e73", "^", (0, (3, 1, 1, 1))),
         "2": ("#cc79a7", "D", (0, (1, 1))), "3": ("#56b4e9", "v", (0, (7, 2))),
         "4": ("#806000", "P", (0, (5, 1, 1, 1))), "5": ("#d55e00", "X", (0, (2, 1))),
         "6": ("#7f7f7f", "*", (0, (9, 3))), "roof": (INK, "", "-"),
         "ideal": (FAINT, "", ":"), "formula0": ("#c4c4bc", "", "-"), "formula1": ("#c4c4bc", "", (0, (1, 0.6))),
         "wrong": (ERROR, "X", "none"), "counted": (INK, "o", "none")}

plt.rcParams.update({
    "figure.facecolor": CARD, "savefig.facecolor": CARD, "axes.facecolor": CARD, "text.color": INK,
    "axes.edgecolor": INK, "axes.labelcolor": INK, "xtick.color": INK, "ytick.color": INK, "font.family": "DejaVu Sans",
    "font.size": 10, "axes.titlesize": 10, "axes.spines.top": False, "axes.spines.right": False, "axes.axisbelow": True,
    "axes.grid": True, "grid.color": "#dcdcd6", "grid.linewidth": 0.6, "legend.frameon": False, "legend.fontsize": 9,
    "figure.dpi": 120, "text.parse_math": False,  # a $ in a name is a dollar, never a formula
})
FONT = font_manager.get_font(font_manager.findfont("DejaVu Sans"))


def clean(text, limit=64):
    """A name as a label: printable, in the font, each line cut to the limit; a leading _ would hide it."""
    known = lambda c: c if c.isprintable() and FONT.get_char_index(ord(c)) else "?"  # noqa: E731
    lines = ["".join(known(c) for c in line) for line in text.split("\n")]
    lines = [line if len(line) <= limit else line[:limit - 1] + "…" for line in lines[:4]]
    return "\n".join(lines).lstrip("_")


def look(role):
    """Keyword arguments of plot() for a role; a dot behind it: points are not joined."""
    colour, marker, dashes = ROLES[role.rstrip(".")]
    kind = {"color": colour, "marker": marker, "linestyle": "none" if role.endswith(".") else dashes, "linewidth": 1.6,
            "markersize": 6, "markeredgecolor": INK, "markeredgewidth": 0.5, "zorder": 3}
    special = {"yours": {"linewidth": 2.4, "zorder": 4}, "roof": {"linewidth": 2.2, "zorder": 2},
               "formula0": {"linewidth": 5, "zorder": 1}, "formula1": {"linewidth": 5, "zorder": 1},
               "wrong": {"markersize": 11, "markeredgecolor": "white", "zorder": 6},
               "counted": {"markersize": 8, "markerfacecolor": CARD, "markeredgewidth": 1.3}}
    return kind | special.get(role.rstrip("."), {})


def set_axis(axes, which, axis):
    """Label, scale, limits and ticks of one axis."""
    side = getattr(axes, which + "axis")
    getattr(axes, f"set_{which}scale")(axis["scale"])
    getattr(axes, f"set_{which}lim")(axis["low"], axis["high"])
    side.set_major_locator(FixedLocator([value for value, _ in axis["ticks"]]))
    side.set_minor_locator(NullLocator())
    side.set_major_formatter(FixedFormatter([clean(text) for _, text in axis["ticks"]]))
    width = axes.figure.get_size_inches()[0] / axes.get_subplotspec().get_gridspec().ncols
    if which == "x" and sum(len(text) + 2 for _, text in axis["ticks"]) > 11 * width:
        axes.tick_params("x", labelrotation=45)


def along(axes, xs, ys):
    """Small boxes along a drawn line, so that labels keep clear of it."""
    at, boxes = [axes.transData.transform(p) for p in zip(xs, ys)], []
    for (x0, y0), (x1, y1) in zip(at, at[1:]):
        steps = max(1, int(math.hypot(x1 - x0, y1 - y0) / 6))
        boxes += [Bbox.from_bounds(x0 + (x1 - x0) * k / steps - 2, y0 + (y1 - y0) * k / steps - 2, 4, 4)
                  for k in range(steps + 1)]
    return boxes


def place_labels(axes, series):
    """Writes the labels beside their points, each where it covers no line, no point and no other label; on a thin
    leader line where the room is not near, and not at all where there is none."""
    renderer, pixel, frame = axes.figure.canvas.get_renderer(), axes.figure.dpi / 72, axes.get_window_extent()
    angles = 90, 270, 0, 180, 45, 135, 315, 225
    taken, places = [], [(radius, angle) for radius in (12, 17, 26, 38, 52, 68, 86) for angle in angles]
    for s in series:
        taken += along(axes, s["x"], s["y"]) if not s["role"].endswith(".") else []
        points = [axes.transData.transform(p) for p in zip(s["x"], s["y"])] if s["role"] != "roof" else []
        taken += [Bbox.from_bounds(x - 5 * pixel, y - 5 * pixel, 10 * pixel, 10 * pixel) for x, y in points]
    for s, (i, text) in [(s, label) for s in series for label in s.get("labels", [])]:
        at = s["x"][i], s["y"][i]
        note = axes.annotate(clean(text, 24), at, xytext=(0, 0), textcoords="offset points", fontsize=8, zorder=6,
                             ha="center", va="center", bbox={"facecolor": CARD, "edgecolor": "none", "pad": 0.6})
        box = note.get_window_extent(renderer)
        for radius, angle in places:
            dx = math.cos(math.radians(angle)) * (radius + box.width / pixel / 2)
            dy = math.sin(math.radians(angle)) * radius
            here = box.translated(dx * pixel, dy * pixel)
            inside = frame.x0 <= here.x0 and here.x1 <= frame.x1 and frame.y0 <= here.y0 and here.y1 <= frame.y1
            if inside and not any(here.overlaps(other) for other in taken):
                note.set_position((dx, dy))
                taken.append(here)
                if radius > 20:
                    axes.annotate("", at, xytext=(dx, dy), textcoords="offset points", zorder=2,
                                  arrowprops={"arrowstyle": "-", "color": FAINT, "linewidth": 0.7, "shrinkB": 4})
                break
        else:
            note.remove()


def draw_lines(axes, panel):
    for s in panel["series"]:
        axes.plot(s["x"], s["y"], **look(s["role"]))
        if "spread" in s:
            below = [y - low for y, (low, _) in zip(s["y"], s["spread"])]
            above = [high - y for y, (_, high) in zip(s["y"], s["spread"])]
            axes.errorbar(s["x"], s["y"], yerr=[below, above], fmt="none", ecolor=look(s["role"])["color"],
                          elinewidth=1, capsize=2, alpha=0.6)
    set_axis(axes, "x", panel["x"])
    set_axis(axes, "y", panel["y"])
    if "top" in panel:
        for x, _ in panel["top"]:
            axes.axvline(x, color=FAINT, linestyle=":", linewidth=1.1, zorder=1)
        top = axes.secondary_xaxis("top")
        top.set_xticks(*zip(*((x, clean(text)) for x, text in panel["top"])), fontsize=8, rotation=20, ha="left")
        top.minorticks_off()
        top.spines["top"].set_visible(False)


def draw_bars(axes, panel):
    """Horizontal bars, the first on top, each with its text; a whisker up to its high value."""
    reach = 0.02 * panel["x"]["high"]
    for i, bar in enumerate(panel["bars"]):
        axes.barh(i, bar["value"], color=look(bar["role"])["color"], edgecolor=INK, linewidth=0.6, height=0.62)
        if bar["high"] > bar["value"]:
            axes.errorbar(bar["value"], i, xerr=[[0], [bar["high"] - bar["value"]]], color=INK, capsize=4)
        axes.text(bar["high"] + reach, i, clean(bar["text"]), va="center", fontsize=9)
    set_axis(axes, "x", panel["x"])
    axes.set_yticks(range(len(panel["bars"])), [clean(bar["name"], 20) for bar in panel["bars"]])
    axes.invert_yaxis()
    axes.grid(False, axis="y")


def draw_grid(axes, panel):
    """A heat map; each cell has its text, in ink that can be read on its colour; one without a value is hatched."""
    values = [v for row in panel["values"] for v in row if v is not None]
    low, high = min(values), max(values)
    shown = [[float("nan") if v is None else v for v in row] for row in panel["values"]]
    bottom = max(0, low - 0.25 * (high - low))  # the darkest end of the map is too dark to tell cells apart
    image = axes.imshow(shown, cmap="cividis", aspect="auto", origin="lower", vmin=bottom, vmax=high)
    for i, (row, texts) in enumerate(zip(panel["values"], panel["texts"])):
        for j, (value, text) in enumerate(zip(row, texts)):
            edge = {"facecolor": CARD, "edgecolor": "#9a9a9a", "hatch": "///", "linewidth": 0} if value is None else \
                {"fill": False, "edgecolor": "#d55e00", "linewidth": 3, "zorder": 5} if value == high else None
            if edge:
                axes.add_patch(plt.Rectangle((j - 0.5, i - 0.5), 1, 1, **edge))
            colour = image.cmap(image.norm(value)) if value is not None else (1, 1, 1)
            dark = 0.299 * colour[0] + 0.587 * colour[1] + 0.114 * colour[2] < 0.5
            axes.text(j, i, clean(text), ha="center", va="center", color="white" if dark else INK,
                      fontsize=7 if value is None else 9, fontweight="bold" if value == high else "normal",
                      bbox={"facecolor": CARD, "edgecolor": "none", "pad": 1} if value is None else None)
    axes.grid(False)
    axes.set_xticks(range(len(panel["columns"])), panel["columns"])
    axes.set_yticks(range(len(panel["rows"])), panel["rows"])
    axes.set(xlabel=panel["column_label"], ylabel=panel["row_label"])


SIZES = {"lines": (3.6, 3.3), "bars": (5.2, 2.4), "grid": (7.2, 4.4)}
DRAW = {"lines": draw_lines, "bars": draw_bars, "grid": draw_grid}


def legend(figure, series):
    """One for all panels, below them: each name once."""
    named = {}
    for s in series:
        named.setdefault(clean(s["name"]), s["role"])
    handles = [plt.Line2D([], [], label=name, **look(role)) for name, role in named.items() if name]
    widest = max([len(name) for name in named], default=0) * 0.085 + 0.7
    if handles:
        fit = max(1, int(figure.get_size_inches()[0] / widest))
        figure.legend(handles=handles, loc="outside lower center", ncols=fit)


def make(plot):
    """The figure of one plot. Panels of a row share their y axis, which is named at the first."""
    rows = plot["panels"]
    columns = max(len(row) for row in rows)
    kind = rows[0][0].get("kind", "lines")
    series = [s for row in rows for panel in row if "kind" not in panel for s in panel["series"]]
    width, height = SIZES[kind]
    if kind == "lines" and columns * len(rows) == 1:
        width, height = (9.2, 6.2) if any("labels" in s for s in series) else (6.8, 4.6)
    figure, grid = plt.subplots(len(rows), columns, figsize=(max(6.0, width * columns), height * len(rows) + 1.2),
                                layout="constrained", squeeze=False)
    for row, line in zip(rows, grid):
        for axes in line[len(row):]:
            axes.set_axis_off()
        for k, (panel, axes) in enumerate(zip(row, line)):
            panel_kind = panel.get("kind", "lines")
            DRAW[panel_kind](axes, panel)
            axes.set_title(clean(panel["title"] or "", int(figure.get_size_inches()[0] / columns * 11)))
            if panel_kind == "lines":
                axes.set_xlabel(panel["x"]["label"] if row is rows[-1] else "")
                axes.set_ylabel(panel["y"]["label"] if k == 0 else "")
                axes.tick_params("y", labelleft=k == 0)
    figure.suptitle(clean(plot["title"], int(figure.get_size_inches()[0] * 10)), fontsize=11)
    legend(figure, series)
    # Once, and without a picture: savefig would draw all of it for its layout alone. From here on places are pixels.
    figure.get_layout_engine().execute(figure)
    figure.set_layout_engine(None)
    if any("labels" in s for s in series):
        for row, line in zip(rows, grid):
            for panel, axes in zip(row, line):
                place_labels(axes, panel["series"])
    return figure


def is_drawn(folder, plots):
    """Every plot is there, and newer than what it shows."""
    of = os.path.getmtime(os.path.join(folder, "plots.json"))
    files = [os.path.join(folder, plot["file"] + ".png") for plot in plots]
    return all(os.path.exists(file) and os.path.getmtime(file) > of for file in files)


def draw(folder, several, drawn):
    """drawn: what a plot says -> the file in which it was drawn before."""
    with open(os.path.join(folder, "plots.json"), encoding="utf-8") as file:
        plots = json.load(file)
    if several and is_drawn(folder, plots):
        return
    for plot in plots:
        key, png = json.dumps(plot, sort_keys=True), os.path.join(folder, plot["file"] + ".png")
        if key in drawn:
            shutil.copyfile(drawn[key], png)
            continue
        figure = make(plot)
        figure.savefig(png, metadata={"Software": None})
        plt.close(figure)
        drawn[key] = png


def main():
    if len(sys.argv) < 2:
        print("usage: draw.py DIR...", file=sys.stderr)
        return 2
    status, drawn = 0, {}
    for folder in sys.argv[1:]:
        try:
            draw(folder, len(sys.argv) > 2, drawn)
        except (OSError, ValueError, KeyError, TypeError) as error:
            print(f"draw.py: {folder}: {type(error).__name__}: {error}", file=sys.stderr)
            status = 1
    return status


if __name__ == "__main__":
    sys.exit(main())
