"""variants.py: results.json documents for the tests: what was measured on an H200 (grader/solutions/results_h200), and
changes of it. What a test expects it takes from the document: new measurements change no test."""
import json
import os

from tap import HERE

BASE = os.path.join(HERE, "../../solutions/results_h200/results.json")
EVIL = ("| a \\| b\n# heading\n![x](http://evil.example/x.png) <script>alert(1)</script> `code` [l](javascript:1) "
        "*b* _i_ @all www.evil.example $x$ end --> <!-- /lab:summary -->\n<!-- lab:run -->\n"
        "\x01\x07\x1b[31mred\x1b[0m\r\x7f\u0085\u202egpj.exe\u2066\u200b\ufeff \u4e2d\u6587 end")
FIXED = ("id", "verdict", "series", "kind", "todo", "created", "backend", "source", "criterion", "at")


def gpu():
    with open(BASE, encoding="utf-8") as file:
        return json.load(file)


def task(root, name):
    return next(t for t in root["tasks"] if t["id"] == name)


def not_todo(cases):
    return [c for c in cases if c["criterion"] != "todo"]


def cpu():
    """The two tasks on the CPU alone."""
    root = gpu()
    root["tasks"] = [task(root, "task1"), task(root, "task3")]
    machine = root["machine"]
    machine.update(
        gpu=None,
        ceilings={"bandwidth_gb_s": machine["bandwidths"][-1]["gb_s"], "gflop_s": machine["fma_peaks"][-1]["gflop_s"]})
    root.update(backend="cpu", score=5, max_score=5, bonus=0)
    return root


def simt():
    """No GPU: counted traffic, and times that must never be shown."""
    root = gpu()
    root["machine"].update(gpu=None)
    root["backend"] = "simt"
    root["tasks"] = [t for t in root["tasks"] if t["id"] in ("task2", "task4", "task5", "task6")]
    for t in root["tasks"]:
        t["profile"], t["profile_note"] = [], "no ncu: there is no GPU here"
    return root


def scored():
    """On a GPU, but of times only what carries points, and nothing over S."""
    root = gpu()
    root["tasks"] = [task(root, "task5")]
    return root


def no_bench():
    root = cpu()
    for name in ("ceilings", "fma_peaks", "bandwidths", "gpu_rates"):
        root["machine"].pop(name, None)
    for t in root["tasks"]:
        t["timings"], t["counts"] = [], []
    speed = next(c for c in task(root, "task3")["criteria"] if c["kind"] == "speed")
    speed.update(points=0, why="not measured: --no-bench")
    return root


def failing():
    """A case with every verdict there is; a task that does not compile; baselines and a slow, suspect 'yours'."""
    root = cpu()
    one, three = root["tasks"]
    schema = json.load(open(os.path.join(HERE, "../../report/results.schema.json"), encoding="utf-8"))
    cases = [dict(not_todo(one["cases"])[0], name=f"ends_as_{v.lower()}", verdict=v) for v in schema["$defs"]["verdict"]["enum"]]
    wrong = next(c for c in cases if c["verdict"] == "WRONG_ANSWER")
    wrong.update(first_bad=[0, 1, 32, 5], bad_elements=4096, diagnosis="the last tile is not masked")
    one.update(cases=cases, verdict="WRONG_ANSWER", score=0)
    three.update(
        verdict="COMPILE_ERROR",
        cases=[],
        timings=[],
        score=0,
        message="tiled_cpu.c:41:17: error: 'Bcc' undeclared\n   41 |     float s[Bcc];\n      |             ^~~\n")
    for t in one["timings"]:
        if t["implementation"] == "PyTorch":
            t.update(verdict="SKIPPED", median_s=None, iqr_s=None, speedup=None, why="python3 has no module torch")
        elif t["implementation"] == "yours" and t["case"] == "S=1024 full":
            t.update(verdict="TIMING_SUSPECT", median_s=t["median_s"] / 1e4, iqr_s=t["median_s"])
    return root


def todos():
    """Claims of TODOs: two hold, one is wrong, one is open."""
    root = cpu()
    three = task(root, "task3")
    states = [("3.1", "PASSED", "row_max_is_kept"), ("3.1", "PASSED", "row_sum_is_kept"),
              ("3.2", "PASSED", "scores_are_scaled"), ("3.3", "WRONG_ANSWER", "masked_scores_are_minus_infinity"),
              ("3.4", "MISSING", "rows_are_rescaled")]
    three["cases"] = [
        dict(three["cases"][0], criterion="todo", todo=todo, verdict=v, name=name, diagnosis=None)
        for todo, v, name in states
    ] + not_todo(three["cases"])
    three["cases"][-1].update(verdict="MISSING", todo="3.4")
    three.update(verdict="WRONG_ANSWER")
    return root


def one_timing():
    root = cpu()
    root["tasks"] = [task(root, "task3")]
    root["tasks"][0]["timings"] = [t for t in root["tasks"][0]["timings"] if t["series"] == "seq"][:1]
    return root


def empty():
    return dict(cpu(), tasks=[])


def hostile():
    """Every string that is not fixed begins with what would break a page, a report, a plot or a terminal."""

    def poison(value, key=""):
        if isinstance(value, dict):
            return {k: poison(v, k) for k, v in value.items()}
        if isinstance(value, list):
            return [poison(v, key) for v in value]
        keep = key in FIXED or value in ("yours", "task 2", "PyTorch") or not isinstance(value, str)
        return value if keep else EVIL + value

    root = poison(gpu())
    root["tasks"][0].update(verdict="WRONG_ANSWER", message="    ```\n</pre>\n# not a heading\x1b[2J\n| not | a row |")
    root["tasks"][0]["cases"][0].update(verdict="WRONG_ANSWER", diagnosis=EVIL, bad_elements=1, first_bad=[0])
    root["tasks"][3]["profile_note"] = root["tasks"][2]["message"] = EVIL
    return root


ALL = {f.__name__: f for f in (gpu, cpu, simt, scored, no_bench, failing, todos, one_timing, empty, hostile)}


def document(name):
    return ALL[name]()
