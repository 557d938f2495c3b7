#!/usr/bin/env python3
"""make_fixtures.py: writes the results.json fixtures of the report's tests next to itself.

Every number is made up by the formulas of synthetic.py; none was measured. With --check it only compares the files with
what it would write, and names the first that differs.
"""
import json
import os
import sys

sys.dont_write_bytecode = True

from synthetic import add_speedups, case, document, missing, shape, task1, task3  # noqa: E402
from synthetic_gpu import COPY, PEAK, READ, attention, cuda_tasks  # noqa: E402

HERE = os.path.dirname(os.path.abspath(__file__))
VERDICTS = json.load(open(os.path.join(HERE, "../../report/results.schema.json")))["$defs"]["verdict"]["enum"]


def failing():
    """Task 1 with one case for every verdict there is, task 3 that does not compile."""
    one, three = task1(), task3()
    one["cases"] = [case(f"ends_as_{v.lower()}", "softmax", shape(sq=96 + i), v) for i, v in enumerate(VERDICTS)]
    wrong = one["cases"][VERDICTS.index("WRONG_ANSWER")]
    wrong.update(max_err=0.12, rms_rel_err=0.31, first_bad=[0, 1, 32, 5], bad_elements=4096,
                 diagnosis="rows 32.. of every head: the last tile is not masked")
    one.update(verdict="WRONG_ANSWER", score=1)
    one["criteria"][0].update(points=0, why="1 of %d cases" % len(VERDICTS))
    one["criteria"][1].update(points=0, why="0 of 1 cases")
    three.update(verdict="COMPILE_ERROR", score=0, cases=[], timings=[],
                 message="tiled_cpu.c:41:17: error: 'Bcc' undeclared (first use in this function)\n"
                         "   41 |     float s[Bcc];\n"
                         "      |             ^~~\n")
    for c in three["criteria"]:
        c.update(points=0, why="it does not compile")
    return document("failing with every verdict", [one, three])


def without_torch():
    root = document("PyTorch is not installed", [task1(), task3()])
    for r in root["tasks"][1]["timings"]:
        if r["implementation"] == "PyTorch":
            r.update(verdict="SKIPPED", runs=0, median_s=None, iqr_s=None, extra_bytes=None, speedup=None,
                     why="python3 has no module torch")
        if r["implementation"] == "task 1" and r["shape"]["seq_q"] == 4096:
            r.update(verdict="SKIPPED", runs=0, median_s=None, iqr_s=None, extra_bytes=None, speedup=None,
                     why="over its time budget")
    return root


def slow():
    """Correct and slower than every baseline; a point above the peak, a suspect time, a tile that is too large."""
    root = document("slow, and above a ceiling", [task1(), task3()])
    rows = root["tasks"][1]["timings"]
    for r in rows:
        if r["implementation"] == "yours":
            r["median_s"] *= 3.6
    fast = [r for r in rows if r["series"] == "seq" and r["implementation"] == "PyTorch"]
    fast[3]["median_s"] /= 2.4
    fast[1].update(verdict="TIMING_SUSPECT", iqr_s=fast[1]["median_s"] * 0.4)
    tile = next(r for r in rows if r["tiles"] == [128, 512])
    tile.update(verdict="LAUNCH_FAILURE", runs=0, median_s=None, iqr_s=None, extra_bytes=None, why="tile too large")
    add_speedups(rows)
    root["tasks"][1]["criteria"][2].update(points=0.25, why="0.5x, full points from 8x")
    root["tasks"][1]["score"] = 2.25
    root["score"] = 4.25
    return root


