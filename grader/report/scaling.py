"""scaling.py: time against S, heads, batch and threads, and memory against S."""
import math

import style
from style import FAINT, INK, plt


def slope_of(points):
    """Least-squares slope of log(y) over log(x); None with fewer than two different x."""
    xs, ys = [math.log(x) for x, _ in points], [math.log(y) for _, y in points]
    mean_x, mean_y = sum(xs) / len(xs), sum(ys) / len(ys)
    variance = sum((x - mean_x) ** 2 for x in xs)
    return sum((x - mean_x) * (y - mean_y) for x, y in zip(xs, ys)) / variance if variance > 1e-9 else None


def draw_lines(axes, timings, table, x_of, y_of, least=0.0):
    """One line per implementation; the slope of its points above least stands in the legend below the axes."""
    for name in table:
        points = sorted((x_of(t), y_of(t)) for t in timings if t["implementation"] == name)
        if not points:
            continue
        risen = [p for p in points if p[1] > least]
        slope = slope_of(risen) if risen else None
        label = style.clean(name) + (f" (slope {slope:.2f})" if slope is not None else "")
        axes.plot([p[0] for p in points], [p[1] for p in points], **style.line(table[name], label, name == "yours"))
    axes.legend(loc="upper center", bbox_to_anchor=(0.5, -0.17), ncols=1)


def log_axes(axes, xs, ys, formatter, base=10.0):
    axes.set_xscale("log")
    style.value_ticks(axes.xaxis, xs)
    axes.set_xlim(min(xs) / 1.25, max(xs) * 1.25)
    style.log_ticks(axes.yaxis, min(ys) / 1.8, max(ys) * 1.8, formatter, base)


def panels(groups, title, table, x_label, x_of, y_of, y_label, formatter):
    """Side by side, one panel per (caption, timings) that has any, on one time axis. Returns the figure."""
    groups = [(caption, timings) for caption, timings in groups if timings]
    everything = [t for _, timings in groups for t in timings]
    figure, row = plt.subplots(1, len(groups), figsize=(4.9 * max(len(groups), 1.35), 5.4), layout="constrained",
                               squeeze=False)
    for axes, (caption, timings) in zip(row[0], groups):
        log_axes(axes, [x_of[caption](t) for t in timings], [y_of(t) for t in everything], formatter)
        draw_lines(axes, timings, table, x_of[caption], y_of)
        axes.set_title(caption)
        axes.set_xlabel(x_label[caption])
    row[0][0].set_ylabel(y_label)
    figure.suptitle(style.clean(title, 90), fontsize=11)
    return figure


def draw_seq(title, timings, table, folder, name):
    groups = [("full", [t for t in timings if not t["shape"]["causal"]]),
              ("causal", [t for t in timings if t["shape"]["causal"]])]
    length = {caption: lambda t: t["shape"]["seq_q"] for caption, _ in groups}
    s = timings[0]["shape"]
    shape = f"B{s['batch']} H{s['heads']} D{s['head_dim']}"
    figure = panels(groups, f"Time against sequence length, {title}, {shape}", table,
                    dict.fromkeys(length, "sequence length S"), length, lambda t: t["median_s"], "median time",
                    style.seconds)
    style.save(figure, folder, name)


def draw_heads_batch(title, heads, batch, table, folder, name):
    x_of = {"heads": lambda t: t["shape"]["heads"], "batch": lambda t: t["shape"]["batch"]}
    figure = panels([("heads", heads), ("batch", batch)], f"Time against heads and batch, {title}", table,
                    {"heads": "heads H", "batch": "batch B"}, x_of, lambda t: t["median_s"], "median time",
                    style.seconds)
    style.save(figure, folder, name)


def draw_threads(title, timings, table, peaks, folder, name):
    """GFLOP/s over threads, with perfect scaling of yours and the measured peak above."""
    figure, axes = plt.subplots(figsize=(6.8, 5.4), layout="constrained")
    counts = sorted({t["threads"] or 1 for t in timings})
    draw_lines(axes, timings, table, lambda t: t["threads"] or 1,
               lambda t: t["flops"] / t["median_s"] * 1e-9, least=math.inf)
    best = {n: max(p["gflop_s"] for p in peaks if p["threads"] == n)
                   for n in {p["threads"] for p in peaks} & set(counts)}
    if best:
        axes.plot(sorted(best), [best[n] for n in sorted(best)], color=INK, linewidth=2, marker="_",
                  label="measured FMA peak")
    yours = [t for t in timings if t["implementation"] == "yours"]
    if yours:
        first = min(yours, key=lambda t: t["threads"] or 1)
        per_thread = first["flops"] / first["median_s"] * 1e-9 / (first["threads"] or 1)
        axes.plot(counts, [per_thread * n for n in counts], color=FAINT, linestyle=":", label="yours, perfect scaling")
    axes.legend(loc="upper center", bbox_to_anchor=(0.5, -0.14), ncols=2)
    style.value_ticks(axes.xaxis, counts)
    axes.set_xlim(counts[0] - 0.3, counts[-1] + 0.3)
    axes.set_ylim(bottom=0)
    axes.set_xlabel("threads")
    axes.set_ylabel("GFLOP/s")
    axes.set_title(f"{style.clean('Rate against threads, ' + title, 60)}\n{style.shape(timings[0]['shape'])}")
    style.save(figure, folder, name)


def draw_memory(title, timings, table, folder, name):
    """Working memory beyond the tensors as measured, beside two formulas: all scores, and the tensors themselves."""
    page = 4096  # the resident set grows by whole pages: less than one cannot be seen
    full = [t for t in timings if not t["shape"]["causal"]] or timings
    s = full[0]["shape"]
    lengths = sorted({t["shape"]["seq_q"] for t in full} | {128, 4096})
    heads = s["batch"] * s["heads"]
    scores = [4 * heads * n * n for n in lengths]
    tensors = [16 * heads * n * s["head_dim"] for n in lengths]
    known = [t for t in full if t["extra_bytes"] is not None]
    figure, axes = plt.subplots(figsize=(7.2, 5.8), layout="constrained")
    axes.fill_between(lengths, [4 * n * n for n in lengths], scores, color="#d9d9d2", zorder=1,
                      label="formula: S × S scores of one head to all, O(S²)")
    axes.plot(lengths, tensors, color="#b9b9b2", linewidth=3.5, marker="s", linestyle=(0, (2, 0.7)),
              label="formula: Q, K, V and O themselves, O(S)")
    draw_lines(axes, known, table, lambda t: t["shape"]["seq_q"],
               lambda t: max(t["extra_bytes"], page), least=page)
    log_axes(axes, lengths, scores + tensors + [max(t["extra_bytes"], page) for t in known], style.size, base=2.0)
    axes.legend(loc="upper center", bbox_to_anchor=(0.5, -0.13), ncols=2)
    axes.set_xlabel("sequence length S")
    axes.set_ylabel("bytes")
    what = "measured beside the tensors (a point at 4 KiB: below one page)" if known else "formulas, none measured"
    shape = f"B{s['batch']} H{s['heads']} D{s['head_dim']}"
    axes.set_title(f"{style.clean('Working memory, ' + title, 60)}\n{what}; {shape}")
    style.save(figure, folder, name)
