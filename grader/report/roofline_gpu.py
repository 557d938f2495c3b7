"""roofline_gpu.py: one roofline for the CUDA tasks: the naive chain kernel by kernel and as a whole, the fused kernel
over S, decode. A filled point stands at the model's bytes, a hollow one at bytes that a profiler or simt counted."""
import roofline
import series
import style
from style import CARD, ERROR, FAINT, INK, plt

KINDS = {"kernel": ("#d55e00", "s", "naive kernels, one by one"), "chain": ("#d55e00", "D", "naive chain (task 2)"),
         "fused": ("#0072b2", "o", "fused (task 4), over S"),
         "before": ("#56b4e9", "v", "before: simple kernel, a block per head"),
         "after": ("#56b4e9", "^", "after: simple kernel, a block per query tile"),
         "baseline": ("#009e73", "^", "PyTorch, over S"), "decode": ("#cc79a7", "p", "decode (task 5)")}
COUNTED = ("ncu's DRAM bytes", "counted bytes (simt)")


def rows_of(root, task, name, implementation):
    found = [t for t in root["tasks"] if t["id"] == task]
    return [t for t in series.all_measured(found[0]["timings"], name) if t["implementation"] == implementation and
            t["flops"] and t["bytes"] and t["threads"] is None] if found else []


def anchor(root):
    """The shape at which chain and fused kernel are set side by side: S = 1024, full, where there is one."""
    shapes = [t["shape"] for task in ("task4", "task2") for t in rows_of(root, task, "seq", "yours")]
    shapes.sort(key=lambda s: (s["causal"], s["seq_q"] != 1024))  # a stable sort: the first that comes near to it
    return shapes[0] if shapes else None


def points(root):
    """(kind, label, timing), in the order in which they are drawn."""
    at, found = anchor(root), []
    found += [("kernel", t["case"].split(" S=")[0], t) for t in rows_of(root, "task2", "kernels", "yours")]
    chain = rows_of(root, "task2", "seq", "yours") or rows_of(root, "task4", "seq", "task 2")
    found += [("chain", "naive chain", t) for t in chain if t["shape"] == at]
    for kind, implementation in (("baseline", "PyTorch"), ("fused", "yours")):
        lengths = [t for t in rows_of(root, "task4", "seq", implementation)
                   if all(t["shape"][k] == at[k] for k in ("batch", "heads", "head_dim", "causal"))] if at else []
        found += [(kind, f"S={t['shape']['seq_q']}", t) for t in sorted(lengths, key=lambda t: t["shape"]["seq_q"])]
    for kind, implementation in (("before", "simple, one block per head"), ("after", "simple")):
        found += [(kind, kind, t) for t in rows_of(root, "task4", "queries", implementation) if t["shape"] == at]
    longest = {}
    for t in rows_of(root, "task5", "kv", "yours"):
        if t["shape"]["seq_kv"] >= longest.get(t["shape"]["batch"], t)["shape"]["seq_kv"]:
            longest[t["shape"]["batch"]] = t
    return found + [("decode", f"decode B={batch}", t) for batch, t in sorted(longest.items())]


def at_measured_bytes(root, drawn):
    """(FLOP per byte, GFLOP/s, label, which of COUNTED, x of the point it belongs to or None)."""
    found = []
    for task in root["tasks"]:
        for p in task.get("profile", []):
            if p["source"] == "ncu" and p.get("dram_bytes") and p.get("seconds") and p.get("flops"):
                found.append((p["flops"] / p["dram_bytes"], p["flops"] / p["seconds"] * 1e-9,
                              style.clean(p["kernel"].split("(")[0].split("<")[0], 24), 0, None))
    for kind, label, t in drawn:
        task = {"chain": "task2", "fused": "task4"}.get(kind)
        moved = sum(c["bytes_loaded"] + c["bytes_stored"] for k in root["tasks"] if k["id"] == task
                    for c in k["counts"] if c.get("shape") == t["shape"] and c["buffer"] != "shared")
        if moved:
            found.append((t["flops"] / moved, series.rate(t), "", 1, roofline.intensity(t)))
    return found


