"""test_plots.py: claims about the plots. Looking at them is still a person's job."""
import itertools
import json
import os
import re
import sys

from tap import REPORT, SCRATCH, fixture, ok, results_md, run, scratch

PLOTS = ["roofline", "scaling_heads_batch", "scaling_memory", "scaling_seq", "scaling_threads", "scaling_tiles"]
WANTED = {"full": PLOTS, "slow": PLOTS, "hostile": PLOTS,
          "no_bench": [], "skeleton": [], "empty": [], "failing": [],
          "one_timing": ["roofline", "scaling_memory", "scaling_seq"],
          "gpu": PLOTS + ["decode_bandwidth_task5", "latency_kv_task6", "latency_task6", "roofline_gpu", "traffic"] +
                 [f"scaling_{p}" for p in ("dim_task4", "heads_batch_task2", "heads_batch_task4", "queries_task4",
                                           "seq_task2", "seq_task4", "tiles_task4")],
          "simt": ["traffic"]}


def draw(path, folder):
    status, out, error = run(sys.executable, os.path.join(REPORT, "plots.py"), path, folder)
    return status, (out + error).decode()


def is_blank(path):
    """Whether a picture shows nothing: hardly any pixel differs from its corner's."""
    import matplotlib.image
    image = matplotlib.image.imread(path)[:, :, :3]
    return float((abs(image - image[0, 0]).max(axis=2) > 0.1).mean()) < 0.01


def faults(figure):
    """What is cut off at the figure's edge, and which level texts overlap."""
    from matplotlib.text import Text
    figure.canvas.draw()
    renderer = figure.canvas.get_renderer()
    whole, frame = figure.get_tightbbox(renderer), figure.get_size_inches()
    cut = min(whole.x0, whole.y0, frame[0] - whole.x1, frame[1] - whole.y1) < -0.01
    texts = [t for t in figure.findobj(Text) if t.get_visible() and t.get_text().strip() and t.get_rotation() == 0]
    boxes = [(t.get_text(), t.get_window_extent(renderer).shrunk(0.96, 0.8)) for t in texts]
    pairs = [(a, b) for (a, one), (b, other) in itertools.combinations(boxes, 2) if one.overlaps(other)]
    return ([f"cut: {whole} of {frame}"] if cut else []) + [f"{a!r} overlaps {b!r}" for a, b in pairs]


def long_names(root):
    """The document with names that are far too long for a title."""
    for task in root["tasks"]:
        task["title"] = "a title that goes on and on " * 8
        for p in task.get("profile", []):
            p["kernel"] = "void attention::flash_kernel_with_a_long_name<64, 32, float>(float *, int)"
    root["machine"]["gpu"] = "a GPU with a very long name " * 4
    return root


def check_layout(name, change=lambda root: root, claim=""):
    """Draws in this process, with a save that looks at the figure instead of writing it."""
    sys.path.insert(0, REPORT)
    import plots
    import style
    found = []

    def inspect(figure, _, plot):
        found.extend(f"{plot}: {fault}" for fault in faults(figure))
        style.plt.close(figure)

    write, style.save = style.save, inspect
    plots.draw_all(change(json.load(open(fixture(name)))), "")
    style.save = write
    ok(not found, f"{name}_plots_{claim}cut_no_label_and_overlap_none", "\n".join(found))


def check_fixture(name):
    folder = os.path.join(SCRATCH, "plots", name)
    status, output = draw(fixture(name), folder)
    files = sorted(os.listdir(folder)) if os.path.isdir(folder) else []
    wanted = sorted(p + ending for p in WANTED[name] for ending in (".png", ".svg"))
    ok(status == 0 and output == "" and files == wanted, f"{name}_has_its_plots_and_no_other", output or files)
    pictures = [os.path.join(folder, f) for f in files if f.endswith(".png")]
    bad = [p for p in pictures if is_blank(p)]
    ok(not bad, f"{name}_plots_are_not_blank", bad)
    embedded = set(re.findall(r"\]\((\w+)\.png\)", results_md("--plots", folder, fixture(name))[1].decode()))
    unchecked = set(re.findall(r"\]\((\w+)\.png\)", results_md(fixture(name))[1].decode()))
    ok(embedded == unchecked == set(WANTED[name]), f"{name}_page_embeds_what_was_drawn", (embedded, unchecked))


