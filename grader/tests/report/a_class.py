"""a_class.py DIR [N]: a class as it might be, N results.json (300) in DIR: what was measured on an H200, made worse by chance.

The same N gives the same class. Names are such as students have, and some are hostile.
"""
import json
import os
import pickle
import random
import sys

HERE = os.path.dirname(os.path.abspath(__file__))
BASE = os.path.join(HERE, "../../solutions/results_h200/results.json")
RUBRIC = os.path.join(HERE, "../../rubric.json")
FIRST = "Ada Alan Åsa Barbara Chen Dmitri Edsger Fatima Grace Haruki Ines João Katherine Linus Mei Noor Olu Priya Quinn".split()
LAST = "Abel Bauer Costa Dijkstra Eriksson Fischer García Hopper Ito Jansen Kowalski Łukasz Müller Nguyen O'Neil Patel".split()
HOSTILE = [
    "<script>alert(1)</script>", '"><img src=x onerror=alert(1)>', "'; DROP TABLE students; --", "=HYPERLINK(\"http://x\")",
    "../../etc/passwd", "\u202egpj.exe", "a\x1b[31mred", "javascript:alert(1)", "</td></tr></table><h1>x", "x" * 250
]
WRONG = [("WRONG_ANSWER", "matches a missing 1/sqrt(D)"), ("WRONG_ANSWER", "the last tile is not masked"),
         ("WRONG_ANSWER", "matches a mask aligned top-left"), ("NOT_FINITE", "NaN where the maximum is not subtracted"),
         ("TIMEOUT", "still running after 10 s"), ("CRASH", "a signal: SIGSEGV in load_tile"),
         ("RACE", "two threads write s_max without a barrier")]


def bounds():
    """{task: {criterion: (from, to)}} of what points for speed are about, as the rubric says today."""
    with open(RUBRIC, encoding="utf-8") as file:
        tasks = json.load(file)["tasks"]
    return {t["id"]: {c["name"]: (c["from"], c["to"]) for c in t["criteria"] if c["kind"] == "speed"} for t in tasks}


def compact(task, speeds):
    """A task with the claims and points alone; its criteria of speed are today's."""
    task = dict(task, timings=[], counts=[])
    task.pop("profile", None), task.pop("demo", None), task.pop("findings", None)
    task["criteria"] = [c for c in task["criteria"] if c["kind"] != "speed"]
    total = task["max_score"] - sum(c["points"] for c in task["criteria"] if "bonus" not in c["why"])
    for name, (low, high) in speeds.items():
        points = round(total / len(speeds), 2)
        task["criteria"].append({"name": name, "kind": "speed", "points": points, "max_points": points, "why": "",
                                 "value": high, "from": low, "to": high})
    return task


def weaken(chance, task, skill):
    """Some claims fail, where the student is weak; the rest of the points for speed come from a draw."""
    todo = chance.random() > skill + 0.25
    failed = set()
    if todo:
        task["verdict"] = "MISSING"
        task["message"] = "TODO " + task["id"][-1] + ".1 is open"
    for i, case in enumerate(task["cases"]):
        hard = 0.02 + 0.5 * (i % 7 == 6) + 0.25 * (i % 5 == 4)
        if todo:
            case["verdict"] = "MISSING"
        elif chance.random() < hard * (1 - skill) ** 1.5:
            case["verdict"], case["diagnosis"] = WRONG[(i + chance.randrange(2)) % len(WRONG)]
            task["verdict"] = case["verdict"]
        if case["verdict"] != "PASSED":
            failed.add(case["criterion"])
    for c in task["criteria"]:
        if c["kind"] == "speed":
            if failed:
                for key in ("value", "from", "to"):
                    c.pop(key)
                c.update(points=0, why="not measured: the answers are not all right")
                continue
            c["value"] = c["from"] * (c["to"] / c["from"]) ** chance.gauss(0.25 + skill * 0.75, 0.35)
            share = min(1, max(0, (c["value"] - c["from"]) / (c["to"] - c["from"])))
            c.update(points=round(share * c["max_points"], 2), why=f"{c['value']:.2f}x")
        elif c["name"] in failed:
            c["points"] = 0
    bonus = sum(c["points"] for c in task["criteria"] if c["why"].startswith("bonus"))
    task["score"] = round(sum(c["points"] for c in task["criteria"]) - bonus, 2)
    return bonus


def student(chance, base, name, number):
    root = pickle.loads(base)
    skill = min(1, max(0, chance.gauss(0.68, 0.25)))
    root.update(submission=name, bonus=sum(weaken(chance, t, skill) for t in root["tasks"]), sandboxed=True)
    four = root["tasks"][3]
    if number % 60 == 7 and four["verdict"] == "PASSED":
        four.update(verdict="FORBIDDEN_SYMBOL", score=0, message="flash.cu:41 calls dlsym, which task 4 does not allow")
    if number % 75 == 11:
        root["tasks"][1]["timings"] = [{
            "series": "seq", "case": "S=1024 full", "shape": four["cases"][0]["shape"], "threads": None, "tiles": None,
            "implementation": "yours", "verdict": "TIMING_SUSPECT", "runs": 7, "median_s": 1e-7, "iqr_s": 1e-9,
            "flops": 1e9, "bytes": 1e6, "extra_bytes": None, "speedup": 900, "why": "above the machine's ceiling"
        }]
    if number % 100 == 50:
        root["tasks"][5].update(verdict="GRADER_ERROR", message="the GPU was gone")
    root["score"] = round(sum(t["score"] for t in root["tasks"]), 2)
    return root


def write(folder, n=300):
    """Returns the names, by folder."""
    chance = random.Random(1)
    with open(BASE, encoding="utf-8") as file:
        base = json.load(file)
    speeds = bounds()
    base["tasks"] = [compact(t, speeds.get(t["id"], {})) for t in base["tasks"]]
    base.pop("rescored", None)
    base = pickle.dumps(base)  # copied in a third of deepcopy's time
    names = {}
    for i in range(n):
        name = HOSTILE[i] if i < len(HOSTILE) else f"{chance.choice(LAST)}, {chance.choice(FIRST)} {i:03}"
        names[f"s{i:03} & {i % 7}"] = name
        place = os.path.join(folder, f"s{i:03} & {i % 7}")
        os.makedirs(place, exist_ok=True)
        with open(os.path.join(place, "results.json"), "w", encoding="utf-8") as file:
            file.write("{" if i == n - 1 and n > 20 else json.dumps(student(chance, base, name, i)))
    with open(os.path.join(folder, "similarity.csv"), "w", encoding="utf-8") as file:
        file.write('task,a,b,percent\r\n"task4","Bauer, Mei 014","O""Neil, <b>Ada</b>",96\r\n')
    return names


if __name__ == "__main__":
    write(sys.argv[1], int(sys.argv[2]) if len(sys.argv) > 2 else 300)
