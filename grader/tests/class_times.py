#!/usr/bin/env python3
"""How much the times of a class's answers differ.

    class_times.py EXPECTED OUT [OUT...]      an OUT is a folder of grade_all, or a file of `bench --json` (all of it)

For each timed point of the tasks that EXPECTED (class_mix) calls an answer: how many, their median, the least and the
most next to it, the share within 2 %; and each median next to that of the first OUT. Then the points of each task.
"""
import json
import os
import statistics
import sys


def answers(expected):
    """(submission, task) of the answers."""
    with open(expected, encoding="utf-8") as f:
        rows = [line.split("|") for line in f]
    return {(row[0], row[1]) for row in rows if row[2] == "answer"}


def rows_of(out, wanted):
    """Timings of `out`, as (task, timing)."""
    if os.path.isfile(out):
        task = os.path.basename(out).split(".")[0]
        with open(out, encoding="utf-8") as f:
            return [(task, json.loads(line)) for line in f]
    rows = []
    for name in sorted(os.listdir(out)):
        path = os.path.join(out, name, "results.json")
        if os.path.exists(path):
            with open(path, encoding="utf-8") as f:
                result = json.load(f)
            rows += [(t["id"], r) for t in result["tasks"] if (name, t["id"]) in wanted for r in t["timings"]]
    return rows


def points_of(out, wanted):
    """Points of each task of the answers."""
    points = {}
    for name in sorted(os.listdir(out)) if os.path.isdir(out) else []:
        path = os.path.join(out, name, "results.json")
        if os.path.exists(path):
            with open(path, encoding="utf-8") as f:
                for task in json.load(f)["tasks"]:
                    if (name, task["id"]) in wanted:
                        points.setdefault(task["id"], []).append(task["score"])
    return points


def main():
    wanted, outs = answers(sys.argv[1]), sys.argv[2:]
    first = {}
    for number, out in enumerate(outs):
        seconds, ratios, suspect = {}, {}, 0
        for task, row in rows_of(out, wanted):
            key = (task, row["series"], row["case"], row["implementation"])
            suspect += row["verdict"] not in ("PASSED", "SKIPPED")
            if row["median_s"]:
                seconds.setdefault(key, []).append(row["median_s"])
        print(f"{out}: {suspect} times are not PASSED")
        print(f"  {'point':48} {'n':>3} {'median us':>10} {'least':>6} {'most':>6} {'in 2 %':>6} {'first':>6}")
        for key in sorted(seconds):
            x = seconds[key]
            m = statistics.median(x)
            near = sum(abs(v / m - 1) <= 0.02 for v in x) / len(x)
            before = f"{m / first[key]:6.3f}" if key in first else ""
            spread = f"{min(x) / m:6.3f} {max(x) / m:6.3f} {near:6.0%}"
            print(f"  {' '.join(key):48} {len(x):3} {m * 1e6:10.2f} {spread} {before}")
            if not number:
                first[key] = m
        for task, p in sorted(points_of(out, wanted).items()):
            print(f"  {task}: {len(p)} answers, {min(p):.3f} to {max(p):.3f} points, median {statistics.median(p):.3f}")


main()
