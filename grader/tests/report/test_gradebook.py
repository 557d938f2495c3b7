"""test_gradebook.py: claims about gradebook.csv."""
import csv
import io
import os

import variants
from tap import SCRATCH, ok, read, report, scratch

EVIL = [
    "=1+1", "+2", "-3", "@SUM(A1)", '  =HYPERLINK("x")', "\t=4", 'comma, "quote"', "two\nlines", "O'Neil", "Åsa", ""
]


def write(folder, name, **changes):
    return scratch(f"class/{folder}/results.json", dict(variants.no_bench(), submission=name, **changes))


def rows_of(book):
    return list(csv.DictReader(io.StringIO(read(book).decode(), newline="")))


def main():
    book = os.path.join(SCRATCH, "gradebook.csv")
    paths = [write(str(i), name) for i, name in enumerate(EVIL)]
    broken, absent = scratch("class/zoe/results.json", "{"), os.path.join(SCRATCH, "class/yan/results.json")
    status, _, error = report("gradebook", book, *paths, broken, absent)
    raw, rows = read("gradebook.csv"), rows_of("gradebook.csv")
    names = [r["submission"] for r in rows]
    ok(
        len(rows) == len(EVIL) + 2 and all(None not in r and None not in r.values() for r in rows) and
        raw.count(b"\r\n") == raw.count(b"\n") == len(rows) + 1, "one_whole_row_for_each_submission_as_rfc_4180_says",
        raw.decode())
    ok(not [n for n in names if n.lstrip()[:1] in ("=", "+", "-", "@")], "no_cell_is_a_formula", names)
    ok({"'=1+1", "'+2", "'-3", "'@SUM(A1)", 'comma, "quote"', "two lines", "O'Neil", "Åsa", ""} <= set(names),
       "names_survive_quoting", names)
    good = next(r for r in rows if r["submission"] == "O'Neil")
    ok([good[k] for k in ("score", "max_score", "bonus", "task1_score", "task1_verdict", "task2_score", "status")
        ] == ["5", "5", "0", "2", "PASSED", "", "GRADED"], "scores_and_verdicts_are_in_their_columns", good)
    failed = {r["submission"]: r for r in rows if r["status"] == "GRADER_ERROR"}
    ok(
        set(failed) == {"zoe", "yan"} and all(r["score"] == r["task1_score"] == "" for r in failed.values()) and
        status == 1 and error.count(b"\n") == 2, "an_unreadable_result_is_a_grader_error_with_an_empty_score",
        (failed, error))
    one, two = write("a", "bob"), write("b", "alice")
    first = report("gradebook", book, one, two)[0], read("gradebook.csv")
    second = report("gradebook", book, two, one)[0], read("gradebook.csv")
    ok(first == second and first[0] == 0 and first[1].index(b"alice") < first[1].index(b"bob"), "order_is_by_name",
       first)
    status = report("gradebook", os.path.join(SCRATCH, "absent/gradebook.csv"), one)[0]
    ok(status == 1 and report("gradebook", book)[0] == 2 and read("gradebook.csv") == second[1],
       "no_folder_is_exit_1_and_no_result_is_wrong_usage")
