"""traffic.py: bytes that the kernels of tasks 2 and 4 load and store, as counted, against S: the chain's S x S matrix
grows as S^2, the fused kernel stores its output alone."""
import scaling
import style
from style import plt

TASKS = {"task2": ("naive chain (task 2)", ("#d55e00", "s", (0, (5, 1.5)))),
         "task4": ("fused kernel (task 4)", style.YOURS)}


def key_of(s):
    return s["batch"], s["heads"], s["head_dim"], s["causal"]


def sums(task, way):
    """{shape key: {S: bytes}} over all of global memory. way: bytes_loaded or bytes_stored."""
    found = {}
    for c in task["counts"]:
        if "shape" in c and c["buffer"] != "shared" and c["shape"]["seq_q"] == c["shape"]["seq_kv"]:
            lengths = found.setdefault(key_of(c["shape"]), {})
            lengths[c["shape"]["seq_q"]] = lengths.get(c["shape"]["seq_q"], 0) + c[way]
    return found


def family(tasks):
    """The shape, but for S, with most counted lengths; None when nothing was counted."""
    found = [(len(lengths), key) for task in tasks for key, lengths in sums(task, "bytes_loaded").items()]
    return max(found, key=lambda pair: pair[0])[1] if found else None


def fill(axes, tasks, key, way, formulas):
    """One panel; returns the bytes that it shows. formulas: (label, dashes, bytes of S)."""
    drawn, lengths = [], sorted({n for task in tasks for n in sums(task, way).get(key, {})})
    for label, dashes, bytes_of in formulas:
        drawn += [bytes_of(n) for n in lengths]
        look = {"color": "#c4c4bc", "linewidth": 5, "linestyle": dashes, "zorder": 2, "label": label}
        if len(lengths) > 1:
            axes.plot(lengths, drawn[-len(lengths):], **look)
        else:
            axes.axhline(drawn[-1], **look)
    for task in tasks:
        points = sorted((n, size) for n, size in sums(task, way).get(key, {}).items() if size > 0)
        if points:
            name, look = TASKS[task["id"]]
            slope = scaling.slope_of(points) if len(points) > 1 else None
            label = name if slope is None else f"{name}, slope {slope:.2f}"
            axes.plot([n for n, _ in points], [y for _, y in points], **style.line(look, label, task["id"] == "task4"))
            drawn += [y for _, y in points]
    axes.set_xlabel("sequence length S")
    axes.legend(loc="upper center", bbox_to_anchor=(0.5, -0.14), ncols=1)
    return drawn, lengths


def draw(root, folder, name):
    tasks = [t for t in root["tasks"] if t["id"] in TASKS]
    key = family(tasks)
    if key is None:
        return
    batch, heads, d, causal = key
    bh, solid, dotted = batch * heads, (0, (4, 1)), (0, (1, 1))
    loads = [("least of the chain: 12 B·H·S² + 12 B·H·S·D", solid, lambda n: 12 * bh * (n * n + n * d)),
             ("least when fused: Q, K and V once, O(S)", dotted, lambda n: 12 * bh * n * d)]
    stores = [("least of the chain: 12 B·H·S² + 4 B·H·S·D", solid, lambda n: 12 * bh * n * n + 4 * bh * n * d),
              ("least when fused: O alone, O(S)", dotted, lambda n: 4 * bh * n * d)]
    figure, axes = plt.subplots(1, 2, figsize=(10.4, 5.6), layout="constrained", sharey=True)
    shown = [fill(axes[0], tasks, key, "bytes_loaded", loads), fill(axes[1], tasks, key, "bytes_stored", stores)]
    for panel, (_, lengths) in zip(axes, shown):
        scaling.log_axes(panel, lengths, shown[0][0] + shown[1][0], style.size, base=2.0)
    axes[0].set_title("loaded (a tile that is read again counts again)")
    axes[1].set_title("stored")
    axes[0].set_ylabel("bytes of global memory")
    mask = " causal" if causal else ""
    figure.suptitle(f"Memory traffic as counted, no caches: B{batch} H{heads} D{d}{mask}", fontsize=11)
    style.save(figure, folder, name)
