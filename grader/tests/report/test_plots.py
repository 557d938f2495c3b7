"""test_plots.py: claims about plots.json and its pictures. Looking at them is still a person's job."""
import contextlib
import io
import itertools
import json
import os
import re
import sys
from unittest import mock

import variants
from tap import REPORT, SCRATCH, ok, read, report, run, scratch, skip

CPU = [
    "roofline", "roofline_task1", "scaling_heads_batch", "scaling_memory", "scaling_memory_task1", "scaling_seq",
    "scaling_seq_task1", "scaling_threads", "scaling_tiles"
]
GPU = CPU + [
    "decode_bandwidth_task5", "latency_kv_task6", "latency_task6", "roofline_gpu", "scaling_dim_task4",
    "scaling_heads_batch_task4", "scaling_queries_task4", "scaling_seq_task2", "scaling_seq_task4",
    "scaling_tiles_task4", "traffic"
]
# One plot of each kind: lines with a roof, lines, bars.
SOME = ["roofline_gpu", "scaling_seq", "traffic"]
WANTED = {
    "gpu": GPU, "cpu": CPU, "simt": ["traffic"], "no_bench": [], "empty": [],
    "one_timing": ["roofline", "scaling_memory", "scaling_seq"]
}


def plots_of(name):
    results = scratch(f"plots/{name}/results.json", variants.document(name))
    status, _, error = report("plots", results, os.path.dirname(results))
    return json.loads(read("plots", name, "plots.json")) if status == 0 else error


def drawer():
    sys.path.insert(0, REPORT)
    import draw
    return draw


def draw_here(*folders):
    """What draw.py does, in this process, which has loaded matplotlib: status, what it prints, faults of its figures."""
    module, files, found, said = drawer(), [], [], io.StringIO()

    def make(plot, of=module.make):
        files.append(plot["file"])
        return of(plot)

    def close(figure, of=module.plt.close):
        found.extend(f"{files[-1]}: {fault}" for fault in faults(figure))
        of(figure)

    with mock.patch.object(module, "make", make), mock.patch.object(module.plt, "close", close), \
            mock.patch.object(sys, "argv", ["draw.py", *folders]), contextlib.redirect_stderr(said), \
            contextlib.redirect_stdout(said):
        return module.main(), said.getvalue(), found


def draw(*folders):
    status, out, error = run(sys.executable, os.path.join(REPORT, "draw.py"), *folders)
    return status, (out + error).decode()


def is_blank(path):
    """Whether a picture shows nothing: hardly any pixel differs from its corner's."""
    import matplotlib.image
    image = matplotlib.image.imread(path)[::3, ::3, :3]  # one pixel in nine
    return float((abs(image - image[0, 0]).max(axis=2) > 0.1).mean()) < 0.01


def faults(figure):
    """What is cut off at the edge of a figure that was drawn, and which level texts overlap."""
    from matplotlib.text import Text
    renderer = figure.canvas.get_renderer()
    whole, frame = figure.get_tightbbox(renderer), figure.get_size_inches()
    cut = min(whole.x0, whole.y0, frame[0] - whole.x1, frame[1] - whole.y1) < -0.01
    texts = [t for t in figure.findobj(Text) if t.get_visible() and t.get_text().strip() and t.get_rotation() == 0]
    boxes = [(t.get_text(), t.get_window_extent(renderer).shrunk(0.96, 0.8)) for t in texts]
    pairs = [(a, b) for (a, one), (b, other) in itertools.combinations(boxes, 2) if one.overlaps(other)]
    return ([f"cut: {whole} of {frame}"] if cut else []) + [f"{a!r} overlaps {b!r}" for a, b in pairs]


def sort_of(plot):
    """What decides how a plot is laid out: its kinds of panels, how many there are, and whether points have labels."""
    panels = [panel for row in plot["panels"] for panel in row]
    labelled = any("labels" in s for panel in panels for s in panel.get("series", []))
    return [len(row) for row in plot["panels"]], sorted({panel.get("kind", "lines") for panel in panels}), labelled


def check_layout(name, known):
    """Of the plots of a document those that another has not drawn: one of each sort, all of them with FULL=yes."""
    module, found, sorts = drawer(), [], []
    for plot in [p for p in plots_of(name) if p not in known]:
        if sort_of(plot) in sorts and not os.environ.get("FULL"):
            continue
        sorts.append(sort_of(plot))
        figure = module.make(plot)
        figure.draw_without_rendering()
        found += [f"{plot['file']}: {fault}" for fault in faults(figure)]
        module.plt.close(figure)
    ok(not found, f"{name}_plots_cut_no_label_and_overlap_none", "\n".join(found))


def choose(names):
    """Leaves in plots.json what is to be drawn of each document: one plot of each sort, all of them with FULL=yes."""
    chosen = {}
    for name in names:
        plots, sorts = json.loads(read("plots", name, "plots.json")), []
        chosen[name] = []
        for plot in sorted(plots, key=lambda plot: plot["file"] not in SOME):
            if sort_of(plot) not in sorts or plot["file"] in SOME or os.environ.get("FULL"):
                sorts.append(sort_of(plot))
                chosen[name].append(plot)
        scratch(f"plots/{name}/plots.json", chosen[name])
    return chosen