def only(root, task_id, series, implementation=None):
    """The document with nothing timed or counted but this series of this task."""
    for task in root["tasks"]:
        task["timings"] = [t for t in task["timings"] if (task["id"], t["series"]) == (task_id, series) and
                           implementation in (None, t["implementation"])]
        task["counts"], task["profile"] = task["counts"] if (task["id"], "counts") == (task_id, series) else [], []
    return root


def check_parts():
    """plots.py and figures.c have one rule: what is drawn of a document with one series is what its page embeds."""
    sys.path.insert(0, REPORT)
    import plots
    import style
    drawn, wrong, write = [], [], style.save
    parts = {(task["id"], t["series"], name) for task in json.load(open(fixture("gpu")))["tasks"]
             for t in task["timings"] for name in (None, t["implementation"]) if name in (None, "yours", "PyTorch")}
    parts |= {("task2", "counts", None), ("task4", "counts", None), ("task6", "seq", None)}
    for part in sorted(parts, key=str):
        root = only(json.load(open(fixture("gpu"))), *part)
        page = results_md(scratch("part.json", json.dumps(root)))[1].decode()
        drawn, style.save = [], lambda figure, _, name: (drawn.append(name), style.plt.close(figure))
        plots.draw_all(root, "")
        embedded = set(re.findall(r"\]\((\w+)\.png\)", page))
        wrong += [] if set(drawn) == embedded else [(part, sorted(drawn), sorted(embedded))]
    style.save = write
    ok(not wrong, f"{len(parts)}_parts_of_the_results_are_embedded_as_they_are_drawn", "\n".join(map(str, wrong)))


def check_labels():
    """Six points in one place: every label is written, and none over another."""
    sys.path.insert(0, REPORT)
    import style
    figure, axes = style.plt.subplots()
    axes.set(xlim=(0, 1), ylim=(0, 1), xticks=[], yticks=[])
    figure.canvas.draw()
    style.place_labels(axes, [(0.5, 0.5 + i / 1000, f"label {i}", "black", True) for i in range(6)], [])
    found, written = faults(figure), [t.get_text() for t in axes.texts if t.get_text()]
    ok(not found and len(written) == 6, "crowded_labels_move_apart", found or written)


def main():
    try:
        import matplotlib  # noqa: F401
    except ImportError:
        ok(False, "plots_are_drawn", f"no matplotlib: make setup, or {sys.executable} -m pip install matplotlib")
        return
    for name in WANTED:
        check_fixture(name)
    for name in ("slow", "gpu", "simt", "hostile", "one_timing"):
        check_layout(name)
    check_layout("gpu", long_names, "with_long_names_")
    check_labels()
    check_parts()
    again = os.path.join(SCRATCH, "again")
    draw(fixture("full"), again)
    first = os.path.join(SCRATCH, "plots", "full")
    differ = [f for f in os.listdir(again) if open(f"{again}/{f}", "rb").read() != open(f"{first}/{f}", "rb").read()]
    ok(not differ and os.listdir(again), "same_input_gives_the_same_bytes", differ)
    svg = open(f"{first}/roofline.svg").read()
    ok("<dc:date>" not in svg and "<text" not in svg, "svg_has_no_date_and_needs_no_font")
    slow = open(os.path.join(SCRATCH, "plots", "slow", "roofline.svg")).read()
    ok(slow.count("#d00000") == 3 and "#d00000" not in svg, "only_a_point_above_the_roof_is_red",
       f"{slow.count('#d00000')} red things, not point, label and legend")
    root = json.load(open(fixture("full")))
    for task in root["tasks"]:
        for t in task["timings"]:
            t["verdict"] = "WRONG_ANSWER"
    wrong = os.path.join(SCRATCH, "wrong")
    status, output = draw(scratch("wrong.json", json.dumps(root)), wrong)
    ok(status == 0 and not os.listdir(wrong), "the_time_of_a_wrong_answer_is_not_drawn", output or os.listdir(wrong))
    for what, path in (("no file", "/nonexistent.json"), ("no JSON", scratch("bad.json", "{")),
                       ("a list", scratch("l.json", "[]")), ("no tasks", scratch("t.json", "{}"))):
        status, output = draw(path, os.path.join(SCRATCH, "none"))
        ok(status == 1 and output.count("\n") == 1 and path in output,
           f"{what.replace(' ', '_')}_is_one_line_and_exit_1", output)
    blocked = scratch("file", "")
    status, output = draw(fixture("full"), blocked)
    ok(status == 1 and output.count("\n") == 1, "a_file_in_the_place_of_the_folder_is_one_line_and_exit_1", output)
