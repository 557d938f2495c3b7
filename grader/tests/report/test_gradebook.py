"""test_gradebook.py: claims about gradebook.csv."""
import csv
import io
import json
import os

from tap import SCRATCH, fixture, gradebook, ok, scratch


def submission(name, **changes):
    root = json.load(open(fixture("no_bench")))
    root.update(submission=name, **changes)
    return root


def write(folder, name, **changes):
    return scratch(f"class/{folder}/results.json", json.dumps(submission(name, **changes)))


def main():
    book = os.path.join(SCRATCH, "gradebook.csv")
    evil = ["=1+1", "+2", "-3", "@SUM(A1)", '  =HYPERLINK("x")', "\t=4", 'comma, "quote"', "two\nlines",
            "O'Neil", "Åsa", ""]
    paths = [write(str(i), name) for i, name in enumerate(evil)]
    broken = scratch("class/zoe/results.json", "{")
    absent = os.path.join(SCRATCH, "class/yan/results.json")
    status, _, error = gradebook(book, *paths, broken, absent)
    raw = open(book, "rb").read()
    rows = list(csv.DictReader(io.StringIO(raw.decode(), newline="")))
    names = [r["submission"] for r in rows]
    ok(len(rows) == len(evil) + 2 and all(None not in r and None not in r.values() for r in rows),
       "one_whole_row_for_each_submission", raw.decode())
    ok(raw.count(b"\r\n") == len(rows) + 1 and raw.count(b"\n") == len(rows) + 1, "rows_end_as_rfc_4180_says")
    ok(not [n for n in names if n.lstrip()[:1] in ("=", "+", "-", "@")], "no_cell_is_a_formula", names)
    ok({"'=1+1", "'+2", "'-3", "'@SUM(A1)", 'comma, "quote"', "two lines", "O'Neil", "Åsa", ""} <= set(names),
       "names_survive_quoting", names)
    good = next(r for r in rows if r["submission"] == "O'Neil")
    ok([good[k] for k in ("score", "max_score", "bonus", "task1_score", "task1_verdict", "task3_score", "status")] ==
       ["4", "5", "0", "2", "PASSED", "2", "GRADED"], "scores_and_verdicts_are_in_their_columns", good)
    failed = {r["submission"]: r for r in rows if r["status"] == "GRADER_ERROR"}
    ok(set(failed) == {"zoe", "yan"} and all(r["score"] == "" and r["task1_score"] == "" for r in failed.values()),
       "an_unreadable_result_is_a_grader_error_with_an_empty_score", failed)
    ok(status == 1 and error.count(b"\n") == 2, "unreadable_results_are_exit_1_and_a_line_each", (status, error))

    one, two = write("a", "bob"), write("b", "alice")
    first = gradebook(book, one, two)[0], open(book, "rb").read()
    second = gradebook(book, two, one)[0], open(book, "rb").read()
    ordered = first[1].index(b"alice") < first[1].index(b"bob")
    ok(first == second and first[0] == 0 and ordered, "order_is_by_name", first)
    tasks = json.load(open(fixture("gpu")))["tasks"]
    gradebook(book, one, write("c", "carol", tasks=tasks[2:], score=17.25, bonus=1.5))
    rows = list(csv.DictReader(open(book, newline="")))
    ok([r["task4_score"] for r in rows] == ["", "3"] and
       [rows[1][k] for k in ("task1_verdict", "score", "bonus")] == ["", "17.25", "1.5"],
       "tasks_that_only_some_have_get_columns", rows)
    before = open(book, "rb").read()
    ok(gradebook(os.path.join(SCRATCH, "absent/gradebook.csv"), one)[0] == 1, "no_folder_for_the_book_is_exit_1")
    ok(gradebook(book)[0] == 2 and open(book, "rb").read() == before, "no_result_is_wrong_usage_and_writes_nothing")
    ok(not os.path.exists(book + ".part"), "no_part_file_is_left")