def check_pictures(name, plots, drawn, status, output):
    """Every plot that there is data for is drawn and shown, and no other."""
    folder = os.path.join(SCRATCH, "plots", name)
    files = sorted(f for f in os.listdir(folder) if f.endswith(".png"))
    ok(
        status == 0 and output == "" and files == sorted(p["file"] + ".png" for p in drawn) and
        sorted(p["file"] for p in plots) == sorted(WANTED[name]), f"{name}_has_its_plots_and_no_other", output or files)
    ok(not [f for f in files if is_blank(os.path.join(folder, f))], f"{name}_plots_are_not_blank")
    for plot in plots:
        if plot["file"] + ".png" not in files:
            scratch(f"plots/{name}/{plot['file']}.png", "x")
    report("page", os.path.join(folder, "results.json"), folder)
    shown = [
        re.findall(r"\]\((\w+)\.png\)\n\w",
                   read("plots", name, page).decode()) for page in ("Results.md", "details.md")
    ]
    ok(
        sorted(shown[0] + shown[1]) == sorted(WANTED[name]) and len(shown[0]) <= 12,
        f"{name}_pages_show_each_plot_once_with_a_sentence", shown)
    lines = [
        s for p in plots for row in p["panels"] for panel in row for s in panel["series"] if panel.get("kind") != "bars"
    ]
    empty = [
        s for s in lines if not s["x"] or len(s["x"]) != len(s["y"]) or len(s.get("spread", s["x"])) != len(s["x"])
    ]
    ok(not empty, f"{name}_lines_have_points", empty)


def check_values():
    """A point is the timing's; a time of a wrong answer is no point; a point above its roof is marked."""
    plot = next(p for p in plots_of("gpu") if p["file"] == "scaling_seq_task4")
    timings = [t for t in variants.task(variants.gpu(), "task4")["timings"] if t["series"] == "seq"]
    wrong = []
    for t in timings:
        panels = [row[t["shape"]["causal"]] for row in plot["panels"]]
        for panel, value in zip(panels, (t["median_s"], t["flops"] / t["median_s"])):
            line = next(s for s in panel["series"] if s["name"] == t["implementation"])
            y = line["y"][line["x"].index(t["shape"]["seq_q"])]
            wrong += [] if abs(y / value - 1) < 1e-5 else [(t["case"], t["implementation"], y, value)]
    ok(timings and not wrong, "a_point_is_the_timing_s", wrong)
    root = variants.gpu()
    for t in [t for task in root["tasks"] for t in task["timings"]]:
        t["verdict"] = "WRONG_ANSWER"
    path = scratch("plots/wrong/results.json", root)
    report("plots", path, os.path.dirname(path))
    ok([p["file"] for p in json.loads(read("plots/wrong/plots.json"))] == ["traffic"],
       "the_time_of_a_wrong_answer_is_not_drawn")
    marked = {name: [p["file"] for p in plots_of(name) if "wrong." in json.dumps(p)] for name in ("cpu", "failing")}
    ok(
        marked == {"cpu": [], "failing": ["roofline_task1", "scaling_seq_task1"]} or
        "roofline" in str(marked["failing"]) and not marked["cpu"], "a_point_above_its_roof_is_marked", marked)
    root = variants.gpu()
    for t in variants.task(root, "task4")["timings"]:
        t["median_s"] = t["median_s"] and t["median_s"] / 100
    path = scratch("plots/fast/results.json", root)
    report("plots", path, os.path.dirname(path))
    legends = {p["file"]: json.dumps(p) for p in json.loads(read("plots/fast/plots.json"))}
    silent = [f for f in ("roofline_gpu", "scaling_seq_task4") if "on tensor cores" not in legends[f]]
    ok(not silent, "faster_than_cuda_cores_may_be_tensor_cores", silent)


def check_labels():
    """Six points in one place: every label is written, and none over another."""
    module = drawer()
    axis = {"label": "", "scale": "linear", "low": 0, "high": 1, "ticks": []}
    points = {
        "name": "", "role": "yours.", "x": [0.5] * 6, "y": [0.5 + i / 1000 for i in range(6)],
        "labels": [[i, f"label {i}"] for i in range(6)]
    }
    figure = module.make({"title": "", "panels": [[{"title": "", "x": axis, "y": axis, "series": [points]}]]})
    figure.draw_without_rendering()
    written = [t.get_text() for t in figure.axes[0].texts if t.get_text()]
    ok(not faults(figure) and len(written) == 6, "crowded_labels_move_apart", written)


def main():
    try:
        import matplotlib  # noqa: F401
    except ImportError:
        skip("plots_are_drawn", f"no matplotlib: make setup, or {sys.executable} -m pip install matplotlib")
        return
    folders = {name: os.path.join(SCRATCH, "plots", name) for name in WANTED if plots_of(name) is not None}
    plots = {name: json.loads(read("plots", name, "plots.json")) for name in WANTED}
    drawn = choose(WANTED)
    status, output, found = draw_here(*folders.values())
    for name in WANTED:
        check_pictures(name, plots[name], drawn[name], status, output)
    ok(not found, "gpu_plots_cut_no_label_and_overlap_none", "\n".join(found))
    known = [plot for name in WANTED for plot in plots[name]]
    for name in ("failing", "hostile"):
        check_layout(name, known)
    if not os.environ.get("FULL"):
        skip("every_plot_is_drawn", "FULL=yes draws and lays out more than one of each sort")
    check_values()
    check_labels()
    again = os.path.dirname(scratch("plots/again/plots.json", [plot for plot in plots["gpu"] if plot["file"] in SOME]))
    no_folder = draw(again, "/nonexistent")
    ok(all(read("plots", "again", f + ".png") == read("plots", "gpu", f + ".png") for f in SOME),
       "same_input_gives_the_same_bytes")
    for what, text in (("no_JSON", "{"), ("an_object", '{"a": 1}'), ("no_panels", '[{"file": "a"}]')):
        status, output, _ = draw_here(os.path.dirname(scratch(f"plots/{what}/plots.json", text)))
        ok(status == 1 and output.count("\n") == 1 and what in output, f"{what}_is_one_line_and_exit_1", output)
    status, output = no_folder
    ok(status == 1 and output.count("\n") == 1, "no_folder_is_one_line_and_exit_1", output)