def draw_filled(axes, drawn, peak):
    """The points, each with its label; those over S joined. Returns labels and boxes for place_labels."""
    labels, taken = [], []
    for kind, (colour, marker, _) in KINDS.items():
        rows = [(label, t) for k, label, t in drawn if k == kind]
        xs, ys = [roofline.intensity(t) for _, t in rows], [series.rate(t) for _, t in rows]
        joined = kind in ("fused", "baseline")
        axes.plot(xs, ys, color=colour, marker=marker, markersize=7, markeredgecolor=INK, markeredgewidth=0.5,
                  linestyle="-" if joined else "none", linewidth=1.4, zorder=4)
        taken += style.point_boxes(axes, xs, ys) + (style.line_boxes(axes, xs, ys) if joined else [])
        for i, (label, _) in enumerate(rows):
            wrong, end = ys[i] > peak, not joined or i in (0, len(rows) - 1)
            if wrong:
                axes.plot([xs[i]], [ys[i]], **roofline.WRONG)
            if wrong or (end and kind != "baseline"):
                labels.append((xs[i], ys[i], label, ERROR if wrong else INK, True))
    return labels, taken


def draw_hollow(axes, measured):
    labels, taken = [], style.point_boxes(axes, [m[0] for m in measured], [m[1] for m in measured])
    for x, y, label, which, origin in measured:
        axes.plot([x], [y], marker="oD"[which], markersize=8, markerfacecolor=CARD, markeredgecolor=INK,
                  markeredgewidth=1.3, linestyle="none", zorder=5)
        if origin:
            axes.plot([x, origin], [y, y], color=FAINT, linewidth=1, linestyle=":", zorder=2)
        if label:
            labels.append((x, y, label, "#555555", True))
    return labels, taken


def legend(figure, drawn, measured, peak):
    kinds = [k for k in KINDS if any(kind == k for kind, *_ in drawn)]
    handles = [plt.Line2D([], [], color=KINDS[k][0], marker=KINDS[k][1], label=KINDS[k][2], markeredgecolor=INK,
                          markeredgewidth=0.5, linestyle="-" if k in ("fused", "baseline") else "none") for k in kinds]
    for which in sorted({m[3] for m in measured}):
        handles.append(plt.Line2D([], [], marker="oD"[which], markerfacecolor=CARD, markeredgecolor=INK,
                                  linestyle="none", label="at " + COUNTED[which]))
    if any(series.rate(t) > peak for *_, t in drawn):
        handles.append(plt.Line2D([], [], label="above the compute ceiling: wrong", **roofline.WRONG))
    figure.legend(handles=handles, loc="outside lower center", ncols=3)


def draw(root, folder, name):
    drawn, ceilings = points(root), root["machine"].get("ceilings")
    if not drawn or not ceilings or root["backend"] != "cuda":
        return
    peak, bandwidth = ceilings["gflop_s"], ceilings["bandwidth_gb_s"]
    measured = at_measured_bytes(root, drawn)
    figure, axes = plt.subplots(figsize=(9.6, 6.8), layout="constrained")
    xs = [roofline.intensity(t) for *_, t in drawn] + [m[0] for m in measured] + [peak / bandwidth]
    ys = [series.rate(t) for *_, t in drawn] + [m[1] for m in measured] + [peak]
    style.log_ticks(axes.xaxis, min(xs) / 2.5, max(xs) * 2.5, style.number)
    style.log_ticks(axes.yaxis, min(ys) / 2.5, max(ys) * 2.2, lambda y: style.number(y * 1e-3))
    axes.set_xlabel("arithmetic intensity, FLOP per byte")
    axes.set_ylabel("TFLOP/s")
    above = any(series.rate(t) > roofline.intensity(t) * bandwidth for *_, t in drawn)
    at = anchor(root)
    where = f"chain at {style.shape(at)}" if at else "decode"
    axes.set_title(f"GPU roofline, {style.clean(root['machine']['gpu'] or 'GPU', 50)}; {where}\n" +
                   ("above the DRAM line: a cache served part of the model's bytes" if above else
                    "filled points: the model's bytes"))
    legend(figure, drawn, measured, peak)
    figure.canvas.draw()  # settles the layout: from here on labels are placed by pixels
    figure.set_layout_engine("none")
    names = f"fp32 FMA: {peak * 1e-3:.3g} TFLOP/s", f"DRAM: {bandwidth * 1e-3:.3g} TB/s"
    everywhere = list(zip(xs, ys))
    taken = roofline.draw_ceilings(axes, peak, bandwidth, names, everywhere)
    filled, hollow = draw_filled(axes, drawn, peak), draw_hollow(axes, measured)
    style.place_labels(axes, filled[0] + hollow[0], taken + filled[1] + hollow[1])
    style.save(figure, folder, name)