def hostile():
    evil = ("| a \\| b\n# heading\n![x](http://evil.example/x.png) <script>alert(1)</script> `code` [l](javascript:1) "
            "*b* _i_ @all www.evil.example $x$")
    control = "\x01\x07\x1b[31mred\x1b[0m\r\x7f\u0085\u202egpj.exe\u2066\u200b\ufeff end"
    root = document(evil + control, [task1(), task3()])
    root["lab_commit"] = control
    root["machine"].update(cpu=evil, gpu=control, compiler="```\n---\n" + evil)
    one, three = root["tasks"]
    one.update(title=evil, verdict="WRONG_ANSWER", message="    ```\n</pre>\n# not a heading\x1b[2J\n| not | a row |")
    three.update(title=control, message=evil)
    for c in one["criteria"]:
        c.update(name=evil, why=control + evil)
    for row in one["cases"]:
        row.update(name=evil, criterion=evil, verdict="WRONG_ANSWER", diagnosis=control + evil, bad_elements=1,
                   first_bad=[0])
    for row in three["timings"]:
        row["case"] = evil if row["series"] in ("heads", "batch") else row["case"]
        if row["implementation"] == "PyTorch":
            row["implementation"] = "_$\\frac{$ " + evil  # a formula that cannot be parsed
        elif row["implementation"] == "task 1":
            row["implementation"] = "\u4e2d\u6587 " + control
    three["counts"] = [{"case": evil, "buffer": control, "bytes_loaded": 1, "bytes_stored": 2, "sectors": 3,
                        "bank_conflicts": 4}]
    three["profile"] = [{"kernel": evil, "source": source, "case": control + evil} for source in ("ncu", "ptxas")]
    three["profile_note"] = evil
    three["demo"] = {"prompt": evil + control, "text": "```\n" + evil, "reference_text": control}
    return root


def one_timing():
    root = document("one timing only", [task1(), task3()])
    root["tasks"][1]["timings"] = root["tasks"][1]["timings"][:1]
    return root


def gpu():
    """Every task, the CUDA tasks on a GPU beside tasks on the CPU; a bonus."""
    two, four, five, six = cuda_tasks()
    root = document("a GPU", [task1(), two, task3(), four, five, six])
    root["machine"].update(gpu="Synthetic GPU", ceilings={"bandwidth_gb_s": READ, "gflop_s": PEAK},
                           gpu_rates={"copy_gb_s": COPY, "read_gb_s": READ, "fma_gflop_s": PEAK})
    root.update(backend="cuda", bonus=2)
    return root


def simt():
    """The CUDA tasks on the CPU: counted, and one time that must never be shown."""
    two, four, five, six = cuda_tasks(gpu=False)
    four["timings"] = [attention("seq", "yours", "S=1024 full", shape(sq=1024))]
    root = document("no GPU", [two, four, five, six])
    root["backend"] = "simt"
    return root


def no_bench():
    root = document("no benchmark", [task1(), task3()], bench=False)
    root["tasks"][1]["timings"] = []
    root["tasks"][1]["criteria"][2].update(points=0, why="not measured: --no-bench")
    root["tasks"][1]["score"] = 2
    root["score"] = 4
    return root


def fixtures():
    return {"full": document("full marks", [task1(), task3()]), "failing": failing(),
            "skeleton": document("skeleton", [missing(task1(), ["1.1", "1.2", "1.3"]), missing(task3(), ["3.1"])],
                                 bench=False),
            "no_bench": no_bench(), "without_torch": without_torch(), "slow": slow(), "hostile": hostile(),
            "one_timing": one_timing(), "gpu": gpu(), "simt": simt(), "empty": document("no task", [])}


def text_of(root):
    """One line a case, timing or criterion: short files that a diff can read."""
    text = json.dumps(root, indent=1, allow_nan=False)
    lines = []
    for line in text.split("\n"):
        depth = len(line) - len(line.lstrip())
        if depth > 4 or (depth == 4 and line.strip()[0] in "}]"):
            lines[-1] += ("" if lines[-1].endswith(("{", "[")) or line.strip()[0] in "}]" else " ") + line.strip()
        else:
            lines.append(line)
    return "\n".join(lines) + "\n"


def main():
    for name, root in fixtures().items():
        path = os.path.join(HERE, name + ".json")
        if sys.argv[1:] == ["--check"]:
            if not os.path.exists(path) or open(path).read() != text_of(root):
                sys.exit(f"{name}.json is not what make_fixtures.py writes: run it")
        else:
            with open(path, "w") as out:
                out.write(text_of(root))


if __name__ == "__main__":
    main()
