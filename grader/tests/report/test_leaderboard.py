"""test_leaderboard.py: claims about the leaderboard: who is on it, in which place, and what names cannot do to it."""
import copy
import json
import os
import re
import shutil

from a_class import BASE
from tap import SCRATCH, ok, run, skip
from tap import report as program


def report(*arguments):
    """Exit status and what was said."""
    status, out, errors = program(*arguments)
    return status, (out + errors).decode()


def read(path):
    with open(path, encoding="utf-8") as file:
        return file.read()


def write(folder, name, document):
    os.makedirs(f"{folder}/{name}")
    with open(f"{folder}/{name}/results.json", "w", encoding="utf-8") as file:
        json.dump(dict(document, submission=name), file)


def faster(document, factor):
    """All times of "yours", divided by the factor; their spread is 2 %."""
    document = copy.deepcopy(document)
    for task in document["tasks"]:
        for t in task["timings"]:
            if t["implementation"] == "yours" and t["median_s"]:
                t["median_s"] /= factor
                t["iqr_s"] = 0.02 * t["median_s"]
    return document


def places(page, title):
    """[(place, name)] of the board; a landmark's place is ''."""
    board = page.split(f"<h2>{title}")[1].split("</table>")[0]
    return [(p, n) for p, n in re.findall(r"<td class=place>(.*?)<td>(.*?)<td", board)]


def main():
    folder = f"{SCRATCH}/board"
    with open(BASE, encoding="utf-8") as file:
        base = json.load(file)
    for name, factor in [("ada", 1.0), ("ben", 1.005), ("cyd", 0.5), ("dan", 2.0), ("eve", 3.0)]:
        write(folder, name, faster(base, factor))
    status, out = report("leaderboard", folder)
    page = read(f"{folder}/leaderboard.html")
    ok(status == 0 and "0 of 5 submissions take part" in out and "nickname" in out and "<table>" not in page,
       "nobody_is_shown_who_has_not_chosen_it", out)
    said = out.split("as a page")[0]
    ok("is graded again" in said and max(map(len, said.splitlines())) <= 80,
       "who_wants_to_take_part_is_told_how_in_lines_that_fit", out)

    for name, nickname in [("ada", "countess"), ("ben", "<b>ben</b>"), ("dan", "=1+1")]:
        document = json.loads(read(f"{folder}/{name}/results.json"))
        with open(f"{folder}/{name}/results.json", "w", encoding="utf-8") as file:
            json.dump(dict(document, nickname=nickname), file)
    with open(f"{folder}/leaderboard.csv", "w", encoding="utf-8") as file:
        file.write("submission,nickname\ncyd,Slow but right\ndan,\n")
    status, out = report("leaderboard", folder)
    page = read(f"{folder}/leaderboard.html")
    ok("3 of 5 submissions take part" in out and "eve" not in page and "dan" not in page and "=1+1" not in page,
       "a_file_of_the_submission_or_the_instructors_list_says_who_takes_part", out)
    ok("<b>ben" not in page and "&#60;b&#62;ben" in page, "a_nickname_is_text", page[:2000])

    board = places(page, "Task 4: fused, B = 16")
    people = [(p, n) for p, n in board if p]
    ok(people == [("1", "&#60;b&#62;ben&#60;/b&#62;"), ("1", "countess"), ("3", "Slow but right")],
       "times_within_the_noise_share_a_place", str(board))
    landmarks = [n for p, n in board if not p]
    ok(any("ladder: 8 warp specialised" in n for n in landmarks) and "PyTorch" in landmarks,
       "rungs_and_baselines_are_landmarks", str(landmarks))
    names = [n for _, n in board]
    ok(names.index("countess") > next(i for i, n in enumerate(names) if "7 wgmma" in n), "the_best_comes_first", str(names))

    ok("counted traffic" not in page and "yours, split" not in page, "what_was_timed_is_not_counted_too", page[:2000])
    untimed = copy.deepcopy(base)
    for task in untimed["tasks"]:
        task["timings"] = []
    write(f"{SCRATCH}/counted", "ada", dict(untimed, nickname="ada"))
    status, out = report("leaderboard", f"{SCRATCH}/counted")
    ok("Task 4: counted traffic, S = 128, x least\n   1  ada " in out and "TFLOP" not in out,
       "without_a_gpu_counts_are_compared", out)

    hostile = copy.deepcopy(base)
    for task in hostile["tasks"]:
        for t in task["timings"]:
            t["implementation"] = t["implementation"].replace("PyTorch", "\x1b[31m\u202e<script>")
    write(f"{SCRATCH}/hostile_board", "ada", dict(hostile, nickname="\x1b]0;x\x07\u2066ada\u009b1m"))
    status, out = report("leaderboard", f"{SCRATCH}/hostile_board")
    page = read(f"{SCRATCH}/hostile_board/leaderboard.html")
    ok(status == 0 and "[31m" in out and not re.search("[\x00-\x09\x0b-\x1f\x7f-\x9f\u202e\u2066]|<script", page) and
       not re.search("[\x00-\x09\x0b-\x1f\x7f-\x9f\u202e\u2066]", out), "no_name_on_the_board_acts_on_a_terminal_or_page",
       repr(out[:2000]))

    with open(f"{folder}/leaderboard.csv", "w", encoding="utf-8") as file:
        file.write("cyd,one,two,three\n")
    status, out = report("leaderboard", folder)
    ok(status == 1 and "leaderboard.csv:1" in out, "a_list_that_is_none_is_said", out)

    browser = shutil.which("chromium") or shutil.which("google-chrome")
    if not browser:
        skip("the_board_fits_its_page", "no Chromium here")
        return
    _, dom, _ = run(browser, "--headless", "--no-sandbox", "--disable-gpu", f"--user-data-dir={folder}/profile", "--dump-dom",
                 f"file://{os.path.abspath(folder)}/leaderboard.html")
    ok(dom.count(b"<tr") > 10 and b"Leaderboard" in dom, "the_board_is_shown_by_a_browser", str(dom[:400]))
